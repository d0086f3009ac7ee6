/*
 * Runs the check: workers with a session each take ranges from one list, in order, and put what
 * they found into the place that belongs to the range; the main thread waits for them, tells how
 * far it is, and joins the findings at the end in the order of warehouses.
 *
 * The list's position and the first error are guarded by `lock`. A finding is written by the worker
 * that took its range and read after all workers have ended. A user's stop reaches a running
 * statement through session_exec(); another worker's error through `halt`.
 */
#include "check/check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/bqueue.h"
#include "base/thread.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "check/ranges.h"

enum { SESSIONS_MOST = 64 };

static const uint64_t look_ns = 200 * NS_PER_MS;

/* What one statement answered. */
struct found {
    uint64_t offending;
    char *rows[CHECK_ROWS_KEPT];
    double seconds;
};

struct checker {
    const struct check_env *env;
    struct check_ranges ranges;
    const struct stmt *stmt[CONDITIONS];
    const struct stmt *prepare; /* settings of a session of a check */
    struct found *found;        /* one a range */
    struct bqueue *ended;       /* size_t: a range was done; SIZE_MAX: a worker has ended */
    struct stop halt;           /* for the statements under way */
    pthread_mutex_t lock;
    size_t next;    /* guarded by lock */
    struct err err; /* guarded by lock: the first error */
};

static void keep_error(struct checker *c, const struct err *err)
{
    (void)pthread_mutex_lock(&c->lock);
    if (c->err.kind == ERR_NONE)
        c->err = *err;
    (void)pthread_mutex_unlock(&c->lock);
    stop_ask(&c->halt);
}

/* False where there is none left. */
static bool take_range(struct checker *c, size_t *at)
{
    bool got = false;

    (void)pthread_mutex_lock(&c->lock);
    if (c->next < c->ranges.at.n && stop_level(&c->halt) == 0) {
        *at = c->next++;
        got = true;
    }
    (void)pthread_mutex_unlock(&c->lock);
    return got;
}

/* (number of all, text) a row. */
static int read_found(const struct rows *replies, struct found *f, struct err *err)
{
    const struct rows_part *part = &replies->part[0];
    int64_t n = 0;

    if (part->n_rows == 0)
        return 0;
    if (part->n_columns != 2)
        return err_set(err, ERR_SURROUNDINGS, "%d columns instead of 2", part->n_columns);
    if (cell_i64(rows_cell(part, 0, 0), &n, err) < 0)
        return -1;
    if (n < part->n_rows)
        return err_set(err, ERR_SURROUNDINGS, "a number of offending rows that can't be");
    f->offending = (uint64_t)n;
    for (uint32_t i = 0; i < part->n_rows && i < CHECK_ROWS_KEPT; i++)
        f->rows[i] = cell_dup(rows_cell(part, i, 1));
    return 0;
}

static int run_range(struct checker *c, struct session *s, size_t at, struct err *err)
{
    const struct check_range *r = &c->ranges.at.at[at];
    const int32_t warehouses = c->env->warehouses;
    /* Also what lies outside of all ranges, where nothing may be. */
    const struct value args[] = {value_int(VALUE_I32, r->from == 1 ? INT32_MIN : r->from),
                                 value_int(VALUE_I32, r->to == warehouses ? INT32_MAX : r->to),
                                 value_int(VALUE_I32, warehouses)};
    const struct batch batch = {
        .n = 1, .part = {{.stmt = c->stmt[r->condition->number - 1], .args = args}}};
    const uint64_t start_ns = clock_now_ns(c->env->clock);
    const struct exec_opts opts = {
        .stop = &c->halt,
        .within_ns = CHECK_ASK_NS,
    };
    struct rows replies = {0};

    if (session_exec(s, &batch, &replies, &opts, err) < 0 ||
        read_found(&replies, &c->found[at], err) < 0)
        return err_wrap(err, "condition %d, warehouses %d to %d", r->condition->number, r->from,
                        r->to);
    c->found[at].seconds = (double)(clock_now_ns(c->env->clock) - start_ns) / 1e9;
    return 0;
}

static int run_ranges(struct checker *c, struct session *s, struct err *err)
{
    const struct batch prepare = {.n = 1, .part = {{.stmt = c->prepare}}};
    size_t at = 0;

    if (session_exec(s, &prepare, NULL, NULL, err) < 0)
        return err_wrap(err, "settings of a check");
    while (take_range(c, &at)) {
        if (run_range(c, s, at, err) < 0)
            return -1;
        CHECK(bqueue_push(c->ended, &at));
    }
    return 0;
}

static void *worker(void *ctx)
{
    struct checker *c = ctx;
    const size_t end = SIZE_MAX;
    struct err err = {0};
    struct session *s = session_connect(c->env->ops, &c->env->db, 0, &err);

    if (!s || run_ranges(c, s, &err) < 0)
        keep_error(c, &err);
    session_free(s);
    CHECK(bqueue_push(c->ended, &end));
    return NULL;
}

/* Waits for `workers` of them, passes the user's stop on and tells how far it is. */
static void watch(struct checker *c, uint32_t workers, uint64_t start_ns)
{
    struct progress p = {.step = "check", .unit = "parts", .total = c->ranges.cost};
    size_t at = 0;

    while (workers > 0) {
        if (stop_level(c->env->stop) > stop_level(&c->halt))
            stop_ask(&c->halt);
        if (bqueue_pop(c->ended, &at, look_ns)) {
            if (at == SIZE_MAX)
                workers--;
            else
                p.done += c->ranges.at.at[at].cost;
        }
        p.elapsed_ns = clock_now_ns(c->env->clock) - start_ns;
        if (c->env->on_progress)
            c->env->on_progress(&p, c->env->ctx);
    }
}

/* The list is the dearest first, but of one condition in the order of warehouses. */
static void join_findings(struct checker *c, struct check_report *report)
{
    size_t kept[CONDITIONS] = {0};

    report->all_hold = true;
    for (size_t i = 0; i < c->ranges.at.n; i++) {
        const int index = c->ranges.at.at[i].condition->number - 1;
        struct check_finding *to = &report->finding[index];
        struct found *from = &c->found[i];

        to->run = true;
        to->offending += from->offending;
        to->seconds += from->seconds;
        for (size_t row = 0; row < CHECK_ROWS_KEPT && kept[index] < CHECK_ROWS_KEPT; row++) {
            if (!from->rows[row])
                break;
            to->rows[kept[index]++] = from->rows[row];
            from->rows[row] = NULL;
        }
    }
    for (int i = 0; i < CONDITIONS; i++) {
        struct check_finding *f = &report->finding[i];

        f->holds = f->run && f->offending == 0;
        report->all_hold = report->all_hold && (!f->run || f->holds);
    }
}

static int find_statements(struct checker *c, struct err *err)
{
    c->prepare = dialect_need(c->env->dialect, "check_session", err);
    if (!c->prepare)
        return -1;
    for (int i = 0; i < CONDITIONS; i++) {
        const struct condition *it = &conditions()[i];

        c->stmt[i] = dialect_need(c->env->dialect, it->statement, err);
        if (!c->stmt[i])
            return -1;
        if (c->stmt[i]->n_params != it->n_params)
            return err_set(err, ERR_USAGE, "%s/%s: has %d parameters instead of %d",
                           dialect_dir(c->env->dialect), it->statement, c->stmt[i]->n_params,
                           it->n_params);
    }
    return 0;
}

/* Starts them, waits for them, and gives the first error. */
static int run_workers(struct checker *c, uint32_t n, uint64_t start_ns, struct err *err)
{
    struct thread *threads = xcalloc(n, sizeof(threads[0]));
    struct err start_err = {0};
    uint32_t started = 0;

    while (started < n && start_err.kind == ERR_NONE) {
        if (thread_start(&threads[started], "check", worker, c, &start_err) < 0)
            keep_error(c, &start_err);
        else
            started++;
    }
    watch(c, started, start_ns);
    for (uint32_t i = 0; i < started; i++)
        thread_join(&threads[i]);
    free(threads);
    if (c->err.kind == ERR_NONE && c->next == c->ranges.at.n)
        return 0;
    if (stop_level(c->env->stop) > 0)
        return err_set(err, ERR_INTERRUPTED, "the check was interrupted");
    CHECK(c->err.kind != ERR_NONE);
    if (err)
        *err = c->err;
    return -1;
}

int check_run(const struct check_env *env, struct check_report *report, struct err *err)
{
    struct checker c = {.env = env, .lock = PTHREAD_MUTEX_INITIALIZER};
    uint32_t sessions = env->sessions < SESSIONS_MOST ? env->sessions : SESSIONS_MOST;
    const uint64_t start_ns = clock_now_ns(env->clock);
    int rc = -1;

    CHECK(sessions > 0);
    *report = (struct check_report){0};
    for (int i = 0; i < CONDITIONS; i++)
        report->finding[i].number = conditions()[i].number;
    check_ranges_make(&c.ranges, env->warehouses, sessions, env->quick);
    if (sessions > c.ranges.at.n)
        sessions = (uint32_t)c.ranges.at.n;
    c.found = xcalloc(c.ranges.at.n, sizeof(c.found[0]));
    c.ended = bqueue_new(c.ranges.at.n + sessions, sizeof(size_t));
    if (find_statements(&c, err) < 0)
        goto out;
    rc = run_workers(&c, sessions, start_ns, err);
    if (rc == 0)
        join_findings(&c, report);
    report->seconds = (double)(clock_now_ns(env->clock) - start_ns) / 1e9;
out:
    for (size_t i = 0; i < c.ranges.at.n; i++)
        for (size_t row = 0; row < CHECK_ROWS_KEPT; row++)
            free(c.found[i].rows[row]);
    bqueue_free(c.ended);
    free(c.found);
    check_ranges_release(&c.ranges);
    (void)pthread_mutex_destroy(&c.lock);
    return rc;
}

void check_report_release(struct check_report *report)
{
    for (int i = 0; i < CONDITIONS; i++)
        for (size_t row = 0; row < CHECK_ROWS_KEPT; row++)
            free(report->finding[i].rows[row]);
    *report = (struct check_report){0};
}

static int read_number(struct session *s, const struct stmt *stmt, const struct exec_opts *how,
                       int64_t *out, struct err *err)
{
    const struct exec_opts opts = {
        .stop = how->stop,
        .stop_at = how->stop_at,
        .within_ns = CHECK_ASK_NS,
    };
    const struct batch batch = {.n = 1, .part = {{.stmt = stmt}}};
    struct rows replies = {0};

    if (session_exec(s, &batch, &replies, &opts, err) < 0)
        return -1;
    if (replies.part[0].n_rows != 1 || replies.part[0].n_columns != 1)
        return err_set(err, ERR_SURROUNDINGS, "%s: not one number", stmt->name);
    return cell_i64(rows_cell(&replies.part[0], 0, 0), out, err);
}

int check_totals_read(struct session *s, const struct dialect *d, const struct exec_opts *how,
                      struct check_totals *t, struct err *err)
{
    const struct stmt *orders = dialect_need(d, "check_next_o_id_sum", err);
    const struct stmt *rows = orders ? dialect_need(d, "check_history_rows", err) : NULL;

    if (!rows || read_number(s, orders, how, &t->next_o_id_sum, err) < 0)
        return -1;
    return read_number(s, rows, how, &t->history_rows, err);
}
