/*
 * The files of a result directory: result.json, series.csv, latency.csv and batches.csv, told apart
 * by how they begin. What can be read must be writable again, read back and write the same; and a
 * report must come of it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/xalloc.h"
#include "report/csv.h"
#include "report/text.h"
#include "result/result_csv.h"
#include "result/result_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef int (*read_fn)(char *text, struct result *r, struct err *err);
typedef void (*write_fn)(const struct result *r, struct strbuf *out);

static int read_json(char *text, struct result *r, struct err *err)
{
    return result_json_read(text, r, err);
}

static void write_json(const struct result *r, struct strbuf *out)
{
    char *text = result_json_write(r);

    strbuf_adds(out, text);
    free(text);
}

static void write_series(const struct result *r, struct strbuf *out)
{
    series_csv_header(r, out);
    for (size_t i = 0; i < r->series.n_rows; i++)
        series_csv_row(series_at(&r->series, i), r->series.n_devices, out);
}

/* Of what was just written: reads back, and writes the same. */
static void same_again(const struct strbuf *first, read_fn read, write_fn write)
{
    struct result r;
    struct strbuf second;
    char *text = xstrdup(first->buf);

    result_init(&r);
    strbuf_init(&second);
    CHECK(read(text, &r, NULL) == 0);
    write(&r, &second);
    CHECK(strcmp(second.buf, first->buf) == 0);
    free(text);
    strbuf_release(&second);
    result_release(&r);
}

static void try(char *text, read_fn read, write_fn write, bool partial)
{
    struct result r;
    struct err err = {0};
    struct strbuf out;

    result_init(&r);
    strbuf_init(&out);
    r.partial = partial;
    if (read(text, &r, &err) == 0) {
        write(&r, &out);
        same_again(&out, read, write);
        strbuf_reset(&out);
        report_text(&r, "r", &out);
        report_csv(&r, &out);
    } else {
        CHECK(err.kind != ERR_NONE);
        CHECK(err.text[0]);
    }
    strbuf_release(&out);
    result_release(&r);
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = xstrndup((const char *)data, size);

    if (begins(text, "time_s"))
        try(text, series_csv_read, write_series, false);
    else if (begins(text, "+time_s")) /* of a run that was killed */
        try(text + 1, series_csv_read, write_series, true);
    else if (begins(text, "transaction"))
        try(text, latency_csv_read, latency_csv_write, false);
    else if (begins(text, "batch"))
        try(text, batches_csv_read, batches_csv_write, false);
    else
        try(text, read_json, write_json, false);
    free(text);
    return 0;
}
