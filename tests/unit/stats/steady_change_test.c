/*
 * stats/steady_change: steps, stretches and their places; what must not be taken for one: noise,
 * drifts, saw-teeth, spikes.
 */
#include "stats/steady_change.h"

#include <math.h>

#include "base/check.h"
#include "base/rng.h"
#include "harness/unit.h"

#define N 300
#define ROUND 8

static const struct change_rules rules = {
    .least = ROUND, .factor = 1.2, .clear = 0.97, .deviations = 2.5};

/* A log-normal-like figure around 1: the product of four uniform ones. */
static double noise(struct rng *rng, double spread)
{
    double sum = 0;

    for (int i = 0; i < 4; i++)
        sum += rng_unit(rng) - 0.5;
    return exp(spread * sum * 1.732);
}

static void make_noise(double *v, uint64_t seed, double spread)
{
    struct rng rng = rng_at(seed);

    for (int i = 0; i < N; i++)
        v[i] = 2.0 * noise(&rng, spread);
}

static size_t find(const double *v, struct change out[8])
{
    return change_find(v, N, &rules, out, 8);
}

static void test_step(void)
{
    double v[N];
    struct change c[8];

    for (uint64_t seed = 1; seed <= 50; seed++) {
        const size_t at = 20 + seed * 5;

        make_noise(v, seed, 0.2);
        for (size_t i = at; i < N; i++)
            v[i] *= seed % 2 ? 2.5 : 0.4;
        if (!UNIT_EQ_U64("one", find(v, c), 1))
            continue;
        UNIT_NEAR("where", (double)c[0].at, (double)at, 2);
        UNIT_NEAR("before", c[0].before, 2.0, 0.2);
        UNIT_NEAR("after", c[0].after, seed % 2 ? 5.0 : 0.8, seed % 2 ? 0.5 : 0.1);
    }
}

/* A throttled stretch and back again; the other pieces are looked into as well. */
static void test_stretches(void)
{
    double v[N];
    struct change c[8];

    make_noise(v, 3, 0.2);
    for (size_t i = 60; i < 90; i++)
        v[i] *= 6;
    for (size_t i = 200; i < 215; i++)
        v[i] *= 4;
    UNIT_EQ_U64("", find(v, c), 4);
    UNIT_NEAR("", (double)c[0].at, 60, 1);
    UNIT_NEAR("", (double)c[1].at, 90, 1);
    UNIT_NEAR("", (double)c[2].at, 200, 1);
    UNIT_NEAR("", (double)c[3].at, 215, 1);
    UNIT_NEAR("", c[1].before / c[1].after, 6, 0.6);
    UNIT_EQ_U64("the first two only", change_find(v, N, &rules, c, 2), 2);
    UNIT_NEAR("", (double)c[1].at, 90, 1);
}

static void test_noise(void)
{
    double v[N];
    struct change c[8];
    int found = 0;

    for (uint64_t seed = 1; seed <= 100; seed++) {
        make_noise(v, 1000 + seed, 0.1 + 0.01 * (double)seed);
        found += find(v, c) > 0;
    }
    UNIT_TRUE("of 100 noisy series at most one", found <= 1);
}

/* Neighbours alike, as a level that wanders: x = 0.8 x + noise, a factor of 1.5 either way. */
static void test_wandering(void)
{
    double v[N];
    struct change c[8];
    int found = 0;

    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct rng rng = rng_at(5000 + seed);
        double x = 0;

        for (int i = 0; i < N; i++) {
            x = 0.8 * x + log(noise(&rng, 0.2));
            v[i] = 2.0 * exp(x);
        }
        found += find(v, c) > 0;
    }
    UNIT_TRUE("of 100 at most eight", found <= 8);
}

static void test_drift(void)
{
    double v[N];
    struct change c[8];

    for (uint64_t seed = 1; seed <= 20; seed++) {
        make_noise(v, seed, 0.05);
        for (int i = 0; i < N; i++)
            v[i] *= 1.0 + 2.0 * i / N;
        UNIT_EQ_U64("three times as much at the end", find(v, c), 0);
    }
}

/* From 1 to 3 and back to 1 at once, with periods below, of and above the least stretch. */
static void test_saw_tooth(void)
{
    static const int periods[] = {3, ROUND, 20, 40, 75};

    for (size_t p = 0; p < ARRAY_LEN(periods); p++) {
        double v[N];
        struct change c[8];

        make_noise(v, p + 1, 0.05);
        for (int i = 0; i < N; i++)
            v[i] *= 1.0 + 2.0 * (i % periods[p]) / (periods[p] - 1);
        UNIT_EQ_U64("", find(v, c), 0);
        for (int i = 150; i < N; i++)
            v[i] *= 5;
        UNIT_TRUE("and a step on it", find(v, c) >= 1);
        UNIT_NEAR("", (double)c[0].at, 150, 2 * ROUND);
    }
}

static void test_spikes(void)
{
    double v[N];
    struct change c[8];

    make_noise(v, 9, 0.1);
    for (int i = 30; i < N; i += 37)
        v[i] *= 40;
    UNIT_EQ_U64("", find(v, c), 0);
}

static void test_odd(void)
{
    double v[N] = {0};
    struct change c[8];

    UNIT_EQ_U64("all 0", find(v, c), 0);
    UNIT_EQ_U64("too few", change_find(v, 2 * ROUND - 1, &rules, c, 8), 0);
    for (int i = 100; i < N; i++)
        v[i] = 3;
    UNIT_EQ_U64("from nothing", find(v, c), 1);
    UNIT_EQ_U64("", c[0].at, 100);
}

static const struct unit_test tests[] = {{"step", test_step},     {"stretches", test_stretches},
                                         {"noise", test_noise},   {"wandering", test_wandering},
                                         {"drift", test_drift},   {"saw-tooth", test_saw_tooth},
                                         {"spikes", test_spikes}, {"odd", test_odd}};
const struct unit_suite steady_change_suite = UNIT_SUITE("steady_change", tests);
