/*
 * Steadiness in words and as a table of the page.
 */
#ifndef REPORT_STEADINESS_H
#define REPORT_STEADINESS_H

#include "base/strbuf.h"
#include "result/result.h"

/* One sentence without a full stop: judged or why not, and the worst measure. */
void report_steadiness(const struct result *r, struct strbuf *out);
/* The table of the judged window, round by round. */
void html_steadiness(const struct result *r, struct strbuf *out);

#endif
