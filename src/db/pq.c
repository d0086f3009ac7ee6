/*
 * PostgreSQL through libpq, asynchronous: connecting, preparing (one pipeline for all statements)
 * and running batches never block; the owner waits for what a step answers (see db/session.h). One
 * thread owns a session; only cancel may come from another, and only it touches the canceller.
 * Flow of a batch: submit encodes and queues, advance flushes, reads and collects until "not busy"
 * means that everything has come. Deadlines are the owner's.
 */
#include "db/pq.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "db/pq_encode.h"

/* How long a connection has been idle before it is looked at. */
#define IDLE_LOOK_NS (20 * NS_PER_MS)

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

static unsigned fail_dead(struct session *s, const char *doing)
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
    if (!s->cfg.clock)
        s->cfg.clock = clock_system();
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

/* Result of a look at the output: pending bytes want the socket writable too. */
static unsigned flush_wants(struct session *s)
{
    const int pending = PQflush(s->conn); /* a failure shows when reading */

    return pending == 1 ? DB_WANT_READ | DB_WANT_WRITE : DB_WANT_READ;
}

static void stmt_types(const struct stmt *stmt, Oid types[STMT_PARAMS_MAX])
{
    for (uint8_t i = 0; i < stmt->n_params; i++)
        types[i] = pq_type_oid((enum value_kind)stmt->param_kind[i]);
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
        return fail_dead(s, "connecting");
    s->state = PQ_IDLE;
    if (!s->cfg.n_prepare)
        return DB_READY;
    if (!PQenterPipelineMode(s->conn))
        return fail_dead(s, "preparing");
    for (uint16_t i = 0; i < s->cfg.n_prepare; i++) {
        const struct stmt *stmt = s->cfg.prepare[i];
        Oid types[STMT_PARAMS_MAX];

        stmt_types(stmt, types);
        if (!PQsendPrepare(s->conn, stmt->name, stmt->text, stmt->n_params, types))
            return fail_dead(s, "preparing");
    }
    if (!PQpipelineSync(s->conn))
        return fail_dead(s, "preparing");
    s->state = PQ_PREPARING;
    s->pipeline = true;
    s->n_parts = s->cfg.n_prepare;
    return flush_wants(s);
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
    return fail_dead(s, NULL);
}

/* ---- collecting replies ---- */

static void clear_results(struct session *s)
{
    for (size_t i = 0; i < BATCH_MAX; i++) {
        PQclear(s->result[i]);
        s->result[i] = NULL;
    }
}

/* What an error was about: the statement's name, where it has one. */
static const char *part_name(const struct session *s)
{
    if (s->state == PQ_PREPARING && s->part < s->cfg.n_prepare)
        return s->cfg.prepare[s->part]->name;
    return NULL;
}

/* Takes over one result. A statement that starts a COPY has no place in a batch: nobody would feed
 * it, so the connection is given up. */
static void take_result(struct session *s, PGresult *res)
{
    switch (PQresultStatus(res)) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_EMPTY_QUERY:
        if (s->state == PQ_BUSY && s->part < s->n_parts) {
            PQclear(s->result[s->part]);
            s->result[s->part] = res;
            return;
        }
        break;
    case PGRES_PIPELINE_SYNC:
    case PGRES_PIPELINE_ABORTED:
    case PGRES_NONFATAL_ERROR:
        break;
    case PGRES_FATAL_ERROR:
    case PGRES_BAD_RESPONSE:
        pq_fail(s, res, part_name(s));
        break;
    case PGRES_COPY_OUT:
    case PGRES_COPY_IN:
    case PGRES_COPY_BOTH:
    case PGRES_SINGLE_TUPLE:
#ifdef LIBPQ_HAS_CHUNK_MODE /* libpq 17 */
    case PGRES_TUPLES_CHUNK:
#endif
        s->failed = true;
        s->state = PQ_DEAD;
        err_set(&s->err, ERR_DB, "a COPY can't be part of a batch");
        break;
    }
    PQclear(res);
}

/* Reads what is there. True once the whole batch is answered or the connection is of no use. */
static bool collect(struct session *s)
{
    while (!PQisBusy(s->conn)) {
        PGresult *res = PQgetResult(s->conn);
        const bool sync = res && PQresultStatus(res) == PGRES_PIPELINE_SYNC;

        if (res)
            take_result(s, res);
        if (PQstatus(s->conn) != CONNECTION_OK)
            pq_fail(s, NULL, NULL);
        if (s->state == PQ_DEAD || sync || (!res && !s->pipeline))
            return true;
        if (!res)
            s->part++;
        if (s->part > s->n_parts) /* replies to nothing that was asked */
            fail_dead(s, "protocol out of step");
    }
    return false;
}

/* Flushes, reads, collects. DB_READY or DB_FAILED at the end of the batch. */
static unsigned pump(struct session *s)
{
    if (!PQconsumeInput(s->conn) && PQstatus(s->conn) == CONNECTION_OK)
        return fail_dead(s, NULL);
    if (!collect(s))
        return flush_wants(s);
    if (s->state != PQ_DEAD) {
        if (s->pipeline && !PQexitPipelineMode(s->conn))
            return fail_dead(s, NULL);
        s->state = PQ_IDLE;
        s->idle_since_ns = clock_now_ns(s->cfg.clock);
    }
    return s->failed ? DB_FAILED : DB_READY;
}

static unsigned pq_open(struct session *s)
{
    switch (s->state) {
    case PQ_NEW:
        s->conn = connect_start(&s->cfg);
        if (PQstatus(s->conn) == CONNECTION_BAD)
            return fail_dead(s, NULL);
        s->state = PQ_CONNECTING;
        return DB_WANT_WRITE;
    case PQ_CONNECTING:
        return connecting(s);
    case PQ_PREPARING: {
        const unsigned step = pump(s);

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

/* ---- sending ---- */

/* The parameters of one part, encoded in s->args; what libpq wants of them. */
struct params {
    const char *value[STMT_PARAMS_MAX];
    int length[STMT_PARAMS_MAX];
    int format[STMT_PARAMS_MAX];
    Oid type[STMT_PARAMS_MAX];
};

static bool is_integer(enum value_kind kind)
{
    return kind == VALUE_I32 || kind == VALUE_I64;
}

/* The value under its declared kind; one integer may stand for the other. */
static struct value as_declared(const struct value *v, enum value_kind declared)
{
    struct value out = *v;

    if (v->kind == VALUE_NULL || declared == VALUE_NULL || v->kind == declared)
        return out;
    CHECK(is_integer(declared) && is_integer((enum value_kind)v->kind));
    if (declared == VALUE_I32)
        CHECK(v->i == (int32_t)v->i);
    out.kind = (uint8_t)declared;
    return out;
}

/* Declared kinds travel binary; undeclared ones as text, for the server to guess. */
static void encode(struct session *s, const struct batch_part *part, struct params *out)
{
    const struct stmt *stmt = part->stmt;
    size_t need = 0;
    char *p;

    for (uint8_t i = 0; i < stmt->n_params; i++)
        need += pq_size_max(&part->args[i]) + 1;
    if (need > s->args_cap) {
        s->args_cap = need * 2;
        s->args = xreallocarray(s->args, s->args_cap, 1);
    }
    stmt_types(stmt, out->type);
    p = s->args;
    for (uint8_t i = 0; i < stmt->n_params; i++) {
        const struct value v = as_declared(&part->args[i], (enum value_kind)stmt->param_kind[i]);
        char *start = p;

        out->format[i] = stmt->param_kind[i] != VALUE_NULL;
        if (out->format[i]) {
            p = pq_put_binary(p, &v);
            start += 4;
        } else {
            p = pq_put_text(p, &v);
            *p++ = '\0';
        }
        out->value[i] = v.kind == VALUE_NULL ? NULL : start;
        out->length[i] = v.kind == VALUE_NULL ? 0 : (int)(p - start);
    }
}

static bool is_prepared(const struct session *s, const struct stmt *stmt)
{
    return stmt->id < s->n_prepared && s->prepared[stmt->id] == stmt;
}

/* Without parameters and outside a pipeline the simple protocol takes several statements. */
static int send_part(struct session *s, const struct batch_part *part)
{
    const struct stmt *stmt = part->stmt;
    struct params p;

    if (!is_prepared(s, stmt) && stmt->n_params == 0 && !s->pipeline)
        return PQsendQuery(s->conn, stmt->text);
    encode(s, part, &p);
    if (is_prepared(s, stmt))
        return PQsendQueryPrepared(s->conn, stmt->name, stmt->n_params, p.value, p.length, p.format,
                                   0);
    return PQsendQueryParams(s->conn, stmt->text, stmt->n_params, p.type, p.value, p.length,
                             p.format, 0);
}

/* Anything to read on an idle connection is its end or a notice: looked at before a batch is sent,
 * so that a server that went away in the meantime costs no doubt. One call that does not block, and
 * none where the last reply has only just come: the call would be a fiftieth of what a transaction
 * costs us. */
static bool gone_while_idle(struct session *s)
{
    char c;

    if (clock_now_ns(s->cfg.clock) - s->idle_since_ns < IDLE_LOOK_NS)
        return false;
    if (recv(PQsocket(s->conn), &c, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN)
        return false;
    if (PQconsumeInput(s->conn)) /* a goodbye is read together with the end behind it */
        PQconsumeInput(s->conn);
    return PQstatus(s->conn) != CONNECTION_OK;
}

static unsigned pq_submit(struct session *s, const struct batch *b)
{
    CHECK(s->state == PQ_IDLE || s->state == PQ_DEAD);
    if (s->state == PQ_DEAD)
        return DB_FAILED;
    clear_results(s);
    s->failed = false;
    s->part = 0;
    s->n_parts = b->n;
    s->pipeline = b->n > 1;
    if (gone_while_idle(s))
        return fail_dead(s, NULL);
    if (s->pipeline && !PQenterPipelineMode(s->conn))
        return fail_dead(s, NULL);
    for (uint8_t i = 0; i < b->n; i++)
        if (!send_part(s, &b->part[i]))
            return fail_dead(s, b->part[i].stmt->name);
    if (s->pipeline && !PQpipelineSync(s->conn))
        return fail_dead(s, NULL);
    s->state = PQ_BUSY;
    return flush_wants(s);
}

/* ---- replies ---- */

static int64_t affected(const PGresult *res)
{
    const char *text = PQcmdTuples((PGresult *)(uintptr_t)res); /* libpq forgot the const */

    return text[0] ? strtoll(text, NULL, 10) : -1;
}

static size_t count_cells(const struct session *s)
{
    size_t n = 0;

    for (uint16_t i = 0; i < s->n_parts; i++)
        if (s->result[i])
            n += (size_t)PQntuples(s->result[i]) * (size_t)PQnfields(s->result[i]);
    return n;
}

static struct cell *fill_cells(struct cell *c, const PGresult *res)
{
    const int rows = PQntuples(res);
    const int columns = PQnfields(res);

    for (int r = 0; r < rows; r++) {
        for (int k = 0; k < columns; k++, c++) {
            c->text = PQgetisnull(res, r, k) ? NULL : PQgetvalue(res, r, k);
            c->len = (uint32_t)PQgetlength(res, r, k);
        }
    }
    return c;
}

static void fill_replies(struct session *s, struct rows *replies)
{
    const size_t need = count_cells(s);
    struct cell *c;

    if (need > s->cells_cap) {
        s->cells_cap = need * 2;
        s->cells = xreallocarray(s->cells, s->cells_cap, sizeof(*s->cells));
    }
    c = s->cells;
    replies->n = (uint8_t)s->n_parts;
    for (uint16_t i = 0; i < s->n_parts; i++) {
        struct rows_part *p = &replies->part[i];
        const PGresult *res = s->result[i];

        p->cells = c;
        p->n_rows = res ? (uint32_t)PQntuples(res) : 0;
        p->n_columns = res ? (uint16_t)PQnfields(res) : 0;
        p->affected = res ? affected(res) : -1;
        if (res)
            c = fill_cells(c, res);
    }
}

static unsigned pq_advance(struct session *s, struct rows *replies)
{
    unsigned step;

    CHECK(s->state == PQ_BUSY);
    step = pump(s);
    if (step == DB_READY)
        fill_replies(s, replies);
    return step;
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
    clear_results(s);
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
