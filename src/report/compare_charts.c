/*
 * The charts of a comparison: frames with their words, and the points that compare.js draws, one
 * line a run over time and one a group over percentiles. One thread.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "report/cell.h"
#include "report/compare_html.h"
#include "report/compare_tables.h"
#include "report/html_parts.h"
#include "report/html_text.h"
#include "report/spans.h"
#include "result/drive_set.h"
#include "result/json_fields.h"

/* A line over time: a figure of the rows, or a rate of the drive; and the column of
 * a table that has the sample's. */
static const struct chart {
    struct html_chart frame;
    bool device;
    size_t at;
    bool highest; /* of what falls into one point the highest, not the mean */
    enum compare_table table;
    size_t column;
    const char *unit;
} charts[] = {
    {{"tps", "Transactions", "transactions a second", NULL},
     false,
     offsetof(struct series_row, tps_all),
     false,
     COMPARE_TABLE_FIGURES,
     0,
     " a second"},
    {{"avg", "Average response", "response, ms, logarithmic", NULL},
     false,
     offsetof(struct series_row, avg_ms),
     false,
     COMPARE_TABLE_FIGURES,
     2,
     " ms"},
    {{"p99", "99th percentile of the response", "response, ms, logarithmic", NULL},
     false,
     offsetof(struct series_row, p99_ms),
     true,
     COMPARE_TABLE_FIGURES,
     5,
     " ms"},
    {{"reads", "Drive: reads", "requests a second", NULL},
     true,
     offsetof(struct result_rates, reads_per_s),
     false,
     COMPARE_TABLE_DRIVE,
     0,
     " a second"},
    {{"writes", "Drive: writes", "requests a second", NULL},
     true,
     offsetof(struct result_rates, writes_per_s),
     false,
     COMPARE_TABLE_DRIVE,
     1,
     " a second"},
    {{"await", "Drive: time a write takes", "await, ms", NULL},
     true,
     offsetof(struct result_rates, write_await_ms),
     false,
     COMPARE_TABLE_DRIVE,
     6,
     " ms"},
};

/* NaN where the row has no such figure. */
static double value_of(const struct chart *chart, const struct drive_set *drive,
                       const struct series_row *row)
{
    struct result_rates rates;

    if (!chart->device)
        return span_value(row, (struct span_column){.at = chart->at});
    rates = drive_set_rates(drive, row->device);
    return *(const double *)(const void *)((const char *)&rates + chart->at);
}

/* ---- points over time ---- */

/* Time from GO in n pieces of step_s. */
struct grid {
    double step_s;
    size_t n;
};

static struct grid grid_of(const struct compare *c)
{
    struct grid grid = {0, 0};
    double end_s = 0;

    for (size_t i = 0; i < c->n_runs; i++) {
        const struct series *s = &c->run[i].r->series;

        if (s->n_rows == 0)
            continue;
        end_s = fmax(end_s, series_at(s, s->n_rows - 1)->time_s);
        grid.step_s = fmax(grid.step_s, span_interval_s(c->run[i].r));
    }
    if (!(grid.step_s > 0) || !isfinite(end_s))
        return (struct grid){0, 0};
    grid.step_s *= fmax(1, ceil(end_s / grid.step_s / COMPARE_POINTS));
    grid.n = (size_t)ceil(end_s / grid.step_s);
    return grid;
}

struct point {
    double sum, weight, highest;
};

static void collect(const struct chart *chart, const struct result *r, const struct grid *grid,
                    struct point *point)
{
    const double least_s = span_interval_s(r) / 2;
    const struct drive_set drive = drive_set_of(r, r->series.n_devices);
    double from_s = 0;

    for (size_t i = 0; i < r->series.n_rows; i++) {
        const struct series_row *row = series_at(&r->series, i);
        const double value = value_of(chart, &drive, row);
        const double seconds = row->time_s - from_s;
        const double at = (from_s + seconds / 2) / grid->step_s;

        from_s = row->time_s;
        if (!isfinite(value) || !(seconds > least_s) || !(at >= 0 && at < (double)grid->n))
            continue;
        point[(size_t)at].sum += value * seconds;
        point[(size_t)at].weight += seconds;
        point[(size_t)at].highest = fmax(point[(size_t)at].highest, value);
    }
}

static void add_value(double value, struct strbuf *out)
{
    if (isfinite(value))
        strbuf_addf(out, ",%.5g", value);
    else
        strbuf_adds(out, ",null");
}

/* "[[time, run 0, run 1 ...], ...]". */
static void add_rows(const struct compare *c, const struct chart *chart, const struct grid *grid,
                     struct strbuf *out)
{
    struct point *points = xcalloc(grid->n * c->n_runs + 1, sizeof(*points));

    for (size_t i = 0; i < c->n_runs; i++)
        collect(chart, c->run[i].r, grid, points + i * grid->n);
    strbuf_addc(out, '[');
    for (size_t k = 0; k < grid->n; k++) {
        strbuf_addf(out, "%s[%.7g", k ? "," : "", (double)(k + 1) * grid->step_s);
        for (size_t i = 0; i < c->n_runs; i++) {
            const struct point *p = &points[i * grid->n + k];

            add_value(chart->highest && p->weight > 0 ? p->highest : p->sum / p->weight, out);
        }
        strbuf_addc(out, ']');
    }
    strbuf_addc(out, ']');
    free(points);
}

/* ---- the rest of the data ---- */

static void add_name(const char *name, struct strbuf *out)
{
    json_t *text = json_text(name);
    char *dumped = json_dumps(text, JSON_ENCODE_ANY);

    CHECK(dumped);
    strbuf_adds(out, dumped);
    free(dumped);
    json_decref(text);
}

/* Each run's line is named as its group, and numbered where it has repeats. */
static void add_lines(const struct compare *c, struct strbuf *out)
{
    strbuf_adds(out, "\"lines\":[");
    for (size_t i = 0; i < c->n_runs; i++) {
        const struct compare_group *g = &c->group[c->run[i].group];
        size_t number = 1;

        for (size_t k = 0; k < i; k++)
            number += c->run[k].group == c->run[i].group;
        strbuf_addf(out, "%s{\"group\":%zu,\"number\":%zu,\"name\":", i ? "," : "", c->run[i].group,
                    g->n > 1 ? number : 0);
        add_name(g->name, out);
        strbuf_addc(out, '}');
    }
    strbuf_adds(out, "],\n");
}

/* Those of the first run that has some: one that was killed has none. */
static void add_phases(const struct compare *c, struct strbuf *out)
{
    const struct result *r = c->run[0].r;

    for (size_t i = 0; i < c->n_runs && r->phases.n == 0; i++)
        r = c->run[i].r;
    strbuf_adds(out, "\"phases\":[");
    for (size_t i = 0; i < r->phases.n; i++) {
        strbuf_addf(out, "%s{\"name\":", i ? "," : "");
        add_name(r->phases.at[i].name, out);
        strbuf_addf(out, ",\"start_s\":%.7g,\"end_s\":%.7g}", r->phases.at[i].start_s,
                    r->phases.at[i].end_s);
    }
    strbuf_adds(out, "],\n");
}

/* All transactions of all its runs, but for the execution of deferred Deliveries. */
static void add_curve(const struct compare *c, const struct compare_group *g, struct strbuf *out)
{
    struct hist *all = hist_new();

    for (size_t i = 0; i < g->n; i++) {
        const struct result *r = c->run[g->run[i]].r;

        for (int row = 0; row < RESULT_TXN_ROWS - 1; row++) {
            if (r->latency[row][TIME_RESPONSE])
                hist_add(all, r->latency[row][TIME_RESPONSE]);
        }
    }
    if (hist_count(all) > 0)
        html_curve(all, out);
    else
        strbuf_adds(out, "[]");
    hist_free(all);
}

static void add_data(const struct compare *c, struct strbuf *out)
{
    const struct grid grid = grid_of(c);
    struct strbuf data;

    strbuf_init(&data);
    strbuf_addc(&data, '{');
    add_phases(c, &data);
    add_lines(c, &data);
    strbuf_adds(&data, "\"charts\":{");
    for (size_t i = 0; i < ARRAY_LEN(charts); i++) {
        strbuf_addf(&data, "%s\"%s\":", i ? ",\n" : "", charts[i].frame.id);
        add_rows(c, &charts[i], &grid, &data);
    }
    strbuf_adds(&data, "},\n\"curves\":[");
    for (size_t g = 0; g < c->n_groups; g++) {
        strbuf_adds(&data, g ? ",\n{\"name\":" : "{\"name\":");
        add_name(c->group[g].name, &data);
        strbuf_adds(&data, ",\"points\":");
        add_curve(c, &c->group[g], &data);
        strbuf_addc(&data, '}');
    }
    strbuf_adds(&data, "]}");
    html_packed("packed-compare", data.buf, out);
    strbuf_release(&data);
}

/* ---- frames ---- */

/* "In the sample: A 62.5, B 61.8 a second.": as in the tables. */
static void add_words(const struct compare *c, const struct chart *chart, struct strbuf *out)
{
    strbuf_adds(out, "<p class=\"says\">In the sample: ");
    for (size_t g = 0; g < c->n_groups; g++) {
        const struct compare_row row = {.group = &c->group[g]};
        double figure[COMPARE_COLUMNS_MAX];

        compare_cells(c, chart->table, &row, figure);
        strbuf_adds(out, g ? "; " : "");
        html_text(out, c->group[g].name);
        strbuf_addf(out, " %s", cell_figure(figure[chart->column]).text);
    }
    strbuf_addf(out, "%s.</p>\n", chart->unit);
}

static void add_frame(const struct compare *c, const struct chart *chart, struct strbuf *out)
{
    html_chart_begin(&chart->frame, out);
    add_words(c, chart, out);
    html_chart_end(&chart->frame, out);
}

static void add_time(const struct compare *c, struct strbuf *out)
{
    html_section(out, "time", "Time lines");
    strbuf_adds(out,
                "<p class=\"note\">One line a run, each from its own start; shaded is what does "
                "not count. A point is the mean of what it covers, of the 99th percentile the "
                "highest. Click a name to hide its runs; at the cursor it has their mean.</p>\n<p "
                "class=\"note\" id=\"trouble\" hidden></p>\n"
                "<div class=\"controls\">\n<button type=\"button\" data-show=\"all\">Whole run"
                "</button>\n<button type=\"button\" data-show=\"sample\">Sample</button>\n"
                "<button type=\"button\" data-show=\"in\">Zoom in</button>\n"
                "<button type=\"button\" data-show=\"out\">Zoom out</button>\n"
                "<output id=\"cursor\"></output>\n</div>\n");
    for (size_t i = 0; i < ARRAY_LEN(charts); i++)
        add_frame(c, &charts[i], out);
    html_section_end(out);
}

static void add_percentiles(struct strbuf *out)
{
    static const struct html_chart curve = {HTML_CURVE_ID, "Percentiles of the response",
                                            HTML_CURVE_AXIS, HTML_CURVE_UNDER};

    html_section(out, "response", "Percentiles");
    html_chart_begin(&curve, out);
    html_paragraph(out, "says",
                   "Of 100 transactions, so many were done within the time of the curve; each mark "
                   "to the right holds ten times fewer. Repeats are taken together. The table of "
                   "figures has the same percentiles.");
    html_chart_end(&curve, out);
    html_section_end(out);
}

void compare_html_charts(const struct compare *c, struct strbuf *out)
{
    add_percentiles(out);
    add_time(c, out);
    add_data(c, out);
}
