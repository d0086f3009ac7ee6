/*
 * What the server does during a run: a thread of its own, with a session of its own, looks at the
 * run's sessions ten times a second and reads the server's counters on the grid of the intervals;
 * the main thread joins them with the rows of the series, and makes the sample's figures, marks of
 * checkpoints and vacuums, and what the looking cost. A server that can't be asked costs figures,
 * never the run: that is said.
 */
#ifndef RUN_SERVER_WATCH_H
#define RUN_SERVER_WATCH_H

#include "result/result.h"
#include "run/run.h"
#include "run/windows.h"

struct server_watch;

/* Connects. NULL where there is nobody to ask (env->watch is not set), or it failed, which is
 * logged. */
struct server_watch *server_watch_new(const struct run_env *env);
/* At GO. Marks go to r from now on. */
void server_watch_start(struct server_watch *w, const struct windows *windows, struct result *r);

struct server_interval {
    uint64_t start_ns, end_ns;
    bool in_sample;        /* wholly */
    uint64_t transactions; /* done in it */
    uint64_t writers;      /* of them, those that write */
};
/* Fills row->server, but for longest_silence_ms. w may be NULL. Waits a moment for what is on its
 * way. */
void server_watch_row(struct server_watch *w, const struct server_interval *iv,
                      struct series_row *row);
/* Stops and fills the result's figures. NULL is harmless. */
void server_watch_finish(struct server_watch *w, const struct windows *windows, struct result *r);

#endif
