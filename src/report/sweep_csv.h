/*
 * The points of a sweep as a table for spreadsheets: one row a point.
 */
#ifndef REPORT_SWEEP_CSV_H
#define REPORT_SWEEP_CSV_H

#include "base/strbuf.h"
#include "result/result.h"

void sweep_points_csv(const struct result *r, struct strbuf *out);

#endif
