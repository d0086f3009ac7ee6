/*
 * A log-linear histogram of durations: unit 1 us, 1 us to 1 h, 3 significant digits (relative
 * width of a bucket at most 1/1024), with count, exact sum, exact least and greatest beside. Adding
 * two is exact and order-free. Values above the range are counted in `over` (and in count, sum and
 * max), never dropped. The touched index range is remembered, so that clear, add and save cost
 * only what was used. An empty one has no percentile. Not thread-safe: one owner.
 */
#ifndef STATS_HIST_H
#define STATS_HIST_H

#include <stdbool.h>
#include <stdint.h>

struct hist;

struct hist *hist_new(void);
void hist_free(struct hist *h);
void hist_clear(struct hist *h);
/* A duration in ns; recorded rounded to the nearest us (below 1 us: 1 us) in the buckets, exact in
 * the sum. */
void hist_record_ns(struct hist *h, uint64_t ns);
void hist_add(struct hist *to, const struct hist *from);
bool hist_equal(const struct hist *a, const struct hist *b);

uint64_t hist_count(const struct hist *h);
uint64_t hist_over(const struct hist *h);
/* Sums above 2^64 ns (584 years) do not occur. */
uint64_t hist_sum_ns(const struct hist *h);
/* NaN where empty. */
double hist_avg_ms(const struct hist *h);
double hist_max_ms(const struct hist *h);
/* The nearest-rank percentile, 0 < p <= 100: the upper bound of the bucket that holds the value of
 * rank ceil(p/100 x count), but never above the exact greatest, which is also the answer for the
 * last rank; NaN where empty. */
double hist_percentile_ms(const struct hist *h, double p);

/* Walks the used buckets: i = hist_first(h) .. while i >= 0: i = hist_after(h, i). */
int hist_first(const struct hist *h);
int hist_after(const struct hist *h, int i);
uint64_t hist_bucket_count(const struct hist *h, int i);
uint64_t hist_bucket_upper_us(int i);
/* Sets one bucket when reading a saved one back; the exact fields follow with hist_restore_exact.
 */
int hist_index_of_upper_us(uint64_t upper_us); /* -1: no bucket has this bound */
void hist_restore_bucket(struct hist *h, int i, uint64_t count);
void hist_restore_exact(struct hist *h, uint64_t sum_ns, uint64_t min_ns, uint64_t max_ns,
                        uint64_t over);
uint64_t hist_min_ns(const struct hist *h);
uint64_t hist_max_ns(const struct hist *h);

#endif
