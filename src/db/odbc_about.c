/*
 * What stands behind a connection: the database's name for itself, the driver with what it can do,
 * the driver manager. Worker's thread.
 */
#include "db/odbc_conn.h"

#include <odbcinst.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static void info(const struct odbc_conn *c, SQLUSMALLINT what, char *out, size_t size)
{
    SQLSMALLINT len = 0;

    out[0] = '\0';
    if (!SQL_SUCCEEDED(SQLGetInfo(c->dbc, what, out, (SQLSMALLINT)size, &len)))
        out[0] = '\0';
}

/* The value of a keyword in a connection string, braces taken off; false where there is none. */
static bool keyword(const char *connection, const char *key, char *out, size_t size)
{
    const size_t n = strlen(key);

    for (const char *at = connection; at && *at;
         at = strchr(at, ';') ? strchr(at, ';') + 1 : NULL) {
        size_t len;

        at += strspn(at, " ");
        if (strncasecmp(at, key, n) != 0 || at[n] != '=')
            continue;
        at += n + 1;
        at += *at == '{';
        len = strcspn(at, ";}");
        (void)snprintf(out, size, "%.*s", (int)len, at);
        return true;
    }
    return false;
}

/* What the driver's entry says of threads: 3 lets one thread into the whole driver at a time. */
static void threading(const struct odbc_conn *c, char *out, size_t size)
{
    char dsn[128] = "";
    char entry[128] = "";

    if (!keyword(c->connection, "Driver", entry, sizeof(entry)) &&
        keyword(c->connection, "DSN", dsn, sizeof(dsn)))
        (void)SQLGetPrivateProfileString(dsn, "Driver", "", entry, sizeof(entry), "odbc.ini");
    out[0] = '\0';
    if (entry[0] && entry[0] != '/')
        (void)SQLGetPrivateProfileString(entry, "Threading", "", out, (int)size, "odbcinst.ini");
    if (!out[0])
        (void)snprintf(out, size, "as the driver manager has it");
    else if (strcmp(out, "3") == 0)
        (void)snprintf(out, size, "3: one session at a time is in it");
}

static uint8_t owner_of(const char *dbms)
{
    if (strcasecmp(dbms, "MariaDB") == 0 || strcasecmp(dbms, "MySQL") == 0)
        return ERR_OWNER_MARIADB;
    if (strcasestr(dbms, "SQL Server") || strcasestr(dbms, "Babelfish"))
        return ERR_OWNER_SQLSERVER;
    return ERR_OWNER_NONE;
}

/* A driver without them refuses, or says yes and keeps 1. */
bool odbc_set_rows(SQLHSTMT handle, SQLULEN rows)
{
    SQLULEN got = 0;

    return SQL_SUCCEEDED(SQLSetStmtAttr(handle, SQL_ATTR_PARAMSET_SIZE, (SQLPOINTER)(uintptr_t)rows,
                                        SQL_IS_UINTEGER)) &&
           SQL_SUCCEEDED(SQLGetStmtAttr(handle, SQL_ATTR_PARAMSET_SIZE, &got, 0, NULL)) &&
           got == rows;
}

static bool takes_arrays(const struct odbc_conn *c)
{
    SQLHSTMT handle = SQL_NULL_HSTMT;
    bool takes = false;

    if (!SQL_SUCCEEDED(SQLAllocHandle(SQL_HANDLE_STMT, c->dbc, &handle)))
        return false;
    takes = odbc_set_rows(handle, 2);
    (void)SQLFreeHandle(SQL_HANDLE_STMT, handle);
    return takes;
}

static bool is_asynchronous(const struct odbc_conn *c)
{
    SQLUINTEGER mode = SQL_AM_NONE;

    return SQL_SUCCEEDED(SQLGetInfo(c->dbc, SQL_ASYNC_MODE, &mode, sizeof(mode), NULL)) &&
           mode != SQL_AM_NONE;
}

static const char *with(bool yes)
{
    return yes ? "with" : "without";
}

void odbc_find_out(struct odbc_conn *c)
{
    char name[64];
    char version[64];
    char odbc[16];
    char manager[64];
    char threads[64];

    info(c, SQL_DBMS_NAME, c->about.dbms, sizeof(c->about.dbms));
    info(c, SQL_DBMS_VER, c->about.version, sizeof(c->about.version));
    info(c, SQL_DRIVER_NAME, name, sizeof(name));
    info(c, SQL_DRIVER_VER, version, sizeof(version));
    info(c, SQL_DRIVER_ODBC_VER, odbc, sizeof(odbc));
    info(c, SQL_DM_VER, manager, sizeof(manager));
    threading(c, threads, sizeof(threads));
    (void)snprintf(
        c->about.driver, sizeof(c->about.driver),
        "ODBC: %s %s (of ODBC %s, %s arrays of parameters, %s asynchronous calls), driver "
        "manager %s, threading %s",
        name, version, odbc, with(takes_arrays(c)), with(is_asynchronous(c)), manager, threads);
    c->owner = owner_of(c->about.dbms);
}
