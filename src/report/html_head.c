/*
 * The head of a page: what a reader wants to know in five seconds. May I trust it, how fast, how
 * late, what did the drive do; and on what.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/cell.h"
#include "report/deferred.h"
#include "report/devices.h"
#include "report/html_parts.h"
#include "report/html_text.h"
#include "report/memory_words.h"
#include "report/prep.h"
#include "result/limit.h"
#include "result/verdict.h"

#define PACE_BOUND_PERCENT 98.0

/* "2026-11-30T13:45:01Z": as the program writes times. */
static bool is_time(const char *text)
{
    static const char form[] = "dddd-dd-ddTdd:dd:ddZ";

    if (!text || strlen(text) != strlen(form))
        return false;
    for (size_t i = 0; form[i]; i++) {
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    }
    return true;
}

/* "2026-11-30 13:45:01 to 13:51:22 UTC". */
static void add_time(const char *from, const char *to, struct strbuf *out)
{
    if (!is_time(from)) {
        html_text(out, from);
        return;
    }
    strbuf_addf(out, "%.10s %.8s", from, from + 11);
    if (to && is_time(to) && strncmp(from, to, 10) == 0)
        strbuf_addf(out, " to %.8s", to + 11);
    else if (to && is_time(to))
        strbuf_addf(out, " to %.10s %.8s", to, to + 11);
    strbuf_adds(out, " UTC");
}

void html_title(const struct result *r, struct strbuf *out)
{
    strbuf_adds(out, "<header>\n<p class=\"kicker\">tpcc-run ");
    html_text(out, r->version);
    strbuf_adds(out, " &middot; OLTP storage test</p>\n<h1>");
    html_text(out, r->label && *r->label ? r->label : r->drive.path ? r->drive.path : "A run");
    strbuf_adds(out, "</h1>\n<p class=\"when\"><time>");
    add_time(r->started, NULL, out);
    strbuf_adds(out, "</time> on ");
    html_text(out, r->host.name);
    strbuf_adds(out, "</p>\n</header>\n\n");
}

/* A sign beside the word, so that no colour is needed. */
static const char *sign(enum verdict_status status)
{
    switch (status) {
    case VERDICT_VALID:
        return "&#10003;";
    case VERDICT_QUESTIONABLE:
        return "?";
    case VERDICT_INVALID:
        return "&#10005;";
    }
    UNREACHABLE();
}

static void add_reason(const struct verdict_reason *reason, struct strbuf *out)
{
    strbuf_adds(out, "<li><b>");
    html_text(out, reason->code);
    strbuf_adds(out, "</b> <span>");
    html_text(out, reason->text);
    if (reason->advice) {
        strbuf_adds(out, ". <span class=\"advice\">What to do: ");
        html_advice(out, reason->advice);
        strbuf_adds(out, ".</span>");
    }
    strbuf_adds(out, "</span></li>\n");
}

void html_verdict(const struct result *r, struct strbuf *out)
{
    const char *name = verdict_name(r->verdict.status);

    strbuf_addf(out,
                "<section id=\"verdict\" class=\"verdict %s\">\n<p class=\"status\"><span "
                "class=\"sign\" aria-hidden=\"true\">%s</span> %s</p>\n",
                name, sign(r->verdict.status), name);
    if (r->verdict.reasons.n == 0) {
        html_paragraph(out, NULL, "Nothing was found that spoils these figures.");
    } else {
        strbuf_adds(out, "<ul>\n");
        for (size_t i = 0; i < r->verdict.reasons.n; i++)
            add_reason(&r->verdict.reasons.at[i], out);
        strbuf_adds(out, "</ul>\n");
    }
    html_section_end(out);
}

static void add_limit(const struct result *r, struct strbuf *out)
{
    const struct limit_finding f = limit_find(r);

    if (f.limit == LIMIT_UNKNOWN)
        return;
    strbuf_addf(out, "<p id=\"limited\" class=\"limited\">What limited this run: <b>%s</b>: ",
                limit_name(f.limit));
    html_text(out, f.evidence);
    strbuf_adds(out, ".</p>\n\n");
}

static void add_tps(const struct result *r, struct strbuf *out)
{
    const struct result_sample *s = &r->sample;
    const double percent = s->tps_percent_of_ceiling;

    strbuf_addf(
        out,
        "<div class=\"figure\">\n<h2>Transactions a second (TPS)</h2>\n<p class=\"big\">%s</p>\n",
        cell_fixed(s->tps, 1).text);
    if (isfinite(percent)) {
        strbuf_addf(out,
                    "<div class=\"meter\" aria-hidden=\"true\"><i style=\"width:%.1f%%\"></i></div>"
                    "\n<p>%.1f %% of the ceiling %s that the pace allows.",
                    fmax(0, fmin(percent, 100)), percent,
                    cell_fixed(r->workload.ceiling_tps, 1).text);
        if (percent >= PACE_BOUND_PERCENT)
            strbuf_adds(out, " TPS is bound by the pace: compare latency.");
        strbuf_adds(out, "</p>\n");
    } else {
        html_paragraph(out, NULL, "No pace: as many as there can be.");
    }
    strbuf_addf(out,
                "<p class=\"minor\">%s transactions in %s s; %s new orders a minute</p>\n</div>\n",
                cell_count(s->transactions).text, cell_fixed(s->seconds, 1).text,
                isfinite(s->nopm) ? cell_count(llround(fmax(s->nopm, 0))).text : "-");
}

static void add_figure(const char *name, double ms, struct strbuf *out)
{
    strbuf_addf(out, "<div><dt>%s</dt><dd>%s</dd></div>\n", name, cell_figure(ms).text);
}

static void add_response(const struct result *r, struct strbuf *out)
{
    const struct summary *t = r->sample.time;
    const bool narrow = t[TIME_RESPONSE].max >= 9999.5; /* five figures need smaller ones */

    strbuf_addf(out, "<div class=\"figure\">\n<h2>Response, ms</h2>\n<dl class=\"row%s\">\n",
                narrow ? " long" : "");
    add_figure("average", t[TIME_RESPONSE].avg, out);
    add_figure("p95", t[TIME_RESPONSE].p95, out);
    add_figure("p99", t[TIME_RESPONSE].p99, out);
    add_figure("max", t[TIME_RESPONSE].max, out);
    strbuf_adds(out, "</dl>\n");
    if (isfinite(t[TIME_QUEUE].avg))
        strbuf_addf(out,
                    "<p>On average %s ms waiting for a session and %s ms at the server%s.</p>\n",
                    cell_figure(t[TIME_QUEUE].avg).text, cell_figure(t[TIME_SERVICE].avg).text,
                    deferred_has(r) ? ", but for Deliveries, which end when they are queued" : "");
    strbuf_addf(out,
                "<p class=\"minor\">median %s, p99.9 %s; every transaction due in the sample, "
                "followed to its end</p>\n</div>\n",
                cell_figure(t[TIME_RESPONSE].p50).text, cell_figure(t[TIME_RESPONSE].p999).text);
}

static void add_drive_row(const char *what, double per_s, double mib_per_s, double await_ms,
                          struct strbuf *out)
{
    strbuf_addf(out, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td><td>%s</td></tr>\n", what,
                cell_figure(per_s).text, cell_figure(mib_per_s).text, cell_figure(await_ms).text);
}

static void add_drive(const struct result *r, struct strbuf *out)
{
    const struct result_rates d = devices_drive_rates(r);
    char *names = devices_words(r, devices_name);

    strbuf_adds(out, "<div class=\"figure\">\n<h2>Drive");
    if (names) {
        strbuf_addc(out, ' ');
        html_text(out, names);
    }
    free(names);
    strbuf_adds(out, "</h2>\n");
    if (r->drive.devices.n == 0) {
        strbuf_adds(out, "<p>No counters: ");
        html_text(out, r->drive.why_none ? r->drive.why_none : "no device");
        strbuf_adds(out, ".</p>\n</div>\n");
        return;
    }
    strbuf_adds(out, "<table class=\"small\"><thead><tr><td></td><th scope=\"col\">a second</th>"
                     "<th scope=\"col\">MiB/s</th><th scope=\"col\">await, ms</th></tr></thead>"
                     "<tbody>\n");
    add_drive_row("reads", d.reads_per_s, d.read_mib_per_s, d.read_await_ms, out);
    add_drive_row("writes", d.writes_per_s, d.write_mib_per_s, d.write_await_ms, out);
    add_drive_row("flushes", d.flushes_per_s, RESULT_NONE, d.flush_await_ms, out);
    strbuf_addf(out, "</tbody></table>\n<p class=\"minor\">mean queue depth %s",
                cell_figure(d.queue).text);
    if (r->run.bytes_written >= 0)
        strbuf_addf(out, "; the run wrote %s", cell_bytes(r->run.bytes_written).text);
    strbuf_adds(out, "</p>\n</div>\n");
}

/* "<div><dt>name</dt><dd>", to be ended with end_fact(). */
static void begin_fact(const char *name, struct strbuf *out)
{
    strbuf_addf(out, "<div><dt>%s</dt><dd>", name);
}

static void end_fact(struct strbuf *out)
{
    strbuf_adds(out, "</dd></div>\n");
}

void html_fact(struct strbuf *out, const char *name, const char *text)
{
    begin_fact(name, out);
    html_text(out, text);
    end_fact(out);
}

void html_fact_prepared(const struct result *r, struct strbuf *out)
{
    struct strbuf words;

    if (!r->drive.prep.id)
        return;
    strbuf_init(&words);
    prep_words(&r->drive.prep, &words);
    html_fact(out, "Prepared", words.buf);
    strbuf_release(&words);
}

void html_fact_host(const struct result *r, struct strbuf *out)
{
    begin_fact("Host", out);
    html_text(out, r->host.cpu_model);
    strbuf_addf(out, ", %s CPUs, %s", cell_count(r->host.cpus).text,
                cell_bytes(r->host.memory_bytes).text);
    end_fact(out);
}

void html_fact_date(const struct result *r, struct strbuf *out)
{
    begin_fact("Date", out);
    add_time(r->started, r->ended, out);
    end_fact(out);
}

static void add_fact_drive(const struct result *r, struct strbuf *out)
{
    const int first = device_of_filesystem(r);
    const struct result_device *d = first < 0 ? NULL : &r->drive.devices.at[first];
    char *what = devices_words(r, devices_model);
    char *names = devices_words(r, devices_name);

    begin_fact("Drive", out);
    /* A partition or a mapping has no model: that of the first leaf tells. */
    for (size_t i = 0; d && !what && i < r->drive.devices.n; i++) {
        if (r->drive.devices.at[i].model) {
            d = &r->drive.devices.at[i];
            what = xstrdup(d->model);
        }
    }
    if (what || (names && r->drive.path)) {
        html_text(out, what ? what : names);
        strbuf_adds(out, ", ");
    }
    if (d && d->size_bytes >= 0 && devices_of_drive(r) == 1)
        strbuf_addf(out, "%s, ", cell_bytes(d->size_bytes).text);
    html_text(out, r->drive.path ? r->drive.path : names);
    free(what);
    free(names);
    if (r->drive.filesystem) {
        strbuf_adds(out, " (");
        html_text(out, r->drive.filesystem);
        strbuf_addf(out, ", %s %% used)", cell_fixed(r->drive.used_percent, 1).text);
    }
    end_fact(out);
    html_fact_prepared(r, out);
}

static void add_facts(const struct result *r, struct strbuf *out)
{
    const struct result_database *db = &r->database;
    struct strbuf memory;

    strbuf_adds(out, "<dl class=\"facts\">\n");
    add_fact_drive(r, out);
    begin_fact("Database", out);
    html_text(out, db->kind);
    strbuf_addc(out, ' ');
    html_text(out, db->version);
    end_fact(out);
    begin_fact("Memory", out);
    strbuf_init(&memory);
    memory_words(r, &memory);
    html_text(out, memory.buf);
    strbuf_release(&memory);
    end_fact(out);
    begin_fact("Users", out);
    strbuf_addf(out, "%s on %s sessions, workload ", cell_count(r->workload.users).text,
                cell_count(r->workload.sessions).text);
    html_text(out, r->workload.name);
    end_fact(out);
    begin_fact("Warehouses", out);
    strbuf_addf(out, "%s, %s before and %s after", cell_count(r->dataset.warehouses).text,
                cell_bytes(r->dataset.bytes_before).text, cell_bytes(r->dataset.bytes_after).text);
    end_fact(out);
    html_fact_host(r, out);
    html_fact_date(r, out);
    strbuf_adds(out, "</dl>\n\n");
}

static void add_contents(struct strbuf *out)
{
    strbuf_adds(out, "<nav aria-label=\"Contents\">\n<a href=\"#time\">Time line</a>\n"
                     "<a href=\"#response\">Response</a>\n<a href=\"#io\">Drive and I/O</a>\n"
                     "<a href=\"#server\">Server</a>\n"
                     "<a href=\"#proof\">Audit, checks, errors</a>\n"
                     "<a href=\"#setup\">Settings</a>\n<a href=\"#data\">Raw data</a>\n</nav>\n\n");
}

void html_head(const struct result *r, struct strbuf *out)
{
    html_title(r, out);
    add_limit(r, out);
    html_verdict(r, out);
    if (!r->partial) {
        strbuf_adds(out, "<section id=\"figures\" class=\"figures\" aria-label=\"Figures of the "
                         "sample\">\n");
        add_tps(r, out);
        add_response(r, out);
        add_drive(r, out);
        html_section_end(out);
    }
    add_facts(r, out);
    add_contents(out);
}
