#include "run/windows.h"

#include "base/clock.h"
#include "base/rng.h"
#include "harness/unit.h"
#include "result/result.h"

#define GO UINT64_C(1000000007)

/* Walks all edges of windows of any lengths: what each must have. */
static void walk(const struct plan *p)
{
    struct windows w;
    uint64_t at = GO;
    int batch = -1;
    bool start_seen = p->precondition_ns == 0;
    bool end_seen = false;
    uint64_t rows = 0;

    windows_init(&w, p, GO);
    while (at < w.sample_end_ns + 3 * w.interval_ns) {
        const uint64_t edge = windows_next_edge_ns(&w, at);

        if (edge <= at || edge - at > w.interval_ns)
            UNIT_TRUE("on, and no further than an interval", false);
        if (windows_in_sample(&w, at)) {
            const int b = windows_batch(&w, at);

            if (b != batch && b != batch + 1)
                UNIT_EQ_I64("none left out", b, batch + 1);
            if (windows_batch(&w, edge - 1) != b)
                UNIT_TRUE("none straddled", false);
            batch = b;
        }
        if (windows_phase(&w, at) != windows_phase(&w, edge - 1) &&
            windows_phase(&w, at) != PHASE_RAMP)
            UNIT_TRUE("no phase straddled but by the ramp", false);
        start_seen = start_seen || edge == w.sample_start_ns;
        end_seen = end_seen || edge == w.sample_end_ns;
        rows += windows_ends_interval(&w, edge);
        at = edge;
    }
    UNIT_TRUE("both edges of the sample", start_seen && end_seen);
    UNIT_EQ_I64("all batches", batch, RESULT_BATCHES - 1);
    UNIT_NEAR("rows", (double)rows, (double)(at - GO) / (double)w.interval_ns, 2.01);
    UNIT_TRUE("none of sample and drain", windows_ends_interval(&w, w.sample_end_ns));
    UNIT_TRUE("the sample's start is on the grid",
              p->precondition_ns == 0 || windows_ends_interval(&w, w.sample_start_ns));
}

static void test_any_lengths(void)
{
    struct rng r = rng_at(61);

    for (int i = 0; i < 300; i++) {
        const struct plan p = {
            .ramp_ns = (uint64_t)rng_uniform(&r, 0, 1) * 5 * NS_PER_MS,
            .precondition_ns = (uint64_t)rng_uniform(&r, 0, 3) * 777777777,
            .sample_ns = (uint64_t)rng_uniform(&r, RESULT_BATCHES, 20000000000),
            .interval_ns = (uint64_t)rng_uniform(&r, 100000000, 3000000000),
        };

        walk(&p);
    }
}

static void test_the_review(void)
{
    const struct plan p = {
        .ramp_ns = 5 * NS_PER_S,
        .precondition_ns = 9000 * NS_PER_S,
        .sample_ns = 1800 * NS_PER_S,
        .interval_ns = NS_PER_S,
    };
    struct windows w;

    walk(&p);
    windows_init(&w, &p, GO);
    UNIT_EQ_I64("", windows_phase(&w, GO), PHASE_RAMP);
    UNIT_EQ_I64("", windows_phase(&w, GO + 5 * NS_PER_S), PHASE_PRECONDITION);
    UNIT_EQ_I64("", windows_phase(&w, GO + 9000 * NS_PER_S), PHASE_SAMPLE);
    UNIT_EQ_I64("", windows_phase(&w, GO + 10800 * NS_PER_S), PHASE_DRAIN);
    UNIT_EQ_I64("15 s", windows_batch(&w, GO + 9014 * NS_PER_S), 0);
    UNIT_EQ_I64("15 s", windows_batch(&w, GO + 9015 * NS_PER_S), 1);
    UNIT_EQ_I64("after it", windows_batch(&w, GO + 10801 * NS_PER_S), 119);
    UNIT_EQ_I64("before it", windows_batch(&w, GO), 0);
    UNIT_EQ_I64("", windows_sample_edges_after(&w, GO), 2);
    UNIT_EQ_I64("", windows_sample_edges_after(&w, w.sample_start_ns), 1);
    UNIT_EQ_I64("", windows_sample_edges_after(&w, w.sample_end_ns), 0);
}

static void test_ended_early(void)
{
    const struct plan p = {.precondition_ns = 100, .sample_ns = 1200, .interval_ns = 50};
    struct windows w;

    windows_init(&w, &p, GO);
    windows_end(&w, GO + 700);
    UNIT_TRUE("", windows_in_sample(&w, GO + 699) && !windows_in_sample(&w, GO + 700));
    UNIT_EQ_I64("batches as planned", windows_batch(&w, GO + 699), 59);
    UNIT_EQ_I64("the last one begun", windows_batch(&w, GO + 5000), 59);
    windows_end(&w, GO + 900);
    UNIT_EQ_U64("once", w.sample_end_ns, GO + 700);
    windows_init(&w, &p, GO);
    windows_end(&w, GO + 60);
    UNIT_EQ_I64("before the sample", windows_phase(&w, GO + 60), PHASE_DRAIN);
    UNIT_TRUE("", !windows_in_sample(&w, GO + 100));
    UNIT_TRUE("", !windows_is_sample_edge(&w, GO + 60));
    UNIT_EQ_I64("", windows_sample_edges_after(&w, GO), 0);
    UNIT_TRUE("", windows_next_edge_ns(&w, GO + 60) > GO + 60);
    UNIT_TRUE("a row's end", windows_ends_interval(&w, GO + 60));
}

static const struct unit_test tests[] = {
    {"any_lengths", test_any_lengths},
    {"the_review", test_the_review},
    {"ended_early", test_ended_early},
};
const struct unit_suite windows_suite = UNIT_SUITE("windows", tests);
