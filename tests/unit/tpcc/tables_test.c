/*
 * tpcc/tables: the nine of 1.3.1, each column once.
 */
#include "tpcc/tables.h"

#include <string.h>

#include "harness/unit.h"

static void test_found_by_name(void)
{
    static const struct {
        const char *name;
        enum tpcc_table table;
        int columns;
    } want[] = {
        {"item", TABLE_ITEM, 5},           {"warehouse", TABLE_WAREHOUSE, 9},
        {"stock", TABLE_STOCK, 17},        {"district", TABLE_DISTRICT, 11},
        {"customer", TABLE_CUSTOMER, 21},  {"history", TABLE_HISTORY, 8},
        {"orders", TABLE_ORDERS, 8},       {"order_line", TABLE_ORDER_LINE, 10},
        {"new_order", TABLE_NEW_ORDER, 3},
    };

    for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
        UNIT_EQ_I64(want[i].name, tpcc_table_find(want[i].name), (int)want[i].table);
        UNIT_EQ_STR("", tpcc_table(want[i].table)->name, want[i].name);
        UNIT_EQ_I64(want[i].name, tpcc_table(want[i].table)->n_columns, want[i].columns);
    }
    UNIT_EQ_I64("", tpcc_table_find("order"), -1);
}

static void test_columns(void)
{
    for (int t = 0; t < TABLE_COUNT; t++) {
        const struct table *table = tpcc_table((enum tpcc_table)t);

        for (int i = 0; i < table->n_columns; i++) {
            const struct column *c = &table->columns[i];

            UNIT_TRUE(c->name, (c->kind == VALUE_TEXT) == (c->size > 0));
            for (int j = 0; j < i; j++)
                UNIT_TRUE(c->name, strcmp(c->name, table->columns[j].name) != 0);
        }
    }
}

static const struct unit_test tests[] = {
    {"found by name", test_found_by_name},
    {"columns", test_columns},
};
const struct unit_suite tables_suite = UNIT_SUITE("tables", tests);
