/*
 * Rules between settings, one function each (tests/unit/config/rules_test.c has a test for each).
 * The plan may assume a config that passed.
 */
#ifndef CONFIG_RULES_H
#define CONFIG_RULES_H

#include "config/config.h"

/* The first rule that is broken, as an error that begins with where the setting got its value. */
int config_validate(const struct config *c, struct err *err) MUST_CHECK;

/* What is 0 or "auto" in the settings and follows from other settings alone. */
uint64_t config_sample_ns(const struct settings *s); /* run.sample, else duration / 6 */

#endif
