/*
 * The reports of several targets that were loaded at once: text, page, Markdown, and a table for a
 * spreadsheet. Made from their document as result.json holds it, so that they are the same at the
 * end and from its directory.
 */
#ifndef REPORT_TARGETS_H
#define REPORT_TARGETS_H

#include "base/strbuf.h"
#include "result/targets.h"

/* 80 columns; the last line names the result. */
void targets_text(const struct targets *t, const char *result_path, struct strbuf *out);
void targets_html(const struct targets *t, struct strbuf *out);
void targets_markdown(const struct targets *t, const char *result_path, struct strbuf *out);
/* A row a target, then their sum. */
void targets_csv(const struct targets *t, struct strbuf *out);

#endif
