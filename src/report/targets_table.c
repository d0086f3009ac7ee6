/*
 * One sentence each; the reports set them.
 */
#include "report/targets_table.h"

#include <math.h>
#include <string.h>

#include "result/verdict.h"

size_t targets_rows(const struct targets *t)
{
    return t->rows.n + (t->sum.directory ? 1 : 0);
}

const char *targets_row_name(const struct targets *t, size_t row)
{
    return row < t->rows.n ? t->rows.at[row].name : TARGETS_SUM;
}

const struct ladder_step *targets_row_run(const struct targets *t, size_t row)
{
    return row < t->rows.n ? &t->rows.at[row].run : &t->sum;
}

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

void targets_say_state(const struct targets *t, struct strbuf *out)
{
    strbuf_addf(out, "%zu of %s targets at once", t->rows.n, cell_count(t->planned).text);
    if (t->workload)
        strbuf_addf(out, ", each with the workload %s", t->workload);
    if (isfinite(t->mean_cycle_s))
        strbuf_addf(out, " (a mean cycle of %s s)", cell_figure(t->mean_cycle_s).text);
    if (!t->ended_by)
        strbuf_adds(out, ": cut off, or still under way");
    else if (!is(t->ended_by, "plan"))
        strbuf_addf(out, ": ended by %s", t->ended_by);
}

void targets_say_verdict(const struct targets *t, struct strbuf *out)
{
    const char *comma = ": ";

    strbuf_adds(out, t->verdict ? t->verdict : "none");
    for (size_t i = 0; i < t->rows.n; i++) {
        const struct target_row *row = &t->rows.at[i];

        if (is(row->run.verdict, verdict_name(VERDICT_VALID)))
            continue;
        strbuf_addf(out, "%s%s %s", comma, row->name, row->run.verdict);
        if (row->run.reasons)
            strbuf_addf(out, " (%s)", row->run.reasons);
        if (!is(row->ended_by, "plan"))
            strbuf_addf(out, ", ended by %s", row->ended_by ? row->ended_by : "an error");
        comma = "; ";
    }
}

void targets_say_sum(const struct targets *t, struct strbuf *out)
{
    const struct ladder_step *s = &t->sum;

    if (!s->directory) {
        strbuf_adds(out, "none: no target was measured up to the end of its sample");
        return;
    }
    strbuf_addf(out, "TPS %s", cell_fixed(s->tps, 1).text);
    if (isfinite(s->tps_percent_of_ceiling))
        strbuf_addf(out, ", %s %% of the ceiling %s", cell_fixed(s->tps_percent_of_ceiling, 1).text,
                    cell_fixed(s->ceiling_tps, 1).text);
    strbuf_addf(out, "; response avg %s  p95 %s  p99 %s ms", cell_figure(s->response.avg).text,
                cell_figure(s->response.p95).text, cell_figure(s->response.p99).text);
    if (t->summed < (int64_t)t->rows.n)
        strbuf_addf(out, "; of %s of %zu targets, those whose sample is whole",
                    cell_count(t->summed).text, t->rows.n);
}

void targets_say_driver(const struct targets *t, struct strbuf *out)
{
    const struct targets_driver *d = &t->driver;

    strbuf_addf(
        out,
        "one process for all: %s %% of one processor, %s us a transaction, %s MiB; lateness "
        "p99 %s ms at the target that has the most",
        cell_fixed(d->cpu_percent, 1).text, cell_figure(d->cpu_us_per_transaction).text,
        cell_fixed(d->rss_mib, 0).text, cell_figure(d->lateness_p99_ms).text);
}

void targets_say_shared(const struct targets *t, struct strbuf *out)
{
    if (t->shared)
        strbuf_addf(out,
                    "%s: what such a device did is in the figures of each, and once in the sum",
                    t->shared);
}

void targets_say_target(const struct target_row *row, struct strbuf *out)
{
    const struct ladder_step *s = &row->run;

    strbuf_addf(out, "%s users on %s sessions; %s", cell_count(s->users).text,
                cell_count(s->sessions).text, row->database ? row->database : "-");
    if (row->drive)
        strbuf_addf(out, " on %s", row->drive);
    if (s->device)
        strbuf_addf(out, " (%s)", s->device);
    strbuf_addf(out, "; limited by %s: %s; %s", s->limited ? s->limited : "-",
                s->evidence ? s->evidence : "-", s->verdict);
    if (s->reasons)
        strbuf_addf(out, " (%s)", s->reasons);
    if (!is(row->ended_by, "plan"))
        strbuf_addf(out, ", ended by %s", row->ended_by ? row->ended_by : "an error");
    strbuf_addf(out, "; result %s", s->directory);
}
