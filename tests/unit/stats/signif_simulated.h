/*
 * Simulated runs for the tests of stats/signif and stats/longrun: every value comes from
 * base/rng, so that a test gives the same figures each time.
 */
#ifndef UNIT_STATS_SIGNIF_SIMULATED_H
#define UNIT_STATS_SIGNIF_SIMULATED_H

#include "base/rng.h"
#include "stats/signif.h"

enum { SIMULATED_BATCHES = 120 };

enum simulated_kind {
    SIMULATED_AR1,   /* x = rho x' + e */
    SIMULATED_NOISY, /* AR(1) with as much white noise on it: no AR(1) fits that */
    SIMULATED_SAW,   /* a saw of 20 batches, as checkpoints make it, with noise */
};

struct simulated {
    enum simulated_kind kind;
    double rho;
};

/* How many simulations: `runs`, or so many times more as the environment's SIMULATIONS says. */
int simulated_runs(int runs);
/* Whether a rate lies within its bounds; one that does not is a failed test, and with SIMULATIONS
 * set each is printed. */
void simulated_rate(const char *name, double percent, double least, double most);

/* Standard normal. */
double simulated_normal(struct rng *rng);
/* A stationary series of mean 0 and variance 1 (AR1, NOISY: 2, SAW: about 1.75). */
void simulated_series(const struct simulated *s, struct rng *rng, double *x, size_t n);

/* A run of SIMULATED_BATCHES batches with `values` response times in each: a response's logarithm
 * is log_level + level_sd x (the series) + value_sd x (white noise). Its histograms live in the
 * array, which simulated_release() frees; a zeroed one is ready for use, and may be used again. */
struct simulated_run {
    struct signif_batch batch[SIMULATED_BATCHES];
    struct hist *hist[SIMULATED_BATCHES];
};
struct simulated_drive {
    struct simulated series;
    double log_level, level_sd, value_sd;
    int values;
};
void simulated_fill(struct simulated_run *run, const struct simulated_drive *d, struct rng *rng);
void simulated_release(struct simulated_run *run);

#endif
