/*
 * A run without plan file, job and report, for the scripts here and in tests/perf:
 *
 *   run-driver [KEY=VALUE]...     prints the result's main figures, one "key value" a line
 *
 * backend=null|pq  conninfo=TEXT  warehouses=N  users=N  sessions=N  factor=F  pace=think|none
 * ramp=S precondition=S sample=S drain=S (durations)  service=S (null)  stall_at=S stall=S (null,
 * from the first batch)  doubt=1 (pq: afterwards, judge the order counts)  timeout=S  deferred=1
 * device=NAME
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/thread.h"
#include "base/units.h"
#include "check/check.h"
#include "db/null.h"
#include "run/doubt.h"
#include "run/null_answers.h"
#include "run/run.h"

struct driver {
    struct plan plan;
    struct null_script script;
    struct txn_statements statements;
    struct dialect *dialect;
    struct run_env env;
    struct result result;
    struct run_counts counts;
    struct check_totals before;
    struct stop stop;
    const char *backend;
    const char *conninfo;
    double factor;
    bool unpaced;
    bool doubt;
    uint64_t stall_at_ns;
    const char *device;
};

static struct driver driver;

static void on_signal(int number)
{
    (void)number;
    stop_ask(&driver.stop);
}

static void say(enum log_level level, const char *line, void *ctx)
{
    (void)ctx;
    if (level >= LOG_WARN)
        (void)fprintf(stderr, "run-driver: %s\n", line);
}

static bool take_duration(const char *key, const char *value, struct err *err)
{
    struct {
        const char *key;
        uint64_t *ns;
    } rows[] = {
        {"ramp", &driver.plan.ramp_ns},         {"precondition", &driver.plan.precondition_ns},
        {"sample", &driver.plan.sample_ns},     {"drain", &driver.plan.drain_ns},
        {"service", &driver.script.service_ns}, {"stall", &driver.script.stall_ns},
        {"stall_at", &driver.stall_at_ns},      {"timeout", &driver.plan.txn_timeout_ns},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (strcmp(rows[i].key, key) == 0)
            return units_parse_duration_ns(value, rows[i].ns, err) == 0;
    err_set(err, ERR_USAGE, "what is %s?", key);
    return false;
}

static bool take(const char *key, const char *value, struct err *err)
{
    uint64_t n = 0;

    if (strcmp(key, "backend") == 0) {
        driver.backend = value;
    } else if (strcmp(key, "conninfo") == 0) {
        driver.conninfo = value;
    } else if (strcmp(key, "device") == 0) {
        driver.device = value;
    } else if (strcmp(key, "factor") == 0) {
        return units_parse_double(value, &driver.factor, err) == 0;
    } else if (strcmp(key, "pace") == 0) {
        driver.unpaced = strcmp(value, "none") == 0;
    } else if (strcmp(key, "doubt") == 0) {
        driver.doubt = true;
    } else if (strcmp(key, "deferred") == 0) {
        driver.plan.delivery_deferred = true;
    } else if (strcmp(key, "users") == 0) {
        return units_parse_u64(value, &driver.plan.users, err) == 0;
    } else if (strcmp(key, "sessions") == 0) {
        if (units_parse_u64(value, &n, err) < 0)
            return false;
        driver.plan.sessions = (uint32_t)n;
    } else if (strcmp(key, "warehouses") == 0) {
        if (units_parse_u64(value, &n, err) < 0)
            return false;
        driver.plan.dataset.warehouses = (int32_t)n;
    } else {
        return take_duration(key, value, err);
    }
    return true;
}

static int take_arguments(int argc, char **argv, struct err *err)
{
    for (int i = 1; i < argc; i++) {
        char *value = strchr(argv[i], '=');

        if (!value)
            return err_set(err, ERR_USAGE, "%s is not KEY=VALUE", argv[i]);
        *value++ = '\0';
        if (!take(argv[i], value, err))
            return -1;
    }
    return 0;
}

/* Called for each batch, in the thread that the script belongs to. */
static uint64_t service_of(uint64_t n, void *ctx)
{
    (void)n;
    (void)ctx;
    if (driver.stall_at_ns && !driver.script.stall_at_ns)
        driver.script.stall_at_ns = clock_now_ns(clock_system()) + driver.stall_at_ns;
    return driver.script.service_ns;
}

static void set_defaults(void)
{
    struct plan *p = &driver.plan;

    driver.backend = "null";
    driver.factor = 1;
    driver.script.service_ns = 5 * NS_PER_MS;
    driver.script.service_of = service_of;
    driver.script.answer = null_answers;
    p->dataset.warehouses = 1500;
    p->users = 15000;
    p->sessions = 71;
    p->delivery_sessions = 7;
    p->precondition_ns = 5 * NS_PER_S;
    p->sample_ns = 10 * NS_PER_S;
    p->drain_ns = 30 * NS_PER_S;
    p->interval_ns = NS_PER_S;
    p->txn_timeout_ns = 60 * NS_PER_S;
    p->attempts_max = 10;
}

static void set_plan(void)
{
    static const double keying_s[TXN_TYPES] = {18, 3, 2, 2, 2};
    static const double think_s[TXN_TYPES] = {12, 12, 10, 5, 5};
    static const uint8_t mix[TXN_TYPES] = {45, 43, 4, 4, 4};
    struct plan *p = &driver.plan;

    p->rules = (struct input_rules){
        .seed = 11,
        .warehouses = p->dataset.warehouses,
        .c_run = {.customer_last = 100, .customer_id = 500, .item_id = 5000},
        .rollback_ppm = 10000,
        .remote_line_ppm = 10000,
        .remote_payment_ppm = 150000,
        .by_name_ppm = 600000,
    };
    p->pace.kind = driver.unpaced ? PACE_NONE : PACE_THINK;
    p->pace.factor = driver.factor;
    for (int t = 0; t < TXN_TYPES; t++) {
        p->pace.keying[t] = (struct dist){.kind = DIST_FIXED, .mean_ns = keying_s[t] * 1e9};
        p->pace.think[t] = (struct dist){.kind = DIST_NEGEXP, .mean_ns = think_s[t] * 1e9};
        p->mix[t] = mix[t];
    }
    p->home_drawn = p->users < (uint64_t)p->dataset.warehouses;
    p->mean_cycle_s = pace_mean_cycle_ns(&p->pace, p->mix) / 1e9;
    p->ceiling_tps = pace_ceiling_tps(&p->pace, p->mix, p->users);
}

static int read_totals(struct check_totals *t, struct err *err)
{
    const struct exec_opts how = {.stop = NULL};
    struct db_config cfg = {.conninfo = driver.conninfo, .clock = clock_system()};
    struct session *s = session_connect(db_find("pq"), &cfg, 0, err);
    int rc = -1;

    if (s)
        rc = check_totals_read(s, driver.dialect, &how, t, err);
    session_free(s);
    return rc;
}

static int judge_doubt(struct err *err)
{
    struct db_config cfg = {.conninfo = driver.conninfo, .clock = clock_system()};
    struct session *s = session_connect(db_find("pq"), &cfg, 0, err);
    const struct exec_opts how = {.stop = NULL};
    struct doubt_found found;
    struct check_totals after;
    int rc = -1;

    if (!s || doubt_resolve(s, driver.dialect, &driver.counts, &found, err) < 0)
        goto out;
    if (check_totals_read(s, driver.dialect, &how, &after, err) < 0)
        goto out;
    doubt_judge(&driver.counts, &found,
                &(struct doubt_growth){after.next_o_id_sum - driver.before.next_o_id_sum,
                                       after.history_rows - driver.before.history_rows},
                &driver.result);
    rc = 0;
out:
    session_free(s);
    return rc;
}

static void print_time(const char *name, const struct summary *s)
{
    printf("%s_avg %.6f\n%s_p50 %.6f\n%s_p99 %.6f\n%s_p999 %.6f\n%s_max %.6f\n", name, s->avg, name,
           s->p50, name, s->p99, name, s->p999, name, s->max);
}

/* The window's figures of the device, and in how many rows of the sample it has one. */
static void print_device(const struct result *r)
{
    const struct result_rates *d = &r->sample.devices[0];
    double mib = 0;
    double before_s = 0;
    int rows = 0;

    for (size_t i = 0; i < r->series.n_rows; i++) {
        const struct series_row *row = series_at(&r->series, i);

        if (row->phase == PHASE_SAMPLE && row->device[0].write_mib_per_s >= 0) {
            mib += row->device[0].write_mib_per_s * (row->time_s - before_s);
            rows++;
        }
        before_s = row->time_s;
    }
    printf("device_rows %d\ndevice_rows_mib %.3f\ndevice_write_mib %.3f\n", rows, mib,
           d->write_mib_per_s * r->sample.seconds);
    printf("device_write_kib_per_txn %.3f\ndevice_writes_per_txn %.3f\ndevice_writes_per_s %.3f\n",
           r->sample.write_kib_per_txn, r->sample.writes_per_txn, d->writes_per_s);
    printf("device_run_mib %.3f\ndevice_gaps %" PRId64 "\ndevice_lost %" PRId64 "\n",
           (double)r->run.bytes_written / 1048576.0, r->run.device_gaps, r->run.device_lost);
}

static void print_result(void)
{
    const struct result *r = &driver.result;
    const struct result_sample *s = &r->sample;

    printf("tps %.3f\nceiling %.3f\nmean_cycle_s %.6f\nseconds %.6f\n", s->tps,
           driver.plan.ceiling_tps, driver.plan.mean_cycle_s, s->seconds);
    printf("transactions %" PRId64 "\nunfinished %" PRId64 "\n", s->transactions, s->unfinished);
    print_time("response", &s->time[TIME_RESPONSE]);
    print_time("queue", &s->time[TIME_QUEUE]);
    print_time("service", &s->time[TIME_SERVICE]);
    printf("lateness_avg %.6f\nlateness_p50 %.6f\nlateness_p99 %.6f\nlateness_max %.6f\n",
           s->driver.lateness_avg_ms, s->driver.lateness_p50_ms, s->driver.lateness_p99_ms,
           s->driver.lateness_max_ms);
    printf("cpu_percent %.3f\ncpu_us_per_transaction %.3f\nrss_mib %.3f\nrss_bytes %" PRIu64 "\n",
           s->driver.cpu_percent, s->driver.cpu_us_per_transaction, s->driver.rss_mib,
           process_rss_peak_bytes());
    printf("started %" PRIu64 "\ncommitted %" PRIu64 "\nrolled_back %" PRIu64 "\nfailed %" PRIu64
           "\nin_doubt %" PRIu64 "\nretries %" PRIu64 "\n",
           r->run.outcomes.started, r->run.outcomes.committed, r->run.outcomes.rolled_back,
           r->run.outcomes.failed, r->run.outcomes.in_doubt, r->run.outcomes.retries);
    printf("abandoned %" PRId64 "\naccounting_broken %" PRId64 "\nended_by %s\n",
           r->run.abandoned_sessions, r->run.accounting_broken, r->run.ended_by);
    printf("orders_agree %d\nnew_orders_counted %" PRId64 "\nnew_orders_in_database %" PRId64
           "\npayments_counted %" PRId64 "\npayments_in_database %" PRId64
           "\nin_doubt_committed %" PRId64 "\nin_doubt_unresolved %" PRId64 "\n",
           r->checks.orders_agree, r->checks.new_orders_counted, r->checks.new_orders_in_database,
           r->checks.payments_counted, r->checks.payments_in_database, r->run.in_doubt_committed,
           r->run.in_doubt_unresolved);
    if (driver.device)
        print_device(r);
    for (size_t i = 0; i < r->audit.n; i++)
        printf("audit_%s %d\n", r->audit.at[i].name, r->audit.at[i].within);
    for (size_t i = 0; i < r->errors.n; i++)
        printf("error_%s %" PRId64 " %s\n", r->errors.at[i].class, r->errors.at[i].count,
               r->errors.at[i].text);
}

int main(int argc, char **argv)
{
    struct err err = {0};
    struct log *log = log_new(clock_system(), say, NULL);

    set_defaults();
    result_init(&driver.result);
    if (take_arguments(argc, argv, &err) < 0)
        goto out;
    set_plan();
    (void)signal(SIGINT, on_signal);
    driver.dialect = dialect_read("schema/postgresql", &err);
    if (!driver.dialect ||
        txn_statements_find(&driver.statements, driver.dialect, TXN_PROCEDURES, &err) < 0)
        goto out;
    if (driver.doubt && read_totals(&driver.before, &err) < 0)
        goto out;
    driver.env = (struct run_env){
        .plan = &driver.plan,
        .clock = clock_system(),
        .log = log,
        .stop = &driver.stop,
        .ops = db_find(driver.backend),
        .db = {.conninfo = driver.conninfo, .null_script = &driver.script},
        .statements = &driver.statements,
        .devices = &driver.device,
        .n_devices = driver.device ? 1 : 0,
    };
    series_init(&driver.result.series, driver.env.n_devices);
    if (run_execute(&driver.env, &driver.result, &driver.counts, &err) < 0)
        goto out;
    if (driver.doubt && judge_doubt(&err) < 0)
        goto out;
    print_result();
out:
    if (err.kind != ERR_NONE)
        (void)fprintf(stderr, "run-driver: %s\n", err.text);
    free(driver.counts.doubts);
    result_release(&driver.result);
    dialect_free(driver.dialect);
    log_free(log);
    return err_exit_code(&err);
}
