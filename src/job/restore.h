/*
 * --restore: the dataset as it was after its load, from an image of the private server's files
 * (cluster/image.h). Whether a run may begin so is looked at before anything is written; the image
 * is made from a dataset that has seen no run, and every run starts from a restored one, also the
 * first: a copy's extents are not those of a load. Main thread.
 */
#ifndef JOB_RESTORE_H
#define JOB_RESTORE_H

#include "cluster/image.h"

struct target;
struct plan;
struct dataset_held;
struct job_env;

/* What was found of it beforehand. Zeroed: not asked for. */
struct restore {
    bool wanted;
    struct layout home;
    struct image_about image;
    bool fits;        /* the image is of the dataset that is there */
    bool same_fs;     /* as the dataset */
    bool same_device; /* stands on a device in common with the dataset */
    uint64_t free_bytes;
};

/* Of a target that is looked at already: fills t->restore and what the plan has to know. */
int restore_look(struct target *t, struct err *err) MUST_CHECK;
void restore_release(struct restore *r);
/* What can be known to go wrong, as one line: free() it; or NULL. */
char *restore_problem(const struct target *t, const struct plan *plan);
/* Makes the image where there is none, puts the dataset back, lets the drive rest. The server is
 * stopped afterwards. `loaded`: just now, and the server was not started with the run's settings
 * since. */
int restore_ensure(struct target *t, const struct plan *plan, bool loaded,
                   struct dataset_held *held, struct err *err) MUST_CHECK;
/* The drives are left alone for the time that the settings say. restore_ensure() does it, but for a
 * target that rests with others. */
int restore_rest(const struct job_env *env, double *rested_s, struct err *err) MUST_CHECK;
/* A load begins: an image beside the server's files is of a dataset that is gone. */
int restore_forget(struct target *t, struct err *err) MUST_CHECK;

#endif
