/*
 * The texts of the live view. No state, no terminal: live.c decides where they go.
 */
#include "report/live_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "report/cell.h"
#include "report/devices.h"
#include "result/drive_set.h"

#define BAR_COLUMNS 12
#define SPARK_INDENT 19
#define NS_PER_S_D 1e9

static struct cell duration(uint64_t ns)
{
    struct cell c;

    units_format_duration_short(ns, c.text, sizeof(c.text));
    return c;
}

static double ceiling_percent(const struct result *r, double tps)
{
    return 100.0 * tps / r->workload.ceiling_tps;
}

static double mib_per_s(const struct result_rates *d)
{
    return d->read_mib_per_s + d->write_mib_per_s;
}

static void add_why_none(const struct result *r, struct strbuf *out)
{
    strbuf_adds(out, "drive: no counters: ");
    cell_clean(out, r->drive.why_none ? r->drive.why_none : "no device");
    strbuf_addc(out, '\n');
}

void live_text_block(const struct live_moment *m, const struct result *r,
                     const struct series_row *row, struct strbuf *out)
{
    strbuf_addf(out, m->until_steady ? "%s until steady: at most %s left" : "%s: %s left", m->phase,
                duration(m->phase_left_ns).text);
    if (m->run_left_ns > m->phase_left_ns)
        strbuf_addf(out, ", run: %s left", duration(m->run_left_ns).text);
    strbuf_addf(out, "; %s of %s users\n", cell_count(row->users).text,
                cell_count(r->workload.users).text);
    strbuf_addf(out, "TPS %s", cell_fixed(row->tps_all, 1).text);
    if (isfinite(ceiling_percent(r, row->tps_all)))
        strbuf_addf(out, ", %.1f %% of the ceiling %.1f", ceiling_percent(r, row->tps_all),
                    r->workload.ceiling_tps);
    if (row->retries > 0 || row->errors > 0)
        strbuf_addf(out, "; retries %s, errors %s", cell_count(row->retries).text,
                    cell_count(row->errors).text);
    strbuf_addf(out, "\nresponse, ms: avg %s  p95 %s  p99 %s  max %s; queue %s, busy %s of %s\n",
                cell_figure(row->avg_ms).text, cell_figure(row->p95_ms).text,
                cell_figure(row->p99_ms).text, cell_figure(row->max_ms).text,
                cell_count(row->queue).text, cell_count(row->sessions_busy).text,
                cell_count(r->workload.sessions).text);
    if (r->drive.devices.n > 0)
        devices_table(r, row->device, out);
    else
        add_why_none(r, out);
}

void live_text_phase(const struct live_moment *m, struct strbuf *out)
{
    strbuf_addf(out, m->until_steady ? "%s until steady, at most %s left\n" : "%s, %s left\n",
                m->phase, duration(m->phase_left_ns).text);
}

void live_text_header(const struct result *r, struct strbuf *out)
{
    strbuf_addf(out, "%5s %6s %5s %6s %6s %6s %5s", "s", "TPS", "ceil%", "avg ms", "p95 ms",
                "p99 ms", "queue");
    if (r->drive.devices.n > 0)
        strbuf_addf(out, " %5s %5s %5s %5s %5s %4s", "r/s", "w/s", "MiB/s", "r-ms", "w-ms", "qd");
    strbuf_addc(out, '\n');
}

void live_text_row(const struct result *r, const struct series_row *row, struct strbuf *out)
{
    const struct drive_set drive = drive_set_of(r, (int)r->drive.devices.n);
    const struct result_rates d = drive_set_rates(&drive, row->device);

    strbuf_addf(out, "%5s %6s %5s %6s %6s %6s %5s", cell_fixed(row->time_s, 0).text,
                cell_fixed(row->tps_all, row->tps_all < 9999.95 ? 1 : 0).text,
                cell_fixed(ceiling_percent(r, row->tps_all), 1).text, cell_figure(row->avg_ms).text,
                cell_figure(row->p95_ms).text, cell_figure(row->p99_ms).text,
                cell_fixed(row->queue < 0 ? RESULT_NONE : (double)row->queue, 0).text);
    if (r->drive.devices.n > 0)
        strbuf_addf(out, " %5s %5s %5s %5s %5s %4s", cell_fixed(d.reads_per_s, 0).text,
                    cell_fixed(d.writes_per_s, 0).text, cell_fixed(mib_per_s(&d), 1).text,
                    cell_figure(d.read_await_ms).text, cell_figure(d.write_await_ms).text,
                    cell_fixed(d.queue, 1).text);
    strbuf_addc(out, '\n');
}

static void spark_push(double *values, int n, double value)
{
    if (n == LIVE_SPARKS)
        memmove(values, values + 1, (LIVE_SPARKS - 1) * sizeof(*values));
    values[n == LIVE_SPARKS ? n - 1 : n] = value;
}

void live_sparks_add(struct live_sparks *s, const struct series_row *row)
{
    spark_push(s->tps, s->n, row->tps_all);
    spark_push(s->p99_ms, s->n, row->p99_ms);
    if (s->n < LIVE_SPARKS)
        s->n++;
}

struct spark {
    const char *name, *unit;
    const double *values;
    int n;
};

/* "TPS up to 812.0" and the newest values as bars, as high as they are of the greatest shown. */
static void add_spark(const struct spark *spark, const struct live_screen *screen,
                      struct strbuf *out)
{
    static const char *const bars[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                       "\u2585", "\u2586", "\u2587", "\u2588"};
    static const char *const plain[] = {".", ":", "-", "=", "+", "*", "#", "@"};
    const size_t from = out->len;
    const double *values = spark->values;
    const int n = spark->n;
    int first = n - (screen->columns - SPARK_INDENT);
    double most = 0;

    first = first < 0 ? 0 : first > n ? n : first;
    for (int i = first; i < n; i++)
        most = fmax(most, values[i]);
    strbuf_addf(out, "%s up to %s%s", spark->name, cell_figure(most > 0 ? most : RESULT_NONE).text,
                spark->unit);
    do
        strbuf_addc(out, ' ');
    while (out->len - from < SPARK_INDENT);
    for (int i = first; i < n; i++) {
        const int level = most > 0 ? (int)(7.999 * fmax(values[i], 0) / most) : 0;

        if (!isfinite(values[i]))
            strbuf_addc(out, ' ');
        else
            strbuf_adds(out, screen->utf8 ? bars[level] : plain[level]);
    }
    strbuf_addc(out, '\n');
}

void live_text_sparks(const struct live_sparks *s, const struct live_screen *screen,
                      struct strbuf *out)
{
    const struct spark tps = {"TPS", "", s->tps, s->n};
    const struct spark p99 = {"p99", " ms", s->p99_ms, s->n};

    add_spark(&tps, screen, out);
    add_spark(&p99, screen, out);
}

/* "1,234", "1.2 GB". */
static struct cell amount(double n, bool bytes)
{
    const int64_t whole = n < 9e18 ? llround(n) : INT64_MAX;

    return bytes ? cell_bytes(whole) : cell_short_count(whole);
}

static void add_amount(const struct progress *p, struct strbuf *out)
{
    const bool bytes = strcmp(p->unit, "bytes") == 0;

    strbuf_adds(out, amount((double)p->done, bytes).text);
    if (p->done < p->total)
        strbuf_addf(out, " of %s", amount((double)p->total, bytes).text);
    if (!bytes)
        strbuf_addf(out, " %s", p->unit);
}

static void add_bar(double share, struct strbuf *out)
{
    const int full = (int)(share * BAR_COLUMNS);

    strbuf_addc(out, '[');
    for (int i = 0; i < BAR_COLUMNS; i++)
        strbuf_addc(out, i < full ? '#' : '.');
    strbuf_adds(out, "] ");
}

/* Slow things have decimals: "0.4/s". */
static void add_rate(const struct progress *p, double per_s, struct strbuf *out)
{
    const bool bytes = strcmp(p->unit, "bytes") == 0;

    strbuf_addf(out, ", %s/s",
                !bytes && per_s < 10 ? cell_fixed(per_s, 1).text : amount(per_s, bytes).text);
}

/* Time left, or taken; nothing where whoever reports does not time it. */
static void add_time(const struct progress *p, double share, struct strbuf *out)
{
    const double seconds = (double)p->elapsed_ns / NS_PER_S_D;

    if (p->elapsed_ns == 0)
        return;
    if (share >= 1)
        strbuf_addf(out, "in %s, ", duration(p->elapsed_ns).text);
    else if (share > 0 && seconds >= 1)
        strbuf_addf(out, "%s left, ", cell_duration(ceil(seconds * (1 - share) / share)).text);
    else
        strbuf_addf(out, "%s, ", duration(p->elapsed_ns).text);
}

/* What matters first, since a narrow terminal cuts the end. */
void live_text_step(const struct progress *p, bool bar, struct strbuf *out)
{
    const double share = p->total > 0 ? fmin((double)p->done / (double)p->total, 1) : 0;

    strbuf_addf(out, "%-9s ", p->step);
    if (p->total > 0 && bar)
        add_bar(share, out);
    if (p->total > 0)
        strbuf_addf(out, "%3.0f %%, ", floor(100 * share));
    add_time(p, share, out);
    if (p->all_left_ns > 0)
        strbuf_addf(out, "%s left of all, ", duration(p->all_left_ns).text);
    add_amount(p, out);
    if (p->done > 0 && p->elapsed_ns > 0)
        add_rate(p, (double)p->done * NS_PER_S_D / (double)p->elapsed_ns, out);
    strbuf_addc(out, '\n');
}

void live_text_step_end(const char *step, uint64_t elapsed_ns, struct strbuf *out)
{
    strbuf_addf(out, "%-9s over", step);
    if (elapsed_ns > 0)
        strbuf_addf(out, " after %s", duration(elapsed_ns).text);
    strbuf_addc(out, '\n');
}
