/*
 * The watch of drive-info: one thread, which waits in ppoll for the next deadline of the sampler or
 * a signal, takes a sample, and prints what happened since the one before.
 */
#include "cmd/drive_watch.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "cmd/drive_show.h"
#include "drive/iostat.h"
#include "drive/sampler.h"

struct watch {
    const struct drive_watch *w;
    struct sampler *sampler;
    const char *names[SAMPLER_DEVICES_MAX];
    size_t n;
    int64_t real_us; /* the clock's readings at the start: they label the axis */
    uint64_t start_ns;
    uint64_t reports;
    struct drive_sample before, now;
};

/* The name as in /dev: sysfs writes '!' for '/'. free() it. */
static char *shown_name(const char *name)
{
    char *copy = xstrdup(name);

    for (char *c = copy; *c != '\0'; c++) {
        if (*c == '!')
            *c = '/';
    }
    return copy;
}

/* Waits for the deadline: 1 at it, 0 after a signal. */
static int wait_due(const struct watch *s, struct err *err)
{
    for (;;) {
        const uint64_t now = clock_now_ns(s->w->clock);
        const uint64_t due = sampler_due_ns(s->sampler);
        const uint64_t left = due > now ? due - now : 0;
        const struct timespec timeout = {.tv_sec = (time_t)(left / NS_PER_S),
                                         .tv_nsec = (long)(left % NS_PER_S)};
        struct pollfd pfd = {.fd = s->w->signals, .events = POLLIN};
        const int n = ppoll(&pfd, 1, &timeout, NULL);

        if (n > 0)
            return 0;
        if (n < 0 && errno != EINTR)
            return err_sys(err, errno, "waiting");
        if (n == 0 && left == 0)
            return 1;
    }
}

static void time_text(const struct watch *s, char *buf, size_t size)
{
    const int64_t passed_us = (int64_t)((s->now.at_ns - s->start_ns) / NS_PER_US);

    clock_format_utc(s->real_us + passed_us, buf, size);
}

/* Of what a host does not answer for nothing is known. */
static bool there(const struct drive_sample_device *d)
{
    return d->valid || d->odd || d->unanswered;
}

/* One line for all its devices. */
static void say_of_host(const struct watch *s)
{
    const bool silent = s->now.device[0].unanswered;
    const char *reason = s->w->remote ? remote_reason(s->w->remote) : "";
    char *line;

    if (!s->w->remote || silent == s->before.device[0].unanswered)
        return;
    if (!silent)
        line = xasprintf("%s answers again", remote_host(s->w->remote));
    else
        line = xasprintf("no answer from %s: a gap%s%s", remote_host(s->w->remote),
                         *reason ? ": " : "", reason);
    s->w->say(line);
    free(line);
}

static void say_what_changed(const struct watch *s)
{
    say_of_host(s);
    for (size_t i = 0; i < s->n; i++) {
        const struct drive_sample_device *a = &s->before.device[i];
        const struct drive_sample_device *b = &s->now.device[i];
        const char *what = NULL;
        char *line;

        if (there(a) && !there(b))
            what = "is gone";
        else if (a->epoch != b->epoch)
            what = there(a) ? "was replaced" : "is there again";
        else if (b->odd)
            what = "has counters that went back, or that no drive can make: a gap";
        if (what == NULL)
            continue;
        line = xasprintf("%s %s", s->names[i], what);
        s->w->say(line);
        free(line);
    }
}

/* The difference to print, or NULL where there is a gap. */
static const struct disk_delta *delta_of(const struct watch *s, size_t i, struct disk_delta *d)
{
    return drive_sample_delta(&s->before, &s->now, i, d) ? d : NULL;
}

static void report_text(const struct watch *s, struct strbuf *sb)
{
    const bool plain = s->w->form == DRIVE_WATCH_PLAIN;
    const enum iostat_form form = plain ? IOSTAT_TABS : IOSTAT_ALIGNED;
    char when[32];

    time_text(s, when, sizeof(when));
    if (!plain || s->reports == 0) {
        strbuf_adds(sb, plain ? "time\t" : "");
        iostat_add_titles(sb, form, "Device");
    }
    for (size_t i = 0; i < s->n; i++) {
        char *name = shown_name(s->names[i]);
        struct disk_delta d;

        if (plain)
            strbuf_addf(sb, "%s\t", when);
        iostat_add_row(sb, form, name, delta_of(s, i, &d));
        free(name);
    }
    if (!plain)
        strbuf_addc(sb, '\n');
}

/* One document a line. */
static void report_json(const struct watch *s, struct strbuf *sb)
{
    double seconds = (double)(s->now.at_ns - s->before.at_ns) / (double)NS_PER_S;
    json_t *devices = json_object();
    json_t *o;
    char when[32];
    char *text;

    for (size_t i = 0; i < s->n; i++) {
        struct iostat_column column[IOSTAT_COLUMNS];
        struct disk_delta d;
        const struct disk_delta *known = delta_of(s, i, &d);
        json_t *figures = known ? json_object() : json_null();

        if (known &&
            i == 0) /* what the figures were divided by, which another host's answer tells */
            seconds = (double)known->ns / (double)NS_PER_S;
        iostat_columns(known, column);
        for (int c = 0; known && c < IOSTAT_COLUMNS; c++)
            CHECK(json_object_set_new(figures, column[c].key,
                                      isnan(column[c].value) ? json_null()
                                                             : json_real(column[c].value)) == 0);
        CHECK(json_object_set_new(devices, s->names[i], figures) == 0);
    }
    time_text(s, when, sizeof(when));
    o = json_pack("{s:s, s:f, s:I, s:o}", "time", when, "seconds", seconds, "missed",
                  (json_int_t)s->now.missed, "devices", devices);
    CHECK(o != NULL);
    text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(12));
    CHECK(text != NULL);
    strbuf_addf(sb, "%s\n", text);
    free(text);
    json_decref(o);
}

/* 1: written; 0: nobody reads any more; -1: error. */
static int report(struct watch *s, struct err *err)
{
    struct strbuf sb;
    int rc = 1;

    strbuf_init(&sb);
    if (s->w->form == DRIVE_WATCH_JSON)
        report_json(s, &sb);
    else
        report_text(s, &sb);
    /* A failed write inside fwrite may leave only the stream's mark and errno. */
    errno = 0;
    if (fwrite(sb.buf, 1, sb.len, s->w->out) != sb.len || fflush(s->w->out) != 0 ||
        ferror(s->w->out))
        rc = errno == EPIPE ? 0 : err_sys(err, errno ? errno : EIO, "writing the report");
    if (rc == 0)
        clearerr(s->w->out); /* a reader that went away is no error */
    strbuf_release(&sb);
    s->reports++;
    return rc;
}

static bool any_there(const struct drive_sample *sample)
{
    for (uint32_t i = 0; i < sample->n; i++) {
        if (there(&sample->device[i]))
            return true;
    }
    return false;
}

static int watch_loop(struct watch *s, struct err *err)
{
    sampler_take(s->sampler, &s->before);
    while (s->w->count == 0 || s->reports < s->w->count) {
        int rc = wait_due(s, err);

        if (rc == 0)
            rc = err_set(err, ERR_INTERRUPTED, "interrupted");
        if (rc < 0)
            return -1;
        sampler_take(s->sampler, &s->now);
        say_what_changed(s);
        rc = report(s, err);
        if (rc <= 0)
            return rc;
        if (!any_there(&s->now))
            return err_set(err, ERR_SURROUNDINGS, "all devices are gone");
        s->before = s->now;
    }
    return 0;
}

int drive_watch_run(const struct drive_watch *w, struct err *err)
{
    struct watch *s = xcalloc(1, sizeof(*s));
    struct sampler_opts opts = {.root = w->root, .clock = w->clock, .interval_ns = w->interval_ns};
    bool any_counts = false;
    int rc = -1;

    s->w = w;
    for (size_t i = 0; i < w->map->devices.n; i++) {
        if (!drive_device_reported(&w->map->devices.at[i]))
            continue;
        if (s->n == SAMPLER_DEVICES_MAX) {
            err_set(err, ERR_SURROUNDINGS, "over %d devices", SAMPLER_DEVICES_MAX);
            goto out;
        }
        any_counts = any_counts || w->map->devices.at[i].counts;
        s->names[s->n++] = w->map->devices.at[i].name;
    }
    CHECK(s->n > 0);
    if (!any_counts) {
        err_set(err, ERR_SURROUNDINGS,
                "the counters of %s are switched off: write 1 to its "
                "queue/iostats",
                s->names[s->n - 1]);
        goto out;
    }
    opts.remotes = &w->remote;
    opts.n_remotes = w->remote != NULL;
    s->real_us = clock_real_us(w->clock);
    s->start_ns = clock_now_ns(w->clock);
    opts.names = s->names;
    opts.n_names = s->n;
    s->sampler = sampler_new(&opts, err);
    if (s->sampler != NULL)
        rc = watch_loop(s, err);
out:
    sampler_free(s->sampler);
    free(s);
    return rc;
}
