#include "run/users.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "harness/unit.h"

#define S UINT64_C(1000000000)

static struct plan plan_of(uint64_t users, int32_t warehouses)
{
    static const double keying_s[TXN_TYPES] = {18, 3, 2, 2, 2};
    static const double think_s[TXN_TYPES] = {12, 12, 10, 5, 5};
    static const uint8_t mix[TXN_TYPES] = {45, 43, 4, 4, 4};
    struct plan p = {
        .users = users,
        .dataset = {.warehouses = warehouses},
        .rules = {.seed = 3, .warehouses = warehouses},
        .pace = {.kind = PACE_THINK, .factor = 1},
        .ramp_ns = 21 * S,
    };

    for (int t = 0; t < TXN_TYPES; t++) {
        p.pace.keying[t] = (struct dist){.kind = DIST_FIXED, .mean_ns = keying_s[t] * 1e9};
        p.pace.think[t] = (struct dist){.kind = DIST_NEGEXP, .mean_ns = think_s[t] * 1e9};
        p.mix[t] = mix[t];
    }
    return p;
}

/* 4.2.2: ten to a warehouse, one to each of its districts; other numbers as evenly as can be. */
static void test_homes(void)
{
    static const struct {
        uint32_t users;
        int32_t warehouses;
        int least, greatest; /* a (warehouse, district) */
    } rows[] = {{20, 2, 1, 1}, {10, 1, 1, 1}, {2000, 20, 10, 10}, {25, 2, 1, 2}, {7, 3, 0, 1}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct plan p = plan_of(rows[i].users, rows[i].warehouses);
        struct users u;
        int seen[21][11] = {{0}};
        int least = 1000000;
        int greatest = 0;

        users_init(&u, &p);
        for (uint32_t id = 0; id < u.n; id++) {
            const struct home h = users_home(&u, id, 0);
            const struct home later = users_home(&u, id, 77);

            seen[h.w_id][h.d_id]++;
            UNIT_TRUE("for life (2.4.1.1, 2.8.1.1)", later.w_id == h.w_id && later.d_id == h.d_id);
        }
        for (int w = 1; w <= rows[i].warehouses; w++) {
            for (int d = 1; d <= 10; d++) {
                least = seen[w][d] < least ? seen[w][d] : least;
                greatest = seen[w][d] > greatest ? seen[w][d] : greatest;
            }
        }
        UNIT_EQ_I64("least", least, rows[i].least);
        UNIT_EQ_I64("greatest", greatest, rows[i].greatest);
        users_release(&u);
    }
}

/* Fewer users than warehouses: over all of them, all districts, each time anew. */
static void test_homes_drawn(void)
{
    struct plan p = plan_of(3, 50);
    struct users u;
    uint32_t w_seen[51] = {0}, d_seen[11] = {0};

    p.home_drawn = true;
    users_init(&u, &p);
    for (uint32_t n = 0; n < 50000; n++) {
        const struct home h = users_home(&u, n % 3, n);

        w_seen[h.w_id]++;
        d_seen[h.d_id]++;
    }
    for (int w = 1; w <= 50; w++)
        UNIT_NEAR("warehouse", w_seen[w], 1000, 150);
    for (int d = 1; d <= 10; d++)
        UNIT_NEAR("district", d_seen[d], 5000, 350);
    users_release(&u);
}

/* The first due times: with the ramp, the expected number due by t is N x (t / cycle) behind it,
 * and N x t^2 / (2 ramp cycle) within: the rate grows evenly and stays. */
static void test_begin_is_stationary(void)
{
    const uint32_t n = 200000;
    const struct plan p = plan_of(n, 10);
    const double cycle = pace_mean_cycle_ns(&p.pace, p.mix) / 1e9;
    struct users u;
    uint64_t *due = xcalloc(n, sizeof(*due));
    uint64_t types[TXN_TYPES] = {0};

    users_init(&u, &p);
    for (uint32_t id = 0; id < n; id++) {
        due[id] = users_begin_ns(&u, id);
        types[u.at[id].type]++;
    }
    /* First dues and all that follow them, at no response time, up to 42 s. */
    for (int five = 1; five <= 8; five++) {
        const double t = 5.0 * five;
        double arrivals = 0;
        const double want = t <= 21 ? t * t / (2 * 21 * cycle) : (t - 21 / 2.0) / cycle;

        for (uint32_t id = 0; id < n; id += 20) {
            struct user keep = u.at[id];
            uint64_t at = due[id];

            while ((double)at < t * 1e9) {
                arrivals++;
                at += users_deal_ns(&u, id);
            }
            u.at[id] = keep;
        }
        UNIT_NEAR("arrivals", 20 * arrivals / n / want, 1, fmax(0.02, 4 / sqrt(arrivals)));
    }
    UNIT_NEAR("the mix of first ones", (double)types[TXN_PAYMENT] / n, 0.43, 0.16);
    free(due);
    users_release(&u);
}

/* The same user deals and waits the same whatever the others do. */
static void test_pure(void)
{
    const struct plan p = plan_of(10, 1);
    struct users a, b;

    users_init(&a, &p);
    users_init(&b, &p);
    (void)users_begin_ns(&a, 4);
    (void)users_begin_ns(&b, 7);
    for (int i = 0; i < 50; i++)
        (void)users_deal_ns(&b, 7);
    (void)users_begin_ns(&b, 4);
    for (int i = 0; i < 300; i++) {
        UNIT_EQ_U64("wait", users_deal_ns(&a, 4), users_deal_ns(&b, 4));
        UNIT_EQ_U64("type", a.at[4].type, b.at[4].type);
    }
    users_release(&a);
    users_release(&b);
}

/* After its first deck every user keeps the mix to the card. */
static void test_mix_of_a_user(void)
{
    const struct plan p = plan_of(1, 1);
    struct users u;
    uint32_t dealt[TXN_TYPES] = {0};

    users_init(&u, &p);
    (void)users_begin_ns(&u, 0);
    dealt[u.at[0].type]++;
    for (int i = 1; i < 1000; i++) {
        (void)users_deal_ns(&u, 0);
        dealt[u.at[0].type]++;
    }
    for (int t = 0; t < TXN_TYPES; t++)
        UNIT_EQ_U64("of 1,000", dealt[t], p.mix[t] * 10U);
    users_release(&u);
}

/* A round takes each user once, another order each time. */
static void test_rounds(void)
{
    struct plan p = plan_of(15000, 3);
    struct users u;
    uint32_t order[3][30];
    int same = 0;

    p.pace.kind = PACE_NONE;
    users_init(&u, &p);
    UNIT_EQ_U64("10 a warehouse", u.n, 30);
    for (int round = 0; round < 3; round++) {
        bool seen[30] = {false};

        for (int i = 0; i < 30; i++) {
            order[round][i] = users_next_of_round(&u);
            UNIT_TRUE("once", !seen[order[round][i]]);
            seen[order[round][i]] = true;
            UNIT_EQ_U64("dealt", u.at[order[round][i]].n, (uint64_t)round + 1);
        }
    }
    for (int i = 0; i < 30; i++)
        same += order[0][i] == order[1][i];
    UNIT_TRUE("shuffled", same < 10);
    users_release(&u);
}

static void test_queue(void)
{
    const struct plan p = plan_of(100, 10);
    struct users u;

    users_init(&u, &p);
    UNIT_EQ_U64("", users_queue_oldest_ns(&u), UINT64_MAX);
    for (uint32_t i = 0; i < 100; i++) {
        u.at[(i * 37) % 100].due_ns = i + 1;
        users_queue_push(&u, (i * 37) % 100);
    }
    for (uint32_t i = 0; i < 100; i++) {
        UNIT_EQ_U64("oldest", users_queue_oldest_ns(&u), i + 1);
        UNIT_EQ_U64("first come", users_queue_pop(&u), (i * 37) % 100);
        if (i == 50)
            users_queue_push(&u, (50 * 37) % 100); /* comes again, behind all */
        if (i == 99)
            UNIT_EQ_U64("again", users_queue_pop(&u), (50 * 37) % 100);
    }
    UNIT_EQ_U64("", u.queued, 0);
    users_release(&u);
}

static void test_started(void)
{
    const struct plan p = plan_of(1000, 100);
    struct users u;

    users_init(&u, &p);
    UNIT_EQ_U64("", users_started(&u, 0), 0);
    UNIT_EQ_U64("", users_started(&u, 21 * S / 2), 500);
    UNIT_EQ_U64("", users_started(&u, 21 * S), 1000);
    UNIT_EQ_U64("", users_started(&u, 99 * S), 1000);
    users_release(&u);
}

static const struct unit_test tests[] = {
    {"homes", test_homes},
    {"homes_drawn", test_homes_drawn},
    {"begin_is_stationary", test_begin_is_stationary},
    {"pure", test_pure},
    {"mix_of_a_user", test_mix_of_a_user},
    {"rounds", test_rounds},
    {"queue", test_queue},
    {"started", test_started},
};
const struct unit_suite users_suite = UNIT_SUITE("users", tests);
