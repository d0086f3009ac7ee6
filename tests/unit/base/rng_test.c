/*
 * base/rng: bounds, uniformity by chi-square with fixed seeds, independence of keys, and that a
 * value depends on nothing but its key and number.
 */
#include "base/rng.h"

#include <math.h>
#include <stdio.h>

#include "base/check.h"
#include "harness/unit.h"

static const uint64_t seed = 20240707; /* of all tests here */

static void test_known_values(void)
{
    /* The first outputs of splitmix64 from state 0, as published for it. */
    struct rng rng = rng_at(0);

    UNIT_EQ_U64("", rng_next(&rng), UINT64_C(0xe220a8397b1dcdaf));
    UNIT_EQ_U64("", rng_next(&rng), UINT64_C(0x6e789e6aa1b965f4));
    UNIT_EQ_U64("", rng_next(&rng), UINT64_C(0x06c45d188009454f));
}

static void test_same_key_same_values(void)
{
    struct rng a = rng_at(rng_key(seed, 1));
    struct rng b = rng_at(rng_key(seed, 1));

    for (int i = 0; i < 100; i++)
        UNIT_EQ_U64("", rng_next(&a), rng_next(&b));
}

static void test_order_of_a_key_matters(void)
{
    UNIT_TRUE("", rng_key(rng_key(seed, 1), 2) != rng_key(rng_key(seed, 2), 1));
    UNIT_TRUE("", rng_key(seed, 0) != seed);
    UNIT_TRUE("", rng_key(seed, 0) != rng_key(seed, 1));
}

static void test_bounds(void)
{
    static const struct {
        int64_t lo, hi;
    } rows[] = {
        {0, 0},
        {7, 7},
        {-3, -3},
        {0, 1},
        {-5, 5},
        {1, 100},
        {INT64_MAX, INT64_MAX},
        {INT64_MIN, INT64_MIN},
        {INT64_MAX - 2, INT64_MAX},
        {0, (INT64_C(1) << 40)},
        {INT64_MIN / 2, INT64_MAX / 2},
    };
    struct rng rng = rng_at(seed);

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        for (int n = 0; n < 10000; n++) {
            const int64_t got = rng_uniform(&rng, rows[i].lo, rows[i].hi);

            if (!UNIT_TRUE("", got >= rows[i].lo) || !UNIT_TRUE("", got <= rows[i].hi))
                return;
        }
    }
}

/* Chi-square of n draws over k equally likely values must lie within 4 sigma of its mean k - 1
 * (its variance is 2 (k - 1)). */
static double chi_square(const uint32_t *seen, size_t k, double n)
{
    const double expected = n / (double)k;
    double sum = 0;

    for (size_t i = 0; i < k; i++)
        sum += ((double)seen[i] - expected) * ((double)seen[i] - expected) / expected;
    return sum;
}

static void test_uniform(void)
{
    static const int64_t sizes[] = {2, 3, 10, 100, 255, 1000};

    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct rng rng = rng_at(rng_key(seed, i));
        uint32_t seen[1000] = {0};
        const int n = 400000;
        const double k = (double)sizes[i];
        char what[32];

        for (int j = 0; j < n; j++)
            seen[rng_uniform(&rng, 1, sizes[i]) - 1]++;
        (void)snprintf(what, sizeof(what), "1..%d", (int)sizes[i]);
        UNIT_NEAR(what, chi_square(seen, (size_t)sizes[i], n), k - 1, 4 * sqrt(2 * (k - 1)));
    }
}

/* The first values of neighbouring keys are as good as one stream: rows of a table are drawn so. */
static void test_neighbouring_keys(void)
{
    uint32_t seen[100] = {0};
    const int n = 400000;

    for (int i = 0; i < n; i++) {
        struct rng rng = rng_at(rng_key(seed, (uint64_t)i));

        seen[rng_uniform(&rng, 0, 99)]++;
    }
    UNIT_NEAR("", chi_square(seen, 100, n), 99, 4 * sqrt(2 * 99.0));
}

static void test_unit_interval(void)
{
    struct rng rng = rng_at(rng_key(seed, 99));
    const int n = 1000000;
    double sum = 0;
    double squares = 0;

    for (int i = 0; i < n; i++) {
        const double u = rng_unit(&rng);

        if (!UNIT_TRUE("", u > 0) || !UNIT_TRUE("", u < 1))
            return;
        sum += u;
        squares += u * u;
    }
    UNIT_NEAR("mean", sum / n, 0.5, 4 * sqrt(1.0 / 12 / n));
    UNIT_NEAR("mean square", squares / n, 1.0 / 3, 4 * sqrt(4.0 / 45 / n));
}

static const struct unit_test tests[] = {
    {"known values", test_known_values},
    {"same key same values", test_same_key_same_values},
    {"order of a key matters", test_order_of_a_key_matters},
    {"bounds", test_bounds},
    {"uniform", test_uniform},
    {"neighbouring keys", test_neighbouring_keys},
    {"unit interval", test_unit_interval},
};

const struct unit_suite rng_suite = UNIT_SUITE("rng", tests);
