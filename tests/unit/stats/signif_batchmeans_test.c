/*
 * stats/batchmeans: an interval of 95 % must miss the truth in about 5 % of many simulated runs,
 * whether neighbouring batches resemble each other or not. How far off it is at all correlations is
 * measured in tests/soak/signif.sh.
 */
#include "stats/batchmeans.h"

#include <math.h>

#include "harness/unit.h"
#include "stats/signif_simulated.h"
#include "stats/student.h"

enum { RUNS = 2000 };

/* Per cent of runs whose 95 % interval of the mean misses the true one, 0. */
static double missed_percent(const struct simulated *kind, uint64_t seed, size_t n)
{
    struct rng rng = rng_at(rng_key(seed, 1));
    double x[SIMULATED_BATCHES];
    const int runs = simulated_runs(RUNS);
    int missed = 0;

    for (int run = 0; run < runs; run++) {
        struct batchmeans m;
        double mean = 0;

        simulated_series(kind, &rng, x, n);
        for (size_t i = 0; i < n; i++)
            mean += x[i] / (double)n;
        for (size_t i = 0; i < n; i++)
            x[i] -= mean;
        m = batchmeans_of(x, n);
        missed += fabs(mean) * (double)n > student_quantile(0.95, m.df) * sqrt(m.sum_variance);
    }
    return 100.0 * missed / runs;
}

/* The seed stands in the test's name; 4 sigma of 2,000 runs at 5 % are 1.95 %. The upper bounds are
 * what the method gives at the worst; what forgets the correlation misses 5, 25 and 65 %. */
static void test_misses_as_often_as_it_says(void)
{
    static const struct {
        const char *name;
        struct simulated kind;
        size_t n;
        double least, most;
    } rows[] = {
        {"independent, seed 1", {SIMULATED_AR1, 0}, 120, 3.0, 7.0},
        {"rho 0.5, seed 2", {SIMULATED_AR1, 0.5}, 120, 3.0, 7.0},
        {"rho 0.9, seed 3", {SIMULATED_AR1, 0.9}, 120, 4.0, 10.5},
        {"rho 0.9 under noise, seed 4", {SIMULATED_NOISY, 0.9}, 120, 4.0, 11.5},
        {"rho -0.5, seed 5", {SIMULATED_AR1, -0.5}, 120, 0.0, 7.0},
        {"checkpoints, seed 6", {SIMULATED_SAW, 0}, 120, 0.0, 7.0},
        {"a cut run, seed 7", {SIMULATED_AR1, 0.5}, 31, 3.0, 9.0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        simulated_rate(rows[i].name, missed_percent(&rows[i].kind, i + 1, rows[i].n), rows[i].least,
                       rows[i].most);
}

static void test_batches_grow_with_correlation(void)
{
    struct rng rng = rng_at(rng_key(8, 1));
    const struct simulated calm = {SIMULATED_AR1, 0};
    const struct simulated sticky = {SIMULATED_AR1, 0.9};
    double x[SIMULATED_BATCHES];
    size_t calm_batches = 0;
    size_t sticky_batches = 0;

    for (int run = 0; run < 100; run++) {
        simulated_series(&calm, &rng, x, SIMULATED_BATCHES);
        calm_batches += batchmeans_of(x, SIMULATED_BATCHES).batches;
        simulated_series(&sticky, &rng, x, SIMULATED_BATCHES);
        sticky_batches += batchmeans_of(x, SIMULATED_BATCHES).batches;
    }
    UNIT_TRUE("", calm_batches > 2 * sticky_batches);
    UNIT_TRUE("", sticky_batches >= 100 * (size_t)BATCHMEANS_LEAST);
}

static void test_by_hand(void)
{
    /* Neighbours speak against each other: taken as independent, n x squares / (n - 1). */
    const double alternating[] = {1, -1, 1, -1, 1, -1, 1, -1};
    /* Squares 8, products of neighbours 1: r = 1/8, phi = 1/8 + (1 + 3/8) / 8. */
    const double clustered[] = {1, 1, 1, -1, -1, 1, -1, -1};
    const double phi = 0.296875;
    const double zero[BATCHMEANS_LEAST] = {0};
    struct batchmeans m = batchmeans_of(alternating, 8);

    UNIT_NEAR("", m.sum_variance, 8.0 * 8.0 / 7.0, 1e-9);
    UNIT_NEAR("", m.df, 7, 0);
    UNIT_NEAR("", m.correlation, 0, 0);
    UNIT_EQ_U64("", m.batches, 8);
    UNIT_TRUE("too few", isnan(batchmeans_of(alternating, 7).sum_variance));
    UNIT_TRUE("none", isnan(batchmeans_of(NULL, 0).sum_variance));
    m = batchmeans_of(clustered, 8);
    UNIT_NEAR("", m.correlation, phi, 1e-12);
    UNIT_NEAR("", m.sum_variance, 64.0 / 7 * (1 + phi) / (1 - phi), 1e-9);
    UNIT_NEAR("", m.df, 8 * (1 - phi) / (1 + phi) - 1, 1e-9);
    m = batchmeans_of(zero, BATCHMEANS_LEAST);
    UNIT_NEAR("no spread", m.sum_variance, 0, 0);
    UNIT_TRUE("", isfinite(m.df));
}

static const struct unit_test tests[] = {
    {"misses as often as it says", test_misses_as_often_as_it_says},
    {"batches grow with correlation", test_batches_grow_with_correlation},
    {"by hand", test_by_hand},
};
const struct unit_suite batchmeans_suite = UNIT_SUITE("batchmeans", tests);
