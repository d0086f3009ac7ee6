/*
 * Several targets as a table for a spreadsheet.
 */
#include "report/targets.h"
#include "report/targets_table.h"
#include "result/csv.h"

static void add_heads(struct strbuf *out)
{
    static const char *const first[] = {"target",   "users",       "users_per_warehouse",
                                        "sessions", "ceiling_tps", "transactions"};
    static const char *const last[] = {"limited_by", "verdict", "reasons", "device", "directory"};

    for (size_t i = 0; i < ARRAY_LEN(first); i++)
        csv_text(out, first[i]);
    for (size_t i = 0; i < LADDER_COLUMNS; i++)
        csv_text(out, ladder_columns[i].key);
    for (size_t i = 0; i < ARRAY_LEN(last); i++)
        csv_text(out, last[i]);
    csv_end(out);
}

static void add_row(const char *name, const struct ladder_step *s, struct strbuf *out)
{
    csv_text(out, name);
    csv_whole(out, s->users);
    csv_figure(out, s->users_per_warehouse, 6);
    csv_whole(out, s->sessions);
    csv_figure(out, s->ceiling_tps, 6);
    csv_whole(out, s->transactions);
    for (size_t i = 0; i < LADDER_COLUMNS; i++)
        csv_figure(out, ladder_value(&ladder_columns[i], s), 6);
    csv_text(out, s->limited ? s->limited : "");
    csv_text(out, s->verdict ? s->verdict : "");
    csv_text(out, s->reasons ? s->reasons : "");
    csv_text(out, s->device ? s->device : "");
    csv_text(out, s->directory);
    csv_end(out);
}

void targets_csv(const struct targets *t, struct strbuf *out)
{
    add_heads(out);
    for (size_t row = 0; row < targets_rows(t); row++)
        add_row(targets_row_name(t, row), targets_row_run(t, row), out);
}
