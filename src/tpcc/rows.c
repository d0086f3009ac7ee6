/*
 * The row makers (4.3.3.1). Where a maker stands is (warehouse, district, id, line); what a row
 * holds comes from hashes of where it stands, so that rows don't depend on what was made before.
 * Called by loader threads, one maker each.
 */
#include "tpcc/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/rng.h"
#include "base/xalloc.h"
#include "tpcc/nurand.h"
#include "tpcc/purpose.h"
#include "tpcc/text.h"

#define TEXT_BYTES_MAX 1024
#define NEVER_TWICE_BEFORE 1000 /* customers that take the last names in order */

/* How the rows of a table are counted out. */
struct shape {
    bool by_warehouse;
    bool by_district;
    int32_t first;
    int32_t last;
    void (*make)(struct row_maker *m);
};

struct row_maker {
    struct tpcc_dataset ds;
    const struct shape *shape;
    int32_t last_w;
    int32_t w, d, id;    /* the row made last */
    int32_t line, lines; /* ORDER-LINE: of the order `id` */
    uint64_t table_key;
    uint64_t place_key; /* of (table, w, d) */
    uint64_t lines_key; /* of (w, d): how many lines an order has */
    struct rng r;       /* the row's draws */
    struct value row[TABLE_COLUMNS_MAX];
    char *free_text; /* where the row's next text goes, in text[] */
    char text[TEXT_BYTES_MAX];
    int32_t customer_of[TPCC_ORDERS + 1]; /* ORDERS: the district's permutation, by O_ID */
    struct text_pairs pairs;
};

/* --- values --- */

static struct value number(int64_t i)
{
    return value_int(VALUE_I32, i);
}

static struct value cents(int64_t i)
{
    return value_int(VALUE_CENTS, i);
}

static struct value load_time(const struct row_maker *m)
{
    return value_int(VALUE_TIME_US, m->ds.load_time_us);
}

static int32_t draw(struct row_maker *m, int32_t lo, int32_t hi)
{
    return (int32_t)rng_uniform(&m->r, lo, hi);
}

static bool one_in_ten(struct row_maker *m)
{
    return draw(m, 1, 10) == 1;
}

static struct value rate(struct row_maker *m, int32_t most)
{
    return value_int(VALUE_RATE, draw(m, 0, most));
}

static struct value text_of(struct row_maker *m, size_t len)
{
    const struct value v = value_text(m->free_text, len);

    m->free_text += len;
    DCHECK(m->free_text <= m->text + TEXT_BYTES_MAX - TEXT_SLACK);
    return v;
}

/* a[len] of 4.3.2.2. */
static struct value letters(struct row_maker *m, size_t len)
{
    text_fill(&m->pairs, &m->r, m->free_text, len);
    return text_of(m, len);
}

/* a[lo..hi]. */
static struct value some_letters(struct row_maker *m, int32_t lo, int32_t hi)
{
    return letters(m, (size_t)draw(m, lo, hi));
}

/* n[len]. */
static struct value digits(struct row_maker *m, size_t len)
{
    text_digits(&m->r, m->free_text, len);
    return text_of(m, len);
}

/* n[4] and "11111" (4.3.2.7). */
static struct value zip(struct row_maker *m)
{
    text_digits(&m->r, m->free_text, 4);
    memcpy(m->free_text + 4, "11111", 5);
    return text_of(m, 9);
}

/* a[26..50], in one row of ten with "ORIGINAL" at a random place. */
static struct value data(struct row_maker *m)
{
    static const char original[] = {'O', 'R', 'I', 'G', 'I', 'N', 'A', 'L'};
    char *at = m->free_text;
    const struct value v = some_letters(m, 26, 50);

    if (one_in_ten(m))
        memcpy(at + draw(m, 0, (int32_t)(v.len - sizeof(original))), original, sizeof(original));
    return v;
}

static struct value fixed(const char *text)
{
    return value_text(text, strlen(text));
}

/* STREET_1, STREET_2, CITY, STATE, ZIP. */
static void address(struct row_maker *m, struct value *v)
{
    v[0] = some_letters(m, 10, 20);
    v[1] = some_letters(m, 10, 20);
    v[2] = some_letters(m, 10, 20);
    v[3] = letters(m, 2);
    v[4] = zip(m);
}

/* --- one function a table: fills m->row for where the maker stands --- */

static void make_item(struct row_maker *m)
{
    struct value *v = m->row;

    v[0] = number(m->id);
    v[1] = number(draw(m, 1, 10000));
    v[2] = cents(draw(m, 100, 10000));
    v[3] = some_letters(m, 14, 24);
    v[4] = data(m);
}

static void make_warehouse(struct row_maker *m)
{
    struct value *v = m->row;

    v[0] = number(m->w);
    v[1] = rate(m, 2000);
    v[2] = cents(30000000);
    v[3] = some_letters(m, 6, 10);
    address(m, v + 4);
}

static void make_stock(struct row_maker *m)
{
    struct value *v = m->row;

    v[0] = number(m->id);
    v[1] = number(m->w);
    v[2] = number(draw(m, 10, 100));
    v[3] = number(0);
    v[4] = number(0);
    v[5] = number(0);
    v[6] = data(m);
    text_fill(&m->pairs, &m->r, m->free_text, (size_t)24 * TPCC_DISTRICTS);
    for (int i = 0; i < TPCC_DISTRICTS; i++)
        v[7 + i] = text_of(m, 24);
}

static void make_district(struct row_maker *m)
{
    struct value *v = m->row;

    v[0] = number(m->d);
    v[1] = number(m->w);
    v[2] = number(TPCC_ORDERS + 1);
    v[3] = rate(m, 2000);
    v[4] = cents(3000000);
    v[5] = some_letters(m, 6, 10);
    address(m, v + 6);
}

static struct value name_of_customer(struct row_maker *m)
{
    const int32_t n =
        m->id <= NEVER_TWICE_BEFORE ? m->id - 1 : nurand_last_name(&m->r, &m->ds.c_load);

    return text_of(m, last_name(n, m->free_text));
}

static void make_customer(struct row_maker *m)
{
    struct value *v = m->row;

    v[0] = number(m->id);
    v[1] = number(m->d);
    v[2] = number(m->w);
    v[3] = number(1);
    v[4] = number(0);
    v[5] = load_time(m);
    v[6] = cents(-1000);
    v[7] = cents(1000);
    v[8] = cents(5000000);
    v[9] = rate(m, 5000);
    v[10] = fixed(one_in_ten(m) ? "BC" : "GC");
    v[11] = name_of_customer(m);
    v[12] = some_letters(m, 8, 16);
    v[13] = fixed("OE");
    address(m, v + 14);
    v[19] = digits(m, 16);
    v[20] = some_letters(m, 300, 500);
}

static void make_history(struct row_maker *m)
{
    struct value *v = m->row;

    v[0] = number(m->id);
    v[1] = number(m->d);
    v[2] = number(m->w);
    v[3] = number(m->d);
    v[4] = number(m->w);
    v[5] = load_time(m);
    v[6] = cents(1000);
    v[7] = some_letters(m, 12, 24);
}

/* O_OL_CNT: drawn by itself, so that ORDERS, ORDER-LINE and the counts agree. */
static int32_t lines_of(uint64_t lines_key, int32_t o_id)
{
    struct rng r = rng_at(rng_key(lines_key, (uint64_t)o_id));

    return (int32_t)rng_uniform(&r, 5, TPCC_LINES_MAX);
}

static void make_orders(struct row_maker *m)
{
    struct value *v = m->row;

    v[0] = number(m->id);
    v[1] = number(m->d);
    v[2] = number(m->w);
    v[3] = number(m->customer_of[m->id]);
    v[4] = load_time(m);
    v[5] = m->id < TPCC_FIRST_UNDELIVERED ? number(draw(m, 1, 10)) : value_null();
    v[6] = number(lines_of(m->lines_key, m->id));
    v[7] = number(1);
}

static void make_order_line(struct row_maker *m)
{
    struct value *v = m->row;
    const bool delivered = m->id < TPCC_FIRST_UNDELIVERED;

    v[0] = number(m->id);
    v[1] = number(m->d);
    v[2] = number(m->w);
    v[3] = number(m->line);
    v[4] = number(draw(m, 1, TPCC_ITEMS));
    v[5] = number(m->w);
    v[6] = delivered ? load_time(m) : value_null();
    v[7] = number(5);
    v[8] = cents(delivered ? 0 : draw(m, 1, 999999));
    v[9] = letters(m, 24);
}

static void make_new_order(struct row_maker *m)
{
    m->row[0] = number(m->id);
    m->row[1] = number(m->d);
    m->row[2] = number(m->w);
}

static const struct shape shapes[TABLE_COUNT] = {
    [TABLE_ITEM] = {false, false, 1, TPCC_ITEMS, make_item},
    [TABLE_WAREHOUSE] = {true, false, 1, 1, make_warehouse},
    [TABLE_STOCK] = {true, false, 1, TPCC_ITEMS, make_stock},
    [TABLE_DISTRICT] = {true, true, 1, 1, make_district},
    [TABLE_CUSTOMER] = {true, true, 1, TPCC_CUSTOMERS, make_customer},
    [TABLE_HISTORY] = {true, true, 1, TPCC_CUSTOMERS, make_history},
    [TABLE_ORDERS] = {true, true, 1, TPCC_ORDERS, make_orders},
    [TABLE_ORDER_LINE] = {true, true, 1, TPCC_ORDERS, make_order_line},
    [TABLE_NEW_ORDER] = {true, true, TPCC_FIRST_UNDELIVERED, TPCC_ORDERS, make_new_order},
};

/* --- walking --- */

/* O_C_ID: a fresh permutation of the customers a district, by Fisher and Yates. */
static void permute(struct row_maker *m)
{
    struct rng r = rng_at(
        rng_key(rng_key(rng_key(m->ds.seed, PURPOSE_PERMUTATION), (uint64_t)m->w), (uint64_t)m->d));

    for (int32_t i = 1; i <= TPCC_ORDERS; i++) {
        const int32_t j = (int32_t)rng_uniform(&r, 1, i);

        m->customer_of[i] = m->customer_of[j];
        m->customer_of[j] = i;
    }
}

static uint64_t lines_key_of(const struct tpcc_dataset *ds, int32_t w, int32_t d)
{
    return rng_key(rng_key(rng_key(ds->seed, PURPOSE_LINES), (uint64_t)w), (uint64_t)d);
}

/* The maker has come to a district (or warehouse, or the items). */
static void enter_place(struct row_maker *m)
{
    m->place_key = rng_key(rng_key(m->table_key, (uint64_t)m->w), (uint64_t)m->d);
    if (m->shape->make != make_orders && m->shape->make != make_order_line)
        return;
    m->lines_key = lines_key_of(&m->ds, m->w, m->d);
    if (m->shape->make == make_orders)
        permute(m);
}

/* To the next place; false behind the last. */
static bool next_place(struct row_maker *m)
{
    if (m->shape->by_district && m->d < TPCC_DISTRICTS) {
        m->d++;
    } else {
        if (m->w >= m->last_w)
            return false;
        m->w++;
        m->d = m->shape->by_district ? 1 : 0;
    }
    enter_place(m);
    m->id = m->shape->first;
    return true;
}

/* To the next row; false behind the last. */
static bool next_row(struct row_maker *m)
{
    if (m->line < m->lines) {
        m->line++;
        return true;
    }
    if (m->id < m->shape->last)
        m->id++;
    else if (!next_place(m))
        return false;
    if (m->shape->make == make_order_line) {
        m->lines = lines_of(m->lines_key, m->id);
        m->line = 1;
    }
    return true;
}

struct row_maker *row_maker_new(const struct tpcc_dataset *ds, enum tpcc_table t, int32_t first_w,
                                int32_t last_w)
{
    struct row_maker *m = xcalloc(1, sizeof(*m));

    CHECK(first_w >= 1);
    CHECK(first_w <= last_w);
    CHECK((int)t >= 0);
    CHECK(t < TABLE_COUNT);
    m->ds = *ds;
    m->shape = &shapes[t];
    m->table_key = rng_key(ds->seed, (uint64_t)(PURPOSE_ROWS + (int)t));
    m->w = m->shape->by_warehouse ? first_w - 1 : 0;
    m->last_w = m->shape->by_warehouse ? last_w : 1;
    m->d = TPCC_DISTRICTS;
    m->id = m->shape->last;
    text_pairs_init(&m->pairs);
    return m;
}

void row_maker_free(struct row_maker *m)
{
    free(m);
}

const struct value *row_maker_next(struct row_maker *m)
{
    if (!next_row(m))
        return NULL;
    m->r = rng_at(rng_key(m->place_key, ((uint64_t)m->id << 8) | (uint64_t)m->line));
    m->free_text = m->text;
    m->shape->make(m);
    return m->row;
}

uint64_t rows_expected(const struct tpcc_dataset *ds, enum tpcc_table t, int32_t first_w,
                       int32_t last_w)
{
    const struct shape *s = &shapes[t];
    uint64_t rows = 0;

    if (!s->by_warehouse)
        return (uint64_t)(s->last - s->first + 1);
    if (t != TABLE_ORDER_LINE)
        return (uint64_t)(last_w - first_w + 1) * (s->by_district ? TPCC_DISTRICTS : 1) *
               (uint64_t)(s->last - s->first + 1);
    for (int32_t w = first_w; w <= last_w; w++)
        for (int32_t d = 1; d <= TPCC_DISTRICTS; d++) {
            const uint64_t key = lines_key_of(ds, w, d);

            for (int32_t o = 1; o <= TPCC_ORDERS; o++)
                rows += (uint64_t)lines_of(key, o);
        }
    return rows;
}

static uint64_t checksum_text(uint64_t h, const struct value *v)
{
    for (uint32_t at = 0; at < v->len; at += 8) {
        uint64_t word = 0;

        memcpy(&word, v->text + at, v->len - at < 8 ? v->len - at : 8);
        h = rng_key(h, word);
    }
    return rng_key(h, v->len);
}

uint64_t row_checksum(enum tpcc_table t, const struct value *row)
{
    const struct table *table = tpcc_table(t);
    uint64_t h = rng_mix((uint64_t)t + 1);

    for (int i = 0; i < table->n_columns; i++) {
        h = rng_key(h, row[i].kind);
        if (row[i].kind == VALUE_TEXT)
            h = checksum_text(h, &row[i]);
        else if (row[i].kind != VALUE_NULL)
            h = rng_key(h, (uint64_t)row[i].i);
    }
    return h;
}
