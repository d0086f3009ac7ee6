/*
 * Range and slope of one window. The limits hold with a hair's breadth of rounding, so that exactly
 * 20 % and exactly 10 % are steady.
 */
#include "stats/steady.h"

#include <math.h>

#define ROUNDING 1e-9

struct steady_window steady_judge(const double round[STEADY_WINDOW])
{
    struct steady_window w = {
        .mean = (double)NAN, .range_percent = (double)NAN, .slope_percent = (double)NAN};
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
    w.steady = steady_excess(&w) <= 1.0 + ROUNDING;
    return w;
}

double steady_excess(const struct steady_window *w)
{
    return fmax(w->range_percent / STEADY_RANGE_PERCENT,
                fabs(w->slope_percent) / STEADY_SLOPE_PERCENT);
}
