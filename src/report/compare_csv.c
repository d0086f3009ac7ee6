/*
 * The comparison as a table for a spreadsheet: compare_files.h. One thread.
 */
#include "report/compare_files.h"

#include <stdlib.h>

#include "report/compare_tables.h"
#include "report/compare_words.h"
#include "report/devices.h"
#include "result/csv.h"
#include "result/verdict.h"

#define DIGITS 7

static const char *const texts[] = {
    "group",      "runs_in_group", "result",   "label",      "started",
    "verdict",    "unfair",        "workload", "users",      "sessions",
    "warehouses", "database",      "drive",    "filesystem", "device",
    "model",      "tps",           "tps_low",  "tps_high",   "tps_percent_of_ceiling"};
static const char *const figures[] = {
    "max_ms",          "reads",         "writes",         "flushes",        "read_kib",
    "write_kib",       "reads_per_s",   "writes_per_s",   "flushes_per_s",  "read_mib_per_s",
    "write_mib_per_s", "read_await_ms", "write_await_ms", "flush_await_ms", "queue",
};

static void add_header(struct strbuf *out)
{
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        csv_text(out, texts[i]);
    for (int by = 0; by < COMPARE_TPS; by++) {
        const char *word = compare_measure_word((enum compare_measure)by);

        strbuf_addf(out, ",%s_ms,%s_ms_low,%s_ms_high", word, word, word);
    }
    for (size_t i = 0; i < ARRAY_LEN(figures); i++)
        csv_text(out, figures[i]);
    csv_end(out);
}

static void add_text(struct strbuf *out, const char *text)
{
    csv_text(out, text ? text : "");
}

static void add_interval(struct strbuf *out, const struct signif_interval *i)
{
    csv_figure(out, i->value, DIGITS);
    csv_figure(out, i->low, DIGITS);
    csv_figure(out, i->high, DIGITS);
}

static void add_names(const struct compare *c, const struct compare_run *run, struct strbuf *out)
{
    const struct result *r = run->r;
    char *names = devices_words(r, devices_name);
    char *models = devices_words(r, devices_model);

    csv_text(out, c->group[run->group].name);
    csv_count(out, c->group[run->group].n);
    csv_text(out, run->path);
    add_text(out, r->label);
    add_text(out, r->started);
    csv_text(out, verdict_name(r->verdict.status));
    csv_text(out, c->settings.n_unfair > 0 ? "yes" : "no");
    add_text(out, r->workload.name);
    csv_whole(out, r->workload.users);
    csv_whole(out, r->workload.sessions);
    csv_whole(out, r->dataset.warehouses);
    add_text(out, r->database.version);
    add_text(out, r->drive.path);
    add_text(out, r->drive.filesystem);
    add_text(out, names);
    add_text(out, models);
    free(names);
    free(models);
}

static void add_cells(const struct compare *c, enum compare_table t, const struct compare_row *row,
                      struct strbuf *out)
{
    double figure[COMPARE_COLUMNS_MAX];

    compare_cells(c, t, row, figure);
    for (size_t i = 0; i < compare_columns_of(c, t).n; i++)
        csv_figure(out, figure[i], DIGITS);
}

static void add_run(const struct compare *c, const struct compare_run *run, struct strbuf *out)
{
    const struct compare_row row = {&c->group[run->group], run};

    add_names(c, run, out);
    add_interval(out, &run->figure[COMPARE_TPS]);
    csv_figure(out, run->r->sample.tps_percent_of_ceiling, DIGITS);
    for (int by = 0; by < COMPARE_TPS; by++)
        add_interval(out, &run->figure[by]);
    csv_figure(out, run->r->sample.time[TIME_RESPONSE].max, DIGITS);
    add_cells(c, COMPARE_TABLE_TRANSACTION, &row, out);
    add_cells(c, COMPARE_TABLE_DRIVE, &row, out);
    csv_end(out);
}

void compare_csv(const struct compare *c, struct strbuf *out)
{
    add_header(out);
    for (size_t g = 0; g < c->n_groups; g++) {
        for (size_t i = 0; i < c->group[g].n; i++)
            add_run(c, &c->run[c->group[g].run[i]], out);
    }
}
