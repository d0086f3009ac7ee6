/*
 * The text report of a ladder: its steps by users, first the response, then the drive, then what
 * limited each.
 */
#include <stdlib.h>

#include "base/xalloc.h"
#include "report/ladder.h"
#include "report/ladder_table.h"

static void add_said(void (*say)(const struct ladder *l, struct strbuf *out), const char *label,
                     const struct ladder *l, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    say(l, &line);
    if (line.len > 0)
        cell_paragraph(out, label, line.buf);
    strbuf_release(&line);
}

static void add_title(const struct ladder *l, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    strbuf_addf(&line, "tpcc-run %s", l->version ? l->version : "?");
    if (l->label && *l->label)
        strbuf_addf(&line, ", %s", l->label);
    strbuf_addf(&line, ", %s", l->started ? l->started : "?");
    if (l->host)
        strbuf_addf(&line, " on %s", l->host);
    cell_clip(out, line.buf, CELL_COLUMNS, 0);
    strbuf_addc(out, '\n');
    strbuf_release(&line);
}

/* The heads where there is no step. */
static void add_cells(enum ladder_table t, const struct ladder *l, const struct ladder_step *s,
                      struct strbuf *out)
{
    for (size_t i = 0; i < LADDER_COLUMNS; i++) {
        const struct ladder_column *c = &ladder_columns[i];

        if (c->table == t)
            strbuf_addf(out, " %7s", s ? ladder_cell(c, s).text : ladder_head(l, c));
    }
}

static void add_table(const struct ladder *l, const size_t *order, enum ladder_table t,
                      struct strbuf *out)
{
    strbuf_addf(out, "\n%-14s", ladder_table_title(t));
    add_cells(t, l, NULL, out);
    strbuf_addc(out, '\n');
    for (size_t i = 0; i < l->steps.n; i++) {
        const struct ladder_step *s = &l->steps.at[order[i]];
        const char *star = ladder_step_is_beyond(s) ? "*" : "";
        char *load = l->is_rates ? xstrdup(ladder_load_cell(l, s).text)
                                 : xasprintf("%s users%s", cell_count(s->users).text, star);

        strbuf_addf(out, "%-14s", load);
        add_cells(t, l, s, out);
        strbuf_addc(out, '\n');
        free(load);
    }
}

static void add_limits(const struct ladder *l, const size_t *order, struct strbuf *out)
{
    strbuf_adds(out, l->is_search ? "\nsteps\n" : "\nlimited by\n");
    for (size_t i = 0; i < l->steps.n; i++) {
        const struct ladder_step *s = &l->steps.at[order[i]];
        struct strbuf line;

        strbuf_init(&line);
        ladder_say_limit(s, &line);
        cell_paragraph(out, ladder_load_short(l, s).text, line.buf);
        strbuf_release(&line);
    }
}

void ladder_text(const struct ladder *l, const char *result_path, struct strbuf *out)
{
    size_t order[LADDER_STEPS_MAX];

    ladder_order(l, order);
    add_title(l, out);
    add_said(ladder_say_state, "ladder", l, out);
    add_said(ladder_say_maximum, "maximum", l, out);
    if (l->is_search && l->steps.n > 0) {
        add_said(ladder_say_answer, "answer", l, out);
        add_said(ladder_say_next, "limit", l, out);
        add_said(ladder_say_cost, "cost", l, out);
    }
    if (l->steps.n > 0) {
        add_said(ladder_say_ground, "on", l, out);
        for (int t = 0; t < LADDER_TABLES; t++)
            add_table(l, order, (enum ladder_table)t, out);
        if (ladder_star_note(l))
            strbuf_addf(out, "%s\n", ladder_star_note(l));
        add_limits(l, order, out);
        strbuf_addc(out, '\n');
        add_said(ladder_say_check, "checks", l, out);
    }
    strbuf_adds(out, "\nMethod after the reviews; derived from TPC-C, not comparable with published"
                     "\nTPC results.\nresult: ");
    cell_clean(out, result_path);
    strbuf_addc(out, '\n');
}
