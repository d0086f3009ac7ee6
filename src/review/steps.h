/*
 * The steps of a review, in their order, and the settings of each: those of the program that does
 * the step by itself.
 */
#ifndef REVIEW_STEPS_H
#define REVIEW_STEPS_H

#include "config/settings.h"

enum review_step {
    REVIEW_PREPARE,    /* for block tests */
    REVIEW_SWEEP,      /* on the partition that it left */
    REVIEW_FILESYSTEM, /* the drive is prepared for the database */
    REVIEW_DATABASE,   /* the database test there */
    REVIEW_STEPS
};

/* "prepare", "sweep", "filesystem", "database": also the folder of its results. */
const char *review_step_name(int step);
/* "preparation for block tests" ... */
const char *review_step_words(int step);
/* "prep", "sweep", "oltp": the kind of its result. */
const char *review_step_kind(int step);

/* What a review decides for a step. The texts stay the caller's. */
struct review_decides {
    char *results;     /* parent of the step's result */
    char *label;       /* of all of them */
    char *i_will_lose; /* the word that was agreed with; NULL: nobody did yet */
    char *mount_point; /* of the file system, REVIEW_DATABASE */
};
/* out: a copy whose texts are those of s and d, not to be released. */
void review_step_settings(const struct settings *s, int step, const struct review_decides *d,
                          struct settings *out);

#endif
