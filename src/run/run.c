/*
 * A run from main's side: starts the loop and the device sampler, takes what they hand over, makes
 * the result of it, tells the callbacks, and ends. Every wait has a bound. The order of things is
 * in exec_async.c; what becomes of a slice in tally.c.
 */
#include "run/run.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/thread.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "result/steadiness.h"
#include "run/devices.h"
#include "run/exec_async.h"
#include "run/server_watch.h"
#include "run/tally.h"
#include "run/watchdog.h"

#define LOOK_NS NS_PER_S             /* how often main looks up while nothing comes */
#define HANGS_NS (180 * NS_PER_S)    /* of silence beyond an interval: the loop is left behind */
#define OPENING_NS (60 * NS_PER_S)   /* as above before GO; the loop gives a session 30 s */
#define STOP_NS (10 * NS_PER_S)      /* for threads to end */
#define SETTLE 2                     /* intervals from what is seen to what follows of it */
#define CALLBACK_NS (300 * NS_PER_S) /* for before_sample to end */

struct run {
    const struct run_env *env;
    struct result *result;
    struct exec *exec;
    bool threaded;
    struct devices *devices;
    struct server_watch *watch;
    struct tally tally;
    struct watchdog watchdog;
    struct windows windows;
    bool going;
    uint32_t opened; /* sessions, before GO */
    enum exec_end end;
    bool hangs;             /* the loop was left behind */
    uint64_t heard_ns;      /* when the loop last said something */
    uint64_t suspended_ns;  /* that the machine had been at GO */
    struct thread callback; /* before_sample */
    bool callback_done;
    bool settled; /* the sample was made to begin before its bound */
};

static void *call_before_sample(void *ctx)
{
    const struct run_env *env = ctx;

    env->before_sample(env->ctx);
    return NULL;
}

/* On a thread of its own: a checkpoint may take longer than the loop can go without main. */
static void sample_begins(struct run *r)
{
    struct err err = {0};
    /* The thread needs the environment only to read it. */
    void *ctx = (void *)(uintptr_t)r->env;

    if (!r->env->before_sample || r->callback_done)
        return;
    r->callback_done = true;
    if (!r->threaded)
        r->env->before_sample(r->env->ctx);
    else if (thread_start(&r->callback, "before-sample", call_before_sample, ctx, &err) < 0)
        log_line(r->env->log, LOG_WARN, "%s", err.text);
}

static bool has_sample(const struct windows *w)
{
    return w->sample_start_ns < w->sample_end_ns;
}

/* ---- messages ---- */

static int on_go(struct run *r, const struct exec_msg *msg, struct err *err)
{
    struct err device_err = {0};

    r->going = true;
    r->suspended_ns = clock_suspended_ns(r->env->clock);
    r->windows = msg->windows;
    if (r->env->on_go)
        r->env->on_go(r->windows.go_ns, r->env->ctx);
    tally_go(&r->tally, &r->windows);
    r->devices = devices_start(r->env, &r->windows, r->result, &device_err);
    if (device_err.kind != ERR_NONE) {
        if (err)
            *err = device_err;
        return -1;
    }
    server_watch_start(r->watch, &r->windows, r->result);
    log_line(r->env->log, LOG_INFO, "%u sessions are open and warm; the run begins",
             (unsigned)msg->total);
    if (r->windows.sample_start_ns == r->windows.go_ns)
        sample_begins(r);
    return 0;
}

static enum run_state state_at(const struct windows *w, uint64_t at_ns)
{
    static const enum run_state states[PHASES] = {
        [PHASE_RAMP] = RUN_RAMP,
        [PHASE_PRECONDITION] = RUN_PRECONDITION,
        [PHASE_SAMPLE] = RUN_SAMPLE,
        [PHASE_DRAIN] = RUN_DRAIN,
    };

    return states[windows_phase(w, at_ns)];
}

static uint64_t left_ns(uint64_t until_ns, uint64_t now_ns)
{
    return until_ns > now_ns ? until_ns - now_ns : 0;
}

static void tell_interval(struct run *r, const struct series_row *row, const struct slice *s)
{
    const struct windows *w = &r->windows;
    struct run_interval iv = {
        .state = s->last ? RUN_ENDED : state_at(w, s->end_ns),
        .run_left_ns = left_ns(w->sample_end_ns, s->end_ns),
        .row = row,
        .result = r->result,
    };

    if (!r->env->on_interval)
        return;
    if (iv.state == RUN_RAMP)
        iv.state_left_ns = left_ns(w->ramp_end_ns, s->end_ns);
    else if (iv.state == RUN_PRECONDITION)
        iv.state_left_ns = left_ns(w->sample_start_ns, s->end_ns);
    else if (iv.state == RUN_SAMPLE)
        iv.state_left_ns = iv.run_left_ns;
    else if (iv.state == RUN_DRAIN)
        iv.state_left_ns = left_ns(w->sample_end_ns + r->env->plan->drain_ns, s->end_ns);
    r->env->on_interval(&iv, r->env->ctx);
}

/* With --until-steady, at the end of each round of the precondition: where the last rounds were
 * steady, the sample begins SETTLE intervals later, so that there is time to tell the loop. The
 * rounds lie that much before the grid of checkpoints, the sample's start on it. */
static void look_whether_steady(struct run *r, uint64_t end_ns)
{
    const struct plan *plan = r->env->plan;
    const uint64_t settle_ns = SETTLE * plan->interval_ns;
    const uint64_t ahead_ns = left_ns(r->windows.sample_start_ns, end_ns + settle_ns);
    struct result_steadiness now;

    if (!plan->until_steady || r->settled || ahead_ns == 0 || ahead_ns % plan->round_ns != 0)
        return;
    now = (struct result_steadiness){.steady = -1};
    steadiness_at(r->result, (double)(end_ns - r->windows.go_ns) / NS_PER_S, &now);
    if (now.steady != 1)
        return;
    r->settled = true;
    exec_sample_at(r->exec, end_ns + settle_ns);
    log_line(r->env->log, LOG_INFO, "the last %d rounds were steady: the sample begins",
             STEADY_WINDOW);
}

static const char *precondition_end(const struct run *r)
{
    if (r->settled)
        return "steady";
    return has_sample(&r->windows) ? "bound" : "cut";
}

static void on_slice(struct run *r, const struct exec_msg *msg)
{
    const struct slice *s = &msg->slice;
    const struct series_row *row = NULL;
    struct watchers watchers = {r->devices, r->watch, RESULT_NONE};

    r->windows = msg->windows;
    if (r->env->temperature_c)
        watchers.temperature_c = r->env->temperature_c(r->env->ctx);
    row = tally_slice(&r->tally, s, &r->windows, &watchers);
    exec_give_back(r->exec, s->rec);
    (void)watchdog_look(&r->watchdog, s, tally_ended(&r->tally));
    if (s->end_ns == r->windows.sample_start_ns && has_sample(&r->windows))
        sample_begins(r);
    if (row && state_at(&r->windows, s->end_ns) == RUN_PRECONDITION)
        look_whether_steady(r, s->end_ns);
    if (row)
        tell_interval(r, row, s);
}

/* -1: the run can't begin. */
static int on_message(struct run *r, const struct exec_msg *msg, struct err *err)
{
    switch (msg->kind) {
    case MSG_CONNECTING:
        r->opened = msg->done;
        if (r->env->on_connecting)
            r->env->on_connecting(msg->done, msg->total, r->env->ctx);
        return 0;
    case MSG_GO:
        return on_go(r, msg, err);
    case MSG_SLICE:
        on_slice(r, msg);
        return 0;
    case MSG_END:
        r->windows = msg->windows;
        r->end = msg->end;
        return 0;
    }
    UNREACHABLE();
}

/* The next message, where one comes in time; without a thread the loop is turned once for it. */
static bool next_message(struct run *r, struct exec_msg *msg)
{
    if (r->threaded)
        return exec_receive(r->exec, msg, LOOK_NS);
    if (exec_receive(r->exec, msg, 0))
        return true;
    (void)exec_turn(r->exec);
    return exec_receive(r->exec, msg, 0);
}

/* Before GO it is the server that lets us wait, as long as the loop's own bound on a session. */
static void on_silence(struct run *r, uint64_t silent_ns, uint64_t now_ns)
{
    const uint64_t interval_ns = r->env->plan->interval_ns;

    if (!r->going) {
        (void)watchdog_opening(&r->watchdog, r->opened, silent_ns, now_ns);
        r->hangs = silent_ns > OPENING_NS;
    } else if (silent_ns > interval_ns) {
        (void)watchdog_silence(&r->watchdog, silent_ns - interval_ns, now_ns);
        r->hangs = silent_ns > HANGS_NS + interval_ns;
    }
}

/* Takes messages until END, or until the loop is to be left behind. -1: could not begin. */
static int listen_to_loop(struct run *r, struct err *err)
{
    struct exec_msg msg;

    r->heard_ns = clock_now_ns(r->env->clock);
    while (r->end == END_NONE && !r->hangs) {
        const bool got = next_message(r, &msg);
        const uint64_t now_ns = clock_now_ns(r->env->clock);

        if (!got) {
            on_silence(r, now_ns - r->heard_ns, now_ns);
            continue;
        }
        r->heard_ns = now_ns;
        if (on_message(r, &msg, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- the end ---- */

static const char *end_text(const struct run *r)
{
    if (r->hangs)
        return "the event loop hung";
    switch (r->end) {
    case END_NONE:
    case END_SETUP:
    case END_PLAN:
        return "plan";
    case END_INTERRUPT:
        return "interrupt";
    case END_SERVER_GONE:
        return "server gone";
    }
    UNREACHABLE();
}

/* Reads of the loop what it kept; it has ended. */
static void take_from_loop(struct run *r, struct run_counts *counts)
{
    const uint64_t merged = exec_slices_merged(r->exec);

    errtable_report(exec_errors(r->exec), r->windows.go_ns, r->result);
    outages_report(exec_outages(r->exec), r->windows.go_ns, r->result);
    exec_take_doubts(r->exec, counts);
    r->result->run.abandoned_sessions = exec_abandoned(r->exec);
    if (merged > 0)
        log_line(r->env->log, LOG_WARN,
                 "%llu edges of intervals were missed: this process was held up while writing",
                 (unsigned long long)merged);
}

/* The earlier reading may be some ns too great. */
static double suspended_s(const struct run *r)
{
    const uint64_t now_ns = clock_suspended_ns(r->env->clock);

    return now_ns > r->suspended_ns ? (double)(now_ns - r->suspended_ns) / (double)NS_PER_S : 0;
}

static void fill_result(struct run *r, struct run_counts *counts)
{
    struct result_run *run = &r->result->run;

    tally_finish(&r->tally, &r->windows);
    devices_finish(r->devices, r->result);
    r->devices = NULL;
    server_watch_finish(r->watch, &r->windows, r->result);
    r->watch = NULL;
    counts->new_orders_committed = r->tally.run.orders_committed;
    counts->payments_committed = r->tally.run.payments_committed;
    if (r->env->plan->until_steady) {
        free(r->result->steadiness.precondition_end);
        r->result->steadiness.precondition_end = xstrdup(precondition_end(r));
    }
    run->suspended_s = suspended_s(r);
    run->interrupted = r->end == END_INTERRUPT;
    free(run->ended_by);
    run->ended_by = xstrdup(end_text(r));
    if (r->hangs)
        run->abandoned_sessions = r->env->plan->sessions;
}

static void join_callback(struct run *r)
{
    if (!thread_join_timed(&r->callback, CALLBACK_NS))
        log_line(r->env->log, LOG_WARN, "what was begun with the sample has not ended in 5 min");
}

int run_execute(const struct run_env *env, struct result *result, struct run_counts *counts,
                struct err *err)
{
    struct run r = {.env = env, .result = result, .threaded = env->clock == clock_system()};
    bool stopped = true;
    int rc = -1;

    *counts = (struct run_counts){0};
    if (devices_check(env, err) < 0)
        return -1;
    r.exec = exec_new(env, err);
    if (!r.exec)
        return -1;
    r.watch = server_watch_new(env);
    tally_init(&r.tally, env->plan, result);
    watchdog_init(&r.watchdog, env->log, clock_now_ns(env->clock));
    if (r.threaded && exec_start(r.exec, err) < 0)
        goto out;
    rc = listen_to_loop(&r, err);
    if (rc < 0 || r.hangs)
        exec_leave(r.exec); /* should it come back, it must not go on */
    stopped = !r.hangs && exec_stop(r.exec, STOP_NS);
    if (rc == 0 && !r.hangs && r.end == END_SETUP) {
        if (err)
            *err = *exec_setup_error(r.exec);
        rc = -1;
    } else if (rc == 0 && !r.going) {
        rc = err_set(err, ERR_SURROUNDINGS, "the sessions could not be opened: a driver hangs");
    } else if (rc == 0) {
        if (!r.hangs)
            take_from_loop(&r, counts);
        fill_result(&r, counts);
    }
out:
    join_callback(&r);
    devices_finish(r.devices, result);
    server_watch_finish(r.watch, &r.windows, result);
    tally_release(&r.tally);
    if (stopped)
        exec_free(r.exec); /* else a thread may still use it */
    return rc;
}
