/*
 * Batch means with a correction for the correlation that stays (see the header). Pure.
 */
#include "stats/batchmeans.h"

#include <math.h>
#include <string.h>

#include "base/check.h"

enum { PARTS_MAX = 1024 };

#define CORRELATION_MOST 0.9 /* beyond, the correction would be a guess */

/* Of k batches: the sum of squares, and the correlation of neighbours. The mean is 0. */
struct moments {
    double squares, correlation;
};

static struct moments moments_of(const double *batch, size_t k)
{
    struct moments m = {0, 0};
    double products = 0;

    for (size_t i = 0; i < k; i++) {
        m.squares += batch[i] * batch[i];
        if (i > 0)
            products += batch[i] * batch[i - 1];
    }
    if (m.squares > 0)
        m.correlation = products / m.squares;
    return m;
}

static void put_together(const double *residual, size_t n, double *batch, size_t k)
{
    memset(batch, 0, k * sizeof(*batch));
    for (size_t i = 0; i < n; i++)
        batch[i * k / n] += residual[i];
}

struct batchmeans batchmeans_of(const double *residual, size_t n)
{
    struct batchmeans out = {.sum_variance = (double)NAN, .df = 2};
    struct moments m = {0, 0};
    double batch[PARTS_MAX];
    double k = 0;
    double phi = 0;

    CHECK(n <= PARTS_MAX);
    if (n < BATCHMEANS_LEAST)
        return out;
    for (size_t length = 1; n / length >= BATCHMEANS_LEAST; length++) {
        out.batches = n / length;
        put_together(residual, n, batch, out.batches);
        m = moments_of(batch, out.batches);
        if (m.correlation <= -1.0 / (double)out.batches) /* what independent ones have on average */
            break;
    }
    k = (double)out.batches;
    phi = m.correlation + (1 + 3 * m.correlation) / k;
    phi = fmin(fmax(phi, 0), CORRELATION_MOST);
    out.correlation = phi;
    out.sum_variance = k * m.squares / (k - 1) * (1 + phi) / (1 - phi);
    out.df = fmax(k * (1 - phi) / (1 + phi) - 1, 2);
    return out;
}
