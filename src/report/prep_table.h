/*
 * A preparation as a page and as Markdown: its steps in one table, with what each found. The text
 * report says the same in sentences (report/prep.h).
 */
#ifndef REPORT_PREP_TABLE_H
#define REPORT_PREP_TABLE_H

#include "base/strbuf.h"
#include "result/result.h"

/* A whole page; r is of kind "prep". */
void prep_html(const struct result *r, struct strbuf *out);
/* What follows title and verdict. */
void prep_markdown(const struct result *r, struct strbuf *out);

#endif
