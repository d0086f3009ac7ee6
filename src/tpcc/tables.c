/*
 * The nine tables as data. Columns stand in the order of the database's own rows: numbers first,
 * texts behind, so that a server finds the columns that a run changes at fixed offsets.
 */
#include "tpcc/tables.h"

#include <string.h>

#include "base/check.h"

#define INT(n)                                                                                     \
    {                                                                                              \
        .name = (n), .kind = VALUE_I32                                                             \
    }
#define INT_NULL(n)                                                                                \
    {                                                                                              \
        .name = (n), .kind = VALUE_I32, .nullable = true                                           \
    }
#define MONEY(n)                                                                                   \
    {                                                                                              \
        .name = (n), .kind = VALUE_CENTS                                                           \
    }
#define RATE(n)                                                                                    \
    {                                                                                              \
        .name = (n), .kind = VALUE_RATE                                                            \
    }
#define TIME(n)                                                                                    \
    {                                                                                              \
        .name = (n), .kind = VALUE_TIME_US                                                         \
    }
#define TIME_NULL(n)                                                                               \
    {                                                                                              \
        .name = (n), .kind = VALUE_TIME_US, .nullable = true                                       \
    }
#define TEXT(n, max)                                                                               \
    {                                                                                              \
        .name = (n), .kind = VALUE_TEXT, .size = (max)                                             \
    }

static const struct column item_columns[] = {
    INT("i_id"), INT("i_im_id"), MONEY("i_price"), TEXT("i_name", 24), TEXT("i_data", 50),
};

static const struct column warehouse_columns[] = {
    INT("w_id"),        RATE("w_tax"),          MONEY("w_ytd"),
    TEXT("w_name", 10), TEXT("w_street_1", 20), TEXT("w_street_2", 20),
    TEXT("w_city", 20), TEXT("w_state", 2),     TEXT("w_zip", 9),
};

static const struct column stock_columns[] = {
    INT("s_i_id"),         INT("s_w_id"),         INT("s_quantity"),     INT("s_ytd"),
    INT("s_order_cnt"),    INT("s_remote_cnt"),   TEXT("s_data", 50),    TEXT("s_dist_01", 24),
    TEXT("s_dist_02", 24), TEXT("s_dist_03", 24), TEXT("s_dist_04", 24), TEXT("s_dist_05", 24),
    TEXT("s_dist_06", 24), TEXT("s_dist_07", 24), TEXT("s_dist_08", 24), TEXT("s_dist_09", 24),
    TEXT("s_dist_10", 24),
};

static const struct column district_columns[] = {
    INT("d_id"),        INT("d_w_id"),      INT("d_next_o_id"),     RATE("d_tax"),
    MONEY("d_ytd"),     TEXT("d_name", 10), TEXT("d_street_1", 20), TEXT("d_street_2", 20),
    TEXT("d_city", 20), TEXT("d_state", 2), TEXT("d_zip", 9),
};

static const struct column customer_columns[] = {
    INT("c_id"),           INT("c_d_id"),       INT("c_w_id"),          INT("c_payment_cnt"),
    INT("c_delivery_cnt"), TIME("c_since"),     MONEY("c_balance"),     MONEY("c_ytd_payment"),
    MONEY("c_credit_lim"), RATE("c_discount"),  TEXT("c_credit", 2),    TEXT("c_last", 16),
    TEXT("c_first", 16),   TEXT("c_middle", 2), TEXT("c_street_1", 20), TEXT("c_street_2", 20),
    TEXT("c_city", 20),    TEXT("c_state", 2),  TEXT("c_zip", 9),       TEXT("c_phone", 16),
    TEXT("c_data", 500),
};

static const struct column history_columns[] = {
    INT("h_c_id"), INT("h_c_d_id"), INT("h_c_w_id"),   INT("h_d_id"),
    INT("h_w_id"), TIME("h_date"),  MONEY("h_amount"), TEXT("h_data", 24),
};

static const struct column orders_columns[] = {
    INT("o_id"),     INT("o_d_id"),      INT("o_w_id"),
    INT("o_c_id"),   TIME("o_entry_d"),  INT_NULL("o_carrier_id"),
    INT("o_ol_cnt"), INT("o_all_local"),
};

static const struct column order_line_columns[] = {
    INT("ol_o_id"),
    INT("ol_d_id"),
    INT("ol_w_id"),
    INT("ol_number"),
    INT("ol_i_id"),
    INT("ol_supply_w_id"),
    TIME_NULL("ol_delivery_d"),
    INT("ol_quantity"),
    MONEY("ol_amount"),
    TEXT("ol_dist_info", 24),
};

static const struct column new_order_columns[] = {
    INT("no_o_id"),
    INT("no_d_id"),
    INT("no_w_id"),
};

#define TABLE(n, c)                                                                                \
    {                                                                                              \
        .name = (n), .n_columns = ARRAY_LEN(c), .columns = (c)                                     \
    }

static const struct table tables[] = {
    [TABLE_ITEM] = TABLE("item", item_columns),
    [TABLE_WAREHOUSE] = TABLE("warehouse", warehouse_columns),
    [TABLE_STOCK] = TABLE("stock", stock_columns),
    [TABLE_DISTRICT] = TABLE("district", district_columns),
    [TABLE_CUSTOMER] = TABLE("customer", customer_columns),
    [TABLE_HISTORY] = TABLE("history", history_columns),
    [TABLE_ORDERS] = TABLE("orders", orders_columns),
    [TABLE_ORDER_LINE] = TABLE("order_line", order_line_columns),
    [TABLE_NEW_ORDER] = TABLE("new_order", new_order_columns),
};

_Static_assert(ARRAY_LEN(tables) == TABLE_COUNT, "one description a table");
_Static_assert(ARRAY_LEN(customer_columns) <= TABLE_COLUMNS_MAX, "the widest table fits");

const struct table *tpcc_table(enum tpcc_table t)
{
    CHECK((int)t >= 0);
    CHECK(t < TABLE_COUNT);
    return &tables[t];
}

int tpcc_table_find(const char *name)
{
    for (int t = 0; t < TABLE_COUNT; t++)
        if (strcmp(tables[t].name, name) == 0)
            return t;
    return -1;
}
