/*
 * Loading by INSERTs of many rows each, their values as literals: what every server takes, and one
 * round trip for a thousand rows, where drivers send an array of parameters row by row or each in
 * another way. A statement is ended by its bytes, far below what any server refuses by default
 * (MariaDB's max_allowed_packet is 1 MB at the least in use), and by its rows (SQL Server: 1,000).
 * The caller's transaction holds them together. Loader threads only; blocking.
 */
#include "db/odbc_conn.h"

#include <string.h>

#define SQL_BYTES ((size_t)256 * 1024)
#define SQL_ROWS 1000u

/* Names are ours, plain words: no database needs them quoted. */
static void begin_statement(struct odbc_bulk *b)
{
    strbuf_reset(&b->sql);
    strbuf_add(&b->sql, b->head.buf, b->head.len);
    b->rows_in = 0;
}

int odbc_bulk_begin(struct session *s, const struct table *t, const struct bulk_opts *opts,
                    struct err *err)
{
    struct odbc_bulk *b = &s->bulk;

    (void)err;
    CHECK(!b->table);
    b->table = t;
    b->rows = 0;
    strbuf_reset(&b->head);
    strbuf_addf(&b->head, "INSERT INTO %s%s%s (", opts->schema ? opts->schema : "",
                opts->schema ? "." : "", t->name);
    for (uint8_t i = 0; i < t->n_columns; i++)
        strbuf_addf(&b->head, "%s%s", i ? ", " : "", t->columns[i].name);
    strbuf_adds(&b->head, ") VALUES ");
    begin_statement(b);
    return 0;
}

static int flush(struct session *s, struct err *err)
{
    struct odbc_bulk *b = &s->bulk;
    struct rows replies;

    if (b->rows_in == 0)
        return 0;
    if (session_exec_text(s, b->sql.buf, &replies, NULL, err) < 0) {
        err_wrap(err, "inserting into %s", b->table->name);
        b->table = NULL;
        return -1;
    }
    b->rows += replies.part[0].affected >= 0 ? replies.part[0].affected : b->rows_in;
    begin_statement(b);
    return 0;
}

int odbc_bulk_put(struct session *s, const struct value *row, struct err *err)
{
    struct odbc_bulk *b = &s->bulk;

    CHECK(b->table);
    strbuf_adds(&b->sql, b->rows_in ? ",(" : "(");
    for (uint8_t i = 0; i < b->table->n_columns; i++) {
        if (i)
            strbuf_addc(&b->sql, ',');
        odbc_put_literal(&b->sql, &row[i]);
    }
    strbuf_addc(&b->sql, ')');
    b->rows_in++;
    return b->rows_in < SQL_ROWS && b->sql.len < SQL_BYTES ? 0 : flush(s, err);
}

int odbc_bulk_end(struct session *s, int64_t *rows, struct err *err)
{
    if (flush(s, err) < 0)
        return -1;
    s->bulk.table = NULL;
    if (rows)
        *rows = s->bulk.rows;
    return 0;
}
