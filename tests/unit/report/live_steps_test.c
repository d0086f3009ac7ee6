/*
 * report/live_steps: when what several targets do before a run is shown, and how.
 */
#include "report/live_steps.h"

#include "base/clock.h"
#include "harness/unit.h"

static bool give(struct live_steps *t, size_t i, uint64_t done, uint64_t now_ns)
{
    const struct progress p = {
        .step = "load", .unit = "rows", .done = done, .total = 100, .elapsed_ns = 2 * NS_PER_S};

    return live_steps_progress(t, i, i == 0 ? "left" : "right", &p, now_ns);
}

static void test_thinned_out(void)
{
    struct live_steps *t = live_steps_new(2);

    UNIT_TRUE("a step begins", give(t, 0, 0, NS_PER_S));
    UNIT_TRUE("another's too", give(t, 1, 0, NS_PER_S));
    UNIT_TRUE("too soon", !give(t, 0, 1, NS_PER_S + 100 * NS_PER_MS));
    UNIT_TRUE("of one of them is enough", give(t, 1, 1, NS_PER_S + 200 * NS_PER_MS));
    UNIT_TRUE("", !give(t, 0, 1, NS_PER_S + 300 * NS_PER_MS));
    UNIT_TRUE("an end", give(t, 0, 100, NS_PER_S + 300 * NS_PER_MS));
    UNIT_TRUE("once", !give(t, 0, 100, NS_PER_S + 310 * NS_PER_MS));
    live_steps_free(t);
    live_steps_free(NULL);
}

static void test_block(void)
{
    struct live_steps *t = live_steps_new(3);
    struct strbuf out;

    strbuf_init(&out);
    give(t, 0, 40, NS_PER_S);
    give(t, 1, 60, NS_PER_S);
    live_steps_ready(t, 0, "left");
    live_steps_block(t, &out);
    UNIT_EQ_STR("those under way first", out.buf,
                "before the run: 1 of 3 targets are ready\n"
                "right          load       60 %, 2 s left, 60 of 100 rows, 30/s\n"
                "left           ready\n");
    strbuf_release(&out);
    live_steps_free(t);
}

static void test_rows(void)
{
    struct live_steps *t = live_steps_new(2);
    struct strbuf out;

    strbuf_init(&out);
    give(t, 0, 10, NS_PER_S);
    live_steps_rows(t, NS_PER_S, &out);
    UNIT_EQ_STR("not at once", out.buf, "");
    give(t, 0, 20, 11 * NS_PER_S);
    live_steps_rows(t, 11 * NS_PER_S, &out);
    UNIT_EQ_STR("each 10 s", out.buf,
                "left           load       20 %, 8 s left, 20 of 100 rows, 10/s\n");
    strbuf_reset(&out);
    live_steps_rows(t, 12 * NS_PER_S, &out);
    UNIT_EQ_STR("once", out.buf, "");
    live_steps_ready(t, 0, "left");
    live_steps_rows(t, 12 * NS_PER_S, &out);
    UNIT_EQ_STR("at once", out.buf, "left           ready\n");
    strbuf_reset(&out);
    live_steps_rows(t, 60 * NS_PER_S, &out);
    UNIT_EQ_STR("and no more", out.buf, "");
    strbuf_release(&out);
    live_steps_free(t);
}

static const struct unit_test tests[] = {
    {"thinned out", test_thinned_out},
    {"block", test_block},
    {"rows", test_rows},
};
const struct unit_suite live_steps_suite = UNIT_SUITE("live_steps", tests);
