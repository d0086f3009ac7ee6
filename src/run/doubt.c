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
    const struct exec_opts opts = {.within_ns = ASK_NS};
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
    out->sample_not_committed += n == 0 && d->in_sample;
    out->unresolved--;
    return 0;
}

/* The Payments of the sample, or those of the rest, among doubts[from..]: one question. */
struct payments {
    const struct run_counts *counts;
    bool in_sample;
    size_t from; /* moved behind the last one of the question */
    uint64_t asked, found;
};

static int resolve_payments(struct session *s, const struct stmt *stmt, struct payments *p,
                            struct err *err)
{
    const struct run_counts *counts = p->counts;
    struct strbuf list;
    struct value arg;
    int64_t n = 0;
    int rc = 0;

    strbuf_init(&list);
    p->asked = 0;
    for (; p->from < counts->n_doubts && p->asked < PAYMENTS_AT_ONCE; p->from++) {
        const struct run_doubt *d = &counts->doubts[p->from];

        if (d->type != TXN_PAYMENT || d->in_sample != p->in_sample)
            continue;
        strbuf_addf(&list, "%s%" PRId64, p->asked > 0 ? "," : "", d->stamp_us);
        p->asked++;
    }
    arg = value_text(list.buf, list.len);
    if (p->asked > 0)
        rc = ask_count(s, stmt, &arg, &n, err);
    strbuf_release(&list);
    p->found = (uint64_t)n;
    return rc;
}

static int resolve_all_payments(struct session *s, const struct stmt *stmt, struct payments *p,
                                struct doubt_found *out, struct err *err)
{
    while (p->from < p->counts->n_doubts) {
        if (resolve_payments(s, stmt, p, err) < 0)
            return -1;
        out->payments += p->found;
        out->unresolved -= p->asked;
        if (p->in_sample && p->asked > p->found)
            out->sample_not_committed += p->asked - p->found;
    }
    return 0;
}

int doubt_resolve(struct session *s, const struct dialect *d, const struct run_counts *counts,
                  struct doubt_found *out, struct err *err)
{
    const struct stmt *new_order = dialect_need(d, "doubt_new_order", err);
    const struct stmt *payments = new_order ? dialect_need(d, "doubt_payments", err) : NULL;
    struct payments sample = {.counts = counts, .in_sample = true};
    struct payments rest = {.counts = counts};

    *out = (struct doubt_found){.unresolved = counts->n_doubts + counts->doubts_lost};
    if (!payments)
        return -1;
    for (size_t i = 0; i < counts->n_doubts; i++) {
        if (counts->doubts[i].type == TXN_NEW_ORDER &&
            resolve_new_order(s, new_order, &counts->doubts[i], out, err) < 0)
            return -1;
    }
    if (resolve_all_payments(s, payments, &sample, out, err) < 0)
        return -1;
    return resolve_all_payments(s, payments, &rest, out, err);
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
    r->sample.in_doubt_not_committed = (int64_t)found->sample_not_committed;
    r->checks.new_orders_counted = (int64_t)new_orders;
    r->checks.new_orders_in_database = growth->next_o_id_sum;
    r->checks.payments_counted = (int64_t)payments;
    r->checks.payments_in_database = growth->history_rows;
    r->checks.orders_agree = agrees(new_orders, found->unresolved, growth->next_o_id_sum) &&
                             agrees(payments, found->unresolved, growth->history_rows);
}
