/*
 * The page of a result directory, report.html: made at the end of a run and by tpcc-report.
 */
#ifndef CMD_PAGE_H
#define CMD_PAGE_H

#include "base/err.h"
#include "base/strbuf.h"
#include "result/result.h"

/* The text of dir/plan.yaml, NULL: there is none, or no file that could be one. free() it. */
char *page_read_plan(const char *dir);
/* Appends the page of r, whose plan.yaml lies in `dir` (or does not: the page says so). */
void page_make(const struct result *r, const char *dir, struct strbuf *out);
/* Writes a text to the file, "-": to standard output. */
int page_save(const char *file, const struct strbuf *text, struct err *err) MUST_CHECK;

#endif
