/*
 * drive-review: preparation for block tests, block tests, preparation for the database, database
 * test, one after the other, each by the library of the program that does it alone. The steps'
 * results lie below the review's directory; what is done there need not be done again, so whatever
 * ends the program, the same command goes on at the step where it was. Blocking; main thread; what
 * the user sees goes through the callbacks that cmd sets.
 */
#ifndef REVIEW_REVIEW_H
#define REVIEW_REVIEW_H

#include "job/job.h"
#include "review/steps.h"

/* A step begins. */
struct review_moment {
    int step;             /* enum review_step */
    double step_seconds;  /* expected */
    double later_seconds; /* of the steps after it */
};

struct review_env {
    const struct job_env *job; /* with a ui */
    /* Asks on the terminal and answers the line that was typed (free() it); NULL: nobody is there.
     */
    char *(*ask)(const char *question, void *ctx);
    void (*step)(const struct review_moment *m, void *ctx);
    /* The report of a step that has ended with a result. */
    void (*report)(const struct result *r, const char *path, void *ctx);
    /* One page of the results of both kinds. free() it. */
    char *(*page)(char *const *results, size_t n, void *ctx);
    void *ctx; /* of all */
};

struct review_outcome {
    char *path;    /* of the review's directory; NULL: none was made */
    bool finished; /* false: it is a .partial one, with what is done */
    char *summary; /* of a finished one */
    char *json;    /* the same for scripts, with --json; NULL */
    bool invalid;  /* the verdict of a step is that */
    bool questionable;
};

/* 0: all steps have a result, whatever their verdicts, or with --dry-run the plan was shown; -1: it
 * could not be done, was refused, or was interrupted. review_outcome_release() it in any case. */
int review_run(const struct review_env *env, struct review_outcome *out,
               struct err *err) MUST_CHECK;
void review_outcome_release(struct review_outcome *o);

#endif
