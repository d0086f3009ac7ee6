/*
 * New-Order (2.4). The lines travel as four arrays: what was typed in, in the terminal's order, and
 * the sequence in which the server is to take them: by (warehouse, item), so that no two New-Orders
 * lock stock in opposite orders (the line that rolls back has no stock and sorts anywhere).
 */
#include "tpcc/txn_kind.h"

/* Columns of the reply that are read here; the terminal's own follow behind. */
enum { COL_O_ID, COL_LINES, COL_REMOTE_LINES, COL_COMMITTED, COLUMNS };

static bool locks_before(const struct new_order_line *a, const struct new_order_line *b)
{
    if (a->supply_w_id != b->supply_w_id)
        return a->supply_w_id < b->supply_w_id;
    return a->i_id < b->i_id;
}

/* Insertion: at most 15. */
static void sort_sequence(struct txn *t)
{
    const struct new_order_line *line = t->input.new_order.line;

    for (int32_t i = 0; i < t->input.new_order.n_lines; i++) {
        int32_t at = i;

        while (at > 0 && locks_before(&line[i], &line[t->sequence[at - 1] - 1])) {
            t->sequence[at] = t->sequence[at - 1];
            at--;
        }
        t->sequence[at] = i + 1;
    }
}

void txn_new_order_args(struct txn *t)
{
    const struct new_order_input *in = &t->input.new_order;

    for (int i = 0; i < in->n_lines; i++) {
        t->i_ids[i] = in->line[i].i_id;
        t->supply_w_ids[i] = in->line[i].supply_w_id;
        t->quantities[i] = in->line[i].quantity;
    }
    sort_sequence(t);
    t->args[0] = value_int(VALUE_I32, t->input.w_id);
    t->args[1] = value_int(VALUE_I32, t->input.d_id);
    t->args[2] = value_int(VALUE_I32, in->c_id);
    t->args[3] = value_int(VALUE_TIME_US, in->entry_us);
    t->args[4] = value_array(t->i_ids, in->n_lines);
    t->args[5] = value_array(t->supply_w_ids, in->n_lines);
    t->args[6] = value_array(t->quantities, in->n_lines);
    t->args[7] = value_array(t->sequence, in->n_lines);
}

/* All lines, or all but the last one of an order that was meant to roll back; nothing else. */
enum txn_next txn_new_order_reply(struct txn *t, const struct rows_part *reply)
{
    const struct new_order_input *in = &t->input.new_order;
    struct txn_facts *f = &t->facts;
    bool committed = false;

    if (!txn_reply_has(t, reply, 1, COLUMNS))
        return TXN_BAD_REPLY;
    if (!rows_cell(reply, 0, COL_O_ID)->text)
        return txn_bad(t, "new_order: no customer %d in district %d of warehouse %d", in->c_id,
                       t->input.d_id, t->input.w_id);
    if (txn_cell_i32(reply, COL_O_ID, &f->o_id, &t->bad) < 0 ||
        txn_cell_i32(reply, COL_LINES, &f->lines, &t->bad) < 0 ||
        txn_cell_i32(reply, COL_REMOTE_LINES, &f->remote_lines, &t->bad) < 0 ||
        cell_bool(rows_cell(reply, 0, COL_COMMITTED), &committed, &t->bad) < 0)
        return TXN_BAD_REPLY;
    if (committed == in->rolls_back || f->lines != in->n_lines - in->rolls_back)
        return txn_bad(t, "new_order: %d of %d lines done and %s, where %s was meant", f->lines,
                       in->n_lines, committed ? "committed" : "rolled back",
                       in->rolls_back ? "a rollback" : "a commit");
    return committed ? TXN_COMMITTED : TXN_ROLLED_BACK;
}
