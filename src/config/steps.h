/*
 * The steps of a ladder as they are written: numbers of users, "2000,5000,10000", and ranges that
 * grow by a factor, "1000..20000x1.5", which end with their last number. Pure.
 */
#ifndef CONFIG_STEPS_H
#define CONFIG_STEPS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define STEPS_MAX 64
#define STEPS_USERS_MAX 1000000 /* as run.users */

struct steps {
    size_t n;
    uint64_t users[STEPS_MAX]; /* rising */
};

/* Errors say what is wrong and give an example. */
int steps_parse(const char *text, struct steps *out, struct err *err) MUST_CHECK;

#endif
