/*
 * report/spans: means over time, extremes, and that a sliver of an interval counts for nothing.
 */
#include "report/spans.h"

#include <math.h>

#include "harness/unit.h"

static void push(struct result *r, double time_s, int phase, double tps, int64_t busy)
{
    struct series_row *row = series_push(&r->series);

    row->time_s = time_s;
    row->phase = (uint8_t)phase;
    row->tps_all = tps;
    row->sessions_busy = busy;
    row->device[0].reads_per_s = tps * 10;
    row->device[1].queue = tps / 10;
}

static void make(struct result *r)
{
    result_init(r);
    series_init(&r->series, 2);
    push(r, 2, 0, 10, 1);
    push(r, 4, 2, 20, -1);
    push(r, 5.5, 2, 40, 4); /* cut by the phase's end, counts with its length */
    push(r, 5.51, 2, 9000, 99);
    push(r, 5.52, 3, 8000, 98);
}

static void test_span(void)
{
    struct result r;
    struct span s;

    make(&r);
    s = span_of(&r, 2, SPAN_FIGURE(tps_all));
    UNIT_EQ_U64("", s.n, 2);
    UNIT_TRUE("mean over time", fabs(s.mean - (20 * 2 + 40 * 1.5) / 3.5) < 1e-12);
    UNIT_TRUE("", s.low == 20 && s.high == 40 && s.high_at_s == 5.5);
    s = span_of(&r, 2, SPAN_WHOLE(sessions_busy));
    UNIT_TRUE("none is not 0", s.n == 1 && s.low == 4 && s.mean == 4);
    s = span_of(&r, 2, span_rate(0, offsetof(struct result_rates, reads_per_s)));
    UNIT_TRUE("", s.high == 400);
    s = span_of(&r, 2, span_rate(1, offsetof(struct result_rates, queue)));
    UNIT_TRUE("", s.high == 4 && s.low == 2);
    s = span_of(&r, 1, SPAN_FIGURE(tps_all));
    UNIT_TRUE("a phase without rows", s.n == 0 && isnan(s.mean) && isnan(s.high));
    UNIT_TRUE("", span_interval_s(&r) == 2);
    UNIT_EQ_I64("the drain does not count", span_last_phase(&r), 2);
    result_release(&r);
}

static void test_nothing(void)
{
    struct result r;

    result_init(&r);
    UNIT_TRUE("", isnan(span_interval_s(&r)));
    UNIT_EQ_I64("", span_last_phase(&r), -1);
    UNIT_EQ_U64("", span_of(&r, 2, SPAN_FIGURE(tps_all)).n, 0);
    result_release(&r);
}

static const struct unit_test tests[] = {
    {"mean, extremes, slivers", test_span},
    {"no row at all", test_nothing},
};
const struct unit_suite spans_suite = UNIT_SUITE("spans", tests);
