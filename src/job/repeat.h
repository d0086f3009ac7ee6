/*
 * The job of repeats: one plan, run several times under one label, each run with a result of its
 * own below the set's; with --restore each begins from the dataset as it was after its load. An
 * interrupt keeps the finished runs; --resume goes on at the next.
 */
#ifndef JOB_REPEAT_H
#define JOB_REPEAT_H

#include "job/job.h"
#include "result/repeats.h"

/* `all` is initialised by the caller and holds the set afterwards. 0: all were measured; -1: not
 * all, err tells why; what there was is in the set and its directory (out->finished). */
int job_repeat(const struct job_env *env, struct repeats *all, struct job_outcome *out,
               struct err *err) MUST_CHECK;

#endif
