/*
 * ODBC connection strings as text: "DSN=tpcc;UID=me;PWD=secret", with values in braces where they
 * hold a semicolon. Read just far enough to leave secrets out; connecting is the driver manager's
 * part. So that no secret need stand on a command line, "@FILE" names a file that holds the string,
 * and "env:NAME" an environment variable.
 */
#ifndef CONFIG_ODBCSTR_H
#define CONFIG_ODBCSTR_H

#include <stdbool.h>

#include "base/err.h"
#include "config/spec.h"

/* The same connection without its secrets (PWD, Password, ...); "@FILE" and "env:NAME" as they are;
 * where the text can't be read safely: CONNINFO_NOT_SHOWN. free() it. */
char *odbcstr_redact(const char *text);
/* Overwrites in place what stands in a driver's text of the connection's secrets. */
void odbcstr_hide(const char *connection, char *text);
/* Well-formed as far as this file reads it. */
bool odbcstr_is_valid(const char *text);
/* The connection string that is meant: the text itself, the file's first line or the variable's
 * value. NULL and ERR_USAGE, without a secret in it; free() it. */
char *odbcstr_resolve(const char *text, struct err *err);

/* A SECRET row's value as it may be shown, by the form that the row has. free() it. */
char *config_redact(const struct spec *row, const char *text);
bool config_secret_is_valid(const struct spec *row, const char *text);

#endif
