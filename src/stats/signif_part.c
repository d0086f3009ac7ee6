/*
 * Design effects (see the header). Pure.
 */
#include "stats/signif_part.h"

#include <math.h>

#include "base/check.h"
#include "stats/student.h"

#define NS_PER_MS_D 1e6
#define US_PER_MS 1e3
#define VALUES_BEYOND 10 /* as for a percentile of all */

static const struct signif_interval none = {(double)NAN, (double)NAN, (double)NAN};

/* The whole's variance over that of as many independent values, and its degrees of freedom. */
struct effect {
    double effect, df;
};

static struct hist *all_of(struct signif_whole w)
{
    struct hist *all = hist_new();

    for (size_t i = 0; i < w.n; i++) {
        if (w.batch[i].response)
            hist_add(all, w.batch[i].response);
    }
    return all;
}

static double up_to(const struct hist *h, double ms)
{
    double n = 0;

    for (int i = h ? hist_first(h) : -1; i >= 0; i = hist_after(h, i)) {
        if ((double)hist_bucket_upper_us(i) <= ms * US_PER_MS)
            n += (double)hist_bucket_count(h, i);
    }
    return n;
}

/* By the buckets' bounds: exact to 1/1024. */
static double variance_ms2(const struct hist *h)
{
    const double mean = hist_avg_ms(h);
    double sum = 0;

    for (int i = hist_first(h); i >= 0; i = hist_after(h, i)) {
        const double off = (double)hist_bucket_upper_us(i) / US_PER_MS - mean;

        sum += off * off * (double)hist_bucket_count(h, i);
    }
    return sum / (double)hist_count(h);
}

/* Of the mean of what sum[] is added up of, one for each batch; `variance` is that of one value. */
static struct effect effect_of(struct signif_whole w, const double *sum, double variance)
{
    double residual[SIGNIF_BATCHES_MAX];
    double total = 0;
    double count = 0;
    struct longrun m;

    CHECK(w.n <= SIGNIF_BATCHES_MAX);
    for (size_t i = 0; i < w.n; i++) {
        total += sum[i];
        count += (double)w.batch[i].count;
    }
    if (!(count > 0))
        return (struct effect){(double)NAN, 2};
    for (size_t i = 0; i < w.n; i++)
        residual[i] = sum[i] - total / count * (double)w.batch[i].count;
    m = signif_uncertainty(w.batch, w.n, residual);
    return (struct effect){m.sum_variance / (count * variance), m.df};
}

static struct effect share_effect(struct signif_whole w, double p)
{
    struct hist *all = all_of(w);
    const double at_ms = hist_percentile_ms(all, p);
    const double share = up_to(all, at_ms) / (double)hist_count(all);
    double sum[SIGNIF_BATCHES_MAX];

    hist_free(all);
    CHECK(w.n <= SIGNIF_BATCHES_MAX);
    for (size_t i = 0; i < w.n; i++)
        sum[i] = up_to(w.batch[i].response, at_ms);
    return effect_of(w, sum, share * (1 - share));
}

static struct effect mean_effect(struct signif_whole w)
{
    struct hist *all = all_of(w);
    const double variance = variance_ms2(all);
    double sum[SIGNIF_BATCHES_MAX];

    hist_free(all);
    CHECK(w.n <= SIGNIF_BATCHES_MAX);
    for (size_t i = 0; i < w.n; i++)
        sum[i] = (double)w.batch[i].sum_ns / NS_PER_MS_D;
    return effect_of(w, sum, variance);
}

/* For so many of the values; never less than independent values have. */
static double scaled(struct effect e, struct signif_whole w, const struct hist *part)
{
    double count = 0;

    for (size_t i = 0; i < w.n; i++)
        count += (double)w.batch[i].count;
    return isfinite(e.effect)
               ? fmax(1, 1 + (e.effect - 1) * fmin(1, (double)hist_count(part) / count))
               : (double)NAN;
}

struct signif_interval signif_part_percentile_ms(struct signif_whole whole, const struct hist *part,
                                                 double p, double level)
{
    struct signif_interval out = none;
    struct effect e;
    double margin = (double)NAN;

    if (hist_count(part) == 0)
        return out;
    out.value = hist_percentile_ms(part, p);
    if (fmin(p, 100 - p) / 100 * (double)hist_count(part) < VALUES_BEYOND)
        return out;
    e = share_effect(whole, p);
    margin = student_quantile(level, e.df) *
             sqrt(scaled(e, whole, part) * p * (100 - p) / (double)hist_count(part));
    if (p - margin > 0 && p + margin < 100) {
        out.low = hist_percentile_ms(part, fmax(p - margin, 0.001));
        out.high = hist_percentile_ms(part, p + margin);
    }
    return out;
}

struct signif_interval signif_part_share_below(struct signif_whole whole, const struct hist *part,
                                               struct signif_limit limit, double level)
{
    const double count = (double)hist_count(part);
    const double p = limit.percent / 100;
    struct signif_interval out = none;
    struct effect e;
    double share = 0;
    double margin;

    if (!(count > 0))
        return out;
    share = up_to(part, limit.limit_ms) / count;
    out.value = 100 * share;
    e = share_effect(whole, limit.percent);
    if (!isfinite(e.effect) || fmin(p, 1 - p) * count < VALUES_BEYOND)
        return out;
    margin = 100 * student_quantile(level, e.df) *
             sqrt(scaled(e, whole, part) * fmax(share * (1 - share), p * (1 - p)) / count);
    out.low = out.value - margin;
    out.high = out.value + margin;
    return out;
}

struct signif_interval signif_part_mean_ms(struct signif_whole whole, const struct hist *part,
                                           double level)
{
    struct signif_interval out = none;
    struct effect e;
    double error;

    if (hist_count(part) == 0)
        return out;
    out.value = hist_avg_ms(part);
    e = mean_effect(whole);
    error = sqrt(scaled(e, whole, part) * variance_ms2(part) / (double)hist_count(part));
    if (out.value > 0 && isfinite(error)) {
        const double factor = exp(student_quantile(level, e.df) * error / out.value);

        out.low = out.value / factor;
        out.high = out.value * factor;
    }
    return out;
}
