/*
 * series.csv, both ways. What a row holds is in two tables, so that header, writer and reader
 * agree.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "result/csv.h"
#include "result/result_csv.h"

enum { TIME_DIGITS = 9, FIGURE_DIGITS = 6 };

struct column {
    const char *name;
    bool whole; /* int64_t, else double */
    size_t at;
};

#define FIGURE(m)                                                                                  \
    {                                                                                              \
#m, false, offsetof(struct series_row, m)                                                  \
    }
#define WHOLE(m)                                                                                   \
    {                                                                                              \
#m, true, offsetof(struct series_row, m)                                                   \
    }
#define TPS(name, row)                                                                             \
    {                                                                                              \
        "tps_" name, false, offsetof(struct series_row, tps) + (row) * sizeof(double)              \
    }

/* Behind time_s and phase. */
static const struct column columns[] = {
    WHOLE(users),
    {"tps", false, offsetof(struct series_row, tps_all)},
    TPS("new_order", 0),
    TPS("payment", 1),
    TPS("order_status", 2),
    TPS("delivery", 3),
    TPS("stock_level", 4),
    TPS("delivery_deferred", 5),
    {"response_avg_ms", false, offsetof(struct series_row, avg_ms)},
    {"response_p50_ms", false, offsetof(struct series_row, p50_ms)},
    {"response_p95_ms", false, offsetof(struct series_row, p95_ms)},
    {"response_p99_ms", false, offsetof(struct series_row, p99_ms)},
    {"response_max_ms", false, offsetof(struct series_row, max_ms)},
    WHOLE(queue),
    WHOLE(sessions_busy),
    WHOLE(retries),
    WHOLE(errors),
};

#define SERVER(m)                                                                                  \
    {                                                                                              \
        "server." #m, offsetof(struct series_row, server) + offsetof(struct result_server, m)      \
    }
#define WAITS(name, c)                                                                             \
    {                                                                                              \
        "server.wait_" name "_percent", offsetof(struct series_row, server) +                      \
                                            offsetof(struct result_server, wait_percent) +         \
                                            (c) * sizeof(double)                                   \
    }

/* Behind those of the devices, figures all; a file of an earlier program may have none of them. */
static const struct late_column {
    const char *name;
    size_t at;
} late_columns[] = {
    SERVER(active),
    WAITS("read", WAIT_READ),
    WAITS("write", WAIT_WRITE),
    WAITS("wal", WAIT_WAL),
    WAITS("lock", WAIT_LOCK),
    WAITS("cpu", WAIT_CPU),
    WAITS("client", WAIT_CLIENT),
    WAITS("other", WAIT_OTHER),
    SERVER(commit_ms),
    SERVER(commits_per_flush),
    SERVER(wal_kib_per_transaction),
    SERVER(full_page_percent),
    SERVER(cache_hit_percent),
    SERVER(page_reads_per_s),
    SERVER(cpu_ms_per_transaction),
    SERVER(cpu_percent),
    SERVER(longest_silence_ms),
    SERVER(io_read_mib_per_s),
    SERVER(io_write_mib_per_s),
    SERVER(host_cpu_percent),
    SERVER(psi_cpu_percent),
    SERVER(psi_io_percent),
    SERVER(psi_memory_percent),
    {"lateness_avg_ms", offsetof(struct series_row, lateness_avg_ms)},
    {"lateness_max_ms", offsetof(struct series_row, lateness_max_ms)},
    {"temperature_c", offsetof(struct series_row, temperature_c)},
};

_Static_assert((ARRAY_LEN(late_columns) - 3) * sizeof(double) == sizeof(struct result_server),
               "all of the server's, and three of others");

#define N_FIXED (2 + ARRAY_LEN(columns))

struct rate {
    const char *name;
    size_t at;
};

#define RATE(m)                                                                                    \
    {                                                                                              \
#m, offsetof(struct result_rates, m)                                                       \
    }

static const struct rate rates[] = {
    RATE(reads_per_s),     RATE(writes_per_s),  RATE(flushes_per_s),  RATE(read_mib_per_s),
    RATE(write_mib_per_s), RATE(read_await_ms), RATE(write_await_ms), RATE(flush_await_ms),
    RATE(queue),           RATE(busy_percent),
};

_Static_assert(ARRAY_LEN(rates) * sizeof(double) == sizeof(struct result_rates), "all of them");

void series_csv_header(const struct result *r, struct strbuf *out)
{
    csv_text(out, "time_s");
    csv_text(out, "phase");
    for (size_t i = 0; i < ARRAY_LEN(columns); i++)
        csv_text(out, columns[i].name);
    for (size_t d = 0; d < r->drive.devices.n; d++) {
        for (size_t i = 0; i < ARRAY_LEN(rates); i++) {
            char *name = xasprintf("%s.%s", r->drive.devices.at[d].name, rates[i].name);

            csv_text(out, name);
            free(name);
        }
    }
    for (size_t i = 0; i < ARRAY_LEN(late_columns); i++)
        csv_text(out, late_columns[i].name);
    csv_end(out);
}

void series_csv_row(const struct series_row *row, int n_devices, struct strbuf *out)
{
    CHECK(isfinite(row->time_s));
    csv_figure(out, row->time_s, TIME_DIGITS);
    csv_text(out, result_phase_name(row->phase));
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        const char *at = (const char *)row + columns[i].at;

        if (columns[i].whole)
            csv_whole(out, *(const int64_t *)(const void *)at);
        else
            csv_figure(out, *(const double *)(const void *)at, FIGURE_DIGITS);
    }
    for (int d = 0; d < n_devices; d++) {
        for (size_t i = 0; i < ARRAY_LEN(rates); i++) {
            const char *at = (const char *)&row->device[d] + rates[i].at;

            csv_figure(out, *(const double *)(const void *)at, FIGURE_DIGITS);
        }
    }
    for (size_t i = 0; i < ARRAY_LEN(late_columns); i++) {
        const char *at = (const char *)row + late_columns[i].at;

        csv_figure(out, *(const double *)(const void *)at, FIGURE_DIGITS);
    }
    csv_end(out);
}

/* Where the figure of a column behind the fixed ones belongs; `at` 0: not known here. */
struct target {
    const char *name;
    size_t at; /* in struct series_row */
};

struct targets {
    VEC(struct target) of; /* by column - N_FIXED */
    size_t n_cells;        /* of each row */
};

/* The rate that "<device>.<rate>" names, its dot in *dot; -1: none. */
static int rate_of(const char *column, const char **dot)
{
    *dot = strrchr(column, '.');
    for (size_t i = 0; *dot && i < ARRAY_LEN(rates); i++) {
        if (strcmp(*dot + 1, rates[i].name) == 0)
            return (int)i;
    }
    return -1;
}

static int device_of(struct result *r, const char *name, size_t len, bool add)
{
    struct result_device device = {.size_bytes = -1, .rotational = -1};

    for (size_t i = 0; i < r->drive.devices.n; i++) {
        const char *known = r->drive.devices.at[i].name;

        if (strlen(known) == len && memcmp(known, name, len) == 0)
            return (int)i;
    }
    if (!add || r->drive.devices.n == RESULT_DEVICES_MAX)
        return -1;
    device.name = xstrndup(name, len);
    VEC_PUSH(&r->drive.devices, device);
    return (int)r->drive.devices.n - 1;
}

/* 0: none of these. */
static size_t late_at(const char *column, const char **name)
{
    for (size_t i = 0; i < ARRAY_LEN(late_columns); i++) {
        *name = late_columns[i].name;
        if (strcmp(column, *name) == 0)
            return late_columns[i].at;
    }
    return 0;
}

static int read_header(struct csv *csv, struct result *r, struct targets *t, struct err *err)
{
    const bool add = r->drive.devices.n == 0;
    const char *names[N_FIXED] = {"time_s", "phase"};

    for (size_t i = 0; i < ARRAY_LEN(columns); i++)
        names[i + 2] = columns[i].name;
    if (csv_expect_header(csv, names, N_FIXED, err) < 0)
        return -1;
    t->n_cells = csv->cells.n;
    for (size_t i = N_FIXED; i < csv->cells.n; i++) {
        const char *dot = NULL;
        const char *column = csv->cells.at[i];
        const int rate = rate_of(column, &dot);
        struct target target = {.at = 0};

        if (rate >= 0) {
            const int device = device_of(r, column, (size_t)(dot - column), add);

            if (device < 0)
                return csv_complain(csv, err, "\"%s\": this device is not in result.json", column);
            target.name = rates[rate].name;
            target.at = offsetof(struct series_row, device) +
                        (size_t)device * sizeof(struct result_rates) + rates[rate].at;
        } else {
            target.at = late_at(column, &target.name);
        }
        VEC_PUSH(&t->of, target);
    }
    return 0;
}

static int read_phase(const struct csv *csv, struct series_row *row, struct err *err)
{
    for (int p = 0; p < RESULT_PHASES; p++) {
        if (strcmp(csv->cells.at[1], result_phase_name(p)) == 0) {
            row->phase = (uint8_t)p;
            return 0;
        }
    }
    return csv_complain(csv, err, "phase: \"%s\" is none", csv->cells.at[1]);
}

static int read_target(const struct csv *csv, size_t cell, const struct target *t,
                       struct series_row *row, struct err *err)
{
    void *at = (char *)row + t->at;

    if (t->at == 0)
        return 0; /* a column of a later program */
    if (t->at == offsetof(struct series_row, temperature_c))
        return csv_get_level(csv, cell, t->name, at, err);
    return csv_get_figure(csv, cell, t->name, at, err);
}

static int read_row(const struct csv *csv, const struct targets *t, struct series_row *row,
                    struct err *err)
{
    if (csv_get_figure(csv, 0, "time_s", &row->time_s, err) < 0 || read_phase(csv, row, err) < 0)
        return -1;
    if (!isfinite(row->time_s))
        return csv_complain(csv, err, "time_s: none");
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        void *at = (char *)row + columns[i].at;

        if (columns[i].whole && csv_get_whole(csv, i + 2, columns[i].name, at, err) < 0)
            return -1;
        if (!columns[i].whole && csv_get_figure(csv, i + 2, columns[i].name, at, err) < 0)
            return -1;
    }
    for (size_t i = 0; i < t->of.n; i++) {
        if (read_target(csv, N_FIXED + i, &t->of.at[i], row, err) < 0)
            return -1;
    }
    return 0;
}

int series_csv_read(char *text, struct result *r, struct err *err)
{
    struct csv csv;
    struct targets targets = {.n_cells = 0};
    int got = 0;
    int rc = -1;

    if (r->partial) {
        char *last = strrchr(text, '\n');

        text[last ? last - text + 1 : 0] = 0; /* the kill may have cut the last line */
        if (!*text)
            return 0;
    }
    csv_init(&csv, text);
    if (read_header(&csv, r, &targets, err) < 0)
        goto out;
    series_release(&r->series);
    series_init(&r->series, (int)r->drive.devices.n);
    while ((got = csv_next_of(&csv, targets.n_cells, err)) > 0) {
        if (read_row(&csv, &targets, series_push(&r->series), err) < 0)
            goto out;
    }
    rc = got;
out:
    VEC_RELEASE(&targets.of);
    csv_release(&csv);
    return rc;
}
