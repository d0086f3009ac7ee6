/*
 * The rules, in the order in which they are tried:
 *
 * - unknown: no sample
 * - driver: it used a core whole; or it was late beyond the verdict's bounds (with a pace reached:
 *   by half of a response) while the server had processors left
 * - pace: TPS is 98 % of what the pace allows, or a response is so short against the cycle that it
 *   must be (a short sample's TPS is off by chance); of transactions at an offered rate by chance
 *   more may be due: only while they do not queue
 * - sessions: they are few, all of them are busy, and users wait longer for one than they are
 * served
 * - CPU: the server uses 85 % of its processors; or most of its time it runs or wants to, while
 *   tasks of its machine wait for one (also within a read that the page cache answers)
 * - else what its sessions wait for most, where that is 40 % of their time: locks, data reads,
 *   writes of data or WAL
 * - nothing otherwise
 */
#include "result/limit.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "result/drive_set.h"

#define PACE_PERCENT 98.0
#define DRIVER_CORE_PERCENT 90.0
#define SERVER_CPU_PERCENT 85.0
#define PSI_CPU_PERCENT 20.0
#define SHARE_PERCENT 40.0  /* of the sessions' time, to be named */
#define MOST_PERCENT 50.0   /* of it, to be most of it */
#define QUEUE_PERCENT 50.0  /* of the response */
#define SESSIONS_LEAST 16.0 /* as the plan's own choice: at least so many, and ... */
#define SESSIONS_S 0.1      /* ... those that carry the ceiling at this service time */

static bool has_pace(const struct result *r)
{
    return r->workload.loop && strcmp(r->workload.loop, "none") != 0;
}

/* None where it is not known which devices those are. */
static struct result_rates rates_of_drive(const struct result *r)
{
    const struct drive_set drive = drive_set_of(r, (int)r->drive.devices.n);

    return drive.known ? drive_set_rates(&drive, r->sample.devices) : result_rates_none();
}

static bool processors_are_pressed(const struct result *r)
{
    const struct result_server *s = &r->sample.server;

    return s->psi_cpu_percent > PSI_CPU_PERCENT || s->host_cpu_percent > SERVER_CPU_PERCENT;
}

/* The share of time spent in waiting for the drive's reads. What the page cache answers is a wait
 * for data too, by the server's own words; where processors are scarce most of it is a wait for
 * one. Then those count that the drive gives: as many sessions as it has reads under way, or the
 * share of the server's page reads that reached it where that is more, since a drive that is
 * throttled above its queue keeps them waiting where its counters do not see it. */
static double reads_share(const struct result *r)
{
    const struct result_server *s = &r->sample.server;
    const struct result_rates drive = rates_of_drive(r);
    const double under_way = drive.reads_per_s * drive.read_await_ms / 1000.0;
    const double waited = s->wait_percent[WAIT_READ];
    const double reached = result_drive_read_percent(r); /* NaN: not known, which fmax() ignores */

    if (!processors_are_pressed(r) || !(s->active > 0) || !isfinite(under_way))
        return waited;
    return fmin(waited, fmax(100.0 * under_way / s->active, waited * reached / 100.0));
}

static bool cpu_is_short(const struct result *r)
{
    const struct result_server *s = &r->sample.server;
    const double in_reads = s->wait_percent[WAIT_READ] - reads_share(r);

    return s->cpu_percent > SERVER_CPU_PERCENT ||
           (s->wait_percent[WAIT_CPU] + in_reads >= MOST_PERCENT && processors_are_pressed(r));
}

/* What the pace leaves at this response, of its ceiling; NaN: no closed loop. */
static double pace_reached(const struct result *r)
{
    const double cycle_ms = 1000.0 * r->workload.mean_cycle_s;

    if (!r->workload.loop || strcmp(r->workload.loop, "closed") != 0)
        return RESULT_NONE;
    return 100.0 * cycle_ms / (cycle_ms + r->sample.time[TIME_RESPONSE].avg);
}

/* Of the response the users waited for a session, in percent. */
static double queue_percent(const struct result *r)
{
    return 100.0 * r->sample.time[TIME_QUEUE].avg / r->sample.time[TIME_RESPONSE].avg;
}

static bool is_offered(const struct result *r)
{
    return r->workload.loop && strcmp(r->workload.loop, "interarrival") == 0;
}

static bool is_pace(const struct result *r)
{
    if (is_offered(r) && queue_percent(r) >= QUEUE_PERCENT)
        return false;
    return has_pace(r) &&
           (r->sample.tps_percent_of_ceiling >= PACE_PERCENT || pace_reached(r) >= PACE_PERCENT);
}

static bool is_driver(const struct result *r)
{
    const struct result_driver *d = &r->sample.driver;
    const struct summary *t = &r->sample.time[TIME_RESPONSE];

    if (d->cpu_percent > DRIVER_CORE_PERCENT)
        return true;
    if (cpu_is_short(r))
        return false;
    if (is_pace(r))
        return d->lateness_avg_ms > 0.5 * t->avg;
    return d->lateness_p99_ms > fmax(2.0, 0.10 * t->p99) || d->lateness_avg_ms > 0.05 * t->avg;
}

static bool sessions_are_few(const struct result *r)
{
    const double usual = fmax(SESSIONS_LEAST, SESSIONS_S * r->workload.ceiling_tps);

    return r->workload.sessions > 0 && (double)r->workload.sessions < usual;
}

/* Without a pace there is no queue: few sessions are the limit unless the server is. */
static bool is_sessions(const struct result *r)
{
    if (!sessions_are_few(r) || cpu_is_short(r))
        return false;
    if (has_pace(r))
        return queue_percent(r) >= QUEUE_PERCENT;
    for (int c = 0; c < WAIT_CLASSES; c++) {
        if (c != WAIT_CPU && c != WAIT_CLIENT && r->sample.server.wait_percent[c] >= MOST_PERCENT)
            return false;
    }
    return true;
}

static double writes(const struct result *r)
{
    return r->sample.server.wait_percent[WAIT_WRITE] + r->sample.server.wait_percent[WAIT_WAL];
}

static bool is_most(const struct result *r, double share)
{
    const double *wait = r->sample.server.wait_percent;

    return share >= SHARE_PERCENT && share >= wait[WAIT_LOCK] && share >= reads_share(r) &&
           share >= writes(r);
}

static enum limit limit_of(const struct result *r)
{
    const double *wait = r->sample.server.wait_percent;

    if (r->partial || !(r->sample.seconds > 0) || r->sample.transactions <= 0)
        return LIMIT_UNKNOWN;
    if (is_driver(r))
        return LIMIT_DRIVER;
    if (is_pace(r))
        return LIMIT_PACE;
    if (is_sessions(r))
        return LIMIT_SESSIONS;
    if (cpu_is_short(r))
        return LIMIT_CPU;
    if (is_most(r, wait[WAIT_LOCK]))
        return LIMIT_LOCKS;
    if (is_most(r, reads_share(r)))
        return LIMIT_READS;
    if (is_most(r, writes(r)))
        return LIMIT_WRITES;
    return LIMIT_NOTHING;
}

/* ---- evidence ---- */

static void add(struct limit_finding *f, const char *fmt, ...) PRINTF_LIKE(2, 3);

static void add(struct limit_finding *f, const char *fmt, ...)
{
    const size_t at = strlen(f->evidence);
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(f->evidence + at, sizeof(f->evidence) - at, fmt, args);
    va_end(args);
}

/* "CPU 61 %, data reads 20 %": the three largest shares of the time at the server. */
static void add_shares(const struct result *r, struct limit_finding *f)
{
    const double *wait = r->sample.server.wait_percent;
    bool said[WAIT_CLASSES] = {false};

    if (isnan(wait[0])) {
        add(f, "; what its sessions wait for is not known");
        return;
    }
    for (int n = 0; n < 3; n++) {
        int most = -1;

        for (int c = 0; c < WAIT_CLASSES; c++) {
            if (!said[c] && (most < 0 || wait[c] > wait[most]))
                most = c;
        }
        said[most] = true;
        if (n > 0 && wait[most] < 1)
            break;
        add(f, "%s%s %.0f %%",
            n ? ", " : "; time at the server: ", result_wait_words((enum wait_class)most),
            wait[most]);
    }
}

static void say_driver(const struct result *r, struct limit_finding *f)
{
    const struct result_driver *d = &r->sample.driver;

    add(f, "this program used %.0f %% of a core and was late by %.2f ms on average, %.2f ms at p99",
        d->cpu_percent, d->lateness_avg_ms, d->lateness_p99_ms);
}

static void say_pace(const struct result *r, struct limit_finding *f)
{
    const double ms = r->sample.time[TIME_RESPONSE].avg;

    if (r->sample.tps_percent_of_ceiling >= PACE_PERCENT)
        add(f, "TPS is %.1f %% of %s, with a response of %.2f ms", r->sample.tps_percent_of_ceiling,
            is_offered(r) ? "what was offered" : "what the users' pace allows", ms);
    else
        add(f, "a response of %.2f ms is %.1f %% of a user's cycle, so TPS is the pace's", ms,
            100.0 - pace_reached(r));
    add_shares(r, f);
}

static void say_sessions(const struct result *r, struct limit_finding *f)
{
    if (has_pace(r))
        add(f,
            "users waited %.0f %% of the response for one of %" PRId64 " sessions, %.1f of %.1f ms",
            queue_percent(r), r->workload.sessions, r->sample.time[TIME_QUEUE].avg,
            r->sample.time[TIME_RESPONSE].avg);
    else
        add(f, "all %" PRId64 " sessions work without a pause", r->workload.sessions);
    add_shares(r, f);
}

static void say_cpu(const struct result *r, struct limit_finding *f)
{
    const struct result_server *s = &r->sample.server;

    if (isfinite(s->cpu_percent))
        add(f, "the server used %.0f %% of its %" PRId64 " processor%s, %.2f ms a transaction",
            s->cpu_percent, r->sample.server_sample.cpus,
            r->sample.server_sample.cpus == 1 ? "" : "s", s->cpu_ms_per_transaction);
    else
        add(f, "tasks waited for a processor %.0f %% of the time", s->psi_cpu_percent);
    add_shares(r, f);
}

static void say_locks(const struct result *r, struct limit_finding *f)
{
    add(f,
        "%.0f %% of the time at the server is waiting for what another session holds, %.1f "
        "sessions on average",
        r->sample.server.wait_percent[WAIT_LOCK],
        r->sample.server.active * r->sample.server.wait_percent[WAIT_LOCK] / 100.0);
    add_shares(r, f);
}

static void say_reads(const struct result *r, struct limit_finding *f)
{
    const struct result_rates d = rates_of_drive(r);

    add(f, "%.0f %% of the time at the server is waiting for data pages, %.0f a second",
        r->sample.server.wait_percent[WAIT_READ], r->sample.server.page_reads_per_s);
    if (isfinite(d.read_await_ms))
        add(f, "; the drive: %.0f reads a second, %.2f ms each", d.reads_per_s, d.read_await_ms);
    add_shares(r, f);
}

static void say_writes(const struct result *r, struct limit_finding *f)
{
    const struct result_server *s = &r->sample.server;
    const struct result_rates d = rates_of_drive(r);

    add(f, "%.0f %% of the time at the server is waiting for writes or flushes", writes(r));
    if (isfinite(s->commit_ms))
        add(f, "; WAL takes %.2f ms a commit", s->commit_ms);
    if (isfinite(s->commits_per_flush))
        add(f, ", %.1f commits a flush", s->commits_per_flush);
    if (isfinite(d.write_await_ms))
        add(f, "; the drive: %.0f writes a second, %.2f ms each", d.writes_per_s, d.write_await_ms);
    add_shares(r, f);
}

static void say_nothing(const struct result *r, struct limit_finding *f)
{
    if (isnan(r->sample.server.wait_percent[WAIT_CPU])) {
        add(f, "neither pace, sessions nor driver; the server's waits are not known");
        return;
    }
    add(f, "neither pace, sessions, processors nor one kind of wait stands out");
    add_shares(r, f);
}

static void say_unknown(const struct result *r, struct limit_finding *f)
{
    (void)r;
    add(f, "there is no sample");
}

static const struct limit_kind {
    const char *name;
    void (*say)(const struct result *r, struct limit_finding *f);
} kinds[] = {
    [LIMIT_UNKNOWN] = {"not known", say_unknown},
    [LIMIT_DRIVER] = {"driver", say_driver},
    [LIMIT_PACE] = {"pace", say_pace},
    [LIMIT_SESSIONS] = {"sessions", say_sessions},
    [LIMIT_CPU] = {"server CPU", say_cpu},
    [LIMIT_LOCKS] = {"locks", say_locks},
    [LIMIT_READS] = {"drive reads", say_reads},
    [LIMIT_WRITES] = {"drive writes or flushes", say_writes},
    [LIMIT_NOTHING] = {"nothing found", say_nothing},
};

_Static_assert(ARRAY_LEN(kinds) == LIMITS, "all of them");

const char *limit_name(enum limit l)
{
    CHECK(l < LIMITS);
    return kinds[l].name;
}

struct limit_finding limit_find(const struct result *r)
{
    struct limit_finding f = {.limit = limit_of(r)};

    kinds[f.limit].say(r, &f);
    return f;
}
