/*
 * The steps of a ladder as they are written: numbers of users, "2000,5000,10000", or percents of a
 * maximum, and ranges that grow by a factor, "1000..20000x1.5", which end with their last number.
 * Pure.
 */
#ifndef CONFIG_STEPS_H
#define CONFIG_STEPS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define STEPS_MAX 64
#define STEPS_USERS_MAX 1000000 /* as run.users */
#define STEPS_PERCENT_MAX 200

enum steps_of { STEPS_OF_USERS, STEPS_OF_PERCENTS };

struct steps {
    size_t n;
    uint64_t at[STEPS_MAX]; /* rising */
};

/* Errors say what is wrong and give an example. */
int steps_parse(const char *text, enum steps_of what, struct steps *out,
                struct err *err) MUST_CHECK;

#endif
