#include "tpcc/pace.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "harness/unit.h"

#define S 1e9
#define DRAWS 100000

static const uint8_t mix_100[TXN_TYPES] = {45, 43, 4, 4, 4};
static const uint8_t mix_23[TXN_TYPES] = {10, 10, 1, 1, 1};

static struct pace standard(double factor)
{
    static const double keying_s[TXN_TYPES] = {18, 3, 2, 2, 2};
    static const double think_s[TXN_TYPES] = {12, 12, 10, 5, 5};
    struct pace p = {.kind = PACE_THINK, .factor = factor};

    for (int t = 0; t < TXN_TYPES; t++) {
        p.keying[t] = (struct dist){.kind = DIST_FIXED, .mean_ns = keying_s[t] * S};
        p.think[t] = (struct dist){.kind = DIST_NEGEXP, .mean_ns = think_s[t] * S};
    }
    return p;
}

static void test_ceilings(void)
{
    const struct pace tpcc = standard(1);
    const struct pace oltp = standard(0.226);
    const struct pace none = {.kind = PACE_NONE, .factor = 1};

    UNIT_NEAR("tpcc cycle", pace_mean_cycle_ns(&tpcc, mix_100) / S, 20.99, 0.001);
    UNIT_NEAR("tpcc", pace_ceiling_tps(&tpcc, mix_100, 15000), 714.6, 0.05);
    UNIT_NEAR("oltp cycle", pace_mean_cycle_ns(&oltp, mix_100) / S, 4.744, 0.0005);
    UNIT_NEAR("oltp", pace_ceiling_tps(&oltp, mix_100, 15000), 3162, 0.5);
    UNIT_NEAR("the standard's deck", pace_mean_cycle_ns(&tpcc, mix_23) / S, 20.696, 0.001);
    UNIT_NEAR("the standard's deck", pace_ceiling_tps(&tpcc, mix_23, 15000), 724.8, 0.05);
    UNIT_NEAR("none", pace_mean_cycle_ns(&none, mix_100), 0, 0);
    UNIT_TRUE("none", isnan(pace_ceiling_tps(&none, mix_100, 15000)));
}

struct moments {
    double mean, sd, least, greatest;
};

static struct moments draw_many(const struct dist *d, double *values)
{
    struct rng r = rng_at(rng_key(21, (uint64_t)d->kind));
    struct moments m = {.least = HUGE_VAL, .greatest = -HUGE_VAL};
    double squares = 0;

    for (int i = 0; i < DRAWS; i++) {
        const double x = (double)dist_draw_ns(d, rng_next(&r));

        m.mean += x / DRAWS;
        squares += x * x / DRAWS;
        m.least = fmin(m.least, x);
        m.greatest = fmax(m.greatest, x);
        if (values)
            values[i] = x;
    }
    m.sd = sqrt(squares - m.mean * m.mean);
    return m;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/* Kolmogorov and Smirnov: the greatest distance from the exponential, times sqrt(n); below 1.63
 * with 99 %. */
static double exponential_distance(double *values, double mean)
{
    double worst = 0;

    qsort(values, DRAWS, sizeof(*values), compare);
    for (int i = 0; i < DRAWS; i++) {
        const double share = 1 - exp(-values[i] / mean);

        worst = fmax(worst, fmax(fabs(share - (double)i / DRAWS), fabs(share - (i + 1.0) / DRAWS)));
    }
    return worst * sqrt(DRAWS);
}

/* 5.2.5.4: T = -ln(r) x mean, cut at 10 means. */
static void test_think_is_exponential_5_2_5_4(void)
{
    const struct dist d = {.kind = DIST_NEGEXP, .mean_ns = 12 * S};
    double *values = xcalloc(DRAWS, sizeof(*values));
    const struct moments m = draw_many(&d, values);

    UNIT_NEAR("mean within 1 %", m.mean / S, 12, 0.12);
    UNIT_NEAR("sd is the mean", m.sd / S, 12, 0.2);
    UNIT_NEAR("Kolmogorov-Smirnov", exponential_distance(values, 12 * S), 0.8, 0.83);
    UNIT_NEAR("the cut's share of the mean", dist_mean_ns(&d) / (12 * S), 1 - 0.0000454, 1e-7);
    UNIT_TRUE("cut", m.greatest <= 120 * S);
    UNIT_EQ_U64("cut", dist_draw_ns(&d, 0), 120 * (uint64_t)S);
    free(values);
}

/* 5.2.5.2: constant. */
static void test_keying_is_constant_5_2_5_2(void)
{
    const struct dist d = {.kind = DIST_FIXED, .mean_ns = 18 * S};
    const struct moments m = draw_many(&d, NULL);

    UNIT_NEAR("", m.least, 18 * S, 0);
    UNIT_NEAR("", m.greatest, 18 * S, 0);
}

static void test_uniform(void)
{
    const struct dist d = {.kind = DIST_UNIFORM, .low_ns = 2 * S, .high_ns = 8 * S};
    const struct moments m = draw_many(&d, NULL);

    UNIT_NEAR("", dist_mean_ns(&d) / S, 5, 1e-12);
    UNIT_NEAR("", m.mean / S, 5, 0.03);
    UNIT_NEAR("", m.sd / S, 6 / sqrt(12), 0.02);
    UNIT_TRUE("", m.least >= 2 * S && m.greatest <= 8 * S);
}

static void test_normal(void)
{
    const struct dist wide = {.kind = DIST_NORMAL, .mean_ns = 10 * S, .sd_ns = 2 * S};
    const struct dist cut = {.kind = DIST_NORMAL, .mean_ns = 1 * S, .sd_ns = 2 * S};
    struct moments m = draw_many(&wide, NULL);

    UNIT_NEAR("mean", m.mean / S, 10, 0.03);
    UNIT_NEAR("sd", m.sd / S, 2, 0.02);
    UNIT_TRUE("cut at 4 sd", m.greatest <= 18 * S + 1);
    UNIT_NEAR("true mean", dist_mean_ns(&wide) / S, 10, 0.0001);
    m = draw_many(&cut, NULL);
    UNIT_NEAR("put on 0", m.least, 0, 0);
    UNIT_NEAR("true mean of the cut one", m.mean / dist_mean_ns(&cut), 1, 0.01);
}

/* The wait is think of the last and keying of the next, both times the factor, independent. */
static void test_wait(void)
{
    struct pace p = standard(0.5);
    struct rng r = rng_at(3);
    double sum = 0;
    double least = HUGE_VAL;

    for (int i = 0; i < DRAWS; i++) {
        const double x = (double)pace_wait_ns(&p, TXN_STOCK_LEVEL, TXN_NEW_ORDER, rng_next(&r));

        sum += x;
        least = fmin(least, x);
    }
    UNIT_NEAR("(18 + 5) / 2", sum / DRAWS / S, 11.5, 0.04);
    UNIT_NEAR("never below keying", least / S, 9, 0.01);
    p.kind = PACE_NONE;
    UNIT_EQ_U64("none", pace_wait_ns(&p, TXN_PAYMENT, TXN_PAYMENT, 1), 0);
    p.kind = PACE_CYCLE;
    p.interval = (struct dist){.kind = DIST_FIXED, .mean_ns = 3 * S};
    UNIT_EQ_U64("cycle", pace_wait_ns(&p, TXN_PAYMENT, TXN_PAYMENT, 1), 1500000000);
    UNIT_NEAR("cycle", pace_mean_cycle_ns(&p, mix_100) / S, 1.5, 1e-12);
    p.kind = PACE_INTERARRIVAL;
    p.factor = 1;
    UNIT_EQ_U64("interval", pace_wait_ns(&p, TXN_DELIVERY, TXN_PAYMENT, 1), 3000000000);
    UNIT_NEAR("interval", pace_ceiling_tps(&p, mix_100, 300), 100, 1e-9);
}

static const struct unit_test tests[] = {
    {"ceilings", test_ceilings},
    {"think_is_exponential_5_2_5_4", test_think_is_exponential_5_2_5_4},
    {"keying_is_constant_5_2_5_2", test_keying_is_constant_5_2_5_2},
    {"uniform", test_uniform},
    {"normal", test_normal},
    {"wait", test_wait},
};
const struct unit_suite pace_suite = UNIT_SUITE("pace", tests);
