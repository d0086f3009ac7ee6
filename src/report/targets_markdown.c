/*
 * Several targets as Markdown, for publishing.
 */
#include "report/markdown.h"
#include "report/targets.h"
#include "report/targets_table.h"

static void add_said(void (*say)(const struct targets *t, struct strbuf *out),
                     const struct targets *t, const char *label, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    say(t, &line);
    if (line.len > 0) {
        strbuf_adds(out, label);
        markdown_text(out, line.buf);
        strbuf_adds(out, "\n\n");
    }
    strbuf_release(&line);
}

static void add_table(const struct targets *t, enum ladder_table table, struct strbuf *out)
{
    struct strbuf rule;

    strbuf_init(&rule);
    strbuf_addf(out, "| %s |", ladder_table_title(table));
    strbuf_adds(&rule, "| --- |");
    for (size_t i = 0; i < LADDER_COLUMNS; i++) {
        if (ladder_columns[i].table != table)
            continue;
        strbuf_addf(out, " %s |", ladder_columns[i].head);
        strbuf_adds(&rule, " ---: |");
    }
    strbuf_addf(out, "\n%s\n", rule.buf);
    for (size_t row = 0; row < targets_rows(t); row++) {
        strbuf_adds(out, "| ");
        markdown_text(out, targets_row_name(t, row));
        strbuf_adds(out, " |");
        for (size_t i = 0; i < LADDER_COLUMNS; i++) {
            if (ladder_columns[i].table == table)
                strbuf_addf(out, " %s |",
                            ladder_cell(&ladder_columns[i], targets_row_run(t, row)).text);
        }
        strbuf_addc(out, '\n');
    }
    strbuf_addc(out, '\n');
    strbuf_release(&rule);
}

void targets_markdown(const struct targets *t, const char *result_path, struct strbuf *out)
{
    strbuf_adds(out, "### ");
    markdown_text(out, t->label && *t->label ? t->label : "Several targets at once");
    strbuf_adds(out, "\n\n");
    add_said(targets_say_state, t, "", out);
    add_said(targets_say_verdict, t, "Verdict: ", out);
    if (t->rows.n > 0) {
        add_said(targets_say_sum, t, "Sum: ", out);
        add_said(targets_say_driver, t, "Driver: ", out);
        add_said(targets_say_shared, t, "Shared: ", out);
        for (int table = 0; table < LADDER_TABLES; table++)
            add_table(t, (enum ladder_table)table, out);
    }
    for (size_t i = 0; i < t->rows.n; i++) {
        struct strbuf line;

        strbuf_init(&line);
        targets_say_target(&t->rows.at[i], &line);
        strbuf_adds(out, "- ");
        markdown_text(out, t->rows.at[i].name);
        strbuf_adds(out, ": ");
        markdown_text(out, line.buf);
        strbuf_addc(out, '\n');
        strbuf_release(&line);
    }
    strbuf_adds(out, t->rows.n ? "\nResult: " : "Result: ");
    markdown_text(out, result_path);
    strbuf_adds(out, "\n");
}
