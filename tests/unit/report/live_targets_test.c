/*
 * report/live_targets: when an interval of all is whole, its sum, and what fits.
 */
#include "report/live_targets.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "harness/unit.h"
#include "report/cell.h"
#include "result/result.h"

/* Whether it was to be shown. */
static bool give(struct live_targets *t, size_t i, const char *phase, double time_s)
{
    const struct live_moment m = {.phase = phase, .phase_left_ns = 5000000000};
    struct result r;
    struct series_row *row = xcalloc(1, series_row_size(0));
    bool whole = false;

    result_init(&r);
    series_row_none(row, 0);
    r.label = xasprintf("t%zu", i);
    r.workload.ceiling_tps = 200;
    row->time_s = time_s;
    row->tps_all = 100;
    row->avg_ms = i == 0 ? 1 : 3;
    row->p99_ms = (double)(i + 1);
    row->sessions_busy = 2;
    row->queue = 0;
    row->errors = 1;
    whole = live_targets_interval(t, i, &m, &r, row);
    free(row);
    result_release(&r);
    return whole;
}

static void test_whole_when_all_have_come(void)
{
    struct live_targets *t = live_targets_new(3);

    UNIT_TRUE("one", !give(t, 0, "ramp", 1));
    UNIT_TRUE("two", !give(t, 1, "ramp", 1));
    UNIT_TRUE("three", give(t, 2, "ramp", 1));
    UNIT_TRUE("one is ahead", !give(t, 0, "ramp", 2));
    UNIT_TRUE("one has ended", !give(t, 1, "ended", 2));
    UNIT_TRUE("both that are left", give(t, 2, "ramp", 2));
    live_targets_free(t);
    live_targets_free(NULL);
}

static void test_sum(void)
{
    struct live_targets *t = live_targets_new(2);
    struct strbuf out;

    strbuf_init(&out);
    give(t, 0, "sample", 1);
    give(t, 1, "sample", 1);
    live_targets_row(t, &out);
    UNIT_EQ_STR("", out.buf,
                "sample, 5 s left; 2 of 2 targets\n"
                "s                   TPS  ceil%  avg ms  p99 ms  busy  queue errors  p99 of\n"
                "1                 200.0   50.0    2.00    2.00     4      0      2  t1\n");
    strbuf_reset(&out);
    live_targets_row(t, &out);
    UNIT_EQ_STR("the same phase", out.buf,
                "1                 200.0   50.0    2.00    2.00     4      0      2  t1\n");
    strbuf_reset(&out);
    give(t, 0, "ended", 2);
    live_targets_block(t, &out);
    UNIT_EQ_STR("", out.buf,
                "ended, 5 s left; 1 of 2 targets\n"
                "                    TPS  ceil%  avg ms  p99 ms  busy  queue errors\n"
                "all               100.0   50.0    3.00    2.00     2      0      3\n"
                "t0             ended\n"
                "t1                100.0   50.0    3.00    2.00     2      0      1\n");
    strbuf_release(&out);
    live_targets_free(t);
}

static void test_what_fits(void)
{
    struct live_targets *t = live_targets_new(64);
    struct strbuf out;
    int lines = 0;

    strbuf_init(&out);
    for (size_t i = 0; i < 64; i++)
        give(t, i, "sample", 1);
    live_targets_block(t, &out);
    for (const char *at = out.buf; *at; at++)
        lines += *at == '\n';
    UNIT_EQ_I64("", lines, LIVE_LINES_MAX);
    UNIT_TRUE("the slowest", strstr(out.buf, "\nt63 "));
    UNIT_TRUE("", !strstr(out.buf, "\nt0 "));
    UNIT_TRUE("", strstr(out.buf, "and 56 whose p99 is less\n"));
    strbuf_release(&out);
    live_targets_free(t);
}

static const struct unit_test tests[] = {
    {"whole when all have come", test_whole_when_all_have_come},
    {"sum", test_sum},
    {"what fits", test_what_fits},
};
const struct unit_suite live_targets_suite = UNIT_SUITE("live_targets", tests);
