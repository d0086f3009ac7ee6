/*
 * Replies by statement name, in the columns that tpcc/txn_*.c read.
 */
#include "run/null_answers.h"

#include <string.h>

#include "base/check.h"
#include "tpcc/params.h"

#define PAYMENT_COLUMNS 26
#define ORDER_STATUS_COLUMNS 13
#define DELIVERY_COLUMNS 4

/* Arguments: w, d, c, entry, items, supplying warehouses, quantities, sequence. */
static void new_order(const struct value *args, struct null_answer *a)
{
    const uint32_t lines = args[4].len;
    const bool rolls_back = args[4].array[lines - 1] > TPCC_ITEMS;
    const uint32_t done = rolls_back ? lines - 1 : lines;
    int64_t remote = 0;

    for (uint32_t i = 0; i < done; i++)
        remote += args[5].array[i] != args[0].i;
    null_answer_part(a, 1, 4);
    null_answer_int(a, TPCC_ORDERS + 1);
    null_answer_int(a, done);
    null_answer_int(a, remote);
    null_answer_text(a, rolls_back ? "f" : "t");
}

/* The number that was asked for, or any for a name; the rest is there and empty. */
static void customer(int64_t c_id, uint16_t columns, struct null_answer *a)
{
    null_answer_part(a, 1, columns);
    null_answer_int(a, c_id != 0 ? c_id : 1);
    for (uint16_t i = 1; i < columns; i++)
        null_answer_text(a, NULL);
}

static void delivery(struct null_answer *a)
{
    null_answer_part(a, 1, DELIVERY_COLUMNS);
    null_answer_int(a, TPCC_DISTRICTS);
    null_answer_int(a, 0);
    null_answer_text(a, NULL);
    null_answer_text(a, NULL);
}

static void answer_part(const struct batch_part *part, struct null_answer *a)
{
    const char *name = part->stmt->name;

    if (strcmp(name, "call_new_order") == 0) {
        new_order(part->args, a);
    } else if (strcmp(name, "call_payment") == 0) {
        customer(part->args[4].i, PAYMENT_COLUMNS, a);
    } else if (strcmp(name, "call_order_status") == 0) {
        customer(part->args[2].i, ORDER_STATUS_COLUMNS, a);
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
