/*
 * The report as one page: a file that needs no network, with style, scripts and the raw series in
 * it, that prints and reads without scripts too. Made from a result, live or read back, to the byte
 * the same.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "base/strbuf.h"
#include "result/result.h"

/* plan_yaml: the text of the result's plan.yaml, NULL where there is none. Limit: the series of as
 * many devices as keep the page below 3 MB are in it, the first ones; it says how many of how many.
 */
void report_html(const struct result *r, const char *plan_yaml, struct strbuf *out);

#endif
