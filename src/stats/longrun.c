/*
 * Equal-weighted cosines (see the header). Pure.
 */
#include "stats/longrun.h"

#include <math.h>

#include "base/check.h"

enum { MOST = 8, MIDDLE = 4, FEWEST = 2, PARTS_A_COSINE = 4 };

#define CALM 1.5 /* times the variance of independent parts */
#define STICKY 4.0

/* The mean of `cosines` estimates of the sum's variance. */
static double variance_of(const double *residual, size_t n, int cosines)
{
    double sum = 0;

    for (int k = 1; k <= cosines; k++) {
        double swing = 0;

        for (size_t i = 0; i < n; i++)
            swing += residual[i] * cos(M_PI * k * ((double)i + 0.5) / (double)n);
        sum += 2 * swing * swing;
    }
    return sum / cosines;
}

int longrun_cosines(const double *residual, size_t n)
{
    double squares = 0;
    double times = 0;
    int cosines = FEWEST;

    if (n < PARTS_A_COSINE * MIDDLE)
        return FEWEST;
    for (size_t i = 0; i < n; i++)
        squares += residual[i] * residual[i];
    times = squares > 0 ? variance_of(residual, n, MIDDLE) / squares : 0;
    if (times < CALM && n >= PARTS_A_COSINE * MOST)
        cosines = MOST;
    else if (times < STICKY)
        cosines = MIDDLE;
    return cosines;
}

struct longrun longrun_of(const double *residual, size_t n, int cosines)
{
    CHECK(cosines >= 1);
    if (n < LONGRUN_LEAST)
        return (struct longrun){.sum_variance = (double)NAN, .df = FEWEST};
    return (struct longrun){.sum_variance = variance_of(residual, n, cosines), .df = cosines};
}
