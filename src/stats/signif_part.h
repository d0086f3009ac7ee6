/*
 * The interval of a figure of some of a run's transactions (those of one kind), of which only the
 * distribution over the whole sample is kept, while the batches are of all. How much wider the
 * batches make the interval of all than independent values would (the design effect, Kish 1965) is
 * carried over: 1 + (effect - 1) x their share of the values, since the effect grows with how many
 * values of a batch are alike. Rather too wide: simulated at 95 % for a tenth of the values, a
 * mean's holds the truth in 98 %, a p95's in 99 %. Pure maths, any thread.
 */
#ifndef STATS_SIGNIF_PART_H
#define STATS_SIGNIF_PART_H

#include "stats/signif.h"

/* What all transactions of the run are. */
struct signif_whole {
    const struct signif_batch *batch;
    size_t n;
};

/* As signif_percentile_ms, signif_share_below and signif_mean_ms, of the transactions in `part`. */
struct signif_interval signif_part_percentile_ms(struct signif_whole whole, const struct hist *part,
                                                 double p, double level);
struct signif_interval signif_part_share_below(struct signif_whole whole, const struct hist *part,
                                               struct signif_limit limit, double level);
struct signif_interval signif_part_mean_ms(struct signif_whole whole, const struct hist *part,
                                           double level);

#endif
