/*
 * New-Order (2.4). The lines travel as four arrays, in the order in which the server is to lock
 * stock: by (warehouse, item), so that no two New-Orders lock in opposite orders (the line that
 * rolls back has no stock and may stand anywhere). The reply names each line that was processed.
 */
#include "tpcc/txn_kind.h"

#define RATE_ONE 10000

static bool locks_before(const struct new_order_line *a, const struct new_order_line *b)
{
    if (a->supply_w_id != b->supply_w_id)
        return a->supply_w_id < b->supply_w_id;
    return a->i_id < b->i_id;
}

/* Insertion: at most 15. */
static void sort_numbers(struct txn *t)
{
    const struct new_order_line *line = t->input.new_order.line;

    for (int32_t i = 0; i < t->input.new_order.n_lines; i++) {
        int32_t at = i;

        while (at > 0 && locks_before(&line[i], &line[t->numbers[at - 1] - 1])) {
            t->numbers[at] = t->numbers[at - 1];
            at--;
        }
        t->numbers[at] = i + 1;
    }
}

void txn_new_order_args(struct txn *t)
{
    const struct new_order_input *in = &t->input.new_order;

    sort_numbers(t);
    for (int i = 0; i < in->n_lines; i++) {
        const struct new_order_line *line = &in->line[t->numbers[i] - 1];

        t->i_ids[i] = line->i_id;
        t->supply_w_ids[i] = line->supply_w_id;
        t->quantities[i] = line->quantity;
    }
    t->args[0] = value_int(VALUE_I32, t->input.w_id);
    t->args[1] = value_int(VALUE_I32, t->input.d_id);
    t->args[2] = value_int(VALUE_I32, in->c_id);
    t->args[3] = value_int(VALUE_TIME_US, in->entry_us);
    t->args[4] = value_array(t->numbers, in->n_lines);
    t->args[5] = value_array(t->i_ids, in->n_lines);
    t->args[6] = value_array(t->supply_w_ids, in->n_lines);
    t->args[7] = value_array(t->quantities, in->n_lines);
}

/* What stands before the lines. */
struct head {
    int32_t committed;
    int64_t w_tax, d_tax, discount; /* in RATE_ONE */
};

static int read_head(struct txn *t, struct txn_fields *f, struct head *h)
{
    struct cell c = txn_field(f, '|');

    if (txn_i32(&c, &h->committed, &t->bad) < 0)
        return -1;
    c = txn_field(f, '|');
    if (txn_i32(&c, &t->facts.o_id, &t->bad) < 0)
        return -1;
    c = txn_field(f, '|');
    if (cell_rate(&c, &h->w_tax, &t->bad) < 0)
        return -1;
    c = txn_field(f, '|');
    if (cell_rate(&c, &h->d_tax, &t->bad) < 0)
        return -1;
    c = txn_field(f, '|');
    if (cell_rate(&c, &h->discount, &t->bad) < 0)
        return -1;
    (void)txn_field(f, '|'); /* C_LAST */
    (void)txn_field(f, '|'); /* C_CREDIT */
    return 0;
}

/* "number,warehouse,name,quantity,brand,price,amount": the warehouse is that of the stock row that
 * was changed, whatever was asked for. */
static int read_line(struct txn *t, const struct cell *line, int64_t *sum_cents)
{
    const struct new_order_input *in = &t->input.new_order;
    struct txn_fields f = txn_fields_of(line);
    struct cell c = txn_field(&f, ',');
    int32_t number = 0;
    int32_t stock_w_id = 0;
    int64_t cents = 0;

    if (txn_i32(&c, &number, &t->bad) < 0)
        return -1;
    if (number < 1 || number > in->n_lines)
        return err_set(&t->bad, ERR_DB, "new_order: a reply with line %d of %d", number,
                       in->n_lines);
    c = txn_field(&f, ',');
    if (txn_i32(&c, &stock_w_id, &t->bad) < 0)
        return -1;
    for (int skip = 0; skip < 4; skip++)
        (void)txn_field(&f, ',');
    c = txn_field(&f, ',');
    if (cell_cents(&c, &cents, &t->bad) < 0)
        return -1;
    *sum_cents += cents;
    t->facts.lines++;
    t->facts.remote_lines += stock_w_id != t->input.w_id;
    return 0;
}

/* Sum of the amounts x (1 - discount) x (1 + w_tax + d_tax), half a cent upwards. */
static int64_t total_cents(int64_t sum_cents, const struct head *h)
{
    const int64_t one = (int64_t)RATE_ONE * RATE_ONE;
    const int64_t scaled = sum_cents * (RATE_ONE - h->discount) * (RATE_ONE + h->w_tax + h->d_tax);

    return (scaled + one / 2) / one;
}

/* All lines, or all but the last one of an order that was meant to roll back; nothing else. */
enum txn_next txn_new_order_reply(struct txn *t, const struct rows_part *reply)
{
    const struct new_order_input *in = &t->input.new_order;
    struct txn_fields fields;
    struct head head = {0};
    int64_t sum_cents = 0;

    if (!txn_reply_has(t, reply, 1, 1))
        return TXN_BAD_REPLY;
    if (!rows_cell(reply, 0, 0)->text)
        return txn_bad(t, "new_order: no customer %d in district %d of warehouse %d", in->c_id,
                       t->input.d_id, t->input.w_id);
    fields = txn_fields_of(rows_cell(reply, 0, 0));
    if (read_head(t, &fields, &head) < 0)
        return TXN_BAD_REPLY;
    while (fields.at) {
        const struct cell line = txn_field(&fields, ';');

        if (read_line(t, &line, &sum_cents) < 0)
            return TXN_BAD_REPLY;
    }
    if ((head.committed != 0) == in->rolls_back || t->facts.lines != in->n_lines - in->rolls_back)
        return txn_bad(t, "new_order: %d of %d lines done and %s, where %s was meant",
                       t->facts.lines, in->n_lines, head.committed ? "committed" : "rolled back",
                       in->rolls_back ? "a rollback" : "a commit");
    t->facts.total_cents = total_cents(sum_cents, &head);
    return head.committed ? TXN_COMMITTED : TXN_ROLLED_BACK;
}
