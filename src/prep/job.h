/*
 * What the steps of a preparation share; inside of prep only.
 */
#ifndef PREP_JOB_H
#define PREP_JOB_H

#include "drive/block_facts.h"
#include "prep/duration.h"
#include "prep/plan.h"
#include "prep/prep.h"
#include "prep/state.h"
#include "prep/surface.h"
#include "result/result_dir.h"

struct prep_job {
    const struct prep_env *env;
    const struct settings_prep *settings;
    const char *state_dir;
    struct fsroot root;
    struct blockdev_probe probe;
    struct block_facts facts;
    struct prep_abilities can;
    int rotational; /* as in struct inventory */
    struct prep_plan plan;
    struct prep_duration duration; /* from where it goes on */
    char *medium;                  /* as in struct prep_state; NULL: not known */
    char *wish;                    /* prep_plan_wish() */
    prep_states states;            /* all that are on record */
    struct prep_state state;       /* of this preparation */
    bool resumed;                  /* the state is one that was cut off */
    uint64_t counted_ns;           /* until then the step's time is in its record */
    struct surface surface;        /* its fd is the one that is held exclusively */
    int lock_fd;                   /* keeps udev away where it is no longer; -1 */
    struct result *r;
    struct result_dir *dir;
};

/* Facts, refusals, what can be gone on with. Fills all above `surface`. */
int prep_find(struct prep_job *j, struct err *err) MUST_CHECK;
/* The same from its beginning, and refuses nothing: facts, plan, duration. */
int prep_find_plan(struct prep_job *j, struct err *err) MUST_CHECK;
/* From the state's step to the end. */
int prep_do(struct prep_job *j, struct err *err) MUST_CHECK;
/* Before a step's work is over: durable. */
int prep_save(struct prep_job *j, struct err *err) MUST_CHECK;

#endif
