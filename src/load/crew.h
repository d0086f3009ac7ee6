/*
 * Loader threads on one list of jobs. Each has a session of its own, opened with its first job and
 * opened again where the server has dropped it: every job is safe to repeat. The thread that calls
 * crew_run() gives out the jobs, shows the progress and takes the results; the others only work.
 */
#ifndef LOAD_CREW_H
#define LOAD_CREW_H

#include "load/loader.h"
#include "load/units.h"

/* Who works on the database: a session, and who may ask it to leave. */
struct load_hand {
    const struct load_env *env;
    struct session *session;
    struct stop *stop; /* by the user or by another job's failure */
    uint32_t idle;     /* other loaders that had nothing to do when the job began */
};

/* -1 and err: the crew looks whether it is worth another try, with a fresh session. */
typedef int (*job_fn)(struct load_hand *hand, struct job *j, void *ctx, struct err *err);

struct crew {
    const struct load_env *env;
    struct units *units;
    uint32_t threads;
    job_fn job;
    void (*tick)(void *ctx); /* about five times a second, from the caller's thread; or NULL */
    void *ctx;               /* the job's and tick's */
};

/* All jobs that were not done, to their end. On failure or stop the rest is not begun, what is
 * under way is cancelled, and the first failure is the answer. */
int crew_run(const struct crew *c, struct err *err) MUST_CHECK;

/* A session with a loader's settings; `threads` of them share the memory for keys. */
struct session *load_connect(const struct load_env *env, uint32_t threads, struct err *err);
/* As above after a loss: some tries, and while the server says that it recovers, all the time it
 * takes. */
struct session *load_reconnect(const struct load_env *env, uint32_t threads, struct err *err);

/* One statement of the dialect by its name; args may be NULL where it has no parameters, replies
 * where nobody reads them. */
int load_exec(const struct load_hand *hand, const char *name, const struct value *args,
              struct rows *replies, struct err *err) MUST_CHECK;

/* "<prefix>_<table>": the name of a table's own statement. */
struct load_name {
    char text[64];
};
struct load_name load_name(const char *prefix, enum tpcc_table t);

#endif
