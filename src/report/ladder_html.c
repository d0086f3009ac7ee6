/*
 * The page of a ladder: how it ended, the curves over users, the same as tables, what limited each
 * step. One thread.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_frame.h"
#include "report/html_parts.h"
#include "report/html_text.h"
#include "report/ladder.h"
#include "report/ladder_table.h"
#include "result/json_fields.h"

/* What their lines are is in ladder.js. */
static const struct ladder_chart {
    struct html_chart frame;
    const char *says;
    const char *of_rates; /* the same of offered rates; NULL: no other */
} charts[] = {
    {{HTML_CURVE_ID, "Response", HTML_CURVE_AXIS, "users"},
     "From the due time of a transaction to its end: the wait for a session is in it.",
     "From the due time of a transaction to its end: the wait for a session is in it. Where more "
     "is offered than gets done it grows as long as the step lasts."},
    {{"tps", "Transactions", "transactions a second", "users"},
     "Beside the ceiling, which is what the users' pace allows at zero response time.",
     "What got done beside what was offered; the dotted level is the maximum without a pace."},
    {{"iops", "Requests", "requests a second", "users"},
     "What the file system's device did.",
     NULL},
    {{"await", "Time of a request", "await, ms", "users"},
     "From the request's start in the kernel to its end, mean of each kind.",
     NULL},
};

/* As the reasons of a run's verdict stand. */
static void add_said(void (*say)(const struct ladder *l, struct strbuf *out), const char *label,
                     const struct ladder *l, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    say(l, &line);
    if (line.len > 0) {
        strbuf_addf(out, "<li><b>%s</b> <span>", label);
        html_text(out, line.buf);
        strbuf_adds(out, "</span></li>\n");
    }
    strbuf_release(&line);
}

static const char *name_of(const struct ladder *l)
{
    return l->label && *l->label ? l->label : l->drive ? l->drive : "A ladder";
}

static void add_head(const struct ladder *l, struct strbuf *out)
{
    const bool whole = ladder_ended_as_planned(l);
    const bool at_floor = l->answer.end && strcmp(l->answer.end, LADDER_FLOOR) == 0;
    const bool good =
        whole && !at_floor; /* that nothing holds is an answer, but none to tick off */
    struct strbuf status;

    strbuf_adds(out, "<header>\n<p class=\"kicker\">tpcc-run ");
    html_text(out, l->version);
    strbuf_addf(out, " &middot; response over %s</p>\n<h1>", l->is_rates ? "rate" : "users");
    html_text(out, name_of(l));
    strbuf_adds(out, "</h1>\n<p class=\"when\">");
    html_text(out, l->started);
    strbuf_adds(out, " on ");
    html_text(out, l->host);
    strbuf_addf(out,
                "</p>\n</header>\n\n<section id=\"verdict\" class=\"verdict %s\">\n"
                "<p class=\"status\"><span class=\"sign\" aria-hidden=\"true\">%s</span> ",
                good ? "valid" : "questionable", good ? "&#10003;" : "?");
    strbuf_init(&status);
    if (l->is_search)
        ladder_say_answer(l, &status);
    else
        strbuf_adds(&status, whole ? "ended as planned" : "not all of it");
    html_text(out, status.buf);
    strbuf_adds(out, "</p>\n");
    strbuf_release(&status);
    strbuf_adds(out, "<ul>\n");
    if (l->is_search) {
        add_said(ladder_say_next, "limit", l, out);
        add_said(ladder_say_cost, "cost", l, out);
    }
    add_said(ladder_say_maximum, "maximum", l, out);
    add_said(ladder_say_state, "ladder", l, out);
    add_said(ladder_say_check, "checks", l, out);
    if (l->steps.n > 0)
        add_said(ladder_say_ground, "on", l, out);
    strbuf_adds(out, "</ul>\n");
    html_section_end(out);
}

static void add_frame(const struct ladder *l, const struct ladder_chart *chart, struct strbuf *out)
{
    struct html_chart frame = chart->frame;

    if (l->is_rates)
        frame.under = "offered transactions a second";
    html_chart_begin(&frame, out);
    html_paragraph(out, "says", l->is_rates && chart->of_rates ? chart->of_rates : chart->says);
    html_chart_end(&frame, out);
}

/* {"load": 2000, "ceiling_tps": ..., "tps": ...}; the load of a rate is that. */
static json_t *row_of(const struct ladder *l, const struct ladder_step *s)
{
    json_t *row = json_object();

    CHECK(row);
    json_put(row, "load", json_figure(l->is_rates ? s->ceiling_tps : (double)s->users));
    json_put(row, "ceiling_tps", json_figure(s->ceiling_tps));
    for (size_t k = 0; k < LADDER_COLUMNS; k++)
        json_put(row, ladder_columns[k].key, json_figure(ladder_value(&ladder_columns[k], s)));
    return row;
}

/* {"rates": false, "rows": [...]} in the order of their loads, without the maximum. */
static void add_data(const struct ladder *l, const size_t *order, struct strbuf *out)
{
    const struct ladder_step *judged = l->steps.n > 0 ? &l->steps.at[l->steps.n - 1] : NULL;
    json_t *root = json_object();
    json_t *rows = json_array();
    char *dumped = NULL;

    CHECK(root);
    CHECK(rows);
    for (size_t i = 0; i < l->steps.n; i++) {
        const struct ladder_step *s = &l->steps.at[order[i]];

        if (!ladder_step_is_maximum(s))
            CHECK(json_array_append_new(rows, row_of(l, s)) == 0);
    }
    json_put(root, "rates", json_boolean(l->is_rates));
    json_put(root, "maximum_tps", json_figure(l->maximum_tps));
    json_put(root, "rows", rows);
    json_put(root, "limit", json_text(NULL));
    if (judged && judged->goals.n > 0) {
        json_put(root, "limit", json_text(judged->goals.at[0].text));
        json_put(root, "limit_ms", json_figure(judged->goals.at[0].limit_ms));
    }
    dumped = json_dumps(root, JSON_REAL_PRECISION(7));
    CHECK(dumped);
    html_packed("packed-ladder", dumped, out);
    free(dumped);
    json_decref(root);
}

static void add_table(const struct ladder *l, const size_t *order, enum ladder_table t,
                      struct strbuf *out)
{
    struct html_column heads[LADDER_COLUMNS + 2] = {{ladder_load_head(l), true}};
    struct html_table table;
    size_t n = 1;

    for (size_t i = 0; i < LADDER_COLUMNS; i++) {
        if (ladder_columns[i].table == t)
            heads[n++].head = ladder_head(l, &ladder_columns[i]);
    }
    if (t == LADDER_RESPONSE)
        heads[n++] = (struct html_column){"verdict", true};
    html_table_begin(&table, out, ladder_table_title(t), heads, n);
    for (size_t k = 0; k < l->steps.n; k++) {
        const struct ladder_step *s = &l->steps.at[order[k]];

        html_cell(&table, ladder_load_cell(l, s).text);
        for (size_t i = 0; i < LADDER_COLUMNS; i++) {
            if (ladder_columns[i].table == t)
                html_cell(&table, ladder_cell(&ladder_columns[i], s).text);
        }
        if (t == LADDER_RESPONSE)
            html_cell(&table, s->verdict);
    }
    html_table_end(&table);
}

static void add_limits(const struct ladder *l, const size_t *order, struct strbuf *out)
{
    const struct html_column heads[] = {{ladder_load_head(l), true},
                                        {"limited by", true},
                                        {"evidence", true},
                                        {"result", true},
                                        {"conditions", true}};
    const size_t n = l->is_search ? ARRAY_LEN(heads) : ARRAY_LEN(heads) - 1;
    struct html_table table;

    html_section(out, "limits", "What limited each step");
    html_table_begin(&table, out, NULL, heads, n);
    for (size_t k = 0; k < l->steps.n; k++) {
        const struct ladder_step *s = &l->steps.at[order[k]];

        html_cell(&table, ladder_load_cell(l, s).text);
        html_cell(&table, s->limited);
        html_cell(&table, s->evidence);
        html_cell(&table, s->directory);
        if (l->is_search) {
            struct strbuf goals;

            strbuf_init(&goals);
            ladder_say_goals(s, &goals);
            html_cell(&table, goals.buf);
            strbuf_release(&goals);
        }
    }
    html_table_end(&table);
    strbuf_adds(out, "<p class=\"note\">Each step is a result of its own, with its page, in the "
                     "directory that is named here, below this ladder's.</p>\n");
    html_section_end(out);
}

static void add_files(const struct ladder *l, struct strbuf *out)
{
    struct strbuf csv;
    char *json = ladder_json_write(l);

    strbuf_init(&csv);
    ladder_csv(l, &csv);
    html_section(out, "data", "For programs");
    strbuf_adds(out, "<p>A row a step for a spreadsheet, and everything:</p>\n"
                     "<p class=\"controls\">\n"
                     "<button type=\"button\" data-save=\"ladder.csv\">Steps, CSV</button>\n"
                     "<button type=\"button\" data-save=\"result.json\">Ladder, JSON</button>\n"
                     "</p>\n");
    html_packed("packed-csv", csv.buf, out);
    html_packed("packed-json", json, out);
    html_section_end(out);
    strbuf_release(&csv);
    free(json);
}

static void add_steps(const struct ladder *l, struct strbuf *out)
{
    size_t order[LADDER_STEPS_MAX];

    ladder_order(l, order);
    html_section(out, "time", l->is_rates ? "Over the offered rate" : "Over the number of users");
    strbuf_adds(out, "<p class=\"note\" id=\"trouble\" hidden></p>\n");
    for (size_t i = 0; i < ARRAY_LEN(charts); i++)
        add_frame(l, &charts[i], out);
    html_section_end(out);
    add_data(l, order, out);
    html_section(out, "steps", "Step by step");
    for (int t = 0; t < LADDER_TABLES; t++)
        add_table(l, order, (enum ladder_table)t, out);
    if (ladder_star_note(l))
        html_paragraph(out, "note", ladder_star_note(l));
    html_section_end(out);
    add_limits(l, order, out);
}

void ladder_html(const struct ladder *l, struct strbuf *out)
{
    html_page_begin(name_of(l), out);
    add_head(l, out);
    if (l->steps.n > 0)
        add_steps(l, out);
    add_files(l, out);
    html_page_end(out);
}
