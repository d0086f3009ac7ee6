/*
 * The plan of a review from the programs' own: each step's plan is shown, and what can be known to
 * be refused later is refused before anything is written.
 */
#ifndef REVIEW_FORESEE_H
#define REVIEW_FORESEE_H

#include "drive/block_facts.h"
#include "job/job.h"
#include "review/plan.h"

struct review_asks {
    const struct block_facts *facts; /* of the drive */
    const struct review_decides *decides;
    const char *cut_sweep; /* where the block tests go on; NULL: from their start */
    int next;              /* the step that is the next */
};

/* Of the steps from `next` on; env has a ui. -1 with the step's own refusal. review_plan_release()
 * it in any case. */
int review_foresee(const struct job_env *env, const struct review_asks *asks,
                   struct review_plan *out, struct err *err) MUST_CHECK;

#endif
