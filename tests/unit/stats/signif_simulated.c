/*
 * Simulated series and runs (see the header).
 */
#include "stats/signif_simulated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "harness/unit.h"

#define MS_NS_D 1e6

int simulated_runs(int runs)
{
    const char *text = getenv("SIMULATIONS");
    int64_t factor = 1;

    if (text)
        UNIT_TRUE(text, units_parse_i64(text, &factor, NULL) == 0 && factor > 0 && factor <= 1000);
    return runs * (int)factor;
}

void simulated_rate(const char *name, double percent, double least, double most)
{
    if (getenv("SIMULATIONS"))
        printf("%6.2f %%  %s\n", percent, name);
    if (percent < least || percent > most)
        UNIT_NEAR(name, percent, (least + most) / 2, (most - least) / 2);
}

double simulated_normal(struct rng *rng)
{
    const double u = rng_unit(rng);

    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * rng_unit(rng));
}

void simulated_series(const struct simulated *s, struct rng *rng, double *x, size_t n)
{
    const double fresh = sqrt(1 - s->rho * s->rho);
    const size_t shift = (size_t)rng_uniform(rng, 0, 19);
    double y = simulated_normal(rng);

    for (size_t i = 0; i < n; i++) {
        x[i] = y;
        if (s->kind != SIMULATED_AR1)
            x[i] += simulated_normal(rng);
        if (s->kind == SIMULATED_SAW)
            x[i] = x[i] - y + 3 * ((double)((i + shift) % 20) / 20 - 0.475);
        y = s->rho * y + fresh * simulated_normal(rng);
    }
}

void simulated_fill(struct simulated_run *run, const struct simulated_drive *d, struct rng *rng)
{
    double level[SIMULATED_BATCHES];

    simulated_series(&d->series, rng, level, SIMULATED_BATCHES);
    for (int b = 0; b < SIMULATED_BATCHES; b++) {
        struct hist **h = &run->hist[b];

        if (!*h)
            *h = hist_new();
        hist_clear(*h);
        for (int i = 0; i < d->values; i++) {
            const double log_ms =
                d->log_level + d->level_sd * level[b] + d->value_sd * simulated_normal(rng);

            hist_record_ns(*h, (uint64_t)llround(MS_NS_D * exp(log_ms)));
        }
        run->batch[b] = (struct signif_batch){hist_count(*h), hist_sum_ns(*h), *h};
    }
}

void simulated_release(struct simulated_run *run)
{
    for (int b = 0; b < SIMULATED_BATCHES; b++)
        hist_free(run->hist[b]);
    memset(run, 0, sizeof(*run));
}
