/*
 * From a histogram to the seven figures that results show of it.
 */
#include "stats/summary.h"

#include <math.h>

struct summary summary_of(const struct hist *h)
{
    return (struct summary){
        .avg = hist_avg_ms(h),
        .p50 = hist_percentile_ms(h, 50),
        .p90 = hist_percentile_ms(h, 90),
        .p95 = hist_percentile_ms(h, 95),
        .p99 = hist_percentile_ms(h, 99),
        .p999 = hist_percentile_ms(h, 99.9),
        .max = hist_max_ms(h),
    };
}

struct summary summary_none(void)
{
    const double none = (double)NAN;

    return (struct summary){none, none, none, none, none, none, none};
}
