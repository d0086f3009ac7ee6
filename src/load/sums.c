/*
 * Counts and sums that a load must leave (4.3.3.1). The dialect's sums_<table> answers one row a
 * warehouse: its number, its rows, then values in the order of the rules below; here is what they
 * must be. One scan a table, in ranges of warehouses by several sessions.
 */
#include "load/sums.h"

#include <stdio.h>

#include "base/check.h"
#include "sql/rows.h"

#define RULES_MAX 4
#define SPAN_MAX 20 /* warehouses a statement */

enum sum_kind { SUM_COUNT, SUM_MONEY, SUM_ORDER_LINES };

/* What a value must be in each warehouse, give or take `within`. */
struct rule {
    const char *what;
    enum sum_kind kind;
    int64_t want;
    int64_t within;
};

/* Sums of the numbers 1..n of each of k places. */
#define SUM_TO(n, k) ((int64_t)(k) * (n) * ((n) + 1) / 2)
/* One in ten of n at random: within six standard deviations, root(n * 0.09). */
#define BC_WITHIN 312
#define ORIGINAL_WITHIN 570

static const struct rule rules[TABLE_COUNT][RULES_MAX] = {
    [TABLE_ITEM] = {{"sum of i_id", SUM_COUNT, SUM_TO(TPCC_ITEMS, 1), 0},
                    {"count of ORIGINAL", SUM_COUNT, TPCC_ITEMS / 10, ORIGINAL_WITHIN}},
    [TABLE_WAREHOUSE] = {{"sum of w_ytd", SUM_MONEY, 30000000, 0}},
    [TABLE_STOCK] = {{"sum of s_i_id", SUM_COUNT, SUM_TO(TPCC_ITEMS, 1), 0},
                     {"count of ORIGINAL", SUM_COUNT, TPCC_ITEMS / 10, ORIGINAL_WITHIN},
                     {"sum of s_ytd, s_order_cnt and s_remote_cnt", SUM_COUNT, 0, 0}},
    [TABLE_DISTRICT] = {{"sum of d_id", SUM_COUNT, SUM_TO(TPCC_DISTRICTS, 1), 0},
                        {"sum of d_ytd", SUM_MONEY, 30000000, 0},
                        {"sum of d_next_o_id", SUM_COUNT, (TPCC_ORDERS + 1) * TPCC_DISTRICTS, 0}},
    [TABLE_CUSTOMER] = {{"sum of c_id", SUM_COUNT, SUM_TO(TPCC_CUSTOMERS, TPCC_DISTRICTS), 0},
                        {"sum of c_balance", SUM_MONEY, -30000000, 0},
                        {"sum of c_ytd_payment", SUM_MONEY, 30000000, 0},
                        {"count of BC", SUM_COUNT, 3000, BC_WITHIN}},
    [TABLE_HISTORY] = {{"sum of h_amount", SUM_MONEY, 30000000, 0},
                       {"sum of h_c_id", SUM_COUNT, SUM_TO(TPCC_CUSTOMERS, TPCC_DISTRICTS), 0}},
    [TABLE_ORDERS] = {{"customers with an order", SUM_COUNT, 30000, 0},
                      {"orders with a carrier", SUM_COUNT, 21000, 0},
                      {"sum of o_ol_cnt", SUM_ORDER_LINES, 0, 0}},
    [TABLE_ORDER_LINE] = {{"sum of ol_amount of delivered orders", SUM_MONEY, 0, 0},
                          {"lines against the delivery rules", SUM_COUNT, 0, 0}},
    [TABLE_NEW_ORDER] = {{"sum of no_o_id", SUM_COUNT,
                          SUM_TO(TPCC_ORDERS, TPCC_DISTRICTS) -
                              SUM_TO(TPCC_FIRST_UNDELIVERED - 1, TPCC_DISTRICTS),
                          0}},
};

static int wrong(struct err *err, const struct job *j, int64_t w, const char *text)
{
    if (j->table == TABLE_ITEM)
        return err_set(err, ERR_CHECK_FAILED, "after the load, item: %s", text);
    return err_set(err, ERR_CHECK_FAILED, "after the load, %s of warehouse %lld: %s",
                   tpcc_table(j->table)->name, (long long)w, text);
}

/* Where a value stands. */
struct place {
    const struct job *j;
    int64_t w;
    int64_t lines; /* the order lines that this warehouse must have */
};

static int check_value(const struct place *at, const struct rule *r, const struct cell *c,
                       struct err *err)
{
    const int64_t want = r->kind == SUM_ORDER_LINES ? at->lines : r->want;
    int64_t got = 0;
    char text[160];

    if ((r->kind == SUM_MONEY ? cell_cents : cell_i64)(c, &got, err) < 0)
        return -1;
    if (got >= want - r->within && got <= want + r->within)
        return 0;
    (void)snprintf(text, sizeof(text), "%s is %lld%s, not %lld", r->what, (long long)got,
                   r->kind == SUM_MONEY ? " cents" : "", (long long)want);
    return wrong(err, at->j, at->w, text);
}

/* One warehouse's answer. */
static int check_row(const struct tpcc_dataset *ds, const struct job *j, const struct rows_part *p,
                     uint32_t row, struct err *err)
{
    char text[160];
    int64_t w = 0;
    int64_t rows = 0;
    int64_t want = 0;
    struct place at = {.j = j};

    if (cell_i64(rows_cell(p, row, 0), &w, err) < 0 ||
        cell_i64(rows_cell(p, row, 1), &rows, err) < 0)
        return -1;
    if (w < j->first_w || w > j->last_w)
        return err_set(err, ERR_DB, "sums of %s: an answer for warehouse %lld",
                       tpcc_table(j->table)->name, (long long)w);
    want = (int64_t)rows_expected(ds, j->table, (int32_t)w, (int32_t)w);
    if (rows != want) {
        (void)snprintf(text, sizeof(text), "%lld rows, not %lld", (long long)rows, (long long)want);
        return wrong(err, j, w, text);
    }
    at.w = w;
    if (j->table == TABLE_ORDERS)
        at.lines = (int64_t)rows_expected(ds, TABLE_ORDER_LINE, (int32_t)w, (int32_t)w);
    for (uint16_t i = 0; i < RULES_MAX && rules[j->table][i].what; i++)
        if (check_value(&at, &rules[j->table][i], rows_cell(p, row, (uint16_t)(i + 2)), err) < 0)
            return -1;
    return 0;
}

static uint16_t columns_expected(enum tpcc_table t)
{
    uint16_t n = 2;

    while (n < RULES_MAX + 2 && rules[t][n - 2].what)
        n++;
    return n;
}

int sums_job(struct load_hand *hand, struct job *j, const struct tpcc_dataset *ds, struct err *err)
{
    const struct value args[] = {value_int(VALUE_I32, j->first_w), value_int(VALUE_I32, j->last_w)};
    const uint32_t warehouses = j->table == TABLE_ITEM ? 1 : (uint32_t)(j->last_w - j->first_w + 1);
    struct rows replies;
    const struct rows_part *p = &replies.part[0];

    if (load_exec(hand, load_name("sums", j->table).text, args, &replies, err) < 0)
        return -1;
    if (p->n_rows > 0 && p->n_columns != columns_expected(j->table))
        return err_set(err, ERR_DB, "sums of %s: an answer of another shape",
                       tpcc_table(j->table)->name);
    for (uint32_t i = 0; i < p->n_rows; i++)
        if (check_row(ds, j, p, i, err) < 0)
            return -1;
    if (p->n_rows != warehouses)
        return err_set(err, ERR_CHECK_FAILED,
                       "after the load, %s has rows in %u of the warehouses %d to %d",
                       tpcc_table(j->table)->name, p->n_rows, j->first_w, j->last_w);
    return 0;
}

void sums_units(struct units *u, const struct tpcc_dataset *ds, uint32_t threads)
{
    int32_t span = ds->warehouses / (int32_t)(2 * threads);

    span = span < 1 ? 1 : span;
    units_add_ranges(u, ds, STEP_SUMS, span < SPAN_MAX ? span : SPAN_MAX);
}
