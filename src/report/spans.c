/*
 * Means and extremes of the series' columns (see the header). Pure.
 */
#include "report/spans.h"

#include <math.h>

#define PHASE_DRAIN (RESULT_PHASES - 1)

struct span_column span_rate(int device, size_t at)
{
    const size_t before = (size_t)device * sizeof(struct result_rates);

    return (struct span_column){.at = offsetof(struct series_row, device) + before + at};
}

struct span_column span_wait(enum wait_class c)
{
    return (struct span_column){.at = offsetof(struct series_row, server.wait_percent) +
                                      (size_t)c * sizeof(double)};
}

static double duration_s(const struct result *r, size_t i)
{
    const double from = i > 0 ? series_at(&r->series, i - 1)->time_s : 0;

    return series_at(&r->series, i)->time_s - from;
}

double span_interval_s(const struct result *r)
{
    double longest = RESULT_NONE;

    /* The first ones tell: all but a phase's last are of the length that the plan set. */
    for (size_t i = 0; i < r->series.n_rows && i < 10; i++)
        longest = fmax(longest, duration_s(r, i));
    return longest;
}

double span_value(const struct series_row *row, struct span_column column)
{
    const void *at = (const char *)row + column.at;
    const int64_t *whole = at;

    if (!column.whole)
        return *(const double *)at;
    return *whole < 0 ? RESULT_NONE : (double)*whole;
}

struct span span_of(const struct result *r, int phase, struct span_column column)
{
    struct span s = {
        .mean = RESULT_NONE, .low = RESULT_NONE, .high = RESULT_NONE, .high_at_s = RESULT_NONE};
    const double least_s = span_interval_s(r) / 2;
    double sum = 0;
    double weight = 0;

    for (size_t i = 0; i < r->series.n_rows; i++) {
        const struct series_row *row = series_at(&r->series, i);
        const double seconds = duration_s(r, i);
        const double value = span_value(row, column);

        if (row->phase != phase || !isfinite(value) || !(seconds > least_s))
            continue;
        sum += value * seconds;
        weight += seconds;
        s.low = fmin(s.low, value);
        if (!(value <= s.high)) {
            s.high = value;
            s.high_at_s = row->time_s;
        }
        s.n++;
    }
    if (weight > 0)
        s.mean = sum / weight;
    return s;
}

int span_last_phase(const struct result *r)
{
    int last = -1;

    for (size_t i = 0; i < r->series.n_rows; i++) {
        const int phase = series_at(&r->series, i)->phase;

        if (phase != PHASE_DRAIN && phase > last)
            last = phase;
    }
    return last;
}
