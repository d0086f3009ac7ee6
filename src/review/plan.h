/*
 * What a review will do and how long each step takes. Plain data; review/foresee fills it.
 */
#ifndef REVIEW_PLAN_H
#define REVIEW_PLAN_H

#include "base/strbuf.h"
#include "config/settings.h"
#include "review/steps.h"

struct review_plan {
    double seconds[REVIEW_STEPS]; /* expected; 0: done already */
    char *why[REVIEW_STEPS];      /* what that stands on; NULL */
};

void review_plan_release(struct review_plan *p);
/* Seconds of the steps from `step` on. */
double review_plan_left(const struct review_plan *p, int step);
/* For people: the steps with their times, and the whole; those before `next` are done. */
void review_plan_print(const struct review_plan *p, int next, struct strbuf *out);
/* plan.yaml: the settings of all steps; read with --plan it repeats the review. */
void review_plan_yaml(const struct settings *s, struct strbuf *out);

#endif
