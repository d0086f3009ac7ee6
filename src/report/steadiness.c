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

/* Beyond the industry's limits where these are not those that hold: what the rounds' own noise may
 * make is then part of the answer. */
static bool beyond(const struct steady_window *w)
{
    return (w->range_percent > STEADY_RANGE_PERCENT &&
            steady_range_limit(w) > STEADY_RANGE_PERCENT) ||
           (fabs(w->slope_percent) > STEADY_SLOPE_PERCENT &&
            steady_slope_limit(w) > STEADY_SLOPE_PERCENT);
}

/* The measure nearest to its limits, or furthest beyond them. */
static void add_worst(const struct result_steadiness *s, struct strbuf *out)
{
    double worst = -1;
    int which = STEADY_RESPONSE;
    struct steady_window of;

    for (int m = 0; m < STEADY_MEASURES; m++) {
        const struct steady_window w = steadiness_window(&s->measure[m]);
        /* What is steady since its differences are nothing is far from its limits. */
        const double excess =
            s->measure[m].steady > 0 ? fmin(steady_excess(&w), 1) : steady_excess(&w);

        if (s->measure[m].steady >= 0 && excess > worst) {
            worst = excess;
            which = m;
        }
    }
    of = steadiness_window(&s->measure[which]);
    strbuf_addf(out, "%s ranged by %s %%, slope %s %%", steadiness_words(which),
                cell_fixed(of.range_percent, 1).text, cell_fixed(of.slope_percent, 1).text);
    if (beyond(&of))
        strbuf_addf(out, "; chance may make %s and %s %%",
                    cell_fixed(of.chance_range_percent, 0).text,
                    cell_fixed(of.chance_slope_percent, 0).text);
}

/* How the precondition ended, with --until-steady; appends nothing without it. */
static void add_precondition_end(const struct result *r, struct strbuf *out)
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
    add_precondition_end(r, out);
}

static void add_row(struct html_table *t, const struct result_steady_measure *of, int m)
{
    char name[48];
    char chance[128];

    (void)snprintf(name, sizeof(name), "%s%s%s", steadiness_words(m),
                   *steadiness_unit(m) ? ", " : "", steadiness_unit(m));
    (void)snprintf(chance, sizeof(chance), "%s, %s", cell_fixed(of->chance_range_percent, 1).text,
                   cell_fixed(of->chance_slope_percent, 1).text);
    html_cell(t, name);
    for (int i = 0; i < STEADY_WINDOW; i++)
        html_cell(t, cell_figure(of->round[i]).text);
    html_cell(t, cell_figure(of->mean).text);
    html_cell(t, cell_fixed(of->range_percent, 1).text);
    html_cell(t, cell_fixed(of->slope_percent, 1).text);
    html_cell(t, chance);
    html_cell_markup(t, of->steady < 0 ? "too little"
                        : of->steady   ? "&#10003; yes"
                                       : "&#10005; no");
}

void html_steadiness(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "figure"},
        {.head = "round 1"},
        {.head = "2"},
        {.head = "3"},
        {.head = "4"},
        {.head = "5"},
        {.head = "mean"},
        {.head = "range, %"},
        {.head = "slope, %"},
        {.head = "chance, %"},
        {.head = "steady", .text = true},
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
                "%g %%, or both by what chance may make of rounds of one level (range, slope; as "
                "far as the rounds vary within themselves, in one window of %.0f it makes more); "
                "differences below %g ms are nothing.</p>\n",
                STEADY_WINDOW, STEADY_RANGE_PERCENT, STEADY_SLOPE_PERCENT, 1 / STEADY_CHANCE,
                STEADY_LEAST_MS);
}
