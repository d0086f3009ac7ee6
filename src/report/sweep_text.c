/*
 * See the header. The table of peaks as the reviews print it, then each curve.
 */
#include "report/sweep_text.h"

#include <math.h>
#include <stdio.h>

#include "report/cell.h"
#include "report/health.h"
#include "report/markdown.h"
#include "report/prep.h"
#include "report/text_partial.h"

struct cell sweep_say_asked(const struct sweep_point *point)
{
    struct cell cell;

    if (isnan(point->asked_iops))
        (void)snprintf(cell.text, sizeof(cell.text), "maximum");
    else if (isnan(point->percent))
        (void)snprintf(cell.text, sizeof(cell.text), "rate");
    else
        (void)snprintf(cell.text, sizeof(cell.text), "%.0f %%", point->percent);
    return cell;
}

/* A drive that rested has its caches empty again. */
static void say_pauses(const struct sweep_profile *p, struct strbuf *out)
{
    for (size_t i = 0; i < p->points.n; i++) {
        const struct sweep_point *point = &p->points.at[i];

        if (isfinite(point->after_pause_s))
            strbuf_addf(out, "; cut off, it went on at %s, %s, after %s", p->name,
                        sweep_say_asked(point).text, cell_duration(point->after_pause_s).text);
    }
}

void sweep_say_method(const struct result *r, struct strbuf *out)
{
    const struct result_sweep *s = &r->sweep;

    strbuf_addf(out, "%s a point after %s of settling; %s; ", cell_duration(s->point_seconds).text,
                cell_duration(s->settle_seconds).text, s->fio ? s->fio : "fio of no version");
    strbuf_addf(out, "%s of %s (%s)", cell_bytes(s->area_bytes).text,
                r->drive.path ? r->drive.path : "?", s->target ? s->target : "?");
    if (s->taken_from)
        strbuf_addf(out, "; oltp-blocks is made of %s", s->taken_from);
    for (size_t i = 0; i < s->profiles.n; i++)
        say_pauses(&s->profiles.at[i], out);
}

const char *sweep_say_state(const struct sweep_point *point)
{
    if (point->off == 1)
        return "off";
    return point->saturated == 1 && !isnan(point->asked_iops) ? "saturated" : "";
}

void sweep_say_chance(const struct sweep_profile *p, struct strbuf *out)
{
    double most = 0;

    for (size_t i = 0; i < p->points.n; i++)
        most = fmax(most, p->points.at[i].off_limit_percent);
    if (most > SWEEP_OFF_PERCENT)
        strbuf_addf(out, "; by the chance of its block sizes a rate may be %.3g %% off (4 sigma)",
                    most);
}

static struct cell whole(double value)
{
    return cell_count(isfinite(value) ? (int64_t)llround(value) : -1);
}

/* ---- text ---- */

static void add_peaks(const struct result *r, struct strbuf *out)
{
    strbuf_addf(out, "%-22s %10s %9s %10s %10s %12s\n", "profile", "peak IOPS", "MiB/s",
                "95 % IOPS", "at us", "below 1 ms");
    for (size_t i = 0; i < r->sweep.profiles.n; i++) {
        const struct sweep_profile *p = &r->sweep.profiles.at[i];

        cell_clip(out, p->name, 22, 1);
        strbuf_addf(out, " %10s %9s %10s %10s %12s\n", whole(p->peak_iops).text,
                    cell_figure(p->peak_mib_per_s).text, whole(p->iops_at_95_percent).text,
                    cell_figure(p->latency_us_at_95_percent).text, whole(p->iops_below_1_ms).text);
    }
}

static void add_point(const struct sweep_point *point, struct strbuf *out)
{
    const struct summary *t = &point->latency_us;

    strbuf_addf(out, "%-8s %9s %9s %8s", sweep_say_asked(point).text, whole(point->asked_iops).text,
                whole(point->iops).text, cell_figure(point->mib_per_s).text);
    strbuf_addf(out, " %7s %7s %7s %7s %6s %s\n", cell_figure(t->avg).text,
                cell_figure(t->p50).text, cell_figure(t->p99).text, cell_figure(t->max).text,
                cell_figure(point->outstanding).text, sweep_say_state(point));
}

static void add_curve(const struct sweep_profile *p, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    strbuf_addf(&line, "%s: %s, %s under way%s", p->name, p->mix ? p->mix : "?",
                cell_count(p->outstanding).text, p->modelled ? "; modelled" : "");
    if (p->sources)
        strbuf_addf(&line, " after %s", p->sources);
    sweep_say_chance(p, &line);
    strbuf_addc(out, '\n');
    cell_paragraph(out, "curve", line.buf);
    strbuf_release(&line);
    strbuf_addf(out, "%-8s %9s %9s %8s %7s %7s %7s %7s %6s\n", "asked", "IOPS", "got", "MiB/s",
                "avg us", "p50", "p99", "max", "queue");
    for (size_t i = 0; i < p->points.n; i++)
        add_point(&p->points.at[i], out);
}

static void add_drive(const struct result *r, struct strbuf *out)
{
    for (size_t i = 0; i < r->drive.devices.n; i++) {
        const struct result_device *d = &r->drive.devices.at[i];
        struct strbuf line;

        strbuf_init(&line);
        strbuf_addf(&line, "%s (%s): %s, %s, firmware %s", d->name, d->role ? d->role : "?",
                    d->model ? d->model : "no model told", cell_bytes(d->size_bytes).text,
                    d->firmware ? d->firmware : "not told");
        cell_paragraph(out, i ? "" : "drive", line.buf);
        strbuf_release(&line);
    }
    if (r->drive.devices.n == 0)
        cell_paragraph(out, "drive", r->drive.why_none ? r->drive.why_none : "no device known");
    prep_paragraph(r, out);
    report_health(r, out);
}

void sweep_text(const struct result *r, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    report_verdict(r, out);
    sweep_say_method(r, &line);
    cell_paragraph(out, "sweep", line.buf);
    add_drive(r, out);
    strbuf_addc(out, '\n');
    add_peaks(r, out);
    for (size_t i = 0; i < r->sweep.profiles.n; i++)
        add_curve(&r->sweep.profiles.at[i], out);
    strbuf_adds(out, "\nLatency is from submission to completion; beyond saturation it is what may "
                     "be\nunder way by the rate. Method after the reviews.\n");
    strbuf_release(&line);
}

/* ---- Markdown ---- */

static void add_markdown_curve(const struct sweep_profile *p, struct strbuf *out)
{
    strbuf_adds(out, "\n## ");
    markdown_text(out, p->name);
    strbuf_adds(out, "\n\n");
    markdown_text(out, p->mix ? p->mix : "?");
    strbuf_addf(out, ", %s under way%s", cell_count(p->outstanding).text,
                p->modelled ? ", modelled" : "");
    if (p->sources) {
        strbuf_adds(out, " after ");
        markdown_text(out, p->sources);
    }
    sweep_say_chance(p, out);
    strbuf_adds(out,
                "\n\n| asked | IOPS | achieved | MiB/s | avg us | p50 | p95 | p99 | p99.9 | max "
                "| under way | |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n");
    for (size_t i = 0; i < p->points.n; i++) {
        const struct sweep_point *point = &p->points.at[i];
        const struct summary *t = &point->latency_us;
        const double figures[] = {
            t->avg, t->p50, t->p95, t->p99, t->p999, t->max, point->outstanding};

        strbuf_addf(out, "| %s | %s | %s | %s |", sweep_say_asked(point).text,
                    whole(point->asked_iops).text, whole(point->iops).text,
                    cell_figure(point->mib_per_s).text);
        for (size_t k = 0; k < ARRAY_LEN(figures); k++)
            strbuf_addf(out, " %s |", cell_figure(figures[k]).text);
        strbuf_addf(out, " %s |\n", sweep_say_state(point));
    }
}

void sweep_markdown(const struct result *r, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    sweep_say_method(r, &line);
    markdown_text(out, line.buf);
    for (size_t i = 0; i < r->health.drives.n; i++) {
        strbuf_reset(&line);
        report_drive_health(r, &r->health.drives.at[i], &line);
        strbuf_adds(out, i ? "; " : "\n\nHealth: ");
        markdown_text(out, line.buf);
    }
    strbuf_release(&line);
    strbuf_adds(out, "\n\n| profile | peak IOPS | MiB/s | IOPS at 95 % | latency there, us | IOPS "
                     "below 1 ms |\n|---|--:|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < r->sweep.profiles.n; i++) {
        const struct sweep_profile *p = &r->sweep.profiles.at[i];

        strbuf_adds(out, "| ");
        markdown_text(out, p->name);
        strbuf_addf(out, " | %s | %s | %s | %s | %s |\n", whole(p->peak_iops).text,
                    cell_figure(p->peak_mib_per_s).text, whole(p->iops_at_95_percent).text,
                    cell_figure(p->latency_us_at_95_percent).text, whole(p->iops_below_1_ms).text);
    }
    for (size_t i = 0; i < r->sweep.profiles.n; i++)
        add_markdown_curve(&r->sweep.profiles.at[i], out);
}
