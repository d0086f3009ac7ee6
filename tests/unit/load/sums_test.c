/*
 * load/sums: right sums pass; each of them wrong is caught, and named.
 */
#include "load/sums.h"

#include <stdio.h>
#include <string.h>

#include "harness/unit.h"
#include "null_load.h"
#include "tpcc/nurand.h"

#define CELLS_MAX 8

/* What the pretended server answers for one table of warehouse 1. */
struct pretended {
    const char *cell[CELLS_MAX]; /* NULL behind the last */
    bool no_row;
};

static void answer(const struct batch *b, struct null_answer *a, void *ctx)
{
    const struct pretended *p = ctx;
    uint16_t n = 0;

    if (strncmp(b->part[0].stmt->name, "sums_", 5) != 0) {
        null_answer_part(a, 0, 0);
        return;
    }
    while (n < CELLS_MAX && p->cell[n])
        n++;
    null_answer_part(a, p->no_row ? 0 : 1, n);
    for (uint16_t i = 0; i < n && !p->no_row; i++)
        null_answer_text(a, p->cell[i]);
}

static const struct tpcc_dataset one = {.seed = 1, .warehouses = 1};

static int try_sums(enum tpcc_table t, struct pretended *p, struct err *err)
{
    struct null_load n;
    struct load_hand hand = {0};
    struct job j = {.step = STEP_SUMS, .table = t, .first_w = 1, .last_w = 1};
    int rc = 0;

    null_load_init(&n, answer, p);
    hand = (struct load_hand){.env = &n.env, .session = null_load_session(&n), .stop = &n.stop};
    rc = sums_job(&hand, &j, &one, err);
    session_free(hand.session);
    null_load_release(&n);
    return rc;
}

static struct pretended right(enum tpcc_table t)
{
    static const char *const cells[TABLE_COUNT][CELLS_MAX] = {
        [TABLE_ITEM] = {"1", "100000", "5000050000", "10000"},
        [TABLE_WAREHOUSE] = {"1", "1", "300000.00"},
        [TABLE_STOCK] = {"1", "100000", "5000050000", "10000", "0"},
        [TABLE_DISTRICT] = {"1", "10", "55", "300000.00", "30010"},
        [TABLE_CUSTOMER] = {"1", "30000", "45015000", "-300000.00", "300000.00", "3000"},
        [TABLE_HISTORY] = {"1", "30000", "300000.00", "45015000"},
        [TABLE_ORDERS] = {"1", "30000", "30000", "21000", NULL},
        [TABLE_ORDER_LINE] = {"1", NULL, "0.00", "0"},
        [TABLE_NEW_ORDER] = {"1", "9000", "22954500"},
    };
    static char lines[24];
    struct pretended p;

    memcpy(p.cell, cells[t], sizeof(p.cell));
    p.no_row = false;
    (void)snprintf(lines, sizeof(lines), "%llu",
                   (unsigned long long)rows_expected(&one, TABLE_ORDER_LINE, 1, 1));
    if (t == TABLE_ORDERS)
        p.cell[4] = lines;
    if (t == TABLE_ORDER_LINE)
        p.cell[1] = lines;
    return p;
}

static void test_right_and_wrong(void)
{
    for (int t = 0; t < TABLE_COUNT; t++) {
        const enum tpcc_table table = (enum tpcc_table)t;
        struct pretended p = right(table);
        struct err err = {0};

        UNIT_EQ_I64(tpcc_table(table)->name, try_sums(table, &p, &err), 0);
        UNIT_EQ_STR("", err.text, "");
        for (int i = 1; i < CELLS_MAX && p.cell[i]; i++) {
            p.cell[i] = "777777";
            UNIT_EQ_I64(tpcc_table(table)->name, try_sums(table, &p, &err), -1);
            UNIT_EQ_I64(err.text, err.kind, ERR_CHECK_FAILED);
            UNIT_TRUE(err.text, strstr(err.text, tpcc_table(table)->name) != NULL);
            UNIT_TRUE(err.text, strstr(err.text, "777777") != NULL);
            p = right(table);
        }
        p.no_row = true;
        UNIT_EQ_I64("no rows at all", try_sums(table, &p, &err), -1);
        UNIT_EQ_I64("", err.kind, ERR_CHECK_FAILED);
    }
}

static void test_chance_is_allowed_for(void)
{
    struct pretended p = right(TABLE_CUSTOMER);
    struct err err = {0};

    p.cell[5] = "3312";
    UNIT_EQ_I64("six sigma", try_sums(TABLE_CUSTOMER, &p, &err), 0);
    p.cell[5] = "3313";
    UNIT_EQ_I64("", try_sums(TABLE_CUSTOMER, &p, &err), -1);
    p.cell[5] = "2687";
    UNIT_EQ_I64("", try_sums(TABLE_CUSTOMER, &p, &err), -1);
}

static void test_other_answers(void)
{
    struct pretended p = right(TABLE_STOCK);
    struct err err = {0};

    p.cell[0] = "2";
    UNIT_EQ_I64("another warehouse", try_sums(TABLE_STOCK, &p, &err), -1);
    p.cell[0] = "x";
    UNIT_EQ_I64("no number", try_sums(TABLE_STOCK, &p, &err), -1);
    p = right(TABLE_STOCK);
    p.cell[4] = NULL;
    UNIT_EQ_I64("a column less", try_sums(TABLE_STOCK, &p, &err), -1);
}

/* Jobs of the check cover all warehouses, however few. */
static void test_units(void)
{
    for (int32_t w = 1; w <= 100; w += 33) {
        const struct tpcc_dataset ds = {.seed = 1, .warehouses = w, .c_load = nurand_c_load(1)};
        struct units u;
        struct job *j = NULL;
        int32_t stock = 0;

        units_init(&u);
        sums_units(&u, &ds, 2);
        while ((j = units_next(&u))) {
            stock += j->table == TABLE_STOCK ? j->last_w - j->first_w + 1 : 0;
            units_done(&u, j);
        }
        UNIT_EQ_I64("", stock, w);
        units_release(&u);
    }
}

static const struct unit_test tests[] = {
    {"right and wrong", test_right_and_wrong},
    {"chance is allowed for", test_chance_is_allowed_for},
    {"other answers", test_other_answers},
    {"units", test_units},
};
const struct unit_suite sums_suite = UNIT_SUITE("sums", tests);
