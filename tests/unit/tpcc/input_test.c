#include "tpcc/input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "harness/unit.h"
#include "tpcc/purpose.h"
#include "tpcc/nurand.h"

#define DRAWS 200000

static struct input_rules rules_of(int32_t warehouses)
{
    return (struct input_rules){
        .seed = 41,
        .warehouses = warehouses,
        .c_run = {.customer_last = 100, .customer_id = 500, .item_id = 5000},
        .rollback_ppm = 10000,
        .remote_line_ppm = 10000,
        .remote_payment_ppm = 150000,
        .by_name_ppm = 600000,
    };
}

static struct txn_input draw(const struct input_rules *rules, enum txn_type type, uint64_t n)
{
    const struct input_for whose = {
        .user = 7,
        .n = n,
        .w_id = (int32_t)(n % (uint64_t)rules->warehouses) + 1,
        .d_id = 3,
        .stamp_us = (int64_t)n + 1000,
    };
    struct txn_input in;

    input_draw(rules, &whose, type, &in);
    return in;
}

/* Whether hits of n happen with probability p, within 4.5 sigma. */
static void check_share(const char *what, uint64_t hits, uint64_t n, double p)
{
    const double sigma = sqrt(p * (1 - p) / (double)n);

    UNIT_NEAR(what, (double)hits / (double)n, p, 4.5 * sigma);
}

/* Chi-square of counts[lo..hi] against uniform, as a normal deviate (Wilson, Hilferty 1931). */
static void check_uniform(const char *what, const uint64_t *counts, int lo, int hi)
{
    const double k = hi - lo; /* degrees of freedom */
    double total = 0;
    double chi2 = 0;

    for (int i = lo; i <= hi; i++)
        total += (double)counts[i];
    for (int i = lo; i <= hi; i++) {
        const double want = total / (k + 1);

        chi2 += ((double)counts[i] - want) * ((double)counts[i] - want) / want;
    }
    UNIT_NEAR(what, (pow(chi2 / k, 1.0 / 3) - (1 - 2 / (9 * k))) / sqrt(2 / (9 * k)), 0, 4);
}

static void test_new_order_2_4_1(void)
{
    const struct input_rules rules = rules_of(10);
    uint64_t districts[11] = {0}, lengths[16] = {0}, quantities[11] = {0};
    uint64_t rollbacks = 0, lines = 0, remote = 0;

    for (uint64_t n = 0; n < DRAWS; n++) {
        const struct txn_input in = draw(&rules, TXN_NEW_ORDER, n);
        const struct new_order_input *no = &in.new_order;
        int remote_here = 0;

        districts[in.d_id]++;
        lengths[no->n_lines]++;
        rollbacks += no->rolls_back;
        lines += no->n_lines;
        for (int i = 0; i < no->n_lines; i++) {
            const struct new_order_line *l = &no->line[i];
            const bool unused = no->rolls_back && i == no->n_lines - 1;

            if (l->quantity < 1 || l->quantity > 10 || l->supply_w_id < 1 || l->supply_w_id > 10)
                UNIT_TRUE("in range", false);
            if (unused ? l->i_id != TPCC_ITEMS + 1 : l->i_id < 1 || l->i_id > TPCC_ITEMS)
                UNIT_TRUE("item", false);
            quantities[l->quantity]++;
            remote_here += l->supply_w_id != in.w_id;
        }
        if (remote_here != no->remote_lines || no->entry_us != (int64_t)n + 1000)
            UNIT_TRUE("told", false);
        remote += no->remote_lines;
    }
    check_uniform("districts", districts, 1, 10);
    check_uniform("lengths", lengths, 5, 15);
    check_uniform("quantities", quantities, 1, 10);
    check_share("rollbacks", rollbacks, DRAWS, 0.01);
    check_share("remote lines", remote, lines, 0.01);
    UNIT_NEAR("lines", (double)lines / DRAWS, 10, 4.5 * 3.162 / sqrt(DRAWS));
}

static void test_payment_2_5_1(void)
{
    const struct input_rules rules = rules_of(10);
    uint64_t districts[11] = {0}, remote_districts[11] = {0};
    uint64_t remote = 0, by_name = 0;
    double amount = 0;

    for (uint64_t n = 0; n < DRAWS; n++) {
        const struct txn_input in = draw(&rules, TXN_PAYMENT, n);
        const struct payment_input *p = &in.payment;

        districts[in.d_id]++;
        remote += p->remote;
        if (p->remote)
            remote_districts[p->c_d_id]++;
        if (p->remote != (p->c_w_id != in.w_id) || (!p->remote && p->c_d_id != in.d_id))
            UNIT_TRUE("customer's place", false);
        if ((p->c_id == 0) == (p->c_last[0] == '\0') || p->c_id > TPCC_CUSTOMERS)
            UNIT_TRUE("by one of both", false);
        by_name += p->c_id == 0;
        if (p->amount_cents < 100 || p->amount_cents > 500000)
            UNIT_TRUE("amount", false);
        amount += p->amount_cents / 100.0 / DRAWS;
    }
    check_uniform("districts", districts, 1, 10);
    check_uniform("remote districts", remote_districts, 1, 10);
    check_share("remote", remote, DRAWS, 0.15);
    check_share("by name", by_name, DRAWS, 0.6);
    UNIT_NEAR("amount", amount, 2500.5, 4.5 * 4999 / sqrt(12.0 * DRAWS));
}

static void test_others_2_6_1_2_7_1_2_8_1(void)
{
    const struct input_rules rules = rules_of(3);
    uint64_t carriers[11] = {0}, thresholds[21] = {0}, districts[11] = {0};
    uint64_t by_name = 0;

    for (uint64_t n = 0; n < DRAWS / 4; n++) {
        struct txn_input in = draw(&rules, TXN_ORDER_STATUS, n);

        districts[in.d_id]++;
        by_name += in.order_status.c_id == 0;
        in = draw(&rules, TXN_DELIVERY, n);
        carriers[in.delivery.carrier_id]++;
        in = draw(&rules, TXN_STOCK_LEVEL, n);
        thresholds[in.stock_level.threshold]++;
        if (in.d_id != 3)
            UNIT_TRUE("the terminal's own district (2.8.1.1)", false);
    }
    check_uniform("districts", districts, 1, 10);
    check_share("by name", by_name, DRAWS / 4, 0.6);
    check_uniform("carriers", carriers, 1, 10);
    check_uniform("thresholds", thresholds, 10, 20);
}

/* "Another warehouse": never home where there is another, each of the others alike; W = 1, 2, 3 and
 * every home, with all remote. */
static void test_remote_warehouse_exhaustive(void)
{
    for (int32_t w = 1; w <= 3; w++) {
        struct input_rules rules = rules_of(w);

        rules.remote_line_ppm = 1000000;
        rules.remote_payment_ppm = 1000000;
        for (int32_t home = 1; home <= w; home++) {
            uint64_t lines[4] = {0}, payments[4] = {0};

            for (uint64_t n = 0; n < 3000; n++) {
                const struct input_for whose = {.user = 1, .n = n, .w_id = home, .d_id = 1};
                struct txn_input in;

                input_draw(&rules, &whose, TXN_NEW_ORDER, &in);
                for (int i = 0; i < in.new_order.n_lines; i++)
                    lines[in.new_order.line[i].supply_w_id & 3]++;
                input_draw(&rules, &whose, TXN_PAYMENT, &in);
                payments[in.payment.c_w_id & 3]++;
                if (in.payment.remote != (w > 1))
                    UNIT_TRUE("told", false);
            }
            UNIT_EQ_U64("no warehouse 0", lines[0] + payments[0], 0);
            UNIT_TRUE("home only where alone", (lines[home] > 0) == (w == 1));
            UNIT_TRUE("home only where alone", (payments[home] > 0) == (w == 1));
            for (int32_t other = 1; other <= w && w == 3; other++) {
                if (other != home)
                    check_share("each alike", payments[other], 3000, 0.5);
            }
        }
    }
}

/* NURand's items and customers: the share of each 1/16 of the range, from an exact count of
 * NURand's own outcomes. */
static void test_items_and_customers_follow_nurand_2_1_6(void)
{
    const struct input_rules rules = rules_of(2);
    uint64_t seen[16] = {0};
    double want[16] = {0};
    double chi2 = 0;
    uint64_t n_seen = 0;

    for (uint64_t a = 0; a <= 1023; a++) {
        for (uint64_t b = 1; b <= 3000; b++) {
            const uint64_t c = ((a | b) + 500) % 3000 + 1;

            want[(c - 1) * 16 / 3000] += 1.0 / (1024.0 * 3000.0);
        }
    }
    for (uint64_t n = 0; n < DRAWS; n++) {
        const struct txn_input in = draw(&rules, TXN_NEW_ORDER, n);

        seen[(in.new_order.c_id - 1) * 16 / 3000]++;
        n_seen++;
    }
    for (int i = 0; i < 16; i++) {
        const double w = want[i] * (double)n_seen;

        chi2 += ((double)seen[i] - w) * ((double)seen[i] - w) / w;
    }
    UNIT_TRUE("chi-square, 15 degrees, 99.9 %", chi2 < 37.7);
}

/* The same input whenever it is drawn, another for any other (seed, user, n). */
static void test_pure(void)
{
    struct input_rules rules = rules_of(5);
    struct input_for whose = {.user = 3, .n = 9, .w_id = 2, .d_id = 4, .stamp_us = 77};
    struct txn_input first, again;

    input_draw(&rules, &whose, TXN_NEW_ORDER, &first);
    input_draw(&rules, &whose, TXN_NEW_ORDER, &again);
    UNIT_TRUE("again", memcmp(&first, &again, sizeof(first)) == 0);
    whose.stamp_us++;
    input_draw(&rules, &whose, TXN_NEW_ORDER, &again);
    again.new_order.entry_us--;
    UNIT_TRUE("the stamp is nothing but the stamp", memcmp(&first, &again, sizeof(first)) == 0);
    whose.stamp_us--;
    whose.n++;
    input_draw(&rules, &whose, TXN_NEW_ORDER, &again);
    UNIT_TRUE("n", memcmp(&first, &again, sizeof(first)) != 0);
    whose.n--;
    whose.user++;
    input_draw(&rules, &whose, TXN_NEW_ORDER, &again);
    UNIT_TRUE("user", memcmp(&first, &again, sizeof(first)) != 0);
    whose.user--;
    rules.seed++;
    input_draw(&rules, &whose, TXN_NEW_ORDER, &again);
    UNIT_TRUE("seed", memcmp(&first, &again, sizeof(first)) != 0);
}

/* |C_run - C_load| of the last names (2.1.6.1), for every C_load there is. */
static void test_c_run_keeps_its_distance_2_1_6_1(void)
{
    for (uint64_t seed = 0; seed < 2000; seed++) {
        const struct nurand_c load = nurand_c_load(seed);
        const struct nurand_c run = nurand_c_run(seed + 1, load);
        const int delta = abs(run.customer_last - load.customer_last);

        if (delta < 65 || delta > 119 || delta == 96 || delta == 112)
            UNIT_EQ_I64("delta", delta, 65);
        if (run.customer_last < 0 || run.customer_last > 255)
            UNIT_TRUE("range", false);
    }
}

/* Under one seed the numbers of an input are not the keys of a table's rows, nor those of any other
 * purpose: user and transaction stand where warehouse and district do. */
static void test_purposes_are_distinct(void)
{
    static const int others[] = {PURPOSE_C_LOAD, PURPOSE_C_RUN, PURPOSE_LINES, PURPOSE_PERMUTATION,
                                 PURPOSE_INPUT,  PURPOSE_DEAL,  PURPOSE_WAIT,  PURPOSE_BEGIN,
                                 PURPOSE_HOME,   PURPOSE_ROUND};
    int all[TABLE_COUNT + sizeof(others) / sizeof(others[0])];
    const int n = (int)(sizeof(all) / sizeof(all[0]));

    for (int i = 0; i < n; i++)
        all[i] = i < TABLE_COUNT ? PURPOSE_ROWS + i : others[i - TABLE_COUNT];
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++)
            UNIT_TRUE("one number, one purpose", all[i] != all[k]);
}

static const struct unit_test tests[] = {
    {"new_order_2_4_1", test_new_order_2_4_1},
    {"payment_2_5_1", test_payment_2_5_1},
    {"others_2_6_1_2_7_1_2_8_1", test_others_2_6_1_2_7_1_2_8_1},
    {"remote_warehouse_exhaustive", test_remote_warehouse_exhaustive},
    {"items_and_customers_follow_nurand_2_1_6", test_items_and_customers_follow_nurand_2_1_6},
    {"pure", test_pure},
    {"purposes_are_distinct", test_purposes_are_distinct},
    {"c_run_keeps_its_distance_2_1_6_1", test_c_run_keeps_its_distance_2_1_6_1},
};
const struct unit_suite input_suite = UNIT_SUITE("input", tests);
