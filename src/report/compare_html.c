/*
 * The page of a comparison (see the header), in the order of what readers ask. One thread.
 */
#include "report/compare_html.h"

#include <math.h>
#include <string.h>

#include "report/cell.h"
#include "report/compare_files.h"
#include "report/compare_tables.h"
#include "report/compare_words.h"
#include "report/html_frame.h"
#include "report/html_parts.h"
#include "report/html_text.h"

enum { NAMES_SHOWN = 4 };

static void add_names(const struct compare *c, struct strbuf *out)
{
    if (c->n_groups > NAMES_SHOWN) {
        strbuf_addf(out, "%zu groups of results", c->n_groups);
        return;
    }
    for (size_t g = 0; g < c->n_groups; g++)
        strbuf_addf(out, "%s%s", g ? ", " : "", c->group[g].name);
}

/* "tag" around the line, which it empties. */
static void add_line(const char *tag, struct strbuf *line, struct strbuf *out)
{
    strbuf_addf(out, "<%s>", tag);
    html_text(out, line->buf);
    strbuf_addf(out, "</%.*s>\n", (int)strcspn(tag, " "), tag);
    strbuf_reset(line);
}

static void add_head(const struct compare *c, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    strbuf_adds(out, "<header>\n<p class=\"kicker\">tpcc-run &middot; comparison</p>\n");
    add_names(c, &line);
    add_line("h1", &line, out);
    compare_say_title(c, &line);
    add_line("p class=\"when\"", &line, out);
    strbuf_adds(out, "</header>\n\n");
    strbuf_release(&line);
}

/* ---- what differs ---- */

static void add_setting(const struct compare *c, const struct compare_setting *s,
                        struct strbuf *out)
{
    struct strbuf line;
    const char *values = NULL;

    strbuf_init(&line);
    compare_say_setting(c, s, &line);
    values = line.buf + strlen(s->name) + strlen(": ");
    strbuf_adds(out, "<li><b>");
    html_text(out, s->name);
    strbuf_adds(out, "</b> <span>");
    html_text(out, values);
    strbuf_adds(out, "</span></li>\n");
    strbuf_release(&line);
}

static void add_setting_list(const struct compare *c, size_t from, size_t to, struct strbuf *out)
{
    strbuf_adds(out, "<ul>\n");
    for (size_t i = from; i < to; i++)
        add_setting(c, &c->settings.differ.at[i], out);
    strbuf_adds(out, "</ul>\n");
}

static void add_fairness(const struct compare *c, struct strbuf *out)
{
    const struct compare_settings *s = &c->settings;

    if (s->n_unfair > 0) {
        strbuf_adds(out, "<section id=\"verdict\" class=\"verdict questionable\">\n"
                         "<p class=\"status\"><span class=\"sign\" aria-hidden=\"true\">?</span> "
                         "Warning: not a fair comparison</p>\n<p>Beside the drive, this is not as "
                         "it should be:</p>\n");
        add_setting_list(c, 0, s->n_unfair, out);
    } else {
        strbuf_adds(out, "<section id=\"verdict\" class=\"verdict valid\">\n<p class=\"status\">"
                         "<span class=\"sign\" aria-hidden=\"true\">&#10003;</span> a fair "
                         "comparison</p>\n<p>No difference was found beside the drive that would "
                         "change the figures.</p>\n");
    }
    html_section_end(out);
    if (s->differ.n > s->n_unfair) {
        strbuf_adds(out, "<div class=\"verdict minor differs\">\n<p>Also different:</p>\n");
        add_setting_list(c, s->n_unfair, s->differ.n, out);
        strbuf_adds(out, "</div>\n");
    }
    for (size_t i = 0; i < s->notes.n; i++)
        html_paragraph(out, "note", s->notes.at[i]);
}

/* ---- what can be said ---- */

static const char *class_of(enum compare_says says)
{
    return says == COMPARE_FASTER ? "li class=\"faster\"" : "li";
}

static void add_pairs(const struct compare *c, struct strbuf *out)
{
    struct strbuf line;
    size_t shown = 0;

    if (c->pairs.n == 0)
        return;
    strbuf_init(&line);
    html_section(out, "result", "What can be said");
    strbuf_adds(out, "<ul class=\"findings\">\n");
    for (size_t i = 0; i < c->pairs.n; i++) {
        if (!compare_shows(c, &c->pairs.at[i]))
            continue;
        compare_say_pair(c, &c->pairs.at[i], &line);
        add_line(class_of(c->pairs.at[i].says), &line, out);
        shown++;
    }
    strbuf_adds(out, "</ul>\n");
    if (shown < c->pairs.n)
        strbuf_addf(out, "<p class=\"note\">%zu more pairs are in the JSON.</p>\n",
                    c->pairs.n - shown);
    compare_say_ceiling(c, &line);
    if (line.len > 0)
        add_line("p class=\"note\"", &line, out);
    html_section_end(out);
    strbuf_release(&line);
}

/* ---- bars ---- */

static double full_scale(const struct compare *c, enum compare_measure by)
{
    double most = 0;

    for (size_t g = 0; g < c->n_groups; g++) {
        const struct signif_interval *i = &c->group[g].figure[by];

        most = fmax(most, isfinite(i->high) ? i->high : i->value);
    }
    return 1.01 * most; /* room for the end of the longest interval */
}

static void add_bar(struct html_table *t, const struct signif_interval *i, double full)
{
    struct strbuf bar;

    if (!isfinite(i->value) || !(full > 0)) {
        html_cell(t, NULL);
        return;
    }
    strbuf_init(&bar);
    strbuf_addf(&bar, "<span class=\"bar\" aria-hidden=\"true\"><i style=\"width:%.1f%%\"></i>",
                100 * i->value / full);
    if (isfinite(i->low) && isfinite(i->high))
        strbuf_addf(&bar, "<b style=\"left:%.1f%%;width:%.1f%%\"></b>", 100 * i->low / full,
                    100 * (i->high - i->low) / full);
    strbuf_adds(&bar, "</span>");
    html_cell_markup(t, bar.buf);
    strbuf_release(&bar);
}

static void add_interval(struct html_table *t, const struct compare_group *g,
                         const struct signif_interval *i)
{
    struct strbuf text;

    strbuf_init(&text);
    if (isfinite(i->low) && isfinite(i->high))
        strbuf_addf(&text, "%s to %s, %s", cell_figure(i->low).text, cell_figure(i->high).text,
                    g->n > 1 ? "repeats" : "one run");
    html_cell(t, text.len ? text.buf : NULL);
    strbuf_release(&text);
}

static void add_bars(const struct compare *c, enum compare_measure by, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "group (runs)"},
        {.head = "figure"},
        {.head = "95 % interval, over", .text = true},
        {.head = "bar from 0, interval across", .text = true},
    };
    const double full = full_scale(c, by);
    struct html_table t;
    struct strbuf text;

    strbuf_init(&text);
    strbuf_addf(&text, "%s%s%s", compare_measure_name(by), by == COMPARE_TPS ? "" : ",",
                compare_measure_unit(by));
    strbuf_addf(out, "<div class=\"bars\">\n");
    html_table_begin(&t, out, text.buf, columns, ARRAY_LEN(columns));
    for (size_t g = 0; g < c->n_groups; g++) {
        const struct compare_group *group = &c->group[g];

        strbuf_reset(&text);
        strbuf_addf(&text, "%s (%zu)", group->name, group->n);
        html_cell(&t, text.buf);
        html_cell(&t, cell_figure(group->figure[by].value).text);
        add_interval(&t, group, &group->figure[by]);
        add_bar(&t, &group->figure[by], full);
    }
    html_table_end(&t);
    strbuf_adds(out, "</div>\n");
    strbuf_release(&text);
}

/* The measure it goes by, and what every reader asks for. */
static void add_all_bars(const struct compare *c, struct strbuf *out)
{
    static const enum compare_measure always[] = {COMPARE_AVG, COMPARE_P95, COMPARE_P99,
                                                  COMPARE_TPS};

    html_section(out, "bars", "Figures with their intervals");
    add_bars(c, c->by, out);
    for (size_t i = 0; i < ARRAY_LEN(always); i++) {
        if (always[i] != c->by)
            add_bars(c, always[i], out);
    }
    html_section_end(out);
}

/* ---- tables ---- */

/* Groups stand out from their runs, which go by their time. */
static void add_row(struct html_table *t, const struct compare_row *row, const double *figure)
{
    const char *started = row->run ? row->run->r->started : NULL;
    struct strbuf name;

    strbuf_init(&name);
    strbuf_adds(&name, row->run ? "<span class=\"run\">" : "<b>");
    html_text(&name, started ? started : row->run ? row->run->name : row->group->name);
    strbuf_adds(&name, row->run ? "</span>" : "</b>");
    html_cell_markup(t, name.buf);
    for (size_t k = 1; k < t->n; k++)
        html_cell(t, cell_figure(figure[k - 1]).text);
    strbuf_release(&name);
}

static void say_caption(const struct compare *c, enum compare_table which, struct strbuf *out)
{
    switch (which) {
    case COMPARE_TABLE_FIGURES:
        strbuf_adds(out, "TPS and response in the sample");
        return;
    case COMPARE_TABLE_TYPES:
        strbuf_addf(out, "By transaction: %s%s%s", compare_measure_name(c->by),
                    c->by == COMPARE_TPS ? "" : ",", compare_measure_unit(c->by));
        return;
    case COMPARE_TABLE_TRANSACTION:
        strbuf_adds(out, "What one transaction costs the drive");
        return;
    case COMPARE_TABLE_DRIVE:
        strbuf_adds(out, "The drive in the sample; r-ms, w-ms, f-ms: await of a read, a write, a "
                         "flush");
        return;
    case COMPARE_TABLES:
        break;
    }
    UNREACHABLE();
}

static void add_table(const struct compare *c, enum compare_table which, struct strbuf *out)
{
    const struct compare_columns columns = compare_columns_of(c, which);
    struct html_column head[COMPARE_COLUMNS_MAX + 1] = {{.head = columns.title}};
    struct compare_row row[2 * COMPARE_RUNS_MAX];
    const size_t rows = compare_rows(c, row);
    struct html_table t;
    struct strbuf caption;

    strbuf_init(&caption);
    say_caption(c, which, &caption);
    for (size_t k = 0; k < columns.n; k++)
        head[k + 1].head = columns.head[k];
    html_table_begin(&t, out, caption.buf, head, columns.n + 1);
    strbuf_release(&caption);
    for (size_t i = 0; i < rows; i++) {
        double figure[COMPARE_COLUMNS_MAX];

        if (row[i].run && which != COMPARE_TABLE_FIGURES)
            continue;
        compare_cells(c, which, &row[i], figure);
        add_row(&t, &row[i], figure);
    }
    html_table_end(&t);
}

static void add_spread(const struct compare *c, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "spread"},
        {.head = "runs"},
        {.head = "standard deviation of the runs, %"},
        {.head = "95 % interval within a run, &plusmn; %"},
    };
    struct html_table t;
    struct strbuf caption;

    strbuf_init(&caption);
    strbuf_addf(&caption, "Spread of the %s", compare_measure_name(c->by));
    html_table_begin(&t, out, caption.buf, columns, ARRAY_LEN(columns));
    strbuf_release(&caption);
    for (size_t g = 0; g < c->n_groups; g++) {
        const struct compare_group *group = &c->group[g];

        html_cell(&t, group->name);
        html_cell(&t, cell_count((int64_t)group->n).text);
        html_cell(&t, cell_fixed(group->between_percent[c->by], 1).text);
        html_cell(&t, cell_fixed(group->within_percent[c->by], 1).text);
    }
    html_table_end(&t);
}

static void add_tables(const struct compare *c, struct strbuf *out)
{
    html_section(out, "figures", "All figures");
    for (int t = 0; t < COMPARE_TABLES; t++)
        add_table(c, (enum compare_table)t, out);
    add_spread(c, out);
    html_section_end(out);
}

/* ---- what ran, how it was judged, data ---- */

static void add_groups(const struct compare *c, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    html_section(out, "setup", "What ran");
    for (size_t g = 0; g < c->n_groups; g++) {
        strbuf_adds(&line, c->group[g].name);
        add_line("h3", &line, out);
        compare_say_group(c, &c->group[g], &line);
        add_line("p", &line, out);
        strbuf_adds(out, "<ul class=\"runs\">\n");
        for (size_t i = 0; i < c->group[g].n; i++) {
            compare_say_run(&c->run[c->group[g].run[i]], &line);
            add_line("li", &line, out);
        }
        strbuf_adds(out, "</ul>\n");
    }
    compare_say_method(c, &line);
    add_line("p class=\"note\"", &line, out);
    html_section_end(out);
    strbuf_release(&line);
}

static void add_files(const struct compare *c, struct strbuf *out)
{
    struct strbuf text;

    strbuf_init(&text);
    html_section(out, "data", "For programs");
    strbuf_adds(out,
                "<p>A row a result for a spreadsheet, and everything with each pair:</p>\n"
                "<p class=\"controls\">\n"
                "<button type=\"button\" data-save=\"compare.csv\">Figures, CSV</button>\n"
                "<button type=\"button\" data-save=\"compare.json\">Comparison, JSON</button>\n"
                "</p>\n");
    compare_csv(c, &text);
    html_packed("packed-csv", text.buf, out);
    strbuf_reset(&text);
    compare_json(c, &text);
    html_packed("packed-json", text.buf, out);
    html_section_end(out);
    strbuf_release(&text);
}

void compare_html(const struct compare *c, const char *more, struct strbuf *out)
{
    struct strbuf title;

    strbuf_init(&title);
    add_names(c, &title);
    html_page_begin(title.buf, out);
    strbuf_release(&title);
    add_head(c, out);
    add_fairness(c, out);
    add_pairs(c, out);
    add_all_bars(c, out);
    compare_html_charts(c, out);
    add_tables(c, out);
    strbuf_adds(out, more ? more : "");
    add_groups(c, out);
    add_files(c, out);
    html_page_end(out);
}
