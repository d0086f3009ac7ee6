/*
 * The devices of a drive and their sums (see the header). Pure.
 */
#include "result/drive_set.h"

#include <math.h>
#include <string.h>

static bool is_filesystems(const struct result_device *d)
{
    return d->role && strstr(d->role, "filesystem");
}

struct drive_set drive_set_of(const struct result *r, int n_devices)
{
    const struct result_device *of = r->drive.devices.at;
    const int n = (int)fmin(fmin((double)r->drive.devices.n, n_devices), RESULT_DEVICES_MAX);
    struct drive_set s = {.n = 0, .known = true};

    for (int i = 0; i < n; i++) {
        if (of[i].summed)
            s.at[s.n++] = i;
    }
    for (int i = 0; i < n && s.n == 0; i++) {
        if (is_filesystems(&of[i]))
            s.at[s.n++] = i;
    }
    if (s.n == 0) {
        s.known = false;
        s.n = n_devices > 0 ? 1 : 0;
    }
    return s;
}

/* The mean of requests: a device that had none has no mean and does not count. */
struct await {
    double ms, requests;
};

static void add_await(struct await *sum, double ms, double requests)
{
    if (requests <= 0)
        return;
    sum->ms += ms * requests;
    sum->requests += requests;
}

static double await_of(const struct await *sum)
{
    return sum->requests > 0 ? sum->ms / sum->requests : RESULT_NONE;
}

/* NaN where one is. */
static double greater(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

struct result_rates drive_set_rates(const struct drive_set *s, const struct result_rates *device)
{
    struct result_rates out = {.reads_per_s = 0};
    struct await reads = {0, 0};
    struct await writes = {0, 0};
    struct await flushes = {0, 0};

    if (s->n == 0)
        return result_rates_none();
    if (s->n == 1)
        return device[s->at[0]];
    for (int i = 0; i < s->n; i++) {
        const struct result_rates *d = &device[s->at[i]];

        out.reads_per_s += d->reads_per_s;
        out.writes_per_s += d->writes_per_s;
        out.flushes_per_s += d->flushes_per_s;
        out.read_mib_per_s += d->read_mib_per_s;
        out.write_mib_per_s += d->write_mib_per_s;
        out.queue += d->queue;
        out.busy_percent = greater(out.busy_percent, d->busy_percent);
        add_await(&reads, d->read_await_ms, d->reads_per_s);
        add_await(&writes, d->write_await_ms, d->writes_per_s);
        add_await(&flushes, d->flush_await_ms, d->flushes_per_s);
    }
    out.read_await_ms = await_of(&reads);
    out.write_await_ms = await_of(&writes);
    out.flush_await_ms = await_of(&flushes);
    return out;
}
