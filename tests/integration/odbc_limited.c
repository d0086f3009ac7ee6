/*
 * An ODBC driver that is another one but for what it can't do: it takes no arrays of parameters,
 * though it says yes when it is given one. Linked with the other driver, in which the driver
 * manager finds all that is not here.
 */
#include <dlfcn.h>
#include <sql.h>
#include <sqlext.h>

/* What dlsym finds: ISO C casts no pointer to an object into one to a function. */
union other {
    void *found;
    SQLRETURN (*set)(SQLHSTMT, SQLINTEGER, SQLPOINTER, SQLINTEGER);
    SQLRETURN (*info)(SQLHDBC, SQLUSMALLINT, SQLPOINTER, SQLSMALLINT, SQLSMALLINT *);
};

static SQLRETURN set(const char *name, SQLHSTMT stmt, SQLINTEGER what, SQLPOINTER value,
                     SQLINTEGER len)
{
    const union other other = {.found = dlsym(RTLD_NEXT, name)};

    if (what == SQL_ATTR_PARAMSET_SIZE)
        value = (SQLPOINTER)1;
    return other.found ? other.set(stmt, what, value, len) : SQL_ERROR;
}

SQLRETURN SQL_API SQLSetStmtAttr(SQLHSTMT stmt, SQLINTEGER what, SQLPOINTER value, SQLINTEGER len)
{
    return set("SQLSetStmtAttr", stmt, what, value, len);
}

SQLRETURN SQL_API SQLSetStmtAttrW(SQLHSTMT stmt, SQLINTEGER what, SQLPOINTER value, SQLINTEGER len)
{
    return set("SQLSetStmtAttrW", stmt, what, value, len);
}

/* The name in characters of `size` bytes, as the driver manager asks for it. */
static SQLRETURN name(char *out, SQLSMALLINT room, SQLSMALLINT *len, SQLSMALLINT size)
{
    static const char text[] = "MySQL";

    for (SQLSMALLINT i = 0; out && i < (SQLSMALLINT)sizeof(text) && (i + 1) * size <= room; i++) {
        out[i * size] = text[i];
        if (size > 1)
            out[i * size + 1] = '\0';
    }
    if (len)
        *len = (SQLSMALLINT)((sizeof(text) - 1) * (size_t)size);
    return SQL_SUCCESS;
}

SQLRETURN SQL_API SQLGetInfo(SQLHDBC dbc, SQLUSMALLINT what, SQLPOINTER out, SQLSMALLINT room,
                             SQLSMALLINT *len)
{
    const union other other = {.found = dlsym(RTLD_NEXT, "SQLGetInfo")};

    return what == SQL_DBMS_NAME ? name(out, room, len, 1) : other.info(dbc, what, out, room, len);
}

SQLRETURN SQL_API SQLGetInfoW(SQLHDBC dbc, SQLUSMALLINT what, SQLPOINTER out, SQLSMALLINT room,
                              SQLSMALLINT *len)
{
    const union other other = {.found = dlsym(RTLD_NEXT, "SQLGetInfoW")};

    return what == SQL_DBMS_NAME ? name(out, room, len, sizeof(SQLWCHAR))
                                 : other.info(dbc, what, out, room, len);
}
