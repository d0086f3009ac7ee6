/* stats/steady: the limits on both sides of them, saw-teeth, figures that are missing. */
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
        const struct steady_window w = steady_judge(rows[i].round);

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
        wa = steady_judge(a);
        wb = steady_judge(b);
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
    return steady_judge(round);
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
    const struct steady_window a = steady_judge(missing);
    const struct steady_window b = steady_judge(zero);

    UNIT_TRUE("missing", isnan(a.mean) && isnan(a.range_percent) && isnan(a.slope_percent));
    UNIT_TRUE("missing", !a.steady);
    UNIT_TRUE("all 0", isnan(b.mean) && !b.steady);
}

static const struct unit_test tests[] = {{"limits", test_limits},
                                         {"scale", test_scale},
                                         {"saw-tooth", test_saw_tooth},
                                         {"missing", test_missing}};
const struct unit_suite steady_suite = UNIT_SUITE("steady", tests);
