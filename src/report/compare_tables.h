/*
 * The figures of a comparison as tables that text, Markdown and HTML lay out each in its way: a row
 * a group, and below it one for each of its runs where there are several.
 */
#ifndef REPORT_COMPARE_TABLES_H
#define REPORT_COMPARE_TABLES_H

#include "report/compare.h"

#define COMPARE_COLUMNS_MAX 9

struct compare_row {
    const struct compare_group *group;
    const struct compare_run *run; /* NULL: the row of the group as a whole */
};

/* All rows, in order; `row` has room for 2 x COMPARE_RUNS_MAX. Their number. */
size_t compare_rows(const struct compare *c, struct compare_row *row);

enum compare_table {
    COMPARE_TABLE_FIGURES,     /* TPS, per cent of the ceiling, response */
    COMPARE_TABLE_TYPES,       /* the measure of each transaction */
    COMPARE_TABLE_TRANSACTION, /* I/O of one transaction */
    COMPARE_TABLE_DRIVE,       /* rates of the drive, all its devices together */
    COMPARE_TABLES
};

struct compare_columns {
    const char *title;
    const char *head[COMPARE_COLUMNS_MAX];
    size_t n;
};
/* What table `t` shows. */
struct compare_columns compare_columns_of(const struct compare *c, enum compare_table t);
/* The figures of one row: of a group the means of its runs (the greatest of maxima); NaN: none. */
void compare_cells(const struct compare *c, enum compare_table t, const struct compare_row *row,
                   double *figure);

#endif
