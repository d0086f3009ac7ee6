/*
 * load/units: each unit once, keys behind the last unit of their table, progress of what is left.
 */
#include "load/units.h"

#include <string.h>

#include "harness/unit.h"
#include "tpcc/nurand.h"

static struct tpcc_dataset dataset(int32_t warehouses)
{
    return (struct tpcc_dataset){.seed = 3, .warehouses = warehouses, .c_load = nurand_c_load(3)};
}

/* Takes all jobs, ending each at once; counts how often each (table, warehouse) was filled. */
static void take_all(struct units *u, int seen[TABLE_COUNT][8], int keys[TABLE_COUNT])
{
    struct job *j = NULL;

    while ((j = units_next(u))) {
        if (j->step == STEP_KEYS) {
            keys[j->table]++;
            UNIT_EQ_U64("keys after the last unit", u->fills_left[j->table], 0);
        } else {
            UNIT_EQ_I64("", j->step, STEP_FILL);
            for (int32_t w = j->first_w; w <= j->last_w; w++)
                seen[j->table][w]++;
        }
        units_done(u, j);
    }
}

static void test_each_unit_once(void)
{
    for (int32_t warehouses = 1; warehouses <= 7; warehouses++)
        for (int whole = 0; whole <= 1; whole++) {
            const struct tpcc_dataset ds = dataset(warehouses);
            int seen[TABLE_COUNT][8] = {{0}};
            int keys[TABLE_COUNT] = {0};
            struct units u;

            units_init(&u);
            units_add_fills(&u, &ds, whole);
            take_all(&u, seen, keys);
            for (int t = 0; t < TABLE_COUNT; t++) {
                for (int32_t w = 1; w <= 7; w++)
                    UNIT_EQ_I64(tpcc_table((enum tpcc_table)t)->name, seen[t][w], w <= warehouses);
                UNIT_EQ_I64("history has no key", keys[t], t != TABLE_HISTORY);
            }
            UNIT_TRUE("", units_sum(&u, STEP_FILL).all_done);
            UNIT_TRUE("", units_sum(&u, STEP_KEYS).all_done);
            units_release(&u);
        }
}

static void test_rows_add_up(void)
{
    const struct tpcc_dataset ds = dataset(2);

    for (int whole = 0; whole <= 1; whole++) {
        uint64_t want = 0;
        struct units u;

        units_init(&u);
        units_add_fills(&u, &ds, whole);
        for (int t = 0; t < TABLE_COUNT; t++)
            want += rows_expected(&ds, (enum tpcc_table)t, 1, 2);
        UNIT_EQ_U64("", units_sum(&u, STEP_FILL).total, want);
        UNIT_EQ_U64("", units_sum(&u, STEP_FILL).done, 0);
        UNIT_EQ_U64("keys weigh their table's rows", units_sum(&u, STEP_KEYS).total,
                    want - rows_expected(&ds, TABLE_HISTORY, 1, 2));
        units_release(&u);
    }
}

/* A table's keys come as soon as its last unit is in, before any further unit. */
static void test_keys_come_first(void)
{
    const struct tpcc_dataset ds = dataset(2);
    struct job *first = NULL;
    struct job *second = NULL;
    struct job *j = NULL;
    struct units u;

    units_init(&u);
    units_add_fills(&u, &ds, false);
    first = units_next(&u);
    second = units_next(&u);
    UNIT_EQ_I64("", first->table, second->table);
    units_done(&u, second);
    j = units_next(&u);
    UNIT_EQ_I64("the first one is still under way", j->step, STEP_FILL);
    units_done(&u, first);
    j = units_next(&u);
    UNIT_EQ_I64("", j->step, STEP_KEYS);
    UNIT_EQ_I64("", j->table, first->table);
    UNIT_EQ_I64("given once", units_next(&u)->step, STEP_FILL);
    units_release(&u);
}

static void test_what_is_done_is_left_out(void)
{
    const struct tpcc_dataset ds = dataset(3);
    int seen[TABLE_COUNT][8] = {{0}};
    int keys[TABLE_COUNT] = {0};
    struct units u;
    uint64_t all = 0;

    units_init(&u);
    units_add_fills(&u, &ds, false);
    all = units_sum(&u, STEP_FILL).total;
    UNIT_TRUE("", units_mark(&u, STEP_FILL, TABLE_STOCK, 2));
    UNIT_TRUE("twice is once", units_mark(&u, STEP_FILL, TABLE_STOCK, 2));
    UNIT_TRUE("", units_mark(&u, STEP_FILL, TABLE_ITEM, 1));
    UNIT_TRUE("", units_mark(&u, STEP_KEYS, TABLE_ITEM, 1));
    UNIT_TRUE("no such warehouse", !units_mark(&u, STEP_FILL, TABLE_STOCK, 4));
    UNIT_TRUE("no such warehouse", !units_mark(&u, STEP_FILL, TABLE_STOCK, 0));
    UNIT_TRUE("no such keys", !units_mark(&u, STEP_KEYS, TABLE_HISTORY, 1));
    UNIT_TRUE("another list's step", !units_mark(&u, STEP_VACUUM, TABLE_STOCK, 1));
    UNIT_EQ_U64("only what is left counts", units_sum(&u, STEP_FILL).total, all - 200000);
    take_all(&u, seen, keys);
    UNIT_EQ_I64("", seen[TABLE_STOCK][1], 1);
    UNIT_EQ_I64("", seen[TABLE_STOCK][2], 0);
    UNIT_EQ_I64("", seen[TABLE_STOCK][3], 1);
    UNIT_EQ_I64("", keys[TABLE_STOCK], 1);
    UNIT_EQ_I64("", keys[TABLE_ITEM], 0);
    units_release(&u);
}

static void test_ranges_cover(void)
{
    for (int32_t span = 1; span <= 8; span++) {
        const struct tpcc_dataset ds = dataset(7);
        int seen[TABLE_COUNT][8] = {{0}};
        struct units u;
        struct job *j = NULL;

        units_init(&u);
        units_add_ranges(&u, &ds, STEP_SUMS, span);
        while ((j = units_next(&u))) {
            UNIT_TRUE("", units_find(&u, STEP_SUMS, j->table, j->first_w) == j);
            UNIT_EQ_U64("", j->rows, rows_expected(&ds, j->table, j->first_w, j->last_w));
            for (int32_t w = j->first_w; w <= j->last_w; w++)
                seen[j->table][w]++;
            units_done(&u, j);
        }
        for (int t = 0; t < TABLE_COUNT; t++)
            for (int32_t w = 1; w <= 7; w++)
                UNIT_EQ_I64("", seen[t][w], 1);
        units_release(&u);
    }
}

static void test_progress_is_bounded(void)
{
    const struct tpcc_dataset ds = dataset(1);
    struct units u;
    struct job *j = NULL;

    units_init(&u);
    units_add_tables(&u, &ds, STEP_VACUUM);
    j = units_next(&u);
    atomic_store(&j->seen, j->rows / 2);
    UNIT_EQ_U64("", units_sum(&u, STEP_VACUUM).done, j->rows / 2);
    atomic_store(&j->seen, j->rows * 3);
    UNIT_EQ_U64("never more than there is", units_sum(&u, STEP_VACUUM).done, j->rows);
    UNIT_TRUE("", !units_sum(&u, STEP_VACUUM).all_done);
    units_release(&u);
}

static void test_names(void)
{
    UNIT_EQ_STR("", load_step_name(STEP_FILL), "fill");
    UNIT_EQ_STR("", load_step_name(STEP_KEYS), "keys");
    UNIT_EQ_STR("", load_step_name(STEP_VACUUM), "vacuum");
}

static const struct unit_test tests[] = {
    {"each unit once", test_each_unit_once},
    {"rows add up", test_rows_add_up},
    {"keys come first", test_keys_come_first},
    {"what is done is left out", test_what_is_done_is_left_out},
    {"ranges cover", test_ranges_cover},
    {"progress is bounded", test_progress_is_bounded},
    {"names", test_names},
};
const struct unit_suite units_suite = UNIT_SUITE("units", tests);
