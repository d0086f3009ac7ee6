/*
 * The verdict: one table, a row for each thing that may be wrong with a run, looked at in the
 * order in which a reader should hear of it. A pure function of the document: no clock, no files.
 * A row whose figures do not exist says nothing, except `cut`, for which that is the finding.
 */
#include "result/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/xalloc.h"
#include "result/verdict_rows.h"

#define BYTES_PER_MIB 1048576.0
#define PSI_CPU_PERCENT 20.0

struct verdict_row {
    const char *code;
    enum verdict_status status;
    double limit;
    bool (*broken)(const struct result *r, struct finding *f); /* f->limit is the row's */
    const char *advice; /* where the row did not write its own */
};

static const char *setting_of(const struct result *r, const char *name)
{
    for (size_t i = 0; i < r->database.settings.n; i++) {
        if (strcmp(r->database.settings.at[i].name, name) == 0)
            return r->database.settings.at[i].value;
    }
    return NULL;
}

static bool setting_is_off(const struct result *r, const char *name)
{
    const char *value = setting_of(r, name);

    return value && strcmp(value, "off") == 0;
}

static bool outcome_is_bad(const struct result_check *c)
{
    return c->outcome && strcmp(c->outcome, "ok") != 0;
}

static const struct result_check *first_bad(const struct result *r, const char **when)
{
    for (size_t i = 0; i < r->checks.before.n; i++) {
        *when = "before";
        if (outcome_is_bad(&r->checks.before.at[i]))
            return &r->checks.before.at[i];
    }
    for (size_t i = 0; i < r->checks.after.n; i++) {
        *when = "after";
        if (outcome_is_bad(&r->checks.after.at[i]))
            return &r->checks.after.at[i];
    }
    return NULL;
}

static size_t count_bad(const struct result *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->checks.before.n; i++)
        n += outcome_is_bad(&r->checks.before.at[i]);
    for (size_t i = 0; i < r->checks.after.n; i++)
        n += outcome_is_bad(&r->checks.after.at[i]);
    return n;
}

static bool condition_broken(const struct result *r, struct finding *f)
{
    const char *when = "";
    const struct result_check *bad = first_bad(r, &when);
    const size_t n = count_bad(r);

    if (!bad)
        return false;
    f->value = (double)n;
    (void)snprintf(f->text, sizeof(f->text),
                   "%zu consistency check%s failed, the first %s the run: %s: %s", n,
                   n == 1 ? "" : "s", when, bad->name ? bad->name : "?", bad->outcome);
    if (bad->number == 0) /* the check itself could not be made */
        (void)snprintf(f->advice, sizeof(f->advice),
                       "once the cause is gone, tpcc-check shows whether the dataset holds");
    return true;
}

static bool orders_broken(const struct result *r, struct finding *f)
{
    const struct result_checks *c = &r->checks;

    if (c->orders_agree != 0)
        return false;
    f->value = (double)(c->new_orders_in_database - c->new_orders_counted);
    (void)snprintf(f->text, sizeof(f->text),
                   "the database does not hold what was counted: new orders %" PRId64
                   " counted, %" PRId64 " in it; payments %" PRId64 " and %" PRId64,
                   c->new_orders_counted, c->new_orders_in_database, c->payments_counted,
                   c->payments_in_database);
    return true;
}

/* What was in doubt and turned out not to have committed has failed. */
static bool errors_broken(const struct result *r, struct finding *f)
{
    const struct counters *o = &r->sample.outcomes;
    const int64_t looked_up = r->sample.in_doubt_not_committed;
    const uint64_t not_committed = looked_up > 0 ? (uint64_t)looked_up : 0;
    const uint64_t ended = counters_transactions(o) + o->failed + o->in_doubt;

    if (r->sample.transactions < 0 || ended == 0)
        return false;
    f->value = 100.0 * (double)(o->failed + not_committed) / (double)ended;
    if (!(f->value > f->limit))
        return false;
    (void)snprintf(f->text, sizeof(f->text), "%.2f %% of the transactions failed, over %g %%",
                   f->value, f->limit);
    if (not_committed > 0)
        (void)snprintf(f->text, sizeof(f->text),
                       "%.2f %% of the transactions failed, over %g %%: %" PRIu64
                       " with an error, %" PRIu64 " in doubt had not committed",
                       f->value, f->limit, o->failed, not_committed);
    return true;
}

/* Why a sample is short, behind ": ". run.ended_by says "interrupt before the run" and the like. */
static void why_cut(const struct result *r, char *buf, size_t size)
{
    static const char interrupt[] = "interrupt";
    const char *by = r->run.ended_by ? r->run.ended_by : "";

    if (strncmp(by, interrupt, sizeof(interrupt) - 1) == 0)
        (void)snprintf(buf, size, "interrupted%s", by + sizeof(interrupt) - 1);
    else if (r->run.interrupted)
        (void)snprintf(buf, size, "interrupted");
    else if (!*by || strcmp(by, "plan") == 0)
        (void)snprintf(buf, size, "the run ended early");
    else
        (void)snprintf(buf, size, "%s", by);
}

static bool ended_as_planned(const struct result *r)
{
    return !r->run.ended_by || strcmp(r->run.ended_by, "plan") == 0;
}

static bool cut_broken(const struct result *r, struct finding *f)
{
    const struct result_sample *s = &r->sample;
    char why[80];

    why_cut(r, why, sizeof(why));
    if (r->partial) {
        (void)snprintf(f->text, sizeof(f->text), "partial: the run was killed");
        return true;
    }
    if (!(s->seconds > 0)) {
        (void)snprintf(f->text, sizeof(f->text), "the run ended before its sample: %s", why);
        return true;
    }
    f->value = 100.0 * s->seconds / s->planned_seconds;
    if (s->seconds < s->planned_seconds) {
        (void)snprintf(f->text, sizeof(f->text), "the sample was cut at %.1f of %.1f s: %s",
                       s->seconds, s->planned_seconds, why);
        return true;
    }
    if (!ended_as_planned(r)) {
        (void)snprintf(f->text, sizeof(f->text), "the run did not reach the end of its drain: %s",
                       why);
        return true;
    }
    if (s->transactions == 0) {
        (void)snprintf(f->text, sizeof(f->text), "no transaction was completed in the sample");
        return true;
    }
    return false;
}

static bool unfinished_broken(const struct result *r, struct finding *f)
{
    const struct result_sample *s = &r->sample;

    if (s->unfinished <= 0 || s->transactions < 0)
        return false;
    f->value = 100.0 * (double)s->unfinished / (double)(s->transactions + s->unfinished);
    if (!(f->value > f->limit))
        return false;
    (void)snprintf(f->text, sizeof(f->text),
                   "%" PRId64 " transactions (%.2f %%) had no end when the drain was over",
                   s->unfinished, f->value);
    return true;
}

static bool late_broken(const struct result *r, struct finding *f)
{
    const struct result_driver *d = &r->sample.driver;
    const struct summary *t = &r->sample.time[TIME_RESPONSE];
    const double p99_limit = fmax(f->limit, 0.10 * t->p99); /* fmax(x, NaN) is x */
    const double avg_limit = 0.05 * t->avg;

    if (d->lateness_p99_ms > p99_limit) {
        f->value = d->lateness_p99_ms;
        f->limit = p99_limit;
        (void)snprintf(f->text, sizeof(f->text),
                       "the driver was late: lateness p99 %.2f ms, over %.2f ms", f->value,
                       f->limit);
        return true;
    }
    if (d->lateness_avg_ms > avg_limit) {
        f->value = d->lateness_avg_ms;
        f->limit = avg_limit;
        (void)snprintf(f->text, sizeof(f->text),
                       "the driver was late: mean lateness %.3f ms, over 5 %% of the mean response",
                       f->value);
        return true;
    }
    return false;
}

static bool unsafe_broken(const struct result *r, struct finding *f)
{
    if (!setting_is_off(r, "fsync"))
        return false;
    if (r->allow_unsafe)
        f->status = VERDICT_QUESTIONABLE;
    (void)snprintf(f->text, sizeof(f->text), "fsync is off: the server did not wait for the drive");
    return true;
}

static bool device_broken(const struct result *r, struct finding *f)
{
    f->value = (double)r->run.device_lost;
    if (!(f->value > f->limit))
        return false;
    (void)snprintf(f->text, sizeof(f->text), "a device vanished or was replaced during the run");
    return true;
}

/* Two readings of clocks differ by less than the limit. */
static bool suspended_broken(const struct result *r, struct finding *f)
{
    f->value = r->run.suspended_s;
    if (!(f->value > f->limit))
        return false;
    (void)snprintf(
        f->text, sizeof(f->text),
        "this machine was suspended for %.1f s during the run, in which its clock stood still",
        f->value);
    return true;
}

static bool short_broken(const struct result *r, struct finding *f)
{
    f->value = r->sample.seconds;
    if (!(f->value < f->limit))
        return false;
    (void)snprintf(f->text, sizeof(f->text),
                   "the sample is %.4g s, under 3 min: good for function, not for figures",
                   f->value);
    return true;
}

/* What a queue that hardly ever forms asks for: the mean number of busy sessions at full pace and
 * three standard deviations of a Poisson count, but at least twice what there was. */
static int64_t sessions_to_set(const struct result *r)
{
    const double tps = fmax(r->workload.ceiling_tps, r->sample.tps);
    const double busy = tps * r->sample.time[TIME_SERVICE].avg / 1000.0;
    const double want = ceil(busy + 3.0 * sqrt(busy));
    const double twice = 2.0 * (double)r->workload.sessions;

    return (int64_t)fmin(fmax(twice, want), 10000.0);
}

static bool sessions_broken(const struct result *r, struct finding *f)
{
    const double late = r->sample.driver.lateness_avg_ms;
    /* Of the queue (sent - due) the driver's own lateness (seen - due) is judged by `late`. */
    const double queue = r->sample.time[TIME_QUEUE].avg - (isnan(late) ? 0 : late);

    f->value = 100.0 * queue / r->sample.time[TIME_RESPONSE].avg;
    if (!(f->value > f->limit))
        return false;
    (void)snprintf(f->text, sizeof(f->text),
                   "waiting for a session was %.1f %% of the average response, over %g %%",
                   f->value, f->limit);
    (void)snprintf(f->advice, sizeof(f->advice),
                   "try --sessions %" PRId64 " (there were %" PRId64 "); if the queue stays, the"
                   " server or the drive is the limit",
                   sessions_to_set(r), r->workload.sessions);
    return true;
}

/* What a setting of MariaDB, MySQL or SQL Server may be where each commit waits for the drive and
 * no page is torn. */
static const struct {
    const char *name;
    const char *lax;   /* it is lax where it is this ... */
    const char *safe;  /* ... or, where lax is NULL, is not this ... */
    const char *where; /* ... and this one is on; NULL: in any case */
} guards[] = {
    {"innodb_flush_log_at_trx_commit", NULL, "1", NULL}, {"innodb_doublewrite", "OFF", NULL, NULL},
    {"innodb_doublewrite", "DETECT_ONLY", NULL, NULL},   {"sync_binlog", NULL, "1", "log_bin"},
    {"delayed_durability", "FORCED", NULL, NULL},
};

static bool server_is_lax(const struct result *r, struct finding *f)
{
    for (size_t i = 0; i < ARRAY_LEN(guards); i++) {
        const char *value = setting_of(r, guards[i].name);
        const char *on = guards[i].where ? setting_of(r, guards[i].where) : "ON";

        if (!value || !on || (strcasecmp(on, "ON") != 0 && strcmp(on, "1") != 0))
            continue;
        if (guards[i].lax ? strcasecmp(value, guards[i].lax) != 0
                          : strcasecmp(value, guards[i].safe) == 0)
            continue;
        (void)snprintf(f->text, sizeof(f->text),
                       "%s is %s: less is written than a safe server writes", guards[i].name,
                       value);
        return true;
    }
    return false;
}

static bool cpu_broken(const struct result *r, struct finding *f)
{
    const struct result_server *s = &r->sample.server;

    if (s->cpu_percent > f->limit) {
        f->value = s->cpu_percent;
        (void)snprintf(f->text, sizeof(f->text),
                       "the server used %.0f %% of the processors that it may use, over %g %%",
                       f->value, f->limit);
        return true;
    }
    f->limit = PSI_CPU_PERCENT;
    f->value = s->psi_cpu_percent;
    if (!(f->value > f->limit))
        return false;
    (void)snprintf(f->text, sizeof(f->text),
                   "tasks waited for a processor in %.0f %% of the time (PSI), over %g %%",
                   f->value, f->limit);
    return true;
}

static bool checkpoints_broken(const struct result *r, struct finding *f)
{
    const int64_t n = r->sample.server_sample.checkpoints_whole;

    f->value = (double)n;
    if (n < 0 || !(f->value < f->limit))
        return false;
    (void)snprintf(f->text, sizeof(f->text),
                   "%" PRId64 " whole checkpoint%s in the sample, fewer than %g", n,
                   n == 1 ? "" : "s", f->limit);
    return true;
}

/* A server's writes reach its drive, its reads may come from RAM: a device that wrote more than the
 * WAL is not the wrong one, whatever it was asked to read. */
static bool wrong_device_broken(const struct result *r, struct finding *f)
{
    const struct result_sample *s = &r->sample;
    const double wal = (double)s->server_sample.wal_bytes / s->seconds;
    const double reads = result_server_read_bytes(r);
    struct result_moved m;
    double device;

    if (!result_devices_moved(r, &m) || s->server_sample.wal_bytes <= 0 || !(s->seconds > 0))
        return false;
    device = (m.read + m.write) * BYTES_PER_MIB;
    f->value = 100.0 * device / (wal + (isnan(reads) ? 0 : reads));
    if (!(f->value < f->limit) || m.write * BYTES_PER_MIB >= wal)
        return false;
    (void)snprintf(f->text, sizeof(f->text),
                   "the device moved %.0f %% of what the server read and wrote as WAL: it may be "
                   "the wrong one",
                   f->value);
    return true;
}

static bool durability_broken(const struct result *r, struct finding *f)
{
    const bool commit = setting_is_off(r, "synchronous_commit");

    if (server_is_lax(r, f) || no_flush_broken(r, f))
        return true;
    if (!commit && !setting_is_off(r, "full_page_writes"))
        return false;
    (void)snprintf(f->text, sizeof(f->text), "%s is off: less is written than a safe server writes",
                   commit ? "synchronous_commit" : "full_page_writes");
    return true;
}

static bool audit_broken(const struct result *r, struct finding *f)
{
    const struct result_band *first = NULL;
    size_t n = 0;

    for (size_t i = 0; i < r->audit.n; i++) {
        if (r->audit.at[i].within != 0)
            continue;
        if (!first)
            first = &r->audit.at[i];
        n++;
    }
    if (!first)
        return false;
    f->value = (double)n;
    (void)snprintf(f->text, sizeof(f->text),
                   "%zu band%s of the input audit missed, the first: %s %.3f, outside %.3f to %.3f",
                   n, n == 1 ? "" : "s", first->name, first->value, first->low, first->high);
    return true;
}

static bool accounting_broken(const struct result *r, struct finding *f)
{
    f->value = (double)r->run.accounting_broken;
    if (f->value > f->limit) {
        (void)snprintf(f->text, sizeof(f->text),
                       "the counters' equation did not hold at %" PRId64 " intervals",
                       r->run.accounting_broken);
        return true;
    }
    if (result_balances(r))
        return false;
    (void)snprintf(f->text, sizeof(f->text),
                   "transactions started and ended do not add up over the whole run");
    return true;
}

/* Invalid first. A row without an advice of its own has the table's. */
static const struct verdict_row verdict_rows[] = {
    {"condition", VERDICT_INVALID, 0, condition_broken,
     "the dataset is damaged: tpcc-check shows the rows; load it anew with --rebuild"},
    {"orders", VERDICT_INVALID, 0, orders_broken,
     "another program may have used the dataset; else the server lost or doubled commits"},
    {"errors", VERDICT_INVALID, 1.0, errors_broken, "the errors are listed below and in log.txt"},
    {"cut", VERDICT_INVALID, 100.0, cut_broken,
     "the figures are of what there was; run again to its end"},
    {"unfinished", VERDICT_INVALID, 0.1, unfinished_broken,
     "the server was stuck at the end of the sample: see its log and the drive's"},
    {"late", VERDICT_INVALID, 2.0, late_broken,
     "give the driver a core of its own, or run it on another machine"},
    {"unsafe", VERDICT_INVALID, 0, unsafe_broken, "set fsync = on in the server"},
    {"device", VERDICT_INVALID, 0, device_broken, "look into the kernel's log (dmesg)"},
    {"suspended", VERDICT_QUESTIONABLE, 0.1, suspended_broken,
     "run again on a machine that stays awake: drive, caches and connections began anew"},
    {"short", VERDICT_QUESTIONABLE, 180.0, short_broken, "use a longer --duration or --sample"},
    {"sessions", VERDICT_QUESTIONABLE, 5.0, sessions_broken, NULL},
    {"memory", VERDICT_QUESTIONABLE, RESULT_NONE, memory_broken,
     "take a dataset several times as large as this machine's RAM"},
    {"cpu", VERDICT_QUESTIONABLE, 85.0, cpu_broken,
     "the processors, not the drive, may have been the limit: fewer users, or more processors"},
    {"checkpoints", VERDICT_QUESTIONABLE, 3.0, checkpoints_broken,
     "use a longer --sample, so that it holds checkpoints from begin to end"},
    {"wrong-device", VERDICT_QUESTIONABLE, 20.0, wrong_device_broken,
     "name the device that holds the database with --device; WAL may lie elsewhere"},
    {"foreign", VERDICT_QUESTIONABLE, 2.0, foreign_broken,
     "stop what else uses the drive (pidstat -d shows who), or wait for the file system's own work"
     " (a new ext4 fills its tables for minutes)"},
    {"throttled", VERDICT_QUESTIONABLE, 0, throttled_broken,
     "cool the drive; see its health, and what it wrote, in the report"},
    {"link", VERDICT_QUESTIONABLE, RESULT_NONE, link_broken,
     "put the drive into a slot of its speed and width, or say that this is the system under test"},
    {"unsteady", VERDICT_QUESTIONABLE, STEADY_RANGE_PERCENT, unsteady_broken,
     "see the time line; use --until-steady, or a longer --duration"},
    {"gaps", VERDICT_QUESTIONABLE, 5.0, gaps_broken,
     "what the drive did is of the rest: see log.txt, the load of this machine, and the device's"
     " queue/iostats"},
    {"durability", VERDICT_QUESTIONABLE, 0, durability_broken,
     "set synchronous_commit and full_page_writes to on"},
    {"audit", VERDICT_QUESTIONABLE, 0, audit_broken,
     "the inputs were not those of the standard: see \"audit\" and the workload's settings"},
    {"accounting", VERDICT_QUESTIONABLE, 0, accounting_broken,
     "a fault of this program: please report it with the result directory"},
};

const char *verdict_name(enum verdict_status s)
{
    switch (s) {
    case VERDICT_VALID:
        return "valid";
    case VERDICT_QUESTIONABLE:
        return "questionable";
    case VERDICT_INVALID:
        return "invalid";
    }
    UNREACHABLE();
}

static void add_reason(struct result *r, const struct verdict_row *row, const struct finding *f)
{
    const char *advice = f->advice[0] ? f->advice : row->advice;
    const struct verdict_reason reason = {
        .code = row->code,
        .text = xstrdup(f->text),
        .value = f->value,
        .limit = f->limit,
        .advice = advice ? xstrdup(advice) : NULL,
    };

    VEC_PUSH(&r->verdict.reasons, reason);
    if (f->status > r->verdict.status)
        r->verdict.status = f->status;
}

void verdict_judge(struct result *r)
{
    if (result_is_sweep(r)) {
        sweep_judge(r);
        return;
    }
    if (result_is_prep(r)) {
        prep_judge(r);
        return;
    }
    result_verdict_clear(r);
    for (size_t i = 0; i < ARRAY_LEN(verdict_rows); i++) {
        const struct verdict_row *row = &verdict_rows[i];
        struct finding f = {.status = row->status, .value = RESULT_NONE, .limit = row->limit};

        /* Of a killed run nothing else can be said. */
        if (r->partial && row->broken != cut_broken)
            continue;
        if (row->broken(r, &f))
            add_reason(r, row, &f);
    }
}
