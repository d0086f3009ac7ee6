/*
 * How busy a machine's processors are, how much its tasks wait (PSI), and what CPU time and I/O
 * processes took: counters from procfs, under a root so that tests use made trees. Each reading
 * opens what it reads; not being there is no error, only said.
 */
#ifndef DRIVE_HOSTLOAD_H
#define DRIVE_HOSTLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fsroot.h"

enum psi_kind { PSI_CPU, PSI_IO, PSI_MEMORY, PSI_KINDS };

struct hostload {
    bool has_stat;
    uint64_t busy_ticks, all_ticks; /* of all processors; guests' are in them once */
    bool has_psi[PSI_KINDS];
    uint64_t psi_us[PSI_KINDS]; /* "some": time in which at least one task waited */
    bool has_dirty;
    uint64_t dirty_bytes; /* in the page cache and not yet on their drive, whichever that is */
};

/* Never fails. */
void hostload_read(const struct fsroot *root, struct hostload *out);

/* The same of the page cache alone. False where it is not told. */
bool hostload_dirty(const struct fsroot *root, uint64_t *bytes) MUST_CHECK;

struct process_load {
    char name[32]; /* the kernel's, of 15 bytes at most */
    int64_t parent;
    uint64_t cpu_ns;       /* user and system; in steps of the kernel's tick */
    uint64_t ended_cpu_ns; /* of its children that ended and were waited for */
};

/* False where there is no such process, or it can't be seen. */
bool process_load_read(const struct fsroot *root, int64_t pid, struct process_load *out) MUST_CHECK;
/* The same of one of its threads alone; nobody is a thread's child. */
bool thread_load_read(const struct fsroot *root, int64_t pid, int64_t thread,
                      struct process_load *out) MUST_CHECK;
/* The process of a thread; -1: there is no such thread. */
int64_t thread_process(const struct fsroot *root, int64_t thread);
/* CPU time of a process and of all its children, also of those that ended: never less than before.
 * False where it can't be told: no such process, or a kernel without lists of children. */
bool process_family_cpu_ns(const struct fsroot *root, int64_t pid, uint64_t *out) MUST_CHECK;
/* What the kernel's task accounting (proc(5), /proc/PID/io) says that processes moved from and to
 * block devices, whichever: what was fetched for them, and the pages that they made dirty less
 * those that were given up before they were written. What a file system writes of its own accord
 * (journal, metadata) is in nobody's. */
struct process_io {
    uint64_t read_bytes, write_bytes;
};
/* Of one process, with its children that ended and were waited for. False where there is no such
 * process, or it is not ours to look at. */
bool process_io_read(const struct fsroot *root, int64_t pid, struct process_io *out) MUST_CHECK;
/* Of a process and all its children. False as above, and where one of them is not ours to look at,
 * or the kernel has no lists of children. */
bool process_family_io(const struct fsroot *root, int64_t pid, struct process_io *out) MUST_CHECK;
/* How many processors the process may run on; -1: not told. */
int64_t process_processors(const struct fsroot *root, int64_t pid);

#endif
