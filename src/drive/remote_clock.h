/*
 * What is known of another host's clock, from questions that it answers with what its clock says.
 * It was asked at a time of ours and had answered at another, so its reading lies between the two:
 * that bounds the offset, and every exchange bounds it anew. The clocks may drift apart, so a bound
 * is worth less the older it is. Pure maths; no clock, no files.
 */
#ifndef DRIVE_REMOTE_CLOCK_H
#define DRIVE_REMOTE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

/* One question and its answer. Ours are CLOCK_MONOTONIC. */
struct remote_exchange {
    uint64_t sent_ns, received_ns; /* received >= sent */
    uint64_t remote_ns;            /* what its clock said, cut to whole ticks */
    uint64_t tick_ns;              /* its clock's true time is less than this beyond remote_ns */
};

/* Zeroed: nothing is known. Invariant: low_ns <= high_ns. */
struct remote_clock {
    bool known;
    uint64_t at_ns;          /* the last answer's time, of ours */
    int64_t low_ns, high_ns; /* ours = its + offset, which is within these at at_ns */
    uint64_t round_trip_ns;  /* the shortest so far */
};

/* Takes an exchange in. False where it contradicts what was known by more than a drift can explain:
 * one of the clocks jumped (a machine that slept or was started anew), and nothing before it may be
 * held against what follows. The clock is then known from this exchange alone. */
bool remote_clock_learn(struct remote_clock *c, const struct remote_exchange *x) MUST_CHECK;

/* When, by our clock, the host read what it answered with the last exchange learnt: the middle of
 * what is possible. `error_ns` (may be NULL) gets half the width of that. */
uint64_t remote_clock_read_at(const struct remote_clock *c, const struct remote_exchange *x,
                              uint64_t *error_ns);

/* How much the wall clock there is ahead of ours, of questions for it: the answer of the shortest
 * round trip counts, as if it was read in the middle of it. */
struct remote_wall {
    bool known;
    int64_t ahead_ns;
    uint64_t error_ns; /* half that round trip, and the clock's tick */
};
/* sent and received as above; ours_us: our wall clock once the answer was there; its wall clock in
 * remote_ns.
 */
void remote_wall_learn(struct remote_wall *w, const struct remote_exchange *x, int64_t ours_us);

#endif
