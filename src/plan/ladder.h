/*
 * What a ladder (many runs on one dataset) makes of the settings: those of one step, and those that
 * the whole of it is planned for. Pure.
 */
#ifndef PLAN_LADDER_H
#define PLAN_LADDER_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "config/settings.h"

#define LADDER_USERS_MAX 1000000 /* as run.users */

enum ladder_load_kind {
    LADDER_USERS, /* as the workload paces them */
    LADDER_MOST,  /* no pace: the maximum */
    LADDER_RATE, /* an offered rate: `users` sources, due LADDER_SOURCE_S after the last due time */
};
/* Mean, negative exponential. So long that a source is hardly ever due before its last transaction
 * has ended, so that together they are due as if at random. */
#define LADDER_SOURCE_S 10

struct ladder_load {
    enum ladder_load_kind kind;
    uint64_t users; /* not looked at where LADDER_MOST */
};

bool ladder_is_asked(const struct settings *s);
/* The load at this percentage of the rate, to a tenth of a transaction a second. */
struct ladder_load ladder_offered(double tps, double percent);
/* The settings of a single run as one step of it: so much load, its own sample and time to settle,
 * and inputs that no other step has (`number` from 0). Its texts are those of `s`, but for the
 * workload's name, which the caller frees (NULL where there is none). */
void ladder_step_settings(const struct settings *s, struct ladder_load load, unsigned number,
                          struct settings *out);
/* The largest step, for which dataset, server and space are planned, and how many runs of its
 * length and load all steps together are; of a search, about. */
struct ladder_extent {
    struct ladder_load load;
    double runs;
};
struct ladder_extent ladder_extent(const struct settings *s);
/* "3: 2,000, 5,000, 10,000 users, each with a sample of 5m; below is the last": for the plan. */
void ladder_words(const struct settings *s, struct strbuf *out);

#endif
