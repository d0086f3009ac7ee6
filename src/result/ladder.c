/*
 * The ladder's document in memory (see the header). Main thread.
 */
#include "result/ladder.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "result/drive_set.h"
#include "result/verdict.h"

#define STANDARD_USERS 10.0 /* a warehouse, 4.2.2 */

void ladder_init(struct ladder *l)
{
    *l = (struct ladder){
        .planned_steps = -1,
        .warehouses = -1,
        .mean_cycle_s = RESULT_NONE,
        .answer = {.holds = -1,
                   .next = -1,
                   .fails = -1,
                   .a_user = {RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE}},
        .check = {.conditions = -1, .failed = -1, .seconds = RESULT_NONE}};
}

static void step_release(struct ladder_step *s)
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
        step_release(&l->steps.at[i]);
    VEC_RELEASE(&l->steps);
    *l = (struct ladder){0};
}

static char *dup_or_null(const char *text)
{
    return text ? xstrdup(text) : NULL;
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

void ladder_add_step(struct ladder *l, const struct result *r, const char *directory)
{
    const struct result_sample *of = &r->sample;
    const struct limit_finding limit = limit_find(r);
    struct ladder_step s = {
        .directory = xstrdup(directory),
        .users = r->workload.users,
        .sessions = r->workload.sessions,
        .users_per_warehouse = (double)r->workload.users / (double)r->dataset.warehouses,
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
    ladder_identify(l, r);
    VEC_PUSH(&l->steps, s);
}

void ladder_identify(struct ladder *l, const struct result *r)
{
    if (l->host)
        return;
    l->host = dup_or_null(r->host.name);
    l->workload = dup_or_null(r->workload.name);
    l->database = xasprintf("%s %s", r->database.kind ? r->database.kind : "?",
                            r->database.version ? r->database.version : "");
    l->drive = dup_or_null(r->drive.path);
    l->warehouses = r->dataset.warehouses;
    l->mean_cycle_s = r->workload.mean_cycle_s;
}

const struct ladder_step *ladder_step_of(const struct ladder *l, int64_t users)
{
    for (size_t i = l->steps.n; i > 0; i--) {
        if (l->steps.at[i - 1].users == users)
            return &l->steps.at[i - 1];
    }
    return NULL;
}

void ladder_cost(struct ladder *l)
{
    const struct ladder_step *s = ladder_step_of(l, l->answer.holds);
    const double kib_a_mib = 1024;

    if (!s)
        return;
    l->answer.a_user = (struct ladder_cost){
        .reads = s->rates.reads_per_s / (double)s->users,
        .read_kib = s->rates.read_mib_per_s * kib_a_mib / (double)s->users,
        .writes = s->rates.writes_per_s / (double)s->users,
        .write_kib = s->rates.write_mib_per_s * kib_a_mib / (double)s->users,
        .flushes = s->rates.flushes_per_s / (double)s->users,
    };
}

/* Steps are few: by insertion, which keeps the order of those that are alike. */
void ladder_order(const struct ladder *l, size_t *index)
{
    for (size_t i = 0; i < l->steps.n; i++) {
        size_t at = i;

        for (; at > 0 && l->steps.at[index[at - 1]].users > l->steps.at[i].users; at--)
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
        all_valid = all_valid && is_called(&l->steps.at[i], VERDICT_VALID);
    }
    return l->check.failed > 0 || all_invalid || (strict && !all_valid);
}

bool ladder_step_is_beyond(const struct ladder_step *s)
{
    return s->users_per_warehouse > STANDARD_USERS;
}
