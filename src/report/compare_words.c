/*
 * Sentences of a comparison (see the header). One thread.
 */
#include "report/compare_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "result/drive_set.h"
#include "result/verdict.h"

#define GROUPS_ALL_PAIRS 4 /* up to so many each pair is shown */
#define PACE_BOUND_PERCENT 98.0

static const struct {
    const char *word, *name;
} measures[COMPARE_MEASURES] = {
    [COMPARE_AVG] = {"avg", "average response"},
    [COMPARE_P50] = {"p50", "median response"},
    [COMPARE_P90] = {"p90", "90th percentile of the response"},
    [COMPARE_P95] = {"p95", "95th percentile of the response"},
    [COMPARE_P99] = {"p99", "99th percentile of the response"},
    [COMPARE_P999] = {"p999", "99.9th percentile of the response"},
    [COMPARE_TPS] = {"tps", "TPS"},
};

const char *compare_measure_name(enum compare_measure by)
{
    return measures[by].name;
}

const char *compare_measure_word(enum compare_measure by)
{
    return measures[by].word;
}

const char *compare_measure_unit(enum compare_measure by)
{
    return by == COMPARE_TPS ? "" : " ms";
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

void compare_say_title(const struct compare *c, struct strbuf *out)
{
    strbuf_addf(out, "tpcc-run: %zu result%s in %zu group%s, ordered by %s", c->n_runs,
                plural(c->n_runs), c->n_groups, plural(c->n_groups), compare_measure_name(c->by));
}

/* ---- pairs ---- */

/* "12", with so many digits as the interval's width gives sense to. */
static struct cell percent_of(const struct signif_interval *i, double value)
{
    const double width = isfinite(i->high - i->low) ? i->high - i->low : fabs(i->value);

    return cell_fixed(value, width >= 10 ? 0 : width >= 1 ? 1 : 2);
}

/* Rounded up to two figures: the text says "less than". */
static struct cell upper_bound(double percent)
{
    struct cell out = {"-"};
    double step = 0.01;

    if (!isfinite(percent))
        return out;
    while (percent / step >= 100)
        step *= 10;
    return cell_fixed(ceil(percent / step) * step, step < 0.1 ? 2 : step < 1 ? 1 : 0);
}

static void say_interval(const struct compare_pair *p, const char *kind, struct strbuf *out)
{
    const struct signif_interval *i = &p->percent;

    if (isfinite(i->low) && isfinite(i->high))
        strbuf_addf(out, "%s interval %s to %s", kind, percent_of(i, i->low).text,
                    percent_of(i, i->high).text);
    else
        strbuf_addf(out, "%s interval not known", kind);
}

static void say_figures(const struct compare *c, const struct compare_pair *p, struct strbuf *out)
{
    strbuf_addf(out, ": %s %s and %s%s", compare_measure_name(c->by),
                cell_figure(c->group[p->a].figure[c->by].value).text,
                cell_figure(c->group[p->b].figure[c->by].value).text, compare_measure_unit(c->by));
}

static void say_unknown(const struct compare *c, const struct compare_pair *p, struct strbuf *out)
{
    const size_t runs = c->group[p->a].n + c->group[p->b].n;

    if (runs == 2)
        strbuf_adds(out, "difference in these two runs: ");
    else
        strbuf_addf(out, "difference in these %zu runs: ", runs);
    strbuf_addf(out, "%s %% (", percent_of(&p->percent, p->percent.value).text);
    say_interval(p, "within-run", out);
    strbuf_adds(out, "); spread between runs unknown");
}

void compare_say_pair(const struct compare *c, const struct compare_pair *p, struct strbuf *out)
{
    const char *a = c->group[p->a].name;
    const char *b = c->group[p->b].name;

    switch (p->says) {
    case COMPARE_FASTER:
        strbuf_addf(out, "%s is faster than %s by %s %% (", a, b,
                    percent_of(&p->percent, p->percent.value).text);
        say_interval(p, "95 %", out);
        strbuf_addc(out, ')');
        break;
    case COMPARE_SAME:
        strbuf_addf(out, "%s and %s: no difference that these runs can show (less than %s %%)", a,
                    b, upper_bound(p->most_percent).text);
        break;
    case COMPARE_UNKNOWN:
        strbuf_addf(out, "%s and %s: ", a, b);
        say_unknown(c, p, out);
        break;
    case COMPARE_NOT:
        strbuf_addf(out, "%s and %s: not compared: %s", a, b, p->why);
        return;
    }
    say_figures(c, p, out);
    if (p->unfair)
        strbuf_adds(out, "; not a fair comparison: see the warning");
}

bool compare_shows(const struct compare *c, const struct compare_pair *p)
{
    return p->says == COMPARE_FASTER || p->says == COMPARE_SAME ||
           c->n_groups <= GROUPS_ALL_PAIRS || p->a == 0;
}

/* ---- settings ---- */

static bool same_value(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool was_said(const struct compare *c, const struct compare_setting *s, size_t run)
{
    for (size_t i = 0; i < run; i++) {
        if (same_value(s->value[i], s->value[run]))
            return true;
    }
    return c->n_runs == 0;
}

/* "A, B": the groups that have this value, with how many of their runs if not all. */
static void say_who(const struct compare *c, const struct compare_setting *s, const char *value,
                    struct strbuf *out)
{
    const char *between = "";

    for (size_t g = 0; g < c->n_groups; g++) {
        const struct compare_group *group = &c->group[g];
        size_t n = 0;

        for (size_t i = 0; i < group->n; i++)
            n += same_value(s->value[group->run[i]], value);
        if (n == 0)
            continue;
        strbuf_addf(out, "%s%s", between, group->name);
        if (n < group->n)
            strbuf_addf(out, ": %zu of %zu runs", n, group->n);
        between = ", ";
    }
}

void compare_say_setting(const struct compare *c, const struct compare_setting *s,
                         struct strbuf *out)
{
    const char *between = ": ";

    strbuf_adds(out, s->name);
    for (size_t i = 0; i < c->n_runs; i++) {
        if (was_said(c, s, i))
            continue;
        strbuf_addf(out, "%s%s (", between, s->value[i] ? s->value[i] : "not known");
        say_who(c, s, s->value[i], out);
        strbuf_addc(out, ')');
        between = "; ";
    }
}

/* ---- the rest ---- */

void compare_say_group(const struct compare *c, const struct compare_group *g, struct strbuf *out)
{
    const struct result *r = c->run[g->run[0]].r;
    const struct drive_set drive = drive_set_of(r, (int)r->drive.devices.n);

    strbuf_addf(out, "%s users on %s sessions, %s, %s warehouses; %s %s; ",
                cell_count(r->workload.users).text, cell_count(r->workload.sessions).text,
                r->workload.name ? r->workload.name : "-", cell_count(r->dataset.warehouses).text,
                r->database.kind ? r->database.kind : "-",
                r->database.version ? r->database.version : "-");
    if (r->drive.path || drive.n == 0)
        strbuf_addf(out, "%s, %s", r->drive.path ? r->drive.path : "no drive",
                    r->drive.filesystem ? r->drive.filesystem : "-");
    for (int i = 0; i < drive.n; i++) {
        const struct result_device *d = &r->drive.devices.at[drive.at[i]];

        strbuf_addf(out, "%s%s%s%s%s%s",
                    i               ? " + "
                    : r->drive.path ? " on "
                                    : "",
                    d->name ? d->name : "-", d->model ? ", " : "", d->model ? d->model : "",
                    d->firmware ? " " : "", d->firmware ? d->firmware : "");
    }
}

void compare_say_run(const struct compare_run *run, struct strbuf *out)
{
    strbuf_addf(out, "%s, %s: %s", run->r->started ? run->r->started : "-",
                verdict_name(run->r->verdict.status), run->path);
}

void compare_say_method(const struct compare *c, struct strbuf *out)
{
    strbuf_adds(out, "Intervals are 95 % ones. Within one run they come of its 120 batches, and "
                     "are wider the longer neighbours resemble each other; they say nothing of "
                     "another run. Over repeats (runs of one label, three or more) they come of "
                     "Welch's t on the logarithms of the runs' figures.");
    if (c->n_judged > 1)
        strbuf_addf(out,
                    " %zu pairs are judged at once: each interval is so wide (%s %%) that all hold "
                    "together at 95 %%.",
                    c->n_judged, cell_fixed(100 * c->level, 1).text);
}

void compare_say_ceiling(const struct compare *c, struct strbuf *out)
{
    size_t bound = 0;

    for (size_t i = 0; i < c->n_runs; i++)
        bound += c->run[i].r->sample.tps_percent_of_ceiling >= PACE_BOUND_PERCENT;
    if (c->by == COMPARE_TPS && bound > 0)
        strbuf_addf(out, "TPS of %zu of %zu runs is bound by the pace: compare latency", bound,
                    c->n_runs);
}
