/*
 * Resolving doubt and judging the order counts. Blocking; main thread, after the run.
 */
#include "run/doubt.h"

#include <inttypes.h>

#include "base/strbuf.h"

#define PAYMENTS_AT_ONCE 1000
#define ASK_NS (600 * NS_PER_S) /* one question; HISTORY is read whole */

static int ask_count(struct session *s, const struct stmt *stmt, const struct value *args,
                     int64_t *out, struct err *err)
{
    const struct batch b = {.n = 1, .part = {{.stmt = stmt, .args = args}}};
    const struct exec_opts opts = {.deadline_ns = clock_now_ns(clock_system()) + ASK_NS};
    struct rows rows;

    if (session_exec(s, &b, &rows, &opts, err) < 0)
        return err_wrap(err, "%s", stmt->name);
    if (rows.part[0].n_rows != 1)
        return err_set(err, ERR_DB, "%s: not one row", stmt->name);
    return cell_i64(rows_cell(&rows.part[0], 0, 0), out, err);
}

static int resolve_new_order(struct session *s, const struct stmt *stmt, const struct run_doubt *d,
                             struct doubt_found *out, struct err *err)
{
    const struct value args[] = {
        value_int(VALUE_I32, d->w_id),
        value_int(VALUE_I32, d->d_id),
        value_int(VALUE_I32, d->c_id),
        value_int(VALUE_TIME_US, d->stamp_us),
    };
    int64_t n = 0;

    if (ask_count(s, stmt, args, &n, err) < 0)
        return -1;
    out->new_orders += n > 0;
    out->unresolved--;
    return 0;
}

/* The Payments among doubts[from..], at most PAYMENTS_AT_ONCE, in one question. Gives where it
 * stopped. */
static int resolve_payments(struct session *s, const struct stmt *stmt,
                            const struct run_counts *counts, size_t *from, struct err *err)
{
    struct strbuf list;
    struct value arg;
    int64_t n = 0;
    int in_list = 0;

    strbuf_init(&list);
    for (; *from < counts->n_doubts && in_list < PAYMENTS_AT_ONCE; (*from)++) {
        if (counts->doubts[*from].type != TXN_PAYMENT)
            continue;
        strbuf_addf(&list, "%s%" PRId64, in_list > 0 ? "," : "", counts->doubts[*from].stamp_us);
        in_list++;
    }
    arg = value_text(list.buf, list.len);
    if (in_list > 0 && ask_count(s, stmt, &arg, &n, err) < 0)
        n = -1;
    strbuf_release(&list);
    return (int)n;
}

static uint64_t count_payments(const struct run_counts *counts, size_t from, size_t to)
{
    uint64_t n = 0;

    for (size_t i = from; i < to; i++)
        n += counts->doubts[i].type == TXN_PAYMENT;
    return n;
}

int doubt_resolve(struct session *s, const struct dialect *d, const struct run_counts *counts,
                  struct doubt_found *out, struct err *err)
{
    const struct stmt *new_order = dialect_need(d, "doubt_new_order", err);
    const struct stmt *payments = new_order ? dialect_need(d, "doubt_payments", err) : NULL;

    *out = (struct doubt_found){.unresolved = counts->n_doubts + counts->doubts_lost};
    if (!payments)
        return -1;
    for (size_t i = 0; i < counts->n_doubts; i++) {
        if (counts->doubts[i].type == TXN_NEW_ORDER &&
            resolve_new_order(s, new_order, &counts->doubts[i], out, err) < 0)
            return -1;
    }
    for (size_t from = 0; from < counts->n_doubts;) {
        const size_t begin = from;
        const int found = resolve_payments(s, payments, counts, &from, err);

        if (found < 0)
            return -1;
        out->payments += (uint64_t)found;
        out->unresolved -= count_payments(counts, begin, from);
    }
    return 0;
}

static bool agrees(uint64_t counted, uint64_t unresolved, int64_t growth)
{
    return growth >= (int64_t)counted && growth <= (int64_t)(counted + unresolved);
}

void doubt_judge(const struct run_counts *counts, const struct doubt_found *found,
                 const struct doubt_growth *growth, struct result *r)
{
    const uint64_t new_orders = counts->new_orders_committed + found->new_orders;
    const uint64_t payments = counts->payments_committed + found->payments;

    r->run.in_doubt_committed = (int64_t)(found->new_orders + found->payments);
    r->run.in_doubt_unresolved = (int64_t)found->unresolved;
    r->checks.new_orders_counted = (int64_t)new_orders;
    r->checks.new_orders_in_database = growth->next_o_id_sum;
    r->checks.payments_counted = (int64_t)payments;
    r->checks.payments_in_database = growth->history_rows;
    r->checks.orders_agree = agrees(new_orders, found->unresolved, growth->next_o_id_sum) &&
                             agrees(payments, found->unresolved, growth->history_rows);
}
