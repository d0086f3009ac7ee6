/*
 * What happened along the run, as a table below the charts, which show the same as upright lines.
 */
#include <stdio.h>

#include "report/cell.h"
#include "report/html_parts.h"
#include "report/html_text.h"

#define MARKS_SHOWN 100 /* of the table; all are in result.json */

static void add_mark(struct html_table *t, const struct result_mark *m)
{
    html_cell(t, cell_moment(m->start_s).text);
    html_cell(t, isfinite(m->end_s) ? cell_fixed(m->end_s - m->start_s, 1).text : NULL);
    html_cell(t, m->kind);
    html_cell(t, m->text);
    html_cell(t, m->bytes_written < 0 ? NULL : cell_bytes(m->bytes_written).text);
}

void html_marks(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {{.head = "at, h:min:s"},
                                                 {.head = "for, s"},
                                                 {.head = "what", .text = true},
                                                 {.head = "evidence", .text = true},
                                                 {.head = "written before it"}};
    struct html_table t;

    if (r->marks.n == 0)
        return;
    html_table_begin(&t, out, "What happened along the run", columns, ARRAY_LEN(columns));
    for (size_t i = 0; i < r->marks.n && i < MARKS_SHOWN; i++)
        add_mark(&t, &r->marks.at[i]);
    html_table_end(&t);
    if (r->marks.n > MARKS_SHOWN)
        strbuf_addf(out, "<p class=\"note\">The first %d of %zu; all are in result.json.</p>\n",
                    MARKS_SHOWN, r->marks.n);
}
