/*
 * Replies by statement name, in the form that tpcc/txn_*.c read.
 */
#include "run/null_answers.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "tpcc/params.h"

#define ORDER_STATUS_COLUMNS 13
#define ORDER_STATUS_C_LAST 3
#define NEW_ORDER_TEXT_MAX (64 + TPCC_LINES_MAX * 36)

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
            n += snprintf(text + n, sizeof(text) - (size_t)n, "%c%d,%d,,50,G,1.00,1.00",
                          done++ ? ';' : '|', args[4].array[i], args[6].array[i]);
    null_answer_part(a, 1, 1);
    null_answer_text(a, text);
}

/* Arguments: w, d, customer's w, customer's d, number, name ... The number asked for, or any
 * for a name. */
static void payment(const struct value *args, struct null_answer *a)
{
    char text[64];

    (void)snprintf(text, sizeof(text), "%lld|%lld|||%.*s|",
                   (long long)(args[4].i != 0 ? args[4].i : 1), (long long)args[2].i,
                   (int)args[5].len, args[5].text);
    null_answer_part(a, 1, 1);
    null_answer_text(a, text);
}

/* Arguments: w, d, number, name. As above; the rest is there and empty. */
static void order_status(const struct value *args, struct null_answer *a)
{
    char name[20]; /* as C_LAST of an input */

    (void)snprintf(name, sizeof(name), "%.*s", (int)args[3].len, args[3].text);
    null_answer_part(a, 1, ORDER_STATUS_COLUMNS);
    null_answer_int(a, args[2].i != 0 ? args[2].i : 1);
    for (uint16_t i = 1; i < ORDER_STATUS_COLUMNS; i++)
        null_answer_text(a, i == ORDER_STATUS_C_LAST ? name : NULL);
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
        payment(part->args, a);
    } else if (strcmp(name, "call_order_status") == 0) {
        order_status(part->args, a);
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
