/*
 * The step machine of the five transactions with hand-made replies: what is sent, what is read, and
 * that no reply that can't be passes as done.
 */
#include "tpcc/txn.h"

#include <stdio.h>
#include <string.h>

#include "harness/unit.h"

static const struct stmt calls[TXN_TYPES] = {
    {.name = "call_new_order"}, {.name = "call_payment"},     {.name = "call_order_status"},
    {.name = "call_delivery"},  {.name = "call_stock_level"},
};
static const struct txn_statements statements = {
    .call = {&calls[0], &calls[1], &calls[2], &calls[3], &calls[4]},
};

struct rig {
    struct txn t;
    struct batch batch;
    struct rows rows;
    struct cell cells[16];
};

static struct txn_input new_order_of(int lines, bool rolls_back)
{
    struct txn_input in = {.type = TXN_NEW_ORDER, .w_id = 2, .d_id = 3};

    in.new_order.c_id = 77;
    in.new_order.entry_us = 123456789;
    in.new_order.n_lines = (uint8_t)lines;
    in.new_order.rolls_back = rolls_back;
    for (int i = 0; i < lines; i++)
        in.new_order.line[i] = (struct new_order_line){1000 - i, 2, i + 1};
    if (rolls_back)
        in.new_order.line[lines - 1].i_id = TPCC_ITEMS + 1;
    return in;
}

static void rig_start(struct rig *r, const struct txn_input *in)
{
    memset(r, 0, sizeof(*r));
    txn_init(&r->t, &statements);
    txn_start(&r->t, in);
    UNIT_EQ_I64("", txn_step(&r->t, NULL, &r->batch), TXN_SEND);
    UNIT_EQ_I64("one part", r->batch.n, 1);
    UNIT_TRUE("its commit included", r->batch.commits);
    UNIT_TRUE("", r->batch.part[0].stmt == &calls[in->type]);
}

/* One row of one text; NULL is SQL null. */
static enum txn_next answer(struct rig *r, const char *text)
{
    r->cells[0] = (struct cell){text, text ? (uint32_t)strlen(text) : 0};
    r->rows.n = 1;
    r->rows.part[0] = (struct rows_part){1, 1, -1, r->cells};
    return txn_step(&r->t, &r->rows, &r->batch);
}

/* The lines that were processed, each "number,warehouse,name,quantity,brand,price,1.00"; the
 * warehouses of the stock rows that were changed are a digit each. */
static enum txn_next answer_stock(struct rig *r, int committed, const char *numbers,
                                  const char *warehouses)
{
    char text[512];
    int n = snprintf(text, sizeof(text), "%d|3001|0.1000|0.0500|0.2000|BARBARBAR|GC", committed);

    for (size_t i = 0; numbers[i]; i++)
        n += snprintf(text + n, sizeof(text) - (size_t)n, "%c%d,%c,name,50,G,1.00,1.00",
                      i == 0 ? '|' : ';', numbers[i] - '0', warehouses[i]);
    return answer(r, text);
}

/* All stock at home. */
static enum txn_next answer_lines(struct rig *r, int committed, const char *numbers)
{
    return answer_stock(r, committed, numbers, "222222222");
}

static void test_lines_are_sorted(void)
{
    struct txn_input in = new_order_of(5, false);
    struct rig r;
    const struct value *args = r.t.args;

    in.new_order.line[0] = (struct new_order_line){500, 4, 1};
    in.new_order.line[1] = (struct new_order_line){600, 2, 2};
    in.new_order.line[2] = (struct new_order_line){500, 2, 3};
    in.new_order.line[3] = (struct new_order_line){900, 1, 4};
    in.new_order.line[4] = (struct new_order_line){500, 2, 5};
    rig_start(&r, &in);
    for (int i = 0; i < 5; i++) {
        static const int numbers[] = {4, 3, 5, 2, 1};
        const struct new_order_line *line = &in.new_order.line[numbers[i] - 1];

        UNIT_EQ_I64("equals keep their order", args[4].array[i], numbers[i]);
        UNIT_EQ_I64("", args[5].array[i], line->i_id);
        UNIT_EQ_I64("", args[6].array[i], line->supply_w_id);
        UNIT_EQ_I64("", args[7].array[i], line->quantity);
    }
    UNIT_EQ_I64("w", args[0].i, 2);
    UNIT_EQ_I64("d", args[1].i, 3);
    UNIT_EQ_I64("c", args[2].i, 77);
    UNIT_EQ_I64("entry", args[3].i, 123456789);
    UNIT_EQ_I64("", args[3].kind, VALUE_TIME_US);
    for (int i = 4; i < 8; i++)
        UNIT_EQ_I64("", args[i].len, 5);
}

static void test_new_order_commits(void)
{
    struct txn_input in = new_order_of(5, false);
    struct rig r;

    in.new_order.line[2].supply_w_id = 9;
    in.new_order.line[4].supply_w_id = 1;
    rig_start(&r, &in);
    UNIT_EQ_I64("", answer_stock(&r, 1, "51243", "12229"), TXN_COMMITTED);
    UNIT_EQ_I64("", r.t.facts.o_id, 3001);
    UNIT_EQ_I64("", r.t.facts.lines, 5);
    UNIT_EQ_I64("as touched", r.t.facts.remote_lines, 2);
    /* 5.00 x (1 - 0.2) x (1 + 0.1 + 0.05) */
    UNIT_EQ_I64("", r.t.facts.total_cents, 460);
    rig_start(&r, &in);
    UNIT_EQ_I64("", answer_lines(&r, 1, "51243"), TXN_COMMITTED);
    UNIT_EQ_I64("asked for, but not touched", r.t.facts.remote_lines, 0);
}

static void test_new_order_rolls_back(void)
{
    struct txn_input in = new_order_of(5, true);
    struct rig r;

    in.new_order.line[1].supply_w_id = 9;
    in.new_order.line[4].supply_w_id = 9; /* the unused one touches no stock */
    rig_start(&r, &in);
    UNIT_EQ_I64("", answer_stock(&r, 0, "1234", "2922"), TXN_ROLLED_BACK);
    UNIT_EQ_I64("", r.t.facts.lines, 4);
    UNIT_EQ_I64("", r.t.facts.remote_lines, 1);
    UNIT_EQ_I64("", r.t.facts.o_id, 3001);
}

static void test_new_order_bad_replies(void)
{
    static const struct {
        const char *what;
        bool rolls_back;
        int committed;
        const char *numbers;
    } cases[] = {
        {"a line short", false, 1, "1234"},
        {"rolled back unasked", false, 0, "12345"},
        {"an unused item found", true, 1, "12345"},
        {"committed a line short", true, 1, "1234"},
        {"too few for a rollback", true, 0, "123"},
        {"line 6 of 5", false, 1, "12346"},
        {"line 0", false, 1, "01234"},
    };
    static const char *const texts[] = {
        NULL,
        "",
        "x",
        "1",
        "1|",
        "1|3001|0.1|0.1",
        "1|99999999999|0|0|0|a|b|1,2,a,1,G,1,1",
        "1|3001|0|0|0|a|b|1,2,a,1,G,1;2;3;4;5",
        "1|3001|0|0|0|a|b|1,2,a,1,G,1,1;2,2,a,1,G,1,1;3,2,a,1,G,1,1;4,2,a,1,G,1,1;5,a,1,G,1,1",
        "1|3001|0|0|0|a|b",
    };
    struct rig r;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct txn_input in = new_order_of(5, cases[i].rolls_back);

        rig_start(&r, &in);
        UNIT_EQ_I64(cases[i].what, answer_lines(&r, cases[i].committed, cases[i].numbers),
                    TXN_BAD_REPLY);
        UNIT_TRUE(cases[i].what, r.t.bad.text[0] != '\0');
    }
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        const struct txn_input in = new_order_of(5, false);

        rig_start(&r, &in);
        UNIT_EQ_I64(texts[i] ? texts[i] : "null", answer(&r, texts[i]), TXN_BAD_REPLY);
    }
}

static struct txn_input payment_of(int32_t c_id, const char *name)
{
    struct txn_input in = {.type = TXN_PAYMENT, .w_id = 2, .d_id = 3};

    in.payment.c_w_id = 4;
    in.payment.c_d_id = 5;
    in.payment.c_id = c_id;
    in.payment.amount_cents = 12345;
    in.payment.date_us = 99;
    snprintf(in.payment.c_last, sizeof(in.payment.c_last), "%s", name);
    return in;
}

static void test_payment(void)
{
    struct txn_input in = payment_of(0, "BARBAROUGHT");
    struct rig r;

    rig_start(&r, &in);
    UNIT_EQ_I64("", r.t.args[4].i, 0);
    UNIT_EQ_I64("", r.t.args[5].len, 11);
    UNIT_EQ_I64("", r.t.args[6].i, 12345);
    UNIT_EQ_I64("", r.t.args[6].kind, VALUE_CENTS);
    UNIT_EQ_I64("", answer(&r, "81|4|first|OE|BARBAROUGHT|rest"), TXN_COMMITTED);
    UNIT_TRUE("", r.t.facts.by_name && r.t.facts.by_name_found);
    UNIT_TRUE("", r.t.facts.remote_customer);
    rig_start(&r, &in);
    UNIT_EQ_I64("", answer(&r, "81|2|first|OE|BARBAROUGH|rest"), TXN_COMMITTED);
    UNIT_TRUE("another name than asked for", r.t.facts.by_name && !r.t.facts.by_name_found);
    UNIT_TRUE("not of the warehouse asked for", !r.t.facts.remote_customer);
    rig_start(&r, &in);
    UNIT_EQ_I64("nobody of that name", answer(&r, NULL), TXN_BAD_REPLY);
    UNIT_TRUE("", r.t.facts.by_name && !r.t.facts.by_name_found);
    UNIT_TRUE("says who", strstr(r.t.bad.text, "no customer BARBAROUGHT in") != NULL);
    in = payment_of(17, "");
    in.payment.c_w_id = 2;
    rig_start(&r, &in);
    UNIT_EQ_I64("", answer(&r, "17|2|first|OE|BAR|"), TXN_COMMITTED);
    UNIT_TRUE("", !r.t.facts.by_name && !r.t.facts.by_name_found && !r.t.facts.remote_customer);
    rig_start(&r, &in);
    UNIT_EQ_I64("another one", answer(&r, "18|2|"), TXN_BAD_REPLY);
    rig_start(&r, &in);
    UNIT_EQ_I64("no warehouse", answer(&r, "17|first|"), TXN_BAD_REPLY);
}

/* One row; the customer's name in it. */
static enum txn_next answer_status(struct rig *r, const char *c_last)
{
    for (int i = 0; i < 13; i++)
        r->cells[i] = (struct cell){"7", 1};
    r->cells[3] = (struct cell){c_last, (uint32_t)strlen(c_last)};
    r->rows.n = 1;
    r->rows.part[0] = (struct rows_part){1, 13, 1, r->cells};
    return txn_step(&r->t, &r->rows, &r->batch);
}

static void test_order_status(void)
{
    struct txn_input in = {.type = TXN_ORDER_STATUS, .w_id = 2, .d_id = 3};
    struct rig r;

    snprintf(in.order_status.c_last, sizeof(in.order_status.c_last), "ABLE");
    rig_start(&r, &in);
    UNIT_EQ_I64("", answer_status(&r, "ABLE"), TXN_COMMITTED);
    UNIT_TRUE("", r.t.facts.by_name_found);
    rig_start(&r, &in);
    UNIT_EQ_I64("", answer_status(&r, "ABL"), TXN_COMMITTED);
    UNIT_TRUE("another name", r.t.facts.by_name && !r.t.facts.by_name_found);
    rig_start(&r, &in);
    r.rows.n = 1;
    r.rows.part[0] = (struct rows_part){0, 13, 0, NULL};
    UNIT_EQ_I64("no row", txn_step(&r.t, &r.rows, &r.batch), TXN_BAD_REPLY);
    UNIT_TRUE("", !r.t.facts.by_name_found);
    rig_start(&r, &in);
    UNIT_EQ_I64("one column", answer(&r, "7"), TXN_BAD_REPLY);
}

static void test_delivery(void)
{
    static const struct {
        const char *text;
        enum txn_next want;
        int delivered;
    } cases[] = {
        {"0", TXN_COMMITTED, 0},
        {"2|1,2101|10,2105", TXN_COMMITTED, 2},
        {"10|1,1|2,1|3,1|4,1|5,1|6,1|7,1|8,1|9,1|10,1", TXN_COMMITTED, 10},
        {"3|1,2101|10,2105", TXN_BAD_REPLY, 0},
        {"11|1,1|2,1|3,1|4,1|5,1|6,1|7,1|8,1|9,1|10,1|11,1", TXN_BAD_REPLY, 0},
        {"-1", TXN_BAD_REPLY, 0},
        {"", TXN_BAD_REPLY, 0},
    };
    const struct txn_input in = {
        .type = TXN_DELIVERY, .w_id = 2, .delivery = {.carrier_id = 6, .date_us = 5}};
    struct rig r;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        rig_start(&r, &in);
        UNIT_EQ_I64(cases[i].text, answer(&r, cases[i].text), cases[i].want);
        if (cases[i].want == TXN_COMMITTED) {
            UNIT_EQ_I64(cases[i].text, r.t.facts.delivered, cases[i].delivered);
            UNIT_EQ_I64(cases[i].text, r.t.facts.skipped, 10 - cases[i].delivered);
        }
    }
}

static void test_stock_level(void)
{
    const struct txn_input in = {
        .type = TXN_STOCK_LEVEL, .w_id = 2, .d_id = 3, .stock_level = {.threshold = 15}};
    struct rig r;

    rig_start(&r, &in);
    UNIT_EQ_I64("", r.t.args[2].i, 15);
    UNIT_EQ_I64("", answer(&r, "12"), TXN_COMMITTED);
    UNIT_EQ_I64("", r.t.facts.low_stock, 12);
    rig_start(&r, &in);
    UNIT_EQ_I64("", answer(&r, "-1"), TXN_BAD_REPLY);
    rig_start(&r, &in);
    UNIT_EQ_I64("", answer(&r, "many"), TXN_BAD_REPLY);
}

/* A retry sends the same input again and forgets what the first try read. */
static void test_restart(void)
{
    const struct txn_input in = new_order_of(7, false);
    struct rig r;
    int32_t first[7];

    rig_start(&r, &in);
    memcpy(first, r.t.args[5].array, sizeof(first));
    (void)answer_lines(&r, 1, "12");
    txn_restart(&r.t);
    UNIT_EQ_I64("", r.t.facts.lines, 0);
    UNIT_EQ_I64("", txn_step(&r.t, NULL, &r.batch), TXN_SEND);
    UNIT_EQ_I64("", memcmp(first, r.t.args[5].array, sizeof(first)), 0);
    UNIT_EQ_I64("", answer_lines(&r, 1, "1234567"), TXN_COMMITTED);
}

/* Wrong numbers of parts and rows, whatever the transaction. */
static void test_wrong_shapes(void)
{
    for (int type = 0; type < TXN_TYPES; type++) {
        struct txn_input in = new_order_of(5, false);
        struct rig r;

        in.type = (enum txn_type)type;
        rig_start(&r, &in);
        UNIT_EQ_I64("no part", txn_step(&r.t, &r.rows, &r.batch), TXN_BAD_REPLY);
        rig_start(&r, &in);
        r.rows.n = 1;
        UNIT_EQ_I64("no row", txn_step(&r.t, &r.rows, &r.batch), TXN_BAD_REPLY);
    }
}

/* The real dialect has all five, with the parameters that are sent. */
static void test_dialect(void)
{
    static const enum value_kind text_at_5[] = {VALUE_TEXT};
    struct err err = {0};
    struct dialect *d = dialect_read("schema/postgresql", &err);
    struct txn_statements st;

    CU_ASSERT_PTR_NOT_NULL_FATAL(d);
    UNIT_EQ_I64(err.text, txn_statements_find(&st, d, TXN_PROCEDURES, &err), 0);
    UNIT_EQ_I64("", st.call[TXN_PAYMENT]->param_kind[5], text_at_5[0]);
    UNIT_EQ_I64("", st.call[TXN_NEW_ORDER]->param_kind[4], VALUE_I32_ARRAY);
    UNIT_TRUE("", strncmp(st.options, "-c ", 3) == 0);
    UNIT_TRUE("one line", strchr(st.options, '\n') == NULL);
    dialect_free(d);
}

static const struct unit_test tests[] = {
    {"lines are sorted", test_lines_are_sorted},
    {"new order commits", test_new_order_commits},
    {"new order rolls back", test_new_order_rolls_back},
    {"new order bad replies", test_new_order_bad_replies},
    {"payment", test_payment},
    {"order status", test_order_status},
    {"delivery", test_delivery},
    {"stock level", test_stock_level},
    {"restart", test_restart},
    {"wrong shapes", test_wrong_shapes},
    {"dialect", test_dialect},
};
const struct unit_suite txn_suite = UNIT_SUITE("txn", tests);
