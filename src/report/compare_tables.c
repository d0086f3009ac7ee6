/*
 * Figures of runs and groups, table by table (see the header). Pure.
 */
#include "report/compare_tables.h"

#include <math.h>
#include <string.h>

#include "report/compare_words.h"
#include "report/devices.h"

enum { TYPES = 5 }; /* without delivery_deferred, whose response is something else */

size_t compare_rows(const struct compare *c, struct compare_row *row)
{
    size_t n = 0;

    for (size_t g = 0; g < c->n_groups; g++) {
        const struct compare_group *group = &c->group[g];

        row[n++] = (struct compare_row){.group = group};
        for (size_t i = 0; group->n > 1 && i < group->n; i++)
            row[n++] = (struct compare_row){group, &c->run[group->run[i]]};
    }
    return n;
}

static const struct compare_columns columns[COMPARE_TABLES] = {
    [COMPARE_TABLE_FIGURES] = {"response, ms",
                               {"TPS", "% ceil", "avg", "p50", "p95", "p99", "p99.9", "max"},
                               8},
    [COMPARE_TABLE_TYPES] = {NULL, {NULL}, TYPES},
    [COMPARE_TABLE_TRANSACTION] = {"per transaction",
                                   {"reads", "writes", "flushes", "read KiB", "write KiB"},
                                   5},
    [COMPARE_TABLE_DRIVE] =
        {"drive", {"r/s", "w/s", "f/s", "rMiB/s", "wMiB/s", "r-ms", "w-ms", "f-ms", "queue"}, 9},
};

struct compare_columns compare_columns_of(const struct compare *c, enum compare_table t)
{
    struct compare_columns out = columns[t];

    if (t == COMPARE_TABLE_TYPES) {
        out.title = compare_measure_word(c->by);
        for (int i = 0; i < TYPES; i++)
            out.head[i] = result_txn_name(i);
    }
    return out;
}

static void figures_of(const struct result *r, double *figure)
{
    const struct summary *t = &r->sample.time[TIME_RESPONSE];
    const double all[] = {
        r->sample.tps, r->sample.tps_percent_of_ceiling, t->avg, t->p50, t->p95, t->p99, t->p999,
        t->max};

    memcpy(figure, all, sizeof(all));
}

static double figure_of_type(const struct result_txn *txn, enum compare_measure by)
{
    const struct summary *t = &txn->time[TIME_RESPONSE];
    const double all[COMPARE_MEASURES] = {
        [COMPARE_AVG] = t->avg,   [COMPARE_P50] = t->p50, [COMPARE_P90] = t->p90,
        [COMPARE_P95] = t->p95,   [COMPARE_P99] = t->p99, [COMPARE_P999] = t->p999,
        [COMPARE_TPS] = txn->tps,
    };

    return all[by];
}

static void transaction_of(const struct result_sample *s, double *figure)
{
    const double all[] = {s->reads_per_txn, s->writes_per_txn, s->flushes_per_txn,
                          s->read_kib_per_txn, s->write_kib_per_txn};

    memcpy(figure, all, sizeof(all));
}

static void drive_of(const struct result *r, double *figure)
{
    const struct result_rates d = devices_drive_rates(r);
    const double all[] = {d.reads_per_s,    d.writes_per_s,    d.flushes_per_s,
                          d.read_mib_per_s, d.write_mib_per_s, d.read_await_ms,
                          d.write_await_ms, d.flush_await_ms,  d.queue};

    memcpy(figure, all, sizeof(all));
}

static void cells_of_run(const struct compare *c, enum compare_table t, const struct result *r,
                         double *figure)
{
    switch (t) {
    case COMPARE_TABLE_FIGURES:
        figures_of(r, figure);
        return;
    case COMPARE_TABLE_TYPES:
        for (int i = 0; i < TYPES; i++)
            figure[i] = figure_of_type(&r->sample.by_type[i], c->by);
        return;
    case COMPARE_TABLE_TRANSACTION:
        transaction_of(&r->sample, figure);
        return;
    case COMPARE_TABLE_DRIVE:
        drive_of(r, figure);
        return;
    case COMPARE_TABLES:
        break;
    }
    UNREACHABLE();
}

/* Response and TPS of a group are the geometric means that are compared. */
static void use_compared(const struct compare_group *g, double *figure)
{
    figure[0] = g->figure[COMPARE_TPS].value;
    figure[2] = g->figure[COMPARE_AVG].value;
    figure[3] = g->figure[COMPARE_P50].value;
    figure[4] = g->figure[COMPARE_P95].value;
    figure[5] = g->figure[COMPARE_P99].value;
    figure[6] = g->figure[COMPARE_P999].value;
}

void compare_cells(const struct compare *c, enum compare_table t, const struct compare_row *row,
                   double *figure)
{
    const struct compare_group *g = row->group;
    const size_t n = columns[t].n;
    double most = 0;

    if (row->run) {
        cells_of_run(c, t, row->run->r, figure);
        return;
    }
    for (size_t k = 0; k < n; k++)
        figure[k] = 0;
    for (size_t i = 0; i < g->n; i++) {
        double of_run[COMPARE_COLUMNS_MAX];

        cells_of_run(c, t, c->run[g->run[i]].r, of_run);
        for (size_t k = 0; k < n; k++)
            figure[k] += of_run[k] / (double)g->n;
        most = fmax(most, of_run[n - 1]);
    }
    if (t == COMPARE_TABLE_FIGURES) {
        use_compared(g, figure);
        figure[n - 1] = isnan(figure[n - 1]) ? (double)NAN : most;
    }
}
