/*
 * What happened along the run, as tables below the charts, which show the same as upright lines:
 * each change of level; of what comes again and again (checkpoints, vacuums) how often and how
 * long.
 */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "report/cell.h"
#include "report/html_parts.h"
#include "report/html_text.h"

#define KINDS_SHOWN 100 /* rows of the table; all are in result.json */

/* All marks of one text. */
struct repeated {
    const struct result_mark *first, *last;
    int64_t times, ended;
    double seconds, longest_s;
};

static bool is_change(const struct result_mark *m)
{
    return m->kind && strcmp(m->kind, "change") == 0;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static void count(struct repeated *of, const struct result_mark *m)
{
    if (of->times == 0)
        of->first = m;
    of->last = m;
    of->times++;
    if (!isfinite(m->end_s - m->start_s))
        return;
    of->ended++;
    of->seconds += m->end_s - m->start_s;
    of->longest_s = fmax(of->longest_s, m->end_s - m->start_s);
}

static void add_changes(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "at, h:min:s"}, {.head = "change", .text = true}, {.head = "written before it"}};
    struct html_table t;
    bool any = false;

    for (size_t i = 0; i < r->marks.n; i++)
        any |= is_change(&r->marks.at[i]);
    if (!any)
        return;
    html_table_begin(&t, out, "Changes of level", columns, ARRAY_LEN(columns));
    for (size_t i = 0; i < r->marks.n; i++) {
        const struct result_mark *m = &r->marks.at[i];

        if (!is_change(m))
            continue;
        html_cell(&t, cell_moment(m->start_s).text);
        html_cell(&t, m->text);
        html_cell(&t, m->bytes_written < 0 ? NULL : cell_bytes(m->bytes_written).text);
    }
    html_table_end(&t);
}

static void add_repeated(struct html_table *t, const struct repeated *of)
{
    const double mean_s = of->ended ? of->seconds / (double)of->ended : RESULT_NONE;

    html_cell(t, of->first->text);
    html_cell(t, cell_count(of->times).text);
    html_cell(t, cell_moment(of->first->start_s).text);
    html_cell(t, cell_moment(of->last->start_s).text);
    html_cell(t, cell_fixed(mean_s, 1).text);
    html_cell(t, cell_fixed(of->ended ? of->longest_s : RESULT_NONE, 1).text);
}

void html_marks(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "what"},    {.head = "times"},   {.head = "first at, h:min:s"},
        {.head = "last at"}, {.head = "mean, s"}, {.head = "longest, s"}};
    VEC(struct repeated) all = {0};
    struct html_table t;

    add_changes(r, out);
    for (size_t i = 0; i < r->marks.n; i++) {
        const struct result_mark *m = &r->marks.at[i];
        size_t k = 0;

        if (is_change(m))
            continue;
        while (k < all.n && !same_text(all.at[k].first->text, m->text))
            k++;
        if (k == all.n)
            VEC_PUSH(&all, ((struct repeated){0}));
        count(&all.at[k], m);
    }
    if (all.n > 0) {
        html_table_begin(&t, out, "What happened along the run", columns, ARRAY_LEN(columns));
        for (size_t k = 0; k < all.n && k < KINDS_SHOWN; k++)
            add_repeated(&t, &all.at[k]);
        html_table_end(&t);
        strbuf_adds(out, "<p class=\"note\">Each with its time is in result.json. When a "
                         "checkpoint or a vacuum ended is known to an interval.</p>\n");
    }
    VEC_RELEASE(&all);
}
