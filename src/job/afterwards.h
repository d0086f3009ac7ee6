/*
 * What is looked at with no session of the run left: in-doubt transactions, the order count
 * (design 4.7), the conditions, the dataset's size.
 */
#ifndef JOB_AFTERWARDS_H
#define JOB_AFTERWARDS_H

#include "job/target.h"
#include "run/run.h"

/* Runs the conditions in parallel, as many sessions as there are processors (2 to 8). */
int afterwards_check(const struct target *t, int32_t warehouses, bool quick,
                     struct check_report *report, struct err *err) MUST_CHECK;
/* Into the result, before the run or after it. */
void afterwards_record(const struct check_report *report, struct result_checks *checks,
                       bool before);
/* An after-check that could not be made is a check that failed: a run that nobody could look at
 * afterwards is not a valid one. */
void afterwards_failed(const struct err *err, struct result_checks *checks);
/* What the run did to the dataset: the totals before it, and its own counts. */
struct afterwards_run {
    const struct check_totals *before;
    const struct run_counts *counts;
};
/* All of it; each part is tried even where another failed, the first error is returned. */
int afterwards_all(struct target *t, const struct plan *plan, const struct afterwards_run *run,
                   struct result *r, struct err *err) MUST_CHECK;

#endif
