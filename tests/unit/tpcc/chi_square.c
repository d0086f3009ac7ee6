/*
 * Pearson's chi-square, and exact shares of NURand by adding up all its pairs.
 */
#include "chi_square.h"

#include <math.h>
#include <stdlib.h>

double chi_square_sigma(const uint32_t *seen, const double *share, size_t n)
{
    double total = 0;
    double chi2 = 0;
    double freedom = -1;

    for (size_t i = 0; i < n; i++)
        total += seen[i];
    for (size_t i = 0; i < n; i++) {
        const double want = total * (share ? share[i] : 1.0 / (double)n);

        if (want <= 0) {
            if (seen[i] > 0)
                return HUGE_VAL;
            continue;
        }
        chi2 += (seen[i] - want) * (seen[i] - want) / want;
        freedom += 1;
    }
    return (chi2 - freedom) / sqrt(2 * freedom);
}

double *nurand_shares(const struct nurand_case *of)
{
    const int32_t span = of->y - of->x + 1;
    double *share = calloc((size_t)span, sizeof(*share));

    for (int32_t low = 0; share && low <= of->a; low++)
        for (int32_t high = of->x; high <= of->y; high++)
            share[((low | high) + of->c) % span] += 1.0 / ((double)(of->a + 1) * span);
    return share;
}
