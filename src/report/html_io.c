/*
 * What the drive did, what one transaction cost it, and what that comes to in a day: the figures a
 * volume is sized by.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/cell.h"
#include "report/devices.h"
#include "report/html_parts.h"
#include "report/html_text.h"
#include "result/foreign.h"

#define SECONDS_PER_DAY 86400.0
#define KIB 1024.0
#define TB 1e12

static void add_devices(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "device"},      {.head = "role", .text = true},
        {.head = "r/s"},         {.head = "w/s"},
        {.head = "f/s"},         {.head = "read MiB/s"},
        {.head = "write MiB/s"}, {.head = "read await"},
        {.head = "write await"}, {.head = "flush await"},
        {.head = "queue"},       {.head = "busy %"},
    };
    struct html_table t;

    html_table_begin(&t, out, "Rates in the sample; await in ms", columns, ARRAY_LEN(columns));
    for (size_t i = 0; i < r->drive.devices.n; i++) {
        const struct result_rates *d = &r->sample.devices[i];
        const double figures[] = {d->reads_per_s,    d->writes_per_s,    d->flushes_per_s,
                                  d->read_mib_per_s, d->write_mib_per_s, d->read_await_ms,
                                  d->write_await_ms, d->flush_await_ms,  d->queue};

        html_cell(&t, r->drive.devices.at[i].name);
        html_cell(&t, r->drive.devices.at[i].role);
        for (size_t k = 0; k < ARRAY_LEN(figures); k++)
            html_cell(&t, cell_figure(figures[k]).text);
        html_cell(&t, cell_fixed(d->busy_percent, 1).text);
    }
    html_table_end(&t);
    for (size_t i = 0; i < r->drive.remotes.n; i++) {
        char *remote = devices_remote(&r->drive.remotes.at[i]);

        strbuf_adds(out, "<p class=\"note\">Read by ssh on ");
        html_text(out, remote);
        strbuf_adds(out, ".</p>\n");
        free(remote);
    }
    strbuf_adds(out, "<p class=\"note\">The file system's device and each device below it see the "
                     "same requests: rates are never summed across them. Busy is no measure of "
                     "saturation where a drive works in parallel.</p>\n");
}

/* "61.6 million". */
static struct cell amount(double n)
{
    struct cell c = {"-"};

    if (n >= 1e9)
        (void)snprintf(c.text, sizeof(c.text), "%.3g billion", n / 1e9);
    else if (n >= 1e6)
        (void)snprintf(c.text, sizeof(c.text), "%.3g million", n / 1e6);
    else if (n >= 0)
        c = cell_count(llround(n));
    return c;
}

static struct cell bytes(double n)
{
    return cell_bytes(n >= 0 && n < 9e18 ? llround(n) : -1);
}

static void add_cost(struct html_table *t, const char *what, double per_txn, double kib_per_txn,
                     double tps)
{
    const double a_day = tps * SECONDS_PER_DAY;

    html_cell(t, what);
    html_cell(t, cell_figure(per_txn).text);
    html_cell(t, cell_figure(kib_per_txn).text);
    html_cell(t, cell_figure(kib_per_txn / per_txn).text);
    html_cell(t, amount(per_txn * a_day).text);
    html_cell(t, bytes(kib_per_txn * KIB * a_day).text);
}

/* Whose requests these are, and what is not in them. */
static void add_summed(const struct result *r, struct strbuf *out)
{
    char *of = devices_summed(r, 1);

    if (of || r->drive.unseen) {
        strbuf_adds(out, "<p class=\"note\">Requests and bytes are of ");
        html_text(out, of ? of : "the device below");
        if (r->drive.unseen) {
            strbuf_adds(out, "; without ");
            html_text(out, r->drive.unseen);
        }
        strbuf_adds(out, ".</p>\n");
    }
    free(of);
}

static void add_per_transaction(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "per transaction"}, {.head = "requests"},       {.head = "KiB"},
        {.head = "KiB a request"},   {.head = "requests a day"}, {.head = "bytes a day"},
    };
    const struct result_sample *s = &r->sample;
    struct html_table t;

    html_table_begin(&t, out, "One transaction costs the drive, and a day at this load", columns,
                     ARRAY_LEN(columns));
    add_cost(&t, "reads", s->reads_per_txn, s->read_kib_per_txn, s->tps);
    add_cost(&t, "writes", s->writes_per_txn, s->write_kib_per_txn, s->tps);
    add_cost(&t, "flushes", s->flushes_per_txn, RESULT_NONE, s->tps);
    html_table_end(&t);
    add_summed(r, out);
}

/* Whose I/O it was. */
static void add_whose(const struct result *r, struct strbuf *out)
{
    struct foreign f;

    if (!foreign_find(r, &f))
        return;
    strbuf_addf(
        out,
        "<p class=\"note\">Of the %s MiB/s that the drive moved, the server's processes%s and "
        "this program account for %s; at least %s %% were others'. What the page cache "
        "writes later and the file system's journal are allowed for.</p>\n",
        cell_figure(f.drive_mib_per_s).text,
        r->sample.server_sample.beside > 0 ? ", those of the other targets on it" : "",
        cell_figure(f.ours_mib_per_s).text, cell_fixed(f.least_percent, 0).text);
}

static void add_day(const struct result *r, struct strbuf *out)
{
    const struct result_sample *s = &r->sample;
    const double a_day = s->tps * SECONDS_PER_DAY;
    const double written = s->write_kib_per_txn * KIB * a_day;

    if (!(written > 0))
        return;
    strbuf_addf(out,
                "<p>A day at %s TPS is %s transactions: the drive reads %s and writes %s. Every "
                "100 TB of rated endurance last %s days.</p>\n",
                cell_fixed(s->tps, 1).text, amount(a_day).text,
                bytes(s->read_kib_per_txn * KIB * a_day).text, bytes(written).text,
                cell_figure(100 * TB / written).text);
}

void html_io(const struct result *r, struct strbuf *out)
{
    html_section(out, "io", "Drive and I/O per transaction");
    if (r->partial) {
        html_paragraph(out, NULL, "A run that was killed has no sample; see the phases above.");
    } else if (r->drive.devices.n == 0) {
        strbuf_adds(out, "<p>No counters: ");
        html_text(out, r->drive.why_none ? r->drive.why_none : "no device");
        strbuf_adds(out, ".</p>\n");
    } else {
        add_per_transaction(r, out);
        add_day(r, out);
        add_devices(r, out);
        add_whose(r, out);
    }
    html_section_end(out);
}
