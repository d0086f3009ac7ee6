/*
 * stats/longrun: an interval of 95 % must miss the truth in about 5 % of many simulated runs,
 * whether neighbouring batches resemble each other or not. How far off it is at all correlations is
 * measured in tests/soak/signif.sh.
 */
#include "stats/longrun.h"

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
        struct longrun m;
        double mean = 0;

        simulated_series(kind, &rng, x, n);
        for (size_t i = 0; i < n; i++)
            mean += x[i] / (double)n;
        for (size_t i = 0; i < n; i++)
            x[i] -= mean;
        m = longrun_of(x, n, longrun_cosines(x, n));
        missed += fabs(mean) * (double)n > student_quantile(0.95, m.df) * sqrt(m.sum_variance);
    }
    return 100.0 * missed / runs;
}

/* The seed stands in the test's name; 4 sigma of 2,000 runs at 5 % are 1.95 %. The upper bounds are
 * what the method gives at the worst; what forgets the correlation misses 5, 25 and 65 %, and batch
 * means with what correlation stays corrected for missed 12 % at 0.9 under noise. */
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
        {"rho 0.9, seed 3", {SIMULATED_AR1, 0.9}, 120, 4.0, 9.0},
        {"rho 0.9 under noise, seed 4", {SIMULATED_NOISY, 0.9}, 120, 4.0, 9.0},
        {"rho -0.5, seed 5", {SIMULATED_AR1, -0.5}, 120, 0.0, 7.0},
        {"checkpoints, seed 6", {SIMULATED_SAW, 0}, 120, 0.0, 7.0},
        {"a cut run, seed 7", {SIMULATED_AR1, 0.5}, 31, 3.0, 9.0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        simulated_rate(rows[i].name, missed_percent(&rows[i].kind, i + 1, rows[i].n), rows[i].least,
                       rows[i].most);
}

static void test_fewer_where_sticky(void)
{
    struct rng rng = rng_at(rng_key(8, 1));
    const struct simulated calm = {SIMULATED_AR1, 0};
    const struct simulated sticky = {SIMULATED_AR1, 0.9};
    double x[SIMULATED_BATCHES];
    int of_calm = 0;
    int of_sticky = 0;

    for (int run = 0; run < 100; run++) {
        simulated_series(&calm, &rng, x, SIMULATED_BATCHES);
        of_calm += longrun_cosines(x, SIMULATED_BATCHES);
        simulated_series(&sticky, &rng, x, SIMULATED_BATCHES);
        of_sticky += longrun_cosines(x, SIMULATED_BATCHES);
    }
    UNIT_TRUE("nearly always 8", of_calm > 650);
    UNIT_TRUE("nearly always 2", of_sticky < 250);
}

static void test_by_hand(void)
{
    const double zero[120] = {0};
    double waves[32];
    struct longrun m;

    /* Half a wave of height 1, a whole one of height 3: swings of 16 and 48, no others. */
    for (int i = 0; i < 32; i++)
        waves[i] = cos(acos(-1) * (i + 0.5) / 32) + 3 * cos(2 * acos(-1) * (i + 0.5) / 32);
    m = longrun_of(waves, 32, 2);
    UNIT_NEAR("", m.sum_variance, (2.0 * 16 * 16 + 2.0 * 48 * 48) / 2, 1e-9);
    UNIT_NEAR("", m.df, 2, 0);
    UNIT_NEAR("", longrun_of(waves, 32, 4).sum_variance, (2.0 * 16 * 16 + 2.0 * 48 * 48) / 4, 1e-9);
    UNIT_EQ_I64("slow waves only", longrun_cosines(waves, 32), 2);
    UNIT_EQ_I64("too short for 4", longrun_cosines(waves, 15), 2);
    for (int i = 0; i < 32; i++)
        waves[i] = i % 2 ? 1 : -1;
    UNIT_EQ_I64("none", longrun_cosines(waves, 32), 8);
    UNIT_EQ_I64("too short for 8", longrun_cosines(waves, 31), 4);
    UNIT_TRUE("too few", isnan(longrun_of(waves, 7, 2).sum_variance));
    UNIT_TRUE("nothing", isnan(longrun_of(NULL, 0, longrun_cosines(NULL, 0)).sum_variance));
    m = longrun_of(zero, 120, longrun_cosines(zero, 120));
    UNIT_NEAR("no spread", m.sum_variance, 0, 0);
    UNIT_NEAR("", m.df, 8, 0);
}

static const struct unit_test tests[] = {
    {"misses as often as it says", test_misses_as_often_as_it_says},
    {"fewer cosines where parts resemble each other", test_fewer_where_sticky},
    {"by hand", test_by_hand},
};
const struct unit_suite longrun_suite = UNIT_SUITE("longrun", tests);
