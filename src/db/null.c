/*
 * A backend that answers after a time that its script says, from nothing. Each session belongs to
 * one thread, as with real ones; cancelling may come from another. A batch's fate is drawn when it
 * is submitted; when it ends is worked out anew at each look, so that a stall may begin while
 * batches are under way.
 */
#include "db/null.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/xalloc.h"

enum null_state {
    NULL_NEW,        /* created; open() starts connecting */
    NULL_CONNECTING, /* since since_ns; READY after connect_ns */
    NULL_IDLE,       /* connected; waits for submit() */
    NULL_BUSY,       /* a batch since since_ns; ends after its service time */
    NULL_DEAD,       /* refused or lost: only close() is left */
};

enum fate { FATE_GOOD, FATE_FAULT, FATE_COMMIT_FAILS, FATE_LOST };

struct session {
    const struct db_ops *ops; /* first, as in every backend */
    struct db_config cfg;
    const struct clock *clock;
    struct null_script *script;
    enum null_state state;
    enum fate fate;
    uint64_t since_ns;
    uint64_t service_ns;
    uint64_t connected_ns;
    atomic_bool cancelled;
    int timer_fd; /* -1 until wait_fd was asked for */
    int64_t bulk_rows;
    struct err err;
    struct null_answer answer;
};

void null_answer_part(struct null_answer *a, uint32_t n_rows, uint16_t n_columns)
{
    CHECK(a->rows.n < BATCH_MAX);
    a->rows.part[a->rows.n++] = (struct rows_part){
        .n_rows = n_rows,
        .n_columns = n_columns,
        .affected = -1,
        .cells = &a->cell[a->n_cells],
    };
}

void null_answer_text(struct null_answer *a, const char *text)
{
    const size_t len = text ? strlen(text) : 0;

    CHECK(a->n_cells < NULL_CELLS_MAX);
    CHECK(a->text_len + len < NULL_TEXT_MAX);
    if (text)
        memcpy(a->text + a->text_len, text, len + 1);
    a->cell[a->n_cells++] = (struct cell){
        .text = text ? a->text + a->text_len : NULL,
        .len = (uint32_t)len,
    };
    a->text_len += (uint32_t)len + 1;
}

/* By hand: this is on the path whose cost is measured. */
void null_answer_int(struct null_answer *a, int64_t value)
{
    char digits[24];
    char *p = digits + sizeof(digits) - 1;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    *p = '\0';
    do {
        *--p = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (value < 0)
        *--p = '-';
    null_answer_text(a, p);
}

static struct session *null_create(const struct db_config *cfg, struct err *err)
{
    struct session *s;

    if (!cfg->null_script) {
        err_set(err, ERR_USAGE, "the null backend needs a script");
        return NULL;
    }
    s = xcalloc(1, sizeof(*s));
    s->ops = &null_ops;
    s->cfg = *cfg;
    s->clock = db_clock(cfg);
    s->script = cfg->null_script;
    s->timer_fd = -1;
    return s;
}

static bool refused(const struct null_script *script, uint64_t now_ns)
{
    return script->gone_at_ns && now_ns >= script->gone_at_ns && now_ns < script->gone_until_ns;
}

/* The server went since we connected. */
static bool gone(const struct session *s, uint64_t now_ns)
{
    const uint64_t at_ns = s->script->gone_at_ns;

    return at_ns && s->connected_ns < at_ns && now_ns >= at_ns;
}

static unsigned lose(struct session *s, const char *text)
{
    s->state = NULL_DEAD;
    err_set(&s->err, ERR_SURROUNDINGS, "%s", text);
    return DB_FAILED;
}

static unsigned fail(struct session *s, const char *sqlstate, const char *text)
{
    s->state = NULL_IDLE;
    err_set(&s->err, ERR_DB, "%s", text);
    memcpy(s->err.sqlstate, sqlstate, sizeof(s->err.sqlstate));
    return DB_FAILED;
}

/* When what is under way ends. */
static uint64_t end_ns(const struct session *s)
{
    const struct null_script *script = s->script;
    const uint64_t stall_end_ns = script->stall_at_ns + script->stall_ns;
    uint64_t end = s->since_ns + s->service_ns;

    if (s->state == NULL_CONNECTING)
        return s->since_ns + script->connect_ns;
    if (s->state != NULL_BUSY || atomic_load(&s->cancelled))
        return s->since_ns;
    if (script->stall_at_ns && s->since_ns < stall_end_ns && end >= script->stall_at_ns &&
        end < stall_end_ns)
        end = stall_end_ns;
    if (end > script->gone_at_ns && gone(s, end))
        end = script->gone_at_ns;
    return end;
}

static uint64_t null_ready_at_ns(const struct session *s)
{
    return end_ns(s);
}

/* Sets the descriptor's timer, where there is one, to the end of what is under way. */
static unsigned wait_for_end(struct session *s)
{
    const uint64_t end = end_ns(s);
    const struct itimerspec at = {
        .it_value = {.tv_sec = (time_t)(end / NS_PER_S), .tv_nsec = (long)(end % NS_PER_S) + 1}};

    if (s->timer_fd >= 0)
        CHECK(timerfd_settime(s->timer_fd, TFD_TIMER_ABSTIME, &at, NULL) == 0);
    return DB_WANT_READ;
}

static unsigned null_open(struct session *s)
{
    const uint64_t now_ns = clock_now_ns(s->clock);

    if (s->state == NULL_NEW) {
        const uint64_t n = atomic_fetch_add(&s->script->connections, 1) + 1;

        if (s->script->refuse_connect && n >= s->script->refuse_connect)
            return lose(s, "connection refused");
        s->state = NULL_CONNECTING;
        s->since_ns = now_ns;
    }
    if (s->state == NULL_DEAD || refused(s->script, now_ns))
        return lose(s, "connection refused");
    if (s->state == NULL_CONNECTING && now_ns < end_ns(s))
        return wait_for_end(s);
    s->state = NULL_IDLE;
    s->connected_ns = now_ns;
    return DB_READY;
}

static bool nth(uint64_t n, uint32_t every)
{
    return every > 0 && n % every == 0;
}

static enum fate fate_of(struct null_script *script, uint64_t n, bool commits)
{
    const uint64_t n_commits = commits ? atomic_fetch_add(&script->commits, 1) + 1 : 0;

    if (script->calm)
        return FATE_GOOD;
    if (nth(n, script->lose_every))
        return FATE_LOST;
    if (nth(n, script->fault_every))
        return FATE_FAULT;
    if (commits && nth(n_commits, script->fail_commit_every))
        return FATE_COMMIT_FAILS;
    return FATE_GOOD;
}

static void answer(struct session *s, const struct batch *b)
{
    s->answer.rows.n = 0;
    s->answer.n_cells = 0;
    s->answer.text_len = 0;
    if (s->script->answer) {
        s->script->answer(b, &s->answer, s->script->ctx);
        return;
    }
    for (uint8_t i = 0; i < b->n; i++)
        null_answer_part(&s->answer, 0, 0);
}

static unsigned null_submit(struct session *s, const struct batch *b)
{
    struct null_script *script = s->script;
    uint64_t n = 0;

    CHECK(s->state == NULL_IDLE || s->state == NULL_DEAD);
    if (s->state == NULL_DEAD)
        return DB_FAILED;
    n = atomic_fetch_add(&script->batches, 1) + 1;
    s->since_ns = clock_now_ns(s->clock);
    s->fate = fate_of(script, n, b->commits);
    if (gone(s, s->since_ns) || (s->fate == FATE_LOST && script->lose_before_send))
        return lose(s, "connection lost before the batch was sent");
    s->service_ns = script->service_of ? script->service_of(n, script->ctx) : script->service_ns;
    atomic_store(&s->cancelled, false);
    answer(s, b);
    s->state = NULL_BUSY;
    return wait_for_end(s);
}

static unsigned null_advance(struct session *s, struct rows *replies)
{
    const uint64_t now_ns = clock_now_ns(s->clock);

    CHECK(s->state == NULL_BUSY);
    if (now_ns < end_ns(s))
        return wait_for_end(s);
    if (atomic_load(&s->cancelled))
        return fail(s, s->script->cancel_sqlstate[0] ? s->script->cancel_sqlstate : "57014",
                    "canceling statement due to user request");
    if (s->fate == FATE_LOST || gone(s, now_ns))
        return lose(s, "connection lost after the batch was sent");
    if (s->fate == FATE_FAULT)
        return fail(s, s->script->fault_sqlstate, "a fault of the script");
    if (s->fate == FATE_COMMIT_FAILS)
        return fail(s, "53100", "commit failed");
    s->state = NULL_IDLE;
    *replies = s->answer.rows;
    return DB_READY;
}

/* Made when first asked for. A session handed in as const is still the owner's own. */
static int null_wait_fd(const struct session *const_s)
{
    struct session *s = (struct session *)(uintptr_t)const_s;

    if (s->timer_fd < 0) {
        CHECK(s->clock == clock_system());
        s->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
        CHECK(s->timer_fd >= 0);
        (void)wait_for_end(s);
    }
    return s->timer_fd;
}

static void null_cancel(struct session *s)
{
    atomic_fetch_add(&s->script->cancels, 1);
    if (s->script->cancel_ns > 0)
        clock_sleep_until_ns(s->clock, clock_now_ns(s->clock) + s->script->cancel_ns);
    if (!s->script->ignore_cancel)
        atomic_store(&s->cancelled, true);
}

static int null_bulk_begin(struct session *s, const struct table *t, const struct bulk_opts *opts,
                           struct err *err)
{
    (void)t;
    (void)opts;
    if (s->state != NULL_IDLE)
        return err_set(err, ERR_SURROUNDINGS, "connection lost");
    s->bulk_rows = 0;
    return 0;
}

static int null_bulk_put(struct session *s, const struct value *row, struct err *err)
{
    (void)row;
    (void)err;
    s->bulk_rows++;
    return 0;
}

static int null_bulk_end(struct session *s, int64_t *rows, struct err *err)
{
    (void)err;
    atomic_fetch_add(&s->script->bulk_rows, (uint64_t)s->bulk_rows);
    *rows = s->bulk_rows;
    return 0;
}

static const struct err *null_error(const struct session *s)
{
    return &s->err;
}

static bool null_alive(const struct session *s)
{
    return s->state != NULL_DEAD;
}

static const struct db_config *null_config(const struct session *s)
{
    return &s->cfg;
}

static void null_close(struct session *s)
{
    if (s->timer_fd >= 0)
        (void)close(s->timer_fd);
    free(s);
}

const struct db_ops null_ops = {
    .name = "null",
    .caps = DB_CAP_ASYNC | DB_CAP_PIPELINE | DB_CAP_COPY,
    .create = null_create,
    .open = null_open,
    .submit = null_submit,
    .advance = null_advance,
    .wait_fd = null_wait_fd,
    .ready_at_ns = null_ready_at_ns,
    .cancel = null_cancel,
    .bulk_begin = null_bulk_begin,
    .bulk_put = null_bulk_put,
    .bulk_end = null_bulk_end,
    .error = null_error,
    .alive = null_alive,
    .config = null_config,
    .close = null_close,
};
