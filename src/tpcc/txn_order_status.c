/*
 * Order-Status (2.6): one row per line of the customer's newest order, with customer and order
 * repeated in each. No row: no such customer, or none with an order.
 */
#include <string.h>

#include "tpcc/txn_kind.h"

enum { COL_C_ID, COL_C_LAST = 3, COLUMNS = 13 };

void txn_order_status_args(struct txn *t)
{
    const struct order_status_input *in = &t->input.order_status;

    t->args[0] = value_int(VALUE_I32, t->input.w_id);
    t->args[1] = value_int(VALUE_I32, t->input.d_id);
    t->args[2] = value_int(VALUE_I32, in->c_id);
    t->args[3] = value_text(in->c_last, strlen(in->c_last));
}

enum txn_next txn_order_status_reply(struct txn *t, const struct rows_part *reply)
{
    const struct order_status_input *in = &t->input.order_status;
    struct txn_facts *f = &t->facts;
    int32_t c_id = 0;

    f->by_name = in->c_id == 0;
    if (!txn_reply_has(t, reply, 0, COLUMNS))
        return TXN_BAD_REPLY;
    if (reply->n_rows == 0)
        return txn_bad(t,
                       "order_status: no customer %s%.0d with an order in district %d of "
                       "warehouse %d",
                       in->c_last, in->c_id, t->input.d_id, t->input.w_id);
    if (txn_i32(rows_cell(reply, 0, COL_C_ID), &c_id, &t->bad) < 0)
        return TXN_BAD_REPLY;
    if (in->c_id != 0 && c_id != in->c_id)
        return txn_bad(t, "order_status: customer %d answered for %d", c_id, in->c_id);
    f->by_name_found = f->by_name && txn_is_text(rows_cell(reply, 0, COL_C_LAST), in->c_last);
    return TXN_COMMITTED;
}
