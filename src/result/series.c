/*
 * The time line of a run: rows of equal size, one an interval, grown at the end. `run` pushes, the
 * directory writes them through, reports read them. One thread (main).
 */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "result/result.h"

const char *result_phase_name(int phase)
{
    static const char *const names[RESULT_PHASES] = {"ramp", "precondition", "sample", "drain"};

    CHECK(phase >= 0);
    CHECK(phase < RESULT_PHASES);
    return names[phase];
}

size_t series_row_size(int n_devices)
{
    CHECK(n_devices >= 0);
    CHECK(n_devices <= RESULT_DEVICES_MAX);
    return sizeof(struct series_row) + (size_t)n_devices * sizeof(struct result_rates);
}

void series_init(struct series *s, int n_devices)
{
    CHECK(n_devices >= 0);
    CHECK(n_devices <= RESULT_DEVICES_MAX);
    *s = (struct series){.n_devices = n_devices};
}

void series_release(struct series *s)
{
    free(s->rows);
    *s = (struct series){.n_devices = 0};
}

void series_row_none(struct series_row *row, int n_devices)
{
    memset(row, 0, series_row_size(n_devices));
    row->time_s = RESULT_NONE;
    row->users = -1;
    for (int i = 0; i < RESULT_TXN_ROWS; i++)
        row->tps[i] = RESULT_NONE;
    row->tps_all = RESULT_NONE;
    row->avg_ms = RESULT_NONE;
    row->p50_ms = RESULT_NONE;
    row->p95_ms = RESULT_NONE;
    row->p99_ms = RESULT_NONE;
    row->max_ms = RESULT_NONE;
    row->queue = -1;
    row->sessions_busy = -1;
    row->retries = -1;
    row->errors = -1;
    row->lateness_avg_ms = RESULT_NONE;
    row->lateness_max_ms = RESULT_NONE;
    row->temperature_c = RESULT_NONE;
    row->server = result_server_none();
    for (int i = 0; i < n_devices; i++)
        row->device[i] = result_rates_none();
}

struct series_row *series_push(struct series *s)
{
    size_t size = series_row_size(s->n_devices);
    struct series_row *row = NULL;

    if (s->n_rows == s->cap) {
        s->cap = s->cap ? s->cap * 2 : 256;
        s->rows = xreallocarray(s->rows, s->cap, size);
    }
    row = (struct series_row *)(void *)(s->rows + s->n_rows * size);
    series_row_none(row, s->n_devices);
    s->n_rows++;
    return row;
}

struct series_row *series_at(const struct series *s, size_t i)
{
    CHECK(i < s->n_rows);
    return (struct series_row *)(void *)(s->rows + i * series_row_size(s->n_devices));
}
