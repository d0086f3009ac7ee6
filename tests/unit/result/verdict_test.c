/*
 * result/verdict: each row of the table at, below and above its limit, on a result that is valid
 * but for the one change.
 */
#include "result/verdict.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "harness/unit.h"
#include "result/made_result.h"

static const struct verdict_reason *reason_of(const struct result *r, const char *code)
{
    for (size_t i = 0; i < r->verdict.reasons.n; i++) {
        if (strcmp(r->verdict.reasons.at[i].code, code) == 0)
            return &r->verdict.reasons.at[i];
    }
    return NULL;
}

static void set_text(char **to, const char *text)
{
    free(*to);
    *to = text ? xstrdup(text) : NULL;
}

static void set_setting(struct result *r, const char *name, const char *value)
{
    for (size_t i = 0; i < r->database.settings.n; i++) {
        if (strcmp(r->database.settings.at[i].name, name) == 0) {
            set_text(&r->database.settings.at[i].value, value);
            return;
        }
    }
    const struct result_setting added = {.name = xstrdup(name), .value = xstrdup(value)};

    VEC_PUSH(&r->database.settings, added);
}

static void nothing(struct result *r)
{
    (void)r;
}

static void condition_ok(struct result *r)
{
    set_text(&r->checks.after.at[2].outcome, NULL); /* not run */
}

static void condition_bad(struct result *r)
{
    set_text(&r->checks.after.at[2].outcome, "4 rows, the first w_id=1 d_id=3");
}

static void condition_bad_before(struct result *r)
{
    set_text(&r->checks.before.at[0].outcome, "1 row");
}

static void orders_unknown(struct result *r)
{
    r->checks.orders_agree = -1;
}

static void orders_wrong(struct result *r)
{
    r->checks.orders_agree = 0;
}

static void set_failed(struct result *r, uint64_t failed, uint64_t good)
{
    r->sample.outcomes = (struct counters){.committed = good, .failed = failed};
}

static void errors_at(struct result *r)
{
    set_failed(r, 100, 9900);
}

static void errors_above(struct result *r)
{
    set_failed(r, 101, 9899);
}

static void set_doubts(struct result *r, int64_t not_committed)
{
    r->sample.outcomes = (struct counters){.committed = 9850, .failed = 50, .in_doubt = 100};
    r->sample.in_doubt_not_committed = not_committed;
}

static void errors_doubts_unknown(struct result *r)
{
    set_doubts(r, -1);
}

static void errors_doubts_at(struct result *r)
{
    set_doubts(r, 50);
}

static void errors_doubts_above(struct result *r)
{
    set_doubts(r, 51);
}

static void errors_none_done(struct result *r)
{
    set_failed(r, 0, 0);
}

static void cut_at(struct result *r)
{
    r->sample.seconds = 300.1;
    r->sample.planned_seconds = 300.1;
}

static void cut_below(struct result *r)
{
    r->sample.seconds = 299.9;
    r->sample.planned_seconds = 300;
    r->run.interrupted = true;
}

static void cut_before(struct result *r)
{
    r->sample.seconds = RESULT_NONE;
}

static void cut_where(struct result *r)
{
    r->sample.seconds = RESULT_NONE;
    r->run.interrupted = true;
    set_text(&r->run.ended_by, "interrupt before the run");
}

static void cut_server(struct result *r)
{
    r->sample.seconds = 200;
    set_text(&r->run.ended_by, "server gone");
}

/* The sample was whole, but who knows what became of its transactions. */
static void cut_hung(struct result *r)
{
    r->sample.seconds = r->sample.planned_seconds = 300;
    set_text(&r->run.ended_by, "the event loop hung");
}

static void cut_empty(struct result *r)
{
    r->sample.transactions = 0;
}

static void cut_killed(struct result *r)
{
    r->partial = true;
}

static void unfinished_at(struct result *r)
{
    r->sample.transactions = 99900;
    r->sample.unfinished = 100;
}

static void unfinished_above(struct result *r)
{
    r->sample.transactions = 99899;
    r->sample.unfinished = 101;
}

static void late_at(struct result *r)
{
    r->sample.driver.lateness_p99_ms = 2.0; /* 10 % of the response's is less */
    r->sample.driver.lateness_avg_ms = 0.05 * r->sample.time[TIME_RESPONSE].avg;
}

static void late_p99(struct result *r)
{
    r->sample.driver.lateness_p99_ms = 2.01;
}

static void late_p99_of_slow(struct result *r)
{
    r->sample.time[TIME_RESPONSE].p99 = 50;
    r->sample.driver.lateness_p99_ms = 5.0;
}

static void late_p99_of_slow_above(struct result *r)
{
    r->sample.time[TIME_RESPONSE].p99 = 50;
    r->sample.driver.lateness_p99_ms = 5.01;
}

static void late_mean(struct result *r)
{
    r->sample.driver.lateness_avg_ms = 0.0501 * r->sample.time[TIME_RESPONSE].avg;
}

static void late_no_response(struct result *r)
{
    r->sample.time[TIME_RESPONSE] = summary_none();
    r->sample.driver.lateness_p99_ms = 2.01;
}

static void unsafe_off(struct result *r)
{
    set_setting(r, "fsync", "off");
}

static void unsafe_allowed(struct result *r)
{
    set_setting(r, "fsync", "off");
    r->allow_unsafe = true;
}

static void device_gone(struct result *r)
{
    r->run.device_lost = 1;
}

static void device_gap(struct result *r)
{
    r->run.device_gaps = 5;
}

static void suspended_not(struct result *r)
{
    r->run.suspended_s = 0.1;
}

static void suspended(struct result *r)
{
    r->run.suspended_s = 61.5;
}

static void gaps_at(struct result *r)
{
    r->sample.devices_missing_percent = 5;
}

static void gaps_above(struct result *r)
{
    r->sample.devices_missing_percent = 5.1;
}

static void gaps_no_devices(struct result *r)
{
    r->sample.devices_missing_percent = RESULT_NONE;
}

static void add_remote(struct result *r, int64_t answered, int64_t losses)
{
    const struct result_remote remote = {.host = xstrdup("db1"),
                                         .asked = 300,
                                         .answered = answered,
                                         .losses = losses,
                                         .lost_at_s = losses ? 12.3 : RESULT_NONE,
                                         .reason = losses ? xstrdup("Connection reset") : NULL};

    VEC_PUSH(&r->drive.remotes, remote);
}

static void remote_lost(struct result *r)
{
    r->sample.devices_missing_percent = 0.4;
    add_remote(r, 299, 1);
}

static void remote_lost_before(struct result *r)
{
    r->sample.devices_missing_percent = 0;
    add_remote(r, 299, 1);
}

static void remote_late(struct result *r)
{
    r->sample.devices_missing_percent = 0.4;
    add_remote(r, 299, 0);
}

static void remote_never(struct result *r)
{
    r->sample.devices_missing_percent = 100;
    add_remote(r, 0, 0);
}

static void short_at(struct result *r)
{
    r->sample.seconds = r->sample.planned_seconds = 180;
}

static void short_below(struct result *r)
{
    r->sample.seconds = r->sample.planned_seconds = 179.9;
}

static void sessions_at(struct result *r)
{
    r->sample.time[TIME_RESPONSE].avg = 4;
    r->sample.time[TIME_QUEUE].avg = 0.2;
    r->sample.driver.lateness_avg_ms = 0;
}

static void sessions_above(struct result *r)
{
    r->sample.time[TIME_RESPONSE].avg = 4;
    r->sample.time[TIME_QUEUE].avg = 0.2001;
    r->sample.driver.lateness_avg_ms = 0;
}

static void sessions_only_late(struct result *r)
{
    sessions_above(r);
    r->sample.driver.lateness_avg_ms = 0.02;
}

static void sessions_no_queue(struct result *r)
{
    r->sample.time[TIME_QUEUE] = summary_none();
}

static void memory_unlimited(struct result *r)
{
    r->database.memory_limit_bytes = -1;
}

static void memory_no_right(struct result *r)
{
    r->database.memory_limit_bytes = -1;
    set_text(&r->database.memory_unlimited, "no right");
}

/* Unlimited; RAM is the figure, the dataset of 20 warehouses has 2119000064 bytes. */
static void memory_small_machine(struct result *r)
{
    r->database.memory_limit_bytes = -1;
    r->host.memory_bytes = INT64_C(407500000); /* 5.20 times */
}

static void memory_machine_too_big(struct result *r)
{
    r->database.memory_limit_bytes = -1;
    r->host.memory_bytes = INT64_C(407600000); /* 5.199 times */
}

static void memory_fits(struct result *r)
{
    r->database.memory_limit_bytes = r->dataset.bytes_before;
}

static void memory_hardly_fits_not(struct result *r)
{
    r->database.memory_limit_bytes = r->dataset.bytes_before - 1;
}

static void memory_killed(struct result *r)
{
    r->run.oom_kills = 2;
}

static void memory_not_killed(struct result *r)
{
    r->run.oom_kills = 0;
}

static void memory_cached(struct result *r)
{
    r->dataset.cached_bytes = INT64_C(42900000); /* 2.02 % */
}

static void memory_hardly_cached(struct result *r)
{
    r->dataset.cached_bytes = INT64_C(42300000); /* 1.996 % */
}

/* Device 0 is the file system's. */
static void memory_reads(struct result *r, double percent)
{
    r->sample.server.page_reads_per_s = 1000;
    r->sample.devices[0].read_mib_per_s = percent / 100.0 * 1000 * 8 / 1024;
}

static void memory_reads_unlimited(struct result *r)
{
    memory_unlimited(r);
    memory_reads(r, 12);
}

static void memory_reads_small_machine(struct result *r)
{
    memory_small_machine(r);
    memory_reads(r, 12);
}

static void memory_null_backend(struct result *r)
{
    r->database.memory_limit_bytes = -1;
    set_text(&r->database.kind, "null");
}

/* 1000 pages a second are 7.8125 MiB/s. */
static void memory_reached(struct result *r)
{
    r->sample.server.page_reads_per_s = 1000;
    r->sample.devices[0].read_mib_per_s = 3.90625;
}

/* As many of InnoDB's are twice that. */
static void memory_hidden_innodb(struct result *r)
{
    memory_reached(r);
    set_setting(r, "innodb_page_size", "16384");
    r->sample.devices[0].read_mib_per_s = 7;
}

static void memory_hidden(struct result *r)
{
    r->sample.server.page_reads_per_s = 1000;
    r->sample.devices[0].read_mib_per_s = 3.9;
}

static void memory_few_reads(struct result *r)
{
    r->sample.server.page_reads_per_s = 9.9;
    r->sample.devices[0].read_mib_per_s = 0;
}

static void memory_no_device(struct result *r)
{
    memory_hidden(r);
    set_text(&r->drive.devices.at[0].role, "leaf");
    r->drive.devices.at[0].summed = false;
    result_drop_devices(r, 1);
}

static void cpu_at(struct result *r)
{
    r->sample.server.cpu_percent = 85;
    r->sample.server.psi_cpu_percent = 20;
}

static void cpu_above(struct result *r)
{
    r->sample.server.cpu_percent = 85.1;
}

static void cpu_pressure(struct result *r)
{
    r->sample.server.psi_cpu_percent = 20.1;
}

static void cpu_unknown(struct result *r)
{
    r->sample.server = result_server_none();
}

static void checkpoints_three(struct result *r)
{
    r->sample.server_sample.checkpoints_whole = 3;
}

static void checkpoints_two(struct result *r)
{
    r->sample.server_sample.checkpoints_whole = 2;
}

static void checkpoints_unknown(struct result *r)
{
    r->sample.server_sample.checkpoints_whole = -1;
}

/* 240 s with 8 MiB/s of WAL and 2 MiB/s of pages read: 20 % is 2 MiB/s. */
static void set_moved(struct result *r, double mib_per_s)
{
    r->sample.seconds = r->sample.planned_seconds = 240;
    r->sample.server_sample.wal_bytes = INT64_C(240) * 8 * 1048576;
    r->sample.server.page_reads_per_s = 256;
    r->sample.devices[0].read_mib_per_s = 1;
    r->sample.devices[0].write_mib_per_s = mib_per_s - 1;
}

static void wrong_device_at(struct result *r)
{
    set_moved(r, 2);
}

static void wrong_device_below(struct result *r)
{
    set_moved(r, 1.99);
}

static void wrong_device_wal_elsewhere(struct result *r)
{
    wrong_device_below(r);
    r->sample.devices[r->drive.devices.n] = result_rates_none();
    r->sample.devices[r->drive.devices.n].read_mib_per_s = 0;
    r->sample.devices[r->drive.devices.n].write_mib_per_s = 8;
    made_device(r, "sdb", "filesystem");
}

/* 20 MiB/s written by the server, 10 read: with all that is allowed for, 22.29, 2 % is at 22.95. */
static void set_foreign(struct result *r, double write_mib_per_s)
{
    r->sample.seconds = r->sample.planned_seconds = 240;
    r->sample.server.io_read_mib_per_s = 10;
    r->sample.server.io_write_mib_per_s = 20;
    r->sample.server_sample.dirty_bytes = 0;
    for (int i = 0; i < 2; i++) {
        r->sample.devices[i].read_mib_per_s = 10;
        r->sample.devices[i].write_mib_per_s = write_mib_per_s;
    }
}

static void foreign_at(struct result *r)
{
    set_foreign(r, 22.94);
}

static void foreign_above(struct result *r)
{
    set_foreign(r, 23.0);
}

static void set_link(struct result *r, size_t device, const char *link)
{
    free(r->drive.devices.at[device].link);
    r->drive.devices.at[device].link = link ? xstrdup(link) : NULL;
}

static void link_slow(struct result *r)
{
    set_link(r, 1, "PCIe 8.0 GT/s x4 of 16.0 GT/s x4");
}

static void link_narrow(struct result *r)
{
    set_link(r, 1, "PCIe 16.0 GT/s x1 of 16.0 GT/s x4");
}

static void link_no_leaf(struct result *r)
{
    set_link(r, 0, "PCIe 8.0 GT/s x4 of 16.0 GT/s x4");
}

static void link_most_unknown(struct result *r)
{
    set_link(r, 1, "PCIe 8.0 GT/s x4");
}

static void link_sata(struct result *r)
{
    set_link(r, 1, "SATA 3.0 Gbps");
}

static void link_none(struct result *r)
{
    set_link(r, 1, NULL);
}

static void foreign_unknown(struct result *r)
{
    set_foreign(r, 100);
    r->sample.server.io_write_mib_per_s = RESULT_NONE;
}

static void durability_commit(struct result *r)
{
    set_setting(r, "synchronous_commit", "off");
}

static void durability_local(struct result *r)
{
    set_setting(r, "synchronous_commit", "local");
}

static void durability_pages(struct result *r)
{
    set_setting(r, "full_page_writes", "off");
}

static void durability_innodb_commit(struct result *r)
{
    set_setting(r, "innodb_flush_log_at_trx_commit", "2");
}

static void durability_innodb_pages(struct result *r)
{
    set_setting(r, "innodb_doublewrite", "OFF");
}

static void durability_binlog(struct result *r)
{
    set_setting(r, "sync_binlog", "0");
    set_setting(r, "log_bin", "ON");
}

static void durability_no_binlog(struct result *r)
{
    set_setting(r, "sync_binlog", "0");
    set_setting(r, "log_bin", "OFF");
}

static void durability_delayed(struct result *r)
{
    set_setting(r, "delayed_durability", "FORCED");
}

static void durability_not_delayed(struct result *r)
{
    set_setting(r, "delayed_durability", "ALLOWED");
}

static void durability_innodb_good(struct result *r)
{
    set_setting(r, "innodb_flush_log_at_trx_commit", "1");
    set_setting(r, "innodb_doublewrite", "ON");
}

static void durability_no_flush(struct result *r)
{
    r->sample.devices[1].flushes_per_s = 0;
}

static void durability_write_through(struct result *r)
{
    durability_no_flush(r);
    set_text(&r->drive.devices.at[1].write_cache, "write through");
}

static void durability_flushes_unknown(struct result *r)
{
    r->sample.devices[1].flushes_per_s = RESULT_NONE;
}

static void throttled_second(struct result *r)
{
    r->health.drives.at[0].used.throttled_seconds = 1;
}

static void throttled_count(struct result *r)
{
    r->health.drives.at[0].used.throttled_count = 1;
}

static void throttled_warning(struct result *r)
{
    r->health.critical_warning = HEALTH_TEMPERATURE;
    r->health.warned_at_s = 42;
}

static void set_rounds(struct result *r, int m, double range_percent, double slope_percent)
{
    struct result_steady_measure *of = &r->steadiness.measure[m];

    of->range_percent = range_percent;
    of->slope_percent = slope_percent;
    of->steady = range_percent <= 20 && fabs(slope_percent) <= 10;
    r->steadiness.steady = of->steady;
}

static void unsteady_at(struct result *r)
{
    set_rounds(r, STEADY_RESPONSE, 20, 10);
}

static void unsteady_range(struct result *r)
{
    set_rounds(r, STEADY_WRITE_AWAIT, 21, 3);
}

static void unsteady_slope(struct result *r)
{
    set_rounds(r, STEADY_TPS, 12, -11);
}

/* Beyond what chance may make as well, but not by the slope. */
static void unsteady_noisy(struct result *r)
{
    struct result_steady_measure *of = &r->steadiness.measure[STEADY_RESPONSE];

    r->steadiness.steady = 0;
    set_rounds(r, STEADY_RESPONSE, 42, 12);
    of->chance_range_percent = 31;
    of->chance_slope_percent = 21;
}

static void unsteady_short(struct result *r)
{
    unsteady_range(r);
    r->sample.seconds = r->sample.planned_seconds = 100;
}

static void unsteady_unknown(struct result *r)
{
    set_rounds(r, STEADY_TPS, 12, -11);
    r->steadiness.steady = -1;
}

static void add_change_at(struct result *r, double at_s)
{
    result_add_mark(r, (struct result_mark){.kind = xstrdup("change"),
                                            .text = xstrdup("x"),
                                            .start_s = at_s,
                                            .end_s = RESULT_NONE});
}

static void unsteady_change(struct result *r)
{
    add_change_at(r, 200);
}

static void unsteady_change_before(struct result *r)
{
    add_change_at(r, 60);
}

static void audit_missed(struct result *r)
{
    r->audit.at[1].within = 0;
}

static void audit_no_figure(struct result *r)
{
    r->audit.at[1].within = -1;
}

static void accounting_interval(struct result *r)
{
    r->run.accounting_broken = 1;
}

static void accounting_total(struct result *r)
{
    r->run.outcomes.started++;
}

static void accounting_abandoned(struct result *r)
{
    r->run.outcomes.started++;
    r->run.abandoned_sessions = 1;
}

static void accounting_abandoned_idle(struct result *r)
{
    r->run.abandoned_sessions = 1;
}

static void accounting_too_many(struct result *r)
{
    r->run.outcomes.committed++;
}

struct verdict_case {
    const char *what;
    void (*change)(struct result *r);
    const char *code; /* NULL: valid */
    enum verdict_status status;
    const char *says; /* a part of the reason's text */
};

static const struct verdict_case cases[] = {
    {"valid", nothing, NULL, VERDICT_VALID, NULL},
    {"a condition was not run", condition_ok, NULL, VERDICT_VALID, NULL},
    {"a condition fails", condition_bad, "condition", VERDICT_INVALID,
     "after the run: condition_3"},
    {"... before", condition_bad_before, "condition", VERDICT_INVALID, "before the run"},
    {"orders not looked at", orders_unknown, NULL, VERDICT_VALID, NULL},
    {"orders", orders_wrong, "orders", VERDICT_INVALID, "114900 counted"},
    {"1 % failed", errors_at, NULL, VERDICT_VALID, NULL},
    {"1.01 % failed", errors_above, "errors", VERDICT_INVALID, "1.01 %"},
    {"doubts that nobody looked up", errors_doubts_unknown, NULL, VERDICT_VALID, NULL},
    {"1 % with those in doubt", errors_doubts_at, NULL, VERDICT_VALID, NULL},
    {"1.01 % with those in doubt", errors_doubts_above, "errors", VERDICT_INVALID,
     "over 1 %: 50 with an error, 51 in doubt had not committed"},
    {"nothing ended", errors_none_done, NULL, VERDICT_VALID, NULL},
    {"the whole sample", cut_at, NULL, VERDICT_VALID, NULL},
    {"99.97 % of the sample", cut_below, "cut", VERDICT_INVALID, "299.9 of 300.0 s: interrupted"},
    {"hung", cut_hung, "cut", VERDICT_INVALID, "end of its drain: the event loop hung"},
    {"no sample", cut_before, "cut", VERDICT_INVALID, "before its sample"},
    {"no sample, and why", cut_where, "cut", VERDICT_INVALID, "sample: interrupted before the run"},
    {"server gone", cut_server, "cut", VERDICT_INVALID, "200.0 of 240.0 s: server gone"},
    {"empty sample", cut_empty, "cut", VERDICT_INVALID, "no transaction"},
    {"killed", cut_killed, "cut", VERDICT_INVALID, "partial: the run was killed"},
    {"0.1 % unfinished", unfinished_at, NULL, VERDICT_VALID, NULL},
    {"0.101 % unfinished", unfinished_above, "unfinished", VERDICT_INVALID, "101 transactions"},
    {"lateness at both limits", late_at, NULL, VERDICT_VALID, NULL},
    {"lateness p99", late_p99, "late", VERDICT_INVALID, "p99 2.01 ms, over 2.00 ms"},
    {"lateness p99 at 10 %", late_p99_of_slow, NULL, VERDICT_VALID, NULL},
    {"lateness p99 over 10 %", late_p99_of_slow_above, "late", VERDICT_INVALID, "over 5.00 ms"},
    {"mean lateness", late_mean, "late", VERDICT_INVALID, "mean lateness"},
    {"late without response", late_no_response, "late", VERDICT_INVALID, "p99 2.01"},
    {"fsync off", unsafe_off, "unsafe", VERDICT_INVALID, "fsync is off"},
    {"fsync off, allowed", unsafe_allowed, "unsafe", VERDICT_QUESTIONABLE, "fsync is off"},
    {"device lost", device_gone, "device", VERDICT_INVALID, "vanished"},
    {"only gaps", device_gap, NULL, VERDICT_VALID, NULL},
    {"no counters for 5 %", gaps_at, NULL, VERDICT_VALID, NULL},
    {"no counters for 5.1 %", gaps_above, "gaps", VERDICT_QUESTIONABLE, "for 5.1 % of the sample"},
    {"no devices, no gaps", gaps_no_devices, NULL, VERDICT_VALID, NULL},
    {"another host lost in the sample", remote_lost, "gaps", VERDICT_QUESTIONABLE,
     "db1 was lost at 12 s: no counters of its devices for 0.4 % of the sample: Connection reset"},
    {"another host lost before it", remote_lost_before, NULL, VERDICT_VALID, NULL},
    {"another host late once", remote_late, NULL, VERDICT_VALID, NULL},
    {"another host that never answered", remote_never, "gaps", VERDICT_QUESTIONABLE,
     "db1 was lost: no counters of its devices for 100.0 % of the sample"},
    {"not suspended", suspended_not, NULL, VERDICT_VALID, NULL},
    {"suspended", suspended, "suspended", VERDICT_QUESTIONABLE, "suspended for 61.5 s"},
    {"3 min", short_at, NULL, VERDICT_VALID, NULL},
    {"under 3 min", short_below, "short", VERDICT_QUESTIONABLE,
     "the sample is 179.9 s, under 3 min: good for"},
    {"queue 5 %", sessions_at, NULL, VERDICT_VALID, NULL},
    {"queue over 5 %", sessions_above, "sessions", VERDICT_QUESTIONABLE, "5.0 %"},
    {"queue is lateness", sessions_only_late, NULL, VERDICT_VALID, NULL},
    {"no queue", sessions_no_queue, NULL, VERDICT_VALID, NULL},
    {"memory", memory_unlimited, "memory", VERDICT_QUESTIONABLE,
     "memory not limited: reads may have come from RAM"},
    {"memory, without the right", memory_no_right, "memory", VERDICT_QUESTIONABLE,
     "memory not limited (no right): reads may have come from RAM"},
    {"RAM is small enough", memory_small_machine, NULL, VERDICT_VALID, NULL},
    {"RAM is not small enough", memory_machine_too_big, "memory", VERDICT_QUESTIONABLE,
     "memory not limited"},
    {"the dataset fits", memory_fits, "memory", VERDICT_QUESTIONABLE,
     "the dataset fits into the memory limit"},
    {"the dataset does not fit", memory_hardly_fits_not, NULL, VERDICT_VALID, NULL},
    {"ended for want of memory", memory_killed, "memory", VERDICT_INVALID,
     "ended 2 processes of the server"},
    {"none ended", memory_not_killed, NULL, VERDICT_VALID, NULL},
    {"cached", memory_cached, "memory", VERDICT_QUESTIONABLE,
     "2 % of the dataset were in the page"},
    {"hardly cached", memory_hardly_cached, NULL, VERDICT_VALID, NULL},
    {"unlimited, with the share", memory_reads_unlimited, "memory", VERDICT_QUESTIONABLE,
     "may have come from RAM; 12 % of the page reads reached the drive"},
    {"a small machine, and yet", memory_reads_small_machine, "memory", VERDICT_QUESTIONABLE,
     "asked for 12 %"},
    {"no drive to read from", memory_null_backend, NULL, VERDICT_VALID, NULL},
    {"half of the reads reached the drive", memory_reached, NULL, VERDICT_VALID, NULL},
    {"less than half", memory_hidden, "memory", VERDICT_QUESTIONABLE, "7.8 MiB/s of pages"},
    {"pages of twice the size", memory_hidden_innodb, "memory", VERDICT_QUESTIONABLE,
     "15.6 MiB/s of pages"},
    {"hardly any reads", memory_few_reads, NULL, VERDICT_VALID, NULL},
    {"no device of the file system", memory_no_device, NULL, VERDICT_VALID, NULL},
    {"CPU at both limits", cpu_at, NULL, VERDICT_VALID, NULL},
    {"CPU", cpu_above, "cpu", VERDICT_QUESTIONABLE, "used 85 %"},
    {"CPU pressure", cpu_pressure, "cpu", VERDICT_QUESTIONABLE, "20 % of the time (PSI)"},
    {"no figures of the server", cpu_unknown, NULL, VERDICT_VALID, NULL},
    {"3 checkpoints", checkpoints_three, NULL, VERDICT_VALID, NULL},
    {"2 checkpoints", checkpoints_two, "checkpoints", VERDICT_QUESTIONABLE, "2 whole checkpoints"},
    {"checkpoints not known", checkpoints_unknown, NULL, VERDICT_VALID, NULL},
    {"20 % of the server's bytes", wrong_device_at, NULL, VERDICT_VALID, NULL},
    {"WAL on a drive of its own", wrong_device_wal_elsewhere, NULL, VERDICT_VALID, NULL},
    {"less than 20 %", wrong_device_below, "wrong-device", VERDICT_QUESTIONABLE, "moved 20 %"},
    {"others' I/O is 2 %", foreign_at, NULL, VERDICT_VALID, NULL},
    {"others' I/O is over 2 %", foreign_above, "foreign", VERDICT_QUESTIONABLE,
     "at least 2 % of what the drive moved, 0.7 of 33.0 MiB/s, was not the server's"},
    {"not known whose I/O", foreign_unknown, NULL, VERDICT_VALID, NULL},
    {"a slower link", link_slow, "link", VERDICT_QUESTIONABLE,
     "PCIe 8.0 GT/s x4 instead of 16.0 GT/s x4"},
    {"a narrower link", link_narrow, "link", VERDICT_QUESTIONABLE,
     "nvme0n1 is linked by less than it can: PCIe 16.0 GT/s x1 instead"},
    {"no leaf's link", link_no_leaf, NULL, VERDICT_VALID, NULL},
    {"not known what it can", link_most_unknown, NULL, VERDICT_VALID, NULL},
    {"another bus", link_sata, NULL, VERDICT_VALID, NULL},
    {"no link", link_none, NULL, VERDICT_VALID, NULL},
    {"commits", durability_commit, "durability", VERDICT_QUESTIONABLE, "synchronous_commit is off"},
    {"commits, local", durability_local, NULL, VERDICT_VALID, NULL},
    {"pages", durability_pages, "durability", VERDICT_QUESTIONABLE, "full_page_writes is off"},
    {"MariaDB's commits", durability_innodb_commit, "durability", VERDICT_QUESTIONABLE,
     "innodb_flush_log_at_trx_commit is 2"},
    {"MariaDB's pages", durability_innodb_pages, "durability", VERDICT_QUESTIONABLE,
     "innodb_doublewrite is OFF"},
    {"MariaDB's other log", durability_binlog, "durability", VERDICT_QUESTIONABLE,
     "sync_binlog is 0"},
    {"no other log", durability_no_binlog, NULL, VERDICT_VALID, NULL},
    {"SQL Server's commits", durability_delayed, "durability", VERDICT_QUESTIONABLE,
     "delayed_durability is FORCED"},
    {"SQL Server's, where asked for", durability_not_delayed, NULL, VERDICT_VALID, NULL},
    {"MariaDB's, as they should be", durability_innodb_good, NULL, VERDICT_VALID, NULL},
    {"rounds at the limit", unsteady_at, NULL, VERDICT_VALID, NULL},
    {"rounds beyond the limit", unsteady_range, "unsteady", VERDICT_QUESTIONABLE,
     "write await ranged by 21 %"},
    {"rounds that fall", unsteady_slope, "unsteady", VERDICT_QUESTIONABLE, "TPS fell by 11 %"},
    {"beyond chance", unsteady_noisy, "unsteady", VERDICT_QUESTIONABLE,
     "response ranged by 42 % of its mean, over 31 % that chance may make"},
    {"short rounds", unsteady_short, "short", VERDICT_QUESTIONABLE, "3 min"},
    {"not judged", unsteady_unknown, NULL, VERDICT_VALID, NULL},
    {"a change in the sample", unsteady_change, "unsteady", VERDICT_QUESTIONABLE, "at 200 s: x"},
    {"a change before it", unsteady_change_before, NULL, VERDICT_VALID, NULL},
    {"never throttled", nothing, NULL, VERDICT_VALID, NULL},
    {"throttled for a second", throttled_second, "throttled", VERDICT_QUESTIONABLE,
     "nvme0n1 slowed itself down or was too hot: 1 s"},
    {"throttled once", throttled_count, "throttled", VERDICT_QUESTIONABLE, "1 times"},
    {"critical warning", throttled_warning, "throttled", VERDICT_QUESTIONABLE,
     "at 42 s: temperature"},
    {"no flush", durability_no_flush, "durability", VERDICT_QUESTIONABLE,
     "nvme0n1 has a write-back cache and got no flush"},
    {"no cache to flush", durability_write_through, NULL, VERDICT_VALID, NULL},
    {"flushes not counted", durability_flushes_unknown, NULL, VERDICT_VALID, NULL},
    {"audit", audit_missed, "audit", VERDICT_QUESTIONABLE, "order_lines"},
    {"audit without a figure", audit_no_figure, NULL, VERDICT_VALID, NULL},
    {"an interval does not add up", accounting_interval, "accounting", VERDICT_QUESTIONABLE,
     "at 1 intervals"},
    {"the run does not add up", accounting_total, "accounting", VERDICT_QUESTIONABLE, "whole run"},
    {"one under way in an abandoned session", accounting_abandoned, NULL, VERDICT_VALID, NULL},
    {"an idle abandoned session", accounting_abandoned_idle, NULL, VERDICT_VALID, NULL},
    {"more ended than started", accounting_too_many, "accounting", VERDICT_QUESTIONABLE,
     "whole run"},
};

static void test_rows(void)
{
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct verdict_case *c = &cases[i];
        const struct verdict_reason *reason = NULL;
        struct result r;

        made_result(&r);
        c->change(&r);
        verdict_judge(&r);
        UNIT_EQ_STR(c->what, verdict_name(r.verdict.status), verdict_name(c->status));
        UNIT_EQ_U64(c->what, r.verdict.reasons.n, c->code ? 1 : 0);
        reason = c->code ? reason_of(&r, c->code) : NULL;
        if (c->code && UNIT_TRUE(c->what, reason != NULL)) {
            UNIT_TRUE(reason->text, strstr(reason->text, c->says) != NULL);
            UNIT_TRUE(c->what, reason->advice != NULL);
        }
        result_release(&r);
    }
}

static void test_worst_wins(void)
{
    struct result r;

    made_result(&r);
    short_below(&r);
    condition_bad(&r);
    memory_unlimited(&r);
    verdict_judge(&r);
    UNIT_EQ_STR("", verdict_name(r.verdict.status), "invalid");
    UNIT_EQ_U64("", r.verdict.reasons.n, 3);
    UNIT_EQ_STR("invalid ones first", r.verdict.reasons.at[0].code, "condition");
    verdict_judge(&r);
    UNIT_EQ_U64("judged anew", r.verdict.reasons.n, 3);
    result_release(&r);
}

static void test_number_of_sessions(void)
{
    struct result r;
    const struct verdict_reason *reason = NULL;

    made_result(&r);
    sessions_above(&r);
    r.workload.sessions = 16;
    r.workload.ceiling_tps = 3162;
    r.sample.time[TIME_SERVICE].avg = 20; /* 63.2 busy: 63.2 + 3 x 7.95 = 87.1 */
    verdict_judge(&r);
    reason = reason_of(&r, "sessions");
    if (UNIT_TRUE("", reason != NULL))
        UNIT_TRUE(reason->advice, strstr(reason->advice, "--sessions 88 ") != NULL);
    r.sample.time[TIME_SERVICE].avg = 1; /* fewer than there are: at least twice as many */
    verdict_judge(&r);
    reason = reason_of(&r, "sessions");
    if (UNIT_TRUE("", reason != NULL))
        UNIT_TRUE(reason->advice, strstr(reason->advice, "--sessions 32 ") != NULL);
    result_release(&r);
}

/* Reads from RAM leave the right device little to do, but for its WAL. */
static void test_not_the_wrong_device(void)
{
    struct result r;

    made_result(&r);
    set_moved(&r, 9);
    r.sample.server.page_reads_per_s = 1e6;
    verdict_judge(&r);
    UNIT_TRUE("it wrote the WAL", reason_of(&r, "wrong-device") == NULL);
    UNIT_TRUE("", reason_of(&r, "memory") != NULL);
    set_moved(&r, 8.9);
    r.sample.server.page_reads_per_s = 1e6;
    verdict_judge(&r);
    UNIT_TRUE("it did not", reason_of(&r, "wrong-device") != NULL);
    result_release(&r);
}

static void test_number_of_warehouses(void)
{
    const struct verdict_reason *reason = NULL;
    struct result r;

    made_result(&r);
    memory_unlimited(&r);
    verdict_judge(&r);
    reason = reason_of(&r, "memory"); /* 20 x 5.2 x 67430551552 / 2119000064 = 3309.5 */
    if (UNIT_TRUE("", reason != NULL))
        UNIT_TRUE(reason->advice, strstr(reason->advice, "from --warehouses 3310 on") != NULL);
    result_release(&r);
}

static void test_of_nothing(void)
{
    struct result r;

    result_init(&r);
    verdict_judge(&r);
    UNIT_EQ_STR("no sample", verdict_name(r.verdict.status), "invalid");
    UNIT_TRUE("", reason_of(&r, "cut") != NULL);
    result_release(&r);
}

static const struct unit_test tests[] = {
    {"each row at, below and above its limit", test_rows},
    {"the worst wins", test_worst_wins},
    {"number of sessions to set", test_number_of_sessions},
    {"reads from RAM are not the wrong device", test_not_the_wrong_device},
    {"number of warehouses", test_number_of_warehouses},
    {"of an empty result", test_of_nothing},
};
const struct unit_suite verdict_suite = UNIT_SUITE("verdict", tests);
