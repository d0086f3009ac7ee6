/*
 * The text report: what a reader asks first stands first (may I trust it, how fast, how late, what
 * did the drive do), on one screen of 80 columns. It is made from the document as result.json holds
 * it, also at the end of a run, so that both are the same to the letter. One thread.
 */
#include "report/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/cell.h"
#include "report/deferred.h"
#include "report/devices.h"
#include "report/health.h"
#include "report/restore_words.h"
#include "report/steadiness.h"
#include "report/sweep_text.h"
#include "report/text_partial.h"
#include "report/memory_words.h"
#include "report/prep.h"
#include "result/foreign.h"
#include "result/limit.h"
#include "result/result_json.h"
#include "result/verdict.h"

/* The users' closed loop: the relative variance of TPS over n transactions is this / n. */
#define LOOP_VARIANCE 0.462
#define PACE_BOUND_PERCENT 98.0
#define ERRORS_SHOWN 5
#define RESTARTS_SHOWN 4
#define OPTIONS_COLUMNS 24 /* of the mount options, which may be long */

static void add_title(const struct result *r, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    strbuf_addf(&line, "tpcc-run %s", r->version ? r->version : "?");
    if (r->label && *r->label)
        strbuf_addf(&line, ", %s", r->label);
    strbuf_addf(&line, ", %s", r->started ? r->started : "?");
    if (r->host.name)
        strbuf_addf(&line, " on %s", r->host.name);
    cell_clip(out, line.buf, CELL_COLUMNS, 0);
    strbuf_addc(out, '\n');
    strbuf_release(&line);
}

void report_verdict(const struct result *r, struct strbuf *out)
{
    strbuf_addf(out, "%-*s%s\n", CELL_INDENT, "verdict", verdict_name(r->verdict.status));
    for (size_t i = 0; i < r->verdict.reasons.n; i++) {
        const struct verdict_reason *reason = &r->verdict.reasons.at[i];
        char *text = NULL;

        if (reason->advice)
            text = xasprintf("%s; %s", reason->text, reason->advice);
        cell_paragraph(out, reason->code, text ? text : reason->text);
        free(text);
    }
}

static void add_limit_found(const struct result *r, struct strbuf *out)
{
    const struct limit_finding f = limit_find(r);
    char *text = xasprintf("%s: %s", limit_name(f.limit), f.evidence);

    if (f.limit != LIMIT_UNKNOWN)
        cell_paragraph(out, "limit", text);
    free(text);
}

static const char *loop_words(const char *loop)
{
    if (!loop)
        return "-";
    if (strcmp(loop, "closed") == 0)
        return "closed loop";
    return strcmp(loop, "none") == 0 ? "no pace" : "inter-arrival pace";
}

static void add_surroundings(const struct result *r, struct strbuf *out)
{
    const struct result_dataset *d = &r->dataset;
    const struct result_database *db = &r->database;
    struct strbuf line;

    strbuf_init(&line);
    strbuf_addf(&line, "%s users on %s sessions, %s, %s, Delivery %s",
                cell_count(r->workload.users).text, cell_count(r->workload.sessions).text,
                r->workload.name ? r->workload.name : "-", loop_words(r->workload.loop),
                r->workload.delivery ? r->workload.delivery : "-");
    cell_paragraph(out, "workload", line.buf);
    strbuf_reset(&line);
    strbuf_addf(&line, "%s warehouses, %s before and %s after; %s %s",
                cell_count(d->warehouses).text, cell_bytes(d->bytes_before).text,
                cell_bytes(d->bytes_after).text, db->kind ? db->kind : "-",
                db->version ? db->version : "-");
    if (d->restore.method) {
        strbuf_adds(&line, "; ");
        restore_words(r, &line);
    }
    cell_paragraph(out, "dataset", line.buf);
    strbuf_reset(&line);
    memory_words(r, &line);
    cell_paragraph(out, "memory", line.buf);
    strbuf_release(&line);
}

/* What the users' closed loop gives at this response, and how far the measured TPS is from it. */
static void add_model(const struct result *r, struct strbuf *out)
{
    const struct result_sample *s = &r->sample;
    const double cycle_s = r->workload.mean_cycle_s + s->time[TIME_RESPONSE].avg / 1000.0;
    const double expected = (double)r->workload.users / cycle_s;
    const double difference = 100.0 * (s->tps - expected) / expected;
    const double sigma4 = 400.0 * sqrt(LOOP_VARIANCE / (double)s->transactions);

    if (!r->workload.loop || strcmp(r->workload.loop, "closed") != 0)
        return;
    if (!(cycle_s > 0) || s->transactions <= 0 || !isfinite(difference))
        return;
    strbuf_addf(out,
                "closed-loop model %.1f, measured %.1f, difference %+.2f %% (4 sigma %.2f %%)\n",
                expected, s->tps, difference, sigma4);
}

static void add_tps(const struct result *r, struct strbuf *out)
{
    const struct result_sample *s = &r->sample;
    struct strbuf line;

    strbuf_init(&line);
    strbuf_adds(&line, cell_fixed(s->tps, 1).text);
    if (isfinite(s->tps_percent_of_ceiling))
        strbuf_addf(&line, ", %.1f %% of the ceiling %s", s->tps_percent_of_ceiling,
                    cell_fixed(r->workload.ceiling_tps, 1).text);
    strbuf_addf(&line, "; %s new orders a minute",
                isfinite(s->nopm) ? cell_count(llround(fmax(s->nopm, 0))).text : "-");
    cell_paragraph(out, "TPS", line.buf);
    if (s->tps_percent_of_ceiling >= PACE_BOUND_PERCENT)
        cell_paragraph(out, "", "TPS is bound by the pace: compare latency");
    strbuf_reset(&line);
    strbuf_addf(&line, "%s transactions in %s s", cell_count(s->transactions).text,
                cell_fixed(s->seconds, 1).text);
    cell_paragraph(out, "sample", line.buf);
    add_model(r, out);
    strbuf_release(&line);
}

static void add_summary(const char *name, const struct summary *t, struct strbuf *out)
{
    const double figures[] = {t->avg, t->p50, t->p90, t->p95, t->p99, t->p999, t->max};

    strbuf_addf(out, "%-17s", name);
    for (size_t i = 0; i < ARRAY_LEN(figures); i++)
        strbuf_addf(out, " %8s", cell_figure(figures[i]).text);
    strbuf_addc(out, '\n');
}

static void add_latency(const struct result *r, struct strbuf *out)
{
    strbuf_addf(out, "\n%-17s %8s %8s %8s %8s %8s %8s %8s\n", "ms", "avg", "p50", "p90", "p95",
                "p99", "p99.9", "max");
    for (int k = 0; k < TIME_KINDS; k++)
        add_summary(result_time_name((enum result_kind_of_time)k), &r->sample.time[k], out);
    if (deferred_has(r))
        strbuf_adds(out,
                    "(queue and service without Deliveries, which end when they are queued)\n");
}

/* " 5s ok": the limit of 5.2.5.3 or 2.7.2.2, and whether 90 % kept it. */
static void add_limit(const struct result_txn *t, struct strbuf *out)
{
    if (isfinite(t->limit_ms))
        strbuf_addf(out, " %2.0fs%s", t->limit_ms / 1000.0,
                    t->within_limit < 0 ? ""
                    : t->within_limit   ? " ok"
                                        : " NO");
}

static void add_types(const struct result *r, struct strbuf *out)
{
    strbuf_addf(out, "\n%-17s %9s %4s %5s %6s %6s %6s %6s %6s %s\n", "response, ms", "count", "%",
                "TPS", "avg", "p90", "p95", "p99", "max", "p90 in");
    for (int row = 0; row < RESULT_TXN_ROWS; row++) {
        const struct result_txn *t = &r->sample.by_type[row];
        const struct summary *ms = &t->time[TIME_RESPONSE];

        if (t->count < 0)
            continue;
        strbuf_addf(out, "%-17s %9s %4s %5s %6s %6s %6s %6s %6s", result_txn_name(row),
                    cell_short_count(t->count).text, cell_fixed(t->percent, 1).text,
                    cell_figure(t->tps).text, cell_figure(ms->avg).text, cell_figure(ms->p90).text,
                    cell_figure(ms->p95).text, cell_figure(ms->p99).text,
                    cell_figure(ms->max).text);
        add_limit(t, out);
        strbuf_addc(out, '\n');
    }
    strbuf_addc(out, '\n');
}

static void add_outcomes(const struct result *r, struct strbuf *out)
{
    const struct result_sample *s = &r->sample;
    const struct counters *o = &s->outcomes;
    struct strbuf line;

    strbuf_init(&line);
    strbuf_addf(&line, "committed %s, rolled back as planned %s, ",
                cell_count((int64_t)o->committed).text, cell_count((int64_t)o->rolled_back).text);
    strbuf_addf(&line, "retried %s (%s retries), failed %s, in doubt %s, unfinished %s",
                cell_count((int64_t)o->retried).text, cell_count((int64_t)o->retries).text,
                cell_count((int64_t)o->failed).text, cell_count((int64_t)o->in_doubt).text,
                cell_count(s->unfinished).text);
    cell_paragraph(out, "outcomes", line.buf);
    strbuf_release(&line);
}

/* What a transaction cost the drive, of which devices, and what is not in it. */
static void add_per_transaction(const struct result *r, struct strbuf *out)
{
    const struct result_sample *s = &r->sample;
    char *of = devices_summed(r, 2); /* of one it needs no line on the screen */

    strbuf_addf(out, "per transaction %s reads (%s KiB), %s writes (%s KiB), %s flushes\n",
                cell_figure(s->reads_per_txn).text, cell_figure(s->read_kib_per_txn).text,
                cell_figure(s->writes_per_txn).text, cell_figure(s->write_kib_per_txn).text,
                cell_figure(s->flushes_per_txn).text);
    if (of)
        cell_paragraph(out, "  of", of);
    if (r->drive.unseen)
        cell_paragraph(out, "  without", r->drive.unseen);
    free(of);
}

static void add_drive(const struct result *r, struct strbuf *out)
{
    const struct result_sample *s = &r->sample;
    struct strbuf line;
    struct foreign others;

    strbuf_init(&line);
    if (r->drive.path) {
        strbuf_addf(&line, "%s, %s (", r->drive.path,
                    r->drive.filesystem ? r->drive.filesystem : "-");
        cell_clip(&line, r->drive.mount_options, OPTIONS_COLUMNS, 0);
        strbuf_addf(&line, "), %s %% used; ", cell_fixed(r->drive.used_percent, 1).text);
    }
    if (r->drive.devices.n == 0)
        strbuf_addf(&line, "no counters: %s", r->drive.why_none ? r->drive.why_none : "no device");
    else
        strbuf_addf(&line, "the run wrote %s", cell_bytes(r->run.bytes_written).text);
    if (foreign_find(r, &others) && others.least_percent >= 0.5)
        strbuf_addf(&line, "; others' I/O at least %s %%",
                    cell_fixed(others.least_percent, 0).text);
    if (r->run.device_gaps > 0)
        strbuf_addf(&line, "; %s samples missed", cell_count(r->run.device_gaps).text);
    strbuf_addc(out, '\n');
    cell_paragraph(out, "drive", line.buf);
    strbuf_release(&line);
    prep_paragraph(r, out);
    if (r->drive.devices.n == 0)
        return;
    devices_table(r, s->devices, out);
    add_per_transaction(r, out);
    for (size_t i = 0; i < r->drive.remotes.n; i++) {
        char *remote = devices_remote(&r->drive.remotes.at[i]);

        cell_paragraph(out, "  by ssh", remote);
        free(remote);
    }
}

static void add_steadiness(const struct result *r, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    if (r->steadiness.round_s > 0) {
        report_steadiness(r, &line);
        cell_paragraph(out, "steady", line.buf);
    }
    strbuf_release(&line);
}

static bool is_restart(const struct result_mark *m)
{
    return m->kind && strcmp(m->kind, "restart") == 0;
}

/* "at 0:01:12 for 1.6 s, at 0:02:40 for 3.0 s: all sessions were lost and opened again". */
static void add_restarts(const struct result *r, struct strbuf *out)
{
    size_t n = 0;
    struct strbuf line;

    strbuf_init(&line);
    for (size_t i = 0; i < r->marks.n; i++) {
        const struct result_mark *m = &r->marks.at[i];

        if (!is_restart(m) || ++n > RESTARTS_SHOWN)
            continue;
        strbuf_addf(&line, "%sat %s", n > 1 ? ", " : "all sessions were lost ",
                    cell_moment(m->start_s).text);
        if (isfinite(m->end_s))
            strbuf_addf(&line, " for %s s", cell_fixed(m->end_s - m->start_s, 1).text);
        else
            strbuf_adds(&line, " for good");
    }
    if (n > RESTARTS_SHOWN)
        strbuf_addf(&line, " and %zu times more", n - RESTARTS_SHOWN);
    if (n > 0)
        cell_paragraph(out, "restarts", line.buf);
    strbuf_release(&line);
}

/* Changes of level; other marks are on the page. */
static void add_changes(const struct result *r, struct strbuf *out)
{
    bool labelled = false;

    for (size_t i = 0; i < r->marks.n; i++) {
        const struct result_mark *m = &r->marks.at[i];
        struct strbuf line;

        if (!m->kind || strcmp(m->kind, "change") != 0)
            continue;
        strbuf_init(&line);
        strbuf_addf(&line, "at %s: %s", cell_moment(m->start_s).text, m->text ? m->text : "-");
        if (m->bytes_written >= 0)
            strbuf_addf(&line, "; %s written before it", cell_bytes(m->bytes_written).text);
        cell_paragraph(out, labelled ? "" : "changed", line.buf);
        strbuf_release(&line);
        labelled = true;
    }
}

static void add_server_costs(const struct result *r, struct strbuf *line)
{
    const struct result_server_sample *n = &r->sample.server_sample;

    if (n->checkpoints_timed >= 0)
        strbuf_addf(line, "; checkpoints begun: %s timed, %s requested, %s whole",
                    cell_count(n->checkpoints_timed).text,
                    cell_count(n->checkpoints_requested).text,
                    cell_count(n->checkpoints_whole).text);
    if (isfinite(n->looking_percent))
        strbuf_addf(line, "; watching it took %s %% of its CPU time, with ours %s %% of a core",
                    cell_fixed(n->looking_percent, 2).text,
                    cell_fixed(n->looking_core_percent, 2).text);
}

static void add_server(const struct result *r, struct strbuf *out)
{
    const struct result_server *s = &r->sample.server;
    struct strbuf line;

    if (r->sample.server_sample.looks < 0)
        return;
    strbuf_init(&line);
    strbuf_addf(&line,
                "WAL %s ms a commit, %s commits a flush, %s KiB a transaction (at most %s %% "
                "full pages); ",
                cell_figure(s->commit_ms).text, cell_figure(s->commits_per_flush).text,
                cell_figure(s->wal_kib_per_transaction).text,
                cell_fixed(s->full_page_percent, 0).text);
    strbuf_addf(&line,
                "cache hits %s %%, %s page reads a second; CPU %s ms a transaction, %s %%; "
                "longest time without a commit %s ms",
                cell_fixed(s->cache_hit_percent, 1).text, cell_figure(s->page_reads_per_s).text,
                cell_figure(s->cpu_ms_per_transaction).text, cell_fixed(s->cpu_percent, 1).text,
                cell_figure(s->longest_silence_ms).text);
    add_server_costs(r, &line);
    cell_paragraph(out, "server", line.buf);
    strbuf_release(&line);
}

static void add_driver(const struct result *r, struct strbuf *out)
{
    const struct result_driver *d = &r->sample.driver;
    struct strbuf line;

    strbuf_init(&line);
    strbuf_addf(&line, "CPU %s %% of a core, %s us a transaction, %s MiB; ",
                cell_fixed(d->cpu_percent, 1).text, cell_fixed(d->cpu_us_per_transaction, 1).text,
                cell_fixed(d->rss_mib, 1).text);
    strbuf_addf(&line, "lateness avg %s, p99 %s, max %s ms; %s %% waited for a session",
                cell_figure(d->lateness_avg_ms).text, cell_figure(d->lateness_p99_ms).text,
                cell_figure(d->lateness_max_ms).text,
                cell_fixed(d->free_session_wait_percent, 2).text);
    cell_paragraph(out, "driver", line.buf);
    strbuf_release(&line);
}

/* How many bands held, and each that did not. */
static void add_audit(const struct result *r, struct strbuf *out)
{
    struct strbuf line;
    size_t judged = 0;
    size_t held = 0;

    for (size_t i = 0; i < r->audit.n; i++) {
        judged += r->audit.at[i].within >= 0;
        held += r->audit.at[i].within > 0;
    }
    if (judged == 0)
        return;
    strbuf_init(&line);
    strbuf_addf(&line, "%zu of %zu bands of the inputs held", held, judged);
    for (size_t i = 0; i < r->audit.n; i++) {
        const struct result_band *b = &r->audit.at[i];

        if (b->within == 0)
            strbuf_addf(&line, "; %s %s is not within %s to %s", b->name,
                        cell_fixed(b->value, 3).text, cell_fixed(b->low, 3).text,
                        cell_fixed(b->high, 3).text);
    }
    cell_paragraph(out, "audit", line.buf);
    strbuf_release(&line);
}

static void add_check_list(const char *when, const struct result_check *at, size_t n,
                           struct cell seconds, struct strbuf *line)
{
    size_t ok = 0;
    size_t ran = 0;

    for (size_t i = 0; i < n; i++) {
        ran += at[i].outcome != NULL;
        ok += at[i].outcome && strcmp(at[i].outcome, "ok") == 0;
    }
    if (ran == 0)
        strbuf_addf(line, "%s: none", when);
    else
        strbuf_addf(line, "%s: %zu of %zu ok (%s s)", when, ok, ran, seconds.text);
}

static void add_checks(const struct result *r, struct strbuf *out)
{
    const struct result_checks *c = &r->checks;
    struct strbuf line;

    strbuf_init(&line);
    add_check_list("before", c->before.at, c->before.n, cell_fixed(c->before_seconds, 1), &line);
    strbuf_adds(&line, ", ");
    add_check_list("after", c->after.at, c->after.n, cell_fixed(c->after_seconds, 1), &line);
    cell_paragraph(out, "checks", line.buf);
    strbuf_release(&line);
}

/* The order count (a lost commit shows here). */
static void add_orders(const struct result *r, struct strbuf *out)
{
    const struct result_checks *c = &r->checks;
    struct strbuf line;

    if (c->new_orders_counted < 0)
        return;
    strbuf_init(&line);
    strbuf_addf(&line, "%s new orders committed, %s in the database",
                cell_count(c->new_orders_counted).text, cell_count(c->new_orders_in_database).text);
    if (c->payments_counted >= 0)
        strbuf_addf(&line, "; payments %s, %s", cell_count(c->payments_counted).text,
                    cell_count(c->payments_in_database).text);
    if (r->run.in_doubt_committed > 0 || r->run.in_doubt_unresolved > 0)
        strbuf_addf(&line, "; of those in doubt %s had committed, %s unresolved",
                    cell_count(r->run.in_doubt_committed).text,
                    cell_count(r->run.in_doubt_unresolved).text);
    cell_paragraph(out, "orders", line.buf);
    strbuf_release(&line);
}

static void add_errors(const struct result *r, struct strbuf *out)
{
    if (r->errors.n == 0)
        cell_paragraph(out, "errors", "none");
    for (size_t i = 0; i < r->errors.n && i < ERRORS_SHOWN; i++) {
        const struct result_error *e = &r->errors.at[i];
        struct strbuf line;

        strbuf_init(&line);
        strbuf_addf(&line, "%s x %s%s%s, first at %s s: %s", cell_count(e->count).text,
                    e->class ? e->class : "?", e->sqlstate && *e->sqlstate ? " " : "",
                    e->sqlstate ? e->sqlstate : "", cell_fixed(e->first_at_s, 1).text,
                    e->text ? e->text : "");
        strbuf_addf(out, "%-*s", CELL_INDENT, i ? "" : "errors");
        cell_clip(out, line.buf, CELL_COLUMNS - CELL_INDENT, 0);
        strbuf_addc(out, '\n');
        strbuf_release(&line);
    }
    if (r->errors.n > ERRORS_SHOWN)
        strbuf_addf(out, "%*s... and %zu other errors in result.json\n", CELL_INDENT, "",
                    r->errors.n - ERRORS_SHOWN);
}

static void add_whole(const struct result *r, struct strbuf *out)
{
    add_title(r, out);
    if (result_is_sweep(r)) {
        sweep_text(r, out);
        return;
    }
    add_limit_found(r, out);
    report_verdict(r, out);
    strbuf_addc(out, '\n');
    add_tps(r, out);
    add_surroundings(r, out);
    add_latency(r, out);
    add_types(r, out);
    add_outcomes(r, out);
    add_drive(r, out);
    report_health(r, out);
    add_steadiness(r, out);
    add_changes(r, out);
    add_server(r, out);
    add_driver(r, out);
    add_audit(r, out);
    add_checks(r, out);
    add_orders(r, out);
    add_restarts(r, out);
    add_errors(r, out);
    strbuf_addf(out, "\nMethod after the reviews; derived from TPC-C, not comparable with published"
                     "\nTPC results.\n");
}

void report_text(const struct result *r, const char *result_path, struct strbuf *out)
{
    char *json = NULL;
    struct result saved;

    if (result_is_prep(r)) {
        add_title(r, out);
        report_verdict(r, out);
        report_prep(r, out);
    } else if (r->partial && !result_is_sweep(r)) {
        add_title(r, out);
        report_text_partial(r, out);
    } else {
        json = result_json_write(r);
        result_init(&saved);
        /* It fails only where the counters are wrong and nobody has judged them yet. */
        /* What was killed has no verdict there, but here. */
        add_whole(!r->partial && result_json_read(json, &saved, NULL) == 0 ? &saved : r, out);
        result_release(&saved);
        free(json);
    }
    strbuf_adds(out, "result: ");
    cell_clean(out, result_path);
    strbuf_addc(out, '\n');
}
