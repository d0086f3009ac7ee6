/*
 * Any database with an ODBC driver, through unixODBC.
 *
 * The connection string is a driver manager's ("DSN=tpcc" or "Driver=...;Server=..."); one without
 * "=" is the name of a DSN. What a database wants otherwise than PostgreSQL through libpq stands in
 * the dialect, in blocks that need not be there:
 *   odbc_session      run on each connection once it stands; its one parameter, if any, is the
 *                     name of our program
 *   odbc_session_run  ... and on those that run transactions
 *   odbc_after_failure  on such a connection, where a failed statement leaves a transaction open
 *   odbc_KIND         how a parameter of that kind stands in a statement, with one ? (KIND: i32,
 *                     i64, cents, rate, text, time, array): "cast(? as numeric)"
 * Numbers of money and times travel as text, exact to the last digit; an array as "1,2,3".
 */
#ifndef DB_ODBC_H
#define DB_ODBC_H

#include "db/session.h"

extern const struct db_ops odbc_ops;

#endif
