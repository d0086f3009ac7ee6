/*
 * A transaction from due to done: it becomes due, waits for a session or is queued (deferred
 * Delivery), is sent, tried again after a serialisation failure or a deadlock, and ends in one of
 * four outcomes; then its user's next one is dealt. What each outcome means for counters and
 * histograms is in txn_end(). Loop thread only; nothing is allocated here.
 *
 * Sessions are given work by txn_dispatch() only, which loops: no path calls itself, however many
 * sends fail at once.
 */
#include "run/exec.h"

#include "base/check.h"
#include "base/rng.h"
#include "db/fault.h"

#define BACKOFF_MOST_MS 100

enum outcome {
    OUTCOME_COMMITTED,
    OUTCOME_ROLLED_BACK, /* as planned, 2.4.1.4 */
    OUTCOME_FAILED,      /* at once: its time is in no histogram, as it would improve it */
    OUTCOME_FAILED_AGED, /* by time-out, cancelled or lost: enters at its age */
    OUTCOME_IN_DOUBT,    /* sent, might have committed, never retried: enters at its age */
};

/* ---- pumping ---- */

/* A batch has ended: nothing more is written. */
static void settle(struct exec *e, struct slot *s)
{
    if (s->fd >= 0 && (s->events & LOOP_WRITE))
        sessions_wait(e, s, DB_WANT_READ);
}

static enum pump pump_reply(struct exec *e, struct slot *s, const struct rows *replies);

static enum pump pump_step(struct exec *e, struct slot *s, unsigned step,
                           const struct rows *replies)
{
    if (step & DB_FAILED) {
        if (session_alive(s->session))
            settle(e, s);
        return PUMP_FAILED;
    }
    if (step & DB_READY) {
        settle(e, s);
        return pump_reply(e, s, replies);
    }
    sessions_wait(e, s, step);
    return PUMP_WAITS;
}

static enum pump pump_reply(struct exec *e, struct slot *s, const struct rows *replies)
{
    struct batch next;
    unsigned step = 0;

    switch (txn_step(&s->txn, replies, &next)) {
    case TXN_COMMITTED:
        return PUMP_COMMITTED;
    case TXN_ROLLED_BACK:
        return PUMP_ROLLED_BACK;
    case TXN_BAD_REPLY:
        return PUMP_BAD_REPLY;
    case TXN_SEND:
        break;
    }
    step = session_submit(s->session, &next);
    CHECK(!(step & DB_READY)); /* asynchronous backends answer in advance */
    s->commits_sent = next.commits && !(step & DB_FAILED);
    return pump_step(e, s, step, NULL);
}

enum pump txn_pump_begin(struct exec *e, struct slot *s)
{
    s->commits_sent = false;
    return pump_reply(e, s, NULL);
}

enum pump txn_pump_advance(struct exec *e, struct slot *s)
{
    struct rows replies;
    const unsigned step = session_advance(s->session, &replies);

    return pump_step(e, s, step, &replies);
}

/* ---- users ---- */

/* Deals the user's next transaction and arms its timer. Paced by inter-arrival, a due time that has
 * passed stays what it is: only the timer is set to now. */
static void user_goes_on(struct exec *e, uint32_t id, uint64_t due_ns, uint64_t done_ns)
{
    const uint64_t wait_ns = users_deal_ns(&e->users, id);
    const bool closed = e->plan->pace.kind != PACE_INTERARRIVAL;
    const uint64_t next_ns = (closed ? done_ns : due_ns) + wait_ns;

    e->users.at[id].due_ns = next_ns;
    if (next_ns >= e->windows.sample_end_ns)
        return;
    e->n_overdue += next_ns < done_ns;
    loop_timer_set(e->loop, id, next_ns > done_ns ? next_ns : done_ns);
}

/* The drain is over, and the user's transaction has no session: it has failed. What else the user
 * was due in the sample (inter-arrival) comes after it. */
static void user_is_cut(struct exec *e, uint32_t id, uint64_t now_ns)
{
    const struct user *u = &e->users.at[id];
    const struct txn_times t = {u->type, u->due_ns, 0, now_ns};
    struct err err = {0};

    err_set(&err, ERR_SURROUNDINGS, "still waiting for a session at the end of the drain");
    record_unfinished(e, &t);
    e->rec->sums.outcomes.failed++;
    errtable_add(&e->errors, "drain", &err, now_ns);
    user_goes_on(e, id, t.due_ns, now_ns);
}

/* ---- deferred Delivery ---- */

/* Queued for its deferred execution (2.7.2): the user's response ends here. What finds no room has
 * failed. */
static void delivery_queue(struct exec *e, uint32_t id, uint64_t due_ns, uint64_t now_ns)
{
    struct delivery_queue *q = &e->deliveries;
    const struct txn_times t = {.row = TXN_DELIVERY, .due_ns = due_ns, .done_ns = now_ns};
    struct err err = {0};

    if (q->n < q->cap) {
        q->at[(q->first + q->n) % q->cap] = (struct queued_delivery){
            .queued_ns = now_ns,
            .user = id,
            .number = e->users.at[id].n - 1,
        };
        q->n++;
        e->rec->sums.done[TXN_DELIVERY]++;
        record_times(e, &t);
        return;
    }
    err_set(&err, ERR_SURROUNDINGS, "the queue of deferred Deliveries is full (%u)", q->cap);
    errtable_add(&e->errors, "delivery_lost", &err, now_ns);
    e->rec->sums.outcomes.failed++;
}

static struct queued_delivery delivery_take(struct delivery_queue *q)
{
    const struct queued_delivery d = q->at[q->first];

    CHECK(q->n > 0);
    q->first = (q->first + 1) % q->cap;
    q->n--;
    return d;
}

static bool delivery_may_run(const struct exec *e)
{
    const uint32_t most = e->plan->delivery_sessions > 0 ? e->plan->delivery_sessions : 1;

    return e->deliveries.n > 0 && e->deliveries.running < most;
}

/* ---- the end of a transaction ---- */

/* After a failure a session without pace rests as long as a retry would. */
static void rest(struct exec *e, struct slot *s, uint64_t now_ns)
{
    struct rng r = rng_at(rng_key(now_ns, s->user));

    s->state = SLOT_RESTING;
    sessions_timer(e, s, now_ns + (uint64_t)rng_uniform(&r, 1, BACKOFF_MOST_MS) * NS_PER_MS);
}

/* A cancellation that the canceller is still at would hit whatever runs next on the session. */
static void leave_session(struct exec *e, struct slot *s, bool good, uint64_t now_ns)
{
    const bool hit = atomic_load(&s->cancels) > 0;

    if (s->ends_session || hit || !session_alive(s->session))
        sessions_lose(e, s);
    else if (good || exec_paced(e))
        sessions_free_push(e, s);
    else
        rest(e, s, now_ns);
}

static void txn_end(struct exec *e, struct slot *s, enum outcome outcome)
{
    const uint64_t done_ns = exec_now_ns(e);
    const struct txn_times t = {s->row, s->due_ns, s->sent_ns, done_ns};
    const bool good = outcome == OUTCOME_COMMITTED || outcome == OUTCOME_ROLLED_BACK;

    exec_cut(e, done_ns);
    if (good)
        record_good(e, s, done_ns, outcome == OUTCOME_ROLLED_BACK);
    else if (outcome == OUTCOME_IN_DOUBT)
        e->rec->sums.outcomes.in_doubt++;
    else
        e->rec->sums.outcomes.failed++;
    if (outcome == OUTCOME_IN_DOUBT)
        record_doubt(e, s, done_ns);
    if (outcome != OUTCOME_FAILED && !s->recorded)
        record_times(e, &t);
    e->n_carrying--;
    if (s->row == TXN_DELIVERY_DEFERRED)
        e->deliveries.running--;
    else if (exec_paced(e))
        user_goes_on(e, s->user, s->due_ns, done_ns);
    leave_session(e, s, good, done_ns);
}

/* ---- failures ---- */

/* Jittered back-off over 1 to 2, 4, 8 ... 100 ms; the session waits with its transaction. */
static void retry(struct exec *e, struct slot *s)
{
    const uint64_t now_ns = exec_now_ns(e);
    struct rng r = rng_at(rng_key(rng_key(s->user, s->number), s->attempt));
    const uint32_t doubled = s->attempt < 7 ? 1U << s->attempt : BACKOFF_MOST_MS;
    const int64_t most_us = (doubled < BACKOFF_MOST_MS ? doubled : BACKOFF_MOST_MS) * 1000;
    const uint64_t pause_ns = (uint64_t)rng_uniform(&r, 1000, most_us) * NS_PER_US;

    if (s->attempt >= e->plan->attempts_max) {
        txn_end(e, s, OUTCOME_FAILED);
        return;
    }
    if (e->cut_ns || s->state == SLOT_CANCELLING || now_ns + pause_ns >= s->deadline_ns) {
        txn_end(e, s, OUTCOME_FAILED_AGED);
        return;
    }
    exec_cut(e, now_ns);
    e->rec->sums.outcomes.retries++;
    e->rec->sums.outcomes.retried += s->attempt == 1;
    s->attempt++;
    s->state = SLOT_PAUSING;
    sessions_timer(e, s, now_ns + pause_ns);
}

static void txn_failed(struct exec *e, struct slot *s)
{
    const struct err err = *session_error(s->session);
    const enum fault fault = fault_classify(&err, session_alive(s->session), s->commits_sent);
    const bool doubt = s->commits_sent && fault_may_be_committed(&err);

    errtable_add(&e->errors, fault_name(fault), &err, exec_now_ns(e));
    switch (fault) {
    case FAULT_RETRY:
        retry(e, s);
        return;
    case FAULT_LOST:
        s->ends_session = true;
        txn_end(e, s, OUTCOME_FAILED_AGED);
        return;
    case FAULT_IN_DOUBT:
        s->ends_session = true;
        txn_end(e, s, OUTCOME_IN_DOUBT);
        return;
    case FAULT_TIMEOUT:
        txn_end(e, s, doubt ? OUTCOME_IN_DOUBT : OUTCOME_FAILED_AGED);
        return;
    case FAULT_FATAL: /* also what a driver says of a statement that was cancelled under it */
        txn_end(e, s, doubt && s->state == SLOT_CANCELLING ? OUTCOME_IN_DOUBT : OUTCOME_FAILED);
        return;
    }
    UNREACHABLE();
}

static void txn_pumped(struct exec *e, struct slot *s, enum pump how)
{
    switch (how) {
    case PUMP_WAITS:
        return;
    case PUMP_COMMITTED:
        txn_end(e, s, OUTCOME_COMMITTED);
        return;
    case PUMP_ROLLED_BACK:
        txn_end(e, s, OUTCOME_ROLLED_BACK);
        return;
    case PUMP_BAD_REPLY:
        errtable_add(&e->errors, "bad_reply", &s->txn.bad, exec_now_ns(e));
        s->ends_session = true;
        txn_end(e, s, OUTCOME_FAILED);
        return;
    case PUMP_FAILED:
        txn_failed(e, s);
        return;
    }
    UNREACHABLE();
}

void txn_slot_ready(struct exec *e, struct slot *s)
{
    if (s->state != SLOT_PAUSING) {
        txn_pumped(e, s, txn_pump_advance(e, s));
        return;
    }
    s->state = SLOT_BUSY;
    txn_restart(&s->txn);
    txn_pumped(e, s, txn_pump_begin(e, s));
}

/* ---- due, and sent ---- */

void txn_user_due(struct exec *e, uint32_t id, uint64_t armed_ns)
{
    const uint64_t now_ns = exec_now_ns(e);
    const struct user *user = &e->users.at[id];
    const uint64_t due_ns = user->due_ns;

    exec_cut(e, now_ns);
    e->n_overdue -= armed_ns > due_ns;
    if (due_ns >= e->windows.sample_end_ns)
        return;
    record_seen(e, due_ns, now_ns - armed_ns);
    if (e->cut_ns) {
        user_is_cut(e, id, now_ns);
        return;
    }
    if (e->plan->delivery_deferred && user->type == TXN_DELIVERY) {
        delivery_queue(e, id, due_ns, now_ns);
        user_goes_on(e, id, due_ns, now_ns);
        return;
    }
    if (exec_in_sample(e, due_ns) && (e->n_free == 0 || e->users.queued > 0))
        e->rec->sums.waited++;
    users_queue_push(&e->users, id);
}

struct work {
    uint8_t row;
    uint32_t user;
    uint32_t number;
    uint64_t due_ns;
};

static void txn_send(struct exec *e, const struct work *w, uint64_t now_ns)
{
    struct slot *s = sessions_free_pop(e);
    const struct home home = users_home(&e->users, w->user, w->number);
    const struct input_for whose = {
        .user = w->user,
        .n = w->number,
        .w_id = home.w_id,
        .d_id = home.d_id,
        .stamp_us = exec_stamp_us(e, now_ns),
    };
    const enum txn_type type =
        w->row == TXN_DELIVERY_DEFERRED ? TXN_DELIVERY : (enum txn_type)w->row;
    struct txn_input in;

    s->row = w->row;
    s->user = w->user;
    s->number = w->number;
    s->due_ns = w->due_ns;
    s->sent_ns = now_ns;
    s->deadline_ns = now_ns + e->plan->txn_timeout_ns;
    s->attempt = 1;
    s->recorded = false;
    s->ends_session = false;
    s->state = SLOT_BUSY;
    e->n_carrying++;
    input_draw(&e->plan->rules, &whose, type, &in);
    txn_start(&s->txn, &in);
    txn_pumped(e, s, txn_pump_begin(e, s));
}

/* Without pace: the next user of the round is due now, as far as the ramp allows. */
static bool round_work(struct exec *e, uint64_t now_ns, struct work *w)
{
    const uint64_t since_ns = now_ns - e->windows.go_ns;
    const uint64_t ramp_ns = e->plan->ramp_ns;
    uint32_t allowed = e->n_slots;

    if (now_ns < e->windows.go_ns || now_ns >= e->windows.sample_end_ns)
        return false;
    if (since_ns < ramp_ns)
        allowed = (uint32_t)((double)e->n_slots * (double)since_ns / (double)ramp_ns);
    if (e->n_carrying >= allowed)
        return false;
    w->user = users_next_of_round(&e->users);
    w->row = e->users.at[w->user].type;
    w->number = e->users.at[w->user].n - 1;
    w->due_ns = now_ns;
    record_seen(e, now_ns, 0);
    return true;
}

/* The oldest of what waits: due users and queued Deliveries. */
static bool next_work(struct exec *e, uint64_t now_ns, struct work *w)
{
    const uint64_t user_ns = users_queue_oldest_ns(&e->users);
    const struct queued_delivery *first = &e->deliveries.at[e->deliveries.first];

    if (delivery_may_run(e) && first->queued_ns <= user_ns) {
        const struct queued_delivery d = delivery_take(&e->deliveries);

        e->deliveries.running++;
        *w = (struct work){TXN_DELIVERY_DEFERRED, d.user, d.number, d.queued_ns};
        return true;
    }
    if (!exec_paced(e))
        return round_work(e, now_ns, w);
    if (e->users.queued == 0)
        return false;
    w->user = users_queue_pop(&e->users);
    w->row = e->users.at[w->user].type;
    w->number = e->users.at[w->user].n - 1;
    w->due_ns = e->users.at[w->user].due_ns;
    return true;
}

void txn_dispatch(struct exec *e)
{
    struct work w;

    while (e->going && !e->cut_ns && e->n_free > 0) {
        const uint64_t now_ns = exec_now_ns(e);

        exec_cut(e, now_ns);
        if (!next_work(e, now_ns, &w))
            return;
        if (!exec_paced(e) && e->plan->delivery_deferred && w.row == TXN_DELIVERY)
            delivery_queue(e, w.user, w.due_ns, now_ns);
        else
            txn_send(e, &w, now_ns);
    }
}

/* ---- bounds ---- */

static void cancel(struct exec *e, struct slot *s, uint64_t now_ns)
{
    if (!canceller_ask(e->canceller, s->session, &s->cancels))
        return; /* asked again at the next tick */
    s->state = SLOT_CANCELLING;
    s->deadline_ns = now_ns + CANCEL_GRACE_NS;
}

/* It did not come back after its cancellation: the session is given up with it. */
static void give_up(struct exec *e, struct slot *s, uint64_t now_ns)
{
    struct err err = {0};

    err_set(&err, ERR_SURROUNDINGS, "no answer within 5 s of a cancellation: session given up");
    errtable_add(&e->errors, "given_up", &err, now_ns);
    s->ends_session = true;
    txn_end(e, s, s->commits_sent ? OUTCOME_IN_DOUBT : OUTCOME_FAILED_AGED);
}

void txn_tick(struct exec *e, uint64_t now_ns)
{
    for (uint32_t i = 0; i < e->n_slots; i++) {
        struct slot *s = &e->slot[i];

        if (s->state == SLOT_BUSY && now_ns >= s->deadline_ns)
            cancel(e, s, now_ns);
        /* A backend without a descriptor can't tell that it was cancelled. */
        if (s->state == SLOT_CANCELLING && session_has_ready_at(s->session))
            txn_slot_ready(e, s);
        if (s->state == SLOT_CANCELLING && now_ns >= s->deadline_ns && !e->cut_ns)
            give_up(e, s, now_ns);
    }
}

uint64_t txn_in_flight(const struct exec *e)
{
    return (uint64_t)e->users.queued + e->deliveries.n + e->n_carrying;
}

static void cut_slot(struct exec *e, struct slot *s, uint64_t now_ns)
{
    const struct txn_times t = {s->row, s->due_ns, s->sent_ns, now_ns};

    if (s->state != SLOT_BUSY && s->state != SLOT_CANCELLING && s->state != SLOT_PAUSING)
        return;
    record_unfinished(e, &t);
    s->recorded = true;
    if (s->state == SLOT_PAUSING)
        txn_end(e, s, OUTCOME_FAILED_AGED);
    else if (s->state == SLOT_BUSY)
        cancel(e, s, now_ns);
}

void txn_cut_drain(struct exec *e, uint64_t now_ns)
{
    struct err err = {0};

    exec_cut(e, now_ns);
    e->cut_ns = now_ns + CANCEL_GRACE_NS;
    while (e->users.queued > 0)
        user_is_cut(e, users_queue_pop(&e->users), now_ns);
    err_set(&err, ERR_SURROUNDINGS, "still queued at the end of the drain");
    while (e->deliveries.n > 0) {
        const struct queued_delivery d = delivery_take(&e->deliveries);
        const struct txn_times t = {TXN_DELIVERY_DEFERRED, d.queued_ns, 0, now_ns};

        record_unfinished(e, &t);
        e->rec->sums.outcomes.failed++;
        errtable_add(&e->errors, "delivery_lost", &err, now_ns);
    }
    for (uint32_t i = 0; i < e->n_slots; i++)
        cut_slot(e, &e->slot[i], now_ns);
}

void txn_abandon_all(struct exec *e, uint64_t now_ns)
{
    for (uint32_t i = 0; i < e->n_slots; i++) {
        struct slot *s = &e->slot[i];

        if (s->state != SLOT_BUSY && s->state != SLOT_CANCELLING)
            continue;
        e->abandoned++;
        give_up(e, s, now_ns);
    }
}
