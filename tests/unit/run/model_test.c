/*
 * The closed-loop model: N users, wait Z, latency R give N / (Z + R); and that nothing is lost from
 * the figures: queues, stalls, stalls over the sample's end.
 */
#include <math.h>

#include "rig.h"

static double ms(const struct rig *r, enum result_kind_of_time k)
{
    return r->result.sample.time[k].avg;
}

/* TPS within 0.5 % of N / (Z + R), at the standard's pace, at several latencies. */
static void test_closed_loop(void)
{
    static const struct {
        uint32_t users;
        uint64_t service_ms;
    } rows[] = {{2000, 5}, {2000, 500}, {4000, 20}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct rig r;
        double want = 0;

        rig_init(&r, rows[i].users);
        r.plan.sessions = 200;
        r.plan.sample_ns = 1800 * NS_PER_S;
        r.script.service_ns = rows[i].service_ms * NS_PER_MS;
        rig_run(&r);
        want = rows[i].users / (r.plan.mean_cycle_s + ms(&r, TIME_RESPONSE) / 1e3);
        UNIT_NEAR("N / (Z + R)", r.result.sample.tps / want, 1, 0.005);
        UNIT_NEAR("share of the ceiling", r.result.sample.tps_percent_of_ceiling,
                  100 * r.result.sample.tps / r.plan.ceiling_tps, 1e-9);
        UNIT_NEAR("R", ms(&r, TIME_RESPONSE), (double)rows[i].service_ms, 0.001);
        UNIT_NEAR("Z", r.plan.mean_cycle_s, 20.99, 0.001);
        UNIT_NEAR("new orders a minute", r.result.sample.nopm, 60 * 0.45 * r.result.sample.tps,
                  r.result.sample.nopm * 0.01);
        UNIT_EQ_I64("none failed", (int64_t)r.result.run.outcomes.failed, 0);
        rig_check(&r);
        rig_release(&r);
    }
}

/* No wave: with the ramp over, every second has about the same rate from the first one on. */
static void test_no_wave(void)
{
    struct rig r;
    double least = HUGE_VAL;
    double greatest = 0;

    rig_init(&r, 20000);
    r.plan.sessions = 100;
    r.plan.interval_ns = 5 * NS_PER_S;
    r.plan.precondition_ns = 120 * NS_PER_S;
    r.plan.sample_ns = 60 * NS_PER_S;
    r.plan.ramp_ns = 20 * NS_PER_S;
    rig_run(&r);
    for (size_t i = 0; i < r.result.series.n_rows; i++) {
        const struct series_row *row = series_at(&r.result.series, i);

        if (row->time_s <= 20.5) /* the ramp: the rate grows evenly, measured at mid-interval */
            UNIT_NEAR("ramp", row->tps_all / r.plan.ceiling_tps, (row->time_s - 2.5) / 20, 0.05);
        if (row->time_s < 25 || row->phase == PHASE_DRAIN)
            continue;
        least = fmin(least, row->tps_all);
        greatest = fmax(greatest, row->tps_all);
    }
    UNIT_NEAR("least", least / r.plan.ceiling_tps, 1, 0.06);
    UNIT_NEAR("greatest", greatest / r.plan.ceiling_tps, 1, 0.06);
    rig_check(&r);
    rig_release(&r);
}

/* One session, 10 ms, more users than it can serve: the queue is in response, not in service. */
static void test_queue_is_in_response(void)
{
    struct rig r;

    rig_init(&r, 200);
    rig_cycle(&r, NS_PER_S);
    r.plan.sessions = 1;
    r.plan.sample_ns = 60 * NS_PER_S;
    r.script.service_ns = 10 * NS_PER_MS;
    rig_run(&r);
    UNIT_NEAR("service", ms(&r, TIME_SERVICE), 10, 0.001);
    UNIT_NEAR("tps", r.result.sample.tps, 100, 0.1);
    UNIT_NEAR("N / X - Z", ms(&r, TIME_RESPONSE), 1000, 15);
    UNIT_NEAR("queue", ms(&r, TIME_QUEUE), ms(&r, TIME_RESPONSE) - 10, 0.001);
    UNIT_NEAR("all waited", r.result.sample.driver.free_session_wait_percent, 100, 0.001);
    UNIT_NEAR("not the driver's", r.result.sample.driver.lateness_max_ms, 0, 0);
    rig_check(&r);
    rig_release(&r);
}

static void stall_in_30_s(struct rig *r)
{
    r->script.stall_at_ns = clock_now_ns(r->clock) + 30 * NS_PER_S;
}

/* 1 s without answers, in 60: it is in the response of all that became due meanwhile, and in the
 * service time only of what was on the sessions. */
static void test_stall(void)
{
    struct rig r;

    rig_init(&r, 2000);
    rig_cycle(&r, 10 * NS_PER_S);
    r.plan.sample_ns = 60 * NS_PER_S;
    r.script.stall_ns = NS_PER_S;
    r.on_sample = stall_in_30_s;
    rig_run(&r);
    UNIT_TRUE("response p99", r.result.sample.time[TIME_RESPONSE].p99 > 400);
    UNIT_NEAR("service p99 of the others", r.result.sample.time[TIME_SERVICE].p99, 5, 0.01);
    UNIT_NEAR("max", r.result.sample.time[TIME_RESPONSE].max, 1000, 6);
    UNIT_NEAR("lateness", r.result.sample.driver.lateness_p99_ms, 0, 0);
    rig_check(&r);
    rig_release(&r);
}

static void stall_over_the_end(struct rig *r)
{
    r->script.stall_at_ns = clock_now_ns(r->clock) + r->plan.sample_ns - 100 * NS_PER_MS;
}

static void see_silence(struct rig *r, const struct run_interval *iv)
{
    const double ms = iv->row->server.longest_silence_ms;

    if (ms >= 2000)
        r->count++;
}

/* Three seconds in which nothing is committed, over the edges of intervals of one second. */
static void test_silence(void)
{
    struct rig r;

    rig_init(&r, 1000);
    r.script.stall_ns = 3 * NS_PER_S;
    r.on_sample = stall_in_30_s;
    r.on_interval = see_silence;
    rig_run(&r);
    UNIT_NEAR("", r.result.sample.server.longest_silence_ms, 3000, 250);
    UNIT_TRUE("in the rows in which it lasted", r.count >= 2 && r.count <= 3);
    rig_check(&r);
    rig_release(&r);
}

/* A stall that begins in the sample and ends after it stays in p99.9 and max. */
static void test_stall_over_the_end(void)
{
    struct rig r;

    rig_init(&r, 2000);
    rig_cycle(&r, 10 * NS_PER_S);
    r.plan.sample_ns = 60 * NS_PER_S;
    r.script.stall_ns = 5 * NS_PER_S;
    r.on_sample = stall_over_the_end;
    rig_run(&r);
    UNIT_TRUE("p99.9", r.result.sample.time[TIME_RESPONSE].p999 > 4900);
    UNIT_TRUE("max", r.result.sample.time[TIME_RESPONSE].max > 4900);
    UNIT_EQ_I64("followed to their end", r.result.sample.unfinished, 0);
    UNIT_NEAR("the window is what it was", r.result.sample.seconds, 60, 1e-9);
    rig_check(&r);
    rig_release(&r);
}

/* One that outlives the drain: cut, at its age, counted. */
static void test_stall_beyond_the_drain(void)
{
    struct rig r;

    rig_init(&r, 2000);
    rig_cycle(&r, 10 * NS_PER_S);
    r.plan.sample_ns = 60 * NS_PER_S;
    r.plan.drain_ns = 20 * NS_PER_S;
    r.script.stall_ns = 500 * NS_PER_S;
    r.on_sample = stall_over_the_end;
    rig_run(&r);
    UNIT_NEAR("unfinished: those due in its last 105 ms", (double)r.result.sample.unfinished, 21,
              9);
    UNIT_NEAR("at their age, within a tick", r.result.sample.time[TIME_RESPONSE].max, 20155, 55);
    UNIT_EQ_U64("cancelled or never sent", r.result.run.outcomes.failed,
                (uint64_t)r.result.sample.unfinished);
    UNIT_EQ_U64("none in doubt", r.result.run.outcomes.in_doubt, 0);
    rig_check(&r);
    rig_release(&r);
}

/* Inter-arrival: a stall does not slow the load; what was missed is made up for, late. */
static void test_interarrival_skips_nothing(void)
{
    struct rig r;

    rig_init(&r, 100);
    rig_cycle(&r, NS_PER_S);
    r.plan.pace.kind = PACE_INTERARRIVAL;
    r.plan.sample_ns = 60 * NS_PER_S;
    r.script.stall_ns = 5 * NS_PER_S;
    r.on_sample = stall_in_30_s;
    rig_run(&r);
    UNIT_NEAR("all that were due", (double)r.result.sample.transactions, 6000, 1);
    UNIT_NEAR("response of the first ones", r.result.sample.time[TIME_RESPONSE].max, 5000, 200);
    UNIT_TRUE("service does not show it", r.result.sample.time[TIME_SERVICE].p99 < 5.1);
    UNIT_NEAR("nor is the driver late", r.result.sample.driver.lateness_max_ms, 0, 0);
    rig_check(&r);
    rig_release(&r);
}

/* Each user is due 60 times in the sample, whatever the server does: all of them are followed, also
 * those that nobody has come to when a stall of 10 s ends in the drain ... */
static void stall_of_the_last_10_s(struct rig *r)
{
    r->script.stall_at_ns = clock_now_ns(r->clock) + 50 * NS_PER_S;
}

static uint64_t measured(const struct rig *r)
{
    uint64_t n = 0;

    for (int row = 0; row < TXN_TYPES; row++)
        n += hist_count(r->result.latency[row][TIME_RESPONSE]);
    return n;
}

static void test_interarrival_followed_to_the_end(void)
{
    struct rig r;

    rig_init(&r, 256); /* as many as end in one turn of the loop: then nothing is under way */
    rig_cycle(&r, NS_PER_S);
    r.plan.pace.kind = PACE_INTERARRIVAL;
    r.plan.sessions = 256;
    r.plan.sample_ns = 60 * NS_PER_S;
    r.script.stall_ns = 11 * NS_PER_S;
    r.on_sample = stall_of_the_last_10_s;
    rig_run(&r);
    UNIT_EQ_U64("all that were due", measured(&r), 256 * 60);
    UNIT_EQ_I64("none unfinished", r.result.sample.unfinished, 0);
    UNIT_EQ_U64("none failed", r.result.run.outcomes.failed, 0);
    rig_check(&r);
    rig_release(&r);
}

/* ... and those that it outlasts the drain for are unfinished. */
static void test_interarrival_unfinished(void)
{
    struct rig r;

    rig_init(&r, 100);
    rig_cycle(&r, NS_PER_S);
    r.plan.pace.kind = PACE_INTERARRIVAL;
    r.plan.sample_ns = 60 * NS_PER_S;
    r.plan.drain_ns = 5 * NS_PER_S;
    r.script.stall_ns = 500 * NS_PER_S;
    r.on_sample = stall_of_the_last_10_s;
    rig_run(&r);
    UNIT_EQ_U64("all that were due", measured(&r), 100 * 60);
    UNIT_NEAR("of its last 10 s", (double)r.result.sample.unfinished, 1000, 2);
    UNIT_NEAR("at their age", r.result.sample.time[TIME_RESPONSE].max, 15050, 60);
    UNIT_NEAR("the older the worse", r.result.sample.time[TIME_RESPONSE].p95, 12050, 250);
    rig_check(&r);
    rig_release(&r);
}

/* Without pace every session works all the time; response is service; queue and ceiling are none.
 */
static void test_saturate(void)
{
    struct rig r;

    rig_init(&r, 100);
    r.plan.pace = (struct pace){.kind = PACE_NONE, .factor = 1};
    r.plan.ramp_ns = 0;
    r.plan.precondition_ns = 5 * NS_PER_S;
    r.plan.sample_ns = 60 * NS_PER_S;
    rig_run(&r);
    UNIT_NEAR("16 / 5 ms", r.result.sample.tps, 3200, 1);
    UNIT_NEAR("response", ms(&r, TIME_RESPONSE), 5, 0.001);
    UNIT_NEAR("service", ms(&r, TIME_SERVICE), 5, 0.001);
    UNIT_TRUE("queue", isnan(ms(&r, TIME_QUEUE)));
    UNIT_TRUE("ceiling", isnan(r.result.sample.tps_percent_of_ceiling));
    UNIT_NEAR("the mix is kept", r.result.sample.by_type[TXN_PAYMENT].percent, 43, 0.1);
    rig_check(&r);
    rig_release(&r);
}

/* Deferred Delivery: the user is done when it is queued; few sessions execute; completions count.
 */
static void test_deferred_delivery(void)
{
    struct rig r;
    const struct result_txn *queued = NULL;
    const struct result_txn *executed = NULL;

    rig_init(&r, 4000);
    r.plan.delivery_deferred = true;
    r.script.service_ns = 50 * NS_PER_MS; /* 7.6 a second: one session is busy for 38 % */
    rig_run(&r);
    queued = &r.result.sample.by_type[TXN_DELIVERY];
    executed = &r.result.sample.by_type[TXN_DELIVERY_DEFERRED];
    UNIT_NEAR("queued at once", queued->time[TIME_RESPONSE].max, 0, 0.001);
    UNIT_TRUE("executed by one session: there is a queue", executed->time[TIME_QUEUE].avg > 5);
    UNIT_NEAR("service", executed->time[TIME_SERVICE].avg, 50, 0.001);
    UNIT_NEAR("response", executed->time[TIME_RESPONSE].avg, executed->time[TIME_QUEUE].avg + 50,
              0.001);
    UNIT_NEAR("percent", executed->percent, 4, 0.2);
    UNIT_NEAR("counted once", r.result.sample.tps, 4000 / (20.99 + 0.048), 2);
    UNIT_TRUE("all of them ended", (int64_t)r.result.run.outcomes.failed == 0);
    UNIT_NEAR("its own limit", executed->limit_ms, 80000, 0);
    rig_check(&r);
    rig_release(&r);
}

/* Deferred Deliveries that the drain finds queued are lost: failed, unfinished, at their age. */
static void test_deferred_delivery_lost(void)
{
    struct rig r;

    rig_init(&r, 4000);
    r.plan.delivery_deferred = true;
    r.plan.sample_ns = 60 * NS_PER_S;
    r.plan.drain_ns = 10 * NS_PER_S;
    r.plan.sessions = 400;
    r.script.service_ns = NS_PER_S;
    rig_run(&r);
    UNIT_TRUE("lost", r.result.run.outcomes.failed > 100);
    UNIT_TRUE("unfinished", r.result.sample.unfinished > 100);
    UNIT_EQ_STR("class", r.result.errors.at[0].class, "delivery_lost");
    rig_check(&r);
    rig_release(&r);
}

/* The standard's pace at full length: 3 h with 2,000 users. */
static void test_three_hours(void)
{
    struct rig r;

    rig_init(&r, 2000);
    r.plan.precondition_ns = 9000 * NS_PER_S;
    r.plan.sample_ns = 1800 * NS_PER_S;
    rig_run(&r);
    UNIT_NEAR("tps", r.result.sample.tps, 2000 / 20.995, 0.5);
    UNIT_TRUE("rows", r.result.series.n_rows >= 10800 && r.result.series.n_rows <= 10802);
    for (size_t i = 0; i < r.result.audit.n; i++)
        UNIT_TRUE(r.result.audit.at[i].name, r.result.audit.at[i].within == 1);
    UNIT_EQ_U64("no work but theirs, and the warming's", atomic_load(&r.script.batches),
                r.result.run.outcomes.started + 3 * r.plan.sessions);
    rig_check(&r);
    rig_release(&r);
}

static const struct unit_test tests[] = {
    {"closed_loop", test_closed_loop},
    {"no_wave", test_no_wave},
    {"queue_is_in_response", test_queue_is_in_response},
    {"stall", test_stall},
    {"longest_silence", test_silence},
    {"stall_over_the_end", test_stall_over_the_end},
    {"stall_beyond_the_drain", test_stall_beyond_the_drain},
    {"interarrival_skips_nothing", test_interarrival_skips_nothing},
    {"interarrival_followed_to_the_end", test_interarrival_followed_to_the_end},
    {"interarrival_unfinished", test_interarrival_unfinished},
    {"saturate", test_saturate},
    {"deferred_delivery", test_deferred_delivery},
    {"deferred_delivery_lost", test_deferred_delivery_lost},
    {"three_hours", test_three_hours},
};
const struct unit_suite model_suite = UNIT_SUITE("model", tests);
