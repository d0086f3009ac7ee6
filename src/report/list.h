/*
 * The results below a directory, one line each: when, label, drive, users, TPS, mean response,
 * verdict; sorted by place and time. What is no readable result has a line that says why.
 */
#ifndef REPORT_LIST_H
#define REPORT_LIST_H

#include "base/err.h"
#include "base/strbuf.h"

/* For a terminal of 80 columns, grouped by parent directory. -1: `path` itself can't be read. */
int list_text(const char *path, struct strbuf *out, struct err *err) MUST_CHECK;
/* For a spreadsheet: a header, then a row for each result with its directory. */
int list_csv(const char *path, struct strbuf *out, struct err *err) MUST_CHECK;

#endif
