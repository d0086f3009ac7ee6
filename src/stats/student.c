/*
 * Student's t through the regularised incomplete beta function: P(|T| > t) = I_x(df/2, 1/2) with
 * x = df / (df + t^2) (Abramowitz and Stegun 26.5.27 and 26.7.1), that by the continued fraction
 * 26.5.8, evaluated from its end. Pure.
 */
#include "stats/student.h"

#include <math.h>

#include "base/check.h"

enum { BISECTIONS = 100 };

static double log_gamma(double x)
{
    int sign = 0; /* lgamma() would write it to a global */

    return lgamma_r(x, &sign);
}

/* The coefficient number i, from 1. */
static double coefficient(double a, double b, double x, int i)
{
    const int half = i / 2;
    const double m = half;

    if (i % 2)
        return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
}

/* I_x(a, b) where x < (a + 1) / (a + b + 2): there the fraction converges within some sqrt(a + b)
 * terms. */
static double beta_share_low(double a, double b, double x)
{
    const double front =
        log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x);
    double below = 1;

    for (int i = 100 + 4 * (int)sqrt(a + b); i > 0; i--)
        below = 1 + coefficient(a, b, x, i) / below;
    return exp(front) / (a * below);
}

double student_two_sided(double t, double df)
{
    const double a = df / 2;
    const double b = 0.5;
    const double x = df / (df + t * t);

    CHECK(t >= 0);
    CHECK(df > 0);
    if (x >= 1)
        return 1;
    if (x <= 0)
        return 0;
    if (x < (a + 1) / (a + b + 2))
        return beta_share_low(a, b, x);
    return 1 - beta_share_low(b, a, t * t / (df + t * t));
}

double student_quantile(double level, double df)
{
    double low = 0;
    double high = 1;

    CHECK(level > 0);
    CHECK(level < 1);
    CHECK(df >= 1);
    while (student_two_sided(high, df) > 1 - level)
        high *= 2;
    for (int i = 0; i < BISECTIONS && low < high; i++) {
        const double middle = (low + high) / 2;

        if (student_two_sided(middle, df) > 1 - level)
            low = middle;
        else
            high = middle;
    }
    return high;
}
