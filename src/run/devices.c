/*
 * Joining device samples with intervals by their due times, which lie on the same grid.
 */
#include "run/devices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsroot.h"
#include "base/xalloc.h"
#include "config/hostname.h"
#include "drive/record.h"
#include "drive/sampler.h"

#define SAMPLES 16 /* on their way to main */
#define LATE_SAMPLE_NS                                                                             \
    (300 * NS_PER_MS) /* what a sample may be later than its interval's figures */
#define SECTORS_A_KIB 2.0
#define BYTES_A_SECTOR 512

_Static_assert(RESULT_DEVICES_MAX <= SAMPLER_DEVICES_MAX, "the sampler takes all of a result's");

/* What the summed devices did in the sample, in the intervals in which there is a figure of each.
 */
struct cost {
    uint64_t intervals, transactions;
    uint64_t reads, writes, flushes, read_sectors, write_sectors;
    bool has_flush; /* of each */
};

struct devices {
    struct fsroot machine;
    const struct fsroot *root;
    const struct clock *clock;
    struct log *log;
    struct sampler *sampler;
    struct remote *const *remotes; /* the sampler's while it runs */
    size_t n_remotes;
    struct bqueue *samples;
    uint64_t grid_ns, interval_ns;
    int n;
    const char *const *names;
    bool summed[RESULT_DEVICES_MAX];
    struct drive_sample last;
    struct drive_sample next;
    bool has_last;
    bool has_next;                                       /* taken from the queue, not yet `last` */
    struct drive_sample_device good[RESULT_DEVICES_MAX]; /* the last valid reading of each */
    struct disk_delta sample[RESULT_DEVICES_MAX];        /* over the sample; ns == 0: nothing */
    struct cost cost;
    uint64_t asked_ns; /* the sample's whole intervals */
    uint64_t missing_ns[RESULT_DEVICES_MAX];
    uint64_t sectors_written;
    bool wrote; /* sectors_written is of at least two samples */
};

static struct sampler *new_sampler(const struct run_env *env, struct devices *d, uint64_t start_ns,
                                   struct err *err)
{
    const struct sampler_opts opts = {
        .root = d->root,
        .clock = env->clock,
        .names = env->devices,
        .n_names = (size_t)env->n_devices,
        .remotes = env->remotes,
        .n_remotes = env->n_remotes,
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
    fsroot_release(&d->machine);
    free(d);
}

static struct devices *new_devices(const struct run_env *env, uint64_t start_ns, struct err *err)
{
    struct devices *d = xcalloc(1, sizeof(*d));

    CHECK(env->n_devices <= RESULT_DEVICES_MAX);
    d->n = env->n_devices;
    d->names = env->devices;
    d->clock = env->clock;
    d->log = env->log;
    d->remotes = env->remotes;
    d->n_remotes = env->n_remotes;
    d->grid_ns = start_ns;
    d->interval_ns = env->plan->interval_ns;
    d->samples = bqueue_new(SAMPLES, sizeof(struct drive_sample));
    fsroot_init(&d->machine, "");
    d->root = env->root ? env->root : &d->machine;
    d->sampler = new_sampler(env, d, start_ns, err);
    if (!d->sampler) {
        release(d);
        return NULL;
    }
    return d;
}

/* A made clock knows nothing of the machine's devices. */
static bool wanted(const struct run_env *env)
{
    return env->n_devices > 0 && (env->clock == clock_system() || env->root);
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

static void find_summed(struct devices *d, const struct result *r)
{
    bool any = false;

    for (int i = 0; i < d->n && (size_t)i < r->drive.devices.n; i++) {
        d->summed[i] = r->drive.devices.at[i].summed;
        any = any || d->summed[i];
    }
    d->summed[0] = d->summed[0] || !any;
}

/* On a made clock main takes the samples itself, as the rows come. */
static bool has_thread(const struct devices *d)
{
    return d->clock == clock_system();
}

static bool take_due(struct devices *d)
{
    if (clock_now_ns(d->clock) < sampler_due_ns(d->sampler))
        return false;
    sampler_take(d->sampler, &d->next);
    d->has_next = true;
    return true;
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
    find_summed(d, r);
    if (!has_thread(d)) {
        sampler_take(d->sampler, &d->next);
        d->has_next = true;
        return d;
    }
    if (sampler_start(d->sampler, err) < 0) {
        release(d);
        return NULL;
    }
    return d;
}

/* One line a host: its first device's. */
static void log_host(const struct devices *d, int i, bool silent)
{
    const int len = (int)hostname_length(d->names[i]);

    for (int k = 0; k < i; k++) {
        if (strncmp(d->names[k], d->names[i], (size_t)len + 1) == 0)
            return;
    }
    log_line(d->log, LOG_WARN, "%.*s %s", len, d->names[i],
             silent ? "does not answer: a gap in its devices' counters" : "answers again");
}

/* `next` becomes `last`; what was written since a device's last good reading is the run's, whatever
 * rows there are. */
static void step_on(struct devices *d)
{
    for (int i = 0; i < d->n; i++) {
        const struct drive_sample_device *now = &d->next.device[i];
        struct disk_delta delta;

        if (now->unanswered != d->last.device[i].unanswered)
            log_host(d, i, now->unanswered);
        if (!now->valid)
            continue;
        if (d->summed[i] && drive_reading_delta(&d->good[i], now, &delta)) {
            d->sectors_written += delta.by.write_sectors;
            d->wrote = true;
        }
        d->good[i] = *now;
    }
    d->last = d->next;
    d->has_last = true;
    d->has_next = false;
}

/* Whether there is a sample that was due at due_ns: then `next` is it. Older ones become `last`; a
 * newer one stays `next`. */
static bool sample_due_at(struct devices *d, uint64_t due_ns)
{
    while (d->has_next ||
           (has_thread(d) ? bqueue_pop(d->samples, &d->next, LATE_SAMPLE_NS) : take_due(d))) {
        d->has_next = true;
        if (d->next.due_ns >= due_ns)
            return d->next.due_ns == due_ns;
        step_on(d);
    }
    return false;
}

/* Only where both ends are on the grid can there be samples at them: a sample that ends elsewhere
 * leaves a rest that no figure is expected of. */
static bool on_grid(const struct devices *d, const struct devices_interval *iv)
{
    return iv->start_ns >= d->grid_ns && (iv->start_ns - d->grid_ns) % d->interval_ns == 0 &&
           (iv->end_ns - d->grid_ns) % d->interval_ns == 0;
}

/* A row's differences, ns == 0 where there is none. */
static void add_cost(struct devices *d, uint64_t transactions, const struct disk_delta *delta)
{
    struct cost *c = &d->cost;
    bool has_flush = true;

    for (int i = 0; i < d->n; i++) {
        if (d->summed[i] && delta[i].ns == 0)
            return;
        has_flush = has_flush && (!d->summed[i] || delta[i].by.has_flush);
    }
    c->has_flush = has_flush && (c->has_flush || c->intervals == 0);
    c->intervals++;
    c->transactions += transactions;
    for (int i = 0; i < d->n; i++) {
        if (!d->summed[i])
            continue;
        c->reads += delta[i].by.reads;
        c->writes += delta[i].by.writes;
        c->flushes += delta[i].by.flushes;
        c->read_sectors += delta[i].by.read_sectors;
        c->write_sectors += delta[i].by.write_sectors;
    }
}

static void add_interval(struct devices *d, const struct devices_interval *iv,
                         const struct disk_delta *delta)
{
    const uint64_t length_ns = iv->end_ns - iv->start_ns;

    if (!iv->in_sample || !on_grid(d, iv))
        return;
    d->asked_ns += length_ns;
    for (int i = 0; i < d->n; i++) {
        if (delta[i].ns == 0)
            d->missing_ns[i] += length_ns;
        else
            disk_delta_add(&d->sample[i], &delta[i]);
    }
    add_cost(d, iv->transactions, delta);
}

void devices_row(struct devices *d, const struct devices_interval *iv, struct series_row *row)
{
    struct disk_delta delta[RESULT_DEVICES_MAX] = {0};
    bool there;

    if (!d)
        return;
    /* The one due at the start is the last row's, or still on its way for the first. */
    if ((!d->has_last || d->last.due_ns < iv->start_ns) && sample_due_at(d, iv->start_ns))
        step_on(d);
    there = sample_due_at(d, iv->end_ns);
    for (int i = 0; i < d->n && there; i++) {
        if (!d->has_last || d->last.due_ns != iv->start_ns)
            break;
        if (drive_sample_delta(&d->last, &d->next, (size_t)i, &delta[i]))
            row->device[i] = drive_record_rates(&delta[i]);
    }
    add_interval(d, iv, delta);
    if (there)
        step_on(d);
}

static void per_transaction(const struct devices *d, struct result_sample *s)
{
    const struct cost *c = &d->cost;
    const double n = (double)c->transactions;

    if (c->transactions == 0)
        return;
    s->reads_per_txn = (double)c->reads / n;
    s->writes_per_txn = (double)c->writes / n;
    if (c->has_flush)
        s->flushes_per_txn = (double)c->flushes / n;
    s->read_kib_per_txn = (double)c->read_sectors / SECTORS_A_KIB / n;
    s->write_kib_per_txn = (double)c->write_sectors / SECTORS_A_KIB / n;
}

/* The worst device's. One that never had a figure (its counters are switched off) matters only
 * where figures are to be made of it. */
static double missing_percent(const struct devices *d)
{
    uint64_t most_ns = 0;

    if (d->asked_ns == 0)
        return RESULT_NONE;
    for (int i = 0; i < d->n; i++) {
        if (d->missing_ns[i] > most_ns && (d->summed[i] || d->good[i].valid))
            most_ns = d->missing_ns[i];
    }
    return 100.0 * (double)most_ns / (double)d->asked_ns;
}

static void tell_remote(const struct devices *d, const struct remote *remote, struct result *r)
{
    const char *reason = remote_reason(remote);

    drive_record_remote(remote, d->grid_ns, &r->drive);
    if (*reason)
        log_line(d->log, LOG_WARN, "connection to %s: %s", remote_host(remote), reason);
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
    r->run.device_gaps = (int64_t)(totals.missed + totals.dropped + totals.odd + totals.unanswered);
    if (totals.odd > 0)
        log_line(d->log, LOG_WARN,
                 "%llu times a device's counters went back, or said what no drive can do: left out",
                 (unsigned long long)totals.odd);
    r->run.device_lost = (int64_t)totals.lost;
    if (d->wrote)
        r->run.bytes_written = (int64_t)d->sectors_written * BYTES_A_SECTOR;
    for (int i = 0; i < d->n; i++)
        r->sample.devices[i] = drive_record_rates(&d->sample[i]);
    r->sample.devices_missing_percent = missing_percent(d);
    per_transaction(d, &r->sample);
    for (size_t i = 0; i < d->n_remotes; i++)
        tell_remote(d, d->remotes[i], r);
    release(d);
}
