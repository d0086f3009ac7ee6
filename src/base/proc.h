/*
 * Runs a program without a shell: in its own session, with an empty signal mask, default handlers
 * and no inherited descriptors beyond 0, 1, 2. Optionally as another user and group, and only as
 * long as we live.
 */
#ifndef BASE_PROC_H
#define BASE_PROC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/stop.h"
#include "base/strbuf.h"

struct proc_opts {
    const char *const *argv; /* NULL-terminated; argv[0] is a path, or looked up in PATH */
    const char *const *env;  /* NULL: our own, else NULL-terminated "NAME=VALUE" to add to it */
    const char *cwd;         /* NULL: "/" */
    bool as_user;            /* set uid, gid and the user's groups first */
    uid_t uid;
    gid_t gid;
    const char *user;        /* for initgroups; NULL: no further groups */
    const char *output_path; /* standard output and error are appended there; NULL: captured */
    uint64_t timeout_ns;     /* 0: none. After it: TERM, grace_ns, KILL, and an error */
    uint64_t grace_ns;       /* 0: 5 s */
    /* Called in us while the child, still as us, waits to become the program: puts it where it
     * shall be from its first instruction on (a control group). Where it fails nothing is run.
     * NULL: none. */
    int (*place)(pid_t pid, void *ctx, struct err *err);
    void *place_ctx;
    /* It is killed when the thread that starts it ends, and so also when we are killed. Not for
     * what drops rights itself: the kernel forgets it there. */
    bool dies_with_us;
    /* proc_run: from the level of stop_from (0: 1) on it is ended as after its time, and the answer
     * is ERR_INTERRUPTED; at the second level nothing is waited for. NULL: it is let run. */
    struct stop *stop;
    int stop_from;
    /* Called once where it is asked to stop and is not stopped yet. NULL: none. */
    void (*waits)(void *ctx);
    void *waits_ctx;
};

/* Runs to its end. exit_status gets the code, or 128 + signal. `captured` (may be NULL) gets its
 * standard output and error together. -1 where it could not be run or ran out of time. */
int proc_run(const struct proc_opts *opts, int *exit_status, struct strbuf *captured,
             struct err *err) MUST_CHECK;

/* Starts and leaves it running (a child of ours). */
int proc_spawn(const struct proc_opts *opts, pid_t *pid, struct err *err) MUST_CHECK;
/* Asks without waiting: true and the status where it has ended. */
bool proc_ended(pid_t pid, int *exit_status);

/* Our ends of a child's standard input, output and error; -1: none. */
struct proc_pipes {
    int in, out, err;
};
#define PROC_NO_PIPES ((struct proc_pipes){-1, -1, -1})

/* Starts it with pipes to talk by; ours do not block. opts->output_path is not for it. */
int proc_open(const struct proc_opts *opts, pid_t *pid, struct proc_pipes *pipes,
              struct err *err) MUST_CHECK;
/* Closes them, waits for its end, and after wait_ns makes it end as a time-out does. Gives its exit
 * code, or 128 + signal. */
int proc_close(pid_t pid, struct proc_pipes *pipes, uint64_t wait_ns);

#endif
