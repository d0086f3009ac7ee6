/*
 * A ladder as Markdown, for publishing.
 */
#include "report/ladder.h"
#include "report/ladder_table.h"
#include "report/markdown.h"

static void add_said(void (*say)(const struct ladder *l, struct strbuf *out),
                     const struct ladder *l, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    say(l, &line);
    markdown_text(out, line.buf);
    strbuf_adds(out, line.len > 0 ? "\n\n" : "");
    strbuf_release(&line);
}

static void add_table(const struct ladder *l, const size_t *order, enum ladder_table t,
                      struct strbuf *out)
{
    struct strbuf rule;

    strbuf_init(&rule);
    strbuf_addf(out, "| %s, %s |", ladder_load_head(l), ladder_table_title(t));
    strbuf_adds(&rule, "| ---: |");
    for (size_t i = 0; i < LADDER_COLUMNS; i++) {
        if (ladder_columns[i].table != t)
            continue;
        strbuf_addf(out, " %s |", ladder_head(l, &ladder_columns[i]));
        strbuf_adds(&rule, " ---: |");
    }
    strbuf_addf(out, "\n%s\n", rule.buf);
    for (size_t k = 0; k < l->steps.n; k++) {
        const struct ladder_step *s = &l->steps.at[order[k]];

        strbuf_adds(out, "| ");
        markdown_text(out, ladder_load_cell(l, s).text);
        strbuf_adds(out, " |");
        for (size_t i = 0; i < LADDER_COLUMNS; i++) {
            if (ladder_columns[i].table == t)
                strbuf_addf(out, " %s |", ladder_cell(&ladder_columns[i], s).text);
        }
        strbuf_addc(out, '\n');
    }
    strbuf_addc(out, '\n');
    strbuf_release(&rule);
}

static void add_limits(const struct ladder *l, const size_t *order, struct strbuf *out)
{
    for (size_t k = 0; k < l->steps.n; k++) {
        const struct ladder_step *s = &l->steps.at[order[k]];
        const struct cell load = l->is_rates ? ladder_load_cell(l, s) : cell_count(s->users);
        struct strbuf line;

        strbuf_init(&line);
        ladder_say_limit(s, &line);
        strbuf_adds(out, "- ");
        markdown_text(out, load.text);
        strbuf_adds(out, l->is_rates ? ": " : " users: ");
        markdown_text(out, line.buf);
        strbuf_addc(out, '\n');
        strbuf_release(&line);
    }
    strbuf_addc(out, '\n');
}

void ladder_markdown(const struct ladder *l, const char *result_path, struct strbuf *out)
{
    size_t order[LADDER_STEPS_MAX];

    ladder_order(l, order);
    strbuf_adds(out, "### ");
    markdown_text(out, l->label && *l->label ? l->label
                       : l->is_rates         ? "A curve of offered rates"
                                             : "A ladder of users");
    strbuf_adds(out, "\n\n");
    add_said(ladder_say_state, l, out);
    add_said(ladder_say_maximum, l, out);
    if (l->is_search && l->steps.n > 0) {
        add_said(ladder_say_answer, l, out);
        add_said(ladder_say_next, l, out);
        add_said(ladder_say_cost, l, out);
    }
    if (l->steps.n > 0) {
        add_said(ladder_say_ground, l, out);
        for (int t = 0; t < LADDER_TABLES; t++)
            add_table(l, order, (enum ladder_table)t, out);
        if (ladder_star_note(l))
            strbuf_addf(out, "\\%s\n\n", ladder_star_note(l));
        add_limits(l, order, out);
        add_said(ladder_say_check, l, out);
    }
    strbuf_adds(out, "Result: ");
    markdown_text(out, result_path);
    strbuf_adds(out, "\n");
}
