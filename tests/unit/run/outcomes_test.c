/*
 * How transactions end: retries, failures, doubt, time-outs, lost servers, and that each of them is
 * counted where it belongs.
 */
#include <math.h>
#include <string.h>

#include "rig.h"
#include "run/null_answers.h"

static const struct counters *run_of(const struct rig *r)
{
    return &r->result.run.outcomes;
}

/* One of no class where there is none of this. */
static const struct result_error *error_of(const struct rig *r, const char *class)
{
    static const struct result_error none = {.count = -1};

    for (size_t i = 0; i < r->result.errors.n; i++)
        if (strcmp(r->result.errors.at[i].class, class) == 0)
            return &r->result.errors.at[i];
    return &none;
}

/* Faults from GO on, so that warming is not hit. */
static void calm_until_go(struct rig *r, const struct run_interval *iv)
{
    (void)iv;
    r->script.calm = false;
}

static void rig_init_faults(struct rig *r)
{
    rig_init(r, 1000);
    rig_cycle(r, 5 * NS_PER_S);
    r->plan.sample_ns = 60 * NS_PER_S;
    r->script.calm = true;
    r->on_interval = calm_until_go;
}

/* 40001 and 40P01 on every tenth call: retries are 10 % of the calls, nothing fails, and the time
 * of the retries is in the response. */
static void test_retries(void)
{
    static const char *const states[] = {"40001", "40P01"};

    for (size_t i = 0; i < ARRAY_LEN(states); i++) {
        struct rig r;
        uint64_t calls = 0;

        rig_init_faults(&r);
        r.script.fault_every = 10;
        memcpy(r.script.fault_sqlstate, states[i], 6);
        rig_run(&r);
        calls = run_of(&r)->started + run_of(&r)->retries;
        UNIT_NEAR("share", (double)run_of(&r)->retries / (double)calls, 0.1, 0.002);
        UNIT_EQ_U64("none failed", run_of(&r)->failed + run_of(&r)->in_doubt, 0);
        UNIT_TRUE("retried once or more", run_of(&r)->retried <= run_of(&r)->retries);
        UNIT_TRUE("retried", run_of(&r)->retried > run_of(&r)->started / 11);
        UNIT_TRUE("in the response", r.result.sample.time[TIME_RESPONSE].max > 10);
        UNIT_TRUE("back-off bound", r.result.sample.time[TIME_RESPONSE].max < 6 * 10 + 5 * 30);
        UNIT_EQ_STR("kept", error_of(&r, "retry")->sqlstate, states[i]);
        UNIT_EQ_I64("counted", error_of(&r, "retry")->count, (int64_t)run_of(&r)->retries);
        rig_check(&r);
        rig_release(&r);
    }
}

/* Never anything else: after 10 attempts it has failed, at no time that could flatter. */
static void test_retries_exhausted(void)
{
    struct rig r;

    rig_init_faults(&r);
    r.plan.precondition_ns = NS_PER_S;
    r.plan.ramp_ns = 0;
    r.plan.sessions = 400;
    r.script.fault_every = 1;
    memcpy(r.script.fault_sqlstate, "40001", 6);
    rig_run(&r);
    UNIT_TRUE("failed", run_of(&r)->failed > 10000);
    UNIT_NEAR("9 retries each", (double)run_of(&r)->retries / (double)run_of(&r)->failed, 9, 0.1);
    UNIT_EQ_U64("each retried once", run_of(&r)->retried, run_of(&r)->failed);
    UNIT_TRUE("no figure of good ones", r.result.sample.transactions < 30);
    rig_check(&r);
    rig_release(&r);
}

/* Fails at once: counted, and in no histogram. */
static void test_commit_fails(void)
{
    struct rig r;
    uint64_t measured = 0;

    rig_init_faults(&r);
    r.script.fail_commit_every = 20;
    rig_run(&r);
    UNIT_NEAR("failed", (double)run_of(&r)->failed / (double)run_of(&r)->started, 0.05, 0.002);
    UNIT_EQ_U64("not retried", run_of(&r)->retries, 0);
    UNIT_EQ_STR("kept", error_of(&r, "fatal")->sqlstate, "53100");
    for (int row = 0; row < TXN_TYPES; row++)
        measured += hist_count(r.result.latency[row][TIME_RESPONSE]);
    UNIT_NEAR("only good ones are measured", (double)measured, (double)r.result.sample.transactions,
              16); /* due in it and done in it are not the same few at the edges */
    rig_check(&r);
    rig_release(&r);
}

static void lost(uint32_t before_send)
{
    struct rig r;
    uint64_t expected = 0;
    uint64_t measured = 0;

    rig_init_faults(&r);
    r.script.lose_every = 50;
    r.script.lose_before_send = before_send;
    rig_run(&r);
    expected = before_send ? run_of(&r)->failed : run_of(&r)->in_doubt;
    UNIT_NEAR("lost", (double)expected / (double)run_of(&r)->started, 0.02, 0.001);
    UNIT_EQ_U64("the other class", run_of(&r)->failed + run_of(&r)->in_doubt, expected);
    UNIT_EQ_I64("kept", error_of(&r, before_send ? "lost" : "in_doubt")->count, (int64_t)expected);
    UNIT_EQ_U64("never all at once", r.result.marks.n, 0);
    for (int row = 0; row < TXN_TYPES; row++)
        measured += hist_count(r.result.latency[row][TIME_RESPONSE]);
    UNIT_NEAR("at their age in the histograms", (double)measured,
              (double)(counters_transactions(&r.result.sample.outcomes) +
                       r.result.sample.outcomes.failed + r.result.sample.outcomes.in_doubt),
              16);
    if (!before_send) {
        const uint64_t of_sample = r.result.sample.outcomes.in_doubt;
        uint64_t countable = 0;
        uint64_t in_sample = 0;

        for (size_t i = 0; i < r.counts.n_doubts; i++) {
            const struct run_doubt *d = &r.counts.doubts[i];

            countable += d->type == TXN_NEW_ORDER || d->type == TXN_PAYMENT;
            in_sample += d->in_sample;
            UNIT_TRUE("can be looked up", d->stamp_us > 0 && d->w_id > 0 && d->d_id > 0);
            UNIT_TRUE("stamps are unique", i == 0 || d->stamp_us != d[-1].stamp_us);
        }
        UNIT_EQ_U64("New-Orders and Payments only", countable, r.counts.n_doubts);
        UNIT_NEAR("88 % of them", (double)countable / (double)expected, 0.88, 0.08);
        UNIT_TRUE("not all are the sample's", in_sample < countable);
        UNIT_NEAR("88 % of the sample's", (double)in_sample / (double)of_sample, 0.88, 0.08);
    }
    rig_check(&r);
    rig_release(&r);
}

static void test_lost_before_sending_is_failed(void)
{
    lost(1);
}

static void test_lost_after_sending_is_in_doubt(void)
{
    lost(0);
}

static uint64_t some_take_long(uint64_t n, void *ctx)
{
    (void)ctx;
    return n % 500 == 0 ? 100 * NS_PER_S : 5 * NS_PER_MS;
}

/* The bound of 60 s: cancelled, failed, at its age. */
static void test_timeout(void)
{
    struct rig r;

    rig_init_faults(&r);
    r.plan.sample_ns = 120 * NS_PER_S;
    r.plan.sessions = 64;
    r.script.service_of = some_take_long;
    rig_run(&r);
    UNIT_TRUE("failed", run_of(&r)->failed > 40);
    UNIT_EQ_STR("class", r.result.errors.at[0].class, "timeout");
    UNIT_NEAR("age", r.result.sample.time[TIME_RESPONSE].max, 60050, 60);
    UNIT_EQ_U64("sessions came back", run_of(&r)->in_doubt, 0);
    rig_check(&r);
    rig_release(&r);
}

/* Only PostgreSQL says of what was cancelled that it is not committed: elsewhere the cancellation
 * may have come between the commit and its reply. Its session lives on. */
static void test_timeout_in_doubt(void)
{
    static const char *const states[] = {"HY008", "24000"}; /* and what a driver makes of it */

    for (size_t i = 0; i < ARRAY_LEN(states); i++) {
        struct rig r;

        rig_init_faults(&r);
        r.plan.sample_ns = 120 * NS_PER_S;
        r.plan.sessions = 64;
        r.script.service_of = some_take_long;
        memcpy(r.script.cancel_sqlstate, states[i], 6);
        rig_run(&r);
        UNIT_TRUE(states[i], run_of(&r)->in_doubt > 40);
        UNIT_EQ_U64(states[i], run_of(&r)->failed, 0);
        UNIT_EQ_U64(states[i], atomic_load(&r.script.connections), 64);
        rig_check(&r);
        rig_release(&r);
    }
}

/* A session that does not even answer a cancellation is given up; its transaction might commit. */
static void test_timeout_without_answer(void)
{
    struct rig r;

    rig_init_faults(&r);
    r.plan.sample_ns = 200 * NS_PER_S;
    r.plan.sessions = 64;
    r.script.ignore_cancel = true;
    r.script.service_of = some_take_long;
    rig_run(&r);
    UNIT_TRUE("in doubt", run_of(&r)->in_doubt > 40);
    UNIT_EQ_U64("failed", run_of(&r)->failed, 0);
    UNIT_NEAR("age", r.result.sample.time[TIME_RESPONSE].max, 65100, 110);
    UNIT_TRUE("replaced", atomic_load(&r.script.connections) > 64 + 40);
    UNIT_EQ_STR("class", r.result.errors.at[0].class, "given_up");
    UNIT_NEAR("those that the end of the drain found", (double)r.result.run.abandoned_sessions, 2,
              2);
    r.result.run.abandoned_sessions = 0;
    rig_check(&r);
    rig_release(&r);
}

static uint64_t fifth_takes_long(uint64_t n, void *ctx)
{
    (void)ctx;
    return n == 5 ? 1500 * NS_PER_MS : 100 * NS_PER_MS; /* 1 to 3 warm the session */
}

/* A cancellation that is still on its way when its transaction has committed must not hit the next
 * one on that session. In real time, since it takes the canceller's thread: from 0.6 s to 2.1 s of
 * the transaction, which is over at 1.5 s. */
static void test_late_cancellation_hits_nobody(void)
{
    struct rig r;

    rig_init(&r, 20);
    rig_cycle(&r, 10 * NS_PER_MS);
    r.clock = clock_system();
    r.plan.ramp_ns = 0;
    r.plan.precondition_ns = 0;
    r.plan.sample_ns = 2500 * NS_PER_MS;
    r.plan.drain_ns = 0;
    r.plan.sessions = 1;
    r.plan.txn_timeout_ns = 600 * NS_PER_MS;
    r.script.service_of = fifth_takes_long;
    r.script.cancel_ns = 1500 * NS_PER_MS;
    rig_run(&r);
    UNIT_TRUE("it was asked for", atomic_load(&r.script.cancels) >= 1);
    UNIT_EQ_I64("nobody's time-out", error_of(&r, "timeout")->count, -1);
    UNIT_TRUE("another session", atomic_load(&r.script.connections) >= 2);
    UNIT_TRUE("the long one committed", r.result.sample.time[TIME_SERVICE].max > 1490);
    r.result.run.abandoned_sessions = 0;
    rig_check(&r);
    rig_release(&r);
}

static void server_away(struct rig *r, uint64_t for_ns)
{
    r->script.gone_at_ns = clock_now_ns(r->clock) + 20 * NS_PER_S;
    r->script.gone_until_ns = r->script.gone_at_ns + for_ns;
}

static void away_10_s(struct rig *r)
{
    server_away(r, 10 * NS_PER_S);
}

/* A restart of the server in the middle: the run ends as planned; what ran is in doubt, what found
 * its session gone has failed, the others waited; then all goes on. */
static void test_server_restarts(void)
{
    struct rig r;
    double last_5_s = 0;

    rig_init_faults(&r);
    r.on_sample = away_10_s;
    rig_run(&r);
    UNIT_EQ_STR("", r.result.run.ended_by, "plan");
    UNIT_NEAR("full length", r.result.sample.seconds, 60, 1e-9);
    UNIT_TRUE("a few", run_of(&r)->failed + run_of(&r)->in_doubt <= 16);
    UNIT_TRUE("those that waited show it", r.result.sample.time[TIME_RESPONSE].p99 > 5000);
    UNIT_TRUE("and were not lost", r.result.sample.time[TIME_RESPONSE].max < 15500);
    UNIT_EQ_U64("", r.result.marks.n, 1);
    UNIT_EQ_STR("", r.result.marks.at[0].kind, "restart");
    UNIT_NEAR("all were lost", r.result.marks.at[0].start_s, 80.25, 0.3);
    UNIT_NEAR("the first came back", r.result.marks.at[0].end_s, 92.5, 2.5);
    for (size_t i = 0; i < r.result.series.n_rows; i++) {
        const struct series_row *row = series_at(&r.result.series, i);

        if (row->phase == PHASE_SAMPLE && row->time_s > 115.5)
            last_5_s += row->tps_all / 5;
    }
    UNIT_NEAR("back at its rate", last_5_s, 200, 2);
    UNIT_TRUE("bounded rate of trying", atomic_load(&r.script.connections) < 16 * 30);
    rig_check(&r);
    rig_release(&r);
}

static void away_for_good(struct rig *r)
{
    server_away(r, 10000 * NS_PER_S);
}

static void test_server_gone(void)
{
    struct rig r;

    rig_init_faults(&r);
    r.plan.sample_ns = 1200 * NS_PER_S;
    r.on_sample = away_for_good;
    rig_run(&r);
    UNIT_EQ_STR("", r.result.run.ended_by, "server gone");
    UNIT_TRUE("not an interruption", !r.result.run.interrupted);
    UNIT_NEAR("20 s and 60 s", r.result.sample.seconds, 80, 0.3);
    UNIT_TRUE("unfinished", r.result.sample.unfinished > 900);
    UNIT_TRUE("at their age", r.result.sample.time[TIME_RESPONSE].max > 59000);
    UNIT_TRUE("refusals are told", error_of(&r, "connect")->count > 0);
    UNIT_TRUE("it was told while it lasted", r.log_warnings > 0);
    UNIT_TRUE("a mark without an end", r.result.marks.n == 1 && isnan(r.result.marks.at[0].end_s));
    rig_check(&r);
    rig_release(&r);
}

/* Without pace a database that only fails is not hammered. */
static void test_saturate_rests_after_failures(void)
{
    struct rig r;

    rig_init_faults(&r);
    r.plan.pace = (struct pace){.kind = PACE_NONE, .factor = 1};
    r.plan.ramp_ns = 0;
    r.plan.precondition_ns = NS_PER_S;
    r.script.fault_every = 1;
    memcpy(r.script.fault_sqlstate, "42883", 6);
    rig_run(&r);
    UNIT_TRUE("failed", run_of(&r)->failed > 0);
    UNIT_NEAR("every 50 ms and a session", (double)run_of(&r)->failed, 16 * 60 / 0.0555, 2000);
    rig_check(&r);
    rig_release(&r);
}

/* Replies that a transaction can't have. */
static void empty(const struct batch *b, struct null_answer *a, void *ctx)
{
    (void)ctx;
    for (uint8_t i = 0; i < b->n; i++)
        null_answer_part(a, 0, 0);
}

static void answers_turn_bad(struct rig *r)
{
    r->script.answer = empty;
}

static void test_bad_replies_fail(void)
{
    struct rig r;

    rig_init_faults(&r);
    r.on_sample = answers_turn_bad;
    rig_run(&r);
    UNIT_TRUE("failed", r.result.sample.outcomes.failed > 10000);
    UNIT_EQ_STR("class", r.result.errors.at[0].class, "bad_reply");
    rig_check(&r);
    rig_release(&r);
}

static struct {
    uint64_t new_orders, payments;
    int64_t last_stamp;
    bool in_order;
} kept;

/* A database that counts what it commits, and sees all stamps. */
static void count_and_answer(const struct batch *b, struct null_answer *a, void *ctx)
{
    const char *name = b->part[0].stmt->name;
    const struct value *args = b->part[0].args;
    int64_t stamp = 0;

    null_answers(b, a, ctx);
    if (strcmp(name, "call_new_order") == 0) {
        kept.new_orders += a->cell[0].text[0] == '1'; /* "committed|..." */
        stamp = args[3].i;
    } else if (strcmp(name, "call_payment") == 0) {
        kept.payments++;
        stamp = args[7].i;
    } else if (strcmp(name, "call_delivery") == 0) {
        stamp = args[2].i;
    } else {
        return;
    }
    if (stamp <= kept.last_stamp)
        kept.in_order = false;
    kept.last_stamp = stamp;
}

/* What is counted is what the database committed; no stamp comes twice, though many transactions
 * are sent in the same microsecond. */
static void test_counts_and_stamps(void)
{
    struct rig r;

    rig_init(&r, 1000);
    memset(&kept, 0, sizeof(kept));
    kept.in_order = true;
    r.plan.pace = (struct pace){.kind = PACE_NONE, .factor = 1};
    r.plan.ramp_ns = 0;
    r.plan.precondition_ns = 5 * NS_PER_S;
    r.plan.sample_ns = 20 * NS_PER_S;
    r.script.answer = count_and_answer;
    rig_run(&r);
    UNIT_EQ_U64("New-Orders", r.counts.new_orders_committed, kept.new_orders);
    UNIT_EQ_U64("Payments", r.counts.payments_committed, kept.payments);
    UNIT_TRUE("unique and rising", kept.in_order);
    UNIT_NEAR("on the run's axis", (double)kept.last_stamp, (double)clock_real_us(&r.fake.clk),
              1e6);
    rig_check(&r);
    rig_release(&r);
}

static const struct unit_test tests[] = {
    {"retries", test_retries},
    {"retries_exhausted", test_retries_exhausted},
    {"commit_fails", test_commit_fails},
    {"lost_before_sending_is_failed", test_lost_before_sending_is_failed},
    {"lost_after_sending_is_in_doubt", test_lost_after_sending_is_in_doubt},
    {"timeout", test_timeout},
    {"timeout_in_doubt", test_timeout_in_doubt},
    {"timeout_without_answer", test_timeout_without_answer},
    {"late_cancellation_hits_nobody", test_late_cancellation_hits_nobody},
    {"server_restarts", test_server_restarts},
    {"server_gone", test_server_gone},
    {"saturate_rests_after_failures", test_saturate_rests_after_failures},
    {"bad_replies_fail", test_bad_replies_fail},
    {"counts_and_stamps", test_counts_and_stamps},
};
const struct unit_suite outcomes_suite = UNIT_SUITE("outcomes", tests);
