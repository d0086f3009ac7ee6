/*
 * The document of several targets: what adds up and what does not, who is in the sum, JSON both
 * ways, when it has failed.
 */
#include "result/targets.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "harness/unit.h"
#include "result/made_result.h"
#include "result/result_json.h"

#define DEVICE "nvme0n1p1" /* the made drive's */

/* One more target whose transactions all took so many ms. */
struct made_target {
    const char *name, *ended_by, *device;
    uint64_t ms, transactions;
    enum verdict_status status;
};

static void record(struct result *r, const struct made_target *of)
{
    r->latency[0][TIME_RESPONSE] = hist_new();
    r->latency[5][TIME_RESPONSE] = hist_new();
    r->batches[7].response = hist_new();
    for (uint64_t i = 0; i < of->transactions; i++) {
        hist_record_ns(r->latency[0][TIME_RESPONSE], of->ms * NS_PER_MS);
        hist_record_ns(r->batches[7].response, of->ms * NS_PER_MS);
    }
    hist_record_ns(r->latency[5][TIME_RESPONSE], NS_PER_S); /* not in "all" */
    r->batches[7].count = of->transactions;
    r->batches[7].sum_ns = of->transactions * of->ms * NS_PER_MS;
    r->sample.time[TIME_RESPONSE] = summary_of(r->latency[0][TIME_RESPONSE]);
}

static void add(struct targets *t, const struct made_target *of)
{
    const struct result_driver driver = {.cpu_percent = 40, .rss_mib = 50};
    const struct targets_run run = {of->name, "targets/x", &driver};
    struct result r;

    result_init(&r);
    made_identity(&r);
    made_drive(&r);
    made_sample(&r);
    free(r.drive.devices.at[0].name);
    r.drive.devices.at[0].name = xstrdup(of->device);
    free(r.run.ended_by);
    r.run.ended_by = xstrdup(of->ended_by);
    r.workload.users = 100;
    r.workload.sessions = 10;
    r.workload.ceiling_tps = 50;
    r.sample.seconds = 240;
    r.sample.transactions = (int64_t)of->transactions;
    r.sample.tps = (double)of->transactions / 240;
    r.verdict.status = of->status;
    record(&r, of);
    targets_add(t, &run, &r);
    result_release(&r);
}

static const struct made_target quick = {"quick", "plan", "sda", 10, 900, VERDICT_VALID};
static const struct made_target slow = {"slow", "plan", "sdb", 100, 100, VERDICT_QUESTIONABLE};
static const struct made_target lost = {"lost", "server gone", "sdc", 5, 50, VERDICT_INVALID};
static const struct made_target beside = {"beside", "plan", "sda", 10, 100, VERDICT_VALID};

static void make(struct targets *t, const struct made_target *a, const struct made_target *b)
{
    targets_init(t);
    t->planned = 2;
    add(t, a);
    add(t, b);
    targets_close(t);
}

static void test_counts_and_rates_add_up(void)
{
    struct targets t;

    make(&t, &quick, &slow);
    UNIT_EQ_I64("", t.summed, 2);
    UNIT_EQ_I64("", t.sum.users, 200);
    UNIT_EQ_I64("", t.sum.sessions, 20);
    UNIT_EQ_I64("", t.sum.transactions, 1000);
    UNIT_NEAR("", t.sum.tps, 1000.0 / 240, 1e-9);
    UNIT_NEAR("", t.sum.tps_percent_of_ceiling, 1000.0 / 240, 1e-9);
    UNIT_EQ_STR("", t.sum.device, "sda + sdb");
    UNIT_NEAR("two drives", t.sum.rates.writes_per_s, 2 * 2100.25, 1e-9);
    UNIT_NEAR("a mean of both", t.sum.rates.write_await_ms, 0.0625, 1e-9);
    UNIT_NEAR("", t.sum.writes_per_txn, 2 * 2100.25 / (1000.0 / 240), 1e-6);
    UNIT_TRUE("no figure of a sum", isnan(t.sum.server_cpu_percent));
    UNIT_TRUE("", t.shared == NULL);
    UNIT_NEAR("the process once", t.driver.cpu_percent, 40, 1e-9);
    UNIT_NEAR("40 % of 240 s over 1000", t.driver.cpu_us_per_transaction, 96000, 1e-6);
    targets_release(&t);
}

static void test_percentiles_are_of_added_histograms(void)
{
    struct targets t;

    make(&t, &quick, &slow);
    UNIT_NEAR("900 of 10 ms, 100 of 100 ms", t.sum.response.avg, 19, 1e-9);
    UNIT_NEAR("", t.sum.response.p50, 10, 0.01);
    UNIT_NEAR("the 900th of 1000", t.sum.response.p90, 10, 0.01);
    UNIT_NEAR("", t.sum.response.p95, 100, 0.1);
    UNIT_NEAR("one sample, and none of deferred work", t.sum.response.max, 100, 1e-9);
    UNIT_EQ_U64("kept for latency.csv", hist_count(t.merged.latency[0][TIME_RESPONSE]), 1000);
    UNIT_EQ_U64("", hist_count(t.merged.latency[5][TIME_RESPONSE]), 2);
    UNIT_NEAR("2 s a batch", t.line.tps[7], 500, 1e-9);
    UNIT_NEAR("", t.line.avg_ms[7], 19, 1e-9);
    UNIT_NEAR("", t.line.p99_ms[7], 100, 0.1);
    UNIT_NEAR("none done", t.line.tps[8], 0, 1e-9);
    UNIT_TRUE("so no time", isnan(t.line.p99_ms[8]));
    targets_release(&t);
}

static void test_a_shared_device_counts_once(void)
{
    struct targets t;

    make(&t, &quick, &beside);
    UNIT_EQ_STR("", t.sum.device, "sda");
    UNIT_NEAR("", t.sum.rates.writes_per_s, 2100.25, 1e-9);
    UNIT_EQ_STR("", t.shared, "sda by quick, beside");
    targets_release(&t);
}

static void test_a_lost_one_is_not_in_the_sum(void)
{
    struct targets t;

    make(&t, &quick, &lost);
    UNIT_EQ_I64("", t.summed, 1);
    UNIT_EQ_I64("", t.sum.transactions, 900);
    UNIT_NEAR("", t.sum.response.max, 10, 1e-9);
    UNIT_TRUE("", t.rows.at[0].summed);
    UNIT_TRUE("", !t.rows.at[1].summed);
    UNIT_EQ_I64("but in the rows", t.rows.at[1].run.transactions, 50);
    UNIT_EQ_STR("valid as ever", t.rows.at[0].run.verdict, "valid");
    UNIT_EQ_STR("the worst one", t.verdict, "invalid");
    UNIT_TRUE("", targets_failed(&t, false));
    targets_release(&t);
}

static void test_none_is_left(void)
{
    struct targets t;

    make(&t, &lost, &lost);
    UNIT_EQ_I64("", t.summed, 0);
    UNIT_TRUE("no sum", t.sum.directory == NULL);
    UNIT_TRUE("", isnan(t.sum.tps));
    targets_release(&t);
}

static void test_failed(void)
{
    struct targets t;

    make(&t, &quick, &beside);
    UNIT_TRUE("valid", !targets_failed(&t, true));
    t.planned = 3;
    targets_close(&t);
    UNIT_TRUE("one did not begin", targets_failed(&t, false));
    targets_release(&t);
    make(&t, &quick, &slow);
    UNIT_TRUE("questionable", !targets_failed(&t, false));
    UNIT_TRUE("strict", targets_failed(&t, true));
    targets_release(&t);
    targets_init(&t);
    UNIT_TRUE("under way", targets_failed(&t, false));
    targets_release(&t);
}

static void check_both_ways(struct targets *t)
{
    struct targets back;
    struct err err = {0};
    char *first = targets_json_write(t);
    char *again = NULL;

    targets_init(&back);
    UNIT_EQ_I64("", targets_json_read(first, &back, &err), 0);
    UNIT_EQ_STR("", err.text, "");
    again = targets_json_write(&back);
    UNIT_EQ_STR("", again, first);
    free(first);
    free(again);
    targets_release(&back);
    targets_release(t);
}

static void test_json_both_ways(void)
{
    struct targets t;

    make(&t, &quick, &lost);
    t.label = xstrdup("an array");
    t.ended_by = xstrdup("plan");
    check_both_ways(&t);
    make(&t, &lost, &lost);
    check_both_ways(&t);
    targets_init(&t);
    check_both_ways(&t);
}

static void test_broken_json(void)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"{\"format\": \"tpcc-run/1\", \"kind\": \"oltp\"}", "not of several targets"},
        {"{\"format\": \"x\"}", "format \"x\" is not known here, only \"tpcc-run/1\""},
        {"{\"format\": \"tpcc-run/1\", \"kind\": \"targets\", \"targets\": {}}",
         "targets: a list was expected, not an object"},
        {"{\"format\": \"tpcc-run/1\", \"kind\": \"targets\", \"targets\": [1]}",
         "targets[0]: an object was expected, not a whole number"},
        {"{\"format\": \"tpcc-run/1\", \"kind\": \"targets\", \"targets\": [{\"name\": \"a\", "
         "\"run\": "
         "{\"directory\": \"x\", \"verdict\": \"valid\", \"users\": 1}, \"batches\": {\"tps\": "
         "[1]}}]}",
         "targets[0].batches.tps: 120 figures were expected"},
        {"{\"format\": \"tpcc-run/1\", \"kind\": \"targets\", \"sum\": {\"directory\": \"x\"}}",
         "sum: a step without directory, verdict or users"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct targets t;
        struct err err = {0};

        targets_init(&t);
        UNIT_EQ_I64(cases[i].text, targets_json_read(cases[i].text, &t, &err), -1);
        UNIT_EQ_STR(cases[i].text, err.text, cases[i].error);
        targets_release(&t);
    }
}

static void test_no_run(void)
{
    struct targets t;
    struct result r;
    struct err err = {0};
    char *json = NULL;

    make(&t, &quick, &slow);
    json = targets_json_write(&t);
    result_init(&r);
    UNIT_EQ_I64("", result_json_read(json, &r, &err), -1);
    UNIT_EQ_STR("", err.text,
                "of several targets; each of them is a result (see targets/ in its directory)");
    free(json);
    result_release(&r);
    targets_release(&t);
}

static const struct unit_test tests[] = {
    {"counts and rates add up", test_counts_and_rates_add_up},
    {"percentiles are of added histograms", test_percentiles_are_of_added_histograms},
    {"a shared device counts once", test_a_shared_device_counts_once},
    {"a lost one is not in the sum", test_a_lost_one_is_not_in_the_sum},
    {"none is left", test_none_is_left},
    {"failed", test_failed},
    {"JSON both ways", test_json_both_ways},
    {"broken JSON", test_broken_json},
    {"no run", test_no_run},
};
const struct unit_suite targets_suite = UNIT_SUITE("targets", tests);
