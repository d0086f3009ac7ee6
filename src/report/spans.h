/*
 * What a column of the series did over one phase: the text beside a chart. Rows that are much
 * shorter than the others (the last of a phase may be) are left out: rates over a few milliseconds
 * mean nothing.
 */
#ifndef REPORT_SPANS_H
#define REPORT_SPANS_H

#include <stddef.h>

#include "result/result.h"

struct span {
    double mean; /* over time; NaN: no row has the figure */
    double low, high;
    double high_at_s; /* the end of that interval, from GO */
    size_t n;
};

/* A column by where it stands in struct series_row: a double, or with `whole` an int64_t. */
struct span_column {
    size_t at;
    bool whole;
};
#define SPAN_FIGURE(m)                                                                             \
    (struct span_column)                                                                           \
    {                                                                                              \
        .at = offsetof(struct series_row, m)                                                       \
    }
#define SPAN_WHOLE(m)                                                                              \
    (struct span_column)                                                                           \
    {                                                                                              \
        .at = offsetof(struct series_row, m), .whole = true                                        \
    }
/* A rate of a device, by where it stands in struct result_rates. */
struct span_column span_rate(int device, size_t at);
/* The share of a class of waits. */
struct span_column span_wait(enum wait_class c);

/* The figure of one row; NaN: none. */
double span_value(const struct series_row *row, struct span_column column);
struct span span_of(const struct result *r, int phase, struct span_column column);
/* The length of a usual interval; NaN where there is no row. */
double span_interval_s(const struct result *r);
/* The last phase that has rows, the drain excepted; -1: none. */
int span_last_phase(const struct result *r);

#endif
