/*
 * The document of a run: names of its parts, the empty one, and its release. Data goes from `run`
 * and `job` into it and from it to files and reports; whoever holds it owns all texts and
 * histograms in it. One thread (main) writes it.
 */
#include "result/result.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "result/drive_set.h"

#define BYTES_PER_MIB 1048576.0
#define PAGE_BYTES 8192
#define PAGE_READS_LEAST 10.0 /* a second */

const char *result_txn_name(int row)
{
    static const char *const names[RESULT_TXN_ROWS] = {
        "new_order", "payment", "order_status", "delivery", "stock_level", "delivery_deferred",
    };

    CHECK(row >= 0);
    CHECK(row < RESULT_TXN_ROWS);
    return names[row];
}

const char *result_steady_name(int measure)
{
    static const char *const names[] = {
        "response_ms",    "tps", "write_mib_per_s", "read_await_ms", "write_await_ms",
        "flush_await_ms",
    };

    _Static_assert(ARRAY_LEN(names) == STEADY_MEASURES, "one name a measure");
    CHECK(measure >= 0);
    CHECK(measure < STEADY_MEASURES);
    return names[measure];
}

const char *result_time_name(enum result_kind_of_time k)
{
    static const char *const names[] = {"response", "queue", "service"};

    _Static_assert(ARRAY_LEN(names) == TIME_KINDS, "one name a kind of time");
    CHECK(k < TIME_KINDS);
    return names[k];
}

struct result_rates result_rates_none(void)
{
    return (struct result_rates){
        .reads_per_s = RESULT_NONE,
        .writes_per_s = RESULT_NONE,
        .flushes_per_s = RESULT_NONE,
        .read_mib_per_s = RESULT_NONE,
        .write_mib_per_s = RESULT_NONE,
        .read_await_ms = RESULT_NONE,
        .write_await_ms = RESULT_NONE,
        .flush_await_ms = RESULT_NONE,
        .queue = RESULT_NONE,
        .busy_percent = RESULT_NONE,
    };
}

const char *result_wait_name(enum wait_class c)
{
    static const char *const names[] = {"read", "write", "wal", "lock", "cpu", "client", "other"};

    _Static_assert(ARRAY_LEN(names) == WAIT_CLASSES, "one name a class");
    CHECK(c < WAIT_CLASSES);
    return names[c];
}

const char *result_wait_words(enum wait_class c)
{
    static const char *const words[] = {
        "data reads", "data writes", "WAL writes and flushes", "locks", "CPU",
        "the driver", "other waits",
    };

    _Static_assert(ARRAY_LEN(words) == WAIT_CLASSES, "words for each class");
    CHECK(c < WAIT_CLASSES);
    return words[c];
}

struct result_server result_server_none(void)
{
    struct result_server s;
    double *at = (double *)(void *)&s;

    _Static_assert(sizeof(s) % sizeof(double) == 0, "doubles only");
    for (size_t i = 0; i < sizeof(s) / sizeof(double); i++)
        at[i] = RESULT_NONE;
    return s;
}

const char *result_keep_text(struct result *r, const char *text)
{
    for (size_t i = 0; i < r->texts.n; i++) {
        if (strcmp(r->texts.at[i], text) == 0)
            return r->texts.at[i];
    }
    VEC_PUSH(&r->texts, xstrdup(text));
    return r->texts.at[r->texts.n - 1];
}

bool result_balances(const struct result *r)
{
    const struct counters *o = &r->run.outcomes;
    const uint64_t ended = counters_transactions(o) + o->failed + o->in_doubt;
    const int64_t abandoned = r->run.abandoned_sessions;

    return o->started >= ended && o->started - ended <= (abandoned > 0 ? (uint64_t)abandoned : 0) &&
           counters_balance(o, o->started - ended);
}

void result_add_mark(struct result *r, struct result_mark mark)
{
    size_t at = r->marks.n;

    VEC_PUSH(&r->marks, mark);
    for (; at > 0 && r->marks.at[at - 1].start_s > mark.start_s; at--)
        r->marks.at[at] = r->marks.at[at - 1];
    r->marks.at[at] = mark;
}

bool result_devices_moved(const struct result *r, struct result_moved *m)
{
    const struct drive_set drive = drive_set_of(r, (int)r->drive.devices.n);
    const struct result_rates rates = drive_set_rates(&drive, r->sample.devices);

    *m = (struct result_moved){rates.read_mib_per_s, rates.write_mib_per_s};
    return drive.known;
}

double result_server_read_bytes(const struct result *r)
{
    int64_t block = PAGE_BYTES;

    for (size_t i = 0; i < r->database.settings.n; i++) {
        const struct result_setting *setting = &r->database.settings.at[i];

        if ((strcmp(setting->name, "block_size") == 0 ||
             strcmp(setting->name, "innodb_page_size") == 0) &&
            setting->value && units_parse_i64(setting->value, &block, NULL) < 0)
            block = PAGE_BYTES;
    }
    return r->sample.server.page_reads_per_s * (double)block;
}

double result_drive_read_percent(const struct result *r)
{
    struct result_moved m;

    if (!(r->sample.server.page_reads_per_s >= PAGE_READS_LEAST) || !result_devices_moved(r, &m))
        return RESULT_NONE;
    return 100.0 * m.read * BYTES_PER_MIB / result_server_read_bytes(r);
}

void result_verdict_clear(struct result *r)
{
    for (size_t i = 0; i < r->verdict.reasons.n; i++) {
        free(r->verdict.reasons.at[i].text);
        free(r->verdict.reasons.at[i].advice);
    }
    r->verdict.reasons.n = 0;
    r->verdict.status = VERDICT_VALID;
}

static void sample_init(struct result_sample *s)
{
    s->seconds = RESULT_NONE;
    s->planned_seconds = RESULT_NONE;
    s->transactions = -1;
    s->tps = RESULT_NONE;
    s->tps_percent_of_ceiling = RESULT_NONE;
    s->nopm = RESULT_NONE;
    s->unfinished = -1;
    for (int k = 0; k < TIME_KINDS; k++)
        s->time[k] = summary_none();
    for (int row = 0; row < RESULT_TXN_ROWS; row++) {
        struct result_txn *t = &s->by_type[row];

        *t = (struct result_txn){.count = -1,
                                 .percent = RESULT_NONE,
                                 .tps = RESULT_NONE,
                                 .limit_ms = RESULT_NONE,
                                 .within_limit = -1};
        for (int k = 0; k < TIME_KINDS; k++)
            t->time[k] = summary_none();
    }
    for (int i = 0; i < RESULT_DEVICES_MAX; i++)
        s->devices[i] = result_rates_none();
    s->in_doubt_not_committed = -1;
    s->devices_missing_percent = RESULT_NONE;
    s->reads_per_txn = RESULT_NONE;
    s->writes_per_txn = RESULT_NONE;
    s->flushes_per_txn = RESULT_NONE;
    s->read_kib_per_txn = RESULT_NONE;
    s->write_kib_per_txn = RESULT_NONE;
    s->server = result_server_none();
    s->server_sample = (struct result_server_sample){
        .checkpoints_timed = -1,
        .checkpoints_requested = -1,
        .checkpoints_whole = -1,
        .cpus = -1,
        .wal_bytes = -1,
        .page_reads = -1,
        .dirty_bytes = -1,
        .beside = -1,
        .beside_read_mib_per_s = RESULT_NONE,
        .beside_write_mib_per_s = RESULT_NONE,
        .looks = -1,
        .looks_per_s = RESULT_NONE,
        .looking_percent = RESULT_NONE,
        .looking_core_percent = RESULT_NONE,
    };
    s->driver = (struct result_driver){
        .cpu_percent = RESULT_NONE,
        .cpu_us_per_transaction = RESULT_NONE,
        .rss_mib = RESULT_NONE,
        .lateness_avg_ms = RESULT_NONE,
        .lateness_p50_ms = RESULT_NONE,
        .lateness_p99_ms = RESULT_NONE,
        .lateness_max_ms = RESULT_NONE,
        .free_session_wait_percent = RESULT_NONE,
    };
}

struct result_steady_measure result_steady_none(void)
{
    struct result_steady_measure none = {.mean = RESULT_NONE,
                                         .range_percent = RESULT_NONE,
                                         .slope_percent = RESULT_NONE,
                                         .chance_range_percent = RESULT_NONE,
                                         .chance_slope_percent = RESULT_NONE,
                                         .steady = -1};

    for (int i = 0; i < STEADY_WINDOW; i++)
        none.round[i] = RESULT_NONE;
    return none;
}

static void steadiness_init(struct result_steadiness *s)
{
    s->steady = -1;
    s->round_s = RESULT_NONE;
    s->rounds = -1;
    s->window_start_s = RESULT_NONE;
    s->window_end_s = RESULT_NONE;
    s->steady_from_s = RESULT_NONE;
    s->precondition_planned_s = RESULT_NONE;
    s->precondition_bound_s = RESULT_NONE;
    for (int m = 0; m < STEADY_MEASURES; m++)
        s->measure[m] = result_steady_none();
}

static void dataset_init(struct result_dataset *d)
{
    d->warehouses = -1;
    d->bytes_before = -1;
    d->bytes_after = -1;
    for (int i = 0; i < 3; i++) {
        d->c_load[i] = -1;
        d->c_run[i] = -1;
    }
    d->load_seconds = RESULT_NONE;
    d->runs_since_load = -1;
    d->restore = (struct result_restore){.bytes = -1,
                                         .bytes_written = -1,
                                         .seconds = RESULT_NONE,
                                         .rest_s = RESULT_NONE,
                                         .same_device = -1};
}

void result_init(struct result *r)
{
    memset(r, 0, sizeof(*r));
    r->host.cpus = -1;
    r->host.memory_bytes = -1;
    for (int i = 0; i < RESULT_TXN_ROWS; i++)
        r->database.round_trips[i] = -1;
    r->database.buffer_bytes = -1;
    r->database.memory_limit_bytes = -1;
    r->dataset.cached_bytes = -1;
    r->run.oom_kills = -1;
    dataset_init(&r->dataset);
    r->drive.used_percent = RESULT_NONE;
    prep_record_init(&r->drive.prep);
    r->workload.users = -1;
    r->workload.sessions = -1;
    r->workload.mean_cycle_s = RESULT_NONE;
    r->workload.ceiling_tps = RESULT_NONE;
    sample_init(&r->sample);
    steadiness_init(&r->steadiness);
    r->health = (struct result_health){.seconds = RESULT_NONE,
                                       .temperature_c_min = RESULT_NONE,
                                       .temperature_c_max = RESULT_NONE,
                                       .critical_warning = -1,
                                       .warned_at_s = RESULT_NONE};
    r->run.in_doubt_committed = -1;
    r->run.in_doubt_unresolved = -1;
    r->run.bytes_written = -1;
    r->run.device_gaps = -1;
    r->run.suspended_s = RESULT_NONE;
    r->run.device_lost = -1;
    r->checks.before_seconds = RESULT_NONE;
    r->checks.after_seconds = RESULT_NONE;
    r->checks.new_orders_counted = -1;
    r->checks.new_orders_in_database = -1;
    r->checks.payments_counted = -1;
    r->checks.payments_in_database = -1;
    r->checks.orders_agree = -1;
    r->sweep.area_bytes = -1;
    r->sweep.point_seconds = RESULT_NONE;
    r->sweep.settle_seconds = RESULT_NONE;
    series_init(&r->series, 0);
}

static void database_release(struct result_database *d)
{
    free(d->kind);
    free(d->version);
    free(d->driver);
    free(d->transport);
    free(d->memory_limit_by);
    free(d->memory_unlimited);
    for (size_t i = 0; i < d->settings.n; i++) {
        free(d->settings.at[i].name);
        free(d->settings.at[i].value);
    }
    VEC_RELEASE(&d->settings);
}

void result_drop_devices(struct result *r, size_t from)
{
    for (size_t i = from; i < r->drive.devices.n; i++) {
        struct result_device *dev = &r->drive.devices.at[i];

        free(dev->name);
        free(dev->model);
        free(dev->firmware);
        free(dev->scheduler);
        free(dev->write_cache);
        free(dev->link);
        free(dev->role);
        free(dev->holds);
    }
    if (from < r->drive.devices.n)
        r->drive.devices.n = from;
}

static void drive_release(struct result_drive *d)
{
    free(d->path);
    free(d->filesystem);
    free(d->mount_options);
    free(d->how_found);
    free(d->why_none);
    free(d->shared);
    free(d->unseen);
    prep_record_release(&d->prep);
    VEC_RELEASE(&d->devices);
    for (size_t i = 0; i < d->remotes.n; i++) {
        free(d->remotes.at[i].host);
        free(d->remotes.at[i].reason);
    }
    VEC_RELEASE(&d->remotes);
}

static void health_release(struct result_health *h)
{
    for (size_t i = 0; i < h->drives.n; i++) {
        free(h->drives.at[i].device);
        free(h->drives.at[i].tool);
        free(h->drives.at[i].why_none);
    }
    VEC_RELEASE(&h->drives);
}

static void check_release(struct result_check *c)
{
    free(c->name);
    free(c->outcome);
}

static void checks_release(struct result_checks *c)
{
    for (size_t i = 0; i < c->before.n; i++)
        check_release(&c->before.at[i]);
    for (size_t i = 0; i < c->after.n; i++)
        check_release(&c->after.at[i]);
    VEC_RELEASE(&c->before);
    VEC_RELEASE(&c->after);
}

static void distributions_release(struct result *r)
{
    for (int row = 0; row < RESULT_TXN_ROWS; row++) {
        for (int k = 0; k < TIME_KINDS; k++)
            hist_free(r->latency[row][k]);
    }
    for (int i = 0; i < RESULT_BATCHES; i++)
        hist_free(r->batches[i].response);
    series_release(&r->series);
}

void result_release(struct result *r)
{
    free(r->kind);
    free(r->version);
    free(r->started);
    free(r->ended);
    free(r->label);
    free(r->command);
    result_verdict_clear(r);
    VEC_RELEASE(&r->verdict.reasons);
    free(r->host.name);
    free(r->host.kernel);
    free(r->host.cpu_model);
    free(r->host.governor);
    database_release(&r->database);
    free(r->dataset.restore.method);
    free(r->dataset.restore.image);
    free(r->dataset.loaded_at);
    result_drop_devices(r, 0);
    drive_release(&r->drive);
    sweep_release(&r->sweep);
    free(r->workload.name);
    free(r->workload.delivery);
    free(r->workload.loop);
    for (size_t i = 0; i < r->phases.n; i++)
        free(r->phases.at[i].name);
    VEC_RELEASE(&r->phases);
    free(r->run.ended_by);
    health_release(&r->health);
    free(r->steadiness.why_none);
    free(r->steadiness.precondition_end);
    VEC_RELEASE(&r->audit);
    checks_release(&r->checks);
    for (size_t i = 0; i < r->errors.n; i++) {
        free(r->errors.at[i].class);
        free(r->errors.at[i].sqlstate);
        free(r->errors.at[i].text);
    }
    VEC_RELEASE(&r->errors);
    for (size_t i = 0; i < r->marks.n; i++) {
        free(r->marks.at[i].kind);
        free(r->marks.at[i].text);
    }
    VEC_RELEASE(&r->marks);
    free(r->sample.server_sample.commit_by);
    distributions_release(r);
    for (size_t i = 0; i < r->texts.n; i++)
        free(r->texts.at[i]);
    VEC_RELEASE(&r->texts);
    memset(r, 0, sizeof(*r));
}
