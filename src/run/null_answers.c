/*
 * Replies by statement name, in the form that tpcc/txn_*.c read.
 */
#include "run/null_answers.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "tpcc/params.h"

#define ORDER_STATUS_COLUMNS 13
#define NEW_ORDER_TEXT_MAX (64 + TPCC_LINES_MAX * 24)

static bool is_unused(int32_t i_id)
{
    return i_id > TPCC_ITEMS;
}

static bool rolls_back(const struct value *items)
{
    for (uint32_t i = 0; i < items->len; i++)
        if (is_unused(items->array[i]))
            return true;
    return false;
}

/* Arguments: w, d, c, entry, numbers, items, supplying warehouses, quantities. */
static void new_order(const struct value *args, struct null_answer *a)
{
    char text[NEW_ORDER_TEXT_MAX];
    int n = snprintf(text, sizeof(text), "%d|%d|0.1000|0.1000|0.1000|BARBARBAR|GC",
                     !rolls_back(&args[5]), TPCC_ORDERS + 1);

    for (uint32_t i = 0, done = 0; i < args[4].len; i++)
        if (!is_unused(args[5].array[i]))
            n += snprintf(text + n, sizeof(text) - (size_t)n, "%c%d,,50,G,1.00,1.00",
                          done++ ? ';' : '|', args[4].array[i]);
    null_answer_part(a, 1, 1);
    null_answer_text(a, text);
}

/* The number that was asked for, or any for a name. */
static void payment(int64_t c_id, struct null_answer *a)
{
    char text[32];

    (void)snprintf(text, sizeof(text), "%lld|||||", (long long)(c_id != 0 ? c_id : 1));
    null_answer_part(a, 1, 1);
    null_answer_text(a, text);
}

/* As above; the rest is there and empty. */
static void order_status(int64_t c_id, struct null_answer *a)
{
    null_answer_part(a, 1, ORDER_STATUS_COLUMNS);
    null_answer_int(a, c_id != 0 ? c_id : 1);
    for (uint16_t i = 1; i < ORDER_STATUS_COLUMNS; i++)
        null_answer_text(a, NULL);
}

static void delivery(struct null_answer *a)
{
    null_answer_part(a, 1, 1);
    null_answer_text(a, "10|1,1|2,1|3,1|4,1|5,1|6,1|7,1|8,1|9,1|10,1");
}

static void answer_part(const struct batch_part *part, struct null_answer *a)
{
    const char *name = part->stmt->name;

    if (strcmp(name, "call_new_order") == 0) {
        new_order(part->args, a);
    } else if (strcmp(name, "call_payment") == 0) {
        payment(part->args[4].i, a);
    } else if (strcmp(name, "call_order_status") == 0) {
        order_status(part->args[2].i, a);
    } else if (strcmp(name, "call_delivery") == 0) {
        delivery(a);
    } else {
        CHECK(strcmp(name, "call_stock_level") == 0);
        null_answer_part(a, 1, 1);
        null_answer_int(a, 0);
    }
}

void null_answers(const struct batch *b, struct null_answer *a, void *ctx)
{
    (void)ctx;
    for (uint8_t i = 0; i < b->n; i++)
        answer_part(&b->part[i], a);
}
