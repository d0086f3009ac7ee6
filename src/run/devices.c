/*
 * Joining device samples with intervals by their due times, which lie on the same grid.
 */
#include "run/devices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsroot.h"
#include "base/xalloc.h"
#include "drive/sampler.h"

#define SAMPLES 16 /* on their way to main */
#define LATE_SAMPLE_NS                                                                             \
    (300 * NS_PER_MS) /* what a sample may be later than its interval's figures */
#define SECTORS_A_KIB 2.0
#define BYTES_A_SECTOR 512

_Static_assert(RESULT_DEVICES_MAX <= SAMPLER_DEVICES_MAX, "the sampler takes all of a result's");

struct devices {
    struct fsroot root;
    struct sampler *sampler;
    struct bqueue *samples;
    int n;
    int filesystem; /* index of the file system's device */
    struct drive_sample last;
    struct drive_sample next;
    bool has_last;
    bool has_next;                                /* taken from the queue, not yet `last` */
    struct disk_delta sample[RESULT_DEVICES_MAX]; /* over the sample; ns == 0: nothing */
    uint64_t sample_transactions;                 /* in the intervals of sample[filesystem] */
    uint64_t sectors_written;
    bool wrote; /* sectors_written is of at least two samples */
};

static struct sampler *new_sampler(const struct run_env *env, struct devices *d, uint64_t start_ns,
                                   struct err *err)
{
    const struct sampler_opts opts = {
        .root = &d->root,
        .clock = env->clock,
        .names = env->devices,
        .n_names = (size_t)env->n_devices,
        .start_ns = start_ns,
        .interval_ns = env->plan->interval_ns,
        .out = d->samples,
    };

    return sampler_new(&opts, err);
}

static void release(struct devices *d)
{
    sampler_free(d->sampler);
    bqueue_free(d->samples);
    fsroot_release(&d->root);
    free(d);
}

static struct devices *new_devices(const struct run_env *env, uint64_t start_ns, struct err *err)
{
    struct devices *d = xcalloc(1, sizeof(*d));

    CHECK(env->n_devices <= RESULT_DEVICES_MAX);
    d->n = env->n_devices;
    d->samples = bqueue_new(SAMPLES, sizeof(struct drive_sample));
    fsroot_init(&d->root, "");
    d->sampler = new_sampler(env, d, start_ns, err);
    if (!d->sampler) {
        release(d);
        return NULL;
    }
    return d;
}

static bool wanted(const struct run_env *env)
{
    return env->n_devices > 0 && env->clock == clock_system();
}

int devices_check(const struct run_env *env, struct err *err)
{
    struct devices *d = NULL;

    if (!wanted(env))
        return 0;
    d = new_devices(env, 0, err);
    if (!d)
        return -1;
    release(d);
    return 0;
}

static int find_filesystem(const struct result *r)
{
    for (size_t i = 0; i < r->drive.devices.n; i++) {
        const char *role = r->drive.devices.at[i].role;

        if (role && strstr(role, "filesystem"))
            return (int)i;
    }
    return 0;
}

struct devices *devices_start(const struct run_env *env, const struct windows *w,
                              const struct result *r, struct err *err)
{
    struct devices *d = NULL;

    if (!wanted(env))
        return NULL;
    CHECK(r->series.n_devices == env->n_devices);
    d = new_devices(env, windows_grid_start_ns(w), err);
    if (!d)
        return NULL;
    d->filesystem = find_filesystem(r);
    if (sampler_start(d->sampler, err) < 0) {
        release(d);
        return NULL;
    }
    return d;
}

static struct result_rates rates_of(const struct disk_delta *delta)
{
    struct disk_rates rates;

    if (delta->ns == 0)
        return result_rates_none();
    disk_rates_of(delta, &rates);
    return (struct result_rates){
        .reads_per_s = rates.reads_per_s,
        .writes_per_s = rates.writes_per_s,
        .flushes_per_s = rates.flushes_per_s,
        .read_mib_per_s = rates.read_mib_per_s,
        .write_mib_per_s = rates.write_mib_per_s,
        .read_await_ms = rates.read_await_ms,
        .write_await_ms = rates.write_await_ms,
        .flush_await_ms = rates.flush_await_ms,
        .queue = rates.queue,
        .busy_percent = rates.busy_percent,
    };
}

/* `next` becomes `last`; what was written in between is the run's, whatever rows there are. */
static void step_on(struct devices *d)
{
    struct disk_delta delta;

    if (d->has_last && drive_sample_delta(&d->last, &d->next, (size_t)d->filesystem, &delta)) {
        d->sectors_written += delta.by.write_sectors;
        d->wrote = true;
    }
    d->last = d->next;
    d->has_last = true;
    d->has_next = false;
}

/* Whether there is a sample that was due at due_ns: then `next` is it. Older ones become `last`; a
 * newer one stays `next`. */
static bool sample_due_at(struct devices *d, uint64_t due_ns)
{
    while (d->has_next || bqueue_pop(d->samples, &d->next, LATE_SAMPLE_NS)) {
        d->has_next = true;
        if (d->next.due_ns >= due_ns)
            return d->next.due_ns == due_ns;
        step_on(d);
    }
    return false;
}

static void add_interval(struct devices *d, int i, const struct devices_interval *iv,
                         const struct disk_delta *delta)
{
    if (!iv->in_sample)
        return;
    disk_delta_add(&d->sample[i], delta);
    if (i == d->filesystem)
        d->sample_transactions += iv->transactions;
}

void devices_row(struct devices *d, const struct devices_interval *iv, struct series_row *row)
{
    bool there;

    if (!d)
        return;
    /* The one due at the start is the last row's, or still on its way for the first. */
    if ((!d->has_last || d->last.due_ns < iv->start_ns) && sample_due_at(d, iv->start_ns))
        step_on(d);
    there = sample_due_at(d, iv->end_ns);
    for (int i = 0; i < d->n && there; i++) {
        struct disk_delta delta;

        if (!d->has_last || d->last.due_ns != iv->start_ns)
            break;
        if (!drive_sample_delta(&d->last, &d->next, (size_t)i, &delta))
            continue;
        row->device[i] = rates_of(&delta);
        add_interval(d, i, iv, &delta);
    }
    if (there)
        step_on(d);
}

static void per_transaction(const struct devices *d, struct result_sample *s)
{
    const struct disk_delta *fs = &d->sample[d->filesystem];
    const double n = (double)d->sample_transactions;

    if (fs->ns == 0 || d->sample_transactions == 0)
        return;
    s->reads_per_txn = (double)fs->by.reads / n;
    s->writes_per_txn = (double)fs->by.writes / n;
    if (fs->by.has_flush)
        s->flushes_per_txn = (double)fs->by.flushes / n;
    s->read_kib_per_txn = (double)fs->by.read_sectors / SECTORS_A_KIB / n;
    s->write_kib_per_txn = (double)fs->by.write_sectors / SECTORS_A_KIB / n;
}

void devices_finish(struct devices *d, struct result *r)
{
    struct sampler_totals totals;

    if (!d)
        return;
    sampler_stop(d->sampler);
    while (d->has_next || bqueue_pop(d->samples, &d->next, 0))
        step_on(d);
    totals = sampler_totals(d->sampler);
    r->run.device_gaps = (int64_t)(totals.missed + totals.dropped);
    r->run.device_lost = (int64_t)totals.lost;
    if (d->wrote)
        r->run.bytes_written = (int64_t)d->sectors_written * BYTES_A_SECTOR;
    for (int i = 0; i < d->n; i++)
        r->sample.devices[i] = rates_of(&d->sample[i]);
    per_transaction(d, &r->sample);
    release(d);
}
