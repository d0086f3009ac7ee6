/* stats/steady: the limits on both sides of them, saw-teeth, figures that are missing, and how much
 * of a range is chance. */
#include "stats/steady.h"

#include <math.h>

#include "base/check.h"
#include "base/rng.h"
#include "harness/unit.h"

static void test_limits(void)
{
    static const struct {
        const char *what;
        double round[STEADY_WINDOW];
        double range_percent, slope_percent;
        bool steady;
    } rows[] = {
        {"flat", {3, 3, 3, 3, 3}, 0, 0, true},
        {"drift of 9 %", {95.5, 97.75, 100, 102.25, 104.5}, 9, 9, true},
        {"drift of 10 %", {95, 97.5, 100, 102.5, 105}, 10, 10, true},
        {"drift of 11 %", {94.5, 97.25, 100, 102.75, 105.5}, 11, 11, false},
        {"falls by 11 %", {105.5, 102.75, 100, 97.25, 94.5}, 11, -11, false},
        {"range of 19 %", {100, 109.5, 90.5, 100, 100}, 19, -3.8, true},
        {"range of 20 %", {100, 110, 90, 100, 100}, 20, -4, true},
        {"range of 21 %", {100, 110.5, 89.5, 100, 100}, 21, -4.2, false},
        {"one round aside", {100, 100, 115, 100, 100}, 100 * 15.0 / 103, 0, true},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct steady_window w = steady_judge(rows[i].round, NULL);

        UNIT_NEAR(rows[i].what, w.range_percent, rows[i].range_percent, 1e-9);
        UNIT_NEAR(rows[i].what, w.slope_percent, rows[i].slope_percent, 1e-9);
        UNIT_TRUE(rows[i].what, w.steady == rows[i].steady);
    }
}

/* The unit of a figure does not matter. */
static void test_scale(void)
{
    struct rng rng = rng_at(7);

    for (int i = 0; i < 1000; i++) {
        double a[STEADY_WINDOW];
        double b[STEADY_WINDOW];
        struct steady_window wa;
        struct steady_window wb;

        for (int k = 0; k < STEADY_WINDOW; k++) {
            a[k] = 1.0 + 0.3 * rng_unit(&rng);
            b[k] = 1e-5 * a[k];
        }
        wa = steady_judge(a, NULL);
        wb = steady_judge(b, NULL);
        UNIT_NEAR("range", wa.range_percent, wb.range_percent, 1e-9);
        UNIT_NEAR("slope", wa.slope_percent, wb.slope_percent, 1e-9);
        UNIT_TRUE("within limits or not", (steady_excess(&wa) <= 1) == wa.steady);
    }
}

/* Means of rounds of `length` over a saw-tooth of period `period` that rises from 1 to 3. */
static struct steady_window judge_saw(int period, int length)
{
    double round[STEADY_WINDOW];

    for (int i = 0; i < STEADY_WINDOW; i++) {
        double sum = 0;

        for (int k = 0; k < length; k++)
            sum += 1.0 + 2.0 * ((i * length + k) % period) / (period - 1);
        round[i] = sum / length;
    }
    return steady_judge(round, NULL);
}

static void test_saw_tooth(void)
{
    UNIT_TRUE("a third of a period", !judge_saw(300, 100).steady);
    UNIT_TRUE("two thirds", !judge_saw(300, 200).steady);
    UNIT_TRUE("one period", judge_saw(300, 300).steady);
    UNIT_TRUE("two periods", judge_saw(300, 600).steady);
    UNIT_TRUE("ten and a half", judge_saw(60, 630).steady);
}

static void test_missing(void)
{
    const double missing[STEADY_WINDOW] = {1, 1, (double)NAN, 1, 1};
    const double zero[STEADY_WINDOW] = {0};
    const struct steady_window a = steady_judge(missing, NULL);
    const struct steady_window b = steady_judge(zero, NULL);

    UNIT_TRUE("missing", isnan(a.mean) && isnan(a.range_percent) && isnan(a.slope_percent));
    UNIT_TRUE("missing", !a.steady);
    UNIT_TRUE("all 0", isnan(b.mean) && !b.steady);
}

enum { PARTS = 40, WINDOWS = 2000 };

/* A window of rounds of noise: most parts 0.5, one in twelve 6.5 (mean 1), as a stall is; `level`
 * is a factor of each round. Judged as a document's rounds are. */
static struct steady_window judge_noise(struct rng *rng, const double level[STEADY_WINDOW],
                                        struct steady_error *error)
{
    double deviation[STEADY_WINDOW * PARTS];
    double round[STEADY_WINDOW] = {0};

    for (int i = 0; i < STEADY_WINDOW; i++) {
        double *of = deviation + (ptrdiff_t)i * PARTS;

        for (int p = 0; p < PARTS; p++) {
            of[p] = level[i] * (rng_unit(rng) < 1.0 / 12 ? 6.5 : 0.5);
            round[i] += of[p] / PARTS;
        }
        for (int p = 0; p < PARTS; p++)
            of[p] = (of[p] - round[i]) / PARTS;
    }
    *error = steady_error_of(deviation, PARTS);
    return steady_judge(round, error);
}

/* Of windows of one level nearly all are beyond 20 %, and hardly one is called unsteady; the error
 * is right on average; a level that doubles is seen all the same. */
static void test_chance(void)
{
    static const double one[STEADY_WINDOW] = {1, 1, 1, 1, 1};
    static const double grows[STEADY_WINDOW] = {1, 2, 3, 4, 5};
    struct rng rng = rng_at(11);
    double variance = 0;
    int beyond = 0;
    int unsteady = 0;
    int seen = 0;

    for (int i = 0; i < WINDOWS; i++) {
        struct steady_error error;
        struct steady_window w = judge_noise(&rng, one, &error);

        beyond += w.range_percent > STEADY_RANGE_PERCENT;
        unsteady += !w.steady;
        variance += error.of_round * error.of_round / WINDOWS;
        seen += !judge_noise(&rng, grows, &error).steady;
    }
    UNIT_NEAR("standard error", sqrt(variance), 6 * sqrt(11.0) / 12 / sqrt(PARTS), 0.02);
    UNIT_TRUE("beyond the industry's limits", beyond > 0.95 * WINDOWS);
    UNIT_TRUE("by chance", unsteady < 0.02 * WINDOWS);
    UNIT_TRUE("growth of five times", seen > 0.7 * WINDOWS);
}

/* What comes back in each round (a checkpoint) is no chance, nor is a drift that is in all. */
static void test_shared(void)
{
    double deviation[STEADY_WINDOW * PARTS];
    const double drift[STEADY_WINDOW] = {94.5, 97.25, 100, 102.75, 105.5};
    struct steady_error error;

    for (int i = 0; i < STEADY_WINDOW * PARTS; i++)
        deviation[i] = (i % PARTS - (PARTS - 1) / 2.0) * 10;
    error = steady_error_of(deviation, PARTS);
    UNIT_NEAR("", error.of_round, 0, 1e-9);
    UNIT_TRUE("drift of 11 %", !steady_judge(drift, &error).steady);
    error = steady_error_of(deviation, 7);
    UNIT_TRUE("too few parts", isnan(error.of_round));
    UNIT_TRUE("drift of 11 %", !steady_judge(drift, &error).steady);
    UNIT_TRUE("not known", isnan(steady_judge(drift, &error).chance_range_percent));
}

/* The limit that chance makes is one, too: just above it is unsteady. */
static void test_chance_limit(void)
{
    const double round[STEADY_WINDOW] = {100, 115, 85, 100, 100};
    const struct steady_error little = {.of_round = 4, .df = 16}; /* 4 x sqrt 2 x t of 0.999 */
    const struct steady_error more = {.of_round = 6, .df = 16};

    UNIT_NEAR("range", steady_judge(round, &little).chance_range_percent, 4 * sqrt(2) * 4.0150,
              0.01);
    UNIT_NEAR("slope", steady_judge(round, &little).chance_slope_percent, 4 * 4 / sqrt(10) * 2.9208,
              0.01);
    UNIT_TRUE("30 % over 22.7 %", !steady_judge(round, &little).steady);
    UNIT_TRUE("30 % below 34.1 %", steady_judge(round, &more).steady);
}

static const struct unit_test tests[] = {{"limits", test_limits},
                                         {"scale", test_scale},
                                         {"saw-tooth", test_saw_tooth},
                                         {"missing", test_missing},
                                         {"chance", test_chance},
                                         {"shared", test_shared},
                                         {"chance limit", test_chance_limit}};
const struct unit_suite steady_suite = UNIT_SUITE("steady", tests);
