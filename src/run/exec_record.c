/*
 * Writing down what transactions did: times into the recorder's histograms, outcomes into its sums,
 * doubt into a list of its own. What counts where is told in recorder.h. Loop thread only; nothing
 * is allocated here.
 */
#include "run/exec.h"

void record_seen(struct exec *e, uint64_t due_ns, uint64_t late_ns)
{
    struct record_sums *sums = &e->rec->sums;

    sums->outcomes.started++;
    sums->late_ns += late_ns;
    if (late_ns > sums->late_max_ns)
        sums->late_max_ns = late_ns;
    if (!exec_in_sample(e, due_ns))
        return;
    sums->seen++;
    hist_record_ns(e->rec->late, late_ns);
}

/* Without pace a user is due when there is a session for it; a queued Delivery still waits. */
static bool has_queue(const struct exec *e, uint8_t row)
{
    return exec_paced(e) || row == TXN_DELIVERY_DEFERRED;
}

void record_times(struct exec *e, const struct txn_times *t)
{
    struct hist **time = e->rec->time[t->row];
    const uint64_t response_ns = t->done_ns - t->due_ns;

    if (t->row != TXN_DELIVERY_DEFERRED)
        hist_record_ns(e->rec->all, response_ns);
    if (!exec_in_sample(e, t->due_ns))
        return;
    hist_record_ns(time[TIME_RESPONSE], response_ns);
    if (t->sent_ns == 0)
        return;
    hist_record_ns(time[TIME_SERVICE], t->done_ns - t->sent_ns);
    if (has_queue(e, t->row))
        hist_record_ns(time[TIME_QUEUE], t->sent_ns - t->due_ns);
}

void record_doubt(struct exec *e, const struct slot *s, uint64_t done_ns)
{
    const struct txn_input *in = &s->txn.input;
    struct run_doubt d = {
        .type = in->type,
        .w_id = in->w_id,
        .d_id = in->d_id,
        .in_sample = exec_in_sample(e, done_ns),
    };

    if (in->type == TXN_NEW_ORDER && !in->new_order.rolls_back) {
        d.c_id = in->new_order.c_id;
        d.stamp_us = in->new_order.entry_us;
    } else if (in->type == TXN_PAYMENT) {
        d.stamp_us = in->payment.date_us;
    } else {
        return; /* changes no count */
    }
    if (e->n_doubts < DOUBTS_MAX)
        e->doubts[e->n_doubts++] = d;
    else
        e->doubts_lost++;
}

static void record_commit_at(struct recorder *rec, uint64_t done_ns)
{
    if (rec->first_commit_ns == 0)
        rec->first_commit_ns = done_ns;
    else if (done_ns - rec->last_commit_ns > rec->silence_ns)
        rec->silence_ns = done_ns - rec->last_commit_ns;
    rec->last_commit_ns = done_ns;
}

void record_good(struct exec *e, const struct slot *s, uint64_t done_ns, bool rolled_back)
{
    struct record_sums *sums = &e->rec->sums;
    const enum txn_type type = s->txn.input.type;

    sums->done[s->row]++;
    if (rolled_back) {
        sums->outcomes.rolled_back++;
    } else {
        sums->outcomes.committed++;
        record_commit_at(e->rec, done_ns);
        sums->orders_committed += type == TXN_NEW_ORDER;
        sums->payments_committed += type == TXN_PAYMENT;
    }
    audit_count(&sums->audit, type, &s->txn.facts, rolled_back);
}

void record_unfinished(struct exec *e, const struct txn_times *t)
{
    record_times(e, t);
    if (!exec_in_sample(e, t->due_ns))
        return;
    e->rec->sums.unfinished++;
    if (t->sent_ns == 0 && has_queue(e, t->row)) /* it waited all the time */
        hist_record_ns(e->rec->time[t->row][TIME_QUEUE], t->done_ns - t->due_ns);
}
