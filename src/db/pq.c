/*
 * PostgreSQL through libpq, asynchronous: connecting, preparing (one pipeline for all statements)
 * and running batches (pq_batch.c) never block; the owner waits for what a step answers (see
 * db/session.h). One thread owns a session; only cancel may come from another, and only it touches
 * the canceller. Deadlines are the owner's.
 */
#include "db/pq.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* ---- errors ---- */

/* libpq's texts have lines: "\n\t" goes on with a sentence, "\n" begins another. */
static void one_line(const char *text, char *out, size_t size)
{
    size_t n = 0;

    while (*text && n + 3 < size) {
        if (*text != '\n') {
            out[n++] = *text == '\t' ? ' ' : *text;
            text++;
            continue;
        }
        while (*text == '\n')
            text++;
        if (*text == '\t')
            text++;
        else if (*text)
            out[n++] = ';';
        if (*text)
            out[n++] = ' ';
    }
    out[n] = '\0';
}

/* Primary message, and the detail where there is one. */
static void result_text(const PGresult *res, char *out, size_t size)
{
    const char *primary = PQresultErrorField(res, PG_DIAG_MESSAGE_PRIMARY);
    const char *detail = PQresultErrorField(res, PG_DIAG_MESSAGE_DETAIL);
    char *both;

    if (!primary)
        both = xstrdup(PQresultErrorMessage(res));
    else if (detail)
        both = xasprintf("%s (%s)", primary, detail);
    else
        both = xstrdup(primary);
    one_line(both, out, size);
    free(both);
}

/* The server ends the connection after FATAL and PANIC, though its end may not be read yet. */
static bool says_goodbye(const PGresult *res)
{
    const char *severity = res ? PQresultErrorField(res, PG_DIAG_SEVERITY_NONLOCALIZED) : NULL;

    return severity && (strcmp(severity, "FATAL") == 0 || strcmp(severity, "PANIC") == 0);
}

void pq_fail(struct session *s, const PGresult *res, const char *doing)
{
    const bool lost = PQstatus(s->conn) != CONNECTION_OK || says_goodbye(res);
    const char *state = res ? PQresultErrorField(res, PG_DIAG_SQLSTATE) : NULL;
    char text[400];

    if (lost)
        s->state = PQ_DEAD;
    if (s->failed) /* the first one tells */
        return;
    s->failed = true;
    if (res)
        result_text(res, text, sizeof(text));
    else
        one_line(PQerrorMessage(s->conn), text, sizeof(text));
    if (!text[0])
        one_line(lost ? "the connection is lost" : "unknown error", text, sizeof(text));
    err_set(&s->err, lost ? ERR_SURROUNDINGS : ERR_DB, "%s", text);
    if (doing)
        err_wrap(&s->err, "%s", doing);
    if (state && strlen(state) < sizeof(s->err.sqlstate))
        memcpy(s->err.sqlstate, state, strlen(state) + 1);
}

unsigned pq_fail_dead(struct session *s, const char *doing)
{
    pq_fail(s, NULL, doing);
    s->state = PQ_DEAD;
    return DB_FAILED;
}

/* ---- creating and connecting ---- */

static void ignore_notice(void *ctx, const PGresult *res)
{
    (void)ctx;
    (void)res;
}

static void remember_prepared(struct session *s)
{
    for (uint16_t i = 0; i < s->cfg.n_prepare; i++)
        if (s->cfg.prepare[i]->id >= s->n_prepared)
            s->n_prepared = s->cfg.prepare[i]->id + 1U;
    s->prepared = xcalloc(s->n_prepared + 1U, sizeof(*s->prepared));
    for (uint16_t i = 0; i < s->cfg.n_prepare; i++)
        s->prepared[s->cfg.prepare[i]->id] = s->cfg.prepare[i];
}

static struct session *pq_create(const struct db_config *cfg, struct err *err)
{
    PQconninfoOption *parsed = PQconninfoParse(cfg->conninfo, NULL);
    struct session *s;

    if (!parsed) { /* libpq's text may quote a piece of a password */
        err_set(err, ERR_USAGE,
                "the connection string is not one (try \"host=/run/postgresql dbname=tpcc\")");
        return NULL;
    }
    PQconninfoFree(parsed);
    s = xcalloc(1, sizeof(*s));
    s->ops = &pq_ops;
    s->cfg = *cfg;
    s->cfg.clock = db_clock(cfg);
    pthread_mutex_init(&s->cancel_lock, NULL);
    remember_prepared(s);
    return s;
}

/* The string's own options, else PGOPTIONS as libpq does, then ours. free() it. */
static char *options_of(const struct db_config *cfg)
{
    PQconninfoOption *parsed = PQconninfoParse(cfg->conninfo, NULL);
    const char *given = getenv("PGOPTIONS");
    char *all;

    for (PQconninfoOption *o = parsed; o && o->keyword; o++)
        if (strcmp(o->keyword, "options") == 0 && o->val)
            given = o->val;
    all = xasprintf("%s %s", given ? given : "", cfg->options ? cfg->options : "");
    PQconninfoFree(parsed);
    return all;
}

/* What stands before dbname is a default that the connection string may override. */
static PGconn *connect_start(const struct db_config *cfg)
{
    char *options = options_of(cfg);
    const char *const keys[] = {
        "gssencmode",       "client_encoding",
        "keepalives_idle",  "keepalives_interval",
        "keepalives_count", "tcp_user_timeout",
        "application_name", "dbname",
        "options",          NULL,
    };
    const char *const values[] = {
        "disable",
        "UTF8",
        "30",
        "10",
        "3",
        "60000",
        cfg->application_name ? cfg->application_name : "tpcc-run",
        cfg->conninfo,
        options,
        NULL,
    };
    PGconn *conn = PQconnectStartParams(keys, values, 1);

    _Static_assert(ARRAY_LEN(keys) == ARRAY_LEN(values), "one value per keyword");
    free(options);
    CHECK(conn); /* NULL is out of memory */
    return conn;
}

/* Connected: takes the cancel handle and sends all prepares. */
static unsigned prepare_all(struct session *s)
{
    struct pq_canceller *canceller = xcalloc(1, sizeof(*canceller));

    canceller->handle = PQgetCancel(s->conn);
    atomic_store(&canceller->users, 1);
    pthread_mutex_lock(&s->cancel_lock);
    s->canceller = canceller;
    pthread_mutex_unlock(&s->cancel_lock);
    PQsetNoticeReceiver(s->conn, ignore_notice, NULL);
    if (PQsetnonblocking(s->conn, 1) != 0)
        return pq_fail_dead(s, "connecting");
    s->state = PQ_IDLE;
    if (!s->cfg.n_prepare)
        return DB_READY;
    if (!PQenterPipelineMode(s->conn))
        return pq_fail_dead(s, "preparing");
    for (uint16_t i = 0; i < s->cfg.n_prepare; i++) {
        const struct stmt *stmt = s->cfg.prepare[i];
        Oid types[STMT_PARAMS_MAX];

        pq_stmt_types(stmt, types);
        if (!PQsendPrepare(s->conn, stmt->name, stmt->text, stmt->n_params, types))
            return pq_fail_dead(s, "preparing");
    }
    if (!PQpipelineSync(s->conn))
        return pq_fail_dead(s, "preparing");
    s->state = PQ_PREPARING;
    s->pipeline = true;
    s->n_parts = s->cfg.n_prepare;
    return pq_flush_wants(s);
}

static unsigned connecting(struct session *s)
{
    switch (PQconnectPoll(s->conn)) {
    case PGRES_POLLING_READING:
        return DB_WANT_READ;
    case PGRES_POLLING_WRITING:
        return DB_WANT_WRITE;
    case PGRES_POLLING_OK:
        return prepare_all(s);
    case PGRES_POLLING_FAILED:
    case PGRES_POLLING_ACTIVE:
        break;
    }
    return pq_fail_dead(s, NULL);
}

static unsigned pq_open(struct session *s)
{
    switch (s->state) {
    case PQ_NEW:
        s->conn = connect_start(&s->cfg);
        if (PQstatus(s->conn) == CONNECTION_BAD)
            return pq_fail_dead(s, NULL);
        s->state = PQ_CONNECTING;
        return DB_WANT_WRITE;
    case PQ_CONNECTING:
        return connecting(s);
    case PQ_PREPARING: {
        const unsigned step = pq_pump(s);

        if (step & DB_FAILED)
            s->state = PQ_DEAD; /* half prepared is of no use */
        return step;
    }
    case PQ_IDLE:
        return DB_READY;
    case PQ_DEAD:
        return DB_FAILED;
    case PQ_BUSY:
    case PQ_COPYING:
        break;
    }
    UNREACHABLE();
}

/* ---- the rest ---- */

static int pq_wait_fd(const struct session *s)
{
    return PQsocket(s->conn);
}

static void canceller_leave(struct pq_canceller *c)
{
    if (!c || atomic_fetch_sub(&c->users, 1) > 1)
        return;
    PQfreeCancel(c->handle);
    free(c);
}

/* PQcancel waits for the server, for ever where that hangs. */
static void pq_cancel(struct session *s)
{
    struct pq_canceller *c;
    char text[256];

    pthread_mutex_lock(&s->cancel_lock);
    c = s->canceller;
    if (c)
        atomic_fetch_add(&c->users, 1);
    pthread_mutex_unlock(&s->cancel_lock);
    if (c && c->handle)
        (void)PQcancel(c->handle, text, sizeof(text));
    canceller_leave(c);
}

static const struct err *pq_error(const struct session *s)
{
    return &s->err;
}

static bool pq_alive(const struct session *s)
{
    return s->state != PQ_DEAD && s->conn && PQstatus(s->conn) != CONNECTION_BAD;
}

static const struct db_config *pq_config(const struct session *s)
{
    return &s->cfg;
}

static void pq_close(struct session *s)
{
    pq_clear_results(s);
    pthread_mutex_lock(&s->cancel_lock);
    canceller_leave(s->canceller);
    s->canceller = NULL;
    pthread_mutex_unlock(&s->cancel_lock);
    pthread_mutex_destroy(&s->cancel_lock);
    PQfinish(s->conn);
    free(s->prepared);
    free(s->cells);
    free(s->args);
    free(s->copy.buf);
    free(s);
}

const struct db_ops pq_ops = {
    .name = "pq",
    .caps = DB_CAP_ASYNC | DB_CAP_PIPELINE | DB_CAP_COPY,
    .create = pq_create,
    .open = pq_open,
    .submit = pq_submit,
    .advance = pq_advance,
    .wait_fd = pq_wait_fd,
    .cancel = pq_cancel,
    .bulk_begin = pq_bulk_begin,
    .bulk_put = pq_bulk_put,
    .bulk_end = pq_bulk_end,
    .error = pq_error,
    .alive = pq_alive,
    .config = pq_config,
    .close = pq_close,
};
