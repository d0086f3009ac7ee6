/*
 * The time line: a figure for each chart, drawn by page_time.js from the packed series, with what
 * it shows in words; and the table of phases, which says it without any chart.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/cell.h"
#include "report/devices.h"
#include "report/html_parts.h"
#include "report/html_text.h"
#include "report/spans.h"
#include "report/steadiness.h"
#include "result/drive_set.h"

#define RATE(m) offsetof(struct result_rates, m)
#define PHASE_SAMPLE 2 /* of result_phase_name() */

struct shown { /* what a chart's words are about */
    const struct result *r;
    int phase;     /* whose figures: the sample, or the last there was */
    int device;    /* the file system's */
    int n_devices; /* whose series are in the page */
    bool sample;   /* it is the sample, and the result has its figures */
};

static struct span span(const struct shown *c, struct span_column column)
{
    return span_of(c->r, c->phase, column);
}

static struct span rate(const struct shown *c, size_t at)
{
    return span_of(c->r, c->phase, span_rate(c->device, at));
}

/* The device's figure of the sample where there is one: it is cut exactly, rows are not. */
static double mean_rate(const struct shown *c, size_t at)
{
    const char *rates = (const char *)&c->r->sample.devices[c->device];

    if (c->sample)
        return *(const double *)(const void *)(rates + at);
    return rate(c, at).mean;
}

static void say_tps(const struct shown *c, struct strbuf *out)
{
    const struct span s = span(c, SPAN_FIGURE(tps_all));

    strbuf_addf(out, "%s a second on average; intervals of %.4g s had %s to %s",
                cell_fixed(c->sample ? c->r->sample.tps : s.mean, 1).text, span_interval_s(c->r),
                cell_fixed(s.low, 1).text, cell_fixed(s.high, 1).text);
}

static void say_response(const struct shown *c, struct strbuf *out)
{
    const struct summary *t = &c->r->sample.time[TIME_RESPONSE];
    const struct span p99 = span(c, SPAN_FIGURE(p99_ms));

    if (c->sample)
        strbuf_addf(out, "average %s, p50 %s, p95 %s, p99 %s, max %s ms; ",
                    cell_figure(t->avg).text, cell_figure(t->p50).text, cell_figure(t->p95).text,
                    cell_figure(t->p99).text, cell_figure(t->max).text);
    strbuf_addf(out, "the highest p99 of an interval was %s ms, at %s", cell_figure(p99.high).text,
                cell_moment(p99.high_at_s).text);
    if (c->sample && p99.high > t->max)
        strbuf_adds(out, " (an interval has what ended in it, also of transactions that were due "
                         "before the sample)");
}

static void say_sessions(const struct shown *c, struct strbuf *out)
{
    const struct span busy = span(c, SPAN_WHOLE(sessions_busy));
    const struct span queue = span(c, SPAN_WHOLE(queue));

    strbuf_addf(out,
                "%s of %s sessions busy on average, %s at most; at most %s users waited for one",
                cell_figure(busy.mean).text, cell_count(c->r->workload.sessions).text,
                cell_fixed(busy.high, 0).text, cell_fixed(queue.high, 0).text);
}

static void say_waits(const struct shown *c, struct strbuf *out)
{
    const struct span active = span(c, SPAN_FIGURE(server.active));
    const double *of_sample = c->r->sample.server.wait_percent;

    if (isnan(c->sample ? of_sample[WAIT_READ] : span(c, span_wait(WAIT_READ)).mean)) {
        strbuf_adds(out, "no look at the server found a session within a transaction");
        return;
    }
    strbuf_adds(out, "of the time at the server went to");
    for (int k = 0; k < WAIT_CLASSES; k++) {
        const struct span s = span(c, span_wait((enum wait_class)k));

        strbuf_addf(out, "%s %s %s %%", k ? "," : "", result_wait_words((enum wait_class)k),
                    cell_fixed(c->sample ? of_sample[k] : s.mean, 1).text);
    }
    strbuf_addf(out, "; %s sessions were within a transaction on average, %s at most",
                cell_figure(c->sample ? c->r->sample.server.active : active.mean).text,
                cell_figure(active.high).text);
}

static void say_iops(const struct shown *c, struct strbuf *out)
{
    strbuf_addf(out, "%s reads, %s writes and %s flushes a second; at most %s, %s and %s",
                cell_figure(mean_rate(c, RATE(reads_per_s))).text,
                cell_figure(mean_rate(c, RATE(writes_per_s))).text,
                cell_figure(mean_rate(c, RATE(flushes_per_s))).text,
                cell_figure(rate(c, RATE(reads_per_s)).high).text,
                cell_figure(rate(c, RATE(writes_per_s)).high).text,
                cell_figure(rate(c, RATE(flushes_per_s)).high).text);
}

static void say_mib(const struct shown *c, struct strbuf *out)
{
    strbuf_addf(out, "%s MiB/s read and %s MiB/s written; at most %s and %s",
                cell_figure(mean_rate(c, RATE(read_mib_per_s))).text,
                cell_figure(mean_rate(c, RATE(write_mib_per_s))).text,
                cell_figure(rate(c, RATE(read_mib_per_s)).high).text,
                cell_figure(rate(c, RATE(write_mib_per_s)).high).text);
}

static void say_await(const struct shown *c, struct strbuf *out)
{
    strbuf_addf(out,
                "%s ms a read, %s ms a write, %s ms a flush; in an interval at most %s, %s "
                "and %s",
                cell_figure(mean_rate(c, RATE(read_await_ms))).text,
                cell_figure(mean_rate(c, RATE(write_await_ms))).text,
                cell_figure(mean_rate(c, RATE(flush_await_ms))).text,
                cell_figure(rate(c, RATE(read_await_ms)).high).text,
                cell_figure(rate(c, RATE(write_await_ms)).high).text,
                cell_figure(rate(c, RATE(flush_await_ms)).high).text);
}

static void say_queue(const struct shown *c, struct strbuf *out)
{
    const struct span s = rate(c, RATE(queue));

    strbuf_addf(out, "%s requests on average; in an interval at most %s, at %s",
                cell_figure(mean_rate(c, RATE(queue))).text, cell_figure(s.high).text,
                cell_moment(s.high_at_s).text);
}

static void say_temperature(const struct shown *c, struct strbuf *out)
{
    const struct span s = span(c, SPAN_FIGURE(temperature_c));

    strbuf_addf(out, "the hottest drive had %s to %s degrees C, the most first at %s",
                cell_fixed(s.low, 0).text, cell_fixed(s.high, 0).text,
                cell_moment(s.high_at_s).text);
}

#define WAITS_CHART "waits"
#define TEMPERATURE_CHART "temperature"

static const struct chart {
    struct html_chart frame;
    bool device;
    void (*say)(const struct shown *c, struct strbuf *out);
} charts[] = {
    {{"tps", "Transactions", "transactions a second", NULL}, false, say_tps},
    {{"latency", "Response", "response, ms, logarithmic", NULL}, false, say_response},
    {{"sessions", "Sessions and queue", "number", NULL}, false, say_sessions},
    {{WAITS_CHART, "Where a transaction's time goes", "% of the time at the server", NULL},
     false,
     say_waits},
    {{"iops", "Drive: requests", "requests a second", NULL}, true, say_iops},
    {{"mib", "Drive: throughput", "MiB a second", NULL}, true, say_mib},
    {{"await", "Drive: time a request takes", "await, ms", NULL}, true, say_await},
    {{"depth", "Drive: queue depth", "mean requests in flight", NULL}, true, say_queue},
    {{TEMPERATURE_CHART, "Temperature", "degrees C", NULL}, false, say_temperature},
};

static void add_sentence(const struct chart *chart, const struct shown *c, struct strbuf *out)
{
    if (c->phase < 0) {
        strbuf_adds(out, "No interval had ended.</p>\n");
        return;
    }
    strbuf_addf(out, "In the %s ", result_phase_name(c->phase));
    if (chart->device) {
        html_text(out, c->r->drive.devices.at[c->device].name);
        strbuf_adds(out, " had ");
    }
    chart->say(c, out);
    strbuf_adds(out, ".</p>\n");
}

/* Of each device one; that of the file system's shows until another is chosen. */
static void add_words(const struct chart *chart, const struct shown *c, struct strbuf *out)
{
    struct shown other = *c;

    if (!chart->device) {
        strbuf_adds(out, "<p class=\"says\">");
        add_sentence(chart, c, out);
        return;
    }
    for (other.device = 0; other.device < c->n_devices; other.device++) {
        strbuf_addf(out, "<p class=\"says\" data-device=\"%d\"%s>", other.device,
                    other.device == c->device ? "" : " hidden");
        add_sentence(chart, &other, out);
    }
}

static void add_chart(const struct chart *chart, const struct shown *c, struct strbuf *out)
{
    html_chart_begin(&chart->frame, out);
    add_words(chart, c, out);
    html_chart_end(&chart->frame, out);
}

static void add_controls(const struct shown *c, struct strbuf *out)
{
    strbuf_adds(out, "<div class=\"controls\">\n<button type=\"button\" data-show=\"all\">Whole run"
                     "</button>\n<button type=\"button\" data-show=\"sample\">Sample</button>\n"
                     "<button type=\"button\" data-show=\"in\">Zoom in</button>\n"
                     "<button type=\"button\" data-show=\"out\">Zoom out</button>\n");
    if (c->n_devices > 1) {
        strbuf_adds(out, "<label>Device <select id=\"device\">\n");
        for (int d = 0; d < c->n_devices; d++) {
            strbuf_addf(out, "<option value=\"%d\"%s>", d, d == c->device ? " selected" : "");
            html_text(out, c->r->drive.devices.at[d].name);
            strbuf_adds(out, " (");
            html_text(out, c->r->drive.devices.at[d].role);
            strbuf_adds(out, ")</option>\n");
        }
        strbuf_adds(out, "</select></label>\n");
    }
    strbuf_adds(out, "<output id=\"cursor\"></output>\n</div>\n");
}

/* Of all its devices together: rates that add up. */
static double mean_of_drive(const struct shown *c, size_t at)
{
    const struct drive_set drive = drive_set_of(c->r, c->r->series.n_devices);
    double sum = 0;

    for (int i = 0; i < drive.n; i++)
        sum += span_of(c->r, c->phase, span_rate(drive.at[i], at)).mean;
    return sum;
}

static void add_phase(struct html_table *t, const struct shown *all, int phase)
{
    const struct shown c = {.r = all->r, .phase = phase, .device = all->device};
    const size_t of_drive[] = {RATE(reads_per_s),    RATE(writes_per_s),    RATE(flushes_per_s),
                               RATE(read_mib_per_s), RATE(write_mib_per_s), RATE(queue)};
    const struct span tps = span(&c, SPAN_FIGURE(tps_all));
    const bool drive = c.r->series.n_devices > 0;

    html_cell(t, result_phase_name(phase));
    html_cell(t, cell_count((int64_t)tps.n).text);
    html_cell(t, cell_fixed(tps.mean, 1).text);
    html_cell(t, cell_figure(span(&c, SPAN_FIGURE(avg_ms)).mean).text);
    html_cell(t, cell_figure(span(&c, SPAN_FIGURE(p99_ms)).high).text);
    html_cell(t, cell_figure(span(&c, SPAN_FIGURE(max_ms)).high).text);
    html_cell(t, cell_figure(span(&c, SPAN_WHOLE(sessions_busy)).mean).text);
    html_cell(t, cell_fixed(span(&c, SPAN_WHOLE(queue)).high, 0).text);
    if (!drive)
        return;
    for (size_t k = 0; k < ARRAY_LEN(of_drive); k++)
        html_cell(t, cell_figure(mean_of_drive(&c, of_drive[k])).text);
}

static void add_phases(const struct shown *c, struct strbuf *out)
{
    const struct result *r = c->r;
    static const struct html_column columns[] = {
        {.head = "phase"},       {.head = "intervals"}, {.head = "TPS"},  {.head = "avg, ms"},
        {.head = "p99, ms"},     {.head = "max, ms"},   {.head = "busy"}, {.head = "queue"},
        {.head = "r/s"},         {.head = "w/s"},       {.head = "f/s"},  {.head = "read MiB/s"},
        {.head = "write MiB/s"}, {.head = "depth"},
    };
    const size_t n = ARRAY_LEN(columns) - (r->series.n_devices > 0 ? 0 : 6);
    struct html_table t;

    html_table_begin(&t, out, "The phases in figures", columns, n);
    for (int phase = 0; phase < RESULT_PHASES; phase++) {
        if (span_of(r, phase, SPAN_FIGURE(tps_all)).n > 0)
            add_phase(&t, c, phase);
    }
    html_table_end(&t);
    strbuf_adds(out, "<p class=\"note\">Means over the phase's intervals; p99, max and queue: the "
                     "highest of an interval. The sample's own figures, above and below, are of "
                     "all its transactions.");
    if (r->series.n_devices > 0) {
        char *names = devices_words(r, devices_name);

        strbuf_adds(out, " The drive is ");
        html_text(out, names);
        strbuf_addc(out, '.');
        free(names);
    }
    strbuf_adds(out, "</p>\n");
}

static bool has_restart(const struct result *r)
{
    for (size_t i = 0; i < r->marks.n; i++) {
        if (r->marks.at[i].kind && strcmp(r->marks.at[i].kind, "restart") == 0)
            return true;
    }
    return false;
}

static void add_note(const struct result *r, struct strbuf *out)
{
    strbuf_adds(
        out, "<p class=\"note\">One time axis, one cursor, one zoom: drag across a chart to zoom "
             "in, double-click to see the whole run, click a name to hide its line. Ramp, "
             "precondition and drain are shaded, the sample is not. Where there are more intervals "
             "than pixels, a line is their mean (of max: the highest) and the band around it their "
             "range. A gap is an interval without a figure. <span class=\"mark\" "
             "aria-hidden=\"true\">&#9650;</span> marks intervals "
             "with errors, a number the first error of a kind in the <a href=\"#errors\">list"
             "</a>. Upright lines are changes of level and what a drive's health log tells "
             "(dashed), and checkpoints; a bar at the foot is as long as one, or a vacuum, took.");
    if (has_restart(r))
        strbuf_adds(out, " A band that begins with a line, and above all charts with an <b "
                         "class=\"mark\">R</b>, is a time in which all sessions were lost: the "
                         "server, or the way to it, went down and came back.");
    strbuf_adds(out,
                "</p>\n<noscript><p class=\"note\">The "
                "charts need JavaScript; the words and "
                "tables beside them say the same.</p></noscript>\n<p id=\"trouble\" hidden></p>\n");
}

static bool has_any(const struct result *r, struct span_column column)
{
    for (int phase = 0; phase < RESULT_PHASES; phase++) {
        if (span_of(r, phase, column).n > 0)
            return true;
    }
    return false;
}

/* A run without counters, whose server was not watched, or whose drives do not tell their
 * temperature has no such charts. */
static bool is_there(const struct chart *chart, const struct result *r, int n_devices)
{
    if (strcmp(chart->frame.id, WAITS_CHART) == 0)
        return has_any(r, SPAN_FIGURE(server.active));
    if (strcmp(chart->frame.id, TEMPERATURE_CHART) == 0)
        return has_any(r, SPAN_FIGURE(temperature_c));
    return !chart->device || n_devices > 0;
}

void html_charts(const struct result *r, int n_devices, struct strbuf *out)
{
    struct shown c = {.r = r, .phase = span_last_phase(r), .n_devices = n_devices};

    c.device = device_of_filesystem(r);
    if (c.device < 0 || c.device >= n_devices)
        c.device = 0;
    c.sample = !r->partial && c.phase == PHASE_SAMPLE;
    html_section(out, "time", "Time line");
    if (r->series.n_rows == 0) {
        html_paragraph(out, NULL, "There is no series: no interval had ended.");
        html_section_end(out);
        return;
    }
    add_note(r, out);
    if (n_devices < r->series.n_devices)
        strbuf_addf(out,
                    "<p class=\"note\">The series of %d of %d devices are in this page; those of "
                    "all are in series.csv.</p>\n",
                    n_devices, r->series.n_devices);
    add_controls(&c, out);
    for (size_t i = 0; i < ARRAY_LEN(charts); i++) {
        if (is_there(&charts[i], r, n_devices))
            add_chart(&charts[i], &c, out);
    }
    html_marks(r, out);
    html_steadiness(r, out);
    add_phases(&c, out);
    html_section_end(out);
}
