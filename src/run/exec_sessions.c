/*
 * The sessions of a run: opened at a bounded rate, warmed before the clock starts, lost and opened
 * again with back-off, closed at the end. Each carries out its slot's state machine (exec.h); what
 * transactions do on them is in exec_txn.c. Loop thread only.
 *
 * Warming: each session runs a New-Order that rolls back as planned (2.4.1.4), an Order-Status and
 * a Stock-Level, so that its catalogue caches, procedures and plans are there; none leaves a trace.
 */
#include "run/exec.h"

#include <string.h>

#include "base/check.h"
#include "base/rng.h"
#include "db/fault.h"

static const enum txn_type warm_types[WARM_TRANSACTIONS] = {
    TXN_NEW_ORDER,
    TXN_ORDER_STATUS,
    TXN_STOCK_LEVEL,
};

static uint32_t slot_index(const struct exec *e, const struct slot *s)
{
    return (uint32_t)(s - e->slot);
}

void sessions_timer(struct exec *e, const struct slot *s, uint64_t due_ns)
{
    const uint32_t plain = e->plan->pace.kind == PACE_NONE ? 0 : e->users.n;

    loop_timer_set(e->loop, plain + slot_index(e, s), due_ns);
}

void sessions_begin(struct exec *e)
{
    const uint64_t now_ns = exec_now_ns(e);

    for (uint32_t i = 0; i < e->n_slots; i++)
        sessions_timer(e, &e->slot[i], now_ns + i * OPEN_GAP_NS);
}

void sessions_free_push(struct exec *e, struct slot *s)
{
    CHECK(e->n_free < e->n_slots);
    s->state = SLOT_FREE;
    e->free_slots[e->n_free++] = slot_index(e, s);
}

struct slot *sessions_free_pop(struct exec *e)
{
    CHECK(e->n_free > 0);
    return &e->slot[e->free_slots[--e->n_free]];
}

static void free_remove(struct exec *e, const struct slot *s)
{
    const uint32_t index = slot_index(e, s);
    uint32_t i = 0;

    while (i < e->n_free && e->free_slots[i] != index)
        i++;
    CHECK(i < e->n_free);
    memmove(&e->free_slots[i], &e->free_slots[i + 1], (e->n_free - i - 1) * sizeof(*e->free_slots));
    e->n_free--;
}

void sessions_wait(struct exec *e, struct slot *s, unsigned step)
{
    int fd;
    unsigned events = 0;

    if (session_has_ready_at(s->session)) {
        sessions_timer(e, s, session_ready_at_ns(s->session));
        return;
    }
    fd = session_wait_fd(s->session);
    if (fd < 0) { /* between two sockets: looked at again soon */
        sessions_timer(e, s, exec_now_ns(e) + NS_PER_MS);
        return;
    }
    if (step & DB_WANT_READ)
        events |= LOOP_READ;
    if (step & DB_WANT_WRITE)
        events |= LOOP_WRITE;
    /* While connecting a socket may be replaced by another of the same number. */
    if (s->fd != fd || s->events != events || s->state == SLOT_OPENING)
        loop_watch(e->loop, fd, slot_index(e, s), events);
    s->fd = fd;
    s->events = events;
}

/* Watched for its end alone, before which a goodbye may come: watching any longer for what there is
 * to read would turn the loop without end. */
static void watch_for_end(struct exec *e, struct slot *s)
{
    if (s->fd >= 0)
        loop_watch(e->loop, s->fd, slot_index(e, s), 0);
    s->events = 0;
}

/* An idle session that is merely told something is looked at when it is used next. */
void sessions_idle_event(struct exec *e, struct slot *s, unsigned events)
{
    struct err err = {0};

    if (!(events & LOOP_HANGUP)) {
        watch_for_end(e, s);
        return;
    }
    if (s->fd >= 0)
        loop_unwatch(e->loop, s->fd);
    s->fd = -1;
    if (s->state != SLOT_FREE)
        return;
    err_set(&err, ERR_SURROUNDINGS, "a session was closed by the server while it was idle");
    errtable_add(&e->errors, "idle", &err, exec_now_ns(e));
    free_remove(e, s);
    sessions_lose(e, s);
}

/* Doubling from 100 ms to 5 s, jittered over its upper half. */
static uint64_t reopen_after_ns(const struct exec *e, const struct slot *s, uint64_t now_ns)
{
    const uint32_t doublings = s->failures > 6 ? 6 : s->failures;
    struct rng r = rng_at(rng_key(now_ns, slot_index(e, s)));
    uint64_t after_ns = REOPEN_FIRST_NS << doublings;

    if (after_ns > REOPEN_MOST_NS)
        after_ns = REOPEN_MOST_NS;
    return (uint64_t)rng_uniform(&r, (int64_t)after_ns / 2, (int64_t)after_ns);
}

/* Frees the session where nobody holds it, and sees to the next one. */
static void close_session(struct exec *e, struct slot *s)
{
    const uint64_t now_ns = exec_now_ns(e);

    if (s->fd >= 0)
        loop_unwatch(e->loop, s->fd);
    s->fd = -1;
    s->state = SLOT_LEAVING;
    if (atomic_load(&s->cancels) > 0)
        return;
    session_free(s->session);
    s->session = NULL;
    s->state = SLOT_EMPTY;
    sessions_timer(e, s, now_ns + reopen_after_ns(e, s, now_ns));
}

void sessions_lose(struct exec *e, struct slot *s)
{
    const bool last = s->alive && --e->n_alive == 0;

    s->alive = false;
    if (last && e->going && !e->cut_ns && !e->ended) /* else it is ours to end them */
        outages_begin(&e->outages, exec_now_ns(e));
    close_session(e, s);
}

static void open_failed(struct exec *e, struct slot *s, const struct err *why)
{
    struct err err = *why;

    e->n_opening--;
    s->failures++;
    if (!e->going) {
        err_wrap(&err, "session %u of %u", (unsigned)slot_index(e, s) + 1, (unsigned)e->n_slots);
        exec_fail_setup(e, &err);
    } else {
        errtable_add(&e->errors, "connect", &err, exec_now_ns(e));
    }
    sessions_lose(e, s);
}

void sessions_tell(struct exec *e)
{
    const struct exec_msg msg = {
        .kind = MSG_CONNECTING,
        .done = e->n_free,
        .total = e->n_slots,
    };

    /* Only news: where main is behind it does without. */
    if (bqueue_count(e->messages) < 2)
        (void)!bqueue_try_push(e->messages, &msg);
}

static void opened(struct exec *e, struct slot *s)
{
    e->n_opening--;
    s->failures = 0;
    sessions_free_push(e, s);
    if (!e->going)
        sessions_tell(e);
}

static void warm_next(struct exec *e, struct slot *s);

static void warm_ended(struct exec *e, struct slot *s, enum pump how)
{
    const struct err *err = session_error(s->session);
    struct err other = {0};

    switch (how) {
    case PUMP_WAITS:
        return;
    case PUMP_COMMITTED:
    case PUMP_ROLLED_BACK:
        if ((how == PUMP_ROLLED_BACK) != (warm_types[s->warm_step] == TXN_NEW_ORDER)) {
            err_set(&other, ERR_SURROUNDINGS,
                    "warming: a New-Order of an unused item was not rolled back (2.4.1.4)");
            open_failed(e, s, &other);
            return;
        }
        s->warm_step++;
        warm_next(e, s);
        return;
    case PUMP_FAILED:
        if (fault_classify(err, session_alive(s->session), false) == FAULT_RETRY) {
            warm_next(e, s);
            return;
        }
        open_failed(e, s, err);
        return;
    case PUMP_BAD_REPLY:
        open_failed(e, s, &s->txn.bad);
        return;
    }
    UNREACHABLE();
}

static void warm_next(struct exec *e, struct slot *s)
{
    struct input_rules rules = e->plan->rules;
    const struct input_for whose = {
        .user = UINT32_MAX - slot_index(e, s),
        .n = s->warm_step,
        .w_id = (int32_t)(slot_index(e, s) % (uint32_t)rules.warehouses) + 1,
        .d_id = 1,
        .stamp_us = exec_stamp_us(e, exec_now_ns(e)),
    };
    struct txn_input in;

    if (s->warm_step == WARM_TRANSACTIONS) {
        opened(e, s);
        return;
    }
    s->state = SLOT_WARMING;
    rules.rollback_ppm = 1000000;
    input_draw(&rules, &whose, warm_types[s->warm_step], &in);
    txn_start(&s->txn, &in);
    warm_ended(e, s, txn_pump_begin(e, s));
}

static void open_step(struct exec *e, struct slot *s)
{
    const unsigned step = session_open(s->session);

    if (step & DB_FAILED) {
        open_failed(e, s, session_error(s->session));
        return;
    }
    if (!(step & DB_READY)) {
        sessions_wait(e, s, step);
        return;
    }
    if (!session_has_ready_at(s->session))
        sessions_wait(e, s, DB_WANT_READ); /* from now on, also for its end while idle */
    s->alive = true;
    e->n_alive++;
    outages_end(&e->outages, exec_now_ns(e));
    s->warm_step = 0;
    if (e->going)
        opened(e, s);
    else
        warm_next(e, s);
}

static void open_new(struct exec *e, struct slot *s, uint64_t now_ns)
{
    struct err err = {0};

    if (now_ns < e->next_open_ns || e->n_opening >= OPEN_AT_ONCE) {
        sessions_timer(e, s, (now_ns < e->next_open_ns ? e->next_open_ns : now_ns + OPEN_GAP_NS));
        return;
    }
    e->next_open_ns = now_ns + OPEN_GAP_NS;
    e->n_opening++;
    s->state = SLOT_OPENING;
    s->deadline_ns = now_ns + OPEN_TIMEOUT_NS;
    txn_init(&s->txn, e->env->statements); /* nothing is open on it */
    s->session = session_new(e->env->ops, &e->db, &err);
    if (s->session)
        open_step(e, s);
    else
        open_failed(e, s, &err);
}

void sessions_step(struct exec *e, struct slot *s, uint64_t now_ns)
{
    if (e->end == END_SETUP || e->cut_ns || e->ended)
        return;
    if (s->state == SLOT_EMPTY)
        open_new(e, s, now_ns);
    else if (s->state == SLOT_OPENING)
        open_step(e, s);
    else
        warm_ended(e, s, txn_pump_advance(e, s));
}

void sessions_tick(struct exec *e, uint64_t now_ns)
{
    struct err err = {0};

    for (uint32_t i = 0; i < e->n_slots; i++) {
        struct slot *s = &e->slot[i];
        const bool opens = s->state == SLOT_OPENING || s->state == SLOT_WARMING;

        if (s->state == SLOT_LEAVING)
            close_session(e, s);
        if (!opens || now_ns < s->deadline_ns)
            continue;
        err_set(&err, ERR_SURROUNDINGS, "not connected and warm within 30 s");
        open_failed(e, s, &err);
    }
}

void sessions_close_all(struct exec *e)
{
    for (uint32_t i = 0; i < e->n_slots; i++)
        if (e->slot[i].session && atomic_load(&e->slot[i].cancels) == 0)
            session_leave(e->slot[i].session);
    for (uint32_t i = 0; i < e->n_slots; i++) {
        struct slot *s = &e->slot[i];

        if (!s->session || atomic_load(&s->cancels) > 0)
            continue;
        session_free(s->session);
        s->session = NULL;
    }
}
