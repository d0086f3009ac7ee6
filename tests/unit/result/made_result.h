/*
 * A whole, valid result for tests: 15,000 users at the standard's pace on one NVMe partition, all
 * figures set and agreeing with each other as far as a test looks at them. Static functions, since
 * the tests of two folders use it.
 */
#ifndef UNIT_RESULT_MADE_RESULT_H
#define UNIT_RESULT_MADE_RESULT_H

#include <string.h>

#include "base/xalloc.h"
#include "result/result.h"
#include "result/verdict.h"

enum { MADE_SAMPLE_S = 240, MADE_ROWS = 6 };

static inline struct summary made_summary(double scale)
{
    return (struct summary){.avg = 3.125 * scale,
                            .p50 = 2.5 * scale,
                            .p90 = 5.25 * scale,
                            .p95 = 6.75 * scale,
                            .p99 = 11.375 * scale,
                            .p999 = 28.5 * scale,
                            .max = 61.0 * scale};
}

static inline void made_identity(struct result *r)
{
    r->kind = xstrdup("oltp");
    r->version = xstrdup("0.1.0");
    r->started = xstrdup("2026-11-30T13:45:01Z");
    r->ended = xstrdup("2026-11-30T13:51:22Z");
    r->label = xstrdup("drive A");
    r->command = xstrdup("tpcc-run --drive /mnt/nvme --warehouses 20 --workload tpcc");
    r->host = (struct result_host){.name = xstrdup("bench1"),
                                   .kernel = xstrdup("6.1.0-18-amd64"),
                                   .cpu_model = xstrdup("Model X 16-Core"),
                                   .cpus = 16,
                                   .memory_bytes = INT64_C(67430551552)};
    r->database.kind = xstrdup("postgresql");
    r->database.version = xstrdup("15.14");
    r->database.driver = xstrdup("libpq 15.14");
    r->database.transport = xstrdup("procedures");
    for (int row = 0; row < 5; row++)
        r->database.round_trips[row] = 1;
    r->database.buffer_bytes = INT64_C(305135616);
    r->database.memory_limit_bytes = INT64_C(1073741824);
    r->database.memory_limit_by = xstrdup("cgroup v2");
    r->dataset = (struct result_dataset){.warehouses = 20,
                                         .bytes_before = INT64_C(2119000064),
                                         .bytes_after = INT64_C(2203000832),
                                         .cached_bytes = 0,
                                         .seed = 42,
                                         .c_load = {157, 259, 7911},
                                         .c_run = {223, 259, 7911},
                                         .loaded_at = xstrdup("2026-11-30T13:40:00Z"),
                                         .load_seconds = 41.5,
                                         .runs_since_load = 1};
}

static inline void made_setting(struct result *r, const char *name, const char *value)
{
    const struct result_setting s = {.name = xstrdup(name), .value = xstrdup(value)};

    VEC_PUSH(&r->database.settings, s);
}

static inline void made_device(struct result *r, const char *name, const char *role)
{
    const bool summed = strcmp(role, "filesystem") == 0;
    const struct result_device d = {.name = xstrdup(name),
                                    .role = xstrdup(role),
                                    .holds = summed ? xstrdup("data, WAL") : NULL,
                                    .summed = summed,
                                    .model = xstrdup("EXAMPLE SSD 2TB"),
                                    .firmware = xstrdup("1.2A"),
                                    .scheduler = xstrdup("none"),
                                    .write_cache = xstrdup("write back"),
                                    .link = xstrdup("PCIe 16.0 GT/s x4 of 16.0 GT/s x4"),
                                    .size_bytes = INT64_C(2000398934016),
                                    .rotational = 0};

    VEC_PUSH(&r->drive.devices, d);
}

static inline void made_phase(struct result *r, const char *name, double start_s, double end_s)
{
    const struct result_phase p = {.name = xstrdup(name), .start_s = start_s, .end_s = end_s};

    VEC_PUSH(&r->phases, p);
}

static inline struct result_rates made_rates(double scale)
{
    return (struct result_rates){.reads_per_s = 1250.5 * scale,
                                 .writes_per_s = 2100.25 * scale,
                                 .flushes_per_s = 310.0 * scale,
                                 .read_mib_per_s = 9.75 * scale,
                                 .write_mib_per_s = 31.5 * scale,
                                 .read_await_ms = 0.125,
                                 .write_await_ms = 0.0625,
                                 .flush_await_ms = 0.5,
                                 .queue = 0.375 * scale,
                                 .busy_percent = 22.5 * scale};
}

static inline struct result_server made_server(double scale)
{
    return (struct result_server){.commit_ms = 0.75,
                                  .commits_per_flush = 1.5,
                                  .wal_kib_per_transaction = 9.5,
                                  .full_page_percent = 40.5,
                                  .cache_hit_percent = 97.25,
                                  .page_reads_per_s = 1250.5 * scale,
                                  .cpu_ms_per_transaction = 0.5,
                                  .cpu_percent = 2.25,
                                  .longest_silence_ms = 12.5,
                                  .active = 2.0 * scale,
                                  .wait_percent = {50, 1, 25, 2, 20, 1.5, 0.5},
                                  .io_read_mib_per_s = 9.5 * scale,
                                  .io_write_mib_per_s = 31.25 * scale,
                                  .host_cpu_percent = 5.5,
                                  .psi_cpu_percent = 1.25,
                                  .psi_io_percent = 8.5,
                                  .psi_memory_percent = 0};
}

static inline void made_server_sample(struct result *r)
{
    r->sample.server = made_server(1);
    r->sample.server_sample = (struct result_server_sample){.commit_by = xstrdup("server"),
                                                            .checkpoints_timed = 6,
                                                            .checkpoints_requested = 0,
                                                            .checkpoints_whole = 5,
                                                            .cpus = 16,
                                                            .wal_bytes = INT64_C(1669529600),
                                                            .page_reads = 300120,
                                                            .dirty_bytes = 4194304,
                                                            .looks = 2400,
                                                            .looks_per_s = 10,
                                                            .looking_percent = 0.5,
                                                            .looking_core_percent = 0.25};
}

static inline void made_drive(struct result *r)
{
    r->drive.path = xstrdup("/mnt/nvme");
    r->drive.filesystem = xstrdup("ext4");
    r->drive.mount_options = xstrdup("rw,relatime");
    r->drive.how_found = xstrdup("mount 42, 259:1");
    r->drive.used_percent = 12.5;
    made_device(r, "nvme0n1p1", "filesystem");
    made_device(r, "nvme0n1", "leaf");
    r->sample.devices[0] = made_rates(1);
    r->sample.devices[1] = made_rates(1);
    r->sample.reads_per_txn = 1.75;
    r->sample.writes_per_txn = 2.95;
    r->sample.flushes_per_txn = 0.435;
    r->sample.read_kib_per_txn = 14.0;
    r->sample.write_kib_per_txn = 45.25;
}

static inline void made_by_type(struct result_sample *s)
{
    static const double percent[] = {45, 43, 4, 4, 4};
    static const double limit_ms[] = {5000, 5000, 5000, 5000, 20000};

    for (int row = 0; row < 5; row++) {
        struct result_txn *t = &s->by_type[row];
        const double scale = 1.0 + 0.25 * row;

        t->count = (int64_t)(1710.0 * percent[row]);
        t->percent = percent[row];
        t->tps = 7.125 * percent[row];
        t->time[TIME_RESPONSE] = made_summary(scale);
        t->time[TIME_QUEUE] = made_summary(0.01);
        t->time[TIME_SERVICE] = made_summary(scale);
        t->limit_ms = limit_ms[row];
        t->within_limit = 1;
    }
}

static inline void made_sample(struct result *r)
{
    struct result_sample *s = &r->sample;

    r->workload = (struct result_workload){.name = xstrdup("tpcc"),
                                           .delivery = xstrdup("deferred"),
                                           .loop = xstrdup("closed"),
                                           .users = 15000,
                                           .sessions = 72,
                                           .mean_cycle_s = 20.99,
                                           .ceiling_tps = 714.625};
    s->seconds = MADE_SAMPLE_S;
    s->planned_seconds = MADE_SAMPLE_S;
    s->transactions = 171000;
    s->tps = 712.5;
    s->tps_percent_of_ceiling = 99.7;
    s->nopm = 19237.5;
    s->unfinished = 0;
    s->time[TIME_RESPONSE] = made_summary(1);
    s->time[TIME_QUEUE] = made_summary(0.01);
    s->time[TIME_SERVICE] = made_summary(0.99);
    made_by_type(s);
    s->outcomes = (struct counters){
        .started = 171003, .committed = 170230, .rolled_back = 770, .retried = 12, .retries = 14};
    s->driver = (struct result_driver){.cpu_percent = 5.5,
                                       .cpu_us_per_transaction = 77.25,
                                       .rss_mib = 41.5,
                                       .lateness_avg_ms = 0.0625,
                                       .lateness_p50_ms = 0.05,
                                       .lateness_p99_ms = 0.25,
                                       .lateness_max_ms = 3.5,
                                       .free_session_wait_percent = 0.1};
    r->run.outcomes = (struct counters){
        .started = 256500, .committed = 255340, .rolled_back = 1160, .retried = 19, .retries = 22};
    r->run.in_doubt_committed = 0;
    r->run.in_doubt_unresolved = 0;
    r->run.bytes_written = INT64_C(11889999872);
    r->run.ended_by = xstrdup("plan");
}

static inline void made_band(struct result *r, const char *name, double value, double low,
                             double high)
{
    const struct result_band b = {
        .name = name, .value = value, .low = low, .high = high, .within = 1};

    VEC_PUSH(&r->audit, b);
}

static inline void made_checks(struct result *r)
{
    for (int n = 1; n <= 12; n++) {
        struct result_check c = {
            .number = n, .name = xasprintf("condition_%d", n), .outcome = xstrdup("ok")};

        VEC_PUSH(&r->checks.after, c);
        if (n > 3)
            continue;
        c.name = xasprintf("condition_%d", n);
        c.outcome = xstrdup("ok");
        VEC_PUSH(&r->checks.before, c);
    }
    r->checks.before_seconds = 0.5;
    r->checks.after_seconds = 6.25;
    r->checks.new_orders_counted = 114900;
    r->checks.new_orders_in_database = 114900;
    r->checks.payments_counted = 110295;
    r->checks.payments_in_database = 110295;
    r->checks.orders_agree = 1;
    made_band(r, "rollback_percent", 1.005, 0.9, 1.1);
    made_band(r, "order_lines", 10.002, 9.5, 10.5);
    made_band(r, "remote_line_percent", 0.998, 0.95, 1.05);
    made_band(r, "remote_payment_percent", 15.04, 14, 16);
    made_band(r, "payment_by_name_percent", 60.1, 57, 63);
    made_band(r, "order_status_by_name_percent", 59.7, 57, 63);
    made_band(r, "skipped_delivery_percent", 0, 0, 1);
}

static inline struct hist *made_hist(uint64_t seed)
{
    struct hist *h = hist_new();

    for (uint64_t i = 1; i <= 500; i++)
        hist_record_ns(h, i * i * 997 * seed);
    return h;
}

static inline void made_distributions(struct result *r)
{
    for (int row = 0; row < 5; row++) {
        for (int k = 0; k < TIME_KINDS; k++)
            r->latency[row][k] = made_hist((uint64_t)(row * TIME_KINDS + k + 1));
    }
    hist_record_ns(r->latency[0][0], UINT64_C(4000000000000)); /* above the range */
    for (size_t i = 0; i < RESULT_BATCHES; i++) {
        if (i % 7 == 6)
            continue; /* an empty one */
        r->batches[i].response = made_hist(i + 1);
        r->batches[i].count = hist_count(r->batches[i].response);
        r->batches[i].sum_ns = hist_sum_ns(r->batches[i].response);
    }
}

static inline void made_series(struct result *r)
{
    series_init(&r->series, (int)r->drive.devices.n);
    for (int i = 0; i < MADE_ROWS; i++) {
        struct series_row *row = series_push(&r->series);

        row->time_s = i + 1;
        row->phase = (uint8_t)(i < 1 ? 0 : i < 2 ? 1 : i < 5 ? 2 : 3);
        row->users = 15000;
        for (int t = 0; t < 5; t++)
            row->tps[t] = 100.0 + t;
        row->tps_all = 510;
        row->avg_ms = 3.25;
        row->p50_ms = 2.5;
        row->p95_ms = 6.5;
        row->p99_ms = 11.25;
        row->max_ms = 40.75;
        row->queue = 0;
        row->sessions_busy = 3;
        row->retries = 0;
        row->errors = 0;
        if (i != 3)
            row->server = made_server(1 + i);
        for (int d = 0; d < r->series.n_devices && i != 2; d++) /* 2: missed samples */
            row->device[d] = made_rates(1 + i);
    }
}

static inline void made_health(struct result *r)
{
    struct result_drive_health d = {.device = xstrdup("nvme0n1"),
                                    .tool = xstrdup("smartctl 7.3, nvme-cli"),
                                    .before = health_log_none(),
                                    .after = health_log_none()};

    d.before.temperature_c = 41;
    d.before.worn_percent = d.after.worn_percent = 3;
    d.before.critical_warning = d.after.critical_warning = 0;
    d.before.written_bytes = INT64_C(96280685056000);
    d.after.written_bytes = d.before.written_bytes + INT64_C(11980800000);
    d.before.media_errors = d.after.media_errors = 0;
    d.before.throttled_1_seconds = d.after.throttled_1_seconds = 4;
    d.after.temperature_c = 47;
    r->health.seconds = 370;
    d.used = health_used_of(&d.before, &d.after, r->health.seconds);
    VEC_PUSH(&r->health.drives, d);
    r->health.temperature_c_min = 41;
    r->health.temperature_c_max = 49;
    r->health.critical_warning = 0;
}

static inline void made_steadiness(struct result *r)
{
    struct result_steadiness *s = &r->steadiness;

    s->steady = 1;
    s->round_s = 40;
    s->rounds = 8;
    s->window_start_s = 160;
    s->window_end_s = 360;
    s->steady_from_s = 80;
    for (int m = 0; m < STEADY_MEASURES; m++) {
        s->measure[m] = (struct result_steady_measure){.mean = 3 + m,
                                                       .range_percent = 4.5,
                                                       .slope_percent = -1.25,
                                                       .chance_range_percent = 8.5,
                                                       .chance_slope_percent = 6.5,
                                                       .steady = 1};
        for (int i = 0; i < STEADY_WINDOW; i++)
            s->measure[m].round[i] = 3 + m + 0.0625 * i;
    }
}

static inline void made_result(struct result *r)
{
    result_init(r);
    made_identity(r);
    made_setting(r, "fsync", "on");
    made_setting(r, "synchronous_commit", "on");
    made_setting(r, "full_page_writes", "on");
    made_setting(r, "shared_buffers", "291MB");
    made_drive(r);
    made_phase(r, "ramp", 0, 20.99);
    made_phase(r, "precondition", 20.99, 120);
    made_phase(r, "sample", 120, 360);
    made_phase(r, "drain", 360, 360.25);
    made_sample(r);
    made_server_sample(r);
    made_checks(r);
    made_distributions(r);
    made_series(r);
    made_steadiness(r);
    made_health(r);
    verdict_judge(r);
}

#endif
