/*
 * The text report of several targets: the verdict, the sum, a table of each kind with the sum as
 * its last row, then target by target.
 */
#include "base/xalloc.h"
#include "report/targets.h"
#include "report/targets_table.h"

#define NAME_COLUMNS 14

static void add_said(void (*say)(const struct targets *t, struct strbuf *out), const char *label,
                     const struct targets *t, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    say(t, &line);
    if (line.len > 0)
        cell_paragraph(out, label, line.buf);
    strbuf_release(&line);
}

static void add_title(const struct targets *t, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    strbuf_addf(&line, "tpcc-run %s", t->version ? t->version : "?");
    if (t->label && *t->label)
        strbuf_addf(&line, ", %s", t->label);
    strbuf_addf(&line, ", %s on %s", t->started ? t->started : "?", t->host ? t->host : "?");
    cell_clip(out, line.buf, CELL_COLUMNS, 0);
    strbuf_addc(out, '\n');
    strbuf_release(&line);
}

static void add_cells(enum ladder_table table, const struct ladder_step *s, struct strbuf *out)
{
    for (size_t i = 0; i < LADDER_COLUMNS; i++) {
        const struct ladder_column *c = &ladder_columns[i];

        if (c->table == table)
            strbuf_addf(out, " %7s", s ? ladder_cell(c, s).text : c->head);
    }
    strbuf_addc(out, '\n');
}

static void add_table(const struct targets *t, enum ladder_table table, struct strbuf *out)
{
    strbuf_addf(out, "\n%-*s", NAME_COLUMNS, ladder_table_title(table));
    add_cells(table, NULL, out);
    for (size_t row = 0; row < targets_rows(t); row++) {
        cell_clip_middle(out, targets_row_name(t, row), NAME_COLUMNS, 1);
        add_cells(table, targets_row_run(t, row), out);
    }
}

void targets_text(const struct targets *t, const char *result_path, struct strbuf *out)
{
    add_title(t, out);
    add_said(targets_say_state, "targets", t, out);
    add_said(targets_say_verdict, "verdict", t, out);
    if (t->rows.n > 0) {
        add_said(targets_say_sum, "sum", t, out);
        add_said(targets_say_driver, "driver", t, out);
        add_said(targets_say_shared, "shared", t, out);
        for (int table = 0; table < LADDER_TABLES; table++)
            add_table(t, (enum ladder_table)table, out);
        strbuf_addc(out, '\n');
    }
    for (size_t i = 0; i < t->rows.n; i++) {
        struct strbuf line;

        strbuf_init(&line);
        targets_say_target(&t->rows.at[i], &line);
        cell_paragraph(out, t->rows.at[i].name, line.buf);
        strbuf_release(&line);
    }
    strbuf_adds(out, "\nMethod after the reviews; derived from TPC-C, not comparable with published"
                     "\nTPC results.\nresult: ");
    cell_clean(out, result_path);
    strbuf_addc(out, '\n');
}
