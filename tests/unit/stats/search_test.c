/*
 * The search on made curves of response over load: exact ones, noisy ones whose looks may be
 * unsure, those that never hold or always do; and that a search that was cut off goes on as it
 * would have.
 */
#include "stats/search.h"

#include <math.h>
#include <stdio.h>

#include "harness/unit.h"
#include "stats/signif_simulated.h"

static const struct search_rules usual = {
    .first = 3750, .floor = 234, .ceiling = 15000, .precision = 0.05, .samples_max = 4};

/* A queue's response: it grows without bound towards the capacity. */
static double response_ms(double load, double capacity)
{
    return load < capacity ? 2.0 / (1 - load / capacity) : 1000;
}

/* Where it crosses 20 ms: at nine tenths of the capacity. */
static double crossing(double capacity)
{
    return 0.9 * capacity;
}

static enum search_says exactly(uint64_t load, double capacity)
{
    return response_ms((double)load, capacity) < 20 ? SEARCH_HOLDS : SEARCH_FAILS;
}

static struct search_answer search_exactly(double capacity, size_t *looks)
{
    struct search s;

    search_init(&s, &usual);
    for (*looks = 0; search_next(&s) != 0 && *looks < 100; (*looks)++)
        search_tell(&s, search_next(&s), exactly(search_next(&s), capacity));
    return search_answer(&s);
}

static void test_exact_curves(void)
{
    double capacity = 300;

    while (capacity < 16000) {
        size_t looks = 0;
        const struct search_answer a = search_exactly(capacity, &looks);
        char name[40];

        (void)snprintf(name, sizeof(name), "capacity %.0f", capacity);
        UNIT_EQ_I64(name, a.end, SEARCH_FOUND);
        UNIT_TRUE(name,
                  (double)a.holds < crossing(capacity) && (double)a.fails >= crossing(capacity));
        UNIT_TRUE(name, (double)a.fails <= 1.05 * (double)a.holds || a.fails == a.holds + 1);
        UNIT_EQ_U64(name, a.next, a.fails);
        UNIT_TRUE(name, looks <= 10);
        capacity *= 1.07;
    }
}

static void test_floor_and_ceiling(void)
{
    size_t looks = 0;
    struct search_answer a = search_exactly(100, &looks);

    UNIT_EQ_I64("not even 234", a.end, SEARCH_FLOOR);
    UNIT_EQ_U64("", a.holds, 0);
    UNIT_EQ_U64("", a.next, 234);
    a = search_exactly(1e6, &looks);
    UNIT_EQ_I64("all 15,000", a.end, SEARCH_CEILING);
    UNIT_EQ_U64("", a.holds, 15000);
    UNIT_EQ_U64("", a.next, 0);
    UNIT_EQ_U64("3,750, 7,500, 15,000", looks, 3);
}

static void test_least_loads(void)
{
    const struct search_rules rules = {
        .first = 1, .floor = 1, .ceiling = 3, .precision = 0.05, .samples_max = 1};
    struct search s;

    search_init(&s, &rules);
    UNIT_EQ_U64("", search_next(&s), 1);
    search_tell(&s, 1, SEARCH_HOLDS);
    UNIT_EQ_U64("", search_next(&s), 2);
    search_tell(&s, 2, SEARCH_HOLDS);
    UNIT_EQ_U64("", search_next(&s), 3);
    search_tell(&s, 3, SEARCH_FAILS);
    UNIT_EQ_U64("nothing between", search_next(&s), 0);
    UNIT_EQ_I64("", search_answer(&s).end, SEARCH_FOUND);
    UNIT_EQ_U64("", search_answer(&s).holds, 2);
}

/* What is unsure is looked at again, and then taken as neither. */
static void test_unsure(void)
{
    struct search s;

    search_init(&s, &usual);
    search_tell(&s, 3750, SEARCH_HOLDS);
    search_tell(&s, 7500, SEARCH_UNSURE);
    for (int i = 0; i < 3; i++) {
        UNIT_EQ_U64("again", search_next(&s), 7500);
        search_tell(&s, 7500, SEARCH_UNSURE);
    }
    UNIT_EQ_U64("upwards for one that fails", search_next(&s), 15000);
    search_tell(&s, 15000, SEARCH_FAILS);
    UNIT_EQ_U64("the lower edge", search_next(&s), 5303);
    while (search_next(&s) != 0 && search_next(&s) < 7500)
        search_tell(&s, search_next(&s), SEARCH_HOLDS);
    UNIT_EQ_U64("the upper edge", search_next(&s), 10607);
    while (search_next(&s) != 0)
        search_tell(&s, search_next(&s), SEARCH_FAILS);
    UNIT_EQ_I64("", search_answer(&s).end, SEARCH_FOUND);
    UNIT_EQ_U64("not known to hold", search_answer(&s).next, 7500);
    UNIT_TRUE("", search_answer(&s).holds < 7500 && search_answer(&s).holds >= 7142);
    UNIT_TRUE("", search_answer(&s).fails > 7500 && search_answer(&s).fails <= 7875);
}

static void test_unsure_at_the_ceiling(void)
{
    const struct search_rules rules = {
        .first = 8, .floor = 1, .ceiling = 8, .precision = 0.5, .samples_max = 1};
    struct search s;

    search_init(&s, &rules);
    search_tell(&s, 8, SEARCH_UNSURE);
    UNIT_EQ_U64("", search_next(&s), 2);
    search_tell(&s, 2, SEARCH_HOLDS);
    UNIT_EQ_U64("", search_next(&s), 4);
    search_tell(&s, 4, SEARCH_HOLDS);
    search_tell(&s, 6, SEARCH_HOLDS);
    UNIT_EQ_U64("", search_next(&s), 0);
    UNIT_EQ_I64("", search_answer(&s).end, SEARCH_FOUND);
    UNIT_EQ_U64("", search_answer(&s).fails, 0);
    UNIT_EQ_U64("", search_answer(&s).next, 8);
}

/* A look with an error of 5 % of the response, less with more samples. */
static enum search_says noisily(struct rng *rng, uint64_t load, double capacity, unsigned samples)
{
    const double error = 0.05 / sqrt((double)samples);
    const double seen = log(response_ms((double)load, capacity)) + error * simulated_normal(rng);

    if (seen + 1.96 * error < log(20))
        return SEARCH_HOLDS;
    return seen - 1.96 * error > log(20) ? SEARCH_FAILS : SEARCH_UNSURE;
}

static unsigned samples_of(const struct search *s, uint64_t load)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->point[i].load == load)
            return s->point[i].samples;
    }
    return 0;
}

/* Within 10 % of the truth in (nearly) all searches, though looks are noisy. */
static void test_noisy_curves(void)
{
    const int runs = simulated_runs(2000);
    int near = 0;
    int inside = 0;

    for (int i = 0; i < runs; i++) {
        struct rng rng = rng_at(rng_key(7, (uint64_t)i));
        const double capacity = 400 + 14000 * rng_unit(&rng);
        struct search s;
        struct search_answer a;

        search_init(&s, &usual);
        for (uint64_t load = search_next(&s); load != 0; load = search_next(&s))
            search_tell(&s, load, noisily(&rng, load, capacity, samples_of(&s, load) + 1));
        a = search_answer(&s);
        near += fabs((double)a.holds / crossing(capacity) - 1) <= 0.10;
        inside += (double)a.holds <= crossing(capacity) * 1.01 &&
                  (a.fails == 0 || (double)a.fails >= crossing(capacity) * 0.99);
    }
    simulated_rate("the answer within 10 %", 100.0 * near / runs, 99, 100);
    simulated_rate("the truth within its bounds", 100.0 * inside / runs, 95, 100);
}

/* Cut off after any look and told again what was seen, it goes on with the same load. */
static void test_goes_on(void)
{
    for (size_t cut = 0; cut < 8; cut++) {
        struct search whole;
        struct search again;
        size_t looks = 0;

        search_init(&whole, &usual);
        search_init(&again, &usual);
        for (uint64_t load = search_next(&whole); load != 0 && looks < cut; looks++) {
            search_tell(&whole, load, exactly(load, 9000));
            load = search_next(&whole);
        }
        for (size_t i = 0; i < whole.n; i++)
            search_tell(&again, whole.point[i].load, whole.point[i].says);
        UNIT_EQ_U64("", search_next(&again), search_next(&whole));
    }
}

static const struct unit_test tests[] = {
    {"exact curves", test_exact_curves},
    {"floor and ceiling", test_floor_and_ceiling},
    {"least loads", test_least_loads},
    {"unsure", test_unsure},
    {"unsure at the ceiling", test_unsure_at_the_ceiling},
    {"noisy curves", test_noisy_curves},
    {"goes on", test_goes_on},
};
const struct unit_suite search_suite = UNIT_SUITE("search", tests);
