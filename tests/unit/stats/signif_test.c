/*
 * stats/signif: figures with their intervals from batches, and what repeats show. Simulated drives
 * whose true figures are known: an interval must miss them, and a comparison of equals must tell a
 * difference, in about 5 % of the cases; known differences must be found. The rates over more cases
 * and all correlations: tests/soak/signif.sh.
 */
#include "stats/signif.h"

#include <math.h>

#include "harness/unit.h"
#include "stats/signif_simulated.h"

enum { RUNS = 200, PAIRS = 3000, REPEATS_MOST = 6 };

#define Z99 2.326347874 /* the normal distribution's 99th percentile */

static double misses(struct signif_interval i, double truth)
{
    return truth < i.low || truth > i.high ? 100.0 : 0;
}

struct missed {
    double mean, median, p99;
};

/* How often, in %, the intervals of simulated runs miss the drive's true figures. */
static struct missed missed_of(const struct simulated_drive *d, uint64_t seed)
{
    struct simulated_run run = {0};
    struct rng rng = rng_at(rng_key(seed, 2));
    struct missed out = {0, 0, 0};
    const double sd = hypot(d->level_sd, d->value_sd);
    const int runs = simulated_runs(RUNS);

    for (int i = 0; i < runs; i++) {
        simulated_fill(&run, d, &rng);
        out.mean += misses(signif_mean_ms(run.batch, SIMULATED_BATCHES, 0.95),
                           exp(d->log_level + sd * sd / 2));
        out.median +=
            misses(signif_percentile_ms(run.batch, SIMULATED_BATCHES, 50, 0.95), exp(d->log_level));
        out.p99 += misses(signif_percentile_ms(run.batch, SIMULATED_BATCHES, 99, 0.95),
                          exp(d->log_level + Z99 * sd));
    }
    simulated_release(&run);
    out.mean /= runs;
    out.median /= runs;
    out.p99 /= runs;
    return out;
}

/* 4 sigma of 200 runs at 5 % are 6 %. */
static void test_within_a_run(void)
{
    static const struct {
        const char *name;
        struct simulated_drive drive;
        double most;
    } rows[] = {
        {"independent, seed 0", {{SIMULATED_AR1, 0}, 1.1, 0.2, 0.7, 20}, 11},
        {"rho 0.5, seed 1", {{SIMULATED_AR1, 0.5}, 1.1, 0.2, 0.7, 20}, 11},
        {"rho 0.9, seed 2", {{SIMULATED_AR1, 0.9}, 1.1, 0.2, 0.7, 20}, 12},
        {"rho 0.9 under noise, seed 3", {{SIMULATED_NOISY, 0.9}, 1.1, 0.2, 0.7, 20}, 13},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct missed m = missed_of(&rows[i].drive, i);

        simulated_rate(rows[i].name, m.mean, 0.5, rows[i].most);
        simulated_rate("its median", m.median, 0.5, rows[i].most);
        simulated_rate("its 99th percentile", m.p99, 0.5, rows[i].most);
    }
}

/* Two single runs of one drive: how often, in %, the interval of their difference leaves out 0. */
static void test_within_two_runs(void)
{
    static const struct {
        const char *name;
        struct simulated_drive drive;
    } rows[] = {
        {"two equal runs, rho 0, seed 0", {{SIMULATED_AR1, 0}, 1.1, 0.2, 0.7, 20}},
        {"two equal runs, rho 0.5, seed 1", {{SIMULATED_AR1, 0.5}, 1.1, 0.2, 0.7, 20}},
        {"two equal runs, rho 0.9, seed 2", {{SIMULATED_AR1, 0.9}, 1.1, 0.2, 0.7, 20}},
    };
    const int runs = simulated_runs(RUNS);

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct simulated_run run = {0};
        struct rng rng = rng_at(rng_key(i, 4));
        struct signif_interval of[2];
        double percent = 0;

        for (int n = 0; n < runs; n++) {
            struct signif_interval ratio;

            for (int side = 0; side < 2; side++) {
                simulated_fill(&run, &rows[i].drive, &rng);
                of[side] = signif_mean_ms(run.batch, SIMULATED_BATCHES, 0.95);
            }
            ratio = signif_ratio_within((struct signif_side){&of[0], 1},
                                        (struct signif_side){&of[1], 1});
            percent += ratio.low > 1 || ratio.high < 1 ? 100.0 / runs : 0;
        }
        simulated_rate(rows[i].name, percent, 0.5, 8);
        simulated_release(&run);
    }
}

static void test_within_by_hand(void)
{
    struct signif_batch batch[12] = {{0, 0, NULL}};
    struct signif_interval i = signif_mean_ms(batch, 12, 0.95);

    UNIT_TRUE("nothing", isnan(i.value) && isnan(i.low) && isnan(i.high));
    UNIT_TRUE("nothing", isnan(signif_percentile_ms(batch, 12, 50, 0.95).value));
    UNIT_TRUE("nothing", isnan(signif_count(batch, 0, 0.95).value));
    for (int b = 0; b < 8; b++)
        batch[b] = (struct signif_batch){10, UINT64_C(20000000) + (b % 2 ? 2000000 : 0), NULL};
    i = signif_mean_ms(batch, 12, 0.95);
    UNIT_NEAR("the empty end does not count", i.value, 2.1, 1e-12);
    /* Batch sums -+1 ms: swings of 1.0196 and 0 with half a wave and a whole one, t(2) = 4.303,
     * over 80 values and 2.1 ms. */
    UNIT_NEAR("", i.high, 2.1 * exp(4.303 * 1.0196 / 80 / 2.1), 1e-4);
    UNIT_NEAR("", i.low, 2.1 / exp(4.303 * 1.0196 / 80 / 2.1), 1e-4);
    UNIT_NEAR("", signif_count(batch, 12, 0.95).value, 10, 0);
    UNIT_NEAR("", signif_count(batch, 12, 0.95).high, 10, 0);
    UNIT_TRUE("too few batches", isnan(signif_mean_ms(batch, 7, 0.95).low));
    UNIT_NEAR("but a value", signif_mean_ms(batch, 7, 0.95).value, 2.0857, 1e-4);
    batch[5] = (struct signif_batch){0, 0, NULL};
    UNIT_NEAR("a stall counts", signif_count(batch, 8, 0.95).value, 8.75, 0);
}

/* Few values beyond a percentile settle no interval. */
static void test_percentile_at_the_end(void)
{
    struct simulated_run run = {0};
    struct rng rng = rng_at(9);
    const struct simulated_drive d = {{SIMULATED_AR1, 0}, 1, 0.1, 0.5, 5};
    struct signif_interval i;

    simulated_fill(&run, &d, &rng);
    i = signif_percentile_ms(run.batch, SIMULATED_BATCHES, 98.4, 0.95); /* of 600 values */
    UNIT_TRUE("", isfinite(i.value) && isnan(i.low) && isnan(i.high));
    i = signif_percentile_ms(run.batch, SIMULATED_BATCHES, 98.3, 0.95);
    UNIT_TRUE("", i.low < i.value && i.value < i.high);
    UNIT_TRUE("lopsided", i.high - i.value > i.value - i.low);
    simulated_release(&run);
}

/* Repeats on a drive: `spread` from run to run, as a factor. */
static struct signif_group repeats(struct rng *rng, size_t n, double ms, double spread)
{
    double value[REPEATS_MOST];

    for (size_t i = 0; i < n; i++)
        value[i] = ms * exp(spread * simulated_normal(rng));
    return signif_group_of(value, n);
}

/* Three repeats whose parts resemble each other, and whose levels spread besides. */
static struct signif_group sticky_repeats(struct rng *rng, double rho)
{
    const struct simulated series = {SIMULATED_AR1, rho};
    double x[SIMULATED_BATCHES];
    double value[3];

    for (size_t i = 0; i < 3; i++) {
        const double level = 0.05 * simulated_normal(rng);

        value[i] = 0;
        simulated_series(&series, rng, x, SIMULATED_BATCHES);
        for (size_t b = 0; b < SIMULATED_BATCHES; b++)
            value[i] += exp(level + 0.2 * x[b]) / SIMULATED_BATCHES;
    }
    return signif_group_of(value, 3);
}

static void test_between_sticky_runs(void)
{
    static const struct {
        const char *name;
        double rho;
    } rows[] = {
        {"3 and 3, rho 0 within", 0},
        {"3 and 3, rho 0.5 within", 0.5},
        {"3 and 3, rho 0.9 within", 0.9},
    };
    const int pairs = simulated_runs(PAIRS / 3);

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct rng rng = rng_at(rng_key(i, 5));
        double percent = 0;

        for (int n = 0; n < pairs; n++) {
            const struct signif_group a = sticky_repeats(&rng, rows[i].rho);
            const struct signif_group b = sticky_repeats(&rng, rows[i].rho);
            const struct signif_interval ratio = signif_ratio_between(&a, &b, 0.95);

            percent += ratio.low > 1 || ratio.high < 1 ? 100.0 / pairs : 0;
        }
        simulated_rate(rows[i].name, percent, 1.5, 8);
    }
}

/* How often, in %, two such groups are told apart. */
static double told_apart(uint64_t seed, size_t n, double factor, double spread_a, double spread_b)
{
    struct rng rng = rng_at(rng_key(seed, 3));
    const int pairs = simulated_runs(PAIRS);
    int told = 0;

    for (int i = 0; i < pairs; i++) {
        const struct signif_group a = repeats(&rng, n, 3 * factor, spread_a);
        const struct signif_group b = repeats(&rng, n, 3, spread_b);
        const struct signif_interval ratio = signif_ratio_between(&a, &b, 0.95);

        told += ratio.low > 1 || ratio.high < 1;
    }
    return 100.0 * told / pairs;
}

/* 4 sigma of 3,000 pairs at 5 % are 1.6 %. */
static void test_between_equal_drives(void)
{
    static const struct {
        const char *name;
        size_t n;
        double spread_a, spread_b, least, most;
    } rows[] = {
        {"3 and 3", 3, 0.1, 0.1, 2, 6.6},
        {"6 and 6", 6, 0.1, 0.1, 3.4, 6.6},
        {"6 and 6, one side spreads 5 times as far", 6, 0.02, 0.1, 3.4, 6.6},
        {"3 and 3, one side spreads 5 times as far", 3, 0.02, 0.1, 3, 7.5},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        simulated_rate(rows[i].name,
                       told_apart(i, rows[i].n, 1, rows[i].spread_a, rows[i].spread_b),
                       rows[i].least, rows[i].most);
}

static void test_between_unlike_drives(void)
{
    simulated_rate("found: 12 %, spread 2 %, 3 and 3", told_apart(1, 3, 1.12, 0.02, 0.02), 95, 100);
    simulated_rate("found: 12 %, spread 2 %, 6 and 6", told_apart(2, 6, 1.12, 0.02, 0.02), 99.9,
                   100);
    simulated_rate("found: twice, spread 10 %, 3 and 3", told_apart(3, 3, 2, 0.1, 0.1), 99, 100);
    simulated_rate("found: 3 %, spread 10 %", told_apart(4, 3, 1.03, 0.1, 0.1), 2, 10);
}

static void test_between_by_hand(void)
{
    const double a[] = {exp(0.9), exp(1.0), exp(1.1)};
    const double b[] = {exp(1.5), exp(1.5), exp(1.5), exp(1.5)};
    const double odd[] = {1, 0, 2};
    struct signif_group ga = signif_group_of(a, 3);
    struct signif_group gb = signif_group_of(b, 4);
    struct signif_interval i = signif_group_interval(&ga, 0.95);

    UNIT_NEAR("", i.value, exp(1), 1e-12);
    UNIT_NEAR("t(2) = 4.3027", log(i.high), 1 + 4.3027 * 0.1 / sqrt(3), 1e-4);
    UNIT_NEAR("", log(i.low), 1 - 4.3027 * 0.1 / sqrt(3), 1e-4);
    UNIT_NEAR("", signif_group_spread_percent(&ga), 10, 1e-9);
    i = signif_ratio_between(&ga, &gb, 0.95);
    UNIT_NEAR("", log(i.value), -0.5, 1e-9);
    UNIT_NEAR("only a spreads: t(2)", log(i.high), -0.5 + 4.3027 * 0.1 / sqrt(3), 1e-3);
    UNIT_TRUE("equal repeats spread by the resolution", signif_group_spread_percent(&gb) > 0.02);
    ga = signif_group_of(a, 2);
    UNIT_TRUE("two a side", isnan(signif_ratio_between(&ga, &gb, 0.95).low));
    UNIT_TRUE("two", isnan(signif_group_interval(&ga, 0.95).low));
    UNIT_NEAR("but their spread", signif_group_spread_percent(&ga), 100 * 0.1 / sqrt(2), 1e-9);
    ga = signif_group_of(a, 1);
    UNIT_TRUE("one", isnan(signif_group_spread_percent(&ga)));
    ga = signif_group_of(odd, 3);
    UNIT_TRUE("a figure that is 0", isnan(signif_ratio_between(&ga, &gb, 0.95).value));
    ga = signif_group_of(odd, 0);
    UNIT_TRUE("none", isnan(ga.log_mean));
}

static void test_ratio_within(void)
{
    const struct signif_interval a[] = {{2, 1, 8}};
    const struct signif_interval b[] = {{4, 2, 4}, {4, 2, 4}};
    const struct signif_interval open[] = {{4, (double)NAN, (double)NAN}};
    struct signif_interval i =
        signif_ratio_within((struct signif_side){a, 1}, (struct signif_side){b, 1});

    UNIT_NEAR("", i.value, 0.5, 1e-12);
    UNIT_NEAR("log2: 1 down, 0 up of b", log2(i.low), -1 - 1, 1e-12);
    UNIT_NEAR("log2: 2 up, 1 down of b", log2(i.high), -1 + sqrt(5), 1e-12);
    i = signif_ratio_within((struct signif_side){a, 1}, (struct signif_side){b, 2});
    UNIT_NEAR("two runs settle it better", log2(i.high), -1 + sqrt(4 + 0.5), 1e-12);
    i = signif_ratio_within((struct signif_side){a, 1}, (struct signif_side){open, 1});
    UNIT_TRUE("", i.value == 0.5 && isnan(i.low) && isnan(i.high));
}

static const struct unit_test tests[] = {
    {"within a run: misses as often as it says", test_within_a_run},
    {"two single runs of one drive", test_within_two_runs},
    {"within a run, by hand", test_within_by_hand},
    {"percentile at the end", test_percentile_at_the_end},
    {"between equal drives: tells a difference in 5 %", test_between_equal_drives},
    {"between equal drives with sticky runs", test_between_sticky_runs},
    {"between unlike drives: finds it", test_between_unlike_drives},
    {"between runs, by hand", test_between_by_hand},
    {"ratio within runs, by hand", test_ratio_within},
};
const struct unit_suite signif_suite = UNIT_SUITE("signif", tests);
