/*
 * The comparison as Markdown (see the header): the same order and words as the text. One thread.
 */
#include "report/compare_markdown.h"

#include <math.h>

#include "report/cell.h"
#include "report/compare_tables.h"
#include "report/compare_words.h"
#include "report/markdown.h"

/* "before", the line escaped, an end; empties the line. */
static void add_line(const char *before, struct strbuf *line, struct strbuf *out)
{
    strbuf_adds(out, before);
    markdown_text(out, line->buf);
    strbuf_addc(out, '\n');
    strbuf_reset(line);
}

static void add_setting_list(const struct compare *c, size_t from, size_t to, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    for (size_t i = from; i < to; i++) {
        compare_say_setting(c, &c->settings.differ.at[i], &line);
        add_line("- ", &line, out);
    }
    strbuf_addc(out, '\n');
    strbuf_release(&line);
}

static void add_settings(const struct compare *c, struct strbuf *out)
{
    const struct compare_settings *s = &c->settings;

    if (s->n_unfair > 0) {
        strbuf_adds(out, "**Warning: not a fair comparison.** Beside the drive:\n\n");
        add_setting_list(c, 0, s->n_unfair, out);
    }
    if (s->differ.n > s->n_unfair) {
        strbuf_adds(out, "Also different:\n\n");
        add_setting_list(c, s->n_unfair, s->differ.n, out);
    }
    if (s->differ.n == 0)
        strbuf_adds(out, "No difference in settings was found beside the drive.\n\n");
    for (size_t i = 0; i < s->notes.n; i++) {
        strbuf_adds(out, "Note: ");
        markdown_text(out, s->notes.at[i]);
        strbuf_adds(out, "\n\n");
    }
}

static void add_pairs(const struct compare *c, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    for (size_t i = 0; i < c->pairs.n; i++) {
        if (!compare_shows(c, &c->pairs.at[i]))
            continue;
        compare_say_pair(c, &c->pairs.at[i], &line);
        add_line("- ", &line, out);
    }
    compare_say_ceiling(c, &line);
    if (line.len > 0)
        add_line("- ", &line, out);
    strbuf_addc(out, '\n');
    strbuf_release(&line);
}

static void add_head(const char *const *head, size_t n, struct strbuf *out)
{
    for (size_t i = 0; i < n; i++) {
        strbuf_adds(out, "| ");
        markdown_text(out, head[i]);
        strbuf_addc(out, ' ');
    }
    strbuf_adds(out, "|\n| ---");
    for (size_t i = 1; i < n; i++)
        strbuf_adds(out, " | ---:");
    strbuf_adds(out, " |\n");
}

static void add_measure(const struct compare *c, struct strbuf *out)
{
    const char *const head[] = {compare_measure_name(c->by),
                                "runs",
                                c->by == COMPARE_TPS ? "TPS" : "ms",
                                "95 % interval",
                                "over",
                                "spread of runs, %"};

    add_head(head, ARRAY_LEN(head), out);
    for (size_t g = 0; g < c->n_groups; g++) {
        const struct compare_group *group = &c->group[g];
        const struct signif_interval *i = &group->figure[c->by];
        const bool known = isfinite(i->low) && isfinite(i->high);

        strbuf_adds(out, "| ");
        markdown_text(out, group->name);
        strbuf_addf(out, " | %zu | %s | ", group->n, cell_figure(i->value).text);
        if (known)
            strbuf_addf(out, "%s to %s | %s", cell_figure(i->low).text, cell_figure(i->high).text,
                        group->n > 1 ? "repeats" : "one run");
        else
            strbuf_adds(out, "- | -");
        strbuf_addf(out, " | %s |\n", cell_fixed(group->between_percent[c->by], 1).text);
    }
    strbuf_addc(out, '\n');
}

/* Groups only: a publication has room for few rows. */
static void add_table(const struct compare *c, enum compare_table t, struct strbuf *out)
{
    const struct compare_columns columns = compare_columns_of(c, t);
    const char *head[COMPARE_COLUMNS_MAX + 1] = {columns.title};

    for (size_t k = 0; k < columns.n; k++)
        head[k + 1] = columns.head[k];
    add_head(head, columns.n + 1, out);
    for (size_t g = 0; g < c->n_groups; g++) {
        const struct compare_row row = {.group = &c->group[g]};
        double figure[COMPARE_COLUMNS_MAX];

        compare_cells(c, t, &row, figure);
        strbuf_adds(out, "| ");
        markdown_text(out, row.group->name);
        for (size_t k = 0; k < columns.n; k++)
            strbuf_addf(out, " | %s", cell_figure(figure[k]).text);
        strbuf_adds(out, " |\n");
    }
    strbuf_addc(out, '\n');
}

static void add_groups(const struct compare *c, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    for (size_t g = 0; g < c->n_groups; g++) {
        strbuf_adds(out, "- **");
        markdown_text(out, c->group[g].name);
        compare_say_group(c, &c->group[g], &line);
        add_line("**: ", &line, out);
        for (size_t i = 0; i < c->group[g].n; i++) {
            compare_say_run(&c->run[c->group[g].run[i]], &line);
            add_line("  - ", &line, out);
        }
    }
    strbuf_addc(out, '\n');
    strbuf_release(&line);
}

void compare_markdown(const struct compare *c, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    compare_say_title(c, &line);
    add_line("## ", &line, out);
    strbuf_addc(out, '\n');
    add_settings(c, out);
    if (c->pairs.n > 0)
        add_pairs(c, out);
    add_measure(c, out);
    for (int t = 0; t < COMPARE_TABLES; t++)
        add_table(c, (enum compare_table)t, out);
    add_groups(c, out);
    compare_say_method(c, &line);
    add_line("", &line, out);
    strbuf_adds(out,
                "\nMethod after the reviews, derived from TPC-C, not comparable with published "
                "TPC results.\n");
    strbuf_release(&line);
}
