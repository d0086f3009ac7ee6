/*
 * Inside the ODBC backend: odbc.c is its table and what its owner does, odbc_conn.c a connection
 * and its statements as its worker thread sees them, odbc_about.c what stands behind it,
 * odbc_cancel.c what another thread does to it, odbc_text.c the texts of both ways, odbc_bulk.c,
 * odbc_file.c and odbc_array.c loading. Only these files and their tests include this header.
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
/* What stands for a {word} of a loading statement; those that are not of its way are NULL. */
struct odbc_words {
    const char *schema;             /* of {table}; NULL: none */
    const struct table *table;      /* {table}, {columns} */
    const struct odbc_binds *binds; /* {marks}: a parameter for each column */
    const char *file;               /* {file} */
};
/* Appends st's text with its {words} filled in; another {word} is an error. */
int odbc_fill_in(const struct stmt *st, const struct odbc_words *words, struct strbuf *out,
                 struct err *err) MUST_CHECK;
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

/* A statement whose parameters are arrays, one element a row; text and columns are the owner's to
 * set before it is prepared, elements and `rows` before it is run (odbc_array.c). */
struct odbc_array_column {
    uint8_t kind;   /* enum value_kind */
    uint32_t width; /* of an element; a text's terminating 0 included */
    char *elements;
    SQLLEN *lengths;
};
struct odbc_array {
    SQLHSTMT handle;
    char *text;
    bool prepared;
    bool last; /* of the table: the statement is dropped once it has run */
    uint8_t n_columns;
    struct odbc_array_column column[TABLE_COLUMNS_MAX];
    uint32_t room;
    uint32_t rows;
    SQLULEN processed;
    SQLUSMALLINT *status;
};

/*
 * Everything that the thread uses is its own; `array` and `file_fd` are the owner's to touch while
 * no order is under way. `current` and `cancel_sql` are touched under `lock` alone: the statement
 * that is inside the driver, and what ends it.
 */
struct odbc_conn {
    char *connection; /* may hold a secret */
    char *name;       /* of our program */
    struct odbc_binds binds;
    char *session_sql;     /* odbc_session, or NULL */
    bool session_named;    /* it has a parameter */
    char *session_run_sql; /* odbc_session_run, where transactions run here, or NULL */
    char *after_failure_sql;
    char *cancel_ask_sql; /* odbc_cancel, or NULL */
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
    char *cancel_sql; /* NULL: SQLCancel does it */
    struct db_about about;
    struct odbc_array array;
    int file_fd; /* where rows come from, open until the next order has ended; -1: none */
};

extern const struct worker_ops odbc_worker_ops;

/* One for the process, as long as it lives; NULL: the driver manager gave none. */
SQLHENV odbc_environment(void);
/* The driver manager's functions forgot the const. */
SQLCHAR *odbc_sqlchar(const char *text);
/* For odbc_array.c: the driver's reason, and which statement cancel means. */
int odbc_fail(struct odbc_conn *c, SQLSMALLINT kind, SQLHANDLE handle, struct err *err);
void odbc_set_current(struct odbc_conn *c, SQLHSTMT handle);

/* ---- odbc_about.c ---- */

/* Fills c->about and c->owner of a connection that stands. */
void odbc_find_out(struct odbc_conn *c);
/* How many rows a statement's parameters have; false where the driver takes no arrays. */
bool odbc_set_rows(SQLHSTMT handle, SQLULEN rows);

/* ---- odbc_cancel.c ---- */

/* Any thread's: asks the server to end what is inside the driver, if anything is. May block. */
void odbc_cancel_current(struct odbc_conn *c);

/* ---- odbc_array.c ---- */

/* The owner's: columns and room for `rows` rows, of a statement whose text it takes over. */
void odbc_array_init(struct odbc_array *a, const struct table *t, uint32_t rows, char *text);
void odbc_array_put(struct odbc_array *a, const struct value *row);
/* The thread's: prepares the statement, and runs it once it is. It is gone from the driver after
 * the last one and after a failure; so release is anybody's then. */
int odbc_array_run(struct odbc_conn *c, struct err *err);
void odbc_array_release(struct odbc_array *a);

/* ---- odbc_bulk.c ---- */

/* What a dialect's bulk_... blocks offer. */
enum odbc_way { ODBC_WAY_INSERT, ODBC_WAY_FILE, ODBC_WAY_ARRAY };

struct odbc_bulk {
    bool chosen; /* by what driver and server were seen to take; for the session's life */
    enum odbc_way way;
    const struct stmt *stmt;   /* the way's; NULL: odbc_bulk.c's own INSERT */
    size_t packet_bytes;       /* the server's limit; 0: it tells none */
    const struct table *table; /* NULL: none under way */
    const char *schema;
    int64_t rows;
    struct strbuf head; /* INSERT: up to the rows */
    struct strbuf sql;
    uint32_t rows_in;
    size_t sql_bytes; /* at which a statement is ended */
    int pipe_fd;      /* file: where rows are written to; -1: none */
    char *buf;
    size_t len;
    size_t cap;
    unsigned step; /* of the statement that reads the file */
};

/* ---- odbc_file.c: the owner's side ---- */

int odbc_file_begin(struct session *s, struct err *err);
int odbc_file_put(struct session *s, const struct value *row, struct err *err);
int odbc_file_end(struct session *s, struct err *err);
void odbc_file_release(struct session *s);

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
