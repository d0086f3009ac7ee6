/*
 * Loading. The dialect's blocks bulk_file, bulk_array and bulk_insert are ways of sending rows, the
 * fastest first; the first that driver and server take is the session's, and what they refused is
 * told. Without any, and where all are refused, rows go as literals of INSERTs of many rows each:
 * what every server takes. What is sent at a time is bounded by its bytes: by the server's limit,
 * which the dialect asks for (bulk_packet), and by what was found to be quick. The caller's
 * transaction holds all of it together. Loader threads only; blocking.
 */
#include <stdio.h>
#include <string.h>

#include "db/odbc_conn.h"
#include "db/pq_encode.h"

#define SQL_BYTES ((size_t)256 * 1024) /* larger statements were slower, smaller ones too */
#define SQL_ROWS 1000u                 /* SQL Server takes no more in one list of values */
#define ARRAY_BYTES ((size_t)4 * 1024 * 1024)
#define ARRAY_ROWS 10000u
#define PACKET_SLACK ((size_t)1024) /* what is around the rows */

static const char *const way_blocks[] = {
    [ODBC_WAY_INSERT] = "bulk_insert",
    [ODBC_WAY_FILE] = "bulk_file",
    [ODBC_WAY_ARRAY] = "bulk_array",
};

static const char *const way_words[] = {
    [ODBC_WAY_INSERT] = "by INSERTs of many rows",
    [ODBC_WAY_FILE] = "by a file that the driver sends",
    [ODBC_WAY_ARRAY] = "by arrays of parameters",
};

static const struct stmt plain_insert = {.name = "bulk_insert",
                                         .text = "INSERT INTO {table} ({columns}) VALUES"};

/* What one statement may carry of `most` bytes, where the server has a limit. */
static size_t within_packet(const struct odbc_bulk *b, size_t most)
{
    const size_t row = pq_row_size_max(b->table);
    size_t room = b->packet_bytes;

    if (room == 0)
        return most;
    room = room > PACKET_SLACK + row ? room - PACKET_SLACK - row : 0;
    return room < most ? room : most;
}

/* ---- INSERT ---- */

static void begin_statement(struct odbc_bulk *b)
{
    strbuf_reset(&b->sql);
    strbuf_add(&b->sql, b->head.buf, b->head.len);
    b->rows_in = 0;
}

static int insert_begin(struct session *s, struct err *err)
{
    struct odbc_bulk *b = &s->bulk;
    const struct odbc_words words = {.schema = b->schema, .table = b->table};

    strbuf_reset(&b->head);
    if (odbc_fill_in(b->stmt ? b->stmt : &plain_insert, &words, &b->head, err) < 0)
        return -1;
    strbuf_addc(&b->head, ' ');
    b->sql_bytes = within_packet(b, SQL_BYTES);
    if (b->sql_bytes <= b->head.len)
        return err_set(err, ERR_SURROUNDINGS,
                       "the server takes statements of %zu bytes at most, too few for a row (raise "
                       "its limit)",
                       b->packet_bytes);
    begin_statement(b);
    return 0;
}

static int insert_flush(struct session *s, struct err *err)
{
    struct odbc_bulk *b = &s->bulk;
    struct rows replies;

    if (b->rows_in == 0)
        return 0;
    if (session_exec_text(s, b->sql.buf, &replies, NULL, err) < 0)
        return -1;
    b->rows += replies.part[0].affected >= 0 ? replies.part[0].affected : b->rows_in;
    begin_statement(b);
    return 0;
}

static int insert_put(struct session *s, const struct value *row, struct err *err)
{
    struct odbc_bulk *b = &s->bulk;

    strbuf_adds(&b->sql, b->rows_in ? ",(" : "(");
    for (uint8_t i = 0; i < b->table->n_columns; i++) {
        if (i)
            strbuf_addc(&b->sql, ',');
        odbc_put_literal(&b->sql, &row[i]);
    }
    strbuf_addc(&b->sql, ')');
    b->rows_in++;
    return b->rows_in < SQL_ROWS && b->sql.len < b->sql_bytes ? 0 : insert_flush(s, err);
}

/* ---- arrays ---- */

static int array_order(struct session *s, struct err *err)
{
    struct rows unseen;

    return session_await(s, worker_bulk(s->worker), &unseen, err);
}

static int array_begin(struct session *s, struct err *err)
{
    struct odbc_bulk *b = &s->bulk;
    const struct odbc_words words = {
        .schema = b->schema, .table = b->table, .binds = &s->conn->binds};
    const size_t rows = within_packet(b, ARRAY_BYTES) / pq_row_size_max(b->table);
    struct strbuf text;

    strbuf_init(&text);
    odbc_array_release(&s->conn->array);
    if (odbc_fill_in(b->stmt, &words, &text, err) < 0) {
        strbuf_release(&text);
        return -1;
    }
    odbc_array_init(&s->conn->array, b->table,
                    rows < 1            ? 1
                    : rows > ARRAY_ROWS ? ARRAY_ROWS
                                        : (uint32_t)rows,
                    strbuf_detach(&text));
    return array_order(s, err);
}

static int array_flush(struct session *s, struct err *err)
{
    struct odbc_array *a = &s->conn->array;
    const uint32_t rows = a->rows;

    if (array_order(s, err) < 0)
        return -1;
    s->bulk.rows += rows;
    a->rows = 0;
    return 0;
}

static int array_put(struct session *s, const struct value *row, struct err *err)
{
    struct odbc_array *a = &s->conn->array;

    odbc_array_put(a, row);
    return a->rows < a->room ? 0 : array_flush(s, err);
}

static int array_end(struct session *s, struct err *err)
{
    s->conn->array.last = true;
    return array_flush(s, err);
}

/* ---- which way ---- */

static int way_begin(struct session *s, struct err *err)
{
    switch (s->bulk.way) {
    case ODBC_WAY_INSERT:
        return insert_begin(s, err);
    case ODBC_WAY_FILE:
        return odbc_file_begin(s, err);
    case ODBC_WAY_ARRAY:
        return array_begin(s, err);
    }
    UNREACHABLE();
}

/* Whether driver and server take a file is seen by an empty one; the others show as they begin. */
static int try_way(struct session *s, struct err *err)
{
    struct odbc_bulk *b = &s->bulk;
    const struct odbc_words words = {.schema = b->schema, .table = b->table, .file = "/dev/null"};

    if (b->way != ODBC_WAY_FILE)
        return way_begin(s, err);
    strbuf_reset(&b->sql);
    if (odbc_fill_in(b->stmt, &words, &b->sql, err) < 0 ||
        session_exec_text(s, b->sql.buf, NULL, NULL, err) < 0)
        return -1;
    return way_begin(s, err);
}

static int ask_packet(struct session *s, struct err *err)
{
    const struct stmt *st = s->cfg.dialect ? dialect_find(s->cfg.dialect, "bulk_packet") : NULL;
    struct rows replies;
    int64_t bytes = 0;

    if (!st)
        return 0;
    if (session_exec_text(s, st->text, &replies, NULL, err) < 0)
        return err_wrap(err, "bulk_packet");
    if (replies.part[0].n_rows != 1 || cell_i64(rows_cell(&replies.part[0], 0, 0), &bytes, err) < 0)
        return err_set(err, ERR_DB, "bulk_packet: the answer is not a number of bytes");
    s->bulk.packet_bytes = bytes > 0 ? (size_t)bytes : 0;
    return 0;
}

static bool way_of(const struct stmt *st, enum odbc_way *way)
{
    for (size_t i = 0; i < ARRAY_LEN(way_blocks); i++)
        if (strcmp(st->name, way_blocks[i]) == 0) {
            *way = (enum odbc_way)i;
            return true;
        }
    return false;
}

/* A way may have a question before it, bulk_..._if: 0 where it is not for this server. */
static int may_be(struct session *s, enum odbc_way way, bool *yes, struct err *err)
{
    static const char *const names[] = {
        [ODBC_WAY_INSERT] = "bulk_insert_if",
        [ODBC_WAY_FILE] = "bulk_file_if",
        [ODBC_WAY_ARRAY] = "bulk_array_if",
    };
    const struct stmt *st = dialect_find(s->cfg.dialect, names[way]);
    struct rows replies;

    *yes = true;
    if (!st)
        return 0;
    if (session_exec_text(s, st->text, &replies, NULL, err) < 0)
        return err_wrap(err, "%s", names[way]);
    if (replies.part[0].n_rows != 1)
        return err_set(err, ERR_DB, "%s: not one row", names[way]);
    return cell_bool(rows_cell(&replies.part[0], 0, 0), yes, err);
}

static void tell(struct session *s, const struct strbuf *refused)
{
    const struct odbc_bulk *b = &s->bulk;
    struct db_about *about = &s->conn->about;
    char limit[64] = "";

    if (b->packet_bytes)
        (void)snprintf(limit, sizeof(limit), ", the server's packets being at most %zu bytes",
                       b->packet_bytes);
    (void)snprintf(about->bulk, sizeof(about->bulk), "%s (%s)%s%s", way_words[b->way],
                   way_blocks[b->way], limit, refused->len ? refused->buf : "");
}

/* Begins the first table. A refusal may not end the transaction that is open (schema/README.md). */
static int choose(struct session *s, struct err *err)
{
    struct odbc_bulk *b = &s->bulk;
    const size_t n = s->cfg.dialect ? dialect_count(s->cfg.dialect) : 0;
    struct strbuf refused;
    int rc = -1;

    if (ask_packet(s, err) < 0)
        return -1;
    strbuf_init(&refused);
    for (size_t i = 0; i < n && rc < 0; i++) {
        bool yes = false;

        b->stmt = dialect_at(s->cfg.dialect, i);
        if (!way_of(b->stmt, &b->way))
            continue;
        if (may_be(s, b->way, &yes, err) < 0)
            goto out;
        if (!yes)
            continue;
        rc = try_way(s, err);
        if (rc < 0 && (err->kind == ERR_INTERRUPTED || err->kind == ERR_USAGE || !session_alive(s)))
            goto out;
        if (rc < 0)
            strbuf_addf(&refused, "; %s refused: %s", way_blocks[b->way], err->text);
    }
    if (rc < 0) {
        b->way = ODBC_WAY_INSERT;
        b->stmt = NULL;
        rc = way_begin(s, err);
    }
    if (rc == 0)
        tell(s, &refused);
    b->chosen = rc == 0;
out:
    strbuf_release(&refused);
    return rc;
}

/* ---- the three calls ---- */

static int failed(struct session *s, struct err *err)
{
    err_wrap(err, "inserting into %s", s->bulk.table->name);
    s->bulk.table = NULL;
    return -1;
}

int odbc_bulk_begin(struct session *s, const struct table *t, const struct bulk_opts *opts,
                    struct err *err)
{
    struct odbc_bulk *b = &s->bulk;

    CHECK(!b->table);
    b->table = t;
    b->schema = opts->schema;
    b->rows = 0;
    return (b->chosen ? way_begin(s, err) : choose(s, err)) < 0 ? failed(s, err) : 0;
}

int odbc_bulk_put(struct session *s, const struct value *row, struct err *err)
{
    int rc = -1;

    CHECK(s->bulk.table);
    switch (s->bulk.way) {
    case ODBC_WAY_INSERT:
        rc = insert_put(s, row, err);
        break;
    case ODBC_WAY_FILE:
        rc = odbc_file_put(s, row, err);
        break;
    case ODBC_WAY_ARRAY:
        rc = array_put(s, row, err);
        break;
    }
    return rc < 0 ? failed(s, err) : 0;
}

int odbc_bulk_end(struct session *s, int64_t *rows, struct err *err)
{
    int rc = -1;

    CHECK(s->bulk.table);
    switch (s->bulk.way) {
    case ODBC_WAY_INSERT:
        rc = insert_flush(s, err);
        break;
    case ODBC_WAY_FILE:
        rc = odbc_file_end(s, err);
        break;
    case ODBC_WAY_ARRAY:
        rc = array_end(s, err);
        break;
    }
    if (rc < 0)
        return failed(s, err);
    s->bulk.table = NULL;
    if (rows)
        *rows = s->bulk.rows;
    return 0;
}
