/*
 * The page of one result. First the document is written as result.json and series.csv and read
 * back, so that the page at the end of a run and one made from its directory are the same to the
 * byte. One thread.
 */
#include "report/html.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/health.h"
#include "report/html_frame.h"
#include "report/html_parts.h"
#include "report/prep_table.h"
#include "report/sweep_html.h"
#include "result/result_csv.h"
#include "result/result_json.h"

/* Of series.csv, before it is packed to less than half and grows by a third in base 64. */
#define HTML_SERIES_BYTES 4500000

static void begin_page(const struct result *r, struct strbuf *out)
{
    struct strbuf title;

    strbuf_init(&title);
    strbuf_addf(&title, "%s: %s", r->label && *r->label ? r->label : "tpcc-run",
                r->started ? r->started : "-");
    html_page_begin(title.buf, out);
    strbuf_release(&title);
}

/* How many devices' series the page can carry: the first ones. */
static int devices_that_fit(const struct result *r)
{
    size_t bytes = 0;

    for (int n = 0; n < r->series.n_devices; n++) {
        struct strbuf row;

        if (r->series.n_rows == 0)
            break;
        strbuf_init(&row);
        series_csv_row(series_at(&r->series, r->series.n_rows / 2), n + 1, &row);
        bytes = row.len * r->series.n_rows;
        strbuf_release(&row);
        if (n > 0 && bytes > HTML_SERIES_BYTES)
            return n;
    }
    return r->series.n_devices;
}

/* The same with so many devices only: shares all with r. */
static struct result with_devices(const struct result *r, int n)
{
    struct result some = *r;

    if ((size_t)n < some.drive.devices.n)
        some.drive.devices.n = (size_t)n;
    return some;
}

static void write_series(const struct result *r, int n, struct strbuf *out)
{
    const struct result some = with_devices(r, n);

    series_csv_header(&some, out);
    for (size_t i = 0; i < r->series.n_rows; i++)
        series_csv_row(series_at(&r->series, i), n, out);
}

/* r as its files hold it, into `saved`; -1 where they can't be read back, as when the counters are
 * wrong and nobody has judged them yet. */
static int read_back(const struct result *r, const char *json, struct result *saved)
{
    struct strbuf series;
    int rc = -1;

    strbuf_init(&series);
    if (result_json_read(json, saved, NULL) < 0)
        goto out;
    series_csv_header(r, &series);
    for (size_t i = 0; i < r->series.n_rows; i++)
        series_csv_row(series_at(&r->series, i), r->series.n_devices, &series);
    rc = series_csv_read(series.buf, saved, NULL);
out:
    strbuf_release(&series);
    return rc;
}

void report_html(const struct result *r, const char *plan_yaml, struct strbuf *out)
{
    char *json = NULL;
    struct result saved;
    struct strbuf series;
    const struct result *doc = r;
    int n_devices = 0;

    if (result_is_sweep(r)) {
        sweep_html(r, plan_yaml, out);
        return;
    }
    if (result_is_prep(r)) {
        prep_html(r, out);
        return;
    }
    json = result_json_write(r);
    result_init(&saved);
    strbuf_init(&series);
    if (read_back(r, json, &saved) == 0)
        doc = &saved;
    n_devices = devices_that_fit(doc);
    write_series(doc, n_devices, &series);
    const struct html_data data = {.latency = r, .json = json, .series = series.buf};

    begin_page(doc, out);
    html_head(doc, out);
    html_charts(doc, n_devices, out);
    html_response(doc, out);
    html_io(doc, out);
    html_server(doc, out);
    html_health(doc, out);
    html_proof(doc, out);
    html_setup(doc, plan_yaml, out);
    html_data(&data, out);
    html_page_end(out);
    strbuf_release(&series);
    result_release(&saved);
    free(json);
}
