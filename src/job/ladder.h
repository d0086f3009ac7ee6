/*
 * The job of a ladder: one dataset, one server, and one measured run a step, each with a result of
 * its own below the ladder's. An interrupt keeps the finished steps; --resume goes on at the next.
 */
#ifndef JOB_LADDER_H
#define JOB_LADDER_H

#include "job/job.h"
#include "result/ladder.h"

/* `l` is initialised by the caller and holds the ladder afterwards. 0: all steps were measured; -1:
 * not all, err tells why; what there was is in the ladder and its directory (out->finished). */
int job_ladder(const struct job_env *env, struct ladder *l, struct job_outcome *out,
               struct err *err) MUST_CHECK;

#endif
