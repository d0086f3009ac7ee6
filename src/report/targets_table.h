/*
 * What all reports of several targets share: their rows with the sum behind them, and what is said
 * of them in words. The columns are a ladder's.
 */
#ifndef REPORT_TARGETS_TABLE_H
#define REPORT_TARGETS_TABLE_H

#include "base/strbuf.h"
#include "report/ladder_table.h"
#include "result/targets.h"

#define TARGETS_SUM "sum"

/* Rows of the tables: the targets and, where there is one, their sum. */
size_t targets_rows(const struct targets *t);
const char *targets_row_name(const struct targets *t, size_t row);
const struct ladder_step *targets_row_run(const struct targets *t, size_t row);

/* "2 of 2 targets, ended as planned". */
void targets_say_state(const struct targets *t, struct strbuf *out);
/* The worst verdict, and whose it is with which reasons. */
void targets_say_verdict(const struct targets *t, struct strbuf *out);
/* How many are in the sum, and that it is of added histograms. */
void targets_say_sum(const struct targets *t, struct strbuf *out);
void targets_say_driver(const struct targets *t, struct strbuf *out);
/* Devices that several lie on; appends nothing where there are none. */
void targets_say_shared(const struct targets *t, struct strbuf *out);
/* On what a target ran, what limited it, its verdict, its directory. */
void targets_say_target(const struct target_row *row, struct strbuf *out);

#endif
