/*
 * tpcc/nurand and the constants C (2.1.6, 2.1.6.1), and the last names of 4.3.2.3.
 */
#include "tpcc/nurand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chi_square.h"
#include "harness/unit.h"

enum { DRAWS = 2000000 };

typedef int32_t (*draw_fn)(struct rng *r, const struct nurand_c *c);

static void try_nurand(draw_fn draw, struct nurand_case of)
{
    const struct nurand_c c = {.customer_last = of.c, .customer_id = of.c, .item_id = of.c};
    struct rng r = rng_at(rng_key(7, (uint64_t)of.a));
    uint32_t *seen = calloc((size_t)(of.y - of.x + 1), sizeof(*seen));
    double *share = nurand_shares(&of);
    bool inside = true;

    for (int i = 0; i < DRAWS; i++) {
        const int32_t v = draw(&r, &c);

        inside = inside && v >= of.x && v <= of.y;
        if (v >= of.x && v <= of.y)
            seen[v - of.x]++;
    }
    UNIT_TRUE("all inside x..y", inside);
    UNIT_NEAR("chi-square, sigma", chi_square_sigma(seen, share, (size_t)(of.y - of.x + 1)), 0, 5);
    free(seen);
    free(share);
}

static void test_last_names_drawn(void)
{
    try_nurand(nurand_last_name, (struct nurand_case){NURAND_A_CUSTOMER_LAST, 0, 999, 0});
    try_nurand(nurand_last_name, (struct nurand_case){NURAND_A_CUSTOMER_LAST, 0, 999, 255});
}

static void test_customers_drawn(void)
{
    try_nurand(nurand_customer_id, (struct nurand_case){NURAND_A_CUSTOMER_ID, 1, 3000, 1023});
}

static void test_items_drawn(void)
{
    const struct nurand_c c = {.item_id = 8191};
    struct rng r = rng_at(5);
    int32_t least = INT32_MAX;
    int32_t greatest = 0;
    double sum = 0;

    /* 8192 x 100,000 pairs are too many for the exact shares: bounds, and the mean from them. */
    for (int i = 0; i < DRAWS; i++) {
        const int32_t v = nurand_item_id(&r, &c);

        least = v < least ? v : least;
        greatest = v > greatest ? v : greatest;
        sum += v;
    }
    UNIT_EQ_I64("", least >= 1, 1);
    UNIT_EQ_I64("", greatest <= 100000, 1);
    UNIT_TRUE("the ends are reached", least < 100);
    UNIT_TRUE("the ends are reached", greatest > 99900);
    {
        struct rng q = rng_at(99);
        double want = 0;

        for (int i = 0; i < DRAWS; i++)
            want += (double)(((rng_uniform(&q, 0, 8191) | rng_uniform(&q, 1, 100000)) + 8191) %
                             100000) +
                    1;
        UNIT_NEAR("mean", sum / DRAWS, want / DRAWS, 5 * 30000.0 / sqrt(DRAWS));
    }
}

static void test_c_load(void)
{
    bool seen[NURAND_A_CUSTOMER_LAST + 1] = {false};
    int n = 0;

    for (uint64_t seed = 0; seed < 5000; seed++) {
        const struct nurand_c c = nurand_c_load(seed);
        const struct nurand_c again = nurand_c_load(seed);

        CU_ASSERT(memcmp(&c, &again, sizeof(c)) == 0);
        CU_ASSERT(c.customer_last >= 0 && c.customer_last <= 255);
        CU_ASSERT(c.customer_id >= 0 && c.customer_id <= 1023);
        CU_ASSERT(c.item_id >= 0 && c.item_id <= 8191);
        n += !seen[c.customer_last & 255];
        seen[c.customer_last & 255] = true;
    }
    UNIT_EQ_I64("every C_load happens", n, 256);
}

static void test_c_run(void)
{
    for (int32_t load = 0; load <= 255; load++)
        for (uint64_t seed = 0; seed < 50; seed++) {
            const struct nurand_c c = nurand_c_run(seed, (struct nurand_c){.customer_last = load});
            const int32_t delta = abs(c.customer_last - load);

            CU_ASSERT(c.customer_last >= 0 && c.customer_last <= 255);
            CU_ASSERT(delta >= 65 && delta <= 119 && delta != 96 && delta != 112);
            CU_ASSERT(c.customer_id >= 0 && c.customer_id <= 1023);
            CU_ASSERT(c.item_id >= 0 && c.item_id <= 8191);
        }
}

static void test_delta(void)
{
    static const struct {
        int32_t delta;
        bool valid;
    } cases[] = {{0, false},  {64, false},  {65, true},  {95, true},  {96, false}, {97, true},
                 {111, true}, {112, false}, {113, true}, {119, true}, {120, false}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CU_ASSERT(nurand_c_delta_valid(100, 100 + cases[i].delta) == cases[i].valid);
        CU_ASSERT(nurand_c_delta_valid(120, 120 - cases[i].delta) == cases[i].valid);
    }
}

static void test_last_name_text(void)
{
    char name[LAST_NAME_MAX + 1];
    size_t longest = 0;

    UNIT_EQ_U64("", last_name(0, name), 9);
    UNIT_EQ_STR("", name, "BARBARBAR");
    (void)last_name(371, name);
    UNIT_EQ_STR("the example of 4.3.2.3", name, "PRICALLYOUGHT");
    (void)last_name(999, name);
    UNIT_EQ_STR("", name, "EINGEINGEING");
    for (int32_t i = 0; i < LAST_NAMES; i++) {
        const size_t n = last_name(i, name);

        UNIT_EQ_U64("", n, strlen(name));
        longest = n > longest ? n : longest;
    }
    UNIT_EQ_U64("", longest, LAST_NAME_MAX);
}

static void test_names_of_transactions(void)
{
    UNIT_EQ_STR("", txn_type_name(TXN_NEW_ORDER), "new_order");
    UNIT_EQ_STR("", txn_type_name(TXN_STOCK_LEVEL), "stock_level");
    UNIT_EQ_STR("", txn_type_name(TXN_DELIVERY_DEFERRED), "delivery_deferred");
}

static const struct unit_test tests[] = {
    {"last names drawn", test_last_names_drawn},
    {"customers drawn", test_customers_drawn},
    {"items drawn", test_items_drawn},
    {"C_load", test_c_load},
    {"C_run", test_c_run},
    {"delta of C_run", test_delta},
    {"text of last names", test_last_name_text},
    {"names of transactions", test_names_of_transactions},
};
const struct unit_suite nurand_suite = UNIT_SUITE("nurand", tests);
