/*
 * Comma-separated files of a result directory: written cell by cell, read line by line in place.
 * An empty cell means "none". Cells with a comma, a quote or a line end are quoted (RFC 4180).
 */
#ifndef RESULT_CSV_H
#define RESULT_CSV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"

/* Each puts a comma in front unless it is the first of its line; csv_end() ends the line. */
/* A control character is a "?": a table is also shown on a terminal. */
void csv_text(struct strbuf *out, const char *text);
void csv_whole(struct strbuf *out, int64_t value); /* negative: empty */
void csv_count(struct strbuf *out, uint64_t value);
void csv_figure(struct strbuf *out, double value, int digits); /* NaN: empty */
void csv_end(struct strbuf *out);

struct csv {
    char *at;    /* what is not read yet */
    size_t line; /* of the row in cells, from 1 */
    VEC(char *) cells;
};

/* text is cut up in place and must outlive the reader. csv_release() it. */
void csv_init(struct csv *c, char *text);
void csv_release(struct csv *c);
/* "line 7: <text>". Returns -1. */
int csv_complain(const struct csv *c, struct err *err, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* One cell of the row; `name` is the column's, for the message. Empty: -1, NaN. */
int csv_get_whole(const struct csv *c, size_t cell, const char *name, int64_t *out,
                  struct err *err) MUST_CHECK;
int csv_get_figure(const struct csv *c, size_t cell, const char *name, double *out,
                   struct err *err) MUST_CHECK;
/* As csv_get_figure, which takes no negative number. */
int csv_get_level(const struct csv *c, size_t cell, const char *name, double *out,
                  struct err *err) MUST_CHECK;
/* Not empty. */
int csv_get_count(const struct csv *c, size_t cell, const char *name, uint64_t *out,
                  struct err *err) MUST_CHECK;
/* The first row must begin with these columns; more may follow (a later program's). */
int csv_expect_header(struct csv *c, const char *const *names, size_t n,
                      struct err *err) MUST_CHECK;
/* The next row into cells, which must be n: 1; at the end 0; -1 and err where they are not, or the
 * file ends within the row. */
int csv_next_of(struct csv *c, size_t n, struct err *err) MUST_CHECK;

#endif
