/*
 * A connection string as the run uses it: host names resolved once, at preflight, since resolving
 * blocks and the loop must not.
 */
#ifndef DB_CONNINFO_H
#define DB_CONNINFO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct conninfo_place {
    bool local; /* a socket directory, a loopback address, or no host at all */
    char *host; /* as the user named it; "" where none; free() it */
};

/* The string (keywords or URI) as keywords with hostaddr added for a host name (free() it; it may
 * hold a secret). NULL and ERR_USAGE where it can't be parsed, ERR_SURROUNDINGS where a name can't
 * be resolved. No secret is in an error. */
char *conninfo_resolve(const char *conninfo, struct conninfo_place *place, struct err *err);

/* From here on libpq takes nothing from PGHOSTADDR, PGOPTIONS, PGSERVICE and its other variables.
 * They are meant for the user's servers: one that is ours would be another one with them, or none.
 * Before other threads are started. */
void conninfo_forget_environment(void);

/* "libpq 15.6". */
void conninfo_driver_version(char *buf, size_t size);

#endif
