/*
 * The ladder's document in memory (see the header). Main thread.
 */
#include "result/ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "result/drive_set.h"
#include "result/verdict.h"

#define STANDARD_USERS 10.0   /* a warehouse, 4.2.2 */
#define SATURATED_PERCENT 2.0 /* of what was due: more than that did not get done */

void ladder_init(struct ladder *l)
{
    *l = (struct ladder){
        .planned_steps = -1,
        .warehouses = -1,
        .mean_cycle_s = RESULT_NONE,
        .maximum_tps = RESULT_NONE,
        .answer = {.holds = -1,
                   .next = -1,
                   .fails = -1,
                   .holds_tps = RESULT_NONE,
                   .next_tps = RESULT_NONE,
                   .fails_tps = RESULT_NONE,
                   .a_user = {RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE}},
        .check = {.conditions = -1, .failed = -1, .seconds = RESULT_NONE}};
}

void ladder_step_release(struct ladder_step *s)
{
    free(s->directory);
    free(s->verdict);
    free(s->reasons);
    free(s->limited);
    free(s->evidence);
    free(s->device);
    free(s->says);
    for (size_t i = 0; i < s->goals.n; i++) {
        free(s->goals.at[i].text);
        free(s->goals.at[i].says);
    }
    VEC_RELEASE(&s->goals);
}

void ladder_release(struct ladder *l)
{
    free(l->version);
    free(l->started);
    free(l->ended);
    free(l->label);
    free(l->command);
    free(l->asked);
    free(l->ended_by);
    free(l->host);
    free(l->workload);
    free(l->database);
    free(l->drive);
    free(l->check.first);
    free(l->answer.end);
    for (size_t i = 0; i < l->steps.n; i++)
        ladder_step_release(&l->steps.at[i]);
    VEC_RELEASE(&l->steps);
    *l = (struct ladder){0};
}

static char *codes_of(const struct result_verdict *v)
{
    struct strbuf out;

    if (v->reasons.n == 0)
        return NULL;
    strbuf_init(&out);
    for (size_t i = 0; i < v->reasons.n; i++)
        strbuf_addf(&out, "%s%s", i ? ", " : "", v->reasons.at[i].code);
    return strbuf_detach(&out);
}

/* All devices that the database lies on, together. */
static void take_drive(const struct result *r, struct ladder_step *s)
{
    const struct drive_set set = drive_set_of(r, (int)r->drive.devices.n);
    struct strbuf names;

    s->rates = result_rates_none();
    if (set.n == 0)
        return;
    strbuf_init(&names);
    for (int i = 0; i < set.n; i++)
        strbuf_addf(&names, "%s%s", i ? " + " : "", r->drive.devices.at[set.at[i]].name);
    s->device = strbuf_detach(&names);
    s->rates = drive_set_rates(&set, r->sample.devices);
}

static double settle_s(const struct result *r)
{
    for (size_t i = 0; i < r->phases.n; i++) {
        if (r->phases.at[i].name && strcmp(r->phases.at[i].name, "sample") == 0)
            return r->phases.at[i].start_s;
    }
    return RESULT_NONE;
}

/* Some are always under way where a sample ends, as many as there are sessions: in a short one that
 * may be more than 2 %. */
static bool is_saturated(const struct ladder_step *s)
{
    const int64_t undone = s->due - s->transactions;

    return undone > s->sessions && 100 * (double)undone > SATURATED_PERCENT * (double)s->due;
}

static int64_t due_in(const struct result *r)
{
    int64_t due = 0;

    for (size_t b = 0; b < RESULT_BATCHES; b++)
        due += (int64_t)r->batches[b].count;
    return due;
}

struct ladder_step ladder_step_of_result(const struct result *r, const char *directory)
{
    const struct result_sample *of = &r->sample;
    const struct limit_finding limit = limit_find(r);
    struct ladder_step s = {
        .directory = xstrdup(directory),
        .users = r->workload.users,
        .sessions = r->workload.sessions,
        .users_per_warehouse = (double)r->workload.users / (double)r->dataset.warehouses,
        .percent_of_maximum = RESULT_NONE,
        .saturated = -1,
        .ceiling_tps = r->workload.ceiling_tps,
        .verdict = xstrdup(verdict_name(r->verdict.status)),
        .reasons = codes_of(&r->verdict),
        .limited = xstrdup(limit_name(limit.limit)),
        .evidence = xstrdup(limit.evidence),
        .steady = r->steadiness.steady,
        .settle_s = settle_s(r),
        .seconds = of->seconds,
        .transactions = of->transactions,
        .failed = (int64_t)of->outcomes.failed,
        .unfinished = of->unfinished,
        .due = due_in(r),
        .tps = of->tps,
        .tps_percent_of_ceiling = of->tps_percent_of_ceiling,
        .response = of->time[TIME_RESPONSE],
        .reads_per_txn = of->reads_per_txn,
        .writes_per_txn = of->writes_per_txn,
        .flushes_per_txn = of->flushes_per_txn,
        .read_kib_per_txn = of->read_kib_per_txn,
        .write_kib_per_txn = of->write_kib_per_txn,
        .server_cpu_percent = of->server.cpu_percent,
    };

    take_drive(r, &s);
    return s;
}

/* What makes it a step at an offered rate, or the maximum before them. */
static void take_rate(struct ladder *l, struct ladder_step *s)
{
    s->users_per_warehouse = RESULT_NONE;
    if (ladder_step_is_maximum(s)) {
        l->maximum_tps = s->tps;
        return;
    }
    s->percent_of_maximum = 100 * s->ceiling_tps / l->maximum_tps;
    s->saturated = is_saturated(s);
}

/* What all steps share, from the first of them; harmless again. A workload's name that is there
 * already stays: a step's own may tell its pace. */
static void identify(struct ladder *l, const struct result *r)
{
    if (l->host)
        return;
    l->host = xstrdup_or_null(r->host.name);
    if (!l->workload)
        l->workload = xstrdup_or_null(r->workload.name);
    l->database = xasprintf("%s %s", r->database.kind ? r->database.kind : "?",
                            r->database.version ? r->database.version : "");
    l->drive = xstrdup_or_null(r->drive.path);
    l->warehouses = r->dataset.warehouses;
    l->mean_cycle_s = l->is_rates ? RESULT_NONE : r->workload.mean_cycle_s;
}

void ladder_add_step(struct ladder *l, const struct result *r, const char *directory)
{
    struct ladder_step s = ladder_step_of_result(r, directory);

    if (l->is_rates)
        take_rate(l, &s);
    identify(l, r);
    VEC_PUSH(&l->steps, s);
}

bool ladder_step_is_maximum(const struct ladder_step *s)
{
    return !isfinite(s->ceiling_tps);
}

const struct ladder_step *ladder_step_of(const struct ladder *l, int64_t users)
{
    for (size_t i = l->steps.n; i > 0; i--) {
        const struct ladder_step *s = &l->steps.at[i - 1];

        if (s->users == users && !ladder_step_is_maximum(s))
            return s;
    }
    return NULL;
}

const struct ladder_step *ladder_peak(const struct ladder *l)
{
    const struct ladder_step *peak = NULL;

    for (size_t i = 0; i < l->steps.n; i++) {
        const struct ladder_step *s = &l->steps.at[i];

        if (!ladder_step_is_maximum(s) && (!peak || s->tps > peak->tps))
            peak = s;
    }
    return peak;
}

static double rate_of(const struct ladder *l, int64_t users)
{
    const struct ladder_step *s = l->is_rates ? ladder_step_of(l, users) : NULL;

    return s ? s->ceiling_tps : RESULT_NONE;
}

static void cost_of_a_user(struct ladder *l, const struct ladder_step *s)
{
    const double kib_a_mib = 1024;

    l->answer.a_user = (struct ladder_cost){
        .reads = s->rates.reads_per_s / (double)s->users,
        .read_kib = s->rates.read_mib_per_s * kib_a_mib / (double)s->users,
        .writes = s->rates.writes_per_s / (double)s->users,
        .write_kib = s->rates.write_mib_per_s * kib_a_mib / (double)s->users,
        .flushes = s->rates.flushes_per_s / (double)s->users,
    };
}

void ladder_cost(struct ladder *l)
{
    const struct ladder_step *s = ladder_step_of(l, l->answer.holds);

    l->answer.holds_tps = rate_of(l, l->answer.holds);
    l->answer.next_tps = rate_of(l, l->answer.next);
    l->answer.fails_tps = rate_of(l, l->answer.fails);
    if (s && !l->is_rates)
        cost_of_a_user(l, s);
}

static int64_t place_of(const struct ladder_step *s)
{
    return ladder_step_is_maximum(s) ? 0 : s->users;
}

/* Steps are few: by insertion, which keeps the order of those that are alike. */
void ladder_order(const struct ladder *l, size_t *index)
{
    for (size_t i = 0; i < l->steps.n; i++) {
        const int64_t place = place_of(&l->steps.at[i]);
        size_t at = i;

        for (; at > 0 && place_of(&l->steps.at[index[at - 1]]) > place; at--)
            index[at] = index[at - 1];
        index[at] = i;
    }
}

bool ladder_ended_as_planned(const struct ladder *l)
{
    return l->ended_by && strcmp(l->ended_by, "plan") == 0;
}

static bool is_called(const struct ladder_step *s, enum verdict_status status)
{
    return s->verdict && strcmp(s->verdict, verdict_name(status)) == 0;
}

bool ladder_failed(const struct ladder *l, bool strict)
{
    bool all_invalid = true;
    bool all_valid = true;

    for (size_t i = 0; i < l->steps.n; i++) {
        all_invalid = all_invalid && is_called(&l->steps.at[i], VERDICT_INVALID);
        all_valid = all_valid &&
                    (is_called(&l->steps.at[i], VERDICT_VALID) || l->steps.at[i].saturated == 1);
    }
    return l->check.failed > 0 || all_invalid || (strict && !all_valid);
}

bool ladder_step_is_beyond(const struct ladder_step *s)
{
    return s->users_per_warehouse > STANDARD_USERS;
}
