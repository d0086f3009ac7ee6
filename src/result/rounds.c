/*
 * Sums over rows of the series. A row is short at most where a phase ends, so each counts by its
 * own length.
 */
#include "result/rounds.h"

#include <math.h>

#include "result/drive_set.h"

#define PHASE_RAMP 0 /* result_phase_name() */
#define PHASE_SAMPLE 2
#define MIB 1048576.0
#define MOMENT_S 1e-6 /* times of rows are multiples of 1 ns, printed and read back */

double rounds_row_start_s(const struct result *r, size_t i)
{
    return i > 0 ? series_at(&r->series, i - 1)->time_s : 0;
}

/* The first row that ends after at_s. */
static size_t row_after(const struct result *r, double at_s)
{
    size_t low = 0;
    size_t high = r->series.n_rows;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (series_at(&r->series, middle)->time_s > at_s + MOMENT_S)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

struct sums {
    double of[STEADY_MEASURES]; /* value x weight */
    double weight[STEADY_MEASURES];
    double events[STEADY_MEASURES];
};

/* A figure that is a mean of `events`. */
static void add_mean(struct sums *s, int measure, double value, double events)
{
    if (!isfinite(value) || !(events > 0))
        return;
    s->of[measure] += value * events;
    s->weight[measure] += events;
    s->events[measure] += events;
}

/* A rate: `events` of it happened in dt seconds. */
static void add_rate(struct sums *s, int measure, double value, double dt)
{
    if (!isfinite(value))
        return;
    s->of[measure] += value * dt;
    s->weight[measure] += dt;
}

static void add_row(struct sums *s, const struct series_row *row, const struct drive_set *drive,
                    double dt)
{
    const struct result_rates d = drive_set_rates(drive, row->device);

    add_mean(s, STEADY_RESPONSE, row->avg_ms, row->tps_all * dt);
    add_rate(s, STEADY_TPS, row->tps_all, dt);
    if (isfinite(row->tps_all))
        s->events[STEADY_TPS] += row->tps_all * dt;
    add_rate(s, STEADY_WRITE_MIB, d.write_mib_per_s, dt);
    if (isfinite(d.writes_per_s))
        s->events[STEADY_WRITE_MIB] += d.writes_per_s * dt;
    add_mean(s, STEADY_READ_AWAIT, d.read_await_ms, d.reads_per_s * dt);
    add_mean(s, STEADY_WRITE_AWAIT, d.write_await_ms, d.writes_per_s * dt);
    add_mean(s, STEADY_FLUSH_AWAIT, d.flush_await_ms, d.flushes_per_s * dt);
}

struct piece rounds_piece(const struct result *r, double start_s, double end_s)
{
    const struct drive_set drive = drive_set_of(r, r->series.n_devices);
    struct sums sums = {.of = {0}};
    struct piece piece = {.covered_s = 0};

    for (size_t i = row_after(r, start_s); i < r->series.n_rows; i++) {
        const struct series_row *row = series_at(&r->series, i);
        const double from_s = rounds_row_start_s(r, i);

        if (row->time_s > end_s + MOMENT_S)
            break;
        add_row(&sums, row, &drive, row->time_s - from_s);
        if (from_s >= start_s - MOMENT_S)
            piece.covered_s += row->time_s - from_s;
    }
    for (int m = 0; m < STEADY_MEASURES; m++) {
        piece.value[m] = sums.weight[m] > 0 ? sums.of[m] / sums.weight[m] : RESULT_NONE;
        piece.events[m] = sums.events[m];
        piece.weight[m] = sums.weight[m];
    }
    return piece;
}

int64_t rounds_bytes_written(const struct result *r, double until_s)
{
    const struct drive_set drive = drive_set_of(r, r->series.n_devices);
    double mib = 0;

    if (drive.n == 0)
        return -1;
    for (size_t i = 0; i < r->series.n_rows; i++) {
        const struct series_row *row = series_at(&r->series, i);
        const double rate = drive_set_rates(&drive, row->device).write_mib_per_s;

        if (row->time_s > until_s + MOMENT_S)
            break;
        if (isfinite(rate))
            mib += rate * (row->time_s - rounds_row_start_s(r, i));
    }
    return (int64_t)(mib * MIB);
}

double rounds_ramp_end_s(const struct result *r)
{
    double end_s = 0;

    for (size_t i = 0; i < r->series.n_rows; i++) {
        if (series_at(&r->series, i)->phase != PHASE_RAMP)
            break;
        end_s = series_at(&r->series, i)->time_s;
    }
    return end_s;
}

void rounds_sample_s(const struct result *r, double *start_s, double *end_s)
{
    *start_s = *end_s = 0;
    for (size_t i = 0; i < r->series.n_rows; i++) {
        const struct series_row *row = series_at(&r->series, i);

        if (row->phase < PHASE_SAMPLE)
            *start_s = *end_s = row->time_s;
        else if (row->phase == PHASE_SAMPLE)
            *end_s = row->time_s;
    }
}
