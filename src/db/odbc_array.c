/*
 * Loading by a statement whose parameters are arrays: the driver sends many rows at a time, or,
 * where it does not know how, says so when it is asked. The owner puts rows into the arrays while
 * its thread is idle, the thread prepares and runs the statement. Columns are bound once; numbers
 * of money and times are texts, exact to the last digit.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "db/odbc_conn.h"
#include "db/pq_encode.h"

/* ---- the owner ---- */

void odbc_array_init(struct odbc_array *a, const struct table *t, uint32_t rows, char *text)
{
    a->text = text;
    a->n_columns = t->n_columns;
    a->room = rows;
    a->status = xcalloc(rows, sizeof(*a->status));
    for (uint8_t i = 0; i < t->n_columns; i++) {
        const struct column *from = &t->columns[i];
        struct odbc_array_column *to = &a->column[i];

        to->kind = from->kind;
        if (from->kind == VALUE_I32)
            to->width = sizeof(SQLINTEGER);
        else if (from->kind == VALUE_I64)
            to->width = sizeof(SQLBIGINT);
        else if (from->kind == VALUE_TEXT)
            to->width = from->size + 1U;
        else
            to->width = (uint32_t)pq_size_max(&(struct value){.kind = from->kind});
        to->elements = xcalloc(rows, to->width);
        to->lengths = xcalloc(rows, sizeof(*to->lengths));
    }
}

static void put_element(struct odbc_array_column *col, uint32_t row, const struct value *v)
{
    char *at = col->elements + (size_t)row * col->width;
    const SQLINTEGER i32 = (SQLINTEGER)v->i;
    const SQLBIGINT i64 = v->i;

    col->lengths[row] = 0;
    if (v->kind == VALUE_NULL) {
        col->lengths[row] = SQL_NULL_DATA;
    } else if (col->kind == VALUE_I32) {
        memcpy(at, &i32, sizeof(i32));
    } else if (col->kind == VALUE_I64) {
        memcpy(at, &i64, sizeof(i64));
    } else if (v->kind == VALUE_TEXT) {
        CHECK(v->len < col->width);
        memcpy(at, v->text, v->len);
        at[v->len] = '\0';
        col->lengths[row] = v->len;
    } else {
        char *end = pq_put_text(at, v);

        *end = '\0';
        col->lengths[row] = end - at;
    }
}

void odbc_array_put(struct odbc_array *a, const struct value *row)
{
    CHECK(a->rows < a->room);
    for (uint8_t i = 0; i < a->n_columns; i++)
        put_element(&a->column[i], a->rows, &row[i]);
    a->rows++;
}

/* ---- the thread ---- */

static int bind(struct odbc_conn *c, uint8_t column, struct err *err)
{
    const struct odbc_array *a = &c->array;
    const struct odbc_array_column *col = &a->column[column];
    const SQLUSMALLINT number = (SQLUSMALLINT)(column + 1);
    SQLRETURN rc;

    if (col->kind == VALUE_I32)
        rc = SQLBindParameter(a->handle, number, SQL_PARAM_INPUT, SQL_C_SLONG, SQL_INTEGER, 10, 0,
                              col->elements, 0, col->lengths);
    else if (col->kind == VALUE_I64)
        rc = SQLBindParameter(a->handle, number, SQL_PARAM_INPUT, SQL_C_SBIGINT, SQL_BIGINT, 19, 0,
                              col->elements, 0, col->lengths);
    else
        rc = SQLBindParameter(a->handle, number, SQL_PARAM_INPUT, SQL_C_CHAR, SQL_VARCHAR,
                              col->width - 1, 0, col->elements, (SQLLEN)col->width, col->lengths);
    return SQL_SUCCEEDED(rc) ? 0 : odbc_fail(c, SQL_HANDLE_STMT, a->handle, err);
}

static int prepare(struct odbc_conn *c, struct err *err)
{
    struct odbc_array *a = &c->array;

    if (!SQL_SUCCEEDED(SQLAllocHandle(SQL_HANDLE_STMT, c->dbc, &a->handle)))
        return odbc_fail(c, SQL_HANDLE_DBC, c->dbc, err);
    if (!odbc_set_rows(a->handle, a->room))
        return err_set(err, ERR_DB, "the driver takes no arrays of parameters");
    (void)SQLSetStmtAttr(a->handle, SQL_ATTR_PARAMS_PROCESSED_PTR, &a->processed, SQL_IS_POINTER);
    (void)SQLSetStmtAttr(a->handle, SQL_ATTR_PARAM_STATUS_PTR, a->status, SQL_IS_POINTER);
    if (!SQL_SUCCEEDED(SQLPrepare(a->handle, (SQLCHAR *)a->text, SQL_NTS)))
        return odbc_fail(c, SQL_HANDLE_STMT, a->handle, err);
    for (uint8_t i = 0; i < a->n_columns; i++)
        if (bind(c, i, err) < 0)
            return -1;
    a->prepared = true;
    return 0;
}

/* A driver may answer once for all rows or once for each. */
static int read_all(struct odbc_conn *c, struct err *err)
{
    SQLRETURN rc;

    while ((rc = SQLMoreResults(c->array.handle)) != SQL_NO_DATA)
        if (!SQL_SUCCEEDED(rc))
            return odbc_fail(c, SQL_HANDLE_STMT, c->array.handle, err);
    return 0;
}

static int all_taken(const struct odbc_array *a, struct err *err)
{
    if (a->processed != a->rows)
        return err_set(err, ERR_DB, "the driver sent %lu of %u rows", (unsigned long)a->processed,
                       a->rows);
    for (uint32_t i = 0; i < a->rows; i++)
        if (a->status[i] != SQL_PARAM_SUCCESS && a->status[i] != SQL_PARAM_SUCCESS_WITH_INFO)
            return err_set(err, ERR_DB, "row %u of an array of %u was not taken", i + 1, a->rows);
    return 0;
}

static int execute(struct odbc_conn *c, struct err *err)
{
    struct odbc_array *a = &c->array;
    SQLRETURN rc;
    int out = 0;

    if (!odbc_set_rows(a->handle, a->rows))
        return odbc_fail(c, SQL_HANDLE_STMT, a->handle, err);
    a->processed = 0;
    memset(a->status, 0xff, a->rows * sizeof(*a->status));
    odbc_set_current(c, a->handle);
    rc = SQLExecute(a->handle);
    if (!SQL_SUCCEEDED(rc))
        out = odbc_fail(c, SQL_HANDLE_STMT, a->handle, err);
    else
        out = read_all(c, err);
    odbc_set_current(c, SQL_NULL_HSTMT);
    (void)SQLFreeStmt(a->handle, SQL_CLOSE);
    return out < 0 ? -1 : all_taken(a, err);
}

static void drop_handle(struct odbc_array *a)
{
    if (a->handle)
        (void)SQLFreeHandle(SQL_HANDLE_STMT, a->handle);
    a->handle = SQL_NULL_HSTMT;
    a->prepared = false;
}

int odbc_array_run(struct odbc_conn *c, struct err *err)
{
    struct odbc_array *a = &c->array;
    int rc = 0;

    if (!a->prepared)
        rc = prepare(c, err);
    else if (a->rows > 0)
        rc = execute(c, err);
    if (rc < 0 || a->last)
        drop_handle(a);
    return rc;
}

void odbc_array_release(struct odbc_array *a)
{
    drop_handle(a);
    for (uint8_t i = 0; i < a->n_columns; i++) {
        free(a->column[i].elements);
        free(a->column[i].lengths);
    }
    free(a->status);
    free(a->text);
    *a = (struct odbc_array){0};
}
