/*
 * Sees to it that the dataset of the plan is there, complete and durable, and held by us: reused,
 * resumed or built; dropped only when asked to, after listing and asking.
 */
#ifndef JOB_DATASET_H
#define JOB_DATASET_H

#include "job/target.h"
#include "load/loader.h"

struct dataset_held {
    struct manifest manifest;
    struct session *lock;    /* holds the dataset's lock for its life */
    struct load_times times; /* of what was loaded now; NaN: nothing */
    bool reused;
    struct image_restored restored; /* with --restore: how it was put back */
    double rest_s;                  /* and then the rest */
};

/* Afterwards the server runs with the run's settings. dataset_let_go() it before the server stops.
 */
int dataset_ensure(struct target *t, struct plan *plan, struct dataset_held *held,
                   struct err *err) MUST_CHECK;
void dataset_let_go(struct dataset_held *held);

/* Of the server that is up. A dataset that is not ours is an error. */
int dataset_read_manifest(struct target *t, struct manifest *m, struct err *err) MUST_CHECK;
/* Notes it beside the private server, for the next start. */
int dataset_note(struct target *t, const struct manifest *m, struct err *err) MUST_CHECK;

/* What the loader and the checks need of a target. */
struct load_env dataset_load_env(const struct target *t);

/* Asks, or takes --yes; an error that names --yes where the answer is no. */
int dataset_confirm(const struct job_env *env, const char *question, struct err *err) MUST_CHECK;

#endif
