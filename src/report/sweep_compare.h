/*
 * Block tests of several drives side by side, by the profiles that they have in common; a run of
 * the database test among them shows where its own I/O lies. Pages: report/sweep_html.
 */
#ifndef REPORT_SWEEP_COMPARE_H
#define REPORT_SWEEP_COMPARE_H

#include "base/strbuf.h"
#include "report/cell.h"
#include "report/sweep_html.h"

/* A row of a table of peaks: the best peak of a profile first. */
struct sweep_row {
    const char *name; /* of the result */
    const struct sweep_profile *profile;
    double percent; /* less than the best peak of this profile; 0: it is the best */
    bool first;     /* of its profile */
};
/* "best", or "-12.3 %" beside it. */
struct cell sweep_row_less(const struct sweep_row *row);
/* Fills row (at most `most`) and gives how many there are. */
size_t sweep_rows(const struct sweep_named *all, size_t n, struct sweep_row *row, size_t most);

/* A database run's own I/O as the curves have it: I/Os a second, and their mean await. */
struct sweep_run_io {
    double iops, latency_us; /* NaN: not known */
    double read_percent;     /* of the I/Os */
    double kib;              /* of an I/O on average */
};
struct sweep_run_io sweep_run_io(const struct result *r);
/* Whether the run's own I/O may stand beside this curve as a point of its own. Latency goes with
 * what an I/O is: a curve of 4 KiB reads says nothing of a run that writes half of its I/Os in 16
 * KiB, however near its rate is. So it may where the curve is of a run's own mix (oltp-blocks), or
 * where reads are as large a share of the curve's I/Os, within 10 points of a hundred, and the mean
 * size is the same within a quarter. Neither is known to say how random a run's I/O is, and of a
 * database it is: sequential streams are left out. */
bool sweep_run_fits(const struct result *run, const struct sweep_profile *p);

void sweep_compare_text(const struct sweep_named *all, size_t n, struct strbuf *out);
void sweep_compare_markdown(const struct sweep_named *all, size_t n, struct strbuf *out);
/* Of sweeps only: one row a point. */
void sweep_compare_csv(const struct sweep_named *all, size_t n, struct strbuf *out);

#endif
