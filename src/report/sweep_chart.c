/*
 * See the header. IOPS from 0 to the right, latency upward on a logarithmic axis.
 */
#include "report/sweep_chart.h"

#include <math.h>

#include "report/cell.h"
#include "report/html_text.h"

#define WIDTH 760.0
#define HEIGHT 380.0
#define LEFT 92.0
#define RIGHT 40.0
#define TOP 14.0
#define BOTTOM 30.0
#define COLOURS 7
#define TICKS 5

struct axes {
    double iops_max, iops_step;
    double log_low, log_high; /* of us, base 10 */
};

/* 1, 2 or 5 times a power of ten, at least `value`. */
static double nice(double value)
{
    const double power = pow(10, floor(log10(value)));
    const double share = value / power;

    return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

struct range {
    double iops, low_us, high_us;
};

static void widen(struct range *r, double iops, double us)
{
    if (!isfinite(iops) || !(us > 0))
        return;
    r->iops = fmax(r->iops, iops);
    r->low_us = fmin(r->low_us, us);
    r->high_us = fmax(r->high_us, us);
}

static struct axes axes_of(const struct sweep_chart *c)
{
    struct range r = {0, HUGE_VAL, 0};
    struct axes a;

    for (size_t i = 0; i < c->n; i++) {
        const struct sweep_profile *p = c->line[i].profile;

        if (!p)
            widen(&r, c->line[i].iops, c->line[i].latency_us);
        for (size_t k = 0; p && k < p->points.n; k++)
            widen(&r, p->points.at[k].iops, p->points.at[k].latency_us.avg);
    }
    if (!(r.iops > 0))
        r = (struct range){100, 100, 1000};
    a.iops_step = nice(r.iops / TICKS);
    a.iops_max = a.iops_step * ceil(r.iops * 1.02 / a.iops_step);
    a.log_low = floor(log10(r.low_us * 0.95));
    a.log_high = fmax(a.log_low + 1, ceil(log10(r.high_us * 1.05)));
    return a;
}

static double x_of(const struct axes *a, double iops)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * iops / a->iops_max;
}

static double y_of(const struct axes *a, double us)
{
    const double share = (log10(us) - a->log_low) / (a->log_high - a->log_low);

    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share;
}

static bool is_drawn(const struct sweep_point *p)
{
    return isfinite(p->iops) && p->latency_us.avg > 0;
}

/* "250 us", "4 ms", "1 s". */
static void add_time(double us, struct strbuf *out)
{
    if (us < 1000)
        strbuf_addf(out, "%.3g us", us);
    else if (us < 1e6)
        strbuf_addf(out, "%.3g ms", us / 1000);
    else
        strbuf_addf(out, "%.3g s", us / 1e6);
}

/* ---- axes ---- */

static void add_level(const struct axes *a, double us, bool named, struct strbuf *out)
{
    const double y = y_of(a, us);

    strbuf_addf(out, "<path class=\"%s\" d=\"M%.1f %.1fH%.1f\"/>", named ? "level" : "half", LEFT,
                y, WIDTH - RIGHT);
    if (!named)
        return;
    strbuf_addf(out, "<text class=\"y\" x=\"%.1f\" y=\"%.1f\">", LEFT - 8, y + 4);
    add_time(us, out);
    strbuf_adds(out, "</text>\n");
}

static void add_axes(const struct axes *a, struct strbuf *out)
{
    const int decades = (int)lround(a->log_high - a->log_low);
    const int ticks = (int)lround(a->iops_max / a->iops_step);

    for (int i = 0; i <= decades; i++) {
        const double us = pow(10, a->log_low + i);

        add_level(a, us, true, out);
        if (i < decades) {
            add_level(a, 2 * us, false, out);
            add_level(a, 5 * us, false, out);
        }
    }
    for (int i = 0; i <= ticks; i++) {
        const double iops = i * a->iops_step;
        const double x = x_of(a, iops);

        strbuf_addf(out, "<path class=\"half\" d=\"M%.1f %.1fV%.1f\"/>", x, TOP, HEIGHT - BOTTOM);
        strbuf_addf(out, "<text class=\"x%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                    i % 2 ? " odd" : "", x, HEIGHT - 8, cell_count((int64_t)llround(iops)).text);
    }
    if (a->log_low < 3 && a->log_high > 3)
        strbuf_addf(out, "<path class=\"fast\" d=\"M%.1f %.1fH%.1f\"/>\n", LEFT,
                    y_of(a, SWEEP_FAST_US), WIDTH - RIGHT);
}

/* ---- lines ---- */

static void add_dot(const struct axes *a, const struct sweep_line *line,
                    const struct sweep_point *p, struct strbuf *out)
{
    strbuf_addf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"><title>",
                p->off == 1 ? "off" : "dot", x_of(a, p->iops), y_of(a, p->latency_us.avg),
                p->off == 1 ? "5" : "3");
    html_text(out, line->name);
    strbuf_addf(out, ": %s IOPS, ", cell_count((int64_t)llround(p->iops)).text);
    add_time(p->latency_us.avg, out);
    strbuf_addf(out, "%s</title></circle>\n",
                p->off == 1 ? ", not the rate that was asked for" : "");
}

/* From the lowest rate asked for; the maximum, which was found first, is the last dot but no part
 * of the line. */
static void add_curve(const struct axes *a, const struct sweep_line *line, struct strbuf *out)
{
    const struct sweep_profile *p = line->profile;
    bool drawing = false;

    strbuf_adds(out, "<path class=\"curve\" d=\"");
    for (size_t i = 0; i < p->points.n; i++) {
        const struct sweep_point *point = &p->points.at[i];

        if (isnan(point->percent) || !is_drawn(point))
            continue;
        strbuf_addf(out, "%c%.1f %.1f", drawing ? 'L' : 'M', x_of(a, point->iops),
                    y_of(a, point->latency_us.avg));
        drawing = true;
    }
    strbuf_adds(out, "\"/>\n");
    for (size_t i = 0; i < p->points.n; i++) {
        if (is_drawn(&p->points.at[i]))
            add_dot(a, line, &p->points.at[i], out);
    }
    if (p->latency_us_at_95_percent > 0)
        strbuf_addf(out,
                    "<circle class=\"knee\" cx=\"%.1f\" cy=\"%.1f\" r=\"8\"><title>95 %% of the "
                    "peak</title></circle>\n",
                    x_of(a, p->iops_at_95_percent), y_of(a, p->latency_us_at_95_percent));
}

static void add_lone_point(const struct axes *a, const struct sweep_line *line, struct strbuf *out)
{
    const double x = x_of(a, line->iops);

    if (!isfinite(line->iops) || !(line->latency_us > 0))
        return;
    const double y = y_of(a, line->latency_us);

    strbuf_addf(out, "<path class=\"lone\" d=\"M%.1f %.1fl8 8l-8 8l-8 -8z\"><title>", x, y - 8);
    html_text(out, line->name);
    strbuf_addf(out, ": %s IOPS, ", cell_count((int64_t)llround(line->iops)).text);
    add_time(line->latency_us, out);
    strbuf_adds(out, "</title></path>\n");
}

static void add_legend(const struct sweep_chart *c, struct strbuf *out)
{
    strbuf_adds(out, "<p class=\"keys\">");
    for (size_t i = 0; i < c->n; i++) {
        strbuf_addf(out,
                    "<span class=\"key\"><svg class=\"s%zu d%zu\" viewBox=\"0 0 26 8\" "
                    "aria-hidden=\"true\"><path class=\"%s\" d=\"%s\"/></svg><span>",
                    i % COLOURS + 1, i / COLOURS % 3, c->line[i].profile ? "curve" : "lone",
                    c->line[i].profile ? "M0 4H26" : "M13 0l4 4l-4 4l-4 -4z");
        html_text(out, c->line[i].name);
        strbuf_adds(out, "</span></span> ");
    }
    strbuf_adds(out, "</p>\n");
}

void sweep_chart(const struct sweep_chart *c, struct strbuf *out)
{
    const struct axes a = axes_of(c);

    CHECK(c->n <= SWEEP_LINES_MAX);
    strbuf_adds(out, "<figure class=\"sweep\">\n<figcaption><h3>");
    html_text(out, c->title);
    strbuf_adds(out, "</h3>\n");
    html_paragraph(out, "says", c->says);
    add_legend(c, out);
    strbuf_adds(out, "</figcaption>\n<div class=\"axis\">average latency, logarithmic</div>\n");
    strbuf_addf(out, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", WIDTH, HEIGHT);
    html_text(out, c->title);
    strbuf_adds(out, ": latency over IOPS; the table has the figures\">\n");
    add_axes(&a, out);
    for (size_t i = 0; i < c->n; i++) {
        strbuf_addf(out, "<g class=\"s%zu d%zu\">\n", i % COLOURS + 1, i / COLOURS % 3);
        if (c->line[i].profile)
            add_curve(&a, &c->line[i], out);
        else
            add_lone_point(&a, &c->line[i], out);
        strbuf_adds(out, "</g>\n");
    }
    strbuf_adds(out, "</svg>\n<div class=\"axis under\">I/Os a second</div>\n</figure>\n");
}
