/*
 * Whether a figure has settled, as the storage industry judges it (SNIA Solid State Storage
 * Performance Test Specification, steady state): of a window of five rounds the highest and the
 * lowest differ by at most 20 % of the mean, and the line of least squares through them rises or
 * falls by at most 10 % of the mean from the first to the last.
 *
 * A round must hold whole periods of whatever the server does by the clock (checkpoints), else a
 * saw-tooth is taken for a drift.
 *
 * The rule supposes that a round's figure is exact. That of a database is a mean of events that
 * come in clusters: one stall of 200 ms, or one second in which a vacuum reads, moves the mean of a
 * round of 40 s by a third, without any change of level. So a range and a slope are beyond their
 * limits only where they are also beyond what rounds of one and the same level would differ by in
 * one window of a hundred, given how far a round's figure is uncertain. That is seen within the
 * rounds, by how neighbouring eighths of a round differ (the Allan variance, of all eighths that
 * lie in it), less what comes back at the same time of each round (a checkpoint). A drift or a
 * saw-tooth hardly changes from one eighth to the next, so it is no chance, nor is a level that
 * lasts for a round. Rounds without such noise are judged by the industry's limits alone.
 *
 * Tried beside it on runs of this program: the long-run variance of stats/longrun.h takes a slow
 * drift for noise, and called a run steady whose TPS rose by 18 % while it warmed up.
 *
 * "None" is NaN. Pure maths, any thread.
 */
#ifndef STATS_STEADY_H
#define STATS_STEADY_H

#include <stdbool.h>
#include <stddef.h>

#define STEADY_WINDOW 5
#define STEADY_RANGE_PERCENT 20.0
#define STEADY_SLOPE_PERCENT 10.0
#define STEADY_PARTS_LEAST 8
#define STEADY_CHANCE 0.01 /* of windows of one level that chance takes beyond what it may */

struct steady_error {
    double of_round; /* standard error of a round's figure, in its unit */
    double df;       /* degrees of freedom of that estimate */
};

struct steady_window {
    double mean;
    double range_percent; /* (highest - lowest) / mean */
    double slope_percent; /* rise of the line over the window / mean; negative: falls */
    double chance_range_percent, chance_slope_percent; /* what chance may make; none: not known */
    bool steady;
};

/* How uncertain a round's figure is, from its parts in order of time. deviation: STEADY_WINDOW
 * rounds of `parts` each: what each part adds to its round's figure beyond what it would at the
 * round's mean, so that those of a round add up to 0; overwritten. "None" where there are fewer
 * than STEADY_PARTS_LEAST parts. */
struct steady_error steady_error_of(double *deviation, size_t parts);
/* Of round[STEADY_WINDOW], figures of 0 and above; all "none" and not steady where one is missing
 * or all are 0. error: NULL for rounds whose figures are taken as exact. */
struct steady_window steady_judge(const double round[STEADY_WINDOW],
                                  const struct steady_error *error);
/* The limits that hold: the industry's, or what chance may make where that is more. */
double steady_range_limit(const struct steady_window *w);
double steady_slope_limit(const struct steady_window *w);
/* How far beyond its limits: 1 at the limit of either. */
double steady_excess(const struct steady_window *w);

#endif
