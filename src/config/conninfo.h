/*
 * PostgreSQL connection strings as text, in the keyword form ("host=db1 password='x y'") and the
 * URI form ("postgresql://user:secret@db1/tpcc?sslmode=require"): read just far enough to leave
 * secrets out and to see which host is meant. Connecting is libpq's part.
 */
#ifndef CONFIG_CONNINFO_H
#define CONFIG_CONNINFO_H

#include <stdbool.h>

/* The same connection without its secrets (password, sslpassword, ...), in the same form; where the
 * text can't be read safely: CONNINFO_NOT_SHOWN. free() it. */
#define CONNINFO_NOT_SHOWN "(not a connection string)"
char *config_redact_conninfo(const char *conninfo);

/* Well-formed as far as this file reads it. */
bool conninfo_is_valid(const char *conninfo);

/* The first host or hostaddr that is not this machine: neither a socket directory nor localhost, a
 * loopback address or this machine's own name. NULL where there is none; free() it. What neither
 * the string nor PGHOST and PGHOSTADDR names is a local socket. A service file is not read. */
char *conninfo_other_host(const char *conninfo);

#endif
