/*
 * tpcc/rows: the population rules of 4.3.3.1, each against its distribution, at W = 1 and 2; rows
 * that don't depend on how they are asked for.
 */
#include "tpcc/rows.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chi_square.h"
#include "harness/unit.h"
#include "tpcc/nurand.h"

#define LOAD_TIME INT64_C(1790000000123456)

static struct tpcc_dataset dataset(int32_t warehouses)
{
    return (struct tpcc_dataset){.seed = 20260101,
                                 .load_time_us = LOAD_TIME,
                                 .warehouses = warehouses,
                                 .c_load = nurand_c_load(20260101)};
}

/* The place of a column, by its name. */
static int at(enum tpcc_table t, const char *column)
{
    const struct table *table = tpcc_table(t);

    for (int i = 0; i < table->n_columns; i++)
        if (strcmp(table->columns[i].name, column) == 0)
            return i;
    CU_FAIL_FATAL("no such column");
    return -1;
}

static bool text_is(const struct value *v, const char *text)
{
    return v->kind == VALUE_TEXT && v->len == strlen(text) && memcmp(v->text, text, v->len) == 0;
}

/* Lengths of a column: inside lo..hi, and even over them. */
struct lengths {
    uint32_t seen[512];
};

static void lengths_add(struct lengths *l, const struct value *v)
{
    CU_ASSERT_FATAL(v->len < 512);
    l->seen[v->len]++;
}

static void lengths_try(const char *what, const struct lengths *l, uint32_t lo, uint32_t hi)
{
    uint32_t outside = 0;

    for (uint32_t i = 0; i < 512; i++)
        outside += i < lo || i > hi ? l->seen[i] : 0;
    UNIT_EQ_U64(what, outside, 0);
    UNIT_NEAR(what, chi_square_sigma(l->seen + lo, NULL, hi - lo + 1), 0, 5);
}

/* An integer column: inside lo..hi, both reached, mean in the middle within 5 sigma. */
struct spread {
    int64_t least, greatest;
    double sum, n;
};

static void spread_add(struct spread *s, const struct value *v)
{
    s->least = s->n == 0.0 || v->i < s->least ? v->i : s->least;
    s->greatest = s->n == 0.0 || v->i > s->greatest ? v->i : s->greatest;
    s->sum += (double)v->i;
    s->n += 1;
}

static void spread_try(const char *what, const struct spread *s, int64_t lo, int64_t hi)
{
    const double width = (double)(hi - lo + 1);
    const double near_end = 20 * width / s->n + 1;

    UNIT_TRUE(what, s->least >= lo);
    UNIT_TRUE(what, s->greatest <= hi);
    UNIT_NEAR(what, (double)s->least, (double)lo, near_end);
    UNIT_NEAR(what, (double)s->greatest, (double)hi, near_end);
    UNIT_NEAR(what, s->sum / s->n, (double)(lo + hi) / 2, 5 * width / sqrt(12 * s->n));
}

/* One row in ten, within 5 sigma. */
static void tenth_try(const char *what, uint32_t hits, uint32_t rows)
{
    UNIT_NEAR(what, hits, rows * 0.1, 5 * sqrt(rows * 0.09));
}

static const char *find_original(const struct value *v)
{
    return memmem(v->text, v->len, "ORIGINAL", 8);
}

static bool all_alnum(const struct value *v)
{
    for (uint32_t i = 0; i < v->len; i++)
        if (!isalnum((unsigned char)v->text[i]))
            return false;
    return true;
}

static void try_zip(const struct value *v)
{
    CU_ASSERT_FATAL(v->len == 9);
    for (int i = 0; i < 4; i++)
        CU_ASSERT(isdigit((unsigned char)v->text[i]));
    CU_ASSERT(memcmp(v->text + 4, "11111", 5) == 0);
}

static void test_counts(void)
{
    static const uint64_t a_warehouse[TABLE_COUNT] = {
        [TABLE_WAREHOUSE] = 1,    [TABLE_STOCK] = 100000,  [TABLE_DISTRICT] = 10,
        [TABLE_CUSTOMER] = 30000, [TABLE_HISTORY] = 30000, [TABLE_ORDERS] = 30000,
        [TABLE_NEW_ORDER] = 9000,
    };

    for (int32_t warehouses = 1; warehouses <= 2; warehouses++) {
        const struct tpcc_dataset ds = dataset(warehouses);

        for (int t = 0; t < TABLE_COUNT; t++) {
            struct row_maker *m = row_maker_new(&ds, (enum tpcc_table)t, 1, warehouses);
            const char *name = tpcc_table((enum tpcc_table)t)->name;
            uint64_t rows = 0;

            while (row_maker_next(m))
                rows++;
            UNIT_TRUE("stays at the end", row_maker_next(m) == NULL);
            row_maker_free(m);
            UNIT_EQ_U64(name, rows, rows_expected(&ds, (enum tpcc_table)t, 1, warehouses));
            if (t == TABLE_ITEM)
                UNIT_EQ_U64(name, rows, 100000);
            else if (t == TABLE_ORDER_LINE)
                UNIT_NEAR(name, (double)rows, 300000.0 * warehouses,
                          5 * sqrt(10 * 30000.0 * warehouses));
            else
                UNIT_EQ_U64(name, rows, a_warehouse[t] * (uint64_t)warehouses);
        }
    }
}

/* Every value of a row has its column's kind and fits it; fixed texts have their length. */
static void test_values_fit_columns(void)
{
    const struct tpcc_dataset ds = dataset(1);

    for (int t = 0; t < TABLE_COUNT; t++) {
        const struct table *table = tpcc_table((enum tpcc_table)t);
        struct row_maker *m = row_maker_new(&ds, (enum tpcc_table)t, 1, 1);
        const struct value *row = NULL;
        uint64_t bad = 0;

        while ((row = row_maker_next(m)))
            for (int i = 0; i < table->n_columns; i++) {
                const struct column *c = &table->columns[i];

                if (row[i].kind == VALUE_NULL)
                    bad += !c->nullable;
                else
                    bad += row[i].kind != c->kind ||
                           (c->kind == VALUE_TEXT &&
                            (row[i].len > c->size || row[i].len == 0 || !all_alnum(&row[i])));
            }
        UNIT_EQ_U64(table->name, bad, 0);
        row_maker_free(m);
    }
}

static uint64_t sum_of(const struct tpcc_dataset *ds, enum tpcc_table t, int32_t first,
                       int32_t last)
{
    struct row_maker *m = row_maker_new(ds, t, first, last);
    const struct value *row = NULL;
    uint64_t sum = 0;

    while ((row = row_maker_next(m)))
        sum += row_checksum(t, row);
    row_maker_free(m);
    return sum;
}

static void test_ranges_make_no_difference(void)
{
    const struct tpcc_dataset ds = dataset(3);

    for (int t = 0; t < TABLE_COUNT; t++) {
        const enum tpcc_table table = (enum tpcc_table)t;
        const uint64_t whole = sum_of(&ds, table, 1, 3);

        if (t == TABLE_ITEM) {
            UNIT_EQ_U64("items lie in no warehouse", sum_of(&ds, table, 2, 2), whole);
            continue;
        }
        UNIT_EQ_U64(tpcc_table(table)->name,
                    sum_of(&ds, table, 2, 2) + sum_of(&ds, table, 1, 1) + sum_of(&ds, table, 3, 3),
                    whole);
        UNIT_EQ_U64(tpcc_table(table)->name, sum_of(&ds, table, 1, 2) + sum_of(&ds, table, 3, 3),
                    whole);
    }
}

/* The rows of this seed for ever: a change here is a change of every dataset. */
static void test_rows_never_change(void)
{
    const struct tpcc_dataset ds = dataset(1);
    uint64_t total = 0;

    for (int t = 0; t < TABLE_COUNT; t++)
        total += sum_of(&ds, (enum tpcc_table)t, 1, 1);
    UNIT_EQ_U64("checksum", total, UINT64_C(15825535338249653892));
}

static void test_seed_and_time_decide(void)
{
    const struct tpcc_dataset ds = dataset(1);
    struct tpcc_dataset seed = ds;
    struct tpcc_dataset later = ds;

    seed.seed++;
    later.load_time_us++;
    for (int t = 0; t < TABLE_COUNT; t++) {
        const enum tpcc_table table = (enum tpcc_table)t;
        const bool times =
            t == TABLE_CUSTOMER || t == TABLE_HISTORY || t == TABLE_ORDERS || t == TABLE_ORDER_LINE;
        const uint64_t sum = sum_of(&ds, table, 1, 1);

        if (t != TABLE_NEW_ORDER)
            UNIT_TRUE(tpcc_table(table)->name, sum_of(&seed, table, 1, 1) != sum);
        UNIT_TRUE(tpcc_table(table)->name, (sum_of(&later, table, 1, 1) != sum) == times);
    }
}

static void test_checksum_sees_all(void)
{
    const struct tpcc_dataset ds = dataset(1);
    struct row_maker *m = row_maker_new(&ds, TABLE_ORDER_LINE, 1, 1);
    struct value row[TABLE_COLUMNS_MAX];
    uint64_t sum = 0;

    memcpy(row, row_maker_next(m), sizeof(struct value) * 10);
    sum = row_checksum(TABLE_ORDER_LINE, row);
    for (int i = 0; i < 10; i++) {
        const struct value kept = row[i];

        row[i] = value_null();
        UNIT_TRUE("a null", row_checksum(TABLE_ORDER_LINE, row) != sum);
        row[i] = kept;
        if (kept.kind == VALUE_TEXT) {
            char other[24];

            memcpy(other, kept.text, 24);
            other[23] ^= 1;
            row[i].text = other;
            UNIT_TRUE("the last letter", row_checksum(TABLE_ORDER_LINE, row) != sum);
            row[i] = kept;
            row[i].len--;
        } else {
            row[i].i++;
        }
        UNIT_TRUE("another value", row_checksum(TABLE_ORDER_LINE, row) != sum);
        row[i] = kept;
    }
    row[0].i = row[1].i + 100;
    sum = row_checksum(TABLE_ORDER_LINE, row);
    row[0].i = row[1].i;
    row[1].i += 100;
    UNIT_TRUE("columns changed places", row_checksum(TABLE_ORDER_LINE, row) != sum);
    row_maker_free(m);
}

static void test_item(void)
{
    const struct tpcc_dataset ds = dataset(1);
    struct row_maker *m = row_maker_new(&ds, TABLE_ITEM, 1, 1);
    const int price = at(TABLE_ITEM, "i_price"), data = at(TABLE_ITEM, "i_data");
    const int name = at(TABLE_ITEM, "i_name"), im_id = at(TABLE_ITEM, "i_im_id");
    static struct lengths names, datas;
    struct spread prices = {0}, images = {0};
    uint32_t original = 0, first = 0, last = 0;
    const struct value *row = NULL;
    int32_t id = 0;

    while ((row = row_maker_next(m))) {
        const char *found = find_original(&row[data]);

        CU_ASSERT_EQUAL(row[0].i, ++id);
        spread_add(&prices, &row[price]);
        spread_add(&images, &row[im_id]);
        lengths_add(&names, &row[name]);
        lengths_add(&datas, &row[data]);
        original += found != NULL;
        first += found == row[data].text;
        last += found == row[data].text + row[data].len - 8;
    }
    spread_try("1.00-100.00", &prices, 100, 10000);
    spread_try("1-10000", &images, 1, 10000);
    lengths_try("i_name", &names, 14, 24);
    lengths_try("i_data", &datas, 26, 50);
    tenth_try("ORIGINAL", original, 100000);
    UNIT_TRUE("at the start too", first > 0);
    UNIT_TRUE("at the end too", last > 0);
    row_maker_free(m);
}

static void test_warehouse(void)
{
    const struct tpcc_dataset ds = dataset(5000);
    struct row_maker *m = row_maker_new(&ds, TABLE_WAREHOUSE, 1, 5000);
    static struct lengths names, cities;
    struct spread tax = {0};
    const struct value *row = NULL;
    int32_t w = 0;

    while ((row = row_maker_next(m))) {
        CU_ASSERT_EQUAL(row[0].i, ++w);
        CU_ASSERT_EQUAL(row[at(TABLE_WAREHOUSE, "w_ytd")].i, 30000000);
        CU_ASSERT_EQUAL(row[at(TABLE_WAREHOUSE, "w_state")].len, 2);
        try_zip(&row[at(TABLE_WAREHOUSE, "w_zip")]);
        spread_add(&tax, &row[at(TABLE_WAREHOUSE, "w_tax")]);
        lengths_add(&names, &row[at(TABLE_WAREHOUSE, "w_name")]);
        lengths_add(&cities, &row[at(TABLE_WAREHOUSE, "w_city")]);
    }
    spread_try("w_tax 0-0.2000", &tax, 0, 2000);
    lengths_try("w_name", &names, 6, 10);
    lengths_try("w_city", &cities, 10, 20);
    row_maker_free(m);
}

static void test_district(void)
{
    const struct tpcc_dataset ds = dataset(500);
    struct row_maker *m = row_maker_new(&ds, TABLE_DISTRICT, 1, 500);
    static struct lengths names, streets;
    struct spread tax = {0};
    const struct value *row = NULL;
    int64_t n = 0;

    while ((row = row_maker_next(m))) {
        CU_ASSERT_EQUAL(row[0].i, n % 10 + 1);
        CU_ASSERT_EQUAL(row[1].i, n / 10 + 1);
        CU_ASSERT_EQUAL(row[at(TABLE_DISTRICT, "d_ytd")].i, 3000000);
        CU_ASSERT_EQUAL(row[at(TABLE_DISTRICT, "d_next_o_id")].i, 3001);
        try_zip(&row[at(TABLE_DISTRICT, "d_zip")]);
        spread_add(&tax, &row[at(TABLE_DISTRICT, "d_tax")]);
        lengths_add(&names, &row[at(TABLE_DISTRICT, "d_name")]);
        lengths_add(&streets, &row[at(TABLE_DISTRICT, "d_street_2")]);
        n++;
    }
    spread_try("d_tax 0-0.2000", &tax, 0, 2000);
    lengths_try("d_name", &names, 6, 10);
    lengths_try("d_street_2", &streets, 10, 20);
    row_maker_free(m);
}

static void test_stock(void)
{
    for (int32_t w = 1; w <= 2; w++) {
        const struct tpcc_dataset ds = dataset(2);
        struct row_maker *m = row_maker_new(&ds, TABLE_STOCK, w, w);
        struct lengths datas = {0};
        struct spread quantity = {0};
        const struct value *row = NULL;
        uint32_t original = 0, bad = 0;
        int32_t id = 0;

        while ((row = row_maker_next(m))) {
            bad += row[0].i != ++id || row[1].i != w;
            bad += row[at(TABLE_STOCK, "s_ytd")].i != 0;
            bad += row[at(TABLE_STOCK, "s_order_cnt")].i != 0;
            bad += row[at(TABLE_STOCK, "s_remote_cnt")].i != 0;
            for (int d = 0; d < 10; d++)
                bad += row[at(TABLE_STOCK, "s_dist_01") + d].len != 24;
            bad += memcmp(row[7].text, row[8].text, 24) == 0;
            spread_add(&quantity, &row[at(TABLE_STOCK, "s_quantity")]);
            lengths_add(&datas, &row[at(TABLE_STOCK, "s_data")]);
            original += find_original(&row[at(TABLE_STOCK, "s_data")]) != NULL;
        }
        UNIT_EQ_U64("", bad, 0);
        spread_try("10-100", &quantity, 10, 100);
        lengths_try("s_data", &datas, 26, 50);
        tenth_try("ORIGINAL", original, 100000);
        row_maker_free(m);
    }
}

/* The last names: 0..999 in order, then NURand(255, 0, 999) with C_load. */
static void test_last_names(void)
{
    const struct tpcc_dataset ds = dataset(2);
    struct row_maker *m = row_maker_new(&ds, TABLE_CUSTOMER, 1, 2);
    const struct nurand_case of = {255, 0, 999, ds.c_load.customer_last};
    double *share = nurand_shares(&of);
    static uint32_t seen[LAST_NAMES];
    char names[LAST_NAMES][LAST_NAME_MAX + 1];
    const int last = at(TABLE_CUSTOMER, "c_last");
    const struct value *row = NULL;
    uint32_t unknown = 0;

    for (int32_t i = 0; i < LAST_NAMES; i++)
        (void)last_name(i, names[i]);
    while ((row = row_maker_next(m))) {
        int32_t n = 0;

        if (row[0].i <= 1000) {
            CU_ASSERT(text_is(&row[last], names[row[0].i - 1]));
            continue;
        }
        while (n < LAST_NAMES && !text_is(&row[last], names[n]))
            n++;
        if (n < LAST_NAMES)
            seen[n]++;
        unknown += n == LAST_NAMES;
    }
    UNIT_EQ_U64("", unknown, 0);
    UNIT_NEAR("chi-square, sigma", chi_square_sigma(seen, share, LAST_NAMES), 0, 5);
    free(share);
    row_maker_free(m);
}

static void test_customer(void)
{
    const struct tpcc_dataset ds = dataset(1);
    struct row_maker *m = row_maker_new(&ds, TABLE_CUSTOMER, 1, 1);
    static struct lengths firsts, datas;
    struct spread discount = {0};
    const struct value *row = NULL;
    const int credit = at(TABLE_CUSTOMER, "c_credit"), phone = at(TABLE_CUSTOMER, "c_phone");
    uint32_t bad_credit = 0, wrong = 0;
    int64_t balance = 0, n = 0;

    while ((row = row_maker_next(m))) {
        wrong += row[0].i != n % 3000 + 1 || row[1].i != n / 3000 + 1 || row[2].i != 1;
        wrong += !text_is(&row[credit], "GC") && !text_is(&row[credit], "BC");
        bad_credit += text_is(&row[credit], "BC");
        wrong += !text_is(&row[at(TABLE_CUSTOMER, "c_middle")], "OE");
        wrong += row[at(TABLE_CUSTOMER, "c_since")].i != LOAD_TIME;
        wrong += row[at(TABLE_CUSTOMER, "c_credit_lim")].i != 5000000;
        wrong += row[at(TABLE_CUSTOMER, "c_ytd_payment")].i != 1000;
        wrong += row[at(TABLE_CUSTOMER, "c_payment_cnt")].i != 1;
        wrong += row[at(TABLE_CUSTOMER, "c_delivery_cnt")].i != 0;
        wrong += row[phone].len != 16 || row[at(TABLE_CUSTOMER, "c_state")].len != 2;
        for (uint32_t i = 0; i < row[phone].len; i++)
            wrong += !isdigit((unsigned char)row[phone].text[i]);
        try_zip(&row[at(TABLE_CUSTOMER, "c_zip")]);
        balance += row[at(TABLE_CUSTOMER, "c_balance")].i;
        spread_add(&discount, &row[at(TABLE_CUSTOMER, "c_discount")]);
        lengths_add(&firsts, &row[at(TABLE_CUSTOMER, "c_first")]);
        lengths_add(&datas, &row[at(TABLE_CUSTOMER, "c_data")]);
        n++;
    }
    UNIT_EQ_U64("", wrong, 0);
    tenth_try("BC", bad_credit, 30000);
    UNIT_EQ_I64("sum(c_balance)", balance, -30000000);
    spread_try("c_discount 0-0.5000", &discount, 0, 5000);
    lengths_try("c_first", &firsts, 8, 16);
    lengths_try("c_data", &datas, 300, 500);
    row_maker_free(m);
}

static void test_history(void)
{
    const struct tpcc_dataset ds = dataset(2);
    struct row_maker *m = row_maker_new(&ds, TABLE_HISTORY, 1, 2);
    static struct lengths datas;
    const struct value *row = NULL;
    int64_t amount = 0, n = 0;
    uint32_t wrong = 0;

    while ((row = row_maker_next(m))) {
        wrong += row[0].i != n % 3000 + 1 || row[1].i != n / 3000 % 10 + 1;
        wrong += row[2].i != n / 30000 + 1 || row[3].i != row[1].i || row[4].i != row[2].i;
        wrong += row[at(TABLE_HISTORY, "h_date")].i != LOAD_TIME;
        amount += row[at(TABLE_HISTORY, "h_amount")].i;
        lengths_add(&datas, &row[at(TABLE_HISTORY, "h_data")]);
        n++;
    }
    UNIT_EQ_U64("", wrong, 0);
    UNIT_EQ_I64("sum(h_amount) = 300,000 W", amount, 2 * 30000000);
    lengths_try("h_data", &datas, 12, 24);
    row_maker_free(m);
}

/* O_C_ID: a permutation of 1..3000 a district, a fresh one each, with no order left in it. */
static void test_order_customers(void)
{
    const struct tpcc_dataset ds = dataset(2);
    struct row_maker *m = row_maker_new(&ds, TABLE_ORDERS, 1, 2);
    static bool seen[20][3001];
    static int64_t of[20][3001];
    const struct value *row = NULL;
    uint32_t twice = 0;

    while ((row = row_maker_next(m))) {
        const int64_t place = (row[2].i - 1) * 10 + row[1].i - 1;
        const int64_t c = row[at(TABLE_ORDERS, "o_c_id")].i;

        CU_ASSERT_FATAL(c >= 1 && c <= 3000 && place >= 0 && place < 20);
        twice += seen[place][c];
        seen[place][c] = true;
        of[place][row[0].i] = c;
    }
    UNIT_EQ_U64("each customer once", twice, 0);
    for (int place = 0; place < 20; place++) {
        double sum = 0;
        int same = 0, fixed = 0;

        for (int o = 1; o <= 3000; o++) {
            sum += (o - 1500.5) * ((double)of[place][o] - 1500.5);
            same += of[place][o] == of[(place + 1) % 20][o];
            fixed += of[place][o] == o;
        }
        UNIT_NEAR("correlation", sum / (3000.0 * 3000 * 3000 / 12), 0, 5 / sqrt(3000));
        UNIT_TRUE("another one in each district", same < 12);
        UNIT_TRUE("few stay in place", fixed < 12);
    }
    row_maker_free(m);
}

static void test_orders(void)
{
    const struct tpcc_dataset ds = dataset(1);
    struct row_maker *m = row_maker_new(&ds, TABLE_ORDERS, 1, 1);
    uint32_t lines[16] = {0}, carriers[11] = {0}, wrong = 0;
    const struct value *row = NULL;
    int64_t n = 0;

    while ((row = row_maker_next(m))) {
        const struct value *carrier = &row[at(TABLE_ORDERS, "o_carrier_id")];
        const int64_t count = row[at(TABLE_ORDERS, "o_ol_cnt")].i;

        wrong += row[0].i != n % 3000 + 1 || row[1].i != n / 3000 + 1 || row[2].i != 1;
        wrong += row[at(TABLE_ORDERS, "o_entry_d")].i != LOAD_TIME;
        wrong += row[at(TABLE_ORDERS, "o_all_local")].i != 1;
        wrong += (carrier->kind == VALUE_NULL) != (row[0].i >= 2101);
        CU_ASSERT_FATAL(count >= 5 && count <= 15);
        lines[count]++;
        if (carrier->kind != VALUE_NULL) {
            CU_ASSERT_FATAL(carrier->i >= 1 && carrier->i <= 10);
            carriers[carrier->i]++;
        }
        n++;
    }
    UNIT_EQ_U64("", wrong, 0);
    UNIT_NEAR("o_ol_cnt 5-15", chi_square_sigma(lines + 5, NULL, 11), 0, 5);
    UNIT_NEAR("o_carrier_id 1-10", chi_square_sigma(carriers + 1, NULL, 10), 0, 5);
    row_maker_free(m);
}

static void test_order_line(void)
{
    const struct tpcc_dataset ds = dataset(2);
    struct row_maker *m = row_maker_new(&ds, TABLE_ORDER_LINE, 1, 2);
    struct row_maker *orders = row_maker_new(&ds, TABLE_ORDERS, 1, 2);
    struct spread items = {0}, amounts = {0};
    const struct value *row = NULL, *order = NULL;
    uint32_t wrong = 0;

    while ((order = row_maker_next(orders)))
        for (int64_t line = 1; line <= order[at(TABLE_ORDERS, "o_ol_cnt")].i; line++) {
            const bool delivered = order[0].i < 2101;

            row = row_maker_next(m);
            CU_ASSERT_FATAL(row != NULL);
            wrong += row[0].i != order[0].i || row[1].i != order[1].i || row[2].i != order[2].i;
            wrong += row[3].i != line;
            wrong += row[at(TABLE_ORDER_LINE, "ol_supply_w_id")].i != order[2].i;
            wrong += row[at(TABLE_ORDER_LINE, "ol_quantity")].i != 5;
            wrong += row[at(TABLE_ORDER_LINE, "ol_dist_info")].len != 24;
            wrong += delivered ? row[6].kind != VALUE_TIME_US || row[6].i != LOAD_TIME
                               : row[6].kind != VALUE_NULL;
            if (delivered)
                wrong += row[8].i != 0;
            else
                spread_add(&amounts, &row[8]);
            spread_add(&items, &row[at(TABLE_ORDER_LINE, "ol_i_id")]);
        }
    UNIT_TRUE("no line is left", row_maker_next(m) == NULL);
    UNIT_EQ_U64("", wrong, 0);
    spread_try("ol_i_id 1-100000", &items, 1, 100000);
    spread_try("ol_amount 0.01-9999.99", &amounts, 1, 999999);
    row_maker_free(m);
    row_maker_free(orders);
}

static void test_new_order(void)
{
    const struct tpcc_dataset ds = dataset(2);
    struct row_maker *m = row_maker_new(&ds, TABLE_NEW_ORDER, 2, 2);
    const struct value *row = NULL;
    int64_t n = 0;
    uint32_t wrong = 0;

    while ((row = row_maker_next(m))) {
        wrong += row[0].i != 2101 + n % 900 || row[1].i != n / 900 + 1 || row[2].i != 2;
        n++;
    }
    UNIT_EQ_U64("", wrong, 0);
    UNIT_EQ_I64("", n, 9000);
    row_maker_free(m);
}

static const struct unit_test tests[] = {
    {"counts", test_counts},
    {"values fit columns", test_values_fit_columns},
    {"ranges make no difference", test_ranges_make_no_difference},
    {"rows never change", test_rows_never_change},
    {"seed and time decide", test_seed_and_time_decide},
    {"checksum sees all", test_checksum_sees_all},
    {"item", test_item},
    {"warehouse", test_warehouse},
    {"district", test_district},
    {"stock", test_stock},
    {"last names", test_last_names},
    {"customer", test_customer},
    {"history", test_history},
    {"order customers", test_order_customers},
    {"orders", test_orders},
    {"order line", test_order_line},
    {"new order", test_new_order},
};
const struct unit_suite rows_suite = UNIT_SUITE("rows", tests);
