/*
 * A comparison as Markdown, to be pasted into an article or an issue. What comes from outside can't
 * end a cell or become markup.
 */
#ifndef REPORT_COMPARE_MARKDOWN_H
#define REPORT_COMPARE_MARKDOWN_H

#include "base/strbuf.h"
#include "report/compare.h"

void compare_markdown(const struct compare *c, struct strbuf *out);

#endif
