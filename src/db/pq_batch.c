/*
 * A batch on a connection of libpq: encoding and sending, reading replies until "not busy" means
 * that everything has come, and what the owner gets of them. Nothing here blocks. The session's
 * thread only; pq.c opens and closes.
 */
#include "db/pq.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/xalloc.h"
#include "db/pq_encode.h"

/* How long a connection has been idle before it is looked at. */
#define IDLE_LOOK_NS (20 * NS_PER_MS)

unsigned pq_flush_wants(struct session *s)
{
    const int pending = PQflush(s->conn); /* a failure shows when reading */

    return pending == 1 ? DB_WANT_READ | DB_WANT_WRITE : DB_WANT_READ;
}

void pq_stmt_types(const struct stmt *stmt, Oid types[STMT_PARAMS_MAX])
{
    for (uint8_t i = 0; i < stmt->n_params; i++)
        types[i] = pq_type_oid((enum value_kind)stmt->param_kind[i]);
}

/* ---- collecting replies ---- */

void pq_clear_results(struct session *s)
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
            pq_fail_dead(s, "protocol out of step");
    }
    return false;
}

unsigned pq_pump(struct session *s)
{
    if (!PQconsumeInput(s->conn) && PQstatus(s->conn) == CONNECTION_OK)
        return pq_fail_dead(s, NULL);
    if (!collect(s))
        return pq_flush_wants(s);
    if (s->state != PQ_DEAD) {
        if (s->pipeline && !PQexitPipelineMode(s->conn))
            return pq_fail_dead(s, NULL);
        s->state = PQ_IDLE;
        s->idle_since_ns = clock_now_ns(s->cfg.clock);
    }
    return s->failed ? DB_FAILED : DB_READY;
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
    pq_stmt_types(stmt, out->type);
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

unsigned pq_submit(struct session *s, const struct batch *b)
{
    CHECK(s->state == PQ_IDLE || s->state == PQ_DEAD);
    if (s->state == PQ_DEAD)
        return DB_FAILED;
    pq_clear_results(s);
    s->failed = false;
    s->part = 0;
    s->n_parts = b->n;
    s->pipeline = b->n > 1;
    if (gone_while_idle(s))
        return pq_fail_dead(s, NULL);
    if (s->pipeline && !PQenterPipelineMode(s->conn))
        return pq_fail_dead(s, NULL);
    for (uint8_t i = 0; i < b->n; i++)
        if (!send_part(s, &b->part[i]))
            return pq_fail_dead(s, b->part[i].stmt->name);
    if (s->pipeline && !PQpipelineSync(s->conn))
        return pq_fail_dead(s, NULL);
    s->state = PQ_BUSY;
    return pq_flush_wants(s);
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

unsigned pq_advance(struct session *s, struct rows *replies)
{
    unsigned step;

    CHECK(s->state == PQ_BUSY);
    step = pq_pump(s);
    if (step == DB_READY)
        fill_replies(s, replies);
    return step;
}
