/*
 * The comparison on a terminal (see the header): first what makes it unfair, then what can be said,
 * then the figures. One thread.
 */
#include "report/compare_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/cell.h"
#include "report/compare_tables.h"
#include "report/compare_words.h"

enum { NAME_COLUMNS = 17, BAR_COLUMNS = 19 };

static void add_line(const char *label, struct strbuf *line, struct strbuf *out)
{
    if (line->len > 0)
        cell_paragraph(out, label, line->buf);
    strbuf_reset(line);
}

static void add_settings(const struct compare *c, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    if (c->settings.n_unfair > 0)
        cell_paragraph(out, "WARNING", "not a fair comparison; beside the drive:");
    for (size_t i = 0; i < c->settings.differ.n; i++) {
        compare_say_setting(c, &c->settings.differ.at[i], &line);
        add_line(i == c->settings.n_unfair ? "differs" : "", &line, out);
    }
    if (c->settings.differ.n == 0)
        cell_paragraph(out, "settings", "no difference found beside the drive");
    for (size_t i = 0; i < c->settings.notes.n; i++)
        cell_paragraph(out, i ? "" : "note", c->settings.notes.at[i]);
    strbuf_addc(out, '\n');
    strbuf_release(&line);
}

static void add_pairs(const struct compare *c, struct strbuf *out)
{
    struct strbuf line;
    size_t shown = 0;

    strbuf_init(&line);
    for (size_t i = 0; i < c->pairs.n; i++) {
        if (!compare_shows(c, &c->pairs.at[i]))
            continue;
        compare_say_pair(c, &c->pairs.at[i], &line);
        add_line(shown++ ? "" : "result", &line, out);
    }
    if (shown < c->pairs.n)
        strbuf_addf(out, "%*s... and %zu more pairs in --json\n", CELL_INDENT, "",
                    c->pairs.n - shown);
    compare_say_ceiling(c, &line);
    add_line("note", &line, out);
    if (c->pairs.n > 0)
        strbuf_addc(out, '\n');
    strbuf_release(&line);
}

/* From 0 on: "#" up to the interval, "+" over it; without one "#" up to the figure. */
static void add_bar(const struct signif_interval *i, double full, struct strbuf *out)
{
    const double low = isfinite(i->low) ? i->low : i->value;
    const double high = isfinite(i->high) ? i->high : i->value;

    for (int column = 0; column < BAR_COLUMNS; column++) {
        const double at = (column + 0.5) / BAR_COLUMNS * full;

        if (at <= low)
            strbuf_addc(out, '#');
        else if (at <= high)
            strbuf_addc(out, '+');
    }
}

/* What the longest bar stands for. */
static double full_scale(const struct compare *c)
{
    double most = 0;

    for (size_t g = 0; g < c->n_groups; g++) {
        const struct signif_interval *i = &c->group[g].figure[c->by];

        most = fmax(most, isfinite(i->high) ? i->high : i->value);
    }
    return most;
}

static void add_measure(const struct compare *c, struct strbuf *out)
{
    const double full = full_scale(c);

    strbuf_addf(out, "%-*s %4s %7s %17s %s\n", NAME_COLUMNS, compare_measure_word(c->by), "runs",
                c->by == COMPARE_TPS ? "TPS" : "ms", "95 % interval", "over");
    for (size_t g = 0; g < c->n_groups; g++) {
        const struct compare_group *group = &c->group[g];
        const struct signif_interval *i = &group->figure[c->by];
        const bool known = isfinite(i->low) && isfinite(i->high);

        cell_clip_middle(out, group->name, NAME_COLUMNS, 1);
        strbuf_addf(out, " %4zu %7s %7s%3s%7s %-7s ", group->n, cell_figure(i->value).text,
                    known ? cell_figure(i->low).text : "", known ? "to" : "-",
                    known ? cell_figure(i->high).text : "",
                    !known         ? ""
                    : group->n > 1 ? "repeats"
                                   : "one run");
        add_bar(i, full, out);
        while (out->buf[out->len - 1] == ' ')
            out->buf[--out->len] = 0;
        strbuf_addc(out, '\n');
    }
    strbuf_addc(out, '\n');
}

static bool has_repeats(const struct compare *c)
{
    for (size_t g = 0; g < c->n_groups; g++) {
        if (c->group[g].n > 1)
            return true;
    }
    return false;
}

static void add_spread(const struct compare *c, struct strbuf *out)
{
    if (!has_repeats(c))
        return;
    strbuf_addf(out, "%-*s %30s %30s\n", NAME_COLUMNS, "spread, %",
                "standard deviation of the runs", "95 % interval within a run");
    for (size_t g = 0; g < c->n_groups; g++) {
        const struct compare_group *group = &c->group[g];
        const double within = group->within_percent[c->by];

        cell_clip_middle(out, group->name, NAME_COLUMNS, 1);
        strbuf_addf(out, " %30s %27s%s\n", cell_fixed(group->between_percent[c->by], 1).text,
                    isfinite(within) ? "+-" : "", cell_fixed(within, 1).text);
    }
    strbuf_addc(out, '\n');
}

/* A run within its group goes by its time: names differ behind where they would be cut. */
static void add_row_name(const struct compare_row *row, int columns, struct strbuf *out)
{
    static const char stamp[] = "2026-11-30T13:45:01Z";
    const char *started = row->run ? row->run->r->started : NULL;
    char at[sizeof(stamp)] = "";

    if (!row->run) {
        cell_clip_middle(out, row->group->name, columns, 1);
        return;
    }
    if (started && strlen(started) == strlen(stamp)) {
        (void)snprintf(at, sizeof(at), "%.14s", started + strlen("2026-"));
        at[strlen("11-30")] = ' ';
    }
    strbuf_adds(out, "  ");
    cell_clip(out, *at ? at : row->run->name, columns - 2, 1);
}

/* How wide the columns of a table are: within 80. */
struct widths {
    int name, figure;
};

static struct widths widths_of(enum compare_table t, size_t n)
{
    if (t == COMPARE_TABLE_TYPES || t == COMPARE_TABLE_TRANSACTION)
        return (struct widths){NAME_COLUMNS - 2, 12}; /* the longest head */
    return (struct widths){NAME_COLUMNS - 1, n > 8 ? 6 : 7};
}

/* The runs of a group too where they are what it is all about: in the first table. */
static void add_table(const struct compare *c, enum compare_table t, struct strbuf *out)
{
    const struct compare_columns columns = compare_columns_of(c, t);
    const struct widths width = widths_of(t, columns.n);
    struct compare_row row[2 * COMPARE_RUNS_MAX];
    const size_t rows = compare_rows(c, row);

    strbuf_addf(out, "%-*s", width.name, columns.title);
    for (size_t k = 0; k < columns.n; k++)
        strbuf_addf(out, " %*s", width.figure, columns.head[k]);
    strbuf_addc(out, '\n');
    for (size_t i = 0; i < rows; i++) {
        double figure[COMPARE_COLUMNS_MAX];

        if (row[i].run && t != COMPARE_TABLE_FIGURES)
            continue;
        compare_cells(c, t, &row[i], figure);
        add_row_name(&row[i], width.name, out);
        for (size_t k = 0; k < columns.n; k++)
            strbuf_addf(out, " %*s", width.figure, cell_figure(figure[k]).text);
        strbuf_addc(out, '\n');
    }
    strbuf_addc(out, '\n');
}

static void add_groups(const struct compare *c, struct strbuf *out)
{
    struct strbuf line;
    struct strbuf label;

    strbuf_init(&line);
    strbuf_init(&label);
    for (size_t g = 0; g < c->n_groups; g++) {
        strbuf_reset(&label);
        cell_clip_middle(&label, c->group[g].name, CELL_INDENT - 1, 0);
        compare_say_group(c, &c->group[g], &line);
        add_line(label.buf, &line, out);
        for (size_t i = 0; i < c->group[g].n; i++) {
            compare_say_run(&c->run[c->group[g].run[i]], &line);
            add_line("", &line, out);
        }
    }
    strbuf_addc(out, '\n');
    strbuf_release(&label);
    strbuf_release(&line);
}

void compare_text(const struct compare *c, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    compare_say_title(c, &line);
    cell_clip(out, line.buf, CELL_COLUMNS, 0);
    strbuf_addc(out, '\n');
    strbuf_reset(&line);
    add_settings(c, out);
    add_pairs(c, out);
    add_measure(c, out);
    add_spread(c, out);
    for (int t = 0; t < COMPARE_TABLES; t++)
        add_table(c, (enum compare_table)t, out);
    add_groups(c, out);
    compare_say_method(c, &line);
    add_line("method", &line, out);
    strbuf_release(&line);
}
