/*
 * The page of several targets: verdict, sum and cost, each target's curve and the sum's over the
 * sample, the same as tables, and what each target was. One thread.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_frame.h"
#include "report/html_parts.h"
#include "report/html_text.h"
#include "report/targets.h"
#include "report/targets_table.h"
#include "result/json_fields.h"
#include "result/verdict.h"

/* What their lines are is in targets.js. */
static const struct targets_chart {
    struct html_chart frame;
    const char *says;
} charts[] = {
    {{"tps", "Transactions", "transactions a second", "time in the sample"},
     "Those that were due in the sample, by when they were done. Of more than five targets the "
     "sum, "
     "the fastest and the slowest."},
    {{"p99", "Response, p99", "response, ms, logarithmic", "time in the sample"},
     "From the due time of a transaction to its end. Of all it is that of their histograms added."},
};

static void add_said(void (*say)(const struct targets *t, struct strbuf *out), const char *before,
                     const struct targets *t, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    strbuf_adds(&line, before);
    say(t, &line);
    if (line.len > strlen(before))
        html_paragraph(out, NULL, line.buf);
    strbuf_release(&line);
}

static const char *name_of(const struct targets *t)
{
    return t->label && *t->label ? t->label : "Several targets at once";
}

static bool is_called(const struct targets *t, enum verdict_status status)
{
    return t->verdict && strcmp(t->verdict, verdict_name(status)) == 0;
}

static void add_head(const struct targets *t, struct strbuf *out)
{
    const char *class = is_called(t, VERDICT_VALID)     ? "valid"
                        : is_called(t, VERDICT_INVALID) ? "invalid"
                                                        : "questionable";
    const char *sign = is_called(t, VERDICT_VALID)     ? "&#10003;"
                       : is_called(t, VERDICT_INVALID) ? "&#10005;"
                                                       : "?";

    strbuf_adds(out, "<header>\n<p class=\"kicker\">tpcc-run ");
    html_text(out, t->version);
    strbuf_adds(out, " &middot; several targets at once</p>\n<h1>");
    html_text(out, name_of(t));
    strbuf_adds(out, "</h1>\n<p class=\"when\">");
    html_text(out, t->started);
    strbuf_adds(out, " on ");
    html_text(out, t->host);
    strbuf_addf(out,
                "</p>\n</header>\n\n<section id=\"verdict\" class=\"verdict %s\">\n"
                "<p class=\"status\"><span class=\"sign\" aria-hidden=\"true\">%s</span> ",
                class, sign);
    html_text(out, t->verdict ? t->verdict : "not at its end");
    strbuf_adds(out, "</p>\n");
    if (t->rows.n > 0) {
        add_said(targets_say_verdict, "", t, out);
        add_said(targets_say_sum, "Sum: ", t, out);
        add_said(targets_say_driver, "Driver: ", t, out);
        add_said(targets_say_shared, "Shared: ", t, out);
    }
    add_said(targets_say_state, "", t, out);
    html_section_end(out);
}

static json_t *figures(const double *value)
{
    json_t *list = json_array();

    CHECK(list);
    for (int b = 0; b < RESULT_BATCHES; b++)
        CHECK(json_array_append_new(list, json_figure(value[b])) == 0);
    return list;
}

/* {"seconds": 2.5, "lines": [{"name": "sum", "tps": [...], "p99": [...]}, ...]}: the sum first. */
static void add_data(const struct targets *t, struct strbuf *out)
{
    json_t *root = json_object();
    json_t *lines = json_array();
    char *dumped = NULL;

    CHECK(root);
    CHECK(lines);
    json_put(root, "seconds", json_figure(t->sum.seconds / RESULT_BATCHES));
    for (size_t i = 0; i <= t->rows.n; i++) {
        const struct targets_line *l = i ? &t->rows.at[i - 1].line : &t->line;
        json_t *line = json_object();

        CHECK(line);
        if (i && !t->rows.at[i - 1].summed) {
            json_decref(line);
            continue; /* its sample is another window */
        }
        json_put(line, "name", json_text(i ? t->rows.at[i - 1].name : TARGETS_SUM));
        json_put(line, "tps", figures(l->tps));
        json_put(line, "p99", figures(l->p99_ms));
        CHECK(json_array_append_new(lines, line) == 0);
    }
    json_put(root, "lines", lines);
    dumped = json_dumps(root, JSON_REAL_PRECISION(7));
    CHECK(dumped);
    html_packed("packed-targets", dumped, out);
    free(dumped);
    json_decref(root);
}

static void add_charts(const struct targets *t, struct strbuf *out)
{
    html_section(out, "time", "Over the sample");
    strbuf_adds(out, "<p class=\"note\" id=\"trouble\" hidden></p>\n");
    for (size_t i = 0; i < ARRAY_LEN(charts); i++) {
        html_chart_begin(&charts[i].frame, out);
        html_paragraph(out, "says", charts[i].says);
        html_chart_end(&charts[i].frame, out);
    }
    html_section_end(out);
    add_data(t, out);
}

static void add_table(const struct targets *t, enum ladder_table of, struct strbuf *out)
{
    struct html_column heads[LADDER_COLUMNS + 2] = {{"target", true}};
    struct html_table table;
    size_t n = 1;

    for (size_t i = 0; i < LADDER_COLUMNS; i++) {
        if (ladder_columns[i].table == of)
            heads[n++].head = ladder_columns[i].head;
    }
    if (of == LADDER_RESPONSE)
        heads[n++] = (struct html_column){"verdict", true};
    html_table_begin(&table, out, ladder_table_title(of), heads, n);
    for (size_t row = 0; row < targets_rows(t); row++) {
        const struct ladder_step *s = targets_row_run(t, row);

        html_cell(&table, targets_row_name(t, row));
        for (size_t i = 0; i < LADDER_COLUMNS; i++) {
            if (ladder_columns[i].table == of)
                html_cell(&table, ladder_cell(&ladder_columns[i], s).text);
        }
        if (of == LADDER_RESPONSE)
            html_cell(&table, s->verdict);
    }
    html_table_end(&table);
}

static void add_each(const struct targets *t, struct strbuf *out)
{
    static const struct html_column heads[] = {
        {"target", true}, {"users", false}, {"sessions", false},  {"database", true},
        {"drive", true},  {"device", true}, {"limited by", true}, {"result", true}};
    struct html_table table;

    html_section(out, "each", "What each target was");
    html_table_begin(&table, out, NULL, heads, ARRAY_LEN(heads));
    for (size_t i = 0; i < t->rows.n; i++) {
        const struct target_row *row = &t->rows.at[i];
        struct strbuf limit;

        strbuf_init(&limit);
        strbuf_addf(&limit, "%s: %s", row->run.limited ? row->run.limited : "-",
                    row->run.evidence ? row->run.evidence : "-");
        html_cell(&table, row->name);
        html_cell(&table, cell_count(row->run.users).text);
        html_cell(&table, cell_count(row->run.sessions).text);
        html_cell(&table, row->database);
        html_cell(&table, row->drive);
        html_cell(&table, row->run.device);
        html_cell(&table, limit.buf);
        html_cell(&table, row->run.directory);
        strbuf_release(&limit);
    }
    html_table_end(&table);
    strbuf_adds(out, "<p class=\"note\">Each target is a result of its own, with its page, in the "
                     "directory that is named here, below this one.</p>\n");
    html_section_end(out);
}

static void add_files(const struct targets *t, struct strbuf *out)
{
    struct strbuf csv;
    char *json = targets_json_write(t);

    strbuf_init(&csv);
    targets_csv(t, &csv);
    html_section(out, "data", "For programs");
    strbuf_adds(out, "<p>A row a target for a spreadsheet, and everything:</p>\n"
                     "<p class=\"controls\">\n"
                     "<button type=\"button\" data-save=\"targets.csv\">Targets, CSV</button>\n"
                     "<button type=\"button\" data-save=\"result.json\">All, JSON</button>\n"
                     "</p>\n");
    html_packed("packed-csv", csv.buf, out);
    html_packed("packed-json", json, out);
    html_section_end(out);
    strbuf_release(&csv);
    free(json);
}

void targets_html(const struct targets *t, struct strbuf *out)
{
    html_page_begin(name_of(t), out);
    add_head(t, out);
    if (t->sum.directory)
        add_charts(t, out);
    if (t->rows.n > 0) {
        html_section(out, "steps", "Target by target");
        for (int of = 0; of < LADDER_TABLES; of++)
            add_table(t, (enum ladder_table)of, out);
        html_section_end(out);
        add_each(t, out);
    }
    add_files(t, out);
    html_page_end(out);
}
