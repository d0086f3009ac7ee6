/*
 * What can be learnt of a server from outside: its postmaster.pid, the processes that live in its
 * data directory, what it is replaying, what it said last. Reads only; under a root, so that tests
 * use made trees.
 */
#ifndef CLUSTER_POSTMASTER_H
#define CLUSTER_POSTMASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/fsroot.h"

/* postmaster.pid, line by line: pid, data directory, start (s), port, socket directory, listen
 * address, shared memory key, status. The last ones come while it starts. */
struct postmaster {
    pid_t pid;
    char socket_dir[108]; /* "" where the line is not there yet */
    bool ready;           /* takes connections */
};

/* False where there is no pid in it. */
bool postmaster_parse(const char *text, struct postmaster *out);
/* Reads DATA/postmaster.pid; false where it is not there or broken. */
bool postmaster_read(const struct fsroot *root, const char *data, struct postmaster *out);

/* A process of the server sits in its data directory; that tells it from another one to which the
 * kernel gave the same number later. */
bool postmaster_lives(const struct fsroot *root, const char *data, pid_t pid);
/* All processes that live in the data directory; how many there are (pids gets at most max). */
size_t postmaster_processes(const struct fsroot *root, const char *data, pid_t *pids, size_t max);

/* The number of the WAL segment that the start-up process replays; false where none does. */
bool postmaster_replaying(const struct fsroot *root, const char *data, uint64_t *segment);
/* The newest WAL segment by time of writing. */
bool postmaster_newest_wal(const char *data, uint64_t *segment);
/* "000000010000000A000000FF" as a number, without its time line. */
bool postmaster_segment(const char *name, uint64_t *segment);

/* The last FATAL, PANIC or error line that is in the file behind `from`, else the last line; NULL
 * where there is none; free() it. */
char *postmaster_last_words(const char *log, uint64_t from);

#endif
