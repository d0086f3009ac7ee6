/*
 * Beginning and ending: opening and warming, what keeps a run from beginning, interruptions in each
 * phase, windows of odd lengths, and constant memory over a day.
 */
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"
#include "run/exec_async.h"

static void init_short(struct rig *r)
{
    rig_init(r, 1000);
    rig_cycle(r, 5 * NS_PER_S);
    r->plan.ramp_ns = 5 * NS_PER_S;
    r->plan.precondition_ns = 20 * NS_PER_S;
    r->plan.sample_ns = 60 * NS_PER_S;
}

static void see_opening(struct rig *r, uint32_t done)
{
    UNIT_TRUE("goes up", done >= r->count);
    r->count = done;
}

/* Sessions are opened no faster than 200 a second, each is warmed by three transactions, and the
 * clock starts after the last. */
static void test_opening(void)
{
    struct rig r;
    uint64_t batches = 0;

    init_short(&r);
    r.plan.sessions = 100;
    r.on_connecting = see_opening;
    rig_run(&r);
    UNIT_EQ_U64("told to the last", r.count, 100);
    UNIT_EQ_U64("none twice", atomic_load(&r.script.connections), 100);
    batches = atomic_load(&r.script.batches);
    UNIT_EQ_U64("three more each", batches, r.result.run.outcomes.started + 300);
    UNIT_EQ_U64("nothing of warming is counted", r.result.run.outcomes.started,
                r.result.run.outcomes.committed + r.result.run.outcomes.rolled_back);
    UNIT_NEAR("no row without it", series_at(&r.result.series, 1)->lateness_max_ms, 0, 0);
    UNIT_NEAR("asked for each row", series_at(&r.result.series, 0)->temperature_c, 41.5, 0);
    UNIT_TRUE("the start is told", r.told_go_ns > RIG_START_NS);
    UNIT_TRUE("before it", r.told_at_ns <= r.told_go_ns);
    UNIT_TRUE("at a bounded rate", r.fake.now_ns - RIG_START_NS > 80 * NS_PER_S + NS_PER_S / 2);
    rig_check(&r);
    rig_release(&r);
}

static void test_refused(void)
{
    struct rig r;

    init_short(&r);
    r.script.refuse_connect = 10;
    UNIT_EQ_I64("", rig_try(&r), -1);
    UNIT_EQ_STR("", r.err.text, "session 10 of 16: connection refused");
    UNIT_EQ_I64("", err_exit_code(&r.err), 3);
    rig_release(&r);
}

static void test_warming_fails(void)
{
    struct rig r;

    init_short(&r);
    r.script.fault_every = 20;
    memcpy(r.script.fault_sqlstate, "42883", 6);
    UNIT_EQ_I64("", rig_try(&r), -1);
    UNIT_TRUE("names it", strstr(r.err.text, "a fault of the script") != NULL);
    UNIT_EQ_STR("", r.err.sqlstate, "42883");
    rig_release(&r);
}

/* A deadlock while warming is nobody's fault. */
static void test_warming_retries(void)
{
    struct rig r;

    init_short(&r);
    r.script.fault_every = 7;
    memcpy(r.script.fault_sqlstate, "40P01", 6);
    rig_run(&r);
    rig_check(&r);
    rig_release(&r);
}

/* It is the server's doing, not the loop's. */
static void test_opening_is_slow(void)
{
    struct rig r;

    init_short(&r);
    r.script.connect_ns = 25 * NS_PER_S;
    rig_run(&r);
    UNIT_TRUE(r.last_warning,
              strstr(r.last_warning, "the server has let no session in for") != NULL);
    UNIT_EQ_U64("once a minute at most", r.log_warnings, 1);
    rig_check(&r);
    rig_release(&r);
}

static void test_lateness(void)
{
    struct record_sums a = {.late_ns = 5, .late_max_ns = 3};
    const struct record_sums b = {.late_ns = 7, .late_max_ns = 6};
    const struct record_sums c = {.late_ns = 1, .late_max_ns = 1};

    record_sums_add(&a, &b);
    record_sums_add(&a, &c);
    UNIT_EQ_U64("the sum", a.late_ns, 13);
    UNIT_EQ_U64("the most", a.late_max_ns, 6);
}

/* Pages of the address space: histograms are mapped, not taken from the heap. */
static int64_t mapped_pages(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    char line[128] = "";
    char *end = NULL;

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    UNIT_TRUE("", fgets(line, sizeof(line), f) != NULL);
    fclose(f);
    return strtoll(line, &end, 10);
}

/* Slices that nobody took are freed with the loop: the first time may leave the heap larger. */
static void test_left_after_go(void)
{
    int64_t pages[2];

    for (int i = 0; i < 2; i++) {
        struct rig r;
        struct exec *e = NULL;

        init_short(&r);
        rig_ready(&r);
        e = exec_new(&r.env, &r.err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(e);
        while (r.fake.now_ns < RIG_START_NS + 10 * NS_PER_S)
            (void)exec_turn(e);
        exec_leave(e);
        UNIT_TRUE("", exec_stop(e, NS_PER_S));
        exec_free(e);
        rig_release(&r);
        pages[i] = mapped_pages();
    }
    UNIT_TRUE("nothing is left of it", pages[1] <= pages[0] + 1000);
}

static void test_opening_takes_too_long(void)
{
    struct rig r;

    init_short(&r);
    r.script.connect_ns = 1000 * NS_PER_S;
    UNIT_EQ_I64("", rig_try(&r), -1);
    UNIT_TRUE("", strstr(r.err.text, "not connected and warm within 30 s") != NULL);
    UNIT_TRUE("", r.fake.now_ns - RIG_START_NS < 32 * NS_PER_S);
    rig_release(&r);
}

static void stop_while_connecting(struct rig *r, uint32_t done)
{
    if (done == 5)
        stop_ask(&r->stop);
}

static void test_interrupt_while_opening(void)
{
    struct rig r;

    init_short(&r);
    r.plan.sessions = 100;
    r.on_connecting = stop_while_connecting;
    UNIT_EQ_I64("", rig_try(&r), -1);
    UNIT_EQ_I64("", err_exit_code(&r.err), 130);
    rig_release(&r);
}

/* ---- --until-steady ---- */

/* Rounds of 10 s on a grid that ends at the bound, 200 s, looked at 2 s before each edge; the
 * response falls until 60 s, in the window that ends at 108 s within the limits. */
static void warms_up(struct rig *r, const struct run_interval *iv)
{
    const double t = iv->row->time_s;

    r->script.service_ns = (uint64_t)((t < 60 ? 65 - t : 5) * (double)NS_PER_MS);
    if (iv->state == RUN_PRECONDITION && iv->state_left_ns > r->count * NS_PER_S)
        r->count = (uint32_t)(iv->state_left_ns / NS_PER_S);
}

static void init_until_steady(struct rig *r)
{
    init_short(r);
    r->plan.until_steady = true;
    r->plan.precondition_ns = 200 * NS_PER_S;
    r->plan.round_ns = 10 * NS_PER_S;
    r->result.steadiness.round_s = 10;
}

static double phase_end(const struct result *r, const char *name)
{
    for (size_t i = 0; i < r->phases.n; i++) {
        if (strcmp(r->phases.at[i].name, name) == 0)
            return r->phases.at[i].end_s;
    }
    return -1;
}

static void test_until_steady(void)
{
    struct rig r;

    init_until_steady(&r);
    r.on_interval = warms_up;
    rig_run(&r);
    UNIT_EQ_STR("", r.result.steadiness.precondition_end, "steady");
    UNIT_NEAR("at a round's end, five rounds after it settled",
              phase_end(&r.result, "precondition"), 110, 1e-9);
    UNIT_NEAR("the sample is as long as planned", phase_end(&r.result, "sample"), 170, 1e-9);
    UNIT_NEAR("", r.result.sample.seconds, 60, 1e-9);
    UNIT_TRUE("the bound was what was left", r.count > 180);
    rig_check(&r);
    rig_release(&r);
}

static void never_settles(struct rig *r, const struct run_interval *iv)
{
    r->script.service_ns = (uint64_t)(iv->row->time_s * 2 * (double)NS_PER_MS);
}

static void test_until_bound(void)
{
    struct rig r;

    init_until_steady(&r);
    r.on_interval = never_settles;
    rig_run(&r);
    UNIT_EQ_STR("", r.result.steadiness.precondition_end, "bound");
    UNIT_NEAR("", phase_end(&r.result, "precondition"), 200, 1e-9);
    UNIT_NEAR("", phase_end(&r.result, "sample"), 260, 1e-9);
    rig_check(&r);
    rig_release(&r);
}

static double stop_at_s;

static void stop_in(struct rig *r, const struct run_interval *iv)
{
    if (iv->row->time_s >= stop_at_s && stop_level(&r->stop) == 0)
        stop_ask(&r->stop);
}

/* What there was none of is none, not 0. */
static void expect_no_sample(const struct result_sample *s)
{
    UNIT_TRUE("seconds", isnan(s->seconds));
    UNIT_EQ_I64("transactions", s->transactions, -1);
    UNIT_EQ_I64("unfinished", s->unfinished, -1);
    UNIT_TRUE("rates", isnan(s->tps) && isnan(s->nopm) && isnan(s->tps_percent_of_ceiling));
    UNIT_EQ_I64("of a type", s->by_type[TXN_NEW_ORDER].count, -1);
}

/* Ctrl-C once, in each phase: what there was, and it says so. */
static void test_interrupt_in_each_phase(void)
{
    static const struct {
        const char *what;
        double at_s;
        double sample_s;
        bool interrupted;
        uint32_t phases;
    } rows[] = {
        {"ramp", 3, 0, true, 2},
        {"precondition", 12, 0, true, 3},
        {"sample", 50, 30, true, 4},
        {"drain: the sample was whole", 80, 60, false, 4},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct rig r;

        init_short(&r);
        stop_at_s = rows[i].at_s;
        r.on_interval = stop_in;
        rig_run(&r);
        UNIT_TRUE(rows[i].what, r.result.run.interrupted == rows[i].interrupted);
        UNIT_EQ_STR(rows[i].what, r.result.run.ended_by,
                    rows[i].interrupted ? "interrupt" : "plan");
        if (rows[i].sample_s > 0)
            UNIT_NEAR(rows[i].what, r.result.sample.seconds, rows[i].sample_s, 0.2);
        else
            expect_no_sample(&r.result.sample);
        UNIT_NEAR(rows[i].what, r.result.sample.planned_seconds, 60, 0);
        UNIT_EQ_U64(rows[i].what, r.result.phases.n, rows[i].phases);
        UNIT_TRUE(rows[i].what, r.result.run.outcomes.started > 100);
        UNIT_TRUE(rows[i].what, isnan(r.result.sample.tps) == (rows[i].sample_s < 1));
        if (rows[i].sample_s > 1)
            UNIT_NEAR(rows[i].what, r.result.sample.tps, 200, 1);
        UNIT_TRUE("soon", r.fake.now_ns - RIG_START_NS < (uint64_t)(rows[i].at_s + 2) * NS_PER_S);
        rig_check(&r);
        rig_release(&r);
    }
}

static void stop_twice(struct rig *r, const struct run_interval *iv)
{
    if (iv->row->time_s < 50)
        return;
    while (stop_level(&r->stop) < 2)
        stop_ask(&r->stop);
}

static void stall_at_45_s(struct rig *r)
{
    r->script.stall_at_ns = clock_now_ns(r->clock) + 25 * NS_PER_S;
    r->script.stall_ns = 1000 * NS_PER_S;
}

/* Twice: it leaves at once, without waiting for anything; what might commit is in doubt. */
static void test_interrupt_twice(void)
{
    struct rig r;

    init_short(&r);
    r.on_sample = stall_at_45_s;
    r.on_interval = stop_twice;
    r.script.ignore_cancel = true;
    rig_run(&r);
    UNIT_TRUE("", r.result.run.interrupted);
    UNIT_EQ_U64("on sessions", r.result.run.outcomes.in_doubt, 16);
    UNIT_TRUE("waiting", r.result.run.outcomes.failed > 900);
    UNIT_TRUE("unfinished", r.result.sample.unfinished > 900);
    UNIT_EQ_I64("left behind", r.result.run.abandoned_sessions, 16);
    UNIT_TRUE("at once", r.fake.now_ns - RIG_START_NS < 51 * NS_PER_S);
    r.result.run.abandoned_sessions = 0;
    rig_check(&r);
    rig_release(&r);
}

/* Once, with a server that does not answer: the drain's bound and 5 s, then it is left. */
static void test_interrupt_with_a_stuck_server(void)
{
    struct rig r;

    init_short(&r);
    r.plan.drain_ns = 20 * NS_PER_S;
    stop_at_s = 50;
    r.on_sample = stall_at_45_s;
    r.on_interval = stop_in;
    r.script.ignore_cancel = true;
    rig_run(&r);
    UNIT_EQ_I64("left behind", r.result.run.abandoned_sessions, 16);
    UNIT_NEAR("bounded", (double)(r.fake.now_ns - RIG_START_NS) / 1e9, 50 + 20 + 5, 1);
    UNIT_EQ_U64("in doubt", r.result.run.outcomes.in_doubt, 16);
    r.result.run.abandoned_sessions = 0;
    rig_check(&r);
    rig_release(&r);
}

static void mark_sample(struct rig *r)
{

    r->count++;
    r->fake.suspended_ns += 7 * NS_PER_S;
}

static void see_states(struct rig *r, const struct run_interval *iv)
{
    static const uint8_t phase_of[] = {
        [RUN_RAMP] = PHASE_RAMP,
        [RUN_PRECONDITION] = PHASE_PRECONDITION,
        [RUN_SAMPLE] = PHASE_SAMPLE,
        [RUN_DRAIN] = PHASE_DRAIN,
    };

    if (iv->state == RUN_ENDED)
        return;
    UNIT_TRUE("never back", iv->state >= RUN_RAMP && iv->row->phase <= phase_of[iv->state]);
    UNIT_NEAR("left", (double)iv->run_left_ns / 1e9, fmax(80 - iv->row->time_s, 0), 0.001);
    UNIT_TRUE("of this phase", iv->state_left_ns <= iv->run_left_ns || iv->state == RUN_DRAIN);
    (void)r;
}

static void test_states_and_sample_start(void)
{
    struct rig r;

    init_short(&r);
    r.fake.suspended_ns = 3 * NS_PER_S;
    r.on_interval = see_states;
    r.on_sample = mark_sample;
    rig_run(&r);
    UNIT_EQ_U64("once", r.count, 1);
    UNIT_EQ_U64("", r.result.phases.n, 4);
    UNIT_EQ_STR("", r.result.phases.at[0].name, "ramp");
    UNIT_NEAR("", r.result.phases.at[0].end_s, 5, 1e-9);
    UNIT_NEAR("", r.result.phases.at[1].end_s, 20, 1e-9);
    UNIT_NEAR("", r.result.phases.at[2].start_s, 20, 1e-9);
    UNIT_NEAR("", r.result.phases.at[2].end_s, 80, 1e-9);
    UNIT_NEAR("", r.result.phases.at[3].end_s, 80, 0.2);
    UNIT_EQ_I64("no devices: none lost", r.result.run.device_lost, -1);
    UNIT_EQ_I64("no devices: no gaps", r.result.run.device_gaps, -1);
    UNIT_NEAR("before the first user does not count", r.result.run.suspended_s, 7, 1e-9);
    rig_check(&r);
    rig_release(&r);
}

/* The later of two readings of a machine that never was suspended may be the smaller one. */
static void unsuspend(struct rig *r)
{
    r->fake.suspended_ns = 0;
}

static void test_suspended_never_negative(void)
{
    struct rig r;

    init_short(&r);
    r.fake.suspended_ns = 90;
    r.on_sample = unsuspend;
    rig_run(&r);
    UNIT_NEAR("", r.result.run.suspended_s, 0, 1e-9);
    rig_check(&r);
    rig_release(&r);
}

/* Lengths that fit no grid: sample 7.77 s, intervals of 2 s, precondition 3.1 s, no ramp. */
static void test_odd_lengths(void)
{
    struct rig r;

    init_short(&r);
    r.plan.ramp_ns = 0;
    r.plan.precondition_ns = 3100 * NS_PER_MS;
    r.plan.sample_ns = 7770 * NS_PER_MS;
    r.plan.interval_ns = 2 * NS_PER_S;
    rig_run(&r);
    UNIT_NEAR("", r.result.sample.seconds, 7.77, 1e-9);
    UNIT_NEAR("", r.result.sample.tps, 200, 10);
    UNIT_NEAR("first edge", series_at(&r.result.series, 0)->time_s, 1.1, 1e-9);
    UNIT_NEAR("on the sample's start", series_at(&r.result.series, 1)->time_s, 3.1, 1e-9);
    rig_check(&r);
    rig_release(&r);
}

/* A row for what is left of the sample at its end, another for the drain; neither is long enough
 * for rates, both tell what was done. */
static void test_slivers(void)
{
    struct rig r;
    const struct series_row *last_of_sample = NULL;
    const struct series_row *drain = NULL;

    init_short(&r);
    r.plan.sample_ns = 60 * NS_PER_S + 40 * NS_PER_MS;
    r.plan.drain_ns = NS_PER_S;
    rig_run(&r);
    drain = series_at(&r.result.series, r.result.series.n_rows - 1);
    last_of_sample = series_at(&r.result.series, r.result.series.n_rows - 2);
    UNIT_NEAR("", last_of_sample->time_s, 80.04, 1e-9);
    UNIT_EQ_I64("", last_of_sample->phase, PHASE_SAMPLE);
    UNIT_EQ_I64("", drain->phase, PHASE_DRAIN);
    UNIT_TRUE("no rate", isnan(last_of_sample->tps_all) && isnan(drain->tps_all));
    UNIT_TRUE("", isnan(last_of_sample->tps[0]) && isnan(drain->tps[0]));
    UNIT_NEAR("times are there", last_of_sample->avg_ms, 5, 0.1);
    UNIT_NEAR("the sample has all", r.result.sample.seconds, 60.04, 1e-9);
    rig_check(&r);
    rig_release(&r);
}

/* The sample from the first moment on. */
static void test_no_precondition(void)
{
    struct rig r;

    init_short(&r);
    r.plan.ramp_ns = 0;
    r.plan.precondition_ns = 0;
    r.on_sample = mark_sample;
    rig_run(&r);
    UNIT_NEAR("", r.result.sample.tps, 200, 2);
    UNIT_EQ_U64("", r.count, 1);
    rig_check(&r);
    rig_release(&r);
}

/* Fewer users than warehouses: each transaction at home anywhere. */
static void test_home_drawn(void)
{
    struct rig r;

    init_short(&r);
    r.plan.users = 5;
    r.plan.home_drawn = true;
    rig_run(&r);
    UNIT_NEAR("", r.result.sample.tps, 1, 0.1);
    rig_check(&r);
    rig_release(&r);
}

static size_t heap_at_hour[30];

static void see_memory(struct rig *r, const struct run_interval *iv)
{
    const size_t hour = (size_t)(iv->row->time_s / 3600);

    (void)r;
    if (hour < ARRAY_LEN(heap_at_hour))
        heap_at_hour[hour] = mallinfo2().uordblks + mallinfo2().hblkhd;
}

/* 24 h: from the sample's first hour to its last nothing is taken but the rows of the series, which
 * are bounded by the plan's interval. */
static void test_a_day_in_constant_memory(void)
{
    struct rig r;
    size_t rows = 0;

    init_short(&r);
    r.plan.users = 200;
    r.plan.precondition_ns = 3600 * NS_PER_S;
    r.plan.sample_ns = 23 * 3600 * NS_PER_S;
    r.plan.interval_ns = 10 * NS_PER_S;
    r.on_interval = see_memory;
    rig_run(&r);
    rows = r.result.series.cap * series_row_size(0);
    UNIT_NEAR("tps", r.result.sample.tps, 40, 0.5);
    UNIT_TRUE("but for the series", heap_at_hour[23] - heap_at_hour[1] <= rows);
    rig_check(&r);
    rig_release(&r);
}

static const struct unit_test tests[] = {
    {"opening", test_opening},
    {"lateness adds up", test_lateness},
    {"until_steady", test_until_steady},
    {"until_bound", test_until_bound},
    {"refused", test_refused},
    {"warming_fails", test_warming_fails},
    {"warming_retries", test_warming_retries},
    {"opening_is_slow", test_opening_is_slow},
    {"left_after_go", test_left_after_go},
    {"opening_takes_too_long", test_opening_takes_too_long},
    {"interrupt_while_opening", test_interrupt_while_opening},
    {"interrupt_in_each_phase", test_interrupt_in_each_phase},
    {"interrupt_twice", test_interrupt_twice},
    {"interrupt_with_a_stuck_server", test_interrupt_with_a_stuck_server},
    {"states_and_sample_start", test_states_and_sample_start},
    {"suspended, never negative", test_suspended_never_negative},
    {"odd_lengths", test_odd_lengths},
    {"slivers", test_slivers},
    {"no_precondition", test_no_precondition},
    {"home_drawn", test_home_drawn},
    {"a_day_in_constant_memory", test_a_day_in_constant_memory},
};
const struct unit_suite phases_suite = UNIT_SUITE("phases", tests);
