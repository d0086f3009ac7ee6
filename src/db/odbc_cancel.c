/*
 * Ending what a connection is at, from another thread. SQLCancel is made for that, but not every
 * driver's is fit for it: MariaDB's (3.1.15), where it comes a moment before or after the statement
 * is at the server, frees the statement's rows under the thread that reads them. So a dialect may
 * have a question (odbc_cancel), asked on connecting, whose answer is the statement that ends what
 * the session is at; it is said over a connection of its own. Either way the thread can't leave its
 * statement meanwhile, so that nothing later is hit.
 */
#include <string.h>

#include "db/odbc_conn.h"

#define LOGIN_S 5

static SQLHDBC connect_anew(const struct odbc_conn *c)
{
    const SQLPOINTER login_s = (SQLPOINTER)(uintptr_t)LOGIN_S;
    SQLHDBC dbc = SQL_NULL_HDBC;

    if (!SQL_SUCCEEDED(SQLAllocHandle(SQL_HANDLE_DBC, odbc_environment(), &dbc)))
        return SQL_NULL_HDBC;
    (void)SQLSetConnectAttr(dbc, SQL_ATTR_LOGIN_TIMEOUT, login_s, SQL_IS_UINTEGER);
    if (SQL_SUCCEEDED(SQLDriverConnect(dbc, NULL, odbc_sqlchar(c->connection), SQL_NTS, NULL, 0,
                                       NULL, SQL_DRIVER_NOPROMPT)))
        return dbc;
    (void)SQLFreeHandle(SQL_HANDLE_DBC, dbc);
    return SQL_NULL_HDBC;
}

static void say(SQLHDBC dbc, const char *sql)
{
    SQLHSTMT handle = SQL_NULL_HSTMT;

    if (!SQL_SUCCEEDED(SQLAllocHandle(SQL_HANDLE_STMT, dbc, &handle)))
        return;
    (void)SQLExecDirect(handle, odbc_sqlchar(sql), SQL_NTS);
    (void)SQLFreeHandle(SQL_HANDLE_STMT, handle);
}

void odbc_cancel_current(struct odbc_conn *c)
{
    SQLHDBC dbc;

    (void)pthread_mutex_lock(&c->lock);
    if (c->current && !c->cancel_sql) {
        (void)SQLCancel(c->current);
    } else if (c->current) {
        dbc = connect_anew(c);
        if (dbc) {
            say(dbc, c->cancel_sql);
            (void)SQLDisconnect(dbc);
            (void)SQLFreeHandle(SQL_HANDLE_DBC, dbc);
        }
    }
    (void)pthread_mutex_unlock(&c->lock);
}
