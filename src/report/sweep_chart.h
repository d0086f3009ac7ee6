/*
 * Curves of latency over IOPS as pictures within a page (SVG): a curve may turn back on itself, so
 * it is drawn point by point, not as a function. No script; colours are the page's.
 */
#ifndef REPORT_SWEEP_CHART_H
#define REPORT_SWEEP_CHART_H

#include "base/strbuf.h"
#include "result/result.h"

#define SWEEP_LINES_MAX 40

/* One drive's curve, or a point of its own (a database run's I/O). */
struct sweep_line {
    const char *name;
    const struct sweep_profile *profile; /* NULL: only the point */
    double iops, latency_us;             /* of the point */
};

/* Appends <figure> with its legend; n <= SWEEP_LINES_MAX. `title` and `says` may be any text. */
struct sweep_chart {
    const char *title, *says;
    const struct sweep_line *line;
    size_t n;
};
void sweep_chart(const struct sweep_chart *chart, struct strbuf *out);

#endif
