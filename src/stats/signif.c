/*
 * Intervals within a run and between runs (see the header). Pure.
 */
#include "stats/signif.h"

#include <math.h>

#include "base/check.h"
#include "stats/longrun.h"
#include "stats/student.h"

#define NS_PER_MS_D 1e6
#define VALUES_BEYOND 10 /* a percentile needs on its thinner side to have an interval */

/* Figures are known to 1/1024 at best (the width of a histogram's bucket): evenly spread over that
 * width they have this variance of their logarithm, and no repeats ever agree better. */
#define RESOLUTION_VARIANCE (1.0 / (1024.0 * 1024.0) / 12.0)

static const struct signif_interval none = {(double)NAN, (double)NAN, (double)NAN};

/* ---- within a run ---- */

static size_t without_empty_end(const struct signif_batch *batch, size_t n)
{
    CHECK(n <= SIGNIF_BATCHES_MAX);
    while (n > 0 && batch[n - 1].count == 0)
        n--;
    return n;
}

/* How many values of h lie in buckets up to `upper_us`. */
static double count_up_to(const struct hist *h, uint64_t upper_us)
{
    double n = 0;

    for (int i = h ? hist_first(h) : -1; i >= 0 && hist_bucket_upper_us(i) <= upper_us;
         i = hist_after(h, i))
        n += (double)hist_bucket_count(h, i);
    return n;
}

/* The bound of the bucket of `all` that holds the p-th percentile. */
static uint64_t bucket_of(const struct hist *all, double p)
{
    const double rank = p / 100 * (double)hist_count(all);
    double n = 0;
    int last = hist_first(all);

    for (int i = last; i >= 0; i = hist_after(all, i)) {
        last = i;
        n += (double)hist_bucket_count(all, i);
        if (n >= rank)
            break;
    }
    return last >= 0 ? hist_bucket_upper_us(last) : UINT64_MAX;
}

/* Which share of a batch's values lies up to `upper_us`, less what its size lets expect. */
static void share_residuals(const struct signif_batch *batch, size_t n, const struct hist *all,
                            uint64_t upper_us, double *residual)
{
    const double share = count_up_to(all, upper_us) / (double)hist_count(all);

    for (size_t i = 0; i < n; i++)
        residual[i] = count_up_to(batch[i].response, upper_us) - share * (double)batch[i].count;
}

static struct hist *together(const struct signif_batch *batch, size_t n)
{
    struct hist *all = hist_new();

    for (size_t i = 0; i < n; i++) {
        if (batch[i].response)
            hist_add(all, batch[i].response);
    }
    return all;
}

/* By the residuals of a figure, and of the median: in those of a mean or of a high percentile the
 * noise of few great values hides how long batches resemble each other. */
static struct longrun uncertainty(const struct signif_batch *batch, size_t n,
                                  const struct hist *all, const double *residual)
{
    double of_median[SIGNIF_BATCHES_MAX];
    int cosines = longrun_cosines(residual, n);

    if (hist_count(all) > 0) {
        share_residuals(batch, n, all, bucket_of(all, 50), of_median);
        if (longrun_cosines(of_median, n) < cosines)
            cosines = longrun_cosines(of_median, n);
    }
    return longrun_of(residual, n, cosines);
}

/* value x / exp(t x error / value): symmetric as a factor, and never below 0. */
static struct signif_interval by_factor(double value, double error, const struct longrun *m,
                                        double level)
{
    struct signif_interval out = {value, (double)NAN, (double)NAN};

    if (value > 0 && isfinite(error)) {
        const double factor = exp(student_quantile(level, m->df) * error / value);

        out.low = value / factor;
        out.high = value * factor;
    }
    return out;
}

struct signif_interval signif_mean_ms(const struct signif_batch *batch, size_t n, double level)
{
    double residual[SIGNIF_BATCHES_MAX];
    struct hist *all = NULL;
    struct longrun m;
    double count = 0;
    double sum_ms = 0;

    n = without_empty_end(batch, n);
    for (size_t i = 0; i < n; i++) {
        count += (double)batch[i].count;
        sum_ms += (double)batch[i].sum_ns / NS_PER_MS_D;
    }
    if (!(count > 0))
        return none;
    for (size_t i = 0; i < n; i++)
        residual[i] =
            (double)batch[i].sum_ns / NS_PER_MS_D - sum_ms / count * (double)batch[i].count;
    all = together(batch, n);
    m = uncertainty(batch, n, all, residual);
    hist_free(all);
    return by_factor(sum_ms / count, sqrt(m.sum_variance) / count, &m, level);
}

struct signif_interval signif_count(const struct signif_batch *batch, size_t n, double level)
{
    double residual[SIGNIF_BATCHES_MAX];
    struct hist *all = NULL;
    struct longrun m;
    double count = 0;

    n = without_empty_end(batch, n);
    for (size_t i = 0; i < n; i++)
        count += (double)batch[i].count;
    if (!(count > 0))
        return none;
    for (size_t i = 0; i < n; i++)
        residual[i] = (double)batch[i].count - count / (double)n;
    all = together(batch, n);
    m = uncertainty(batch, n, all, residual);
    hist_free(all);
    return by_factor(count / (double)n, sqrt(m.sum_variance) / (double)n, &m, level);
}

static bool has_values_beyond(const struct hist *all, double p)
{
    return fmin(p, 100 - p) / 100 * (double)hist_count(all) >= VALUES_BEYOND;
}

/* The standard error of the share of values up to the p-th percentile, in percent, times t. */
static double share_margin(const struct signif_batch *batch, size_t n, const struct hist *all,
                           double p, double level)
{
    double residual[SIGNIF_BATCHES_MAX];
    struct longrun m;

    share_residuals(batch, n, all, bucket_of(all, p), residual);
    m = uncertainty(batch, n, all, residual);
    if (!isfinite(m.sum_variance))
        return (double)NAN;
    return 100 * student_quantile(level, m.df) * sqrt(m.sum_variance) / (double)hist_count(all);
}

struct signif_interval signif_percentile_ms(const struct signif_batch *batch, size_t n, double p,
                                            double level)
{
    struct signif_interval out = none;
    double margin = (double)NAN;
    struct hist *all = NULL;

    n = without_empty_end(batch, n);
    all = together(batch, n);
    if (hist_count(all) > 0) {
        out.value = hist_percentile_ms(all, p);
        if (has_values_beyond(all, p))
            margin = share_margin(batch, n, all, p, level);
        if (p - margin > 0 && p + margin < 100) {
            out.low = hist_percentile_ms(all, fmax(p - margin, 0.001));
            out.high = hist_percentile_ms(all, p + margin);
        }
    }
    hist_free(all);
    return out;
}

struct signif_interval signif_share_below(const struct signif_batch *batch, size_t n,
                                          struct signif_limit limit, double level)
{
    const uint64_t upper_us = (uint64_t)(limit.limit_ms * 1e3);
    const double p = limit.percent / 100;
    struct signif_interval out = none;
    double residual[SIGNIF_BATCHES_MAX];
    struct hist *all = NULL;
    struct longrun m;
    double count;
    double error;

    n = without_empty_end(batch, n);
    all = together(batch, n);
    count = (double)hist_count(all);
    if (count > 0) {
        out.value = 100 * count_up_to(all, upper_us) / count;
        share_residuals(batch, n, all, upper_us, residual);
        m = uncertainty(batch, n, all, residual);
        if (isfinite(m.sum_variance) && fmin(p, 1 - p) * count >= VALUES_BEYOND) {
            error = 100 * sqrt(fmax(m.sum_variance, count * p * (1 - p))) / count;
            out.low = out.value - student_quantile(level, m.df) * error;
            out.high = out.value + student_quantile(level, m.df) * error;
        }
    }
    hist_free(all);
    return out;
}

struct longrun signif_uncertainty(const struct signif_batch *batch, size_t n,
                                  const double *residual)
{
    struct hist *all = together(batch, n);
    const struct longrun m = uncertainty(batch, n, all, residual);

    hist_free(all);
    return m;
}

/* ---- between runs ---- */

struct signif_group signif_group_of(const double *value, size_t n)
{
    struct signif_group g = {n, (double)NAN, (double)NAN};
    double sum = 0;
    double squares = 0;

    for (size_t i = 0; i < n; i++)
        sum += value[i] > 0 ? log(value[i]) : (double)NAN;
    if (n == 0)
        return g;
    g.log_mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (log(value[i]) - g.log_mean) * (log(value[i]) - g.log_mean);
    if (n >= 2 && isfinite(g.log_mean))
        g.log_variance = fmax(squares / (double)(n - 1), RESOLUTION_VARIANCE);
    return g;
}

struct signif_interval signif_group_interval(const struct signif_group *g, double level)
{
    struct signif_interval out = {exp(g->log_mean), (double)NAN, (double)NAN};

    if (g->n >= SIGNIF_REPEATS && isfinite(g->log_variance)) {
        const double t = student_quantile(level, (double)(g->n - 1));
        const double factor = exp(t * sqrt(g->log_variance / (double)g->n));

        out.low = out.value / factor;
        out.high = out.value * factor;
    }
    return out;
}

double signif_group_spread_percent(const struct signif_group *g)
{
    return 100 * sqrt(g->log_variance);
}

struct signif_interval signif_ratio_between(const struct signif_group *a,
                                            const struct signif_group *b, double level)
{
    const double va = a->log_variance / (double)a->n;
    const double vb = b->log_variance / (double)b->n;
    struct signif_interval out = {exp(a->log_mean - b->log_mean), (double)NAN, (double)NAN};

    if (a->n >= SIGNIF_REPEATS && b->n >= SIGNIF_REPEATS && isfinite(va + vb)) {
        const double df =
            (va + vb) * (va + vb) / (va * va / (double)(a->n - 1) + vb * vb / (double)(b->n - 1));
        const double factor = exp(student_quantile(level, df) * sqrt(va + vb));

        out.low = out.value / factor;
        out.high = out.value * factor;
    }
    return out;
}

/* On logarithms: the mean of the runs, and its distances down and up. */
struct distances {
    double mean, down, up;
};

static struct distances distances_of(struct signif_side s)
{
    struct distances d = {0, 0, 0};
    const double n = (double)s.n;

    for (size_t i = 0; i < s.n; i++) {
        const double value = log(s.run[i].value);
        const double down = value - log(s.run[i].low);
        const double up = log(s.run[i].high) - value;

        d.mean += value / n;
        d.down += down * down / (n * n);
        d.up += up * up / (n * n);
    }
    d.down = sqrt(d.down);
    d.up = sqrt(d.up);
    return d;
}

struct signif_interval signif_ratio_within(struct signif_side a, struct signif_side b)
{
    const struct distances da = distances_of(a);
    const struct distances db = distances_of(b);
    const double middle = da.mean - db.mean;

    CHECK(a.n > 0);
    CHECK(b.n > 0);
    return (struct signif_interval){
        .value = exp(middle),
        .low = exp(middle - hypot(da.down, db.up)),
        .high = exp(middle + hypot(da.up, db.down)),
    };
}
