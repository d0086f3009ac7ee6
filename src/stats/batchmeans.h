/*
 * How uncertain a figure of one run is, where neighbouring parts of the run resemble each other (a
 * checkpoint, a drive that collects garbage, a queue that drains). The sum of n residuals of equal
 * parts would have n times their variance if these were independent; they are not, and that would
 * make every interval too narrow: at a correlation of 0.9 four times.
 *
 * Method: batch means (Law and Kelton). Parts are put together to fewer and longer batches until
 * the correlation of neighbouring batches is gone or BATCHMEANS_LEAST are left. What correlation
 * phi still stays, with the bias of a short series taken out, (1 + 3 phi) / k (Marriott and Pope
 * 1954, Kendall 1954), widens the variance by (1 + phi) / (1 - phi) and leaves
 * k (1 - phi) / (1 + phi) independent batches' degrees of freedom (as Tafazzoli and Wilson's Skart
 * does, 2011). A spectral estimate (equal-weighted cosine) and a fitted AR(1) were tried beside it:
 * the first gives up at a correlation of 0.9, the second wherever the series is not just AR(1).
 */
#ifndef STATS_BATCHMEANS_H
#define STATS_BATCHMEANS_H

#include <stddef.h>

#define BATCHMEANS_LEAST 8 /* batches; with fewer parts there is no answer */

struct batchmeans {
    double sum_variance; /* of the sum of all residuals; NaN: fewer than BATCHMEANS_LEAST parts */
    double df;           /* degrees of freedom of that estimate, at least 2 */
    size_t batches;      /* that were made of the parts */
    double correlation;  /* of neighbouring batches, what was corrected for; 0 and above */
};

/* residual[n] in order of time; they add up to 0 but for rounding. */
struct batchmeans batchmeans_of(const double *residual, size_t n);

#endif
