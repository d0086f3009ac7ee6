/*
 * Where the program's own data (schema/, workloads/, config/) lies: in the source tree that it was
 * built in, else where `make install` put it.
 */
#ifndef CONFIG_DATADIR_H
#define CONFIG_DATADIR_H

#include "base/err.h"

/* The absolute path; free() it. NULL and err where there is none. */
char *datadir_find(struct err *err);
/* As above for a program at this path, with `installed` as the last place to look at. */
char *datadir_find_for(const char *program, const char *installed, struct err *err);

#endif
