/*
 * Thread: looks are on absolute deadlines, each moved within its tenth of a second by a hash, so
 * that what the server does at round times is not always hit or missed; those that passed unused
 * are left out. Hand-over by a bounded queue. Joining by due times, as run/devices.c does.
 */
#include "run/server_watch.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/bqueue.h"
#include "base/rng.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "run/server_ask.h"
#include "run/server_marks.h"

#define LOOK_NS (100 * NS_PER_MS)
#define SAMPLES 16 /* on their way to main */
#define LATE_SAMPLE_NS                                                                             \
    (300 * NS_PER_MS) /* what a sample may be later than its interval's figures */
#define STOP_NS (10 * NS_PER_S)
#define AGAIN_NS (1 * NS_PER_S)   /* between tries to connect */
#define CONNECT_NS (5 * NS_PER_S) /* for each */
#define TRIES_MOST 1800           /* one after the other without success */
/* Of the sample one in so many may be missed for what is counted over all of it. */
#define MISSED_PART 50
#define NS_PER_S_D 1e9

struct server_sample {
    uint64_t due_ns;
    uint64_t at_ns;
    uint32_t connection; /* of which one: between two of them there is no difference */
    struct server_counts counts;
    struct hostload host;
    uint64_t thread_cpu_ns;
    struct server_delta seen; /* the looks since the sample before; nothing else of it */
};

struct server_watch {
    const struct run_env *env;
    struct fsroot root;
    struct server_ask *ask; /* the thread's, once it runs */
    struct bqueue *samples;
    struct thread thread;
    atomic_bool stop;
    atomic_bool away;    /* there is no connection: no sample is on its way */
    uint32_t connection; /* the thread's: the number of the present one */
    uint64_t grid_ns;
    uint64_t interval_ns;

    /* Main's. */
    struct server_facts facts;
    struct server_sample last;
    struct server_sample next;
    bool has_last;
    bool has_next; /* taken from the queue, not yet `last` */
    struct server_delta sample;
    struct server_sample first_in_sample; /* for what is counted over all of it */
    struct server_sample last_in_sample;
    bool in_sample;      /* the two are there */
    uint64_t missed_ns;  /* of the sample's intervals: those without figures */
    int64_t dirty_bytes; /* at the first */
    struct server_marks marks;
};

/* ---- the thread ---- */

static bool stopped(const struct server_watch *w)
{
    return atomic_load(&w->stop);
}

/* When the k-th look is due. */
static uint64_t look_due_ns(const struct server_watch *w, uint64_t k)
{
    return w->grid_ns + k * LOOK_NS + rng_key(w->grid_ns, k) % LOOK_NS;
}

static void read_machine(const struct server_watch *w, struct server_sample *s)
{
    if (w->facts.local)
        hostload_read(&w->root, &s->host);
    s->thread_cpu_ns = thread_cpu_ns() + server_ask_thread_cpu_ns(w->ask);
}

static void sleep_until(struct server_watch *w, uint64_t when_ns)
{
    while (!stopped(w) && clock_now_ns(w->env->clock) < when_ns) {
        const uint64_t soon_ns = clock_now_ns(w->env->clock) + LOOK_NS;

        clock_sleep_until_ns(w->env->clock, when_ns < soon_ns ? when_ns : soon_ns);
    }
}

static int take_sample(struct server_watch *w, uint64_t due_ns, struct server_delta *seen,
                       struct err *err)
{
    struct server_sample s = {.due_ns = due_ns, .connection = w->connection};

    if (server_ask_counts(w->ask, &s.counts, err) < 0)
        return -1;
    s.at_ns = clock_now_ns(w->env->clock);
    read_machine(w, &s);
    s.seen = *seen;
    if (bqueue_try_push(w->samples, &s)) /* else main is held up: they go with the next one */
        memset(seen, 0, sizeof(*seen));
    return 0;
}

/* The server was lost: tries until it is there again. -1: it is not any more, or it is time to end.
 */
static int connect_again(struct server_watch *w, const struct err *why)
{
    const uint64_t since_ns = clock_now_ns(w->env->clock);
    struct err err = {0};

    atomic_store(&w->away, true);
    log_line(w->env->log, LOG_WARN, "the server is not watched for now: %s", why->text);
    for (int i = 0; i < TRIES_MOST; i++) {
        sleep_until(w, clock_now_ns(w->env->clock) + AGAIN_NS);
        if (stopped(w))
            return -1;
        err_reset(&err);
        if (server_ask_connect(w->ask, CONNECT_NS, &err) < 0)
            continue;
        log_line(w->env->log, LOG_INFO, "the server is watched again after %.0f s",
                 (double)(clock_now_ns(w->env->clock) - since_ns) / NS_PER_S_D);
        w->connection++;
        atomic_store(&w->away, false);
        return 0;
    }
    log_line(w->env->log, LOG_WARN, "the server is not watched any more: %s", err.text);
    return -1;
}

/* Of due times those that have not passed. */
static uint64_t next_look(const struct server_watch *w, uint64_t look)
{
    const uint64_t now_ns = clock_now_ns(w->env->clock);

    while (look_due_ns(w, look) <= now_ns)
        look++;
    return look;
}

static uint64_t next_sample_ns(const struct server_watch *w, uint64_t sample_ns)
{
    const uint64_t now_ns = clock_now_ns(w->env->clock);

    while (sample_ns <= now_ns)
        sample_ns += w->interval_ns;
    return sample_ns;
}

static void *watch_main(void *ctx)
{
    struct server_watch *w = ctx;
    struct server_delta seen = {0};
    struct err err = {0};
    uint64_t look = 0;
    uint64_t sample_ns = w->grid_ns;

    while (!stopped(w)) {
        const uint64_t look_ns = look_due_ns(w, look);
        const bool is_sample = sample_ns <= look_ns;
        int rc;

        sleep_until(w, is_sample ? sample_ns : look_ns);
        if (stopped(w))
            break;
        rc = is_sample ? take_sample(w, sample_ns, &seen, &err)
                       : server_ask_sessions(w->ask, &seen, &err);
        if (rc < 0 && !server_ask_alive(w->ask)) {
            memset(&seen, 0, sizeof(seen));
            if (connect_again(w, &err) < 0)
                break;
        }
        if (is_sample || rc < 0)
            sample_ns = next_sample_ns(w, sample_ns);
        if (!is_sample || rc < 0)
            look = next_look(w, look);
    }
    bqueue_close(w->samples);
    return NULL;
}

/* ---- main ---- */

static void release(struct server_watch *w)
{
    server_ask_free(w->ask);
    bqueue_free(w->samples);
    fsroot_release(&w->root);
    server_marks_release(&w->marks);
    free(w);
}

struct server_watch *server_watch_new(const struct run_env *env)
{
    struct server_watch *w = NULL;
    struct err err = {0};

    if (!env->watch || env->clock != clock_system())
        return NULL;
    if (!dialect_find(env->watch->dialect, "watch_sessions"))
        return NULL;
    w = xcalloc(1, sizeof(*w));
    w->env = env;
    fsroot_init(&w->root, "");
    const struct server_ask_opts opts = {
        .ops = env->ops,
        .db = &env->db,
        .dialect = env->watch->dialect,
        .root = &w->root,
        .local = env->watch->local,
    };

    w->ask = server_ask_new(&opts, &err);
    if (!w->ask) {
        log_line(env->log, LOG_WARN, "the server is not watched: %s", err.text);
        release(w);
        return NULL;
    }
    w->facts = *server_ask_facts(w->ask);
    if (server_ask_missing(w->ask))
        log_line(env->log, LOG_INFO, "the server does not answer: %s", server_ask_missing(w->ask));
    w->samples = bqueue_new(SAMPLES, sizeof(struct server_sample));
    w->interval_ns = env->plan->interval_ns;
    return w;
}

void server_watch_start(struct server_watch *w, const struct windows *windows, struct result *r)
{
    struct err err = {0};

    if (!w)
        return;
    w->grid_ns = windows_grid_start_ns(windows);
    server_marks_init(&w->marks, windows->go_ns, w->env->log, r);
    if (thread_start(&w->thread, "watch", watch_main, w, &err) < 0) {
        log_line(w->env->log, LOG_WARN, "the server is not watched: %s", err.text);
        bqueue_close(w->samples);
    }
}

static uint64_t rise(uint64_t from, uint64_t to)
{
    return to > from ? to - from : 0;
}

static void use_delta(const struct server_use *from, const struct server_use *to,
                      struct server_delta *d)
{
    d->has_io = from->has_io && to->has_io;
    if (d->has_io) {
        d->io.read_bytes = rise(from->io.read_bytes, to->io.read_bytes);
        d->io.write_bytes = rise(from->io.write_bytes, to->io.write_bytes);
    }
    d->has_cpu = from->has_cpu && to->has_cpu;
    if (!d->has_cpu)
        return;
    d->cpu_ns = rise(from->cpu_ns, to->cpu_ns);
    d->looking_cpu_ns = rise(from->looking_cpu_ns, to->looking_cpu_ns);
}

/* A counter that went back: the server's statistics were reset. */
static void counts_delta(const struct server_counts *from, const struct server_counts *to,
                         struct server_delta *d)
{
    for (int i = 0; i < COUNT_CHECKPOINT; i++) {
        d->has[i] = from->has[i] && to->has[i] && to->count[i] >= from->count[i];
        d->count[i] = d->has[i] ? to->count[i] - from->count[i] : 0;
    }
    use_delta(&from->use, &to->use, d);
}

static void machine_delta(const struct hostload *from, const struct hostload *to,
                          struct server_delta *d)
{
    d->has_host = from->has_stat && to->has_stat;
    d->host_all = rise(from->all_ticks, to->all_ticks);
    d->host_busy = rise(from->busy_ticks, to->busy_ticks);
    for (int k = 0; k < PSI_KINDS; k++) {
        d->has_psi[k] = from->has_psi[k] && to->has_psi[k];
        d->psi_us[k] = rise(from->psi_us[k], to->psi_us[k]);
    }
}

static struct server_delta delta_of(const struct server_sample *from,
                                    const struct server_sample *to)
{
    struct server_delta d = {.ns = to->at_ns - from->at_ns};

    counts_delta(&from->counts, &to->counts, &d);
    machine_delta(&from->host, &to->host, &d);
    d.thread_cpu_ns = rise(from->thread_cpu_ns, to->thread_cpu_ns);
    d.looks = to->seen.looks;
    memcpy(d.seen, to->seen.seen, sizeof(d.seen));
    return d;
}

/* `next` becomes `last`; the marks see every sample. */
static void step_on(struct server_watch *w)
{
    server_marks_look(&w->marks, &w->next.counts, w->next.at_ns);
    w->last = w->next;
    w->has_last = true;
    w->has_next = false;
}

/* Whether there is a sample that was due at due_ns: then `next` is it. Older ones become `last`; a
 * newer one stays `next`. */
static bool sample_due_at(struct server_watch *w, uint64_t due_ns)
{
    while (w->has_next ||
           bqueue_pop(w->samples, &w->next, atomic_load(&w->away) ? 0 : LATE_SAMPLE_NS)) {
        w->has_next = true;
        if (w->next.due_ns >= due_ns)
            return w->next.due_ns == due_ns;
        step_on(w);
    }
    return false;
}

static void add_to_sample(struct server_watch *w, const struct server_delta *d)
{
    server_delta_add(&w->sample, d);
    if (!w->in_sample) {
        w->first_in_sample = w->last;
        w->dirty_bytes = w->last.host.has_dirty ? (int64_t)w->last.host.dirty_bytes : -1;
    }
    w->last_in_sample = w->next;
    w->in_sample = true;
}

void server_watch_row(struct server_watch *w, const struct server_interval *iv,
                      struct series_row *row)
{
    bool there;

    if (!w)
        return;
    /* The one due at the start is the last row's, or still on its way for the first. */
    if ((!w->has_last || w->last.due_ns < iv->start_ns) && sample_due_at(w, iv->start_ns))
        step_on(w);
    there = sample_due_at(w, iv->end_ns);
    if (there && w->has_last && w->last.due_ns == iv->start_ns &&
        w->last.connection == w->next.connection) {
        struct server_delta d = delta_of(&w->last, &w->next);

        d.transactions = iv->transactions;
        d.writers = iv->writers;
        row->server = server_figures(&d, &w->facts);
        if (iv->in_sample)
            add_to_sample(w, &d);
    } else if (iv->in_sample) {
        w->missed_ns += iv->end_ns - iv->start_ns;
    }
    if (there)
        step_on(w);
}

/* Whether what was counted in the sample is all that there was. */
static bool saw_all(const struct server_watch *w)
{
    return w->in_sample && w->first_in_sample.connection == w->last_in_sample.connection &&
           w->missed_ns <= w->sample.ns / MISSED_PART;
}

static int64_t begun(const struct server_watch *w, enum server_counter c)
{
    const struct server_counts *from = &w->first_in_sample.counts;
    const struct server_counts *to = &w->last_in_sample.counts;

    if (!from->has[c] || !to->has[c] || to->count[c] < from->count[c])
        return -1;
    return to->count[c] - from->count[c];
}

static void fill_costs(const struct server_delta *d, struct result_server_sample *out)
{
    out->looks = (int64_t)d->looks;
    if (d->ns == 0)
        return;
    out->looks_per_s = (double)d->looks / ((double)d->ns / NS_PER_S_D);
    if (!d->has_cpu)
        return;
    if (d->cpu_ns > 0)
        out->looking_percent = 100.0 * (double)d->looking_cpu_ns / (double)d->cpu_ns;
    out->looking_core_percent =
        100.0 * (double)(d->looking_cpu_ns + d->thread_cpu_ns) / (double)d->ns;
}

static void fill_sample(struct server_watch *w, const struct windows *windows, struct result *r)
{
    struct result_server_sample *out = &r->sample.server_sample;
    const double silence_ms = r->sample.server.longest_silence_ms;

    r->sample.server = server_figures(&w->sample, &w->facts);
    r->sample.server.longest_silence_ms = silence_ms;
    fill_costs(&w->sample, out);
    free(out->commit_by);
    out->commit_by = NULL;
    if (!isnan(r->sample.server.commit_ms))
        out->commit_by = xstrdup(server_times_commits(&w->sample, &w->facts) ? "server" : "looks");
    out->cpus = w->facts.cpus;
    if (w->in_sample)
        out->dirty_bytes = w->dirty_bytes;
    if (!saw_all(w))
        return;
    if (w->sample.has[COUNT_WAL_BYTES])
        out->wal_bytes = w->sample.count[COUNT_WAL_BYTES];
    if (w->sample.has[COUNT_PAGES_READ])
        out->page_reads = w->sample.count[COUNT_PAGES_READ];
    out->checkpoints_timed = begun(w, COUNT_CHECKPOINTS_TIMED);
    out->checkpoints_requested = begun(w, COUNT_CHECKPOINTS_REQUESTED);
    if (w->last_in_sample.counts.has[COUNT_CHECKPOINT])
        out->checkpoints_whole = server_marks_whole(&w->marks, windows, w->interval_ns);
}

void server_watch_finish(struct server_watch *w, const struct windows *windows, struct result *r)
{
    if (!w)
        return;
    atomic_store(&w->stop, true);
    bqueue_close(w->samples);
    if (w->thread.started && !thread_join_timed(&w->thread, STOP_NS))
        return; /* stuck inside the driver: it keeps what it uses */
    while (w->has_next || bqueue_pop(w->samples, &w->next, 0))
        step_on(w);
    server_marks_end(&w->marks);
    if (w->sample.ns > 0)
        fill_sample(w, windows, r);
    release(w);
}
