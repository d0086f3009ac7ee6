/*
 * The table of distinct errors: written by the loop thread, read by main when the loop has ended.
 */
#include "run/errtable.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static bool same(const struct errtable_row *row, const char *class, const struct err *err)
{
    const bool has_code = err->sqlstate[0] || err->native != 0;

    if (strcmp(row->class, class) != 0 || strcmp(row->err.sqlstate, err->sqlstate) != 0)
        return false;
    if (row->err.native != err->native)
        return false;
    return has_code || strcmp(row->err.text, err->text) == 0;
}

void errtable_add(struct errtable *t, const char *class, const struct err *err, uint64_t now_ns)
{
    struct errtable_row *row = NULL;

    for (uint32_t i = 0; i < t->n && !row; i++)
        if (same(&t->row[i], class, err))
            row = &t->row[i];
    if (!row && t->n == ERRTABLE_ROWS) {
        row = &t->row[ERRTABLE_ROWS - 1];
        row->class = "others";
    }
    if (!row) {
        row = &t->row[t->n++];
        *row = (struct errtable_row){.class = class, .err = *err, .first_ns = now_ns};
    }
    row->count++;
}

static int more_first(const void *a, const void *b)
{
    const struct result_error *x = a;
    const struct result_error *y = b;

    return x->count > y->count ? -1 : x->count < y->count;
}

void errtable_report(const struct errtable *t, uint64_t go_ns, struct result *r)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const struct errtable_row *row = &t->row[i];
        const int64_t since_ns = (int64_t)(row->first_ns - go_ns); /* before GO: negative */
        const struct result_error e = {
            .class = xstrdup(row->class),
            .sqlstate = row->err.sqlstate[0] ? xstrdup(row->err.sqlstate) : NULL,
            .text = xstrdup(row->err.text),
            .native = row->err.native,
            .count = (int64_t)row->count,
            .first_at_s = (double)since_ns / 1e9,
        };

        VEC_PUSH(&r->errors, e);
    }
    if (r->errors.n > 0)
        qsort(r->errors.at, r->errors.n, sizeof(*r->errors.at), more_first);
}
