/*
 * A ladder as a table for a spreadsheet.
 */
#include "report/ladder.h"
#include "report/ladder_table.h"
#include "result/csv.h"

static void add_step(const struct ladder_step *s, struct strbuf *out)
{
    csv_whole(out, s->users);
    csv_figure(out, s->users_per_warehouse, 6);
    csv_whole(out, s->sessions);
    csv_figure(out, s->ceiling_tps, 6);
    csv_figure(out, s->percent_of_maximum, 6);
    csv_whole(out, s->due);
    csv_whole(out, s->saturated);
    for (size_t i = 0; i < LADDER_COLUMNS; i++)
        csv_figure(out, ladder_value(&ladder_columns[i], s), 6);
    csv_text(out, s->limited ? s->limited : "");
    csv_text(out, s->verdict ? s->verdict : "");
    csv_text(out, s->reasons ? s->reasons : "");
    csv_text(out, s->says ? s->says : "");
    csv_text(out, s->device ? s->device : "");
    csv_text(out, s->directory);
    csv_end(out);
}

void ladder_csv(const struct ladder *l, struct strbuf *out)
{
    static const char *const first[] = {"users",       "users_per_warehouse", "sessions",
                                        "ceiling_tps", "percent_of_maximum",  "due",
                                        "saturated"};
    static const char *const last[] = {"limited_by", "verdict", "reasons",
                                       "says",       "device",  "directory"};
    size_t order[LADDER_STEPS_MAX];

    ladder_order(l, order);
    for (size_t i = 0; i < ARRAY_LEN(first); i++)
        csv_text(out, first[i]);
    for (size_t i = 0; i < LADDER_COLUMNS; i++)
        csv_text(out, ladder_columns[i].key);
    for (size_t i = 0; i < ARRAY_LEN(last); i++)
        csv_text(out, last[i]);
    csv_end(out);
    for (size_t i = 0; i < l->steps.n; i++)
        add_step(&l->steps.at[order[i]], out);
}
