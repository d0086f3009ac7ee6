/*
 * The step machine that all five transactions share: by procedures a transaction is one batch of
 * one part that commits, so there are two steps, send and read. What differs stands in a table with
 * one row per type. By statements it is in txn_parts.c. Called from the thread that owns the
 * session; no I/O.
 */
#include "tpcc/txn.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tpcc/txn_kind.h"

struct txn_kind {
    const char *statement; /* the block's name in the dialect */
    uint8_t n_args;
    void (*args)(struct txn *t);
    enum txn_next (*reply)(struct txn *t, const struct rows_part *reply);
};

static const struct txn_kind kinds[] = {
    [TXN_NEW_ORDER] = {"call_new_order", 8, txn_new_order_args, txn_new_order_reply},
    [TXN_PAYMENT] = {"call_payment", 8, txn_payment_args, txn_payment_reply},
    [TXN_ORDER_STATUS] = {"call_order_status", 4, txn_order_status_args, txn_order_status_reply},
    [TXN_DELIVERY] = {"call_delivery", 3, txn_delivery_args, txn_delivery_reply},
    [TXN_STOCK_LEVEL] = {"call_stock_level", 3, txn_stock_level_args, txn_stock_level_reply},
};
_Static_assert(ARRAY_LEN(kinds) == TXN_TYPES, "one row per type");

static const struct stmt *need(struct txn_statements *st, const struct dialect *d, const char *name,
                               uint8_t n_params, struct err *err)
{
    const struct stmt *found = dialect_need(d, name, err);

    if (found && found->n_params != n_params) {
        err_set(err, ERR_USAGE, "%s: \"%s\" has %d parameters, not %d", dialect_dir(d), name,
                found->n_params, n_params);
        return NULL;
    }
    if (found)
        st->prepare[st->n_prepare++] = found;
    return found;
}

int txn_statements_find(struct txn_statements *st, const struct dialect *d, enum txn_way way,
                        struct err *err)
{
    const struct stmt *options = dialect_find(d, "session_options");

    *st = (struct txn_statements){.way = way, .options = options ? options->text : NULL};
    for (int i = 0; way == TXN_PROCEDURES && i < TXN_TYPES; i++) {
        st->call[i] = need(st, d, kinds[i].statement, kinds[i].n_args, err);
        if (!st->call[i])
            return -1;
    }
    for (int i = 0; way == TXN_STATEMENTS && i < TXN_PARTS; i++) {
        const enum txn_part part = (enum txn_part)i;

        st->part[i] = need(st, d, txn_part_name(part), txn_part_params(part), err);
        if (!st->part[i])
            return -1;
    }
    return 0;
}

const char *txn_way_name(enum txn_way way)
{
    switch (way) {
    case TXN_PROCEDURES:
        return "procedures";
    case TXN_STATEMENTS:
        return "statements";
    }
    UNREACHABLE();
}

int txn_i32(const struct cell *c, int32_t *out, struct err *err)
{
    int64_t v = 0;

    if (cell_i64(c, &v, err) < 0)
        return -1;
    if (v != (int32_t)v)
        return err_set(err, ERR_DB, "the server answered %lld, which is out of range",
                       (long long)v);
    *out = (int32_t)v;
    return 0;
}

bool txn_is_text(const struct cell *c, const char *text)
{
    return c->text && c->len == strlen(text) && memcmp(c->text, text, c->len) == 0;
}

struct txn_fields txn_fields_of(const struct cell *c)
{
    return (struct txn_fields){c->text, c->text ? c->text + c->len : NULL};
}

struct cell txn_field(struct txn_fields *f, char separator)
{
    struct cell c = {.text = f->at};
    const char *stop;

    if (!f->at)
        return c;
    stop = memchr(f->at, separator, (size_t)(f->end - f->at));
    c.len = (uint32_t)((stop ? stop : f->end) - f->at);
    f->at = stop ? stop + 1 : NULL;
    return c;
}

enum txn_next txn_bad(struct txn *t, const char *fmt, ...)
{
    char text[sizeof(t->bad.text)];
    va_list ap;

    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    err_set(&t->bad, ERR_DB, "%s", text);
    return TXN_BAD_REPLY;
}

bool txn_reply_has(struct txn *t, const struct rows_part *reply, uint32_t rows, uint16_t columns)
{
    if (reply->n_rows >= rows && reply->n_columns >= columns)
        return true;
    (void)txn_bad(t, "%s: a reply of %u rows and %u columns", txn_type_name(t->input.type),
                  reply->n_rows, reply->n_columns);
    return false;
}

void txn_init(struct txn *t, const struct txn_statements *statements)
{
    memset(t, 0, sizeof(*t));
    t->statements = statements;
}

void txn_start(struct txn *t, const struct txn_input *in)
{
    t->input = *in;
    txn_restart(t);
}

void txn_restart(struct txn *t)
{
    CHECK(t->input.type < TXN_TYPES);
    memset(&t->facts, 0, sizeof(t->facts));
    t->step = 0;
}

enum txn_next txn_step(struct txn *t, const struct rows *replies, struct batch *next)
{
    const struct txn_kind *kind = &kinds[t->input.type];

    if (t->statements->way == TXN_STATEMENTS)
        return txn_parts_step(t, replies, next);
    if (!replies) {
        CHECK(t->step == 0);
        kind->args(t);
        next->n = 1;
        next->commits = true;
        next->part[0] = (struct batch_part){t->statements->call[t->input.type], t->args};
        t->step = 1;
        return TXN_SEND;
    }
    CHECK(t->step == 1);
    t->step = 2;
    if (replies->n != 1)
        return txn_bad(t, "%s: %u replies to one statement", txn_type_name(t->input.type),
                       replies->n);
    return kind->reply(t, &replies->part[0]);
}
