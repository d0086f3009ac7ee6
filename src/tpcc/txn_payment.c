/*
 * Payment (2.5): by the customer's number, or by last name with number 0, where the server takes
 * the middle one (2.5.2.2). No customer of that name: nothing was changed. Whether it was a remote
 * customer, and one of that name, is read from the row that was changed.
 */
#include <string.h>

#include "tpcc/txn_kind.h"

void txn_payment_args(struct txn *t)
{
    const struct payment_input *in = &t->input.payment;

    t->args[0] = value_int(VALUE_I32, t->input.w_id);
    t->args[1] = value_int(VALUE_I32, t->input.d_id);
    t->args[2] = value_int(VALUE_I32, in->c_w_id);
    t->args[3] = value_int(VALUE_I32, in->c_d_id);
    t->args[4] = value_int(VALUE_I32, in->c_id);
    t->args[5] = value_text(in->c_last, strlen(in->c_last));
    t->args[6] = value_int(VALUE_CENTS, in->amount_cents);
    t->args[7] = value_int(VALUE_TIME_US, in->date_us);
}

enum txn_next txn_payment_reply(struct txn *t, const struct rows_part *reply)
{
    const struct payment_input *in = &t->input.payment;
    struct txn_facts *f = &t->facts;
    struct txn_fields fields;
    struct cell c;
    int32_t c_id = 0;
    int32_t c_w_id = 0;

    f->by_name = in->c_id == 0;
    if (!txn_reply_has(t, reply, 1, 1))
        return TXN_BAD_REPLY;
    fields = txn_fields_of(rows_cell(reply, 0, 0));
    if (!fields.at)
        return txn_bad(t, "payment: no customer %s%.0d in district %d of warehouse %d", in->c_last,
                       in->c_id, in->c_d_id, in->c_w_id);
    c = txn_field(&fields, '|');
    if (txn_i32(&c, &c_id, &t->bad) < 0)
        return TXN_BAD_REPLY;
    c = txn_field(&fields, '|');
    if (txn_i32(&c, &c_w_id, &t->bad) < 0)
        return TXN_BAD_REPLY;
    if (in->c_id != 0 && c_id != in->c_id)
        return txn_bad(t, "payment: customer %d answered for %d", c_id, in->c_id);
    (void)txn_field(&fields, '|'); /* C_FIRST */
    (void)txn_field(&fields, '|'); /* C_MIDDLE */
    c = txn_field(&fields, '|');
    f->by_name_found = f->by_name && txn_is_text(&c, in->c_last);
    f->remote_customer = c_w_id != t->input.w_id;
    return TXN_COMMITTED;
}
