/*
 * Runs a schedule on a target and fills the curves of a result, point by point. What is done stays
 * done: an interruption or a failure leaves the points before it. Main thread.
 */
#ifndef BLOCK_SWEEP_H
#define BLOCK_SWEEP_H

#include "base/progress.h"
#include "block/fio_run.h"
#include "block/schedule.h"
#include "block/target.h"

struct sweep_env {
    const struct schedule *schedule;
    const struct block_target *target;
    const char *fio;
    struct fio_env io;    /* its tick is the sweep's */
    double after_pause_s; /* of what r has already: since its last point; NaN: it has none */
    progress_fn progress;
    /* A point was measured: r has it. -1 ends the sweep. */
    int (*measured)(const struct result *r, const struct sweep_profile *profile, void *ctx,
                    struct err *err);
    void *ctx; /* of both */
};

/* Whether the points of r are the first ones of this schedule, so that it can go on after them. */
bool sweep_fits(const struct schedule *schedule, const struct result *r);
/* r->drive.devices are those of io.names; the points that r has already stay (sweep_fits()). -1 and
 * err where it did not come to its end; ERR_INTERRUPTED where it was asked to stop. */
int sweep_run(const struct sweep_env *env, struct result *r, struct err *err) MUST_CHECK;

#endif
