/*
 * What a sweep does, in order, and how long it takes: for each profile the maximum, then the points
 * of its set in percent of it, then rates of its own. Immutable once made.
 */
#ifndef BLOCK_SCHEDULE_H
#define BLOCK_SCHEDULE_H

#include "block/profile.h"
#include "stats/steady.h"

#define SCHEDULE_ROUNDS_MAX 25 /* of the maximum, until it is steady */

enum schedule_kind {
    SCHEDULE_MAXIMUM, /* as many as go */
    SCHEDULE_PERCENT, /* of the maximum */
    SCHEDULE_RATE,    /* I/Os a second */
};

struct schedule_step {
    const struct profile_set *set;
    const struct profile *profile;
    enum schedule_kind kind;
    double value; /* percent, or I/Os a second */
};

struct schedule {
    VEC(struct schedule_step) steps;
    uint64_t settle_ns, duration_ns; /* of each point */
    bool until_steady;
    size_t maxima; /* steps of this kind */
};

struct schedule_opts {
    const struct profile_set *sets; /* must outlive the schedule */
    size_t n_sets;
    uint64_t settle_ns, duration_ns;
    bool until_steady;
};

void schedule_make(const struct schedule_opts *opts, struct schedule *out);
void schedule_release(struct schedule *s);
/* Of one point, with fio's own start. */
uint64_t schedule_point_ns(const struct schedule *s);
/* Of everything: at least, and (with until_steady) at most. */
uint64_t schedule_least_ns(const struct schedule *s);
uint64_t schedule_most_ns(const struct schedule *s);
/* For people: profiles with their points, and the time. */
void schedule_print(const struct schedule *s, struct strbuf *out);

#endif
