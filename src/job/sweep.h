/*
 * The job of a sweep: workloads read, the schedule made, the target opened, the points measured,
 * and a result of kind "sweep" left. Main thread.
 */
#ifndef JOB_SWEEP_H
#define JOB_SWEEP_H

#include "base/vec.h"
#include "block/schedule.h"
#include "job/job.h"

/* What a sweep will do, from the settings alone. */
struct sweep_plan {
    VEC(struct profile_set) sets;
    struct schedule schedule;
    char *fio; /* the program and its version, as fio_find() tells */
};

/* Reads the workloads, makes the schedule and finds fio; writes nothing. sweep_plan_release() it in
 * any case. */
int sweep_plan_make(const struct settings *s, struct sweep_plan *out, struct err *err) MUST_CHECK;
void sweep_plan_release(struct sweep_plan *p);

/* The whole job on a block device or a file. `r` is initialised by the caller and holds the result
 * afterwards. 0: there is a result, or with --dry-run the plan was shown; -1: it did not come to
 * its end; interrupted it leaves a result all the same (out->finished). */
int job_sweep(const struct job_env *env, const char *target, struct result *r,
              struct job_outcome *out, struct err *err) MUST_CHECK;

#endif
