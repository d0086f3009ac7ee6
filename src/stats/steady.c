/*
 * Range and slope of one window. The limits hold with a hair's breadth of rounding, so that exactly
 * 20 % and exactly 10 % are steady.
 */
#include "stats/steady.h"

#include <math.h>

#include "base/check.h"
#include "stats/student.h"

#define ROUNDING 1e-9
#define STRETCHES STEADY_PARTS_LEAST /* of a round, whose neighbours are compared */
#define PAIRS (STEADY_WINDOW * (STEADY_WINDOW - 1) / 2.0)
#define LINE_SQUARES                                                                               \
    (STEADY_WINDOW * (STEADY_WINDOW * STEADY_WINDOW - 1) / 12.0) /* of 0..4 around their middle */

/* Leaves of each part what does not come back in the other rounds. */
static void take_shared(double *deviation, size_t parts)
{
    for (size_t p = 0; p < parts; p++) {
        double shared = 0;

        for (size_t i = 0; i < STEADY_WINDOW; i++)
            shared += deviation[i * parts + p] / STEADY_WINDOW;
        for (size_t i = 0; i < STEADY_WINDOW; i++)
            deviation[i * parts + p] -= shared;
    }
}

/* The Allan variance of a round's stretches of `length` parts, of all that lie in it: half the mean
 * square of how neighbouring ones differ. */
static double stretch_variance(const double *of, size_t parts, size_t length)
{
    const size_t places = parts - 2 * length + 1;
    double squares = 0;

    for (size_t at = 0; at < places; at++) {
        double step = 0;

        for (size_t p = 0; p < length; p++)
            step += of[at + length + p] - of[at + p];
        squares += step * step / 2;
    }
    return squares / (double)places;
}

struct steady_error steady_error_of(double *deviation, size_t parts)
{
    const size_t length = parts / STRETCHES;
    const double stretches = length > 0 ? (double)parts / (double)length : 0;
    const double lost = (STEADY_WINDOW - 1.0) / STEADY_WINDOW; /* with what the rounds share */
    double variance = 0;

    CHECK(deviation);
    if (length == 0)
        return (struct steady_error){.of_round = (double)NAN, .df = 0};
    take_shared(deviation, parts);
    for (size_t i = 0; i < STEADY_WINDOW; i++)
        variance += stretch_variance(deviation + i * parts, parts, length) / STEADY_WINDOW;
    return (struct steady_error){
        .of_round = sqrt(variance * stretches / lost),
        .df = STEADY_WINDOW * (stretches - 1) * lost,
    };
}

/* The range by the t of each of its pairs (Bonferroni; a few percent above the studentized range's
 * quantile), the slope by its own. */
static void add_chance(struct steady_window *w, const struct steady_error *error)
{
    const double percent = 100.0 * error->of_round / w->mean;

    if (!isfinite(error->of_round) || !(error->df >= 1))
        return;
    w->chance_range_percent =
        percent * sqrt(2) * student_quantile(1 - STEADY_CHANCE / PAIRS, error->df);
    w->chance_slope_percent = percent * (STEADY_WINDOW - 1) / sqrt(LINE_SQUARES) *
                              student_quantile(1 - STEADY_CHANCE, error->df);
}

struct steady_window steady_judge(const double round[STEADY_WINDOW],
                                  const struct steady_error *error)
{
    struct steady_window w = {.mean = (double)NAN,
                              .range_percent = (double)NAN,
                              .slope_percent = (double)NAN,
                              .chance_range_percent = (double)NAN,
                              .chance_slope_percent = (double)NAN};
    const double middle = (STEADY_WINDOW - 1) / 2.0;
    double low = round[0];
    double high = round[0];
    double sum = 0;
    double sum_xy = 0;
    double sum_xx = 0;

    for (int i = 0; i < STEADY_WINDOW; i++) {
        const double x = i - middle;

        if (!isfinite(round[i]))
            return w;
        low = fmin(low, round[i]);
        high = fmax(high, round[i]);
        sum += round[i];
        sum_xy += x * round[i];
        sum_xx += x * x;
    }
    if (!(sum > 0))
        return w;
    w.mean = sum / STEADY_WINDOW;
    w.range_percent = 100.0 * (high - low) / w.mean;
    w.slope_percent = 100.0 * sum_xy / sum_xx * (STEADY_WINDOW - 1) / w.mean;
    if (error)
        add_chance(&w, error);
    w.steady = steady_excess(&w) <= 1.0 + ROUNDING;
    return w;
}

double steady_range_limit(const struct steady_window *w)
{
    return fmax(STEADY_RANGE_PERCENT, w->chance_range_percent);
}

double steady_slope_limit(const struct steady_window *w)
{
    return fmax(STEADY_SLOPE_PERCENT, w->chance_slope_percent);
}

double steady_excess(const struct steady_window *w)
{
    return fmax(w->range_percent / steady_range_limit(w),
                fabs(w->slope_percent) / steady_slope_limit(w));
}
