/*
 * One result as Markdown, to be pasted into an article or an issue: the same figures as the text
 * report, as tables. What comes from outside can't end a cell or become markup.
 */
#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#include "base/strbuf.h"
#include "result/result.h"

/* Appends the text so that it stands for itself, also in a table's cell; NULL: "-". */
void markdown_text(struct strbuf *out, const char *text);

void report_markdown(const struct result *r, const char *result_path, struct strbuf *out);

#endif
