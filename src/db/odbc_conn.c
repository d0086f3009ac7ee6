/*
 * A connection as its worker thread sees it: connecting, preparing, running a statement with its
 * parameters, reading all that it answers, telling errors. Every call blocks.
 */
#include "db/odbc_conn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsroot.h"
#include "base/xalloc.h"
#include "config/odbcstr.h"

#define LOGIN_S 30
#define CELL_ROOM ((size_t)4096) /* bytes offered to a cell at first */
#define PARAM_ROOM ((size_t)256)
#define ROWS_MAX 50000000u

/* ---- the driver manager ---- */

static SQLHENV environment;
static pthread_once_t environment_once = PTHREAD_ONCE_INIT;

static void make_environment(void)
{
    const SQLPOINTER version = (SQLPOINTER)(uintptr_t)SQL_OV_ODBC3;

    if (!SQL_SUCCEEDED(SQLAllocHandle(SQL_HANDLE_ENV, SQL_NULL_HANDLE, &environment)))
        return;
    (void)SQLSetEnvAttr(environment, SQL_ATTR_ODBC_VERSION, version, 0);
}

SQLHENV odbc_environment(void)
{
    (void)pthread_once(&environment_once, make_environment);
    return environment;
}

SQLCHAR *odbc_sqlchar(const char *text)
{
    return (SQLCHAR *)(uintptr_t)text;
}

/* ---- errors ---- */

static bool state_is(const char *state, const char *class_or_state)
{
    return strncmp(state, class_or_state, strlen(class_or_state)) == 0;
}

/* Where the state leaves it open the driver is asked; it may ask the server, so not always. */
static bool lost(struct odbc_conn *c, const char *state)
{
    SQLUINTEGER dead = SQL_CD_FALSE;

    if (state_is(state, "08"))
        return true;
    if (!state_is(state, "HY") && !state_is(state, "57") && !state_is(state, "S1") && state[0])
        return false;
    if (!c->connected)
        return false;
    return SQL_SUCCEEDED(SQLGetConnectAttr(c->dbc, SQL_ATTR_CONNECTION_DEAD, &dead, 0, NULL)) &&
           dead == SQL_CD_TRUE;
}

int odbc_fail(struct odbc_conn *c, SQLSMALLINT kind, SQLHANDLE handle, struct err *err)
{
    SQLCHAR state[6] = "";
    SQLCHAR text[1024] = "";
    char clean[400];
    SQLINTEGER native = 0;
    SQLSMALLINT len = 0;

    if (!SQL_SUCCEEDED(SQLGetDiagRec(kind, handle, 1, state, &native, text, sizeof(text), &len)))
        (void)snprintf((char *)text, sizeof(text), "the driver gave no reason");
    odbcstr_hide(c->connection, (char *)text);
    odbc_clean_message((const char *)text, clean, sizeof(clean));
    err_set(err, c->connected ? ERR_DB : ERR_SURROUNDINGS, "%s", clean);
    if (err) {
        memcpy(err->sqlstate, state, sizeof(err->sqlstate));
        err->sqlstate[5] = '\0';
        err->native = native;
        err->owner = c->owner;
    }
    if (lost(c, (const char *)state))
        c->dead = true;
    return -1;
}

/* ---- parameters ---- */

static void set_bytes(struct odbc_statement *st, struct odbc_param *p, const struct value *v)
{
    struct strbuf text;

    strbuf_init(&text);
    odbc_put_param(&text, v);
    if (text.len + 1 > p->cap) {
        p->cap = text.len + 1 > PARAM_ROOM ? text.len * 2 : PARAM_ROOM;
        p->bytes = xreallocarray(p->bytes, p->cap, 1);
        st->bound = false;
    }
    memcpy(p->bytes, text.len ? text.buf : "", text.len + 1);
    p->len = (SQLLEN)text.len;
    strbuf_release(&text);
}

static void set_param(struct odbc_statement *st, unsigned mark, const struct value *v)
{
    struct odbc_param *p = &st->param[mark];
    const uint8_t kind = st->param_kind[st->text.from[mark]];

    p->i32 = 0;
    p->i64 = 0;
    if (kind == VALUE_I32 || kind == VALUE_I64) {
        CHECK(v->kind == VALUE_NULL || v->kind == VALUE_I32 || v->kind == VALUE_I64);
        p->i64 = v->kind == VALUE_NULL ? 0 : v->i;
        p->i32 = (SQLINTEGER)p->i64;
        p->len = 0;
    } else {
        set_bytes(st, p, v);
    }
    if (v->kind == VALUE_NULL)
        p->len = SQL_NULL_DATA;
}

static SQLRETURN bind(struct odbc_statement *st, unsigned mark)
{
    struct odbc_param *p = &st->param[mark];
    const SQLUSMALLINT number = (SQLUSMALLINT)(mark + 1);
    const uint8_t kind = st->param_kind[st->text.from[mark]];

    if (kind == VALUE_I32)
        return SQLBindParameter(st->handle, number, SQL_PARAM_INPUT, SQL_C_SLONG, SQL_INTEGER, 10,
                                0, &p->i32, 0, &p->len);
    if (kind == VALUE_I64)
        return SQLBindParameter(st->handle, number, SQL_PARAM_INPUT, SQL_C_SBIGINT, SQL_BIGINT, 19,
                                0, &p->i64, 0, &p->len);
    return SQLBindParameter(st->handle, number, SQL_PARAM_INPUT, SQL_C_CHAR, SQL_VARCHAR,
                            p->cap - 1, 0, p->bytes, (SQLLEN)p->cap, &p->len);
}

static int set_params(struct odbc_conn *c, struct odbc_statement *st, const struct value *args,
                      struct err *err)
{
    for (unsigned i = 0; i < st->text.n_marks; i++)
        set_param(st, i, &args[st->text.from[i]]);
    if (st->bound)
        return 0;
    for (unsigned i = 0; i < st->text.n_marks; i++)
        if (!SQL_SUCCEEDED(bind(st, i)))
            return odbc_fail(c, SQL_HANDLE_STMT, st->handle, err);
    st->bound = true;
    return 0;
}

/* ---- replies ---- */

/* One cell into the bytes, however long it is. */
static int read_cell(struct odbc_conn *c, SQLHSTMT handle, SQLUSMALLINT column, struct err *err)
{
    struct odbc_cell cell = {.at = c->bytes.len};
    size_t room = CELL_ROOM;

    for (;;) {
        char *to = strbuf_reserve(&c->bytes, room);
        SQLLEN told = 0;
        const SQLRETURN rc = SQLGetData(handle, column, SQL_C_CHAR, to, (SQLLEN)room, &told);

        if (rc == SQL_NO_DATA) /* the piece before was the last one */
            break;
        if (!SQL_SUCCEEDED(rc))
            return odbc_fail(c, SQL_HANDLE_STMT, handle, err);
        if (told == SQL_NULL_DATA) {
            cell.null = true;
            break;
        }
        if (told >= 0 && (size_t)told < room) {
            strbuf_commit(&c->bytes, (size_t)told);
            break;
        }
        strbuf_commit(&c->bytes, room - 1);
        room = told > 0 ? (size_t)told + 1 : room * 2;
    }
    cell.len = (uint32_t)(c->bytes.len - cell.at);
    strbuf_addc(&c->bytes, '\0');
    VEC_PUSH(&c->found, cell);
    return 0;
}

static int read_rows(struct odbc_conn *c, SQLHSTMT handle, struct rows_part *p, struct err *err)
{
    SQLRETURN rc;

    p->n_rows = 0;
    while ((rc = SQLFetch(handle)) != SQL_NO_DATA) {
        if (!SQL_SUCCEEDED(rc))
            return odbc_fail(c, SQL_HANDLE_STMT, handle, err);
        for (uint16_t k = 1; k <= p->n_columns; k++)
            if (read_cell(c, handle, k, err) < 0)
                return -1;
        if (++p->n_rows > ROWS_MAX)
            return err_set(err, ERR_DB, "more than %u rows in an answer", ROWS_MAX);
    }
    return 0;
}

/* All that a statement answers; the last set of rows is its reply. */
static int read_results(struct odbc_conn *c, SQLHSTMT handle, struct rows_part *p, struct err *err)
{
    const size_t first_cell = c->found.n;

    *p = (struct rows_part){.affected = -1};
    for (;;) {
        SQLSMALLINT columns = 0;
        SQLLEN affected = -1;
        SQLRETURN rc;

        if (!SQL_SUCCEEDED(SQLNumResultCols(handle, &columns)))
            return odbc_fail(c, SQL_HANDLE_STMT, handle, err);
        if (columns > 0) {
            c->found.n = first_cell;
            p->n_columns = (uint16_t)columns;
            if (read_rows(c, handle, p, err) < 0)
                return -1;
        } else if (SQL_SUCCEEDED(SQLRowCount(handle, &affected))) {
            p->affected = affected;
        }
        rc = SQLMoreResults(handle);
        if (rc == SQL_NO_DATA)
            return 0;
        if (!SQL_SUCCEEDED(rc))
            return odbc_fail(c, SQL_HANDLE_STMT, handle, err);
    }
}

/* The bytes have come to rest. */
static void settle_cells(struct odbc_conn *c, struct rows *replies)
{
    const struct cell *at;

    c->cells.n = 0;
    for (size_t i = 0; i < c->found.n; i++) {
        const struct odbc_cell *f = &c->found.at[i];
        const struct cell cell = {.text = f->null ? NULL : c->bytes.buf + f->at, .len = f->len};

        VEC_PUSH(&c->cells, cell);
    }
    at = c->cells.at;
    for (uint8_t i = 0; i < replies->n; i++) {
        struct rows_part *p = &replies->part[i];

        p->cells = at;
        at = at ? at + (size_t)p->n_rows * p->n_columns : NULL;
    }
}

/* ---- statements ---- */

void odbc_set_current(struct odbc_conn *c, SQLHSTMT handle)
{
    (void)pthread_mutex_lock(&c->lock);
    c->current = handle;
    (void)pthread_mutex_unlock(&c->lock);
}

static int make_handle(struct odbc_conn *c, struct odbc_statement *st, struct err *err)
{
    if (st->handle)
        return 0;
    if (!SQL_SUCCEEDED(SQLAllocHandle(SQL_HANDLE_STMT, c->dbc, &st->handle)))
        return odbc_fail(c, SQL_HANDLE_DBC, c->dbc, err);
    return 0;
}

static void reset_direct(struct odbc_statement *st)
{
    free(st->text.text);
    st->text = (struct odbc_text){0};
    st->bound = false;
    if (st->handle)
        (void)SQLFreeStmt(st->handle, SQL_RESET_PARAMS);
}

/* Executes and reads; the cursor is closed afterwards in any case. text NULL: it is prepared. */
static int execute(struct odbc_conn *c, struct odbc_statement *st, const char *text,
                   struct rows_part *p, struct err *err)
{
    SQLRETURN rc;
    int out = 0;

    odbc_set_current(c, st->handle);
    rc = text ? SQLExecDirect(st->handle, odbc_sqlchar(text), SQL_NTS) : SQLExecute(st->handle);
    if (!SQL_SUCCEEDED(rc) && rc != SQL_NO_DATA)
        out = odbc_fail(c, SQL_HANDLE_STMT, st->handle, err);
    else
        out = read_results(c, st->handle, p, err);
    odbc_set_current(c, SQL_NULL_HSTMT);
    (void)SQLFreeStmt(st->handle, SQL_CLOSE);
    return out;
}

static int run_direct(struct odbc_conn *c, const struct worker_part *part, struct rows_part *p,
                      struct err *err)
{
    struct odbc_statement *st = &c->direct;

    reset_direct(st);
    if (make_handle(c, st, err) < 0)
        return -1;
    if (part->stmt.n_params == 0)
        return execute(c, st, part->stmt.text, p, err);
    if (odbc_translate(&part->stmt, &c->binds, &st->text, err) < 0)
        return -1;
    memcpy(st->param_kind, part->stmt.param_kind, sizeof(st->param_kind));
    if (set_params(c, st, part->args, err) < 0)
        return -1;
    return execute(c, st, st->text.text, p, err);
}

/* Preparing spares nothing where there is no parameter; and what SQL Server has prepared must leave
 * as many transactions open as it found, which a BEGIN does not. */
static bool sent_as_it_is(const struct odbc_statement *st)
{
    return st->text.n_marks == 0;
}

static int run_part(struct odbc_conn *c, const struct worker_part *part, struct rows_part *p,
                    struct err *err)
{
    struct odbc_statement *st = NULL;

    if (part->prepared < 0)
        return run_direct(c, part, p, err);
    st = &c->prepared[part->prepared];
    if (set_params(c, st, part->args, err) < 0)
        return -1;
    return execute(c, st, sent_as_it_is(st) ? st->text.text : NULL, p, err);
}

static int run_text(struct odbc_conn *c, const char *sql, bool named, struct err *err)
{
    struct worker_part part = {.prepared = -1, .stmt = {.text = sql}};
    struct rows_part unseen;

    if (named) {
        part.stmt.n_params = 1;
        part.stmt.param_kind[0] = VALUE_TEXT;
        part.args[0] = value_text(c->name, strlen(c->name));
    }
    if (run_direct(c, &part, &unseen, err) < 0)
        return err_wrap(err, "settings of a connection");
    return 0;
}

/* What the failed statement left is ended at once, and not only before the next try: it holds
 * locks. That this fails too tells nothing that the next statement does not. */
static void after_failure(struct odbc_conn *c)
{
    struct err unseen = {0};

    if (c->after_failure_sql && !c->dead)
        (void)run_text(c, c->after_failure_sql, false, &unseen);
}

static int conn_run(void *conn, const struct worker_order *order, struct rows *replies,
                    struct err *err)
{
    struct odbc_conn *c = conn;

    int rc = 0;

    c->found.n = 0;
    strbuf_reset(&c->bytes);
    replies->n = order->n;
    for (uint8_t i = 0; i < order->n && rc == 0; i++)
        rc = run_part(c, &order->part[i], &replies->part[i], err);
    if (rc < 0)
        after_failure(c);
    else
        settle_cells(c, replies);
    close_fd(&c->file_fd);
    return rc;
}

static int conn_bulk(void *conn, struct rows *replies, struct err *err)
{
    replies->n = 0;
    return odbc_array_run(conn, err);
}

/* ---- life ---- */

static int prepare_all(struct odbc_conn *c, struct err *err)
{
    for (uint16_t i = 0; i < c->n_prepared; i++) {
        struct odbc_statement *st = &c->prepared[i];

        if (make_handle(c, st, err) < 0)
            return -1;
        if (!sent_as_it_is(st) &&
            !SQL_SUCCEEDED(SQLPrepare(st->handle, odbc_sqlchar(st->text.text), SQL_NTS))) {
            (void)odbc_fail(c, SQL_HANDLE_STMT, st->handle, err);
            return err_wrap(err, "preparing %s", st->name);
        }
    }
    return 0;
}

/* How another thread is to end what this session is at. */
static int ask_cancel(struct odbc_conn *c, struct err *err)
{
    struct worker_order order = {.n = 1,
                                 .part[0] = {.prepared = -1, .stmt = {.text = c->cancel_ask_sql}}};
    struct rows answer;
    const struct rows_part *p = &answer.part[0];

    if (conn_run(c, &order, &answer, err) < 0)
        return err_wrap(err, "odbc_cancel");
    if (p->n_rows != 1 || p->n_columns != 1 || !rows_cell(p, 0, 0)->text)
        return err_set(err, ERR_USAGE, "odbc_cancel: the answer is not a statement");
    (void)pthread_mutex_lock(&c->lock);
    c->cancel_sql = xstrdup(rows_cell(p, 0, 0)->text);
    (void)pthread_mutex_unlock(&c->lock);
    return 0;
}

/* To what the driver manager says of a name that it does not know. */
static void add_where_names_are(struct err *err)
{
    const size_t n = err ? strlen(err->text) : 0;

    if (!err)
        return;
    if (state_is(err->sqlstate, "IM") || state_is(err->sqlstate, "01000"))
        (void)snprintf(err->text + n, sizeof(err->text) - n,
                       " (odbcinst -q -d lists the drivers, -q -s the data sources)");
}

static int conn_open(void *conn, struct err *err)
{
    struct odbc_conn *c = conn;
    const SQLPOINTER login_s = (SQLPOINTER)(uintptr_t)LOGIN_S;

    if (!odbc_environment() || !SQL_SUCCEEDED(SQLAllocHandle(SQL_HANDLE_DBC, environment, &c->dbc)))
        return err_set(err, ERR_SURROUNDINGS, "the ODBC driver manager gives no handle");
    (void)SQLSetConnectAttr(c->dbc, SQL_ATTR_LOGIN_TIMEOUT, login_s, SQL_IS_UINTEGER);
    if (!SQL_SUCCEEDED(SQLDriverConnect(c->dbc, NULL, odbc_sqlchar(c->connection), SQL_NTS, NULL, 0,
                                        NULL, SQL_DRIVER_NOPROMPT))) {
        (void)odbc_fail(c, SQL_HANDLE_DBC, c->dbc, err);
        add_where_names_are(err);
        return err_wrap(err, "connecting through ODBC");
    }
    c->connected = true;
    odbc_find_out(c);
    if (c->session_sql && run_text(c, c->session_sql, c->session_named, err) < 0)
        return -1;
    if (c->session_run_sql && run_text(c, c->session_run_sql, false, err) < 0)
        return -1;
    if (c->cancel_ask_sql && ask_cancel(c, err) < 0)
        return -1;
    return prepare_all(c, err);
}

static bool conn_alive(void *conn)
{
    const struct odbc_conn *c = conn;

    return c->connected && !c->dead;
}

static void conn_cancel(void *conn)
{
    odbc_cancel_current(conn);
}

static void release_statement(struct odbc_statement *st)
{
    if (st->handle)
        (void)SQLFreeHandle(SQL_HANDLE_STMT, st->handle);
    for (size_t i = 0; i < ODBC_MARKS_MAX; i++)
        free(st->param[i].bytes);
    free(st->text.text);
    free(st->name);
}

static void conn_close(void *conn)
{
    struct odbc_conn *c = conn;

    odbc_array_release(&c->array);
    close_fd(&c->file_fd);
    release_statement(&c->direct);
    for (uint16_t i = 0; i < c->n_prepared; i++)
        release_statement(&c->prepared[i]);
    free(c->prepared);
    if (c->connected)
        (void)SQLDisconnect(c->dbc);
    if (c->dbc)
        (void)SQLFreeHandle(SQL_HANDLE_DBC, c->dbc);
    (void)pthread_mutex_destroy(&c->lock);
    for (size_t i = 0; i < ODBC_KINDS; i++)
        free((void *)(uintptr_t)c->binds.of[i]);
    if (c->connection)
        explicit_bzero(c->connection, strlen(c->connection));
    free(c->connection);
    free(c->name);
    free(c->session_sql);
    free(c->session_run_sql);
    free(c->after_failure_sql);
    free(c->cancel_ask_sql);
    free(c->cancel_sql);
    VEC_RELEASE(&c->found);
    VEC_RELEASE(&c->cells);
    strbuf_release(&c->bytes);
    free(c);
}

const struct worker_ops odbc_worker_ops = {
    .open = conn_open,
    .run = conn_run,
    .bulk = conn_bulk,
    .alive = conn_alive,
    .cancel = conn_cancel,
    .close = conn_close,
};
