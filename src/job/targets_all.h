/*
 * What the parts of job/targets share: all targets, and one of them. Main owns all of it but, while
 * a target's thread runs, what is in its struct one.
 */
#ifndef JOB_TARGETS_ALL_H
#define JOB_TARGETS_ALL_H

#include <pthread.h>

#include "base/thread.h"
#include "config/config.h"
#include "job/measured.h"

struct targets_all;

struct targets_one {
    struct targets_all *all;
    struct config config; /* a view of the job's (config/targets.h) */
    struct job_env env;
    struct job_ui ui;
    struct log *log; /* says what it is told to the log of all, with the target's name */
    struct work work;
    struct measured m;
    struct result r;
    struct job_outcome out;
    struct err err;
    struct thread thread;
    int rc;
};

struct targets_all {
    const struct job_env *env;
    struct targets *doc;
    struct result_dir *dir;
    struct targets_one *one;
    size_t n;
    char *folder; /* of the targets' results */
    struct together *together;
    struct neighbours *neighbours;
    pthread_mutex_t lock; /* protects the calls of the ui's functions */
    /* What the targets look at: as the job's, or asked because one could not be prepared. */
    struct stop stop;
};

/* targets_one.c */
void targets_one_make(struct targets_all *a, size_t i);
void targets_one_release(struct targets_one *o);
const char *targets_one_name(const struct targets_one *o);
size_t targets_one_number(const struct targets_one *o);
/* Puts its name before the error. -1. */
int targets_one_failed(const struct targets_one *o, struct err *err);
/* Waits for these threads; what stops the job meanwhile stops the targets. */
void targets_wait(struct targets_all *a, struct thread *const *thread, size_t n);

/* targets_prepare.c: all or none, as many beside each other as the machine has processors (but from
 * 2 to 8); where one fails the others stop, as by an interrupt, and go on with the next start. Then
 * the drives rest where they were restored. */
int targets_prepare(struct targets_all *a, struct err *err) MUST_CHECK;

#endif
