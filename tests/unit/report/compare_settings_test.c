/*
 * report/compare_settings: each setting that makes a comparison unfair is found where it differs,
 * what may differ between repeats only where the sides are unlike, and nothing else.
 */
#include "report/compare_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "harness/unit.h"
#include "result/made_result.h"

/* Runs 0 and 1 are group 0, runs 2 and 3 group 1; all alike. */
enum { RUNS = 4 };

struct bench {
    struct result r[RUNS];
    struct compare_settings_of of;
};

static void bench_init(struct bench *b)
{
    memset(b, 0, sizeof(*b));
    b->of.n = RUNS;
    for (size_t i = 0; i < RUNS; i++) {
        made_result(&b->r[i]);
        b->of.r[i] = &b->r[i];
        b->of.plan_yaml[i] = "run: {users: 15000}\n";
        b->of.name[i] = "x";
        b->of.group[i] = i / 2;
    }
}

static void bench_release(struct bench *b)
{
    for (size_t i = 0; i < RUNS; i++)
        result_release(&b->r[i]);
}

/* "users: 1|1|2|2 unfair; kernel: ..." */
static char *found(const struct bench *b)
{
    struct compare_settings s = {.n_unfair = 0};
    struct strbuf out;

    strbuf_init(&out);
    compare_settings_find(&s, &b->of);
    for (size_t i = 0; i < s.differ.n; i++) {
        const struct compare_setting *d = &s.differ.at[i];

        strbuf_addf(&out, "%s%s:", i ? "; " : "", d->name);
        for (size_t k = 0; k < b->of.n; k++)
            strbuf_addf(&out, "%s%s", k ? "|" : " ", d->value[k] ? d->value[k] : "?");
        if (i < s.n_unfair)
            strbuf_adds(&out, " unfair");
    }
    for (size_t i = 0; i < s.notes.n; i++)
        strbuf_addf(&out, " note %s", s.notes.at[i]);
    compare_settings_release(&s);
    return strbuf_detach(&out);
}

static void finds(const struct bench *b, const char *want)
{
    char *got = found(b);

    UNIT_EQ_STR("", got ? got : "", want);
    free(got);
}

static void set_text(char **to, const char *text)
{
    free(*to);
    *to = text ? xstrdup(text) : NULL;
}

static void test_alike(void)
{
    struct bench b;

    bench_init(&b);
    set_text(&b.r[1].label, "another");
    set_text(&b.r[2].drive.path, "/mnt/other");
    set_text(&b.r[2].drive.devices.at[0].model, "another model");
    set_text(&b.r[3].dataset.loaded_at, "2026-11-29T13:40:00Z");
    finds(&b, "");
    bench_release(&b);
}

/* One member of the result each, another value in run 3. */
static void test_each_fact(void)
{
    static const struct {
        size_t at;
        enum { TEXT, WHOLE, FIGURE } kind;
        const char *want;
    } rows[] = {
        {offsetof(struct result, dataset.warehouses), WHOLE, "warehouses: 20|20|20|21 unfair"},
        {offsetof(struct result, workload.loop), TEXT, "pace: closed|closed|closed|z unfair"},
        {offsetof(struct result, workload.mean_cycle_s), FIGURE,
         "mean cycle, s: 21.0|21.0|21.0|42.0 unfair"},
        {offsetof(struct result, workload.users), WHOLE,
         "users: 15,000|15,000|15,000|15,001 unfair"},
        {offsetof(struct result, workload.sessions), WHOLE, "sessions: 72|72|72|73 unfair"},
        {offsetof(struct result, workload.delivery), TEXT,
         "Delivery: deferred|deferred|deferred|z unfair"},
        {offsetof(struct result, sample.planned_seconds), FIGURE,
         "length of the sample, s: 240.0|240.0|240.0|480.0 unfair"},
        {offsetof(struct result, database.transport), TEXT,
         "transport: procedures|procedures|procedures|z unfair"},
        {offsetof(struct result, database.driver), TEXT,
         "driver: libpq 15.14|libpq 15.14|libpq 15.14|z unfair"},
        {offsetof(struct result, database.version), TEXT,
         "server: postgresql 15.14|postgresql 15.14|postgresql 15.14|postgresql z unfair"},
        {offsetof(struct result, host.cpu_model), TEXT,
         "CPU: 16 x Model X 16-Core|16 x Model X 16-Core|16 x Model X 16-Core|16 x z unfair"},
        {offsetof(struct result, host.cpus), WHOLE,
         "CPU: 16 x Model X 16-Core|16 x Model X 16-Core|16 x Model X 16-Core|17 x Model X 16-Core "
         "unfair"},
        {offsetof(struct result, drive.filesystem), TEXT, "file system: ext4|ext4|ext4|z unfair"},
        {offsetof(struct result, drive.mount_options), TEXT,
         "mount options: rw,relatime|rw,relatime|rw,relatime|z unfair"},
        {offsetof(struct result, drive.used_percent), FIGURE,
         "fill level, %: 12.5|12.5|12.5|25.0 unfair"},
        {offsetof(struct result, dataset.runs_since_load), WHOLE,
         "runs since the load: 1|1|1|2 unfair"},
        {offsetof(struct result, dataset.seed), WHOLE, "seed of the dataset: 42|42|42|43 unfair"},
        {offsetof(struct result, host.kernel), TEXT,
         "kernel: 6.1.0-18-amd64|6.1.0-18-amd64|6.1.0-18-amd64|z"},
        {offsetof(struct result, host.name), TEXT, "host: bench1|bench1|bench1|z"},
        {offsetof(struct result, version), TEXT, "program: 0.1.0|0.1.0|0.1.0|z"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct bench b;
        void *at = NULL;

        bench_init(&b);
        at = (char *)&b.r[3] + rows[i].at;
        if (rows[i].kind == TEXT)
            set_text(at, "z");
        else if (rows[i].kind == WHOLE)
            ++*(int64_t *)at;
        else
            *(double *)at *= 2;
        finds(&b, rows[i].want);
        bench_release(&b);
    }
}

static void test_memory(void)
{
    struct bench b;

    bench_init(&b);
    b.r[0].database.memory_limit_bytes = -1;
    b.r[1].database.buffer_bytes *= 2;
    b.r[2].host.memory_bytes *= 2;
    finds(&b, "buffer: 305 MB|610 MB|305 MB|305 MB unfair; memory limit: none|1.07 GB|1.07 GB|1.07 "
              "GB unfair; memory: 67.4 GB|67.4 GB|135 GB|67.4 GB unfair");
    bench_release(&b);
}

static void test_server_settings(void)
{
    struct bench b;

    bench_init(&b);
    set_text(&b.r[1].database.settings.at[1].value, "off");
    set_text(&b.r[1].database.settings.at[3].value, "1GB"); /* the buffer is looked at itself */
    made_setting(&b.r[2], "checkpoint_timeout", "5min");
    made_setting(&b.r[3], "jit", "on");
    finds(&b,
          "synchronous_commit: on|off|on|on unfair; checkpoint_timeout: ?|?|5min|? unfair; jit: "
          "?|?|?|on");
    bench_release(&b);
}

static void test_restored(void)
{
    struct bench b;

    bench_init(&b);
    for (int i = 1; i < 4; i++) {
        set_text(&b.r[i].dataset.restore.method, i == 3 ? "reflink" : "copy");
        b.r[i].dataset.restore.rest_s = i == 1 ? 60.0002 : 5;
    }
    finds(&b,
          "restored before the run: not restored|restored by copy, 1m of rest|restored by copy, "
          "5s of rest|restored by reflink, 5s of rest unfair");
    bench_release(&b);
}

/* What decides in MariaDB how durable a commit is, and when pages are written. */
static void test_innodb_settings(void)
{
    struct bench b;

    bench_init(&b);
    made_setting(&b.r[0], "innodb_buffer_pool_size", "1000000");
    made_setting(&b.r[1], "sync_binlog", "1");
    made_setting(&b.r[2], "innodb_log_file_size", "2000000");
    made_setting(&b.r[3], "innodb_purge_threads", "4");
    finds(&b, "sync_binlog: ?|1|?|? unfair; innodb_log_file_size: ?|?|2000000|? unfair; "
              "innodb_purge_threads: ?|?|?|4");
    bench_release(&b);
}

/* Runs since the load and seeds: 1, 2 on one side and 2, 1 on the other is fair. */
static void test_repeats(void)
{
    struct bench b;

    bench_init(&b);
    b.r[1].dataset.runs_since_load = 2;
    b.r[2].dataset.runs_since_load = 2;
    b.of.plan_yaml[0] = "run: {users: 15000, seed: 7}\n";
    b.of.plan_yaml[3] = "run: {users: 15000, seed: 7}\n";
    finds(&b, "runs since the load: 1|2|2|1; run.seed: 7|1|1|7");
    b.of.plan_yaml[3] = "run: {users: 15000, seed: 8}\n";
    finds(&b, "run.seed: 7|1|1|8 unfair; runs since the load: 1|2|2|1");
    bench_release(&b);
}

static void test_fill_level(void)
{
    struct bench b;

    bench_init(&b);
    b.r[0].drive.used_percent = 10;
    b.r[3].drive.used_percent = 15;
    finds(&b, "");
    b.r[3].drive.used_percent = 15.1;
    finds(&b, "fill level, %: 10.0|12.5|12.5|15.1 unfair");
    b.r[3].drive.used_percent = RESULT_NONE;
    finds(&b, "fill level, %: 10.0|12.5|12.5|? unfair");
    bench_release(&b);
}

/* Also where all are alike. */
static void test_verdict(void)
{
    struct bench b;

    bench_init(&b);
    for (size_t i = 0; i < RUNS; i++) {
        b.r[i].sample.seconds = 100;
        b.r[i].sample.planned_seconds = 100;
        verdict_judge(&b.r[i]);
    }
    finds(&b, "verdict: questionable: short|questionable: short|questionable: short|questionable: "
              "short unfair");
    bench_release(&b);
}

static void test_plan(void)
{
    struct bench b;

    bench_init(&b);
    b.of.plan_yaml[1] = "run: {users: 9, duration: 1h, label: x}\nworkload: {factor: 2}\n"
                        "load: {loaders: 2, time: 2026-01-01T00:00:00Z}\noutput: {plain: true}\n"
                        "target: {drive: /mnt/y}\n";
    finds(&b, "run.duration: 3h|1h|3h|3h unfair; workload.factor: 1|2|1|1 unfair; load.loaders: "
              "auto|2|auto|auto");
    b.of.plan_yaml[2] = "run: {later: 1}\n";
    b.of.plan_yaml[3] = NULL;
    finds(&b,
          " note what only plan.yaml says is not compared: x: plan.yaml:1:7: \"run.later\" is not "
          "a setting (try run.label) note what only plan.yaml says is not compared: x: "
          "plan.yaml: not there");
    bench_release(&b);
}

/* What speaks against which pair of groups. */
static void test_is_against(void)
{
    struct compare_settings s = {.n_unfair = 0};
    struct bench b;

    bench_init(&b);
    b.of.group[3] = 2;
    b.r[3].workload.users = 1;
    b.r[0].workload.sessions = 1;
    compare_settings_find(&s, &b.of);
    UNIT_EQ_U64("", s.n_unfair, 2);
    UNIT_TRUE("users, 0 and 1", !compare_setting_is_against(&s.differ.at[0], &b.of, 0, 1));
    UNIT_TRUE("users, 0 and 2", compare_setting_is_against(&s.differ.at[0], &b.of, 0, 2));
    UNIT_TRUE("users, 2 and 1", compare_setting_is_against(&s.differ.at[0], &b.of, 2, 1));
    UNIT_TRUE("sessions, 0 itself", compare_setting_is_against(&s.differ.at[1], &b.of, 0, 0));
    UNIT_TRUE("sessions, 1 and 2", !compare_setting_is_against(&s.differ.at[1], &b.of, 1, 2));
    compare_settings_release(&s);
    bench_release(&b);
}

static const struct unit_test tests[] = {
    {"alike", test_alike},
    {"each member of the result", test_each_fact},
    {"memory", test_memory},
    {"the server's settings", test_server_settings},
    {"innodb_settings", test_innodb_settings},
    {"what repeats may differ in", test_repeats},
    {"restored or not", test_restored},
    {"fill level", test_fill_level},
    {"verdict", test_verdict},
    {"plan.yaml", test_plan},
    {"which pair it speaks against", test_is_against},
};
const struct unit_suite compare_settings_suite = UNIT_SUITE("compare_settings", tests);
