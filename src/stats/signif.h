/*
 * What can be said of the difference between drives, and how surely.
 *
 * Within one run: a figure of the sample (mean response, a percentile, a rate) with an interval
 * that respects how neighbouring batches resemble each other (stats/longrun). It says how far
 * the figure of this one run is settled, and nothing of what another run would give.
 *
 * Between runs: each repeat is one value, whatever its length, since what differs from run to run
 * (where files lie, what the drive did before, the neighbours) differs once a run. Everything is
 * done on logarithms: response times and rates differ by factors, and spread grows with the figure.
 * The test is Welch's t (Welch 1947): it needs no equal spread on both sides. Not a permutation
 * test: three and three runs can be split in 20 ways, so that the smallest two-sided p is 0.1, and
 * no difference, however great, could ever be shown at 5 %.
 *
 * "None" is NaN. Pure maths, any thread.
 */
#ifndef STATS_SIGNIF_H
#define STATS_SIGNIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/hist.h"
#include "stats/longrun.h"

#define SIGNIF_LEVEL 0.95
#define SIGNIF_REPEATS 3 /* the least number of runs a side whose spread is judged */
#define SIGNIF_BATCHES_MAX 1024

struct signif_interval {
    double value;
    double low, high; /* NaN: not known */
};

/* One of the equal parts of a run's sample. */
struct signif_batch {
    uint64_t count;
    uint64_t sum_ns;
    const struct hist *response; /* NULL where empty */
};

/* All three: the value over all batches with its interval at `level`; empty batches at the end, as
 * a run that was cut leaves them, do not count. n <= SIGNIF_BATCHES_MAX. Bounds are NaN where fewer
 * than LONGRUN_LEAST batches are left, or where fewer than 10 values lie beyond the percentile.
 */
struct signif_interval signif_mean_ms(const struct signif_batch *batch, size_t n, double level);
/* After Woodruff (1952): the interval of the share of values up to the percentile, read off the
 * distribution as an interval of values. It needs no density and may be lopsided. */
struct signif_interval signif_percentile_ms(const struct signif_batch *batch, size_t n, double p,
                                            double level);
/* How many of 100 values are below a limit, with the interval of that: whether a percentile keeps
 * to the limit is decided by it, however far the percentile is from there. `percent` is the one
 * that is asked for: the interval is never narrower than that of independent values with this
 * share, so that a sample without a single value on the other side is not taken for proof. Bounds
 * are NaN where fewer than LONGRUN_LEAST batches are left, or fewer than 10 values are to be
 * expected beyond the percentile. */
struct signif_limit {
    double limit_ms;
    double percent;
};
struct signif_interval signif_share_below(const struct signif_batch *batch, size_t n,
                                          struct signif_limit limit, double level);
/* How uncertain the sum of these residuals is, one for each batch of a run: what all of the above
 * use. */
struct longrun signif_uncertainty(const struct signif_batch *batch, size_t n,
                                  const double *residual);
/* Transactions in a batch. */
struct signif_interval signif_count(const struct signif_batch *batch, size_t n, double level);

/* Repeats under one label, as logarithms of their figure. */
struct signif_group {
    size_t n;
    double log_mean, log_variance; /* variance: NaN where n < 2 */
};

/* Values must be above 0; one that is not, or NaN, makes the group's mean NaN. */
struct signif_group signif_group_of(const double *value, size_t n);
/* The geometric mean and its interval over repeats; bounds NaN where n < SIGNIF_REPEATS. */
struct signif_interval signif_group_interval(const struct signif_group *g, double level);
/* The spread of repeats: standard deviation in percent; NaN where n < 2. */
double signif_group_spread_percent(const struct signif_group *g);

/* a / b by Welch's t at `level`; bounds NaN where a side has fewer than SIGNIF_REPEATS. */
struct signif_interval signif_ratio_between(const struct signif_group *a,
                                            const struct signif_group *b, double level);

/* a / b of the geometric means of the runs of each side, with the interval that the runs' own ones
 * give together: squared distances add up on each side (MOVER, Zou and Donner 2008). It leaves the
 * spread between runs out. Bounds NaN where one is missing. */
struct signif_side {
    const struct signif_interval *run;
    size_t n;
};
struct signif_interval signif_ratio_within(struct signif_side a, struct signif_side b);

#endif
