/*
 * Before, along the way, after. The thread owns `seen` until it has ended; then main does.
 */
#include "job/health_watch.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bqueue.h"
#include "base/fsroot.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "config/hostname.h"
#include "drive/health.h"

#define DRIVES_MAX 16
#define LOOK_NS (10 * NS_PER_S) /* temperature of hwmon */
#define LOOKS_A_LOG 3           /* the tools, if they told anything before */
#define EVENTS_MAX 100          /* marks; log.txt has all */
#define END_NS (60 * NS_PER_S)  /* a tool has 10 s, several drives */

struct event { /* of a drive, as it was seen */
    uint64_t at_ns;
    char *text;
};

struct health_watch {
    const struct clock *clock;
    struct log *log;
    struct fsroot root;
    size_t n;
    char *name[DRIVES_MAX];
    struct health_reading before[DRIVES_MAX];
    uint64_t before_ns;
    atomic_uint_fast64_t go_ns; /* 0: not yet */
    struct bqueue *end;         /* closed: the thread ends */
    struct thread thread;
    _Atomic double temperature_c; /* at the last look */
    struct {                      /* the thread's */
        double temperature_c_min, temperature_c_max;
        double temperature_c; /* at this look, of those seen so far */
        int64_t critical_warning;
        uint64_t warned_ns;
        struct health_log last[DRIVES_MAX];
        VEC(struct event) events;
    } seen;
};

/* fmax and fmin give the other where one is NaN. */
static void see_temperature(struct health_watch *w, double c)
{
    w->seen.temperature_c = fmax(w->seen.temperature_c, c);
    w->seen.temperature_c_min = fmin(w->seen.temperature_c_min, c);
    w->seen.temperature_c_max = fmax(w->seen.temperature_c_max, c);
}

static void note(struct health_watch *w, size_t i, const char *what)
{
    const struct event e = {clock_now_ns(w->clock), xasprintf("%s %s", w->name[i], what)};

    log_line(w->log, LOG_WARN, "%s", e.text);
    if (w->seen.events.n < EVENTS_MAX)
        VEC_PUSH(&w->seen.events, e);
    else
        free(e.text);
}

static bool rose(int64_t from, int64_t to)
{
    return from >= 0 && to > from;
}

/* What a log tells that the one before did not. */
static void see_throttling(struct health_watch *w, size_t i, const struct health_log *log)
{
    const struct health_log *last = &w->seen.last[i];

    if (rose(last->throttled_1_seconds, log->throttled_1_seconds) ||
        rose(last->throttled_1_count, log->throttled_1_count))
        note(w, i, "throttled itself, lightly");
    if (rose(last->throttled_2_seconds, log->throttled_2_seconds) ||
        rose(last->throttled_2_count, log->throttled_2_count))
        note(w, i, "throttled itself, heavily");
    if (rose(last->warning_minutes, log->warning_minutes) ||
        rose(last->critical_minutes, log->critical_minutes))
        note(w, i, "was too hot");
    if (rose(last->media_errors, log->media_errors))
        note(w, i, "had media errors");
}

static void see_warning(struct health_watch *w, size_t i, const struct health_log *log)
{
    char words[128];
    char text[160];

    if (w->seen.critical_warning < 0)
        w->seen.critical_warning = 0;
    if ((log->critical_warning & ~w->seen.critical_warning) != 0) {
        health_warning_words(log->critical_warning, words, sizeof(words));
        (void)snprintf(text, sizeof(text), "warns: %s", words);
        note(w, i, text);
    }
    if (log->critical_warning > 0 && w->seen.warned_ns == 0)
        w->seen.warned_ns = clock_now_ns(w->clock);
    w->seen.critical_warning |= log->critical_warning;
}

static void see_log(struct health_watch *w, size_t i, const struct health_log *log)
{
    see_temperature(w, log->temperature_c);
    see_throttling(w, i, log);
    w->seen.last[i] = *log;
    if (log->critical_warning >= 0)
        see_warning(w, i, log);
}

static void look(struct health_watch *w, bool tools)
{
    w->seen.temperature_c = RESULT_NONE;
    for (size_t i = 0; i < w->n; i++) {
        struct health_reading now;

        if (!tools || w->before[i].why_none) {
            see_temperature(w, health_temperature_c(&w->root, w->name[i]));
            continue;
        }
        health_read(&w->root, w->name[i], &now);
        see_log(w, i, &now.log);
        health_reading_release(&now);
    }
    atomic_store(&w->temperature_c, w->seen.temperature_c);
}

/* Of a result that goes on: what the drive told before all of it. */
static const struct health_log *earlier_of(const struct result *r, const char *name)
{
    for (size_t i = 0; i < r->health.drives.n; i++) {
        const struct result_drive_health *d = &r->health.drives.at[i];

        if (d->device && strcmp(d->device, name) == 0 && !d->why_none)
            return &d->before;
    }
    return NULL;
}

static void forget_drives(struct result *r)
{
    for (size_t i = 0; i < r->health.drives.n; i++) {
        free(r->health.drives.at[i].device);
        free(r->health.drives.at[i].tool);
        free(r->health.drives.at[i].why_none);
    }
    VEC_RELEASE(&r->health.drives);
}

static void *watch(void *ctx)
{
    struct health_watch *w = ctx;
    int word = 0;

    for (unsigned i = 1; !bqueue_closed(w->end); i++) {
        if (bqueue_pop(w->end, &word, LOOK_NS) || bqueue_closed(w->end))
            break;
        look(w, i % LOOKS_A_LOG == 0);
    }
    return NULL;
}

static void read_before(struct health_watch *w, size_t i, const struct result *r)
{
    const struct health_log *earlier = earlier_of(r, w->name[i]);

    health_read(&w->root, w->name[i], &w->before[i]);
    w->seen.last[i] = health_log_none();
    see_log(w, i, &w->before[i].log);
    if (w->before[i].why_none)
        see_temperature(w, health_temperature_c(&w->root, w->name[i]));
    else if (earlier)
        w->before[i].log = *earlier;
}

/* When what is watched began, on the monotonic clock. */
static uint64_t began_ns(const struct clock *clock, const struct result *r)
{
    const uint64_t now_ns = clock_now_ns(clock);
    const int64_t now_us = clock_real_us(clock);
    int64_t began_us = now_us;

    if (r->health.drives.n > 0 && clock_parse_utc(r->started, &began_us) == 0 && began_us < now_us)
        return now_ns - (uint64_t)(now_us - began_us) * NS_PER_US;
    return now_ns;
}

struct health_watch *health_watch_new(const struct clock *clock, struct log *log,
                                      const struct result *r)
{
    struct health_watch *w = xcalloc(1, sizeof(*w));
    struct err err = {0};

    w->clock = clock;
    w->log = log;
    w->seen.temperature_c_min = w->seen.temperature_c_max = w->seen.temperature_c = RESULT_NONE;
    w->seen.critical_warning = -1;
    fsroot_init(&w->root, "");
    for (size_t i = 0; i < r->drive.devices.n && w->n < DRIVES_MAX; i++) {
        const struct result_device *d = &r->drive.devices.at[i];

        if (d->role && strstr(d->role, "leaf") && hostname_length(d->name) == 0)
            w->name[w->n++] = xstrdup(d->name);
    }
    for (size_t i = 0; i < w->n; i++)
        read_before(w, i, r);
    atomic_init(&w->temperature_c, w->seen.temperature_c);
    w->before_ns = began_ns(clock, r);
    w->end = bqueue_new(1, sizeof(int));
    if (w->n > 0 && thread_start(&w->thread, "health", watch, w, &err) < 0)
        log_line(log, LOG_WARN, "%s", err.text);
    return w;
}

void health_watch_go(struct health_watch *w, uint64_t go_ns)
{
    if (w)
        atomic_store(&w->go_ns, go_ns);
}

void health_watch_note(const struct health_watch *w, struct result *r)
{
    forget_drives(r);
    for (size_t i = 0; w && i < w->n; i++) {
        const struct health_log none = health_log_none();
        const struct health_reading *b = &w->before[i];

        VEC_PUSH(&r->health.drives, ((struct result_drive_health){
                                        .device = xstrdup(w->name[i]),
                                        .tool = b->tool ? xstrdup(b->tool) : NULL,
                                        .why_none = b->why_none ? xstrdup(b->why_none) : NULL,
                                        .before = b->log,
                                        .after = none,
                                        .used = health_used_of(&b->log, &none, RESULT_NONE),
                                    }));
    }
}

static void read_after(struct health_watch *w, size_t i, struct result *r)
{
    struct result_drive_health d = {.device = xstrdup(w->name[i])};
    struct health_reading after = {.log = health_log_none()};

    if (!w->before[i].why_none) {
        health_read(&w->root, w->name[i], &after);
        see_log(w, i, &after.log);
    }
    d.before = w->before[i].log;
    d.after = after.log;
    d.used = health_used_of(&d.before, &d.after, r->health.seconds);
    d.tool = w->before[i].tool ? xstrdup(w->before[i].tool) : NULL;
    if (w->before[i].why_none || after.why_none)
        d.why_none = xstrdup(w->before[i].why_none ? w->before[i].why_none : after.why_none);
    VEC_PUSH(&r->health.drives, d);
    health_reading_release(&after);
}

double health_watch_temperature_c(const struct health_watch *w)
{
    return w ? atomic_load(&w->temperature_c) : RESULT_NONE;
}

static double since_go_s(uint64_t at_ns, uint64_t go_ns)
{
    return at_ns > go_ns && go_ns > 0 ? (double)(at_ns - go_ns) / (double)NS_PER_S : 0;
}

/* What was seen before the run's clock started stands at its beginning. */
static void mark_events(struct health_watch *w, uint64_t go_ns, struct result *r)
{
    for (size_t i = 0; i < w->seen.events.n; i++) {
        struct event *e = &w->seen.events.at[i];
        const struct result_mark mark = {.kind = xstrdup("health"),
                                         .text = e->text,
                                         .start_s = since_go_s(e->at_ns, go_ns),
                                         .end_s = RESULT_NONE,
                                         .bytes_written = -1};

        result_add_mark(r, mark);
    }
    VEC_RELEASE(&w->seen.events);
}

void health_watch_end(struct health_watch *w, struct result *r)
{
    const uint64_t go_ns = w ? atomic_load(&w->go_ns) : 0;

    if (!w)
        return;
    bqueue_close(w->end);
    if (!thread_join_timed(&w->thread, END_NS)) {
        log_line(w->log, LOG_WARN, "the tool that reads the drives' health hangs");
        return; /* the thread keeps what it uses */
    }
    forget_drives(r);
    r->health.seconds = (double)(clock_now_ns(w->clock) - w->before_ns) / (double)NS_PER_S;
    for (size_t i = 0; i < w->n; i++) {
        read_after(w, i, r);
        health_reading_release(&w->before[i]);
        free(w->name[i]);
    }
    /* fmin and fmax give the other where one is NaN: there may be an earlier part. */
    r->health.temperature_c_min = fmin(r->health.temperature_c_min, w->seen.temperature_c_min);
    r->health.temperature_c_max = fmax(r->health.temperature_c_max, w->seen.temperature_c_max);
    if (r->health.critical_warning > 0)
        r->health.critical_warning |= w->seen.critical_warning > 0 ? w->seen.critical_warning : 0;
    else
        r->health.critical_warning = w->seen.critical_warning;
    if (w->seen.warned_ns > 0 && isnan(r->health.warned_at_s))
        r->health.warned_at_s = since_go_s(w->seen.warned_ns, go_ns);
    mark_events(w, go_ns, r);
    bqueue_free(w->end);
    fsroot_release(&w->root);
    free(w);
}
