/*
 * Inside the ODBC backend: odbc.c is its table and what its owner does, odbc_conn.c a connection
 * and its statements as its worker thread sees them, odbc_text.c the texts of both ways,
 * odbc_bulk.c loading. Only these files and their tests include this header.
 */
#ifndef DB_ODBC_CONN_H
#define DB_ODBC_CONN_H

#include <pthread.h>
#include <sql.h>
#include <sqlext.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "db/odbc.h"
#include "db/worker.h"

#define ODBC_KINDS 8      /* enum value_kind */
#define ODBC_MARKS_MAX 32 /* parameters as they stand, repeated ones counted again */

/* ---- odbc_text.c: pure ---- */

/* How parameters stand, by kind; NULL: a plain ?. */
struct odbc_binds {
    const char *of[ODBC_KINDS];
};

/* A statement as ODBC takes it: each $n is a ? of its own, `from` says which n (from 0). */
struct odbc_text {
    char *text;
    uint8_t n_marks;
    uint8_t from[ODBC_MARKS_MAX];
};
int odbc_translate(const struct stmt *st, const struct odbc_binds *binds, struct odbc_text *out,
                   struct err *err) MUST_CHECK;
/* Appends a value as it travels in a parameter. */
void odbc_put_param(struct strbuf *out, const struct value *v);
/* Appends a value as a literal of an INSERT. */
void odbc_put_literal(struct strbuf *out, const struct value *v);
/* A driver's message without the names of its layers in front and on one line. */
void odbc_clean_message(const char *text, char *out, size_t size);

/* ---- odbc_conn.c: the worker's side ---- */

struct odbc_param {
    char *bytes;
    size_t cap;
    SQLINTEGER i32;
    SQLBIGINT i64;
    SQLLEN len;
};

struct odbc_statement {
    SQLHSTMT handle; /* SQL_NULL_HSTMT: none yet */
    char *name;
    struct odbc_text text;
    uint8_t param_kind[STMT_PARAMS_MAX];
    bool bound;
    struct odbc_param param[ODBC_MARKS_MAX];
};

/* A cell as long as the bytes may still move. */
struct odbc_cell {
    size_t at;
    uint32_t len;
    bool null;
};

/*
 * Everything that the thread uses is its own. `current` is touched under `lock` alone: the
 * statement that is inside the driver, for cancel.
 */
struct odbc_conn {
    char *connection; /* may hold a secret */
    char *name;       /* of our program */
    struct odbc_binds binds;
    char *session_sql;     /* odbc_session, or NULL */
    bool session_named;    /* it has a parameter */
    char *session_run_sql; /* odbc_session_run, where transactions run here, or NULL */
    char *after_failure_sql;
    SQLHDBC dbc;
    bool connected;
    bool dead;
    uint8_t owner; /* enum err_owner: whose native codes these are */
    struct odbc_statement direct;
    struct odbc_statement *prepared;
    uint16_t n_prepared;
    VEC(struct odbc_cell) found;
    VEC(struct cell) cells;
    struct strbuf bytes;
    pthread_mutex_t lock;
    SQLHSTMT current;
    struct db_about about;
};

extern const struct worker_ops odbc_worker_ops;

/* ---- odbc_bulk.c ---- */

struct odbc_bulk {
    const struct table *table; /* NULL: none under way */
    struct strbuf head;        /* INSERT INTO t (...) VALUES */
    struct strbuf sql;
    uint32_t rows_in;
    int64_t rows;
};

struct session {
    const struct db_ops *ops; /* first */
    struct db_config cfg;
    struct worker *worker;
    struct odbc_conn *conn; /* the worker's; about is read after opening */
    struct odbc_bulk bulk;
};

int odbc_bulk_begin(struct session *s, const struct table *t, const struct bulk_opts *opts,
                    struct err *err);
int odbc_bulk_put(struct session *s, const struct value *row, struct err *err);
int odbc_bulk_end(struct session *s, int64_t *rows, struct err *err);

#endif
