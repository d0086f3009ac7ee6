/*
 * A sweep that was cut off goes on: what its result directory holds, and whether what is asked for
 * now is the rest of it. Half of a curve of one drive, or by other options, would be no curve.
 */
#ifndef JOB_SWEEP_RESUME_H
#define JOB_SWEEP_RESUME_H

#include "block/target.h"
#include "config/settings.h"
#include "job/sweep.h"

/* What a sweep's target is known by in its result: a hash of the serial number of its disk (where
 * it has none, of its path) and of its place there, since a result is published and a serial number
 * is not. free() it. */
char *sweep_target_id(const struct block_target *t);

/* plan.yaml of a sweep, and the workload of a set as it was resolved (sweep_workload_name()).
 * free() them. */
char *sweep_plan_text(const struct settings *s);
char *sweep_workload_text(const struct profile_set *set);
char *sweep_workload_name(const struct profile_set *set);

/* r is what a new sweep would begin with; it becomes what settings->sweep.resume has, with the
 * devices as they are now. ERR_USAGE where that is no sweep, is whole, or is another one: of other
 * options or workloads, of another fio or drive, or of this one before it was prepared anew.
 * *pause_s: since its last point; NaN: it has none. r stays as it is where it is refused. */
int sweep_resume(const struct settings *s, const struct sweep_plan *plan, struct result *r,
                 double *pause_s, struct err *err) MUST_CHECK;

#endif
