/*
 * The statements way with hand-made replies: which statements are sent together and with what, what
 * becomes of a stock row that two lines ask for, the planned rollback, and the ROLLBACK that goes
 * before whatever follows a failure.
 */
#include <stdio.h>
#include <string.h>

#include "harness/unit.h"
#include "tpcc/txn_kind.h"

#define COLUMNS 13

struct rig {
    struct stmt stmt[TXN_PARTS];
    struct txn_statements statements;
    struct txn t;
    struct batch batch;
    struct rows rows;
    struct cell cells[BATCH_MAX][3 * COLUMNS];
};

static void rig_init(struct rig *r)
{
    memset(r, 0, sizeof(*r));
    r->statements.way = TXN_STATEMENTS;
    for (int i = 0; i < TXN_PARTS; i++) {
        r->stmt[i] = (struct stmt){.name = txn_part_name((enum txn_part)i),
                                   .n_params = txn_part_params((enum txn_part)i)};
        r->statements.part[i] = &r->stmt[i];
    }
    txn_init(&r->t, &r->statements);
}

/* Empty replies to the batch that was sent. */
static void replies(struct rig *r)
{
    r->rows.n = r->batch.n;
    for (uint8_t i = 0; i < r->batch.n; i++)
        r->rows.part[i] =
            (struct rows_part){.affected = r->t.changes[i].least, .cells = r->cells[i]};
}

/* Rows for a part: their cells, row by row, separated by "/"; "a,b/c,d" is two rows of two. */
static void reply(struct rig *r, uint8_t part, uint16_t columns, const char *text)
{
    struct rows_part *p = &r->rows.part[part];
    uint32_t n = 0;

    p->n_columns = columns;
    while (*text) {
        const size_t len = strcspn(text, ",/");

        r->cells[part][n++] = (struct cell){text, (uint32_t)len};
        text += len + (text[len] != '\0');
    }
    p->n_rows = n / columns;
}

static enum txn_next begin(struct rig *r, const struct txn_input *in)
{
    txn_start(&r->t, in);
    return txn_step(&r->t, NULL, &r->batch);
}

static enum txn_next go_on(struct rig *r)
{
    return txn_step(&r->t, &r->rows, &r->batch);
}

/* The names of the batch's statements, and whether it commits. */
static void sent(const struct rig *r, const char *names, bool commits)
{
    char got[400] = "";

    for (uint8_t i = 0; i < r->batch.n; i++)
        (void)snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s", i ? " " : "",
                       r->batch.part[i].stmt->name);
    UNIT_EQ_STR("", got, names);
    UNIT_TRUE(names, r->batch.commits == commits);
}

static void ints(const struct rig *r, uint8_t part, unsigned first, const char *want)
{
    char got[200] = "";
    const struct batch_part *p = &r->batch.part[part];

    for (unsigned i = first; i < p->stmt->n_params; i++) {
        const struct value *v = &p->args[i];

        (void)snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s", i > first ? " " : "");
        if (v->kind != VALUE_I32_ARRAY)
            (void)snprintf(got + strlen(got), sizeof(got) - strlen(got), "%lld", (long long)v->i);
        for (uint32_t k = 0; v->kind == VALUE_I32_ARRAY && k < v->len; k++)
            (void)snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%d", k ? "," : "",
                           (int)v->array[k]);
    }
    UNIT_EQ_STR(p->stmt->name, got, want);
}

static struct txn_input order(bool rolls_back)
{
    struct txn_input in = {.type = TXN_NEW_ORDER, .w_id = 2, .d_id = 3};

    in.new_order = (struct new_order_input){.c_id = 7, .entry_us = 99, .n_lines = 3};
    in.new_order.rolls_back = rolls_back;
    in.new_order.line[0] = (struct new_order_line){50, 2, 5};
    in.new_order.line[1] = (struct new_order_line){50, 2, 4};
    in.new_order.line[2] = (struct new_order_line){40, 1, 9};
    if (rolls_back)
        in.new_order.line[2].i_id = TPCC_ITEMS + 1;
    return in;
}

/* Up to the lines. */
static void new_order_head(struct rig *r, const struct txn_input *in)
{
    UNIT_EQ_I64("", begin(r, in), TXN_SEND);
    sent(r, "txn_begin new_order_head new_order_district new_order_next", false);
    ints(r, 1, 0, "2 3 7");
    replies(r);
    reply(r, 1, 2, "0.1000,0.5000|NAME|GC");
    reply(r, 2, 2, "3001,0.2000");
    UNIT_EQ_I64("", go_on(r), TXN_SEND);
    sent(r, "new_order_order new_order_new_order new_order_lines", false);
    ints(r, 0, 0, "3001 3 2 7 99 3 0");
    replies(r);
}

static void test_new_order(void)
{
    struct rig r;
    const struct txn_input in = order(false);

    rig_init(&r);
    new_order_head(&r, &in);
    ints(&r, 2, 0, "3,1,2 40,50,50 1,2,2 9,5,4"); /* by (warehouse, item) */
    reply(&r, 2, 8, "3,1,40,30,C,G,1.00,9.00/1,2,50,17,A,B,2.00,10.00/2,2,50,17,A,B,2.00,8.00");
    UNIT_EQ_I64("", go_on(&r), TXN_SEND);
    sent(&r, "new_order_stock new_order_order_lines txn_commit", true);
    /* 17 - 5 = 12 is under 4 + 10 then: 12 + 91 - 4. */
    ints(&r, 0, 0, "1,2 40,50 21,99 9,9 1,2 1,0");
    ints(&r, 1, 0, "3001 3 2 3,1,2 40,50,50 1,2,2 9,5,4");
    replies(&r);
    UNIT_EQ_I64("", go_on(&r), TXN_COMMITTED);
    UNIT_EQ_I64("", r.t.facts.o_id, 3001);
    UNIT_EQ_I64("", r.t.facts.lines, 3);
    UNIT_EQ_I64("", r.t.facts.remote_lines, 1);
    UNIT_EQ_I64("27.00 x 0.5 x 1.3", r.t.facts.total_cents, 1755);
}

static void test_planned_rollback(void)
{
    struct rig r;
    const struct txn_input in = order(true);
    const struct txn_input next = {.type = TXN_DELIVERY, .w_id = 2};

    rig_init(&r);
    new_order_head(&r, &in);
    reply(&r, 2, 8, "1,2,50,17,A,B,2.00,10.00/2,2,50,17,A,B,2.00,8.00");
    UNIT_EQ_I64("", go_on(&r), TXN_SEND);
    sent(&r, "new_order_stock new_order_order_lines txn_rollback", false);
    replies(&r);
    UNIT_EQ_I64("", go_on(&r), TXN_ROLLED_BACK);
    UNIT_EQ_I64("", begin(&r, &next), TXN_SEND);
    sent(&r, "txn_begin delivery_lock delivery_oldest", false); /* nothing is open */
}

/* A line that has no item although none was meant: it can't be passed as done. */
static void test_missing_line(void)
{
    struct rig r;
    const struct txn_input in = order(false);

    rig_init(&r);
    new_order_head(&r, &in);
    reply(&r, 2, 8, "3,1,40,30,C,G,1.00,9.00");
    UNIT_EQ_I64("", go_on(&r), TXN_SEND);
    sent(&r, "new_order_stock new_order_order_lines txn_rollback", false);
    replies(&r);
    UNIT_EQ_I64("", go_on(&r), TXN_BAD_REPLY);
}

static void test_payment(void)
{
    struct rig r;
    struct txn_input in = {.type = TXN_PAYMENT, .w_id = 2, .d_id = 3};

    in.payment = (struct payment_input){.c_w_id = 4, .c_d_id = 5, .amount_cents = 123};
    strcpy(in.payment.c_last, "BAR");
    in.payment.date_us = 77;
    rig_init(&r);
    UNIT_EQ_I64("", begin(&r, &in), TXN_SEND);
    sent(&r, "txn_begin customers_named", false);
    replies(&r);
    reply(&r, 1, 1, "11/12/13/14");
    UNIT_EQ_I64("", go_on(&r), TXN_SEND);
    sent(&r, "payment_customer payment_told", false);
    ints(&r, 0, 0, "2 3 4 5 12 123"); /* the second of four */
    replies(&r);
    reply(&r, 1, 1, "12|4|F|OE|BAR|x");
    UNIT_EQ_I64("", go_on(&r), TXN_SEND);
    sent(&r, "payment_district payment_warehouse payment_history payment_places txn_commit", true);
    ints(&r, 2, 0, "2 3 4 5 12 123 77");
    replies(&r);
    reply(&r, 3, 1, "places");
    UNIT_EQ_I64("", go_on(&r), TXN_COMMITTED);
    UNIT_TRUE("", r.t.facts.by_name_found);
    UNIT_TRUE("", r.t.facts.remote_customer);

    in.payment.c_id = 9;
    UNIT_EQ_I64("", begin(&r, &in), TXN_SEND);
    sent(&r, "txn_begin payment_customer payment_told", false);
    replies(&r);
    UNIT_EQ_I64("no such customer", go_on(&r), TXN_BAD_REPLY);
}

static void test_delivery(void)
{
    struct rig r;
    const struct txn_input in = {
        .type = TXN_DELIVERY, .w_id = 2, .delivery = {.carrier_id = 6, .date_us = 55}};

    rig_init(&r);
    UNIT_EQ_I64("", begin(&r, &in), TXN_SEND);
    replies(&r);
    reply(&r, 2, 2, "1,2101/10,2500");
    UNIT_EQ_I64("", go_on(&r), TXN_SEND);
    sent(&r, "delivery_new_orders delivery_orders delivery_lines delivery_customers txn_commit",
         true);
    ints(&r, 0, 0, "2 1,10 2101,2500");
    ints(&r, 1, 0, "2 6 1,10 2101,2500");
    ints(&r, 2, 0, "2 55 1,10 2101,2500");
    replies(&r);
    UNIT_EQ_I64("", go_on(&r), TXN_COMMITTED);
    UNIT_EQ_I64("", r.t.facts.delivered, 2);
    UNIT_EQ_I64("", r.t.facts.skipped, 8);

    UNIT_EQ_I64("", begin(&r, &in), TXN_SEND);
    replies(&r);
    reply(&r, 2, 2, "");
    UNIT_EQ_I64("none waits", go_on(&r), TXN_SEND);
    sent(&r, "txn_commit", true);
}

/* Each statement that changes rows, told that it changed one less or one more. */
static void vanished(struct rig *r, unsigned statements)
{
    unsigned looked_at = 0;

    for (uint8_t i = 0; i < r->batch.n; i++) {
        struct rig copy = *r;

        if (r->t.changes[i].most == 0)
            continue;
        looked_at++;
        copy.rows.part[i].affected = r->t.changes[i].least - 1;
        UNIT_EQ_I64("a row less", go_on(&copy), TXN_BAD_REPLY);
        copy.t.step = r->t.step;
        copy.rows.part[i].affected = r->t.changes[i].most + 1;
        UNIT_EQ_I64("a row more", go_on(&copy), TXN_BAD_REPLY);
        UNIT_TRUE("", strstr(copy.t.bad.text, "rows and not") != NULL);
        copy.rows.part[i].affected = -1;
        copy.t.bad = (struct err){0};
        UNIT_TRUE("not told", go_on(&copy) != TXN_BAD_REPLY);
    }
    UNIT_EQ_I64("statements", looked_at, statements);
}

static void test_vanished_rows(void)
{
    struct rig r;
    struct txn_input in = order(false);

    rig_init(&r);
    UNIT_EQ_I64("", begin(&r, &in), TXN_SEND);
    replies(&r);
    reply(&r, 1, 2, "0.1000,0.5000|NAME|GC");
    reply(&r, 2, 2, "3001,0.2000");
    vanished(&r, 1);
    rig_init(&r);
    new_order_head(&r, &in);
    reply(&r, 2, 8, "3,1,40,30,C,G,1.00,9.00/1,2,50,17,A,B,2.00,10.00/2,2,50,17,A,B,2.00,8.00");
    UNIT_EQ_I64("", go_on(&r), TXN_SEND);
    UNIT_EQ_I64("two rows for three lines", r.t.changes[0].least, 2);
    UNIT_EQ_I64("", r.t.changes[1].least, 3);
    replies(&r);
    vanished(&r, 2);
    in = (struct txn_input){.type = TXN_DELIVERY, .w_id = 2};
    rig_init(&r);
    UNIT_EQ_I64("", begin(&r, &in), TXN_SEND);
    replies(&r);
    reply(&r, 2, 2, "1,2101/10,2500");
    UNIT_EQ_I64("", go_on(&r), TXN_SEND);
    replies(&r);
    vanished(&r, 4);
}

static void test_reads(void)
{
    struct rig r;
    struct txn_input in = {.type = TXN_ORDER_STATUS, .w_id = 2, .d_id = 3};

    rig_init(&r);
    strcpy(in.order_status.c_last, "BAR");
    UNIT_EQ_I64("", begin(&r, &in), TXN_SEND);
    sent(&r, "customers_named", false);
    replies(&r);
    reply(&r, 0, 1, "11/12/13");
    UNIT_EQ_I64("", go_on(&r), TXN_SEND);
    sent(&r, "order_status_lines", false);
    ints(&r, 0, 0, "2 3 12");
    replies(&r);
    reply(&r, 0, COLUMNS, "12,F,OE,BAR,1.00,1,t,5,6,7,8,9.00,t");
    UNIT_EQ_I64("", go_on(&r), TXN_COMMITTED);
    UNIT_TRUE("", r.t.facts.by_name_found);

    in = (struct txn_input){
        .type = TXN_STOCK_LEVEL, .w_id = 2, .d_id = 3, .stock_level = {.threshold = 15}};
    UNIT_EQ_I64("", begin(&r, &in), TXN_SEND);
    sent(&r, "stock_level_count", false);
    replies(&r);
    reply(&r, 0, 1, "4");
    UNIT_EQ_I64("", go_on(&r), TXN_COMMITTED);
    UNIT_EQ_I64("", r.t.facts.low_stock, 4);
}

/* After a failure the same input, and after it another one, on the same session. */
static void test_rollback_first(void)
{
    struct rig r;
    const struct txn_input in = order(false);

    rig_init(&r);
    new_order_head(&r, &in);
    txn_restart(&r.t);
    UNIT_EQ_I64("", txn_step(&r.t, NULL, &r.batch), TXN_SEND);
    sent(&r, "txn_rollback txn_begin new_order_head new_order_district new_order_next", false);
    replies(&r);
    reply(&r, 2, 2, "0.1000,0.5000|NAME|GC");
    reply(&r, 3, 2, "3001,0.2000");
    UNIT_EQ_I64("replies are found behind it", go_on(&r), TXN_SEND);
    UNIT_EQ_I64("", begin(&r, &in), TXN_SEND);
    sent(&r, "txn_rollback txn_begin new_order_head new_order_district new_order_next", false);
    txn_init(&r.t, &r.statements);
    UNIT_EQ_I64("another session", begin(&r, &in), TXN_SEND);
    sent(&r, "txn_begin new_order_head new_order_district new_order_next", false);
}

static void test_round_trips(void)
{
    UNIT_EQ_I64("", txn_round_trips(TXN_PROCEDURES, TXN_NEW_ORDER, false), 1);
    UNIT_EQ_I64("", txn_round_trips(TXN_STATEMENTS, TXN_NEW_ORDER, true), 3);
    UNIT_EQ_I64("", txn_round_trips(TXN_STATEMENTS, TXN_NEW_ORDER, false), 10);
    UNIT_EQ_I64("", txn_round_trips(TXN_STATEMENTS, TXN_PAYMENT, false), 9);
    UNIT_EQ_I64("", txn_round_trips(TXN_STATEMENTS, TXN_DELIVERY, false), 8);
}

static const struct unit_test tests[] = {
    {"New-Order", test_new_order},
    {"planned rollback", test_planned_rollback},
    {"missing line", test_missing_line},
    {"Payment", test_payment},
    {"Delivery", test_delivery},
    {"vanished rows", test_vanished_rows},
    {"reads", test_reads},
    {"rollback first", test_rollback_first},
    {"round trips", test_round_trips},
};
const struct unit_suite txn_parts_suite = UNIT_SUITE("txn_parts", tests);
