/*
 * Keeps the last interval of each target. TPS, sessions and errors add up, the average is that of
 * all transactions; of p99 it shows the greatest, since percentiles do not add up.
 */
#include "report/live_targets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "report/cell.h"

#define NAME_COLUMNS 14
#define LINES_BESIDE 3 /* of the block: phase, sum, and what is not shown */

struct last {
    char *name; /* NULL: nothing yet */
    double time_s, tps, avg_ms, p99_ms;
    double ceiling_tps;
    int64_t busy, queue, errors;
    bool ended;
};

struct live_targets {
    size_t n;
    char *phase;               /* of the last header; NULL: none yet */
    struct live_moment moment; /* its phase is a static text */
    struct last at[];
};

struct live_targets *live_targets_new(size_t n)
{
    struct live_targets *t = xcalloc(1, sizeof(*t) + n * sizeof(t->at[0]));

    t->n = n;
    return t;
}

void live_targets_free(struct live_targets *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->n; i++)
        free(t->at[i].name);
    free(t->phase);
    free(t);
}

/* Those that run have all come to that time. */
static bool is_whole(const struct live_targets *t, double time_s)
{
    for (size_t i = 0; i < t->n; i++) {
        if (!t->at[i].ended && (!t->at[i].name || t->at[i].time_s < time_s))
            return false;
    }
    return true;
}

bool live_targets_interval(struct live_targets *t, size_t i, const struct live_moment *m,
                           const struct result *r, const struct series_row *row)
{
    struct last *at = &t->at[i];

    CHECK(i < t->n);
    if (!at->name)
        at->name = xstrdup(r->label ? r->label : "?");
    t->moment = *m;
    at->ended = strcmp(m->phase, "ended") == 0;
    at->time_s = row->time_s;
    at->errors += row->errors;
    if (isnan(row->tps_all))
        return false; /* too short to tell a rate */
    at->tps = row->tps_all;
    at->avg_ms = row->avg_ms;
    at->p99_ms = row->p99_ms;
    at->busy = row->sessions_busy;
    at->queue = row->queue;
    at->ceiling_tps = r->workload.ceiling_tps;
    return is_whole(t, row->time_s);
}

/* The figures of all that run; name: whose p99 is the greatest. */
static struct last sum_of(const struct live_targets *t)
{
    struct last sum = {.name = NULL, .p99_ms = (double)NAN};
    double done = 0;

    for (size_t i = 0; i < t->n; i++) {
        const struct last *at = &t->at[i];

        sum.errors += at->errors;
        if (at->ended || !at->name)
            continue;
        sum.time_s = fmax(sum.time_s, at->time_s);
        sum.tps += at->tps;
        sum.ceiling_tps += at->ceiling_tps;
        sum.busy += at->busy;
        sum.queue += at->queue;
        if (isfinite(at->avg_ms)) {
            sum.avg_ms += at->tps * at->avg_ms;
            done += at->tps;
        }
        if (isnan(sum.p99_ms) || at->p99_ms > sum.p99_ms) {
            sum.p99_ms = at->p99_ms;
            sum.name = at->name;
        }
    }
    sum.avg_ms = done > 0 ? sum.avg_ms / done : (double)NAN;
    return sum;
}

static size_t running(const struct live_targets *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        n += t->at[i].name && !t->at[i].ended;
    return n;
}

static struct cell left(uint64_t ns)
{
    struct cell c;

    units_format_duration_short(ns, c.text, sizeof(c.text));
    return c;
}

static void add_figures(const struct last *at, struct strbuf *out)
{
    strbuf_addf(out, " %8s %6s %7s %7s %5s %6s %6s", cell_fixed(at->tps, 1).text,
                cell_fixed(100.0 * at->tps / at->ceiling_tps, 1).text, cell_figure(at->avg_ms).text,
                cell_figure(at->p99_ms).text, cell_count(at->busy).text, cell_count(at->queue).text,
                cell_count(at->errors).text);
}

static void add_header(const char *first, struct strbuf *out)
{
    strbuf_addf(out, "%-*s %8s %6s %7s %7s %5s %6s %6s", NAME_COLUMNS, first, "TPS", "ceil%",
                "avg ms", "p99 ms", "busy", "queue", "errors");
}

static void add_phase(const struct live_targets *t, struct strbuf *out)
{
    strbuf_addf(out, "%s, %s left; %zu of %zu targets\n", t->moment.phase,
                left(t->moment.phase_left_ns).text, running(t), t->n);
}

/* Where not all fit, those with the greatest p99 are shown. */
static bool is_among(const struct live_targets *t, size_t i, size_t most)
{
    size_t slower = 0;

    for (size_t k = 0; k < t->n; k++)
        slower +=
            t->at[k].p99_ms > t->at[i].p99_ms || (k < i && t->at[k].p99_ms == t->at[i].p99_ms);
    return slower < most;
}

void live_targets_block(const struct live_targets *t, struct strbuf *out)
{
    const size_t most = LIVE_LINES_MAX - LINES_BESIDE - 1;
    const size_t shown = t->n <= most + 1 ? t->n : most;
    const struct last sum = sum_of(t);

    add_phase(t, out);
    add_header("", out);
    strbuf_addf(out, "\n%-*s", NAME_COLUMNS, "all");
    add_figures(&sum, out);
    strbuf_addc(out, '\n');
    for (size_t i = 0; i < t->n; i++) {
        if (!t->at[i].name || !is_among(t, i, shown))
            continue;
        cell_clip_middle(out, t->at[i].name, NAME_COLUMNS, 1);
        if (t->at[i].ended)
            strbuf_adds(out, " ended");
        else
            add_figures(&t->at[i], out);
        strbuf_addc(out, '\n');
    }
    if (shown < t->n)
        strbuf_addf(out, "and %zu whose p99 is less\n", t->n - shown);
}

void live_targets_row(struct live_targets *t, struct strbuf *out)
{
    const struct last sum = sum_of(t);

    if (!t->phase || strcmp(t->phase, t->moment.phase) != 0) {
        free(t->phase);
        t->phase = xstrdup(t->moment.phase);
        add_phase(t, out);
        add_header("s", out);
        strbuf_adds(out, "  p99 of\n");
    }
    strbuf_addf(out, "%-*s", NAME_COLUMNS, cell_fixed(sum.time_s, 0).text);
    add_figures(&sum, out);
    strbuf_adds(out, "  ");
    cell_clip_middle(out, sum.name ? sum.name : "-", NAME_COLUMNS, 0);
    strbuf_addc(out, '\n');
}
