/*
 * What a review's directory says of it: review.json, written anew after each step, and the folders
 * of its steps. A step is done where its folder holds a finished result of its kind, whatever ended
 * the program since; so the folders tell where a review goes on, and review.json whose it is.
 */
#ifndef REVIEW_STATE_H
#define REVIEW_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "result/result.h"
#include "review/steps.h"

struct review_done {
    char *
        result; /* its directory below the review's, "sweep/2026-11-30T134501Z-a"; NULL: not done */
    double seconds; /* by its own times; NaN: they are not told */
    char *verdict;  /* "valid", "questionable", "invalid" */
};

struct review_state {
    char *drive;  /* the node, links resolved */
    char *model;  /* NULL: it has none */
    char *serial; /* likewise */
    int64_t size_bytes;
    char *version, *label, *command, *started, *ended;
    struct review_done done[REVIEW_STEPS];
};

/* All "none". review_state_release() it. */
void review_state_init(struct review_state *s);
void review_state_release(struct review_state *s);

/* review.json; free() it. */
char *review_state_write(const struct review_state *s);
int review_state_read(const char *text, struct review_state *s, struct err *err) MUST_CHECK;
/* Whether both are of the same drive: the same serial number, or where there is none the same node
 * and size. */
bool review_state_same_drive(const struct review_state *a, const struct review_state *b);

/* Fills `done` from the folders below the review's directory: the newest of each step. */
void review_state_look(const char *path, struct review_state *s);
/* The newest sweep below the review's directory that was cut off and has a point, so that it can go
 * on; free() it. NULL: there is none. */
char *review_cut_sweep(const char *path);
/* The first step that is not done; REVIEW_STEPS: all are. */
int review_state_next(const struct review_state *s);

#define REVIEW_NONE 0
#define REVIEW_GOES_ON 1
#define REVIEW_OTHER_PLAN 2
/* Looks below `results` for the newest review of this drive that was cut off (.partial).
 * REVIEW_GOES_ON: *path (free() it) is it, its plan.yaml is `plan`, and s (init'ed) what it says of
 * itself; REVIEW_OTHER_PLAN: *path is it, but it has another plan. */
int review_find(const char *results, const struct review_state *drive, const char *plan,
                char **path, struct review_state *s);

/* Whether the directory is a review's. */
bool review_dir_is(const char *path);

#endif
