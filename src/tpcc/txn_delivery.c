/*
 * Delivery (2.7): the oldest undelivered order of each of the ten districts, in one database
 * transaction; districts without one are skipped and counted (2.7.4.2). The reply is a count and
 * then "district,order" for each.
 */
#include "tpcc/txn_kind.h"

void txn_delivery_args(struct txn *t)
{
    t->args[0] = value_int(VALUE_I32, t->input.w_id);
    t->args[1] = value_int(VALUE_I32, t->input.delivery.carrier_id);
    t->args[2] = value_int(VALUE_TIME_US, t->input.delivery.date_us);
}

enum txn_next txn_delivery_reply(struct txn *t, const struct rows_part *reply)
{
    struct txn_facts *f = &t->facts;
    struct txn_fields fields;
    struct cell c;
    int32_t named = 0;

    if (!txn_reply_has(t, reply, 1, 1))
        return TXN_BAD_REPLY;
    fields = txn_fields_of(rows_cell(reply, 0, 0));
    c = txn_field(&fields, '|');
    if (txn_i32(&c, &f->delivered, &t->bad) < 0)
        return TXN_BAD_REPLY;
    while (fields.at) {
        (void)txn_field(&fields, '|');
        named++;
    }
    if (f->delivered != named || named > TPCC_DISTRICTS)
        return txn_bad(t, "delivery: %d districts delivered and %d named", f->delivered, named);
    f->skipped = TPCC_DISTRICTS - f->delivered;
    return TXN_COMMITTED;
}
