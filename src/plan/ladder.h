/*
 * What a ladder (many runs on one dataset) makes of the settings: those of one step, and those that
 * the whole of it is planned for. Pure.
 */
#ifndef PLAN_LADDER_H
#define PLAN_LADDER_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "config/settings.h"

bool ladder_is_asked(const struct settings *s);
/* The settings of a single run as one step of it: so many users, its own sample and time to settle,
 * and inputs that no other step has (`number` from 0). Its texts are those of `s`. */
void ladder_step_settings(const struct settings *s, uint64_t users, unsigned number,
                          struct settings *out);
/* The largest step, for which dataset, server and space are planned, and how many runs of its
 * length and load all steps together are; of a search, about. */
struct ladder_extent {
    uint64_t users;
    double runs;
};
struct ladder_extent ladder_extent(const struct settings *s);
/* "3: 2,000, 5,000, 10,000 users, each with a sample of 5m; below is the last": for the plan. */
void ladder_words(const struct settings *s, struct strbuf *out);

#endif
