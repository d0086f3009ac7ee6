/*
 * The replies to a batch, one part per statement, cells as text as the server prints them. Lives
 * until the session's next submit. Readers answer an error for a cell that is not what was asked
 * for, since a reply is foreign.
 */
#ifndef SQL_ROWS_H
#define SQL_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "sql/batch.h"

struct cell {
    const char *text; /* NULL: SQL null */
    uint32_t len;
};

struct rows_part {
    uint32_t n_rows;
    uint16_t n_columns;
    int64_t affected;         /* -1: not told */
    const struct cell *cells; /* row by row */
};

struct rows {
    uint8_t n;
    struct rows_part part[BATCH_MAX];
};

static inline const struct cell *rows_cell(const struct rows_part *p, uint32_t row, uint16_t col)
{
    return &p->cells[(size_t)row * p->n_columns + col];
}

/* The whole cell as an integer. */
int cell_i64(const struct cell *c, int64_t *out, struct err *err) MUST_CHECK;
/* "12.34", "-10", "0.5" as cents; more than two decimals that are not 0 are an error. */
int cell_cents(const struct cell *c, int64_t *out, struct err *err) MUST_CHECK;
/* "0.1234" as ten-thousandths. */
int cell_rate(const struct cell *c, int64_t *out, struct err *err) MUST_CHECK;
/* "t"/"f"/"true"/"false"/"1"/"0". */
int cell_bool(const struct cell *c, bool *out, struct err *err) MUST_CHECK;
/* A 0-terminated copy; free() it. NULL for SQL null. */
char *cell_dup(const struct cell *c);

#endif
