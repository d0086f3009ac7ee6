/*
 * What was judged, by which figures, and what came of it: never hidden, whatever it is.
 */
#include "report/steadiness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/cell.h"
#include "report/html_text.h"
#include "result/steadiness.h"

static const char *answer(int steady)
{
    return steady < 0 ? "not judged" : steady ? "yes" : "no";
}

/* The measure nearest to its limits, or furthest beyond them. */
static void add_worst(const struct result_steadiness *s, struct strbuf *out)
{
    double worst = -1;
    int which = STEADY_RESPONSE;

    for (int m = 0; m < STEADY_MEASURES; m++) {
        const struct steady_window w = {.range_percent = s->measure[m].range_percent,
                                        .slope_percent = s->measure[m].slope_percent};
        /* What is steady since its differences are nothing is far from its limits. */
        const double excess =
            s->measure[m].steady > 0 ? fmin(steady_excess(&w), 1) : steady_excess(&w);

        if (s->measure[m].steady >= 0 && excess > worst) {
            worst = excess;
            which = m;
        }
    }
    strbuf_addf(out, "%s ranged by %s %%, slope %s %%", steadiness_words(which),
                cell_fixed(s->measure[which].range_percent, 1).text,
                cell_fixed(s->measure[which].slope_percent, 1).text);
}

void report_precondition_end(const struct result *r, struct strbuf *out)
{
    const struct result_steadiness *s = &r->steadiness;

    if (!s->precondition_end)
        return;
    if (strcmp(s->precondition_end, "steady") == 0)
        strbuf_adds(out, "the precondition ended when it was steady");
    else if (strcmp(s->precondition_end, "bound") == 0)
        strbuf_adds(out, "the precondition ended at its bound without being steady");
    else
        strbuf_adds(out, "the precondition was cut off");
    strbuf_addf(out, " (planned %s, at most %s)", cell_duration(s->precondition_planned_s).text,
                cell_duration(s->precondition_bound_s).text);
}

void report_steadiness(const struct result *r, struct strbuf *out)
{
    const struct result_steadiness *s = &r->steadiness;

    strbuf_adds(out, answer(s->steady));
    if (s->steady < 0) {
        if (s->why_none)
            strbuf_addf(out, ": %s", s->why_none);
    } else {
        strbuf_addf(out, ", %d rounds of %s: ", STEADY_WINDOW, cell_duration(s->round_s).text);
        add_worst(s, out);
    }
    if (s->steady > 0 && s->steady_from_s < s->window_start_s)
        strbuf_addf(out, "; steady since %s", cell_moment(s->steady_from_s).text);
    if (s->precondition_end)
        strbuf_adds(out, "; ");
    report_precondition_end(r, out);
}

static void add_row(struct html_table *t, const struct result_steady_measure *of, int m)
{
    char name[48];

    (void)snprintf(name, sizeof(name), "%s%s%s", steadiness_words(m),
                   *steadiness_unit(m) ? ", " : "", steadiness_unit(m));
    html_cell(t, name);
    for (int i = 0; i < STEADY_WINDOW; i++)
        html_cell(t, cell_figure(of->round[i]).text);
    html_cell(t, cell_figure(of->mean).text);
    html_cell(t, cell_fixed(of->range_percent, 1).text);
    html_cell(t, cell_fixed(of->slope_percent, 1).text);
    html_cell_markup(t, of->steady < 0 ? "too little"
                        : of->steady   ? "&#10003; yes"
                                       : "&#10005; no");
}

void html_steadiness(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "figure"},   {.head = "round 1"},
        {.head = "2"},        {.head = "3"},
        {.head = "4"},        {.head = "5"},
        {.head = "mean"},     {.head = "range, %"},
        {.head = "slope, %"}, {.head = "steady", .text = true},
    };
    const struct result_steadiness *s = &r->steadiness;
    struct html_table t;
    struct strbuf says;

    if (r->partial || !(s->round_s > 0))
        return;
    strbuf_adds(out, "<h3 id=\"steady\">Steady or not</h3>\n");
    strbuf_init(&says);
    report_steadiness(r, &says);
    strbuf_addc(&says, '.');
    html_paragraph(out, NULL, says.buf);
    strbuf_release(&says);
    if (s->steady < 0)
        return;
    html_table_begin(&t, out, "The judged rounds", columns, ARRAY_LEN(columns));
    for (int m = 0; m < STEADY_MEASURES; m++) {
        if (isfinite(s->measure[m].mean))
            add_row(&t, &s->measure[m], m);
    }
    html_table_end(&t);
    strbuf_addf(out,
                "<p class=\"note\">As SNIA's performance tests judge it: of %d rounds the range is "
                "at most %g %% of the mean, and the line through them rises or falls by at most "
                "%g %%; differences below %g ms are nothing.</p>\n",
                STEADY_WINDOW, STEADY_RANGE_PERCENT, STEADY_SLOPE_PERCENT, STEADY_LEAST_MS);
}
