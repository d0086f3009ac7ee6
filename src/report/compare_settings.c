/*
 * The table of settings that are looked at, and how runs differ in them (see the header). Settings
 * of plan.yaml are rows of the option table; its values are as resolved by the plan. One thread.
 */
#include "report/compare_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "config/config.h"
#include "config/spec_value.h"
#include "report/cell.h"
#include "report/devices.h"
#include "report/restore_words.h"
#include "result/limit.h"
#include "result/verdict.h"

#define FILL_TOLERANCE_PERCENT 5.0

/* ---- result.json ---- */

enum fact_kind { FACT_TEXT, FACT_COUNT, FACT_BYTES, FACT_FIGURE, FACT_MADE };

/* A member of struct result, or a text that is made of several. */
struct fact {
    const char *name;
    enum fact_kind kind;
    unsigned flags;
    size_t at;
    char *(*make)(const struct result *r);
    double tolerance;
};

static char *limit_of(const struct result *r)
{
    return xstrdup(limit_name(limit_find(r).limit));
}

static char *verdict_of(const struct result *r)
{
    struct strbuf out;

    if (r->verdict.status == VERDICT_VALID)
        return xstrdup(verdict_name(VERDICT_VALID));
    strbuf_init(&out);
    strbuf_adds(&out, verdict_name(r->verdict.status));
    for (size_t i = 0; i < r->verdict.reasons.n; i++)
        strbuf_addf(&out, "%s%s", i ? ", " : ": ", r->verdict.reasons.at[i].code);
    return strbuf_detach(&out);
}

static char *server_of(const struct result *r)
{
    const struct result_database *db = &r->database;

    return db->kind && db->version ? xasprintf("%s %s", db->kind, db->version) : NULL;
}

static char *memory_limit_of(const struct result *r)
{
    const int64_t bytes = r->database.memory_limit_bytes;

    return bytes < 0 ? xstrdup("none") : xstrdup(cell_bytes(bytes).text);
}

static char *cpu_of(const struct result *r)
{
    const struct result_host *h = &r->host;

    if (h->cpus < 0 || !h->cpu_model)
        return NULL;
    return xasprintf("%s x %s", cell_count(h->cpus).text, h->cpu_model);
}

static char *seed_of(const struct result *r)
{
    return r->dataset.warehouses < 0 ? NULL
                                     : xasprintf("%llu", (unsigned long long)r->dataset.seed);
}

static char *restore_of(const struct result *r)
{
    struct strbuf out;

    strbuf_init(&out);
    restore_words_short(r, &out);
    return strbuf_detach(&out);
}

static const char *scheduler_of_device(const struct result_device *d)
{
    return d->scheduler;
}

static char *scheduler_of(const struct result *r)
{
    return devices_words(r, scheduler_of_device);
}

static const char *write_cache_of_device(const struct result_device *d)
{
    return d->write_cache;
}

static char *write_cache_of(const struct result *r)
{
    return devices_words(r, write_cache_of_device);
}

#define MEMBER(what, type, bits, member)                                                           \
    {                                                                                              \
        .name = (what), .kind = (type), .flags = (bits), .at = offsetof(struct result, member)     \
    }
#define MADE(what, bits, function)                                                                 \
    {                                                                                              \
        .name = (what), .kind = FACT_MADE, .flags = (bits), .make = (function)                     \
    }

static const struct fact facts[] = {
    MADE("verdict", COMPARE_UNFAIR | COMPARE_VERDICT, verdict_of),
    MADE("limited by", 0, limit_of),
    MEMBER("warehouses", FACT_COUNT, COMPARE_UNFAIR, dataset.warehouses),
    MEMBER("pace", FACT_TEXT, COMPARE_UNFAIR, workload.loop),
    MEMBER("mean cycle, s", FACT_FIGURE, COMPARE_UNFAIR, workload.mean_cycle_s),
    MEMBER("users", FACT_COUNT, COMPARE_UNFAIR, workload.users),
    MEMBER("sessions", FACT_COUNT, COMPARE_UNFAIR, workload.sessions),
    MEMBER("Delivery", FACT_TEXT, COMPARE_UNFAIR, workload.delivery),
    MEMBER("length of the sample, s", FACT_FIGURE, COMPARE_UNFAIR, sample.planned_seconds),
    MEMBER("transport", FACT_TEXT, COMPARE_UNFAIR, database.transport),
    MEMBER("driver", FACT_TEXT, COMPARE_UNFAIR, database.driver),
    MEMBER("buffer", FACT_BYTES, COMPARE_UNFAIR, database.buffer_bytes),
    MADE("memory limit", COMPARE_UNFAIR, memory_limit_of),
    MEMBER("memory", FACT_BYTES, COMPARE_UNFAIR, host.memory_bytes),
    MADE("server", COMPARE_UNFAIR, server_of),
    MADE("CPU", COMPARE_UNFAIR, cpu_of),
    MEMBER("file system", FACT_TEXT, COMPARE_UNFAIR, drive.filesystem),
    MEMBER("mount options", FACT_TEXT, COMPARE_UNFAIR, drive.mount_options),
    {.name = "fill level, %",
     .kind = FACT_FIGURE,
     .flags = COMPARE_UNFAIR,
     .at = offsetof(struct result, drive.used_percent),
     .tolerance = FILL_TOLERANCE_PERCENT},
    MEMBER("runs since the load", FACT_COUNT, COMPARE_UNFAIR | COMPARE_REPEATS,
           dataset.runs_since_load),
    MADE("restored before the run", COMPARE_UNFAIR, restore_of),
    MADE("seed of the dataset", COMPARE_UNFAIR | COMPARE_REPEATS, seed_of),
    MEMBER("workload", FACT_TEXT, 0, workload.name),
    MEMBER("host", FACT_TEXT, 0, host.name),
    MEMBER("kernel", FACT_TEXT, 0, host.kernel),
    MEMBER("program", FACT_TEXT, 0, version),
    MADE("I/O scheduler", 0, scheduler_of),
    MADE("write cache", 0, write_cache_of),
};

static const void *member(const struct result *r, size_t at)
{
    return (const char *)r + at;
}

static double figure_of(const struct fact *f, const struct result *r)
{
    return f->kind == FACT_FIGURE ? *(const double *)member(r, f->at) : (double)NAN;
}

/* free() it; NULL: not known. */
static char *fact_of(const struct fact *f, const struct result *r)
{
    switch (f->kind) {
    case FACT_TEXT:
        return xstrdup_or_null(*(char *const *)member(r, f->at));
    case FACT_COUNT:
        if (*(const int64_t *)member(r, f->at) < 0)
            return NULL;
        return xstrdup(cell_count(*(const int64_t *)member(r, f->at)).text);
    case FACT_BYTES:
        if (*(const int64_t *)member(r, f->at) < 0)
            return NULL;
        return xstrdup(cell_bytes(*(const int64_t *)member(r, f->at)).text);
    case FACT_FIGURE:
        return isfinite(figure_of(f, r)) ? xstrdup(cell_figure(figure_of(f, r)).text) : NULL;
    case FACT_MADE:
        return f->make(r);
    }
    UNREACHABLE();
}

/* ---- the server's settings ---- */

/* What decides how durable a commit is, and when the server writes what. */
static const char *const server_unfair[] = {
    "fsync",
    "synchronous_commit",
    "full_page_writes",
    "wal_sync_method",
    "wal_level",
    "wal_compression",
    "data_checksums",
    "block_size",
    "checkpoint_timeout",
    "checkpoint_completion_target",
    "max_wal_size",
    /* MariaDB and MySQL: commit, pages, the log whose size decides when pages are written. */
    "innodb_flush_log_at_trx_commit",
    "sync_binlog",
    "log_bin",
    "innodb_doublewrite",
    "innodb_flush_method",
    "innodb_page_size",
    "innodb_log_file_size",
    "innodb_redo_log_capacity",
    "innodb_io_capacity",
    /* SQL Server: commit, what readers wait for, how long recovery may take. */
    "delayed_durability",
    "read_committed_snapshot",
    "target_recovery_time_s",
};

static const char *server_setting(const struct result *r, const char *name)
{
    for (size_t i = 0; i < r->database.settings.n; i++) {
        if (strcmp(r->database.settings.at[i].name, name) == 0)
            return r->database.settings.at[i].value;
    }
    return NULL;
}

static unsigned server_flags(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(server_unfair); i++) {
        if (strcmp(server_unfair[i], name) == 0)
            return COMPARE_UNFAIR;
    }
    return 0;
}

/* ---- plan.yaml ---- */

/* Rows of the option table with flags of their own; all others only differ. */
static const struct {
    const char *path; /* or a whole group, with its dot */
    unsigned flags;
} plan_flags[] = {
    {"workload.", COMPARE_UNFAIR},    {"run.duration", COMPARE_UNFAIR},
    {"run.ramp", COMPARE_UNFAIR},     {"run.timeout", COMPARE_UNFAIR},
    {"run.attempts", COMPARE_UNFAIR}, {"run.seed", COMPARE_UNFAIR | COMPARE_REPEATS},
};

/* What is in result.json too, names the thing under test, or belongs to one run alone. */
static const char *const plan_left_out[] = {
    "target.",           "output.",           "load.warehouses",
    "load.size",         "load.seed",         "load.time",
    "load.restore",      "load.image",        "load.restore-method",
    "load.restore-rest", "run.users",         "run.sessions",
    "run.sample",        "run.workload",      "run.label",
    "server.user",       "server.bin-dir",    "run.interval",
    "workload.name",     "workload.delivery", "server.buffer",
};

static bool begins(const char *path, const char *with)
{
    const size_t n = strlen(with);

    return with[n - 1] == '.' ? strncmp(path, with, n) == 0 : strcmp(path, with) == 0;
}

static bool is_left_out(const struct spec *row)
{
    if (row->flags & (SPEC_ACTION | SPEC_HIDDEN | SPEC_SECRET))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(plan_left_out); i++) {
        if (begins(row->path, plan_left_out[i]))
            return true;
    }
    return false;
}

static unsigned flags_of_row(const struct spec *row)
{
    for (size_t i = 0; i < ARRAY_LEN(plan_flags); i++) {
        if (begins(row->path, plan_flags[i].path))
            return plan_flags[i].flags;
    }
    return 0;
}

static char *row_value(const struct spec *row, const struct settings *s)
{
    struct strbuf out;

    if (spec_value_is_unset(row, s))
        return NULL;
    strbuf_init(&out);
    spec_value_format(row, s, &out);
    return strbuf_detach(&out);
}

/* ---- what differs ---- */

static bool equal(const struct compare_setting *s, size_t i, size_t k)
{
    const char *a = s->value[i];
    const char *b = s->value[k];

    if (s->tolerance > 0 && a && b)
        return fabs(s->number[i] - s->number[k]) <= s->tolerance;
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool all_equal(const struct compare_setting *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) {
            if (!equal(s, i, k))
                return false;
        }
    }
    return true;
}

/* How many runs of the group have the value of run i. */
static size_t how_many(const struct compare_setting *s, const struct compare_settings_of *of,
                       size_t group, size_t i)
{
    size_t n = 0;

    for (size_t k = 0; k < of->n; k++)
        n += of->group[k] == group && equal(s, i, k);
    return n;
}

static bool is_of(const struct compare_settings_of *of, size_t run, size_t a, size_t b)
{
    return of->group[run] == a || of->group[run] == b;
}

static size_t size_of(const struct compare_settings_of *of, size_t group)
{
    size_t n = 0;

    for (size_t i = 0; i < of->n; i++)
        n += of->group[i] == group;
    return n;
}

/* Each value has the same share of one side's runs as of the other's. */
static bool is_balanced(const struct compare_setting *s, const struct compare_settings_of *of,
                        size_t a, size_t b)
{
    for (size_t i = 0; i < of->n; i++) {
        if (is_of(of, i, a, b) &&
            how_many(s, of, a, i) * size_of(of, b) != how_many(s, of, b, i) * size_of(of, a))
            return false;
    }
    return true;
}

static bool is_alike(const struct compare_setting *s, const struct compare_settings_of *of,
                     size_t a, size_t b)
{
    for (size_t i = 0; i < of->n; i++) {
        for (size_t k = 0; k < i; k++) {
            if (is_of(of, i, a, b) && is_of(of, k, a, b) && !equal(s, i, k))
                return false;
        }
    }
    return true;
}

bool compare_setting_is_against(const struct compare_setting *s,
                                const struct compare_settings_of *of, size_t a, size_t b)
{
    const char *fair = verdict_name(VERDICT_VALID);

    if (!(s->flags & COMPARE_UNFAIR))
        return false;
    if (s->flags & COMPARE_VERDICT) {
        for (size_t i = 0; i < of->n; i++) {
            if (is_of(of, i, a, b) && strcmp(s->value[i], fair) != 0)
                return true;
        }
        return false;
    }
    if (s->flags & COMPARE_REPEATS)
        return !is_balanced(s, of, a, b);
    return !is_alike(s, of, a, b);
}

static bool is_unfair(const struct compare_setting *s, const struct compare_settings_of *of)
{
    for (size_t i = 0; i < of->n; i++) {
        for (size_t k = 0; k <= i; k++) {
            if (compare_setting_is_against(s, of, of->group[i], of->group[k]))
                return true;
        }
    }
    return false;
}

static void setting_release(struct compare_setting *s)
{
    free(s->name);
    for (size_t i = 0; i < COMPARE_RUNS_MAX; i++)
        free(s->value[i]);
}

/* Keeps it where it says something; unfair ones go before the others. Takes it over. */
static void offer(struct compare_settings *all, const struct compare_settings_of *of,
                  struct compare_setting *s)
{
    const bool unfair = is_unfair(s, of);

    if (!unfair && all_equal(s, of->n)) {
        setting_release(s);
        return;
    }
    VEC_PUSH(&all->differ, *s);
    if (!unfair)
        return;
    for (size_t i = all->differ.n - 1; i > all->n_unfair; i--)
        all->differ.at[i] = all->differ.at[i - 1];
    all->differ.at[all->n_unfair++] = *s;
}

static void find_facts(struct compare_settings *all, const struct compare_settings_of *of)
{
    for (size_t f = 0; f < ARRAY_LEN(facts); f++) {
        struct compare_setting s = {.name = xstrdup(facts[f].name),
                                    .flags = facts[f].flags,
                                    .tolerance = facts[f].tolerance};

        for (size_t i = 0; i < of->n; i++) {
            s.value[i] = fact_of(&facts[f], of->r[i]);
            s.number[i] = figure_of(&facts[f], of->r[i]);
        }
        offer(all, of, &s);
    }
}

/* The buffer is told as a fact. */
static bool is_buffer(const char *name)
{
    return strcmp(name, "shared_buffers") == 0 || strcmp(name, "innodb_buffer_pool_size") == 0;
}

/* Whether a run before this one has a server's setting of this name. */
static bool was_seen(const struct compare_settings_of *of, size_t run, const char *name)
{
    for (size_t i = 0; i < run; i++) {
        if (server_setting(of->r[i], name))
            return true;
    }
    return false;
}

static void find_server_settings(struct compare_settings *all, const struct compare_settings_of *of)
{
    for (size_t run = 0; run < of->n; run++) {
        for (size_t k = 0; k < of->r[run]->database.settings.n; k++) {
            const char *name = of->r[run]->database.settings.at[k].name;
            struct compare_setting s = {.flags = server_flags(name)};

            if (is_buffer(name) || was_seen(of, run, name))
                continue;
            s.name = xstrdup(name);
            for (size_t i = 0; i < of->n; i++)
                s.value[i] = xstrdup_or_null(server_setting(of->r[i], name));
            offer(all, of, &s);
        }
    }
}

/* Those plans that can be read; false: not one of them. */
static bool read_plan(struct compare_settings *all, const struct compare_settings_of *of, size_t i,
                      struct config *c)
{
    const struct origin origin = {.kind = ORIGIN_CONFIG, .file = "plan.yaml"};
    const char *yaml = of->plan_yaml[i];
    struct err err = {0};

    config_init(c, PROGRAM_RUN);
    if (!yaml)
        (void)err_set(&err, ERR_SURROUNDINGS, "plan.yaml: not there");
    if (yaml && config_read_text(c, yaml, strlen(yaml), &origin, &err) == 0)
        return true;
    VEC_PUSH(&all->notes,
             xasprintf("what only plan.yaml says is not compared: %s: %s", of->name[i], err.text));
    return false;
}

static void find_plan(struct compare_settings *all, const struct compare_settings_of *of)
{
    struct config *plan = xcalloc(of->n, sizeof(*plan));
    bool readable = true;

    for (size_t i = 0; i < of->n; i++)
        readable &= read_plan(all, of, i, &plan[i]);
    for (size_t row = 0; readable && row < CONFIG_SPEC_ROWS; row++) {
        struct compare_setting s = {.flags = flags_of_row(&config_spec[row])};

        if (is_left_out(&config_spec[row]))
            continue;
        s.name = xstrdup(config_spec[row].path);
        for (size_t i = 0; i < of->n; i++)
            s.value[i] = row_value(&config_spec[row], &plan[i].s);
        offer(all, of, &s);
    }
    for (size_t i = 0; i < of->n; i++)
        config_release(&plan[i]);
    free(plan);
}

void compare_settings_find(struct compare_settings *s, const struct compare_settings_of *of)
{
    CHECK(of->n <= COMPARE_RUNS_MAX);
    find_facts(s, of);
    find_server_settings(s, of);
    find_plan(s, of);
}

void compare_settings_release(struct compare_settings *s)
{
    for (size_t i = 0; i < s->differ.n; i++)
        setting_release(&s->differ.at[i]);
    for (size_t i = 0; i < s->notes.n; i++)
        free(s->notes.at[i]);
    VEC_RELEASE(&s->differ);
    VEC_RELEASE(&s->notes);
}
