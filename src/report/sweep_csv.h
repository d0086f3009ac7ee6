/*
 * The points of a sweep as a table for spreadsheets: one row a point.
 */
#ifndef REPORT_SWEEP_CSV_H
#define REPORT_SWEEP_CSV_H

#include "base/strbuf.h"
#include "result/result.h"

void sweep_points_csv(const struct result *r, struct strbuf *out);

/* The same in two pieces, with a first column of this title and this value; NULL: without. */
void sweep_points_csv_titles(const char *first, struct strbuf *out);
void sweep_points_csv_rows(const struct result *r, const char *first, struct strbuf *out);

#endif
