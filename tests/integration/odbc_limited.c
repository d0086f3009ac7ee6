/*
 * An ODBC driver that is another one but for what it can't do: it takes no arrays of parameters,
 * though it says yes when it is given one. Linked with the other driver, in which the driver
 * manager finds all that is not here.
 */
#include <dlfcn.h>
#include <sql.h>
#include <sqlext.h>

typedef SQLRETURN (*set_fn)(SQLHSTMT, SQLINTEGER, SQLPOINTER, SQLINTEGER);

static SQLRETURN set(const char *name, SQLHSTMT stmt, SQLINTEGER what, SQLPOINTER value,
                     SQLINTEGER len)
{
    const set_fn other = (set_fn)dlsym(RTLD_NEXT, name);

    if (what == SQL_ATTR_PARAMSET_SIZE)
        value = (SQLPOINTER)1;
    return other ? other(stmt, what, value, len) : SQL_ERROR;
}

SQLRETURN SQL_API SQLSetStmtAttr(SQLHSTMT stmt, SQLINTEGER what, SQLPOINTER value, SQLINTEGER len)
{
    return set("SQLSetStmtAttr", stmt, what, value, len);
}

SQLRETURN SQL_API SQLSetStmtAttrW(SQLHSTMT stmt, SQLINTEGER what, SQLPOINTER value, SQLINTEGER len)
{
    return set("SQLSetStmtAttrW", stmt, what, value, len);
}
