/*
 * The loop's frame: start protocol, clock edges and hand-over of slices, bounds and the end. What
 * happens on sessions is in exec_sessions.c, what happens to transactions in exec_txn.c.
 *
 * READY (thread up, memory there) -> sessions open and warm (STEADY) -> GO: one start time a little
 * ahead, users armed -> slices -> the sample's end: nothing new starts -> drain -> END.
 */
#include "run/exec.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/xalloc.h"

#define GO_AHEAD_NS (20 * NS_PER_MS) /* for main to start the sampler ... */
#define GO_AHEAD_USER_NS 150         /* ... and for the loop to arm each user */
#define MESSAGES 64
#define DELIVERIES_LEAST 4096u /* room in the queue of deferred Deliveries ... */
#define DELIVERIES_USERS 4u    /* ... or one for so many users */

enum control_timer { CONTROL_EDGE, CONTROL_TICK, CONTROL_TIMERS };

static uint32_t plain_timers(const struct exec *e)
{
    return e->plan->pace.kind == PACE_NONE ? 0 : e->users.n;
}

static void arm_control(struct exec *e, enum control_timer t, uint64_t due_ns)
{
    loop_timer_set(e->loop, plain_timers(e) + e->n_slots + (uint32_t)t, due_ns);
}

static void send(struct exec *e, const struct exec_msg *msg)
{
    /* The queue has room for all recorders, GO and END, and is not filled up with news. */
    CHECK(bqueue_try_push(e->messages, msg));
}

void exec_fail_setup(struct exec *e, const struct err *err)
{
    if (e->end != END_NONE)
        return; /* the first one tells */
    e->end = END_SETUP;
    e->setup_err = *err;
}

int64_t exec_stamp_us(struct exec *e, uint64_t now_ns)
{
    int64_t us = e->real_base_us + (int64_t)((now_ns - e->mono_base_ns) / NS_PER_US);

    if (us <= e->last_stamp_us)
        us = e->last_stamp_us + 1;
    e->last_stamp_us = us;
    return us;
}

/* ---- slices ---- */

/* The oldest transaction on a session. */
static uint64_t oldest_ns(const struct exec *e, uint64_t now_ns)
{
    uint64_t oldest = 0;

    for (uint32_t i = 0; i < e->n_slots; i++) {
        const struct slot *s = &e->slot[i];
        const bool carries =
            s->state == SLOT_BUSY || s->state == SLOT_PAUSING || s->state == SLOT_CANCELLING;

        if (carries && now_ns - s->sent_ns > oldest)
            oldest = now_ns - s->sent_ns;
    }
    return oldest;
}

static void hand_over(struct exec *e, uint64_t end_ns, bool last)
{
    const struct windows *w = &e->windows;
    struct exec_msg msg = {.kind = MSG_SLICE, .windows = *w};

    counters_add(&e->totals, &e->rec->sums.outcomes);
    msg.slice = (struct slice){
        .rec = e->rec,
        .start_ns = e->slice_start_ns,
        .end_ns = end_ns,
        .phase = windows_phase(w, e->slice_start_ns),
        .in_sample = windows_in_sample(w, e->slice_start_ns),
        .ends_interval = windows_ends_interval(w, end_ns),
        .last = last,
        .batch = windows_batch(w, e->slice_start_ns),
        .balanced = counters_balance(&e->totals, txn_in_flight(e)),
        .users = users_started(&e->users, end_ns - w->go_ns),
        .queue = e->users.queued,
        .busy = e->n_carrying,
        .alive = e->n_alive,
        .oldest_ns = oldest_ns(e, end_ns),
        .cpu_ns = process_cpu_ns(),
    };
    send(e, &msg);
    e->rec = NULL;
    if (!last) {
        CHECK(e->n_spare > 0);
        e->rec = e->spare[--e->n_spare];
    }
    e->slice_start_ns = end_ns;
}

/* Recorders are kept back for the sample's two edges and for the end, so that main, however late,
 * never makes the loop wait there. At other edges the slice just goes on where none is free; a few
 * are kept for the edges of intervals, which are seen, where only a batch ends. */
static bool may_cut(struct exec *e, uint64_t edge_ns)
{
    uint32_t kept = (uint32_t)windows_sample_edges_after(&e->windows, edge_ns) + 1;

    while (e->n_spare < RECORDERS && bqueue_pop(e->empty, &e->spare[e->n_spare], 0))
        e->n_spare++;
    if (windows_is_sample_edge(&e->windows, edge_ns))
        return true;
    if (!windows_ends_interval(&e->windows, edge_ns))
        kept += RECORDERS / 4;
    if (e->n_spare > kept)
        return true;
    e->slices_merged++;
    return false;
}

void exec_cut(struct exec *e, uint64_t now_ns)
{
    while (now_ns >= e->next_edge_ns) {
        const uint64_t edge_ns = e->next_edge_ns;

        if (may_cut(e, edge_ns))
            hand_over(e, edge_ns, false);
        e->next_edge_ns = windows_next_edge_ns(&e->windows, edge_ns);
    }
}

/* ---- GO and the end ---- */

/* When the run begins; 0: not yet. With others it is the last one that is ready who decides. What
 * is lost of its own sessions after it was ready is opened again as in a run. */
static uint64_t go_time_ns(struct exec *e)
{
    struct together *together = e->env->together;
    const uint64_t ahead_ns = GO_AHEAD_NS + (uint64_t)plain_timers(e) * GO_AHEAD_USER_NS;
    const bool all_open = e->n_free == e->n_slots;

    if (!together)
        return all_open ? exec_now_ns(e) + ahead_ns : 0;
    if (all_open && !e->ready)
        together_ready(together, ahead_ns + 2 * TICK_NS); /* it is looked for at each tick */
    e->ready = e->ready || all_open;
    return e->ready ? together_go_ns(together) : 0;
}

static void go(struct exec *e, uint64_t go_ns)
{
    struct exec_msg msg = {.kind = MSG_GO, .done = e->n_slots, .total = e->n_slots};
    const uint32_t users = plain_timers(e);

    for (uint32_t id = 0; id < users; id++)
        e->users.at[id].due_ns = users_begin_ns(&e->users, id);
    windows_init(&e->windows, e->plan, go_ns);
    msg.windows = e->windows;
    e->drain_end_ns = e->windows.sample_end_ns + e->plan->drain_ns;
    e->slice_start_ns = e->windows.go_ns;
    e->next_edge_ns = windows_next_edge_ns(&e->windows, e->windows.go_ns);
    e->going = true;
    send(e, &msg);
    for (uint32_t id = 0; id < users; id++) {
        e->users.at[id].due_ns += e->windows.go_ns;
        if (e->users.at[id].due_ns < e->windows.sample_end_ns)
            loop_timer_set(e->loop, id, e->users.at[id].due_ns);
    }
    arm_control(e, CONTROL_EDGE, e->next_edge_ns);
}

/* The run ends before its time: nothing new starts, what is under way is drained. */
static void end_early(struct exec *e, enum exec_end why, uint64_t now_ns)
{
    if (e->end != END_NONE || now_ns >= e->windows.sample_end_ns)
        return;
    exec_cut(e, now_ns);
    e->end = why;
    if (now_ns > e->windows.go_ns)
        windows_end(&e->windows, now_ns);
    else
        windows_end(&e->windows, e->windows.go_ns);
    e->next_edge_ns = e->windows.sample_end_ns;
    e->drain_end_ns = e->windows.sample_end_ns + (why == END_INTERRUPT ? e->plan->drain_ns : 0);
}

static void finish(struct exec *e)
{
    struct exec_msg msg = {.kind = MSG_END};
    uint64_t now_ns = exec_now_ns(e);

    if (e->end == END_NONE)
        e->end = END_PLAN;
    if (e->going) {
        exec_cut(e, now_ns);
        if (now_ns < e->slice_start_ns)
            now_ns = e->slice_start_ns;
        hand_over(e, now_ns, true);
    }
    sessions_close_all(e);
    msg.windows = e->windows;
    msg.end = e->end;
    send(e, &msg);
    e->ended = true;
}

static void leave_at_once(struct exec *e, uint64_t now_ns)
{
    end_early(e, END_INTERRUPT, now_ns);
    exec_cut(e, now_ns);
    if (!e->cut_ns)
        txn_cut_drain(e, now_ns);
    txn_abandon_all(e, now_ns);
}

static void look_at_server(struct exec *e, uint64_t now_ns)
{
    if (e->n_alive > 0)
        e->gone_since_ns = 0;
    else if (e->gone_since_ns == 0)
        e->gone_since_ns = now_ns;
    else if (now_ns - e->gone_since_ns >= GONE_NS)
        end_early(e, END_SERVER_GONE, now_ns);
}

/* What main asked for: the precondition is over. */
static void start_sample(struct exec *e, uint64_t now_ns)
{
    uint64_t at_ns = atomic_exchange(&e->sample_at_ns, 0);

    exec_cut(e, now_ns);
    if (at_ns == 0 || e->end != END_NONE || now_ns >= e->windows.sample_start_ns)
        return;
    if (at_ns <= now_ns)
        at_ns = windows_next_edge_ns(&e->windows, now_ns);
    windows_start_sample(&e->windows, at_ns);
    e->next_edge_ns = windows_next_edge_ns(&e->windows, now_ns);
    e->drain_end_ns = e->windows.sample_end_ns + e->plan->drain_ns;
    arm_control(e, CONTROL_EDGE, e->next_edge_ns);
}

static void tick_before_go(struct exec *e, int level)
{
    struct err err = {0};

    if (level > 0) {
        err_set(&err, ERR_INTERRUPTED, "interrupted before the run began");
        exec_fail_setup(e, &err);
    } else if (e->env->together && together_failed(e->env->together)) {
        err_set(&err, ERR_SURROUNDINGS, "another target could not begin");
        exec_fail_setup(e, &err);
    } else if (e->ready) {
        sessions_tell(e); /* main is to know that the loop lives */
    }
}

static void tick(struct exec *e, uint64_t now_ns)
{
    const int level = atomic_load(&e->leave) ? 2 : stop_level(e->env->stop);

    arm_control(e, CONTROL_TICK, now_ns + TICK_NS);
    sessions_tick(e, now_ns);
    if (!e->going) {
        tick_before_go(e, level);
        return;
    }
    look_at_server(e, now_ns);
    if (level > 0)
        end_early(e, END_INTERRUPT, now_ns);
    if (atomic_load(&e->sample_at_ns))
        start_sample(e, now_ns);
    exec_cut(e, now_ns);
    txn_tick(e, now_ns);
    if (level > 1)
        leave_at_once(e, now_ns);
    else if (!e->cut_ns && now_ns >= e->drain_end_ns)
        txn_cut_drain(e, now_ns);
    else if (e->cut_ns && now_ns >= e->cut_ns)
        txn_abandon_all(e, now_ns);
}

/* After the sample: no timer of a user that was due in it is left, and nothing is under way. */
static bool drained(const struct exec *e)
{
    if (txn_in_flight(e) > 0 || exec_now_ns(e) < e->windows.sample_end_ns)
        return false;
    return e->n_overdue == 0 && loop_next_timer_ns(e->loop) >= e->windows.sample_end_ns;
}

/* ---- events ---- */

static void slot_timer(struct exec *e, struct slot *s)
{
    switch (s->state) {
    case SLOT_EMPTY:
    case SLOT_OPENING:
    case SLOT_WARMING:
        sessions_step(e, s, exec_now_ns(e));
        return;
    case SLOT_BUSY:
    case SLOT_PAUSING:
    case SLOT_CANCELLING:
        txn_slot_ready(e, s);
        return;
    case SLOT_RESTING:
        sessions_free_push(e, s);
        return;
    case SLOT_FREE:
    case SLOT_LEAVING:
        return; /* an old one */
    }
    UNREACHABLE();
}

static void on_timer(uint32_t id, uint64_t due_ns, void *ctx)
{
    struct exec *e = ctx;
    const uint32_t users = plain_timers(e);
    const uint64_t now_ns = exec_now_ns(e);

    if (id < users) {
        txn_user_due(e, id, due_ns);
    } else if (id < users + e->n_slots) {
        slot_timer(e, &e->slot[id - users]);
    } else if (id == users + e->n_slots + CONTROL_TICK) {
        tick(e, now_ns);
    } else {
        exec_cut(e, now_ns);
        arm_control(e, CONTROL_EDGE, e->next_edge_ns);
    }
    txn_dispatch(e);
}

static void on_fd(uint32_t id, unsigned events, void *ctx)
{
    struct exec *e = ctx;
    struct slot *s = &e->slot[id];

    switch (s->state) {
    case SLOT_OPENING:
    case SLOT_WARMING:
        sessions_step(e, s, exec_now_ns(e));
        break;
    case SLOT_BUSY:
    case SLOT_CANCELLING:
        txn_slot_ready(e, s);
        break;
    case SLOT_FREE:
    case SLOT_PAUSING:
    case SLOT_RESTING:
        sessions_idle_event(e, s, events);
        break;
    case SLOT_EMPTY:
    case SLOT_LEAVING:
        break;
    }
    txn_dispatch(e);
}

bool exec_turn(struct exec *e)
{
    uint64_t go_ns = 0;

    if (e->ended)
        return false;
    loop_turn(e->loop, UINT64_MAX);
    if (e->end == END_SETUP || (e->going && drained(e)))
        finish(e);
    else if (!e->going)
        go_ns = go_time_ns(e);
    if (go_ns > 0)
        go(e, go_ns);
    return !e->ended;
}

static void *loop_thread(void *ctx)
{
    struct exec *e = ctx;

    /* As an ordinary user it goes without; lateness tells what came of it. Without pace nothing is
     * due at a time, and response is sessions / TPS, while taking the processor from the server for
     * every reply by itself cost a third of what the driver costs. */
    if (exec_paced(e))
        (void)thread_prefer();
    while (exec_turn(e))
        ;
    return NULL;
}

/* ---- life ---- */

static void make_deliveries(struct delivery_queue *q, const struct exec *e)
{
    const uint32_t by_users = e->users.n / DELIVERIES_USERS;

    q->cap = 1;
    if (e->plan->delivery_deferred)
        q->cap = by_users > DELIVERIES_LEAST ? by_users : DELIVERIES_LEAST;
    q->at = xcalloc(q->cap, sizeof(*q->at));
}

static void make_slots(struct exec *e)
{
    e->n_slots = e->plan->sessions;
    CHECK(e->n_slots > 0);
    e->slot = xcalloc(e->n_slots, sizeof(*e->slot));
    e->free_slots = xcalloc(e->n_slots, sizeof(*e->free_slots));
    for (uint32_t i = 0; i < e->n_slots; i++) {
        e->slot[i].fd = -1;
        txn_init(&e->slot[i].txn, e->env->statements);
    }
}

static void make_messages(struct exec *e)
{
    e->messages = bqueue_new(MESSAGES, sizeof(struct exec_msg));
    e->empty = bqueue_new(RECORDERS, sizeof(struct recorder *));
    e->rec = recorder_new();
    while (e->n_spare < RECORDERS - 1)
        e->spare[e->n_spare++] = recorder_new();
}

static void set_db(struct exec *e)
{
    e->db = e->env->db;
    e->db.clock = e->clock;
    if (!e->db.options)
        e->db.options = e->env->statements->options;
    e->db.prepare = e->env->statements->prepare; /* kept, as all of it */
    e->db.n_prepare = e->env->statements->n_prepare;
}

static void keep_env(struct exec *e, const struct run_env *env)
{
    struct exec_kept *k = &e->kept;

    *k = (struct exec_kept){.env = *env, .plan = *env->plan, .statements = *env->statements};
    k->env.plan = &k->plan;
    k->env.statements = &k->statements;
    together_keep(k->env.together);
    e->env = &k->env;
    e->plan = &k->plan;
}

struct exec *exec_new(const struct run_env *env, struct err *err)
{
    struct exec *e = xcalloc(1, sizeof(*e));
    struct loop_opts opts = {.clock = env->clock, .on_timer = on_timer, .on_fd = on_fd, .ctx = e};

    keep_env(e, env);
    e->clock = env->clock;
    e->next_edge_ns = UINT64_MAX;
    e->mono_base_ns = clock_now_ns(env->clock);
    e->real_base_us = clock_real_us(env->clock);
    users_init(&e->users, e->plan);
    make_slots(e);
    make_deliveries(&e->deliveries, e);
    make_messages(e);
    set_db(e);
    e->doubts = xcalloc(DOUBTS_MAX, sizeof(*e->doubts));
    opts.plain_timers = plain_timers(e);
    opts.movable_timers = e->n_slots + CONTROL_TIMERS;
    e->loop = loop_new(&opts, err);
    if (e->loop)
        e->canceller = canceller_new(e->n_slots, env->clock == clock_system(), err);
    if (!e->canceller) {
        exec_free(e);
        return NULL;
    }
    sessions_begin(e);
    arm_control(e, CONTROL_TICK, e->mono_base_ns + TICK_NS);
    return e;
}

int exec_start(struct exec *e, struct err *err)
{
    return thread_start(&e->thread, "loop", loop_thread, e, err);
}

bool exec_receive(struct exec *e, struct exec_msg *msg, uint64_t timeout_ns)
{
    return bqueue_pop(e->messages, msg, timeout_ns);
}

void exec_give_back(struct exec *e, struct recorder *rec)
{
    recorder_clear(rec);
    CHECK(bqueue_try_push(e->empty, &rec));
}

void exec_leave(struct exec *e)
{
    atomic_store(&e->leave, true);
}

void exec_sample_at(struct exec *e, uint64_t at_ns)
{
    atomic_store(&e->sample_at_ns, at_ns);
}

/* The canceller first: while it holds a session that one can't be closed. */
bool exec_stop(struct exec *e, uint64_t timeout_ns)
{
    if (!thread_join_timed(&e->thread, timeout_ns))
        return false;
    if (!canceller_free(e->canceller, timeout_ns)) {
        for (uint32_t i = 0; i < e->n_slots; i++)
            e->abandoned += atomic_load(&e->slot[i].cancels) > 0;
        e->canceller = NULL;
        return false;
    }
    e->canceller = NULL;
    sessions_close_all(e);
    return true;
}

const struct err *exec_setup_error(const struct exec *e)
{
    return &e->setup_err;
}

const struct errtable *exec_errors(const struct exec *e)
{
    return &e->errors;
}

const struct outages *exec_outages(const struct exec *e)
{
    return &e->outages;
}

uint32_t exec_abandoned(const struct exec *e)
{
    return e->abandoned;
}

uint64_t exec_slices_merged(const struct exec *e)
{
    return e->slices_merged;
}

void exec_take_doubts(struct exec *e, struct run_counts *counts)
{
    counts->doubts = e->doubts;
    counts->n_doubts = e->n_doubts;
    counts->doubts_lost = e->doubts_lost;
    e->doubts = NULL;
    e->n_doubts = 0;
}

/* Wherever they are: a slice that main did not take has one too. */
static void free_recorders(struct exec *e)
{
    struct exec_msg msg;
    struct recorder *r = NULL;

    while (e->messages && bqueue_pop(e->messages, &msg, 0))
        if (msg.kind == MSG_SLICE)
            recorder_free(msg.slice.rec);
    while (e->empty && bqueue_pop(e->empty, &r, 0))
        recorder_free(r);
    while (e->n_spare > 0)
        recorder_free(e->spare[--e->n_spare]);
    recorder_free(e->rec);
}

void exec_free(struct exec *e)
{
    if (!e)
        return;
    CHECK(canceller_free(e->canceller, UINT64_MAX));
    sessions_close_all(e);
    free_recorders(e);
    bqueue_free(e->empty);
    bqueue_free(e->messages);
    loop_free(e->loop);
    users_release(&e->users);
    free(e->deliveries.at);
    free(e->slot);
    free(e->free_slots);
    free(e->doubts);
    together_free(e->kept.env.together);
    free(e);
}
