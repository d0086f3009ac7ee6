/*
 * How users wait (5.2.5): keying before, think after, per transaction a distribution, one factor
 * on all. Also the pace by a fixed cycle and by inter-arrival time, and no pace at all.
 */
#ifndef TPCC_PACE_H
#define TPCC_PACE_H

#include <stdint.h>

#include "tpcc/params.h"

enum dist_kind { DIST_FIXED, DIST_UNIFORM, DIST_NEGEXP, DIST_NORMAL };

/* A waiting time, ns. Values outside are put on the edge: negexp at 10 means (5.2.5.4), normal at 0
 * and at mean + 4 sd. */
struct dist {
    enum dist_kind kind;
    double mean_ns; /* fixed, negexp, normal */
    double low_ns;  /* uniform */
    double high_ns; /* uniform */
    double sd_ns;   /* normal */
};

/* The distribution's true mean with its cuts. */
double dist_mean_ns(const struct dist *d);
/* One draw from the random number r (two draws are made from it where needed). */
uint64_t dist_draw_ns(const struct dist *d, uint64_t r);

enum pace_kind {
    PACE_THINK,        /* closed loop: done + think, then keying, then due */
    PACE_CYCLE,        /* closed loop: a fixed cycle after done */
    PACE_INTERARRIVAL, /* next due = previous due + interval, never skipped */
    PACE_NONE,         /* saturate: every session takes the next user of a shuffled round */
};

struct pace {
    enum pace_kind kind;
    double factor;
    struct dist keying[TXN_TYPES];
    struct dist think[TXN_TYPES];
    struct dist interval; /* PACE_CYCLE, PACE_INTERARRIVAL */
};

/* Mean cycle at zero response time under this mix (of any number of cards); 0 for PACE_NONE. */
double pace_mean_cycle_ns(const struct pace *p, const uint8_t mix[TXN_TYPES]);
/* No wait is longer. */
uint64_t pace_longest_ns(const struct pace *p);
/* The ceiling: users / mean cycle, per second; NaN for PACE_NONE. */
double pace_ceiling_tps(const struct pace *p, const uint8_t mix[TXN_TYPES], uint64_t users);
/* From the end of the last one (type last) to the due time of the next (type next). */
uint64_t pace_wait_ns(const struct pace *p, enum txn_type last, enum txn_type next, uint64_t r);

#endif
