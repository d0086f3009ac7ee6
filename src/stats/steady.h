/*
 * Whether a figure has settled, as the storage industry judges it (SNIA Solid State Storage
 * Performance Test Specification, steady state): of a window of five rounds the highest and the
 * lowest differ by at most 20 % of the mean, and the line of least squares through them rises or
 * falls by at most 10 % of the mean from the first to the last.
 *
 * A round must hold whole periods of whatever the server does by the clock (checkpoints), else a
 * saw-tooth is taken for a drift. "None" is NaN. Pure maths, any thread.
 */
#ifndef STATS_STEADY_H
#define STATS_STEADY_H

#include <stdbool.h>
#include <stddef.h>

#define STEADY_WINDOW 5
#define STEADY_RANGE_PERCENT 20.0
#define STEADY_SLOPE_PERCENT 10.0

struct steady_window {
    double mean;
    double range_percent; /* (highest - lowest) / mean */
    double slope_percent; /* rise of the line over the window / mean; negative: falls */
    bool steady;
};

/* Of round[STEADY_WINDOW], figures of 0 and above; all "none" and not steady where one is missing
 * or all are 0. */
struct steady_window steady_judge(const double round[STEADY_WINDOW]);
/* How far beyond its limits: 1 at the limit of either. */
double steady_excess(const struct steady_window *w);

#endif
