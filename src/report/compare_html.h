/*
 * A comparison as one page: what makes it unfair, what can be said, bars with intervals, percentile
 * curves and time lines over each other, tables. A file that needs no network and reads without
 * scripts too.
 */
#ifndef REPORT_COMPARE_HTML_H
#define REPORT_COMPARE_HTML_H

#include "base/strbuf.h"
#include "report/compare.h"

/* `more`: markup of further sections, of what is compared beside the runs; NULL: none. */
void compare_html(const struct compare *c, const char *more, struct strbuf *out);

/* The sections "Time lines" and "Percentiles", and their points for compare.js (compare_charts.c).
 * Time is cut into at most COMPARE_POINTS pieces, the same for all runs. */
#define COMPARE_POINTS 1200
void compare_html_charts(const struct compare *c, struct strbuf *out);

#endif
