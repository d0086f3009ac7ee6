/*
 * From what the server counted, and from the looks at its sessions, to figures. Pure; plain data.
 */
#ifndef RUN_SERVER_FIGURES_H
#define RUN_SERVER_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include "drive/hostload.h"
#include "result/result.h"

/* All only grow, but for the last two. */
enum server_counter {
    COUNT_COMMITS,
    COUNT_PAGES_READ,
    COUNT_PAGES_HIT,
    COUNT_FULL_PAGES,
    COUNT_WAL_BYTES,
    COUNT_WAL_WRITES,
    COUNT_WAL_FLUSHES,
    COUNT_WAL_WRITE_US, /* time */
    COUNT_WAL_FLUSH_US,
    COUNT_CHECKPOINTS_TIMED,
    COUNT_CHECKPOINTS_REQUESTED,
    COUNT_CHECKPOINT,        /* the last one that ended: its place in the WAL */
    COUNT_CHECKPOINT_AGE_MS, /* since it began */
    SERVER_COUNTERS
};

/* What a window held; two are added up by server_delta_add(). */
struct server_delta {
    uint64_t ns;           /* 0: nothing */
    uint64_t transactions; /* done in it */
    uint64_t writers;      /* of them, those that write */
    bool has[SERVER_COUNTERS];
    int64_t count[SERVER_COUNTERS];
    uint64_t looks;
    uint64_t seen[WAIT_CLASSES]; /* sessions, over all looks */
    bool has_cpu;
    uint64_t cpu_ns;         /* of all processes of the server */
    uint64_t looking_cpu_ns; /* of them, the session that looks */
    uint64_t thread_cpu_ns;  /* of the driver's threads that look */
    bool has_io;
    struct process_io io; /* of all processes of the server, and of this one */
    bool has_host;
    uint64_t host_busy, host_all; /* ticks */
    bool has_psi[PSI_KINDS];
    uint64_t psi_us[PSI_KINDS];
};

/* What does not change in a run. */
struct server_facts {
    int64_t page_bytes;
    bool times_wal; /* track_wal_io_timing */
    int64_t cpus;   /* that the server may use; -1: not known */
    bool local;     /* it runs on this machine */
};

/* What one of the sessions does: a class's own name as `type`, or the words of pg_stat_activity
 * (which differ by version), where type and event are "" when it waits for nothing. in_transaction:
 * between two of its statements, not in one. */
enum wait_class server_wait_class(const char *type, const char *event, bool in_transaction);

/* `to` may be empty. What one of the two has not is gone. */
void server_delta_add(struct server_delta *to, const struct server_delta *from);
/* All but longest_silence_ms. */
struct result_server server_figures(const struct server_delta *d, const struct server_facts *facts);
/* Whether commit_ms is the server's own timing. */
bool server_times_commits(const struct server_delta *d, const struct server_facts *facts);

#endif
