/*
 * Several results side by side: reads them and prints their comparison, for tpcc-report and at the
 * end of repeats.
 */
#ifndef CMD_SIDE_BY_SIDE_H
#define CMD_SIDE_BY_SIDE_H

#include "base/err.h"
#include "base/vec.h"
#include "config/config.h"
#include "result/repeats.h"

/* Directories of results. Zeroed: none. */
struct side_paths {
    char **at;
    size_t n, cap;
};
/* Those of a set's runs, which lie below `dir`. */
void side_by_side_paths(const struct repeats *all, const char *dir, struct side_paths *out);
void side_paths_release(struct side_paths *p);

/* The results are c->args, two or more, or a set of repeats, which stands for its runs; several
 * targets stand for each of them, under the label of all before its own. The exit code: 0; 1 where
 * a result is invalid, or with --strict questionable or the comparison unfair; or -1 and err. */
int side_by_side(const struct config *c, struct err *err) MUST_CHECK;
/* The same of these directories; `also` (may be NULL) stands behind it. */
int side_by_side_of(const struct config *c, const char *const *paths, size_t n, const char *also,
                    struct err *err) MUST_CHECK;
/* The page of it; free() it; NULL and err where it can't be made. */
char *side_by_side_page(const char *const *paths, size_t n, struct err *err);

#endif
