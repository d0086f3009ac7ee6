/*
 * The thin callers of a backend's table, and the blocking pump on top of them that load, check,
 * job and cluster use. The pump knows no backend: it asks for the descriptor, waits with poll() for
 * what the last step wanted, and steps again. Any thread, one per session.
 */
#include "db/session.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/thread.h"
#include "base/units.h"
#include "base/xalloc.h"

#define CONNECT_NS (60 * NS_PER_S)
#define CANCEL_GRACE_NS (5 * NS_PER_S) /* for the cancellation to be sent, then for its effect */
#define STOP_LOOK_NS (100 * NS_PER_MS) /* how long a request to stop may go unseen */

/* Every backend's struct session begins with its table. */
static const struct db_ops *ops_of(const struct session *s)
{
    return *(const struct db_ops *const *)(const void *)s;
}

struct session *session_new(const struct db_ops *ops, const struct db_config *cfg, struct err *err)
{
    struct session *s = ops->create(cfg, err);

    CHECK(!s || ops_of(s) == ops);
    return s;
}

void session_free(struct session *s)
{
    if (s)
        ops_of(s)->close(s);
}

void session_leave(struct session *s)
{
    if (ops_of(s)->leave)
        ops_of(s)->leave(s);
}

unsigned session_open(struct session *s)
{
    return ops_of(s)->open(s);
}

unsigned session_submit(struct session *s, const struct batch *b)
{
    DCHECK(b->n > 0 && b->n <= BATCH_MAX);
    return ops_of(s)->submit(s, b);
}

unsigned session_advance(struct session *s, struct rows *replies)
{
    return ops_of(s)->advance(s, replies);
}

int session_wait_fd(const struct session *s)
{
    return ops_of(s)->wait_fd(s);
}

bool session_has_ready_at(const struct session *s)
{
    return ops_of(s)->ready_at_ns != NULL;
}

uint64_t session_ready_at_ns(const struct session *s)
{
    return ops_of(s)->ready_at_ns(s);
}

void session_cancel(struct session *s)
{
    ops_of(s)->cancel(s);
}

uint64_t session_thread_cpu_ns(const struct session *s)
{
    return ops_of(s)->thread_cpu_ns ? ops_of(s)->thread_cpu_ns(s) : 0;
}

const struct err *session_error(const struct session *s)
{
    return ops_of(s)->error(s);
}

bool session_alive(const struct session *s)
{
    return ops_of(s)->alive(s);
}

unsigned session_caps(const struct session *s)
{
    return ops_of(s)->caps;
}

const struct db_about *session_about(const struct session *s)
{
    return ops_of(s)->about ? ops_of(s)->about(s) : NULL;
}

const struct clock *db_clock(const struct db_config *cfg)
{
    return cfg->clock ? cfg->clock : clock_system();
}

const struct clock *session_clock(const struct session *s)
{
    return db_clock(ops_of(s)->config(s));
}

/* Waits until the descriptor is ready for what `step` wants, at most wait_ns. */
static void poll_step(const struct session *s, unsigned step, uint64_t wait_ns)
{
    struct pollfd p = {.fd = session_wait_fd(s)};
    const uint64_t whole_s = wait_ns / NS_PER_S;
    const struct timespec ts = {.tv_sec = (time_t)(whole_s < 3600 ? whole_s : 3600),
                                .tv_nsec = (long)(wait_ns % NS_PER_S)};

    if (step & DB_WANT_READ)
        p.events |= POLLIN;
    if (step & DB_WANT_WRITE)
        p.events |= POLLOUT;
    (void)ppoll(&p, 1, &ts, NULL); /* a signal or an error: the next step tells */
}

/* On a clock that is not the machine's: to when the backend has more, at most wait_ns on. */
static void sleep_step(const struct session *s, const struct clock *clk, uint64_t wait_ns)
{
    const uint64_t at_ns = session_ready_at_ns(s);
    const uint64_t most_ns = clock_now_ns(clk) + wait_ns;

    clock_sleep_until_ns(clk, at_ns < most_ns ? at_ns : most_ns);
}

static void wait_step(const struct session *s, unsigned step, uint64_t wait_ns)
{
    const struct clock *clk = session_clock(s);

    if (session_has_ready_at(s) && clk != clock_system())
        sleep_step(s, clk, wait_ns);
    else
        poll_step(s, step, wait_ns);
}

static int level_of(int stop_at)
{
    return stop_at > 0 ? stop_at : 1;
}

/* How long to wait at most, where a request to stop is to be seen in time. */
static uint64_t look_within(const struct stop *stop, uint64_t wait_ns)
{
    return stop && wait_ns > STOP_LOOK_NS ? STOP_LOOK_NS : wait_ns;
}

struct session *session_connect(const struct db_ops *ops, const struct db_config *cfg,
                                uint64_t within_ns, struct err *err)
{
    const struct clock *clk = db_clock(cfg);
    const uint64_t start_ns = clock_now_ns(clk);
    const uint64_t deadline_ns = start_ns + (within_ns ? within_ns : CONNECT_NS);
    struct session *s = session_new(ops, cfg, err);
    char text[32];

    if (!s)
        return NULL;
    for (;;) {
        const unsigned step = session_open(s);
        uint64_t now_ns;

        if (step & DB_READY)
            return s;
        if (step & DB_FAILED) {
            if (err)
                *err = *session_error(s);
            break;
        }
        now_ns = clock_now_ns(clk);
        if (stop_level(cfg->stop) >= level_of(cfg->stop_at)) {
            err_set(err, ERR_INTERRUPTED, "interrupted");
            break;
        }
        if (now_ns >= deadline_ns) {
            units_format_duration_short(now_ns - start_ns, text, sizeof(text));
            err_set(err, ERR_SURROUNDINGS, "no connection to the database within %s", text);
            break;
        }
        wait_step(s, step, look_within(cfg->stop, deadline_ns - now_ns));
    }
    session_free(s);
    return NULL;
}

/* What made the pump ask for the statement's end. */
enum pump_end { PUMP_GOES_ON, PUMP_STOPPED, PUMP_LATE };

struct pump {
    const struct exec_opts *opts;
    const struct clock *clk;
    uint64_t start_ns;
    uint64_t deadline_ns; /* 0: none */
    enum pump_end end;
    uint64_t cut_ns; /* when the connection is cut, once `end` is set */
    bool cut;
};

static bool stopped(const struct exec_opts *opts)
{
    return stop_level(opts->stop) >= level_of(opts->stop_at);
}

/* A cancellation on its way, of which the owner of the session may tire: then the thread does not
 * touch the session any more, or is inside the backend, which sees to itself (db_ops.cancel). */
struct cancel {
    struct session *session;
    atomic_bool taken; /* by the thread, or back by the owner, whoever is first */
    atomic_int users;  /* the last one frees */
};

static void cancel_leave(struct cancel *c)
{
    if (atomic_fetch_sub(&c->users, 1) == 1)
        free(c);
}

static void *cancel_main(void *ctx)
{
    struct cancel *c = ctx;

    if (!atomic_exchange(&c->taken, true))
        session_cancel(c->session);
    cancel_leave(c);
    return NULL;
}

/* On a thread of its own, since it blocks where the whole server hangs; then it is left behind.
 * False where it was not sent in time. */
static bool cancel_in_time(struct session *s)
{
    struct cancel *c = xcalloc(1, sizeof(*c));
    struct thread t = {0};
    struct err unseen = {0};
    bool ended = false;

    c->session = s;
    atomic_init(&c->users, 2);
    if (thread_start(&t, "cancel", cancel_main, c, &unseen) < 0) {
        free(c);
        return false;
    }
    ended = thread_join_timed(&t, CANCEL_GRACE_NS);
    if (!ended) {
        (void)atomic_exchange(&c->taken, true);
        CHECK(pthread_detach(t.id) == 0);
    }
    cancel_leave(c);
    return ended;
}

/* Looks at the deadline and at stop, cancels, cuts; returns how long to wait at most. */
static uint64_t pump_look(struct pump *p, struct session *s)
{
    const uint64_t now_ns = clock_now_ns(p->clk);

    if (p->end == PUMP_GOES_ON) {
        if (stopped(p->opts))
            p->end = PUMP_STOPPED;
        else if (p->deadline_ns && now_ns >= p->deadline_ns)
            p->end = PUMP_LATE;
        if (p->end == PUMP_GOES_ON) {
            uint64_t wait_ns = look_within(p->opts->stop, CONNECT_NS);

            if (p->deadline_ns && p->deadline_ns - now_ns < wait_ns)
                wait_ns = p->deadline_ns - now_ns;
            return wait_ns;
        }
        p->cut_ns = clock_now_ns(p->clk);
        if (cancel_in_time(s)) {
            p->cut_ns = clock_now_ns(p->clk) + CANCEL_GRACE_NS;
            return CANCEL_GRACE_NS;
        }
    }
    if (now_ns < p->cut_ns)
        return p->cut_ns - now_ns;
    if (!p->cut && ops_of(s)->cut)
        ops_of(s)->cut(s);
    else if (!p->cut)
        (void)shutdown(session_wait_fd(s), SHUT_RDWR);
    p->cut = true;
    return NS_PER_MS;
}

/* The session's error, or what we ourselves did to the statement. */
static int pump_failed(const struct pump *p, const struct session *s, struct err *err)
{
    const struct err *e = session_error(s);
    char text[32];

    if (err)
        *err = *e;
    switch (p->end) {
    case PUMP_GOES_ON:
        break;
    case PUMP_STOPPED:
        err_set(err, ERR_INTERRUPTED, "interrupted");
        break;
    case PUMP_LATE:
        units_format_duration_short(clock_now_ns(p->clk) - p->start_ns, text, sizeof(text));
        err_set(err, ERR_DB, "not done within %s, cancelled", text);
        if (err)
            memcpy(err->sqlstate, "57014", 6);
        break;
    }
    return -1;
}

static struct exec_opts opts_of(const struct session *s, const struct exec_opts *given)
{
    const struct db_config *cfg = ops_of(s)->config(s);
    struct exec_opts opts = given ? *given : (struct exec_opts){.stop = NULL};

    if (!opts.stop) {
        opts.stop = cfg->stop;
        opts.stop_at = cfg->stop_at;
    }
    return opts;
}

/* Pumps what the last step began to its end. */
static int pump(struct pump *p, struct session *s, unsigned step, struct rows *replies,
                struct err *err)
{
    struct rows unseen;

    p->clk = session_clock(s);
    p->start_ns = clock_now_ns(p->clk);
    p->deadline_ns = p->opts->within_ns ? p->start_ns + p->opts->within_ns : 0;
    while (!(step & (DB_READY | DB_FAILED))) {
        wait_step(s, step, pump_look(p, s));
        step = session_advance(s, replies ? replies : &unseen);
    }
    return step & DB_FAILED ? pump_failed(p, s, err) : 0;
}

int session_exec(struct session *s, const struct batch *b, struct rows *replies,
                 const struct exec_opts *opts, struct err *err)
{
    const struct exec_opts all = opts_of(s, opts);
    struct pump p = {.opts = &all};

    if (stopped(p.opts))
        return err_set(err, ERR_INTERRUPTED, "interrupted");
    return pump(&p, s, session_submit(s, b), replies, err);
}

int session_await(struct session *s, unsigned step, struct rows *replies, struct err *err)
{
    const struct exec_opts all = opts_of(s, NULL);
    struct pump p = {.opts = &all};

    return pump(&p, s, step, replies, err);
}

int session_exec_text(struct session *s, const char *sql, struct rows *replies,
                      const struct exec_opts *opts, struct err *err)
{
    const struct stmt stmt = {.text = sql, .id = UINT16_MAX};
    const struct batch b = {.n = 1, .part[0] = {.stmt = &stmt}};

    return session_exec(s, &b, replies, opts, err);
}
