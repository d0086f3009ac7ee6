/*
 * Takes samples of stat files on absolute deadlines. The sampling thread (or the caller of
 * sampler_take) owns the open files and all that sampler_take changes, and the hosts' connections;
 * the only thing shared is a bqueue that is closed to stop the thread, and the one that samples go
 * out by.
 */
#include "drive/sampler.h"

#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "base/xalloc.h"
#include "config/hostname.h"
#include "drive/sysfs.h"

#define LATE_PART 10                /* late is over interval / 10 */
#define ANSWER_NS (250 * NS_PER_MS) /* what a host may take to answer */

/* A device under watch. Invariant: fd < 0 while it is gone, and for ever where it has a host. */
struct source {
    char *name;
    int fd;
    int host;       /* index of its host; -1: this machine */
    size_t index;   /* of the device, among those that its host watches */
    uint32_t epoch; /* goes up whenever another device, or this one anew, has the name */
    bool counts;    /* false: its counters are switched off */
    bool flushes;   /* false: its flush fields stay 0 for ever */
    bool lost;      /* gone or garbled since the last valid reading, and counted as that */
    bool has_last;
    bool has_odd; /* the reading before did not follow from last */
    struct drive_sample_device last;
    struct drive_sample_device odd;
};

struct sampler {
    const struct fsroot *root;
    const struct clock *clock;
    uint64_t interval_ns;
    uint64_t due_ns;         /* the next deadline */
    uint32_t dropped_before; /* samples dropped since the last one that went out */
    struct bqueue *out;
    struct bqueue *stop; /* never filled; closed to end the thread */
    struct remote *remote[SAMPLER_HOSTS_MAX];
    size_t n_remotes;
    uint64_t answer_ns;
    struct thread thread;
    struct drive_sample sample; /* the thread's */
    struct sampler_totals totals;
    size_t n;
    struct source source[SAMPLER_DEVICES_MAX];
};

static int source_open(struct source *src, const struct fsroot *root, struct err *err)
{
    char *link = xasprintf("/sys/class/block/%s", src->name);
    char *sysfs = fsroot_realpath(root, link);
    char *stat_path = NULL;

    if (sysfs == NULL) {
        err_set(err, ERR_SURROUNDINGS, "no block device \"%s\" in /sys/class/block", src->name);
        goto out;
    }
    stat_path = xasprintf("%s/stat", sysfs);
    src->fd = fsroot_open(root, stat_path, err);
    src->counts = sysfs_counts(root, sysfs);
    src->flushes = sysfs_counts_flushes(root, sysfs);
out:
    free(stat_path);
    free(sysfs);
    free(link);
    return src->fd < 0 ? -1 : 0;
}

/* One reading, without a judgement about what was before. */
static int source_read(struct source *src, const struct fsroot *root, struct diskstat *out)
{
    if (src->fd < 0 && source_open(src, root, NULL) < 0)
        return -1;
    if (diskstat_read(src->fd, out, NULL) < 0) {
        close_fd(&src->fd); /* a removed device: ENODEV on this file for ever */
        return -1;
    }
    if (!src->flushes)
        out->has_flush = false;
    return 0;
}

static bool follows(const struct drive_sample_device *before, const struct drive_sample_device *now)
{
    const uint64_t ns = now->at_ns > before->at_ns ? now->at_ns - before->at_ns : 0;
    struct disk_delta d;

    return disk_delta_between(&before->stat, &now->stat, ns, &d) && disk_delta_plausible(&d);
}

/* A reading of a device that is there: another one's, garbage, or what is expected. */
static void judge(struct sampler *s, struct source *src, struct drive_sample_device *out)
{
    if (src->lost) {
        src->lost = false;
        src->epoch++;
    } else if (src->has_last && !follows(&src->last, out)) {
        out->odd = !src->has_odd || !follows(&src->odd, out);
        out->valid = !out->odd;
        s->totals.lost += out->valid;
        s->totals.odd += out->odd;
        src->epoch += out->valid;
        src->odd = *out;
    }
    src->has_odd = out->odd;
}

/* Fills what was read, or not, into the sample, with a judgement of it. */
static void settle(struct sampler *s, struct source *src, struct drive_sample_device *out)
{
    if (out->valid && !src->counts) {
        out->valid = false; /* there, but what it says is no figure */
    } else if (!out->valid) {
        s->totals.lost += !src->lost;
        src->lost = true;
    } else {
        judge(s, src, out);
    }
    out->epoch = src->epoch;
    if (out->valid) {
        src->last = *out;
        src->has_last = true;
    }
}

static void source_take(struct sampler *s, struct source *src, struct drive_sample_device *out)
{
    memset(out, 0, sizeof(*out));
    out->valid = source_read(src, s->root, &out->stat) == 0;
    out->at_ns = clock_now_ns(s->clock);
    settle(s, src, out);
}

/* The same of a host's answer. A host that does not answer says nothing of the device: it is not
 * lost, and what it does meanwhile is seen once there is an answer again. */
static void source_hear(struct sampler *s, struct source *src, const struct remote_reading *reading,
                        struct drive_sample_device *out)
{
    memset(out, 0, sizeof(*out));
    out->at_ns = reading->at_ns;
    out->epoch = src->epoch;
    out->unanswered = !reading->answered;
    if (!reading->answered)
        return;
    if (reading->anew) {
        src->epoch++;
        src->has_last = false;
        src->has_odd = false;
    }
    out->valid = reading->take->there[src->index];
    out->stat = reading->take->stat[src->index];
    if (!src->flushes)
        out->stat.has_flush = false;
    settle(s, src, out);
}

/* Finds the device among those that its host watches. */
static void source_find(struct sampler *s, struct source *src)
{
    const size_t len = hostname_length(src->name);

    for (size_t h = 0; h < s->n_remotes && len > 0; h++) {
        const char *host = remote_host(s->remote[h]);
        int index;

        if (strlen(host) != len || strncmp(host, src->name, len) != 0)
            continue;
        index = remote_find(s->remote[h], src->name + len + 1);
        CHECK(index >= 0);
        src->host = (int)h;
        src->index = (size_t)index;
        src->counts = remote_device_at(s->remote[h], src->index)->counts;
        src->flushes = remote_device_at(s->remote[h], src->index)->flushes;
    }
}

/* Waits for the hosts' answers, whatever their order, and fills their devices in. */
static void hear_hosts(struct sampler *s, struct drive_sample *out)
{
    const uint64_t until_ns = clock_now_ns(s->clock) + s->answer_ns;

    for (size_t h = 0; h < s->n_remotes; h++) {
        struct remote_reading reading;

        remote_answer(s->remote[h], until_ns, &reading);
        s->totals.unanswered += !reading.answered;
        for (size_t i = 0; i < s->n; i++) {
            if (s->source[i].host == (int)h)
                source_hear(s, &s->source[i], &reading, &out->device[i]);
        }
    }
}

struct sampler *sampler_new(const struct sampler_opts *opts, struct err *err)
{
    struct sampler *s = NULL;
    int rc = 0;

    CHECK(opts->n_names >= 1);
    CHECK(opts->n_names <= SAMPLER_DEVICES_MAX);
    CHECK(opts->n_remotes <= SAMPLER_HOSTS_MAX);

    s = xcalloc(1, sizeof(*s));
    s->root = opts->root;
    s->clock = opts->clock;
    s->interval_ns = opts->interval_ns ? opts->interval_ns : NS_PER_S;
    s->due_ns = opts->start_ns ? opts->start_ns : clock_now_ns(s->clock);
    s->out = opts->out;
    s->n = opts->n_names;
    s->n_remotes = opts->n_remotes;
    s->answer_ns = opts->answer_ns ? opts->answer_ns : ANSWER_NS;
    for (size_t h = 0; h < s->n_remotes; h++)
        s->remote[h] = opts->remotes[h];
    for (size_t i = 0; i < s->n; i++) {
        s->source[i].fd = -1;
        s->source[i].host = -1;
        s->source[i].name = xstrdup(opts->names[i]);
        source_find(s, &s->source[i]);
    }
    for (size_t i = 0; i < s->n && rc == 0; i++) {
        if (s->source[i].host < 0)
            rc = source_open(&s->source[i], s->root, err);
    }
    if (rc < 0) {
        sampler_free(s);
        return NULL;
    }
    return s;
}

void sampler_free(struct sampler *s)
{
    if (s == NULL)
        return;
    sampler_stop(s);
    for (size_t i = 0; i < s->n; i++) {
        close_fd(&s->source[i].fd);
        free(s->source[i].name);
    }
    free(s);
}

uint64_t sampler_due_ns(const struct sampler *s)
{
    return s->due_ns;
}

void sampler_take(struct sampler *s, struct drive_sample *out)
{
    const uint64_t now = clock_now_ns(s->clock);
    const uint64_t behind = now > s->due_ns ? now - s->due_ns : 0;
    /* Deadlines that passed since the last sample, but for the latest of them, which is this. */
    const uint64_t skipped = behind / s->interval_ns;

    out->at_ns = now;
    out->due_ns = s->due_ns + skipped * s->interval_ns;
    out->missed = (uint32_t)skipped + s->dropped_before;
    out->n = (uint32_t)s->n;
    for (size_t h = 0; h < s->n_remotes; h++)
        remote_request(s->remote[h]);
    for (size_t i = 0; i < s->n; i++) {
        if (s->source[i].host < 0)
            source_take(s, &s->source[i], &out->device[i]);
    }
    hear_hosts(s, out);

    s->dropped_before = 0;
    s->due_ns = out->due_ns + s->interval_ns;
    s->totals.taken++;
    s->totals.missed += skipped;
    s->totals.late += behind - skipped * s->interval_ns > s->interval_ns / LATE_PART;
}

static void *sampler_main(void *ctx)
{
    struct sampler *s = ctx;

    for (;;) {
        const uint64_t now = clock_now_ns(s->clock);
        char nothing;

        if (now < s->due_ns && bqueue_pop(s->stop, &nothing, s->due_ns - now))
            UNREACHABLE(); /* nobody puts anything in */
        if (bqueue_closed(s->stop))
            break;
        if (clock_now_ns(s->clock) < s->due_ns)
            continue; /* woken early */
        sampler_take(s, &s->sample);
        if (!bqueue_try_push(s->out, &s->sample)) {
            s->totals.dropped++;
            s->dropped_before = s->sample.missed + 1;
        }
    }
    return NULL;
}

int sampler_start(struct sampler *s, struct err *err)
{
    CHECK(s->out != NULL);
    CHECK(s->stop == NULL);

    s->stop = bqueue_new(1, 1);
    if (thread_start(&s->thread, "sampler", sampler_main, s, err) < 0) {
        bqueue_free(s->stop);
        s->stop = NULL;
        return -1;
    }
    return 0;
}

void sampler_stop(struct sampler *s)
{
    if (s->stop == NULL)
        return;
    bqueue_close(s->stop);
    thread_join(&s->thread);
    bqueue_free(s->stop);
    s->stop = NULL;
}

struct sampler_totals sampler_totals(const struct sampler *s)
{
    return s->totals;
}

bool drive_reading_delta(const struct drive_sample_device *before,
                         const struct drive_sample_device *after, struct disk_delta *out)
{
    memset(out, 0, sizeof(*out));
    if (!before->valid || !after->valid || before->epoch != after->epoch ||
        after->at_ns <= before->at_ns)
        return false;
    return disk_delta_between(&before->stat, &after->stat, after->at_ns - before->at_ns, out);
}

bool drive_sample_delta(const struct drive_sample *before, const struct drive_sample *after,
                        size_t i, struct disk_delta *out)
{
    CHECK(i < before->n);
    CHECK(i < after->n);
    return drive_reading_delta(&before->device[i], &after->device[i], out);
}
