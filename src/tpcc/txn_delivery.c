/*
 * Delivery (2.7): the oldest undelivered order of each of the ten districts, in one database
 * transaction; districts without one are skipped and counted (2.7.4.2).
 */
#include "tpcc/txn_kind.h"

enum { COL_DELIVERED, COL_SKIPPED, COLUMNS = 4 };

void txn_delivery_args(struct txn *t)
{
    t->args[0] = value_int(VALUE_I32, t->input.w_id);
    t->args[1] = value_int(VALUE_I32, t->input.delivery.carrier_id);
    t->args[2] = value_int(VALUE_TIME_US, t->input.delivery.date_us);
}

enum txn_next txn_delivery_reply(struct txn *t, const struct rows_part *reply)
{
    struct txn_facts *f = &t->facts;

    if (!txn_reply_has(t, reply, 1, COLUMNS))
        return TXN_BAD_REPLY;
    if (txn_cell_i32(reply, COL_DELIVERED, &f->delivered, &t->bad) < 0 ||
        txn_cell_i32(reply, COL_SKIPPED, &f->skipped, &t->bad) < 0)
        return TXN_BAD_REPLY;
    if (f->delivered < 0 || f->skipped < 0 || f->delivered + f->skipped != TPCC_DISTRICTS)
        return txn_bad(t, "delivery: %d districts delivered and %d skipped", f->delivered,
                       f->skipped);
    return TXN_COMMITTED;
}
