#include "rig.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/null_answers.h"

static const char *const names[TXN_TYPES] = {
    "call_new_order", "call_payment", "call_order_status", "call_delivery", "call_stock_level",
};

static void say(enum log_level level, const char *line, void *ctx)
{
    struct rig *r = ctx;

    if (level < LOG_WARN)
        return;
    r->log_warnings++;
    (void)snprintf(r->last_warning, sizeof(r->last_warning), "%s", line);
}

static void on_interval(const struct run_interval *iv, void *ctx)
{
    struct rig *r = ctx;

    if (r->on_interval)
        r->on_interval(r, iv);
}

static double temperature_c(void *ctx)
{
    (void)ctx;
    return 41.5;
}

static void on_go(uint64_t go_ns, void *ctx)
{
    struct rig *r = ctx;

    UNIT_EQ_U64("once", r->told_go_ns, 0);
    r->told_go_ns = go_ns;
    r->told_at_ns = r->fake.now_ns;
}

static void on_connecting(uint32_t done, uint32_t total, void *ctx)
{
    struct rig *r = ctx;

    UNIT_TRUE("of all", done <= total);
    if (r->on_connecting)
        r->on_connecting(r, done);
}

static void before_sample(void *ctx)
{
    struct rig *r = ctx;

    if (r->on_sample)
        r->on_sample(r);
}

static void standard_pace(struct plan *p)
{
    static const double keying_s[TXN_TYPES] = {18, 3, 2, 2, 2};
    static const double think_s[TXN_TYPES] = {12, 12, 10, 5, 5};
    static const uint8_t mix[TXN_TYPES] = {45, 43, 4, 4, 4};

    p->pace = (struct pace){.kind = PACE_THINK, .factor = 1};
    for (int t = 0; t < TXN_TYPES; t++) {
        p->pace.keying[t] = (struct dist){.kind = DIST_FIXED, .mean_ns = keying_s[t] * 1e9};
        p->pace.think[t] = (struct dist){.kind = DIST_NEGEXP, .mean_ns = think_s[t] * 1e9};
        p->mix[t] = mix[t];
    }
}

static void init_plan(struct plan *p, uint32_t users)
{
    p->dataset.warehouses = 10;
    p->rules = (struct input_rules){
        .seed = 7,
        .warehouses = 10,
        .c_run = {.customer_last = 100, .customer_id = 500, .item_id = 5000},
        .rollback_ppm = 10000,
        .remote_line_ppm = 10000,
        .remote_payment_ppm = 150000,
        .by_name_ppm = 600000,
    };
    standard_pace(p);
    p->users = users;
    p->sessions = 16;
    p->delivery_sessions = 1;
    p->ramp_ns = 21 * NS_PER_S;
    p->precondition_ns = 60 * NS_PER_S;
    p->sample_ns = 600 * NS_PER_S;
    p->drain_ns = 60 * NS_PER_S;
    p->interval_ns = NS_PER_S;
    p->txn_timeout_ns = 60 * NS_PER_S;
    p->attempts_max = 10;
}

void rig_init(struct rig *r, uint32_t users)
{
    memset(r, 0, sizeof(*r));
    clock_fake_init(&r->fake, RIG_START_NS, INT64_C(1790000000000000));
    r->clock = &r->fake.clk;
    init_plan(&r->plan, users);
    r->script.connect_ns = NS_PER_MS;
    r->script.service_ns = 5 * NS_PER_MS;
    r->script.answer = null_answers;
    for (int t = 0; t < TXN_TYPES; t++) {
        r->stmt[t] = (struct stmt){.name = names[t], .text = ""};
        r->statements.call[t] = &r->stmt[t];
    }
    result_init(&r->result);
    r->result.strict_accounting = true;
}

void rig_release(struct rig *r)
{
    result_release(&r->result);
    free(r->counts.doubts);
    log_free(r->log);
}

void rig_cycle(struct rig *r, uint64_t cycle_ns)
{
    r->plan.pace = (struct pace){
        .kind = PACE_CYCLE,
        .factor = 1,
        .interval = {.kind = DIST_FIXED, .mean_ns = (double)cycle_ns},
    };
}

void rig_ready(struct rig *r)
{
    r->log = log_new(r->clock, say, r);
    r->plan.mean_cycle_s = pace_mean_cycle_ns(&r->plan.pace, r->plan.mix) / 1e9;
    r->plan.ceiling_tps = pace_ceiling_tps(&r->plan.pace, r->plan.mix, r->plan.users);
    r->env = (struct run_env){
        .plan = &r->plan,
        .clock = r->clock,
        .log = r->log,
        .stop = &r->stop,
        .ops = &null_ops,
        .db = {.null_script = &r->script},
        .statements = &r->statements,
        .on_interval = on_interval,
        .temperature_c = temperature_c,
        .on_connecting = on_connecting,
        .on_go = on_go,
        .before_sample = before_sample,
        .devices = r->devices,
        .n_devices = r->n_devices,
        .root = r->root,
        .ctx = r,
    };
    series_init(&r->result.series, r->n_devices);
}

int rig_try(struct rig *r)
{
    rig_ready(r);
    return run_execute(&r->env, &r->result, &r->counts, &r->err);
}

void rig_run(struct rig *r)
{
    if (rig_try(r) == 0)
        return;
    (void)fprintf(stderr, "the run did not begin: %s\n", r->err.text);
    CU_FAIL_FATAL("the run did not begin");
}

static void check_batches(const struct result *res)
{
    struct hist *from_batches = hist_new();
    struct hist *from_rows = hist_new();
    uint64_t count = 0;
    uint64_t sum_ns = 0;

    for (int b = 0; b < RESULT_BATCHES; b++) {
        if (!res->batches[b].response)
            continue;
        hist_add(from_batches, res->batches[b].response);
        count += res->batches[b].count;
        sum_ns += res->batches[b].sum_ns;
    }
    for (int row = 0; row < TXN_DELIVERY_DEFERRED; row++) {
        if (res->latency[row][TIME_RESPONSE])
            hist_add(from_rows, res->latency[row][TIME_RESPONSE]);
    }
    UNIT_TRUE("batches are the sample", hist_equal(from_batches, from_rows));
    UNIT_EQ_U64("batches' counts", count, hist_count(from_rows));
    UNIT_EQ_U64("batches' sums", sum_ns, hist_sum_ns(from_rows));
    hist_free(from_batches);
    hist_free(from_rows);
}

/* TPS x length over the sample's rows; rates are there where a row is long enough for them. */
static void check_series(const struct rig *r)
{
    const struct result *res = &r->result;
    const double interval_s = (double)r->plan.interval_ns / 1e9;
    double before_s = 0;
    double n = 0;

    for (size_t i = 0; i < res->series.n_rows; i++) {
        const struct series_row *row = series_at(&res->series, i);
        const double length_s = row->time_s - before_s;

        UNIT_TRUE("rows go on", length_s > 0);
        if (fabs(length_s - interval_s / 10) > 1e-9)
            UNIT_TRUE("rates of a sliver", isfinite(row->tps_all) == (length_s > interval_s / 10));
        UNIT_TRUE("all or none", isfinite(row->tps[0]) == isfinite(row->tps_all));
        if (row->phase == PHASE_SAMPLE)
            n += row->tps_all * length_s;
        before_s = row->time_s;
    }
    if (isfinite(n))
        UNIT_NEAR("the series' transactions are the sample's", n,
                  fmax((double)res->sample.transactions, 0), 0.01);
}

static uint64_t sum_of(const struct result *res, int row, enum result_kind_of_time k)
{
    return res->latency[row][k] ? hist_sum_ns(res->latency[row][k]) : 0;
}

/* Response = queue + service, to the ns; the queueing of a deferred Delivery is neither. */
static void check_times(const struct rig *r)
{
    const struct result *res = &r->result;

    for (int row = 0; row < TXN_ROWS; row++) {
        if (row == TXN_DELIVERY && r->plan.delivery_deferred)
            continue;
        UNIT_EQ_U64(result_txn_name(row), sum_of(res, row, TIME_RESPONSE),
                    sum_of(res, row, TIME_QUEUE) + sum_of(res, row, TIME_SERVICE));
    }
}

void rig_check(const struct rig *r)
{
    const struct result *res = &r->result;

    check_batches(res);
    check_times(r);
    check_series(r);
    UNIT_TRUE("the equation at the end", counters_balance(&res->run.outcomes, 0));
    UNIT_EQ_I64("the equation at every edge", res->run.accounting_broken, 0);
    UNIT_EQ_I64("none of ours left behind", res->run.abandoned_sessions, 0);
}
