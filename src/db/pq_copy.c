/*
 * Bulk loading by COPY ... FROM STDIN, blocking: loader threads only. Rows are encoded straight
 * into one buffer and handed to libpq in pieces of CHUNK bytes. Between pieces the socket is looked
 * at: while rows go in, the server only speaks to complain, and then it is no use to send the rest.
 * libpq itself never blocks: what waits is here, and it looks at the request to stop. A COPY that
 * is stopped is ended by cutting the connection: the server undoes it when it sees that.
 */
#include "db/pq.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "db/pq_encode.h"

#define CHUNK ((size_t)64 * 1024)
#define STOP_LOOK_MS 100 /* how long a request to stop may go unseen */

/* Signature, then no flags and no extension. */
#define BINARY_HEADER_LEN 19
static const char binary_header[BINARY_HEADER_LEN] = "PGCOPY\n\377\r\n";

static int bulk_fail(struct session *s, struct err *err)
{
    if (err)
        *err = s->err;
    return -1;
}

static void add_identifier(struct session *s, struct strbuf *sql, const char *name)
{
    char *quoted = PQescapeIdentifier(s->conn, name, strlen(name));

    CHECK(quoted);
    strbuf_adds(sql, quoted);
    PQfreemem(quoted);
}

static void copy_statement(struct session *s, const struct table *t, const struct bulk_opts *opts,
                           struct strbuf *sql)
{
    strbuf_adds(sql, "COPY ");
    if (opts->schema) {
        add_identifier(s, sql, opts->schema);
        strbuf_addc(sql, '.');
    }
    add_identifier(s, sql, t->name);
    for (uint8_t i = 0; i < t->n_columns; i++) {
        strbuf_adds(sql, i ? ", " : " (");
        add_identifier(s, sql, t->columns[i].name);
    }
    strbuf_addf(sql, ") FROM STDIN (FORMAT %s%s)", opts->binary ? "binary" : "text",
                opts->freeze ? ", FREEZE" : "");
}

/* ---- waiting ---- */

static int interrupted(struct session *s)
{
    if (!s->failed)
        err_set(&s->err, ERR_INTERRUPTED, "interrupted");
    s->failed = true;
    s->state = PQ_DEAD;
    return -1;
}

/* Until the socket is ready for one of `events`. -1: stopped. */
static int wait_for(struct session *s, short events)
{
    struct pollfd p = {.fd = PQsocket(s->conn), .events = events};
    const int level = s->cfg.stop_at > 0 ? s->cfg.stop_at : 1;

    for (;;) {
        if (stop_level(s->cfg.stop) >= level)
            return interrupted(s);
        if (poll(&p, 1, STOP_LOOK_MS) > 0) /* a lost connection is ready too */
            return 0;
    }
}

/* An ErrorResponse or the connection's end waits to be read. (Under TLS the first byte says
 * nothing: then the complaint is read at the end.) */
static bool server_complains(const struct session *s)
{
    char first = 0;
    const ssize_t n = recv(PQsocket(s->conn), &first, 1, MSG_PEEK | MSG_DONTWAIT);

    return n == 0 || (n < 0 && errno != EAGAIN) || (n == 1 && first == 'E' && !PQsslInUse(s->conn));
}

/* Until all that was given to libpq is on its way; while rows go in, at most until the server
 * complains. What else it says is read, lest both wait for each other. A lost connection shows in
 * the reply. -1: stopped. */
static int flush_all(struct session *s)
{
    while (PQflush(s->conn) == 1) {
        if (wait_for(s, POLLIN | POLLOUT) < 0)
            return -1;
        if ((s->state == PQ_COPYING && server_complains(s)) || !PQconsumeInput(s->conn))
            break;
    }
    return 0;
}

/* The next result; NULL at the end, and where s->failed is set. */
static PGresult *next_result(struct session *s)
{
    while (PQisBusy(s->conn)) {
        if (wait_for(s, POLLIN) < 0)
            return NULL;
        if (!PQconsumeInput(s->conn) && PQstatus(s->conn) == CONNECTION_OK) {
            pq_fail(s, NULL, NULL);
            return NULL;
        }
    }
    return PQgetResult(s->conn);
}

/* ---- the three calls ---- */

/* Reads replies to the end; the first error stays in s->err. Rows of the last command, or -1. */
static int64_t drain(struct session *s)
{
    int64_t rows = -1;
    PGresult *res;

    while ((res = next_result(s))) {
        const ExecStatusType status = PQresultStatus(res);

        if (status == PGRES_COMMAND_OK)
            rows = strtoll(PQcmdTuples(res), NULL, 10);
        else
            pq_fail(s, res, NULL);
        PQclear(res);
        if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH)
            break;
    }
    if (PQstatus(s->conn) != CONNECTION_OK)
        pq_fail(s, NULL, NULL);
    return s->failed ? -1 : rows;
}

/* Ends the COPY, well or by the complaint that is already there. */
static int64_t copy_end(struct session *s)
{
    int64_t rows;

    if (s->state != PQ_DEAD)
        s->state = PQ_IDLE; /* no rows any more */
    if (PQputCopyEnd(s->conn, NULL) != 1)
        pq_fail(s, NULL, NULL);
    rows = flush_all(s) < 0 ? -1 : drain(s);
    if (s->failed && s->err.kind != ERR_INTERRUPTED)
        err_wrap(&s->err, "copying into %s", s->copy.table->name);
    return rows;
}

/* Sends the statement and reads that it may begin. */
static int copy_begin(struct session *s, const struct table *t, const struct bulk_opts *opts)
{
    struct strbuf sql;
    PGresult *res = NULL;
    bool begun;

    strbuf_init(&sql);
    copy_statement(s, t, opts, &sql);
    if (!PQsendQuery(s->conn, sql.buf))
        pq_fail(s, NULL, t->name);
    else if (flush_all(s) == 0)
        res = next_result(s);
    strbuf_release(&sql);
    begun = res && PQresultStatus(res) == PGRES_COPY_IN;
    if (res && !begun) {
        pq_fail(s, res, t->name);
        (void)drain(s);
    }
    PQclear(res);
    if (!begun && !s->failed)
        pq_fail(s, NULL, t->name);
    return begun ? 0 : -1;
}

int pq_bulk_begin(struct session *s, const struct table *t, const struct bulk_opts *opts,
                  struct err *err)
{
    struct pq_copy *c = &s->copy;

    CHECK(s->state == PQ_IDLE);
    s->failed = false;
    if (copy_begin(s, t, opts) < 0)
        return bulk_fail(s, err);
    c->binary = opts->binary;
    c->n_columns = t->n_columns;
    c->row_max = pq_row_size_max(t);
    c->table = t;
    c->len = 0;
    if (c->cap < CHUNK + c->row_max) {
        c->cap = CHUNK + c->row_max;
        c->buf = xreallocarray(c->buf, c->cap, 1);
    }
    if (c->binary) {
        memcpy(c->buf, binary_header, BINARY_HEADER_LEN);
        c->len = BINARY_HEADER_LEN;
    }
    s->state = PQ_COPYING;
    return 0;
}

static int flush_chunk(struct session *s, struct err *err)
{
    struct pq_copy *c = &s->copy;
    const bool sent = PQputCopyData(s->conn, c->buf, (int)c->len) == 1;

    c->len = 0;
    if (sent && flush_all(s) < 0)
        return bulk_fail(s, err);
    if (sent && !server_complains(s))
        return 0;
    if (!sent)
        pq_fail(s, NULL, NULL);
    (void)copy_end(s);
    if (!s->failed) { /* a complaint that went away can't be: the rows so far stand alone */
        s->failed = true;
        err_set(&s->err, ERR_DB, "copying into %s: the server ended it early", c->table->name);
    }
    return bulk_fail(s, err);
}

static char *put_row_binary(char *p, const struct value *row, uint8_t n)
{
    p = pq_put_u16(p, n);
    for (uint8_t i = 0; i < n; i++)
        p = pq_put_binary(p, &row[i]);
    return p;
}

int pq_bulk_put(struct session *s, const struct value *row, struct err *err)
{
    struct pq_copy *c = &s->copy;
    char *p = c->buf + c->len;

    CHECK(s->state == PQ_COPYING);
    for (uint8_t i = 0; i < c->n_columns; i++)
        CHECK(row[i].kind != VALUE_TEXT || row[i].len <= c->table->columns[i].size);
    p = c->binary ? put_row_binary(p, row, c->n_columns) : pq_put_row_text(p, row, c->n_columns);
    c->len = (size_t)(p - c->buf);
    return c->len < CHUNK ? 0 : flush_chunk(s, err);
}

int pq_bulk_end(struct session *s, int64_t *rows, struct err *err)
{
    struct pq_copy *c = &s->copy;
    int64_t n;

    CHECK(s->state == PQ_COPYING);
    if (c->binary)
        c->len = (size_t)(pq_put_u16(c->buf + c->len, UINT16_MAX) - c->buf);
    if (c->len && PQputCopyData(s->conn, c->buf, (int)c->len) != 1)
        pq_fail(s, NULL, NULL);
    c->len = 0;
    n = copy_end(s);
    if (s->failed)
        return bulk_fail(s, err);
    if (rows)
        *rows = n;
    return 0;
}
