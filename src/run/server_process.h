/*
 * The processes of a server that runs on this machine: which they are, and what CPU time and I/O
 * they took. Found once for each connection; one thread.
 */
#ifndef RUN_SERVER_PROCESS_H
#define RUN_SERVER_PROCESS_H

#include "drive/hostload.h"

struct server_process {
    const struct fsroot *root; /* NULL: they can't be seen */
    int64_t pid;               /* the server's; of PostgreSQL the postmaster's */
    int64_t looking;           /* the looking session's: a process, or a thread of the server's */
    bool threads;              /* the latter */
    uint64_t cpu_ns;           /* the greatest so far */
};

/* Counters; what is not to be had has not. */
struct server_use {
    bool has_cpu;
    uint64_t cpu_ns, looking_cpu_ns;
    bool has_io;          /* ... and their I/O may be looked at */
    struct process_io io; /* with this program's, which writes its files beside the server's */
};

/* A server with a process for each session: the postmaster is the parent of ours, which is
 * `session`. Both must be called postgres: a number may be another machine's, or of another name
 * space. */
void server_process_find(struct server_process *p, const struct fsroot *root, int64_t session);

/* A server that is one process: by what it says of itself. */
struct server_process_said {
    const char *name; /* of its program */
    const char *host; /* of its machine */
    int64_t thread;   /* of the looking session */
};
void server_process_find_thread(struct server_process *p, const struct fsroot *root,
                                const struct server_process_said *said);

/* The processes that the server lists itself, for a kernel that has no lists of children: of them
 * one that is about to end is missing for a moment. */
struct server_process_list {
    const int64_t *pid;
    size_t n;
};
void server_process_use(struct server_process *p, struct server_process_list listed,
                        struct server_use *out);

#endif
