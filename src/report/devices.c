/*
 * The table of devices that reports and the live view share.
 */
#include "report/devices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/cell.h"
#include "result/drive_set.h"

#define DEVICES_SHOWN 5
#define NAME_COLUMNS 15

int device_of_filesystem(const struct result *r)
{
    const struct drive_set drive = drive_set_of(r, (int)r->drive.devices.n);

    return drive.n > 0 ? drive.at[0] : -1;
}

int devices_of_drive(const struct result *r)
{
    return drive_set_of(r, (int)r->drive.devices.n).n;
}

struct result_rates devices_drive_rates(const struct result *r)
{
    const struct drive_set drive = drive_set_of(r, (int)r->drive.devices.n);

    return drive_set_rates(&drive, r->sample.devices);
}

const char *devices_name(const struct result_device *d)
{
    return d->name;
}

const char *devices_model(const struct result_device *d)
{
    return d->model;
}

char *devices_words(const struct result *r, const char *(*of)(const struct result_device *d))
{
    const struct drive_set drive = drive_set_of(r, (int)r->drive.devices.n);
    struct strbuf out;

    strbuf_init(&out);
    for (int i = 0; i < drive.n; i++) {
        const char *text = of(&r->drive.devices.at[drive.at[i]]);
        bool said = text == NULL;

        for (int k = 0; k < i && !said; k++) {
            const char *before = of(&r->drive.devices.at[drive.at[k]]);

            said = before && strcmp(before, text) == 0;
        }
        if (!said)
            strbuf_addf(&out, "%s%s", out.len > 0 ? " + " : "", text);
    }
    if (out.len > 0)
        return strbuf_detach(&out);
    strbuf_release(&out);
    return NULL;
}

char *devices_summed(const struct result *r, size_t least)
{
    struct strbuf out;
    size_t n = 0;
    char *text = NULL;

    strbuf_init(&out);
    for (size_t i = 0; i < r->drive.devices.n; i++) {
        const struct result_device *d = &r->drive.devices.at[i];

        if (!d->summed)
            continue;
        strbuf_addf(&out, "%s%s", n++ ? " + " : "", d->name);
        if (d->holds)
            strbuf_addf(&out, " (%s)", d->holds);
    }
    if (n > 0 && n >= least && r->drive.devices.n > 1)
        text = xstrdup(out.buf);
    strbuf_release(&out);
    return text;
}

char *devices_remote(const struct result_remote *remote)
{
    const double ahead = remote->clock_ahead_ms;
    struct strbuf out;

    strbuf_init(&out);
    strbuf_addf(&out, "%s: %s of %s readings", remote->host, cell_count(remote->answered).text,
                cell_count(remote->asked).text);
    if (!isnan(remote->reading_error_ms))
        strbuf_addf(&out, ", their times known to %s ms; round trip %s ms",
                    cell_figure(remote->reading_error_ms).text,
                    cell_figure(remote->round_trip_ms).text);
    if (!isnan(ahead))
        strbuf_addf(&out, "; its clock is %s ms %s ours, within %s ms",
                    cell_figure(fabs(ahead)).text, ahead < 0 ? "behind" : "ahead of",
                    cell_figure(remote->clock_error_ms).text);
    if (remote->losses > 0)
        strbuf_addf(&out, "; lost %s%s, last at %s s",
                    remote->losses == 1 ? "once" : cell_count(remote->losses).text,
                    remote->losses == 1 ? "" : " times", cell_fixed(remote->lost_at_s, 0).text);
    if (remote->reason)
        strbuf_addf(&out, ": %s", remote->reason);
    return strbuf_detach(&out);
}

/* The end of a name tells more of a device than its host's beginning does. */
static void add_name(const char *name, struct strbuf *out)
{
    const size_t len = strlen(name);
    char *tail = NULL;

    if (len > NAME_COLUMNS && strchr(name, ':'))
        tail = xasprintf("...%s", name + len - (NAME_COLUMNS - 3));
    cell_clip(out, tail ? tail : name, NAME_COLUMNS, 1);
    free(tail);
}

static void add_device(const char *name, const struct result_rates *d, struct strbuf *out)
{
    const double figures[] = {d->reads_per_s,    d->writes_per_s,    d->flushes_per_s,
                              d->read_mib_per_s, d->write_mib_per_s, d->read_await_ms,
                              d->write_await_ms, d->flush_await_ms,  d->queue};

    add_name(name, out);
    for (size_t i = 0; i < ARRAY_LEN(figures); i++)
        strbuf_addf(out, " %6s", cell_figure(figures[i]).text);
    strbuf_addc(out, '\n');
}

void devices_table(const struct result *r, const struct result_rates *rates, struct strbuf *out)
{
    size_t shown = r->drive.devices.n;

    strbuf_addf(out, "%-15s %6s %6s %6s %6s %6s %6s %6s %6s %6s\n", "device", "r/s", "w/s", "f/s",
                "rMiB/s", "wMiB/s", "r-ms", "w-ms", "f-ms", "queue");
    if (shown > DEVICES_SHOWN)
        shown = DEVICES_SHOWN;
    for (size_t i = 0; i < shown; i++)
        add_device(r->drive.devices.at[i].name, &rates[i], out);
    if (shown < r->drive.devices.n)
        strbuf_addf(out, "... and %zu more in result.json\n", r->drive.devices.n - shown);
}
