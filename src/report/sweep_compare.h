/*
 * Block tests of several drives side by side, by the profiles that they have in common; a run of
 * the database test among them shows where its own I/O lies. Pages: report/sweep_html.
 */
#ifndef REPORT_SWEEP_COMPARE_H
#define REPORT_SWEEP_COMPARE_H

#include "base/strbuf.h"
#include "report/sweep_html.h"

/* A row of a table of peaks: the best peak of a profile first. */
struct sweep_row {
    const char *name; /* of the result */
    const struct sweep_profile *profile;
    double percent; /* less than the best peak of this profile; 0: it is the best */
    bool first;     /* of its profile */
};
/* Fills row (at most `most`) and gives how many there are. */
size_t sweep_rows(const struct sweep_named *all, size_t n, struct sweep_row *row, size_t most);

/* A database run's own I/O as the curves have it: I/Os a second, and their mean await. */
struct sweep_run_io {
    double iops, latency_us; /* NaN: not known */
};
struct sweep_run_io sweep_run_io(const struct result *r);

void sweep_compare_text(const struct sweep_named *all, size_t n, struct strbuf *out);
void sweep_compare_markdown(const struct sweep_named *all, size_t n, struct strbuf *out);
/* Of sweeps only: one row a point. */
void sweep_compare_csv(const struct sweep_named *all, size_t n, struct strbuf *out);

#endif
