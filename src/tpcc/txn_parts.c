/*
 * The statements way: each of the five as a few batches of statements, set-based, so that lines and
 * districts travel as arrays. A batch is as long as nothing in it needs a reply of the one before.
 * What comes back is put into the form of a procedure's reply and read by the same readers, so that
 * both ways know the same facts. Called from the thread that owns the session; no I/O.
 *
 * A batch may fail in the middle of a transaction; `open` then makes the next one on this session
 * begin with a ROLLBACK.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tpcc/txn_kind.h"

static const struct {
    const char *name;
    uint8_t n_params;
} parts[] = {
    [PART_BEGIN] = {"txn_begin", 0},
    [PART_COMMIT] = {"txn_commit", 0},
    [PART_ROLLBACK] = {"txn_rollback", 0},
    [PART_NAMES] = {"customers_named", 3},
    [PART_NO_HEAD] = {"new_order_head", 3},
    [PART_NO_DISTRICT] = {"new_order_district", 2},
    [PART_NO_NEXT] = {"new_order_next", 2},
    [PART_NO_ORDER] = {"new_order_order", 7},
    [PART_NO_NEW_ORDER] = {"new_order_new_order", 3},
    [PART_NO_LINES] = {"new_order_lines", 4},
    [PART_NO_STOCK] = {"new_order_stock", 6},
    [PART_NO_ORDER_LINES] = {"new_order_order_lines", 7},
    [PART_PAY_CUSTOMER] = {"payment_customer", 6},
    [PART_PAY_TOLD] = {"payment_told", 3},
    [PART_PAY_DISTRICT] = {"payment_district", 3},
    [PART_PAY_WAREHOUSE] = {"payment_warehouse", 2},
    [PART_PAY_HISTORY] = {"payment_history", 7},
    [PART_PAY_PLACES] = {"payment_places", 2},
    [PART_OS_LINES] = {"order_status_lines", 3},
    [PART_DL_LOCK] = {"delivery_lock", 1},
    [PART_DL_OLDEST] = {"delivery_oldest", 1},
    [PART_DL_NEW_ORDERS] = {"delivery_new_orders", 3},
    [PART_DL_ORDERS] = {"delivery_orders", 4},
    [PART_DL_LINES] = {"delivery_lines", 4},
    [PART_DL_CUSTOMERS] = {"delivery_customers", 3},
    [PART_SL_COUNT] = {"stock_level_count", 3},
};
_Static_assert(ARRAY_LEN(parts) == TXN_PARTS, "one row per statement");

const char *txn_part_name(enum txn_part part)
{
    return parts[part].name;
}

uint8_t txn_part_params(enum txn_part part)
{
    return parts[part].n_params;
}

int txn_round_trips(enum txn_way way, enum txn_type type, bool pipelined)
{
    static const uint8_t batches[TXN_TYPES] = {3, 3, 2, 2, 1};
    static const uint8_t statements[TXN_TYPES] = {10, 9, 2, 8, 1};

    CHECK(type < TXN_TYPES);
    if (way == TXN_PROCEDURES)
        return 1;
    return pipelined ? batches[type] : statements[type];
}

/* ---- making a batch ---- */

static void begin_batch(struct txn *t, struct batch *b)
{
    *b = (struct batch){0};
    t->n_args = 0;
}

static void add(struct txn *t, struct batch *b, enum txn_part part)
{
    const struct stmt *stmt = t->statements->part[part];

    CHECK(b->n < BATCH_MAX);
    CHECK(t->n_args + parts[part].n_params <= TXN_ARGS_MAX);
    t->changes[b->n] = (struct txn_changes){0};
    b->part[b->n++] = (struct batch_part){stmt, &t->args[t->n_args]};
    t->n_args = (uint8_t)(t->n_args + parts[part].n_params);
}

/* How many rows the part that was added last changes. */
static void changes(struct txn *t, const struct batch *b, uint32_t least, uint32_t most)
{
    CHECK(most <= UINT8_MAX);
    t->changes[b->n - 1] = (struct txn_changes){(uint8_t)least, (uint8_t)most};
}

/* A row that has vanished is told by how many were changed, where the database tells that. */
static bool all_changed(struct txn *t, const struct rows *replies)
{
    for (uint8_t i = 0; i < replies->n; i++) {
        const struct txn_changes *c = &t->changes[i];
        const int64_t n = replies->part[i].affected;

        if (c->most == 0 || n < 0 || (n >= c->least && n <= c->most))
            continue;
        (void)txn_bad(
            t, "%s: a statement (number %d of its batch) changed %" PRId64 " rows and not %s%u",
            txn_type_name(t->input.type), i + 1, n, c->least < c->most ? "at least " : "",
            c->least);
        return false;
    }
    return true;
}

/* The argument's place in the part that was added last; the first has number 0. */
static struct value *arg(struct txn *t, const struct batch *b, unsigned i)
{
    (void)t;
    return (struct value *)(uintptr_t)&b->part[b->n - 1].args[i];
}

static void set_ints(struct txn *t, const struct batch *b, const int32_t *v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        *arg(t, b, i) = value_int(VALUE_I32, v[i]);
}

#define SET(t, b, ...)                                                                             \
    set_ints((t), (b), (const int32_t[]){__VA_ARGS__},                                             \
             (unsigned)(sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t)))

static void add_begin(struct txn *t, struct batch *b)
{
    if (t->open)
        add(t, b, PART_ROLLBACK);
    add(t, b, PART_BEGIN);
    t->open = true;
}

static enum txn_next send(struct txn *t)
{
    t->step++;
    return TXN_SEND;
}

static enum txn_next send_last(struct txn *t, struct batch *b)
{
    add(t, b, PART_COMMIT);
    b->commits = true;
    return send(t);
}

/* A part of the reply counted from its end, since it may begin with a ROLLBACK's. */
static const struct rows_part *from_end(const struct rows *r, unsigned i)
{
    CHECK(i < r->n);
    return &r->part[r->n - 1 - i];
}

/* ---- by name ---- */

static void add_names(struct txn *t, struct batch *b, int32_t w_id, int32_t d_id, const char *name)
{
    add(t, b, PART_NAMES);
    SET(t, b, w_id, d_id);
    *arg(t, b, 2) = value_text(name, strlen(name));
}

/* The middle one of those found, as they are sorted (2.5.2.2). */
static enum txn_next read_names(struct txn *t, const struct rows *replies)
{
    const struct rows_part *p = from_end(replies, 0);

    if (!txn_reply_has(t, p, 1, 1))
        return TXN_BAD_REPLY;
    if (txn_i32(rows_cell(p, (p->n_rows + 1) / 2 - 1, 0), &t->c_id, &t->bad) < 0)
        return TXN_BAD_REPLY;
    return TXN_SEND;
}

/* ---- New-Order ---- */

enum {
    LINE_NUMBER,
    LINE_W_ID,
    LINE_I_ID,
    LINE_QUANTITY,
    LINE_NAME,
    LINE_BRAND,
    LINE_PRICE,
    LINE_AMOUNT,
    LINE_COLUMNS
};
enum { STOCK_W_ID, STOCK_I_ID, STOCK_QUANTITY, STOCK_YTD, STOCK_ORDERS, STOCK_REMOTE };

static enum txn_next new_order_begin(struct txn *t, struct batch *b)
{
    const struct txn_input *in = &t->input;

    txn_new_order_args(t); /* sorts the lines; its arguments are written over */
    begin_batch(t, b);
    add_begin(t, b);
    add(t, b, PART_NO_HEAD);
    SET(t, b, in->w_id, in->d_id, in->new_order.c_id);
    add(t, b, PART_NO_DISTRICT);
    SET(t, b, in->w_id, in->d_id);
    add(t, b, PART_NO_NEXT);
    SET(t, b, in->w_id, in->d_id);
    changes(t, b, 1, 1);
    return send(t);
}

/* W_TAX and "C_DISCOUNT|C_LAST|C_CREDIT"; D_NEXT_O_ID and D_TAX. */
static enum txn_next new_order_head(struct txn *t, const struct rows *replies, struct batch *b)
{
    const struct rows_part *head = from_end(replies, 2);
    const struct rows_part *district = from_end(replies, 1);
    const struct new_order_input *in = &t->input.new_order;
    int32_t all_local = 1;
    int n;

    if (head->n_rows == 0)
        return txn_bad(t, "new_order: no customer %d in district %d of warehouse %d", in->c_id,
                       t->input.d_id, t->input.w_id);
    if (!txn_reply_has(t, head, 1, 2) || !txn_reply_has(t, district, 1, 2) ||
        txn_i32(rows_cell(district, 0, 0), &t->facts.o_id, &t->bad) < 0)
        return TXN_BAD_REPLY;
    n = snprintf(t->told, sizeof(t->told), "%d|%d|%.*s|%.*s|%.*s", !in->rolls_back, t->facts.o_id,
                 (int)rows_cell(head, 0, 0)->len, rows_cell(head, 0, 0)->text,
                 (int)rows_cell(district, 0, 1)->len, rows_cell(district, 0, 1)->text,
                 (int)rows_cell(head, 0, 1)->len, rows_cell(head, 0, 1)->text);
    CHECK(n > 0);
    for (int i = 0; i < in->n_lines; i++)
        all_local = all_local && in->line[i].supply_w_id == t->input.w_id;
    begin_batch(t, b);
    add(t, b, PART_NO_ORDER);
    SET(t, b, t->facts.o_id, t->input.d_id, t->input.w_id, in->c_id, 0, in->n_lines, all_local);
    *arg(t, b, 4) = value_int(VALUE_TIME_US, in->entry_us);
    add(t, b, PART_NO_NEW_ORDER);
    SET(t, b, t->facts.o_id, t->input.d_id, t->input.w_id);
    add(t, b, PART_NO_LINES);
    *arg(t, b, 0) = value_array(t->numbers, in->n_lines);
    *arg(t, b, 1) = value_array(t->i_ids, in->n_lines);
    *arg(t, b, 2) = value_array(t->supply_w_ids, in->n_lines);
    *arg(t, b, 3) = value_array(t->quantities, in->n_lines);
    return send(t);
}

/* The place of a stock row among those of this order. */
static unsigned stock_at(struct txn *t, int32_t w_id, int32_t i_id, int32_t quantity)
{
    unsigned i = 0;

    while (i < t->n_stock && (t->stock[STOCK_W_ID][i] != w_id || t->stock[STOCK_I_ID][i] != i_id))
        i++;
    if (i < t->n_stock)
        return i;
    t->n_stock++;
    t->stock[STOCK_W_ID][i] = w_id;
    t->stock[STOCK_I_ID][i] = i_id;
    t->stock[STOCK_QUANTITY][i] = quantity;
    t->stock[STOCK_YTD][i] = 0;
    t->stock[STOCK_ORDERS][i] = 0;
    t->stock[STOCK_REMOTE][i] = 0;
    return i;
}

/* One line: what becomes of its stock row (2.4.2.2), and what the terminal is told. */
static int new_order_line(struct txn *t, const struct rows_part *p, uint32_t row)
{
    const struct new_order_input *in = &t->input.new_order;
    const size_t len = strlen(t->told);
    int32_t v[4];
    int32_t *left;
    int32_t ordered;
    unsigned at;

    for (uint16_t i = 0; i < (uint16_t)ARRAY_LEN(v); i++)
        if (txn_i32(rows_cell(p, row, i), &v[i], &t->bad) < 0)
            return -1;
    if (v[LINE_NUMBER] < 1 || v[LINE_NUMBER] > in->n_lines)
        return err_set(&t->bad, ERR_DB, "new_order: a reply with line %d of %d", v[LINE_NUMBER],
                       in->n_lines);
    ordered = in->line[v[LINE_NUMBER] - 1].quantity;
    at = stock_at(t, v[LINE_W_ID], v[LINE_I_ID], v[LINE_QUANTITY]);
    left = &t->stock[STOCK_QUANTITY][at];
    *left += *left >= ordered + 10 ? -ordered : 91 - ordered;
    t->stock[STOCK_YTD][at] += ordered;
    t->stock[STOCK_ORDERS][at]++;
    t->stock[STOCK_REMOTE][at] += v[LINE_W_ID] != t->input.w_id;
    (void)snprintf(t->told + len, sizeof(t->told) - len, "%s%d,%d,%.*s,%d,%.*s,%.*s,%.*s",
                   row ? ";" : "|", v[LINE_NUMBER], v[LINE_W_ID],
                   (int)rows_cell(p, row, LINE_NAME)->len, rows_cell(p, row, LINE_NAME)->text,
                   *left, (int)rows_cell(p, row, LINE_BRAND)->len,
                   rows_cell(p, row, LINE_BRAND)->text, (int)rows_cell(p, row, LINE_PRICE)->len,
                   rows_cell(p, row, LINE_PRICE)->text, (int)rows_cell(p, row, LINE_AMOUNT)->len,
                   rows_cell(p, row, LINE_AMOUNT)->text);
    return 0;
}

static enum txn_next new_order_lines(struct txn *t, const struct rows *replies, struct batch *b)
{
    const struct new_order_input *in = &t->input.new_order;
    const struct rows_part *p = from_end(replies, 0);

    if (!txn_reply_has(t, p, 0, LINE_COLUMNS))
        return TXN_BAD_REPLY;
    if (p->n_rows > TPCC_LINES_MAX)
        return txn_bad(t, "new_order: a reply of %u lines", p->n_rows);
    t->n_stock = 0;
    for (uint32_t row = 0; row < p->n_rows; row++)
        if (new_order_line(t, p, row) < 0)
            return TXN_BAD_REPLY;
    begin_batch(t, b);
    add(t, b, PART_NO_STOCK);
    for (unsigned i = 0; i < ARRAY_LEN(t->stock); i++)
        *arg(t, b, i) = value_array(t->stock[i], t->n_stock);
    changes(t, b, t->n_stock, t->n_stock);
    add(t, b, PART_NO_ORDER_LINES);
    SET(t, b, t->facts.o_id, t->input.d_id, t->input.w_id);
    *arg(t, b, 3) = value_array(t->numbers, in->n_lines);
    *arg(t, b, 4) = value_array(t->i_ids, in->n_lines);
    *arg(t, b, 5) = value_array(t->supply_w_ids, in->n_lines);
    *arg(t, b, 6) = value_array(t->quantities, in->n_lines);
    changes(t, b, p->n_rows, p->n_rows);
    /* A line that has no item is what rolls it back (2.4.1.4), after all others. */
    if (p->n_rows == in->n_lines)
        return send_last(t, b);
    t->told[0] = '0';
    add(t, b, PART_ROLLBACK);
    return send(t);
}

/* What a procedure would have answered. */
static enum txn_next new_order_end(struct txn *t)
{
    const struct cell told = {t->told, (uint32_t)strlen(t->told)};
    const struct rows_part reply = {.n_rows = 1, .n_columns = 1, .affected = -1, .cells = &told};

    return txn_new_order_reply(t, &reply);
}

static enum txn_next new_order_step(struct txn *t, const struct rows *replies, struct batch *b)
{
    switch (t->step) {
    case 0:
        return new_order_begin(t, b);
    case 1:
        return new_order_head(t, replies, b);
    case 2:
        return new_order_lines(t, replies, b);
    default:
        return new_order_end(t);
    }
}

/* ---- Payment ---- */

static enum txn_next payment_customer(struct txn *t, struct batch *b, bool begun)
{
    const struct txn_input *in = &t->input;
    const struct payment_input *pay = &in->payment;

    begin_batch(t, b);
    if (!begun)
        add_begin(t, b);
    add(t, b, PART_PAY_CUSTOMER);
    SET(t, b, in->w_id, in->d_id, pay->c_w_id, pay->c_d_id, t->c_id);
    *arg(t, b, 5) = value_int(VALUE_CENTS, pay->amount_cents);
    changes(t, b, 1, 1);
    add(t, b, PART_PAY_TOLD);
    SET(t, b, pay->c_w_id, pay->c_d_id, t->c_id);
    t->step = 1; /* by name or not, its reply comes next */
    return send(t);
}

static enum txn_next payment_begin(struct txn *t, struct batch *b)
{
    const struct payment_input *pay = &t->input.payment;

    t->c_id = pay->c_id;
    if (pay->c_id != 0)
        return payment_customer(t, b, false);
    begin_batch(t, b);
    add_begin(t, b);
    add_names(t, b, pay->c_w_id, pay->c_d_id, pay->c_last);
    return send(t);
}

/* Its facts are known with the customer's row; what follows can only fail. */
static enum txn_next payment_rest(struct txn *t, const struct rows *replies, struct batch *b)
{
    const struct txn_input *in = &t->input;
    const struct payment_input *pay = &in->payment;
    const struct rows_part *told = from_end(replies, 0);

    if (!txn_reply_has(t, told, 1, 1) || txn_payment_reply(t, told) == TXN_BAD_REPLY)
        return TXN_BAD_REPLY;
    begin_batch(t, b);
    add(t, b, PART_PAY_DISTRICT);
    SET(t, b, in->w_id, in->d_id);
    *arg(t, b, 2) = value_int(VALUE_CENTS, pay->amount_cents);
    changes(t, b, 1, 1);
    add(t, b, PART_PAY_WAREHOUSE);
    SET(t, b, in->w_id);
    *arg(t, b, 1) = value_int(VALUE_CENTS, pay->amount_cents);
    changes(t, b, 1, 1);
    add(t, b, PART_PAY_HISTORY);
    SET(t, b, in->w_id, in->d_id, pay->c_w_id, pay->c_d_id, t->c_id);
    *arg(t, b, 5) = value_int(VALUE_CENTS, pay->amount_cents);
    *arg(t, b, 6) = value_int(VALUE_TIME_US, pay->date_us);
    changes(t, b, 1, 1);
    add(t, b, PART_PAY_PLACES);
    SET(t, b, in->w_id, in->d_id);
    return send_last(t, b);
}

static enum txn_next payment_step(struct txn *t, const struct rows *replies, struct batch *b)
{
    switch (t->step) {
    case 0:
        return payment_begin(t, b);
    case 1:
        if (read_names(t, replies) != TXN_SEND)
            return TXN_BAD_REPLY;
        return payment_customer(t, b, true);
    case 2:
        return payment_rest(t, replies, b);
    default:
        return txn_reply_has(t, from_end(replies, 1), 1, 1) ? TXN_COMMITTED : TXN_BAD_REPLY;
    }
}

/* ---- Order-Status ---- */

static enum txn_next order_status_lines(struct txn *t, struct batch *b)
{
    begin_batch(t, b);
    add(t, b, PART_OS_LINES);
    SET(t, b, t->input.w_id, t->input.d_id, t->c_id);
    t->step = 1;
    return send(t);
}

/* It changes nothing, and what a name is looked up in never changes: no transaction is needed
 * around its one statement. */
static enum txn_next order_status_step(struct txn *t, const struct rows *replies, struct batch *b)
{
    const struct order_status_input *in = &t->input.order_status;

    switch (t->step) {
    case 0:
        t->c_id = in->c_id;
        if (in->c_id != 0)
            return order_status_lines(t, b);
        begin_batch(t, b);
        add_names(t, b, t->input.w_id, t->input.d_id, in->c_last);
        return send(t);
    case 1:
        if (read_names(t, replies) != TXN_SEND)
            return TXN_BAD_REPLY;
        return order_status_lines(t, b);
    default:
        return txn_order_status_reply(t, from_end(replies, 0));
    }
}

/* ---- Delivery ---- */

static enum txn_next delivery_begin(struct txn *t, struct batch *b)
{
    begin_batch(t, b);
    add_begin(t, b);
    add(t, b, PART_DL_LOCK);
    SET(t, b, t->input.w_id);
    add(t, b, PART_DL_OLDEST);
    SET(t, b, t->input.w_id);
    return send(t);
}

/* Adds a statement about the districts and orders found, which are its last two arguments. */
static void add_found(struct txn *t, struct batch *b, enum txn_part part, uint32_t n)
{
    add(t, b, part);
    SET(t, b, t->input.w_id);
    *arg(t, b, parts[part].n_params - 2U) = value_array(t->districts, n);
    *arg(t, b, parts[part].n_params - 1U) = value_array(t->orders, n);
    changes(t, b, n, n);
}

static enum txn_next delivery_rest(struct txn *t, const struct rows *replies, struct batch *b)
{
    const struct delivery_input *in = &t->input.delivery;
    const struct rows_part *p = from_end(replies, 0);

    if (!txn_reply_has(t, p, 0, 2))
        return TXN_BAD_REPLY;
    if (p->n_rows > TPCC_DISTRICTS)
        return txn_bad(t, "delivery: %u districts", p->n_rows);
    for (uint32_t i = 0; i < p->n_rows; i++)
        if (txn_i32(rows_cell(p, i, 0), &t->districts[i], &t->bad) < 0 ||
            txn_i32(rows_cell(p, i, 1), &t->orders[i], &t->bad) < 0)
            return TXN_BAD_REPLY;
    t->facts.delivered = (int32_t)p->n_rows;
    t->facts.skipped = TPCC_DISTRICTS - t->facts.delivered;
    begin_batch(t, b);
    if (p->n_rows == 0)
        return send_last(t, b);
    add_found(t, b, PART_DL_NEW_ORDERS, p->n_rows);
    add_found(t, b, PART_DL_ORDERS, p->n_rows);
    *arg(t, b, 1) = value_int(VALUE_I32, in->carrier_id);
    add_found(t, b, PART_DL_LINES, p->n_rows);
    *arg(t, b, 1) = value_int(VALUE_TIME_US, in->date_us);
    changes(t, b, p->n_rows, p->n_rows * TPCC_LINES_MAX);
    add_found(t, b, PART_DL_CUSTOMERS, p->n_rows);
    return send_last(t, b);
}

static enum txn_next delivery_step(struct txn *t, const struct rows *replies, struct batch *b)
{
    switch (t->step) {
    case 0:
        return delivery_begin(t, b);
    case 1:
        return delivery_rest(t, replies, b);
    default:
        return TXN_COMMITTED;
    }
}

/* ---- Stock-Level ---- */

static enum txn_next stock_level_step(struct txn *t, const struct rows *replies, struct batch *b)
{
    if (t->step > 0)
        return txn_stock_level_reply(t, from_end(replies, 0));
    begin_batch(t, b);
    add(t, b, PART_SL_COUNT);
    SET(t, b, t->input.w_id, t->input.d_id, t->input.stock_level.threshold);
    return send(t);
}

/* ---- all ---- */

static enum txn_next step_of(struct txn *t, const struct rows *replies, struct batch *next)
{
    switch (t->input.type) {
    case TXN_NEW_ORDER:
        return new_order_step(t, replies, next);
    case TXN_PAYMENT:
        return payment_step(t, replies, next);
    case TXN_ORDER_STATUS:
        return order_status_step(t, replies, next);
    case TXN_DELIVERY:
        return delivery_step(t, replies, next);
    case TXN_STOCK_LEVEL:
        return stock_level_step(t, replies, next);
    case TXN_ROWS:
    case TXN_DELIVERY_DEFERRED:
        break;
    }
    UNREACHABLE();
}

enum txn_next txn_parts_step(struct txn *t, const struct rows *replies, struct batch *next)
{
    enum txn_next out;

    CHECK((replies != NULL) == (t->step > 0));
    if (replies && !all_changed(t, replies))
        return TXN_BAD_REPLY;
    out = step_of(t, replies, next);
    if (out == TXN_COMMITTED || out == TXN_ROLLED_BACK)
        t->open = false;
    return out;
}
