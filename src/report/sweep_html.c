/*
 * See the header. A chart for each profile, drives overlaid; the figures are in tables beside them.
 */
#include "report/sweep_html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/cell.h"
#include "report/health.h"
#include "report/html_frame.h"
#include "report/html_parts.h"
#include "report/html_text.h"
#include "report/sweep_chart.h"
#include "report/sweep_compare.h"
#include "report/sweep_csv.h"
#include "report/sweep_text.h"
#include "result/result_json.h"

#define ABOUT                                                                                      \
    "Method after the reviews, not comparable with their figures. Latency is from submission to "  \
    "completion of an I/O; beyond saturation it is what may be under way by the rate."

#define ROWS_MAX 400

static struct cell whole(double value)
{
    return cell_count(isfinite(value) ? (int64_t)llround(value) : -1);
}

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_profile(const struct sweep_profile *a, const struct sweep_profile *b)
{
    return same(a->workload, b->workload) && same(a->name, b->name);
}

/* ---- the table of peaks ---- */

const struct sweep_profile *sweep_profile_like(const struct result *r,
                                               const struct sweep_profile *p)
{
    for (size_t i = 0; result_is_sweep(r) && i < r->sweep.profiles.n; i++) {
        if (same_profile(&r->sweep.profiles.at[i], p))
            return &r->sweep.profiles.at[i];
    }
    return NULL;
}

static void list_once(const struct sweep_profile *p, sweep_profile_list *out)
{
    for (size_t i = 0; i < out->n; i++) {
        if (same_profile(out->at[i], p))
            return;
    }
    VEC_PUSH(out, p);
}

void sweep_list_profiles(const struct sweep_named *all, size_t n, sweep_profile_list *out)
{
    for (size_t i = 0; i < n; i++) {
        const struct result_sweep *s = &all[i].r->sweep;

        for (size_t k = 0; result_is_sweep(all[i].r) && k < s->profiles.n; k++)
            list_once(&s->profiles.at[k], out);
    }
}

static void add_peak_cells(struct html_table *t, const struct sweep_profile *p)
{
    html_cell(t, cell_figure(p->peak_mib_per_s).text);
    html_cell(t, whole(p->iops_at_95_percent).text);
    html_cell(t, cell_figure(p->latency_us_at_95_percent).text);
    html_cell(t, whole(p->iops_below_1_ms).text);
}

static void add_peaks(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "profile"},      {.head = "peak IOPS"},         {.head = "MiB/s"},
        {.head = "IOPS at 95 %"}, {.head = "latency there, us"}, {.head = "IOPS below 1 ms"},
    };
    struct html_table t;

    html_table_begin(&t, out, "Peaks, the point of 95 % of the peak, and what goes below 1 ms",
                     columns, ARRAY_LEN(columns));
    for (size_t i = 0; i < r->sweep.profiles.n; i++) {
        const struct sweep_profile *p = &r->sweep.profiles.at[i];

        html_cell(&t, p->name);
        html_cell(&t, whole(p->peak_iops).text);
        add_peak_cells(&t, p);
    }
    html_table_end(&t);
}

/* As the reviews print them: profile by profile, the best drive first. */
static void add_ranking(const struct sweep_named *all, size_t n, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "profile"},
        {.head = "drive", .text = true},
        {.head = "peak IOPS"},
        {.head = "beside the best"},
        {.head = "MiB/s"},
        {.head = "IOPS at 95 %"},
        {.head = "latency there, us"},
        {.head = "IOPS below 1 ms"},
    };
    struct sweep_row *row = xcalloc(ROWS_MAX, sizeof(*row));
    const size_t rows = sweep_rows(all, n, row, ROWS_MAX);
    struct html_table t;

    html_table_begin(&t, out,
                     "Peaks, the best drive of each profile first; the point of 95 % of the peak, "
                     "and what goes below 1 ms",
                     columns, ARRAY_LEN(columns));
    for (size_t i = 0; i < rows; i++) {
        html_cell(&t, row[i].profile->name);
        html_cell(&t, row[i].name);
        html_cell(&t, whole(row[i].profile->peak_iops).text);
        html_cell(&t, sweep_row_less(&row[i]).text);
        add_peak_cells(&t, row[i].profile);
    }
    html_table_end(&t);
    free(row);
}

/* ---- curves ---- */

static struct sweep_line run_point(const struct sweep_named *run)
{
    const struct sweep_run_io io = sweep_run_io(run->r);

    return (struct sweep_line){.name = run->name, .iops = io.iops, .latency_us = io.latency_us};
}

static void say_profile(const struct sweep_profile *p, struct strbuf *out)
{
    strbuf_addf(out, "%s, %s under way at most", p->mix ? p->mix : "?",
                cell_count(p->outstanding).text);
    sweep_say_chance(p, out);
    strbuf_addc(out, '.');
    if (p->modelled)
        strbuf_addf(out, " Modelled after %s.", p->sources ? p->sources : "figures");
    if (same(p->workload, "oltp-blocks"))
        strbuf_adds(out, " The mix of a database run.");
}

/* Of a run that is not on the curve, why. */
static void say_run_left_out(const struct sweep_named *run, struct strbuf *out)
{
    const struct sweep_run_io io = sweep_run_io(run->r);

    if (!(io.iops > 0))
        return;
    strbuf_addf(out,
                " The I/O of %s is not drawn: it is of another mix, %s %% reads and %s KiB "
                "on average.",
                run->name, cell_fixed(io.read_percent, 0).text, cell_figure(io.kib).text);
}

static void add_chart(const struct sweep_named *all, size_t n, const struct sweep_profile *like,
                      struct strbuf *out)
{
    struct sweep_line line[SWEEP_LINES_MAX];
    struct sweep_chart chart = {.title = like->name, .line = line};
    struct strbuf says;
    bool any_run = false;

    strbuf_init(&says);
    say_profile(like, &says);
    for (size_t i = 0; i < n && chart.n < SWEEP_LINES_MAX; i++) {
        const struct sweep_profile *p = sweep_profile_like(all[i].r, like);

        if (p) {
            line[chart.n++] = (struct sweep_line){.name = all[i].name, .profile = p};
        } else if (result_is_oltp(all[i].r) && sweep_run_fits(all[i].r, like)) {
            line[chart.n++] = run_point(&all[i]);
            any_run = true;
        } else if (result_is_oltp(all[i].r)) {
            say_run_left_out(&all[i], &says);
        }
    }
    if (any_run)
        strbuf_adds(&says, " A diamond is a database run's own I/O on its drive.");
    chart.says = says.buf;
    sweep_chart(&chart, out);
    strbuf_release(&says);
}

static void add_charts(const struct sweep_named *all, size_t n, const sweep_profile_list *profiles,
                       struct strbuf *out)
{
    html_section(out, "curves", "Latency over IOPS");
    strbuf_adds(
        out,
        "<p class=\"note\">Each dot is a rate that was held: 10 to 120&nbsp;% of the maximum, "
        "and the maximum. A ring marks 95&nbsp;% of the peak, a dashed line 1 ms; a hollow dot "
        "is not the rate that was asked for. Beyond saturation latency is what may be under "
        "way by the rate.</p>\n");
    for (size_t i = 0; i < profiles->n; i++)
        add_chart(all, n, profiles->at[i], out);
    html_section_end(out);
}

void sweep_html_sections(const struct sweep_named *all, size_t n, struct strbuf *out)
{
    sweep_profile_list profiles = {0};

    sweep_list_profiles(all, n, &profiles);
    html_section(out, "peaks", "Block tests");
    if (n > 1)
        add_ranking(all, n, out);
    else
        add_peaks(all[0].r, out);
    html_section_end(out);
    add_charts(all, n, &profiles, out);
    VEC_RELEASE(&profiles);
}

/* ---- one result ---- */

static void add_points(const struct sweep_profile *p, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "asked"}, {.head = "IOPS"},      {.head = "achieved"},
        {.head = "MiB/s"}, {.head = "avg, us"},   {.head = "p50"},
        {.head = "p95"},   {.head = "p99"},       {.head = "p99.9"},
        {.head = "max"},   {.head = "under way"}, {.head = "state", .text = true},
    };
    struct strbuf caption;
    struct html_table t;

    strbuf_init(&caption);
    html_text(&caption, p->name);
    html_table_begin(&t, out, caption.buf, columns, ARRAY_LEN(columns));
    strbuf_release(&caption);
    for (size_t i = 0; i < p->points.n; i++) {
        const struct sweep_point *point = &p->points.at[i];
        const struct summary *s = &point->latency_us;
        const double figures[] = {
            s->avg, s->p50, s->p95, s->p99, s->p999, s->max, point->outstanding};

        html_cell(&t, sweep_say_asked(point).text);
        html_cell(&t, whole(point->asked_iops).text);
        html_cell(&t, whole(point->iops).text);
        html_cell(&t, cell_figure(point->mib_per_s).text);
        for (size_t k = 0; k < ARRAY_LEN(figures); k++)
            html_cell(&t, cell_figure(figures[k]).text);
        html_cell(&t, sweep_say_state(point));
    }
    html_table_end(&t);
}

/* What the devices said of the same seconds. */
static void add_counters(const struct result *r, const struct sweep_profile *p, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "asked"},          {.head = "device", .text = true}, {.head = "reads/s"},
        {.head = "writes/s"},       {.head = "read MiB/s"},           {.head = "write MiB/s"},
        {.head = "read await, ms"}, {.head = "write await, ms"},      {.head = "queue"},
    };
    struct strbuf caption;
    struct html_table t;

    strbuf_init(&caption);
    html_text(&caption, p->name);
    strbuf_adds(&caption, ": the devices' own counters in the same seconds");
    html_table_begin(&t, out, caption.buf, columns, ARRAY_LEN(columns));
    strbuf_release(&caption);
    for (size_t i = 0; i < p->points.n; i++) {
        for (size_t d = 0; d < p->points.at[i].n_devices; d++) {
            const struct result_rates *rates = &p->points.at[i].devices[d];
            const double figures[] = {rates->reads_per_s,    rates->writes_per_s,
                                      rates->read_mib_per_s, rates->write_mib_per_s,
                                      rates->read_await_ms,  rates->write_await_ms,
                                      rates->queue};

            html_cell(&t, sweep_say_asked(&p->points.at[i]).text);
            html_cell(&t, r->drive.devices.at[d].name);
            for (size_t k = 0; k < ARRAY_LEN(figures); k++)
                html_cell(&t, cell_figure(figures[k]).text);
        }
    }
    html_table_end(&t);
}

static void add_all_points(const struct result *r, struct strbuf *out)
{
    html_section(out, "points", "Points");
    for (size_t i = 0; i < r->sweep.profiles.n; i++)
        add_points(&r->sweep.profiles.at[i], out);
    html_section_end(out);
    if (r->drive.devices.n == 0)
        return;
    html_section(out, "io", "Device counters");
    for (size_t i = 0; i < r->sweep.profiles.n; i++)
        add_counters(r, &r->sweep.profiles.at[i], out);
    html_section_end(out);
}

static void add_facts(const struct result *r, struct strbuf *out)
{
    struct strbuf text;

    strbuf_init(&text);
    strbuf_adds(out, "<dl class=\"facts\">\n");
    sweep_say_method(r, &text);
    html_fact(out, "Method", text.buf);
    for (size_t i = 0; i < r->drive.devices.n; i++) {
        const struct result_device *d = &r->drive.devices.at[i];

        strbuf_reset(&text);
        strbuf_addf(&text, "%s: %s, %s, firmware %s", d->name,
                    d->model ? d->model : "no model told", cell_bytes(d->size_bytes).text,
                    d->firmware ? d->firmware : "not told");
        html_fact(out, "Drive", text.buf);
    }
    if (r->drive.why_none)
        html_fact(out, "Drive", r->drive.why_none);
    html_fact_prepared(r, out);
    html_fact_host(r, out);
    html_fact(out, "Command", r->command);
    html_fact_date(r, out);
    strbuf_adds(out, "</dl>\n\n");
    strbuf_release(&text);
}

/* A text of several lines as it stands. */
static void add_lines(const char *text, struct strbuf *out)
{
    strbuf_adds(out, "<pre>");
    while (*text) {
        char *line = xstrndup(text, strcspn(text, "\n"));

        html_text(out, line);
        strbuf_addc(out, '\n');
        text += strlen(line);
        text += *text == '\n';
        free(line);
    }
    strbuf_adds(out, "</pre>\n");
}

static void add_files(const struct result *r, const char *plan_yaml, struct strbuf *out)
{
    char *json = result_json_write(r);
    struct strbuf csv;

    strbuf_init(&csv);
    html_section(out, "setup", "Settings");
    add_lines(plan_yaml ? plan_yaml : "plan.yaml is not there", out);
    html_section_end(out);
    html_section(out, "data", "Raw data");
    strbuf_adds(out, "<p class=\"controls\">\n<button type=\"button\" data-save=\"points.csv\">"
                     "Points, CSV</button>\n<button type=\"button\" data-save=\"result.json\">"
                     "Result, JSON</button>\n</p>\n");
    sweep_points_csv(r, &csv);
    html_packed("packed-csv", csv.buf, out);
    html_packed("packed-json", json, out);
    html_section_end(out);
    strbuf_release(&csv);
    free(json);
}

void sweep_html(const struct result *r, const char *plan_yaml, struct strbuf *out)
{
    const struct sweep_named one = {.r = r,
                                    .name = r->label && *r->label ? r->label
                                            : r->drive.path       ? r->drive.path
                                                                  : "drive"};
    struct strbuf title;

    strbuf_init(&title);
    strbuf_addf(&title, "%s: %s", one.name, r->started ? r->started : "-");
    html_page_begin(title.buf, out);
    strbuf_release(&title);
    html_title(r, out);
    html_verdict(r, out);
    add_facts(r, out);
    sweep_html_sections(&one, 1, out);
    add_all_points(r, out);
    html_health(r, out);
    add_files(r, plan_yaml, out);
    html_page_end_saying(ABOUT, out);
}

/* Of a run of the database test what its own report begins with. */
static void say_run(const struct result *r, struct strbuf *out)
{
    strbuf_addf(out, "%s TPS, response %s ms on average, %s ms at p99; %s users, workload %s",
                cell_figure(r->sample.tps).text,
                cell_figure(r->sample.time[TIME_RESPONSE].avg).text,
                cell_figure(r->sample.time[TIME_RESPONSE].p99).text,
                cell_count(r->workload.users).text, r->workload.name ? r->workload.name : "-");
}

/* "A against B", each name once: the run of a drive goes by the name of its sweep. */
static void say_names(const struct sweep_named *all, size_t n, struct strbuf *out)
{
    for (size_t i = 0; i < n; i++) {
        bool said = false;

        for (size_t k = 0; k < i; k++)
            said = said || strcmp(all[k].name, all[i].name) == 0;
        if (!said)
            strbuf_addf(out, "%s%s", i ? " against " : "", all[i].name);
    }
}

static size_t sweeps_of(const struct sweep_named *all, size_t n)
{
    size_t sweeps = 0;

    for (size_t i = 0; i < n; i++)
        sweeps += result_is_sweep(all[i].r);
    return sweeps;
}

void sweep_html_compared(const struct sweep_named *all, size_t n, struct strbuf *out)
{
    struct strbuf title;

    strbuf_init(&title);
    say_names(all, n, &title);
    html_page_begin(title.buf, out);
    strbuf_addf(out, "<header>\n<p class=\"kicker\">tpcc-run &middot; %s</p>\n<h1>",
                sweeps_of(all, n) > 1 ? "comparison of block tests"
                                      : "block tests and database test");
    html_text(out, title.buf);
    strbuf_adds(out, "</h1>\n</header>\n\n<dl class=\"facts\">\n");
    for (size_t i = 0; i < n; i++) {
        strbuf_reset(&title);
        strbuf_addf(&title, "%s: ", all[i].name);
        if (result_is_sweep(all[i].r))
            sweep_say_method(all[i].r, &title);
        else
            say_run(all[i].r, &title);
        html_fact(out, result_is_sweep(all[i].r) ? "Sweep" : "Run", title.buf);
    }
    strbuf_adds(out, "</dl>\n\n");
    sweep_html_sections(all, n, out);
    html_page_end_saying(ABOUT, out);
    strbuf_release(&title);
}
