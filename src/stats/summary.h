/*
 * The figures of one histogram, as they stand in results: milliseconds, NaN where there are none.
 */
#ifndef STATS_SUMMARY_H
#define STATS_SUMMARY_H

#include "stats/hist.h"

struct summary {
    double avg, p50, p90, p95, p99, p999, max;
};

struct summary summary_of(const struct hist *h);
/* All NaN. */
struct summary summary_none(void);

#endif
