/*
 * The distinct errors of a run: each with its first text, how often and when first. Bounded: what
 * finds no room is counted in the last row. Two errors are the same where class, SQLSTATE and
 * native code are, and, where there is neither code, the text. One owner.
 */
#ifndef RUN_ERRTABLE_H
#define RUN_ERRTABLE_H

#include <stdint.h>

#include "base/err.h"
#include "result/result.h"

#define ERRTABLE_ROWS 64

struct errtable_row {
    const char *class; /* static text */
    struct err err;    /* the first of its kind */
    uint64_t count;
    uint64_t first_ns;
};

struct errtable {
    uint32_t n;
    struct errtable_row row[ERRTABLE_ROWS];
};

/* class is a static text: what it meant for the run. */
void errtable_add(struct errtable *t, const char *class, const struct err *err, uint64_t now_ns);
/* Appends all to r->errors, times from go_ns; the most frequent first. */
void errtable_report(const struct errtable *t, uint64_t go_ns, struct result *r);

#endif
