/*
 * Order counts (design 4.7) and looking doubt up; the statements themselves are run against a
 * server in tests/integration.
 */
#include "run/doubt.h"

#include <string.h>

#include "db/null.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

static void test_order_counts(void)
{
    static const struct {
        const char *what;
        uint64_t committed, found, unresolved;
        int64_t growth;
        bool agree;
    } rows[] = {
        {"exact", 100, 0, 0, 100, true},
        {"one lost", 100, 0, 0, 99, false},
        {"one too many", 100, 0, 0, 101, false},
        {"found", 100, 3, 0, 103, true},
        {"found and lost", 100, 3, 0, 102, false},
        {"unresolved, not there", 100, 3, 2, 103, true},
        {"unresolved, there", 100, 3, 2, 105, true},
        {"more than that", 100, 3, 2, 106, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct run_counts counts = {
            .new_orders_committed = rows[i].committed,
            .payments_committed = 50,
        };
        const struct doubt_found found = {
            .new_orders = rows[i].found,
            .unresolved = rows[i].unresolved,
        };
        const struct doubt_growth growth = {rows[i].growth, 50};
        struct result r;

        result_init(&r);
        doubt_judge(&counts, &found, &growth, &r);
        UNIT_EQ_I64(rows[i].what, r.checks.orders_agree, rows[i].agree);
        UNIT_EQ_I64(rows[i].what, r.checks.new_orders_in_database, rows[i].growth);
        UNIT_EQ_I64(rows[i].what, r.run.in_doubt_committed, (int64_t)rows[i].found);
        result_release(&r);
    }
}

static void test_payments_count_too(void)
{
    const struct run_counts counts = {.payments_committed = 10};
    const struct doubt_found found = {.payments = 1};
    const struct doubt_growth growth = {0, 10};
    struct result r;

    result_init(&r);
    doubt_judge(&counts, &found, &growth, &r);
    UNIT_EQ_I64("", r.checks.orders_agree, 0);
    UNIT_EQ_I64("", r.checks.payments_counted, 11);
    result_release(&r);
}

static int64_t missing_payments;

/* A database that has every second New-Order, by its stamp, and says how many stamps it was asked
 * for of Payments. */
static void half_of_them(const struct batch *b, struct null_answer *a, void *ctx)
{
    const struct value *args = b->part[0].args;
    int64_t n = 0;

    (void)ctx;
    if (strcmp(b->part[0].stmt->name, "doubt_new_order") == 0) {
        UNIT_EQ_I64("", args[3].kind, VALUE_TIME_US);
        n = args[3].i % 2;
    } else {
        n = 1 - missing_payments;
        for (uint32_t i = 0; i < args[0].len; i++)
            n += args[0].text[i] == ',';
    }
    null_answer_part(a, 1, 1);
    null_answer_int(a, n);
}

static void test_resolve(void)
{
    char *dir = tmpdir_new();
    struct null_script script = {.answer = half_of_them};
    struct stop stop = {0};
    const struct db_config cfg = {.null_script = &script, .stop = &stop, .stop_at = 2};
    struct err err = {0};
    struct dialect *d;
    struct session *s;
    struct run_doubt doubts[3000];
    struct run_counts counts = {.doubts = doubts, .n_doubts = 3000, .doubts_lost = 5};
    struct doubt_found found;

    tmpdir_write(
        dir, "/doubt.sql",
        "-- name: doubt_new_order\n-- params: i32 i32 i32 time\nselect $1 + $2 + $3 + $4\n\n"
        "-- name: doubt_payments\n-- params: text\nselect $1\n");
    d = dialect_read(dir, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(d);
    s = session_connect(&null_ops, &cfg, 0, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    for (int i = 0; i < 3000; i++)
        doubts[i] = (struct run_doubt){
            .type = i % 3 == 0 ? TXN_NEW_ORDER : TXN_PAYMENT,
            .w_id = 1,
            .d_id = 1,
            .c_id = 1,
            .stamp_us = i + 1,
            .in_sample = i >= 1500,
        };
    UNIT_EQ_I64("", doubt_resolve(s, d, &counts, &found, &err), 0);
    UNIT_EQ_U64("found", found.new_orders, 500);
    UNIT_EQ_U64("all asked for", found.payments, 2000);
    UNIT_EQ_U64("those that found no room", found.unresolved, 5);
    UNIT_EQ_U64("few questions", atomic_load(&script.batches), 1000 + 2);
    UNIT_EQ_U64("the sample's that had not", found.sample_not_committed, 250);
    stop_ask(&stop);
    UNIT_EQ_I64("a polite stop", doubt_resolve(s, d, &counts, &found, &err), 0);
    stop_ask(&stop);
    UNIT_EQ_I64("the second", doubt_resolve(s, d, &counts, &found, &err), -1);
    UNIT_EQ_I64("", err.kind, ERR_INTERRUPTED);
    atomic_store(&stop.level, 0);
    counts.doubts_lost = 0;
    missing_payments = 7;
    UNIT_EQ_I64("", doubt_resolve(s, d, &counts, &found, &err), 0);
    UNIT_EQ_U64("7 of each question are not there", found.payments, 2000 - 2 * 7);
    UNIT_EQ_U64("", found.unresolved, 0);
    UNIT_EQ_U64("", found.sample_not_committed, 250 + 7);
    counts.doubts_lost = 5;
    script.lose_every = 1;
    UNIT_EQ_I64("", doubt_resolve(s, d, &counts, &found, &err), -1);
    UNIT_EQ_U64("nothing known", found.unresolved, 3005);
    session_free(s);
    dialect_free(d);
    missing_payments = 0;
    tmpdir_free(dir);
}

static const struct unit_test tests[] = {
    {"order_counts", test_order_counts},
    {"payments_count_too", test_payments_count_too},
    {"resolve", test_resolve},
};
const struct unit_suite doubt_suite = UNIT_SUITE("doubt", tests);
