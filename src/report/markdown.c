/*
 * The report as Markdown (see the header). Made from the document as result.json holds it, as the
 * text report is.
 */
#include "report/markdown.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/cell.h"
#include "report/memory_words.h"
#include "report/prep.h"
#include "report/prep_table.h"
#include "report/restore_words.h"
#include "report/sweep_text.h"
#include "result/limit.h"
#include "report/devices.h"
#include "result/result_json.h"
#include "result/verdict.h"

void markdown_text(struct strbuf *out, const char *text)
{
    struct strbuf clean;

    strbuf_init(&clean);
    cell_clean(&clean, text);
    for (const char *c = clean.buf; *c; c++) {
        if (*c == '<')
            strbuf_adds(out, "&lt;");
        else if (*c == '&')
            strbuf_adds(out, "&amp;");
        else if (strchr("\\`*_[]|#~!", *c))
            strbuf_addf(out, "\\%c", *c);
        else
            strbuf_addc(out, *c);
    }
    strbuf_release(&clean);
}

static void add_verdict(const struct result *r, struct strbuf *out)
{
    strbuf_addf(out, "**%s**\n\n", verdict_name(r->verdict.status));
    for (size_t i = 0; i < r->verdict.reasons.n; i++) {
        const struct verdict_reason *reason = &r->verdict.reasons.at[i];

        strbuf_adds(out, "- ");
        markdown_text(out, reason->code);
        strbuf_adds(out, ": ");
        markdown_text(out, reason->text);
        if (reason->advice) {
            strbuf_adds(out, "; ");
            markdown_text(out, reason->advice);
        }
        strbuf_addc(out, '\n');
    }
    if (r->verdict.reasons.n > 0)
        strbuf_addc(out, '\n');
}

static void add_limit(const struct result *r, struct strbuf *out)
{
    const struct limit_finding f = limit_find(r);

    if (f.limit == LIMIT_UNKNOWN)
        return;
    strbuf_addf(out, "What limited this run: **%s**: ", limit_name(f.limit));
    markdown_text(out, f.evidence);
    strbuf_adds(out, ".\n\n");
}

static void add_main_figures(const struct result *r, struct strbuf *out)
{
    const struct result_sample *s = &r->sample;
    const struct summary *t = &s->time[TIME_RESPONSE];

    strbuf_adds(out, "| TPS | % of ceiling | avg ms | p95 ms | p99 ms | max ms |\n"
                     "| ---: | ---: | ---: | ---: | ---: | ---: |\n");
    strbuf_addf(out, "| %s | %s | %s | %s | %s | %s |\n\n", cell_fixed(s->tps, 1).text,
                cell_fixed(s->tps_percent_of_ceiling, 1).text, cell_figure(t->avg).text,
                cell_figure(t->p95).text, cell_figure(t->p99).text, cell_figure(t->max).text);
}

static void add_prep(const struct result *r, struct strbuf *out)
{
    struct strbuf words;

    if (!r->drive.prep.id)
        return;
    strbuf_init(&words);
    prep_words(&r->drive.prep, &words);
    strbuf_adds(out, ", prepared ");
    markdown_text(out, words.buf);
    strbuf_release(&words);
}

static void add_surroundings(const struct result *r, struct strbuf *out)
{
    const struct result_database *db = &r->database;
    char *names = devices_words(r, devices_name);
    struct strbuf memory;

    strbuf_addf(out, "%s users on %s sessions, workload ", cell_count(r->workload.users).text,
                cell_count(r->workload.sessions).text);
    markdown_text(out, r->workload.name);
    strbuf_addf(out, "; %s warehouses, %s; ", cell_count(r->dataset.warehouses).text,
                cell_bytes(r->dataset.bytes_before).text);
    markdown_text(out, db->kind);
    strbuf_addc(out, ' ');
    markdown_text(out, db->version);
    strbuf_init(&memory);
    if (r->dataset.restore.method) {
        strbuf_adds(out, "; ");
        restore_words(r, &memory);
        markdown_text(out, memory.buf);
        strbuf_reset(&memory);
    }
    strbuf_adds(out, "; memory: ");
    memory_words(r, &memory);
    markdown_text(out, memory.buf);
    strbuf_release(&memory);
    strbuf_adds(out, "; drive ");
    markdown_text(out, r->drive.path ? r->drive.path : names);
    free(names);
    if (r->drive.filesystem || r->drive.path) {
        strbuf_adds(out, ", ");
        markdown_text(out, r->drive.filesystem);
    }
    add_prep(r, out);
    strbuf_addf(out, "; sample %s s, %s transactions.\n\n", cell_fixed(r->sample.seconds, 1).text,
                cell_count(r->sample.transactions).text);
}

static void add_types(const struct result *r, struct strbuf *out)
{
    strbuf_adds(out, "| response, ms | count | TPS | avg | p50 | p90 | p95 | p99 | max | p90 in |\n"
                     "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n");
    for (int row = 0; row < RESULT_TXN_ROWS; row++) {
        const struct result_txn *txn = &r->sample.by_type[row];
        const struct summary *t = &txn->time[TIME_RESPONSE];

        if (txn->count < 0)
            continue;
        strbuf_adds(out, "| ");
        markdown_text(out, result_txn_name(row));
        strbuf_addf(out, " | %s | %s | %s | %s | %s | %s | %s | %s |", cell_count(txn->count).text,
                    cell_figure(txn->tps).text, cell_figure(t->avg).text, cell_figure(t->p50).text,
                    cell_figure(t->p90).text, cell_figure(t->p95).text, cell_figure(t->p99).text,
                    cell_figure(t->max).text);
        if (isfinite(txn->limit_ms))
            strbuf_addf(out, " %s s%s |\n", cell_fixed(txn->limit_ms / 1000.0, 0).text,
                        txn->within_limit < 0 ? ""
                        : txn->within_limit   ? " kept"
                                              : " missed");
        else
            strbuf_adds(out, " - |\n");
    }
    strbuf_addc(out, '\n');
}

static void add_devices(const struct result *r, struct strbuf *out)
{
    if (r->drive.devices.n == 0)
        return;
    strbuf_adds(out, "| device | r/s | w/s | f/s | read MiB/s | write MiB/s | read await ms "
                     "| write await ms | flush await ms | queue |\n"
                     "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (size_t i = 0; i < r->drive.devices.n; i++) {
        const struct result_rates *d = &r->sample.devices[i];
        const double figures[] = {d->reads_per_s,    d->writes_per_s,    d->flushes_per_s,
                                  d->read_mib_per_s, d->write_mib_per_s, d->read_await_ms,
                                  d->write_await_ms, d->flush_await_ms,  d->queue};

        strbuf_adds(out, "| ");
        markdown_text(out, r->drive.devices.at[i].name);
        for (size_t k = 0; k < ARRAY_LEN(figures); k++)
            strbuf_addf(out, " | %s", cell_figure(figures[k]).text);
        strbuf_adds(out, " |\n");
    }
    strbuf_addc(out, '\n');
    for (size_t i = 0; i < r->drive.remotes.n; i++) {
        char *remote = devices_remote(&r->drive.remotes.at[i]);

        strbuf_adds(out, "Read by ssh on ");
        markdown_text(out, remote);
        strbuf_adds(out, ".\n\n");
        free(remote);
    }
}

static void add_io(const struct result *r, struct strbuf *out)
{
    const struct result_sample *s = &r->sample;
    char *of = NULL;

    if (r->drive.devices.n == 0)
        return;
    of = devices_summed(r, 1);
    strbuf_addf(out, "Per transaction %s reads (%s KiB), %s writes (%s KiB), %s flushes",
                cell_figure(s->reads_per_txn).text, cell_figure(s->read_kib_per_txn).text,
                cell_figure(s->writes_per_txn).text, cell_figure(s->write_kib_per_txn).text,
                cell_figure(s->flushes_per_txn).text);
    if (of) {
        strbuf_adds(out, ", of ");
        markdown_text(out, of);
    }
    if (r->drive.unseen) {
        strbuf_adds(out, ", without ");
        markdown_text(out, r->drive.unseen);
    }
    strbuf_adds(out, ".\n\n");
    free(of);
}

static void add_server(const struct result *r, struct strbuf *out)
{
    const struct result_server *s = &r->sample.server;

    if (r->sample.server_sample.looks < 0)
        return;
    strbuf_adds(out, "| WAL ms a commit | commits a flush | WAL KiB a txn | full pages, at most % "
                     "| cache hits % | page reads/s | CPU ms a txn | CPU % | silence ms |\n"
                     "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    strbuf_addf(out, "| %s | %s | %s | %s |", cell_figure(s->commit_ms).text,
                cell_figure(s->commits_per_flush).text,
                cell_figure(s->wal_kib_per_transaction).text,
                cell_fixed(s->full_page_percent, 0).text);
    strbuf_addf(out, " %s | %s | %s | %s | %s |\n\n", cell_fixed(s->cache_hit_percent, 1).text,
                cell_figure(s->page_reads_per_s).text, cell_figure(s->cpu_ms_per_transaction).text,
                cell_fixed(s->cpu_percent, 1).text, cell_figure(s->longest_silence_ms).text);
}

static void add_whole(const struct result *r, struct strbuf *out)
{
    strbuf_adds(out, "## ");
    markdown_text(out, r->label && *r->label ? r->label : "tpcc-run");
    strbuf_adds(out, ", ");
    markdown_text(out, r->started);
    strbuf_adds(out, "\n\n");
    if (result_is_sweep(r)) {
        add_verdict(r, out);
        sweep_markdown(r, out);
        strbuf_addc(out, '\n');
        return;
    }
    if (result_is_prep(r)) {
        add_verdict(r, out);
        prep_markdown(r, out);
        return;
    }
    add_limit(r, out);
    add_verdict(r, out);
    if (!r->partial) {
        add_main_figures(r, out);
        add_surroundings(r, out);
        add_types(r, out);
        add_devices(r, out);
        add_io(r, out);
        add_server(r, out);
    }
}

void report_markdown(const struct result *r, const char *result_path, struct strbuf *out)
{
    char *json = result_json_write(r);
    struct result saved;

    result_init(&saved);
    add_whole(!r->partial && result_json_read(json, &saved, NULL) == 0 ? &saved : r, out);
    strbuf_adds(out, "tpcc-run ");
    markdown_text(out, r->version);
    strbuf_adds(out, ", result ");
    markdown_text(out, result_path);
    strbuf_adds(out,
                "; method after the reviews, derived from TPC-C, not comparable with published "
                "TPC results.\n");
    result_release(&saved);
    free(json);
}
