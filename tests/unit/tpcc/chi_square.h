/*
 * Does a sample follow a distribution? Pearson's chi-square as standard deviations from its mean:
 * within 5 for a right one, far above for a wrong one.
 */
#ifndef TESTS_TPCC_CHI_SQUARE_H
#define TESTS_TPCC_CHI_SQUARE_H

#include <stddef.h>
#include <stdint.h>

/* seen[i] of the sample against share[i] (sum 1; NULL: all alike). A value that can't happen must
 * not have happened: the answer is then infinite. */
double chi_square_sigma(const uint32_t *seen, const double *share, size_t n);

/* The exact shares of NURand(a, x, y) with constant c, for x..y; free() it. */
struct nurand_case {
    int32_t a, x, y, c;
};
double *nurand_shares(const struct nurand_case *of);

#endif
