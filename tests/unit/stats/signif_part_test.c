/*
 * Intervals of a part of the transactions, on simulated runs: a part that is all gives (nearly) the
 * interval of all; the truth is inside as often as it should be.
 */
#include "stats/signif_part.h"

#include <math.h>

#include "harness/unit.h"
#include "stats/signif_simulated.h"

#define MS_NS_D 1e6

static const struct simulated_drive drive = {.series = {SIMULATED_AR1, 0.6},
                                             .log_level = 1,
                                             .level_sd = 0.15,
                                             .value_sd = 0.5,
                                             .values = 60};

static struct hist *all_of(const struct simulated_run *run)
{
    struct hist *all = hist_new();

    for (int b = 0; b < SIMULATED_BATCHES; b++)
        hist_add(all, run->hist[b]);
    return all;
}

static void test_a_part_that_is_all(void)
{
    struct simulated_run run = {0};
    struct rng rng = rng_at(11);
    struct hist *all = NULL;
    struct signif_interval whole;
    struct signif_interval part;

    simulated_fill(&run, &drive, &rng);
    all = all_of(&run);
    const struct signif_whole w = {run.batch, SIMULATED_BATCHES};

    whole = signif_percentile_ms(run.batch, SIMULATED_BATCHES, 95, 0.95);
    part = signif_part_percentile_ms(w, all, 95, 0.95);
    UNIT_NEAR("", part.value, whole.value, 1e-9);
    UNIT_NEAR("", part.low / whole.low, 1, 0.01);
    UNIT_NEAR("", part.high / whole.high, 1, 0.01);
    whole = signif_mean_ms(run.batch, SIMULATED_BATCHES, 0.95);
    part = signif_part_mean_ms(w, all, 0.95);
    UNIT_NEAR("", part.low / whole.low, 1, 0.01);
    UNIT_NEAR("", part.high / whole.high, 1, 0.01);
    hist_free(all);
    simulated_release(&run);
}

static void test_too_few(void)
{
    struct simulated_run run = {0};
    struct rng rng = rng_at(12);
    struct hist *few = hist_new();

    simulated_fill(&run, &drive, &rng);
    const struct signif_whole w = {run.batch, SIMULATED_BATCHES};

    UNIT_TRUE("none at all", isnan(signif_part_percentile_ms(w, few, 95, 0.95).value));
    UNIT_TRUE("none at all", isnan(signif_part_mean_ms(w, few, 0.95).value));
    for (int i = 0; i < 100; i++)
        hist_record_ns(few, 5000000);
    UNIT_NEAR("a value", signif_part_percentile_ms(w, few, 99, 0.95).value, 5, 0.01);
    UNIT_TRUE("no interval", isnan(signif_part_percentile_ms(w, few, 99, 0.95).low));
    hist_free(few);
    simulated_release(&run);
}

/* One value in ten is of the part; it feels the same ups and downs as all. */
static struct hist *part_of(struct simulated_run *run, struct rng *rng)
{
    struct hist *part = hist_new();
    double level[SIMULATED_BATCHES];

    simulated_series(&drive.series, rng, level, SIMULATED_BATCHES);
    for (int b = 0; b < SIMULATED_BATCHES; b++) {
        hist_clear(run->hist[b]);
        for (int i = 0; i < drive.values; i++) {
            const double ms = exp(drive.log_level + drive.level_sd * level[b] +
                                  drive.value_sd * simulated_normal(rng));

            hist_record_ns(run->hist[b], (uint64_t)llround(MS_NS_D * ms));
            if (i % 10 == 0)
                hist_record_ns(part, (uint64_t)llround(MS_NS_D * ms));
        }
        run->batch[b] = (struct signif_batch){hist_count(run->hist[b]), hist_sum_ns(run->hist[b]),
                                              run->hist[b]};
    }
    return part;
}

static void test_the_truth_is_inside(void)
{
    const int runs = simulated_runs(400);
    const double sd = hypot(drive.level_sd, drive.value_sd);
    const double p95 = exp(drive.log_level + 1.6449 * sd);
    const double mean = exp(drive.log_level + sd * sd / 2);
    struct simulated_run run = {0};
    struct rng rng = rng_at(13);
    int known = 0;
    int inside_p95 = 0;
    int inside_mean = 0;

    simulated_fill(&run, &drive, &rng);
    for (int i = 0; i < runs; i++) {
        struct hist *part = part_of(&run, &rng);
        const struct signif_whole w = {run.batch, SIMULATED_BATCHES};
        const struct signif_interval p = signif_part_percentile_ms(w, part, 95, 0.95);
        const struct signif_interval m = signif_part_mean_ms(w, part, 0.95);

        known += isfinite(p.low);
        inside_p95 += p.low <= p95 && p95 <= p.high;
        inside_mean += m.low <= mean && mean <= m.high;
        hist_free(part);
    }
    /* With 36 values beyond it a percentile may be too near the end to have an interval. */
    simulated_rate("a part's p95 with an interval", 100.0 * known / runs, 80, 100);
    simulated_rate("p95 of a part", 100.0 * inside_p95 / known, 93, 100);
    simulated_rate("mean of a part", 100.0 * inside_mean / runs, 93, 100);
    simulated_release(&run);
}

/* At a limit that is the true p95, both decide wrongly as seldom as they promise; far from it they
 * decide. */
static void test_shares_below_a_limit(void)
{
    const int runs = simulated_runs(400);
    const double sd = hypot(drive.level_sd, drive.value_sd);
    const struct signif_limit at = {exp(drive.log_level + 1.6449 * sd), 95};
    const struct signif_limit far = {exp(drive.log_level), 95};
    struct simulated_run run = {0};
    struct rng rng = rng_at(14);
    int wrong = 0;
    int wrong_part = 0;
    int decided = 0;

    simulated_fill(&run, &drive, &rng);
    for (int i = 0; i < runs; i++) {
        struct hist *part = part_of(&run, &rng);
        const struct signif_whole w = {run.batch, SIMULATED_BATCHES};
        const struct signif_interval all =
            signif_share_below(run.batch, SIMULATED_BATCHES, at, 0.95);
        const struct signif_interval some = signif_part_share_below(w, part, at, 0.95);

        wrong += all.low > 95 || all.high < 95;
        wrong_part += some.low > 95 || some.high < 95;
        decided += signif_share_below(run.batch, SIMULATED_BATCHES, far, 0.95).high < 95 &&
                   signif_part_share_below(w, part, far, 0.95).high < 95;
        hist_free(part);
    }
    simulated_rate("wrong at the limit", 100.0 * wrong / runs, 1, 9);
    simulated_rate("wrong at the limit, of a part", 100.0 * wrong_part / runs, 0, 7);
    simulated_rate("decided far from it", 100.0 * decided / runs, 100, 100);
    simulated_release(&run);
}

/* Too few to prove anything, though all are below. */
static void test_few_below_a_limit(void)
{
    struct simulated_run run = {0};
    const struct simulated_drive small = {
        .series = drive.series, .log_level = 1, .level_sd = 0.1, .value_sd = 0.1, .values = 1};
    const struct signif_limit limit = {1000, 95};
    struct rng rng = rng_at(15);

    simulated_fill(&run, &small, &rng);
    UNIT_NEAR("", signif_share_below(run.batch, SIMULATED_BATCHES, limit, 0.95).value, 100, 0);
    UNIT_TRUE("120 values have 6 beyond p95",
              isnan(signif_share_below(run.batch, SIMULATED_BATCHES, limit, 0.95).low));
    simulated_release(&run);
}

static const struct unit_test tests[] = {
    {"a part that is all", test_a_part_that_is_all},
    {"too few", test_too_few},
    {"the truth is inside", test_the_truth_is_inside},
    {"shares below a limit", test_shares_below_a_limit},
    {"few below a limit", test_few_below_a_limit},
};
const struct unit_suite signif_part_suite = UNIT_SUITE("signif_part", tests);
