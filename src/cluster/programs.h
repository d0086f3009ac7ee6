/*
 * Where PostgreSQL's programs are: Debian's and Red Hat's folders by version, then PATH. Runs
 * `postgres --version` of what it finds; changes nothing.
 */
#ifndef CLUSTER_PROGRAMS_H
#define CLUSTER_PROGRAMS_H

#include "base/err.h"
#include "base/fsroot.h"

enum { PROGRAMS_OLDEST = 14, PROGRAMS_NEWEST = 18 }; /* majors we know */

struct programs {
    char *bin_dir; /* holds initdb and postgres */
    int major;
    char version[32]; /* "15.20" */
};

struct programs_where {
    const struct fsroot *root; /* the machine, or a test's tree */
    const char *path_env;      /* PATH; NULL: not looked at */
    const char *bin_dir;       /* only this one; NULL: all */
};

/* want_major 0: the newest we know. Otherwise exactly that one: that of an existing cluster, and
 * the error says what to install. programs_release() it. */
int programs_find(const struct programs_where *where, int want_major, struct programs *out,
                  struct err *err) MUST_CHECK;
void programs_release(struct programs *p);
/* "postgres (PostgreSQL) 15.20 (Debian ...)": the major and "15.20". -1 for another text. */
int programs_parse_version(const char *line, int *major, char *version, size_t size);

#endif
