/*
 * One measured run on a dataset that is there: looks before, measures, looks after, judges, and
 * leaves a result directory. The main job calls it once, a ladder once a step. Main thread.
 */
#ifndef JOB_MEASURED_H
#define JOB_MEASURED_H

#include <stdio.h>

#include "job/checkpoint.h"
#include "job/health_watch.h"
#include "job/neighbours.h"
#include "job/work.h"
#include "result/result_dir.h"

struct measured {
    /* The caller's, which stay while it lives. */
    const struct job_env *env; /* its settings are those of this run */
    struct work *work;         /* prepared from measured_run() on */
    const struct plan *plan;   /* the work's own, or one for the same dataset */
    struct result *r;
    FILE *log_after;               /* where the log goes on afterwards; NULL: nowhere */
    struct together *together;     /* with whom the run begins; NULL: alone */
    struct neighbours *neighbours; /* the same, as to their drives */
    size_t number;                 /* among them */
    /* Its own. */
    struct result_dir *dir;
    struct checkpointer *checkpointer;
    struct health_watch *health;
    struct check_totals before;
    struct run_counts counts;
    struct result_driver driver; /* with others: what the process cost, no figure of this run */
    bool append_failed;          /* a row could not be written: all are at the end */
};

/* Makes the result directory below `parent`; from here on the log goes there too. */
int measured_begin(struct measured *m, const char *parent, struct err *err) MUST_CHECK;
/* All of it. 0: there is a result, whatever its verdict; -1: it could not be done, or was
 * interrupted; then too there may be a result (out->finished). */
int measured_run(struct measured *m, struct job_outcome *out, struct err *err) MUST_CHECK;
/* What the work needed for it could not be had: leaves a result where that was a stop. Returns -1.
 */
int measured_failed(struct measured *m, const char *where, struct job_outcome *out,
                    struct err *err) MUST_CHECK;
/* Harmless on one that never began. */
void measured_release(struct measured *m);

#endif
