/*
 * Stock-Level (2.8): how many distinct items of the district's last 20 orders are low in stock.
 */
#include "tpcc/txn_kind.h"

void txn_stock_level_args(struct txn *t)
{
    t->args[0] = value_int(VALUE_I32, t->input.w_id);
    t->args[1] = value_int(VALUE_I32, t->input.d_id);
    t->args[2] = value_int(VALUE_I32, t->input.stock_level.threshold);
}

enum txn_next txn_stock_level_reply(struct txn *t, const struct rows_part *reply)
{
    if (!txn_reply_has(t, reply, 1, 1))
        return TXN_BAD_REPLY;
    if (txn_i32(rows_cell(reply, 0, 0), &t->facts.low_stock, &t->bad) < 0)
        return TXN_BAD_REPLY;
    if (t->facts.low_stock < 0)
        return txn_bad(t, "stock_level: %d items", t->facts.low_stock);
    return TXN_COMMITTED;
}
