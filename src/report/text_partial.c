/*
 * A killed run has no sample and no histograms, only the rows of its series: means over each
 * phase's rows are what can be said. A mean of percentiles is no percentile, so there is none.
 */
#include "report/text_partial.h"

#include <math.h>

#include "report/cell.h"
#include "report/devices.h"

/* Sums over rows; a mean counts only rows that have the figure. */
struct mean {
    double sum;
    double n;
};

struct phase_sums {
    size_t rows;
    double end_s;
    struct mean tps;
    struct mean response_ms; /* weighted by TPS */
    double max_ms;
    int64_t errors;
};

static void mean_add(struct mean *m, double value, double weight)
{
    if (!isfinite(value) || !isfinite(weight))
        return;
    m->sum += value * weight;
    m->n += weight;
}

static double mean_of(const struct mean *m)
{
    return m->n > 0 ? m->sum / m->n : RESULT_NONE;
}

static void sum_phase(const struct result *r, int phase, struct phase_sums *p)
{
    *p = (struct phase_sums){.max_ms = RESULT_NONE};
    for (size_t i = 0; i < r->series.n_rows; i++) {
        const struct series_row *row = series_at(&r->series, i);

        if (row->phase != phase)
            continue;
        p->rows++;
        p->end_s = row->time_s;
        mean_add(&p->tps, row->tps_all, 1);
        mean_add(&p->response_ms, row->avg_ms, row->tps_all);
        p->max_ms = fmax(p->max_ms, row->max_ms);
        p->errors += row->errors > 0 ? row->errors : 0;
    }
}

static void add_phases(const struct result *r, struct strbuf *out)
{
    strbuf_addf(out, "\n%-15s %9s %10s %9s %9s %9s %9s\n", "phase", "intervals", "until, s", "TPS",
                "avg, ms", "max, ms", "errors");
    for (int phase = 0; phase < RESULT_PHASES; phase++) {
        struct phase_sums p;

        sum_phase(r, phase, &p);
        if (p.rows == 0)
            continue;
        strbuf_addf(out, "%-15s %9zu %10s %9s %9s %9s %9s\n", result_phase_name(phase), p.rows,
                    cell_figure(p.end_s).text, cell_figure(mean_of(&p.tps)).text,
                    cell_figure(mean_of(&p.response_ms)).text, cell_figure(p.max_ms).text,
                    cell_count(p.errors).text);
    }
}

/* The mean of one device's rate over the phase. */
static double mean_rate(const struct result *r, int phase, int device, size_t rate)
{
    struct mean m = {0};

    for (size_t i = 0; i < r->series.n_rows; i++) {
        const struct series_row *row = series_at(&r->series, i);
        const double *rates = (const double *)(const void *)&row->device[device];

        if (row->phase == phase)
            mean_add(&m, rates[rate], 1);
    }
    return mean_of(&m);
}

void report_text_partial(const struct result *r, struct strbuf *out)
{
    const size_t n_rows = r->series.n_rows;
    struct result_rates rates[RESULT_DEVICES_MAX];
    int last = 0;

    report_verdict(r, out);
    if (n_rows == 0) {
        cell_paragraph(out, "series", "no interval had ended");
        return;
    }
    last = series_at(&r->series, n_rows - 1)->phase;
    add_phases(r, out);
    if (r->series.n_devices == 0)
        return;
    for (int d = 0; d < r->series.n_devices; d++) {
        double *to = (double *)(void *)&rates[d];

        for (size_t i = 0; i < sizeof(rates[d]) / sizeof(double); i++)
            to[i] = mean_rate(r, last, d, i);
    }
    strbuf_addf(out, "\nmeans of its last phase, %s\n", result_phase_name(last));
    devices_table(r, rates, out);
}
