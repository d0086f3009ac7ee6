/*
 * Adds up what may be added: histograms, batches, counts, rates. Nothing is averaged over targets.
 */
#include "result/targets.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "result/drive_set.h"
#include "result/verdict.h"

#define PERCENT 100.0
#define US_PER_S_D 1e6
#define NS_PER_MS_D 1e6

static void line_clear(struct targets_line *l)
{
    for (int b = 0; b < RESULT_BATCHES; b++)
        l->tps[b] = l->avg_ms[b] = l->p99_ms[b] = RESULT_NONE;
}

/* A step without figures; ladder_add_step() knows how. */
static void sum_none(struct ladder_step *s)
{
    *s = (struct ladder_step){.users = -1,
                              .sessions = -1,
                              .users_per_warehouse = RESULT_NONE,
                              .ceiling_tps = RESULT_NONE,
                              .percent_of_maximum = RESULT_NONE,
                              .due = -1,
                              .saturated = -1,
                              .steady = -1,
                              .settle_s = RESULT_NONE,
                              .seconds = RESULT_NONE,
                              .transactions = -1,
                              .failed = -1,
                              .unfinished = -1,
                              .tps = RESULT_NONE,
                              .tps_percent_of_ceiling = RESULT_NONE,
                              .response = summary_none(),
                              .rates = result_rates_none(),
                              .reads_per_txn = RESULT_NONE,
                              .writes_per_txn = RESULT_NONE,
                              .flushes_per_txn = RESULT_NONE,
                              .read_kib_per_txn = RESULT_NONE,
                              .write_kib_per_txn = RESULT_NONE,
                              .server_cpu_percent = RESULT_NONE};
}

void targets_init(struct targets *t)
{
    *t = (struct targets){.planned = -1, .summed = -1, .mean_cycle_s = RESULT_NONE};
    t->driver = (struct targets_driver){RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE};
    sum_none(&t->sum);
    line_clear(&t->line);
    result_init(&t->merged);
}

void targets_release(struct targets *t)
{
    char **const texts[] = {&t->version, &t->started,  &t->ended,    &t->label,   &t->command,
                            &t->host,    &t->workload, &t->ended_by, &t->verdict, &t->shared};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        free(*texts[i]);
    for (size_t i = 0; i < t->rows.n; i++) {
        struct target_row *row = &t->rows.at[i];

        free(row->name);
        free(row->ended_by);
        free(row->database);
        free(row->drive);
        ladder_step_release(&row->run);
    }
    VEC_RELEASE(&t->rows);
    ladder_step_release(&t->sum);
    result_release(&t->merged);
    *t = (struct targets){0};
}

/* ---- one more ---- */

static void add_histograms(struct result *to, const struct result *from)
{
    for (int row = 0; row < RESULT_TXN_ROWS; row++) {
        for (int k = 0; k < TIME_KINDS; k++) {
            if (!from->latency[row][k])
                continue;
            if (!to->latency[row][k])
                to->latency[row][k] = hist_new();
            hist_add(to->latency[row][k], from->latency[row][k]);
        }
    }
    for (int b = 0; b < RESULT_BATCHES; b++) {
        struct result_batch *sum = &to->batches[b];

        if (!from->batches[b].response)
            continue;
        if (!sum->response)
            sum->response = hist_new();
        hist_add(sum->response, from->batches[b].response);
        sum->count += from->batches[b].count;
        sum->sum_ns += from->batches[b].sum_ns;
    }
}

static void make_line(const struct result_batch *batch, double seconds, struct targets_line *l)
{
    for (int b = 0; b < RESULT_BATCHES; b++) {
        const double n = (double)batch[b].count;

        l->tps[b] = seconds > 0 ? n * RESULT_BATCHES / seconds : RESULT_NONE;
        l->avg_ms[b] = n > 0 ? (double)batch[b].sum_ns / n / NS_PER_MS_D : RESULT_NONE;
        l->p99_ms[b] = batch[b].response ? hist_percentile_ms(batch[b].response, 99) : RESULT_NONE;
    }
}

/* Its sessions were lost and none came back. */
static bool is_lost(const struct result *r)
{
    for (size_t i = 0; i < r->marks.n; i++) {
        if (strcmp(r->marks.at[i].kind, "restart") == 0 && isnan(r->marks.at[i].end_s))
            return true;
    }
    return false;
}

bool targets_has_whole_sample(const struct result *r)
{
    return r->run.ended_by && strcmp(r->run.ended_by, "plan") == 0 && r->sample.seconds > 0 &&
           !is_lost(r);
}

/* NaN counts as nothing. */
static void keep_most(double *most, double value)
{
    *most = fmax(*most, value);
}

static void add_counts(struct ladder_step *sum, const struct ladder_step *s)
{
    const bool first = sum->users < 0;

    if (first) {
        sum->users = sum->sessions = sum->transactions = sum->failed = sum->unfinished = 0;
        sum->due = 0;
        sum->ceiling_tps = sum->tps = 0;
        sum->seconds = s->seconds;
    }
    sum->users += s->users;
    sum->sessions += s->sessions;
    sum->transactions += s->transactions;
    sum->failed += s->failed;
    sum->unfinished += s->unfinished;
    sum->due += s->due;
    sum->ceiling_tps += s->ceiling_tps;
    sum->tps += s->tps;
}

static bool is_listed(const char *list, const char *name)
{
    const size_t n = strlen(name);

    for (const char *at = list; (at = strstr(at, name)); at += n) {
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    }
    return false;
}

/* Each device of the drive once; `device` has their names with " + " between. The first target's
 * drive is taken as it is, what none has counters of makes the sum none. */
static void add_drive(struct ladder_step *sum, const struct result *r)
{
    const struct drive_set set = drive_set_of(r, (int)r->drive.devices.n);
    const struct drive_set both = {.n = 2, .at = {0, 1}, .known = true};
    struct result_rates pair[2];

    for (int i = 0; i < set.n; i++) {
        const char *name = r->drive.devices.at[set.at[i]].name;
        char *more = NULL;

        if (sum->device && is_listed(sum->device, name))
            continue;
        pair[0] = sum->rates;
        pair[1] = r->sample.devices[set.at[i]];
        sum->rates = sum->device ? drive_set_rates(&both, pair) : pair[1];
        more = sum->device ? xasprintf("%s + %s", sum->device, name) : xstrdup(name);
        free(sum->device);
        sum->device = more;
    }
}

static void identify(struct targets *t, struct target_row *row, const struct result *r)
{
    row->database = xasprintf("%s %s", r->database.kind ? r->database.kind : "?",
                              r->database.version ? r->database.version : "");
    row->drive = r->drive.path ? xstrdup(r->drive.path) : NULL;
    if (!t->host && r->host.name)
        t->host = xstrdup(r->host.name);
    if (!t->workload && r->workload.name)
        t->workload = xstrdup(r->workload.name);
    if (isnan(t->mean_cycle_s))
        t->mean_cycle_s = r->workload.mean_cycle_s;
}

void targets_add(struct targets *t, const struct targets_run *run, const struct result *r)
{
    const struct target_row none = {.name = xstrdup(run->name)};
    struct target_row *row = NULL;

    VEC_PUSH(&t->rows, none);
    row = &t->rows.at[t->rows.n - 1];
    row->ended_by = is_lost(r)        ? xstrdup("the loss of its server")
                    : r->run.ended_by ? xstrdup(r->run.ended_by)
                                      : NULL;
    row->lateness_p99_ms = r->sample.driver.lateness_p99_ms;
    row->summed = targets_has_whole_sample(r);
    row->run = ladder_step_of_result(r, run->directory);
    make_line(r->batches, r->sample.seconds, &row->line);
    identify(t, row, r);
    if (!row->summed)
        return;
    keep_most(&t->driver.cpu_percent, run->driver->cpu_percent);
    keep_most(&t->driver.rss_mib, run->driver->rss_mib);
    keep_most(&t->driver.lateness_p99_ms, row->lateness_p99_ms);
    add_counts(&t->sum, &row->run);
    add_drive(&t->sum, r);
    add_histograms(&t->merged, r);
}

/* ---- all of them ---- */

/* Per transaction: what the devices did a second, over the transactions a second. */
static void close_drive(struct ladder_step *sum, bool all_have_counters)
{
    const double kib_a_mib = 1024;

    if (!all_have_counters)
        sum->rates = result_rates_none();
    sum->reads_per_txn = sum->rates.reads_per_s / sum->tps;
    sum->writes_per_txn = sum->rates.writes_per_s / sum->tps;
    sum->flushes_per_txn = sum->rates.flushes_per_s / sum->tps;
    sum->read_kib_per_txn = sum->rates.read_mib_per_s * kib_a_mib / sum->tps;
    sum->write_kib_per_txn = sum->rates.write_mib_per_s * kib_a_mib / sum->tps;
}

static void close_sum(struct targets *t)
{
    struct hist *all = hist_new();
    bool counted = true;

    t->summed = 0;
    for (size_t i = 0; i < t->rows.n; i++) {
        t->summed += t->rows.at[i].summed;
        counted = counted && (!t->rows.at[i].summed || t->rows.at[i].run.device);
    }
    for (int row = 0; row < RESULT_TXN_ROWS - 1; row++) {
        if (t->merged.latency[row][TIME_RESPONSE])
            hist_add(all, t->merged.latency[row][TIME_RESPONSE]);
    }
    t->sum.response = summary_of(all);
    hist_free(all);
    if (t->summed == 0)
        return;
    free(t->sum.directory);
    t->sum.directory = xstrdup(".");
    t->sum.tps_percent_of_ceiling = PERCENT * t->sum.tps / t->sum.ceiling_tps;
    close_drive(&t->sum, counted);
    make_line(t->merged.batches, t->sum.seconds, &t->line);
    if (t->sum.transactions > 0)
        t->driver.cpu_us_per_transaction = t->driver.cpu_percent / PERCENT * t->sum.seconds *
                                           US_PER_S_D / (double)t->sum.transactions;
}

/* The worst of them; what did not take place is invalid. */
static void close_verdict(struct targets *t)
{
    enum verdict_status worst = VERDICT_VALID;

    for (size_t i = 0; i < t->rows.n; i++) {
        for (int v = VERDICT_VALID; v <= VERDICT_INVALID; v++) {
            if (strcmp(t->rows.at[i].run.verdict, verdict_name((enum verdict_status)v)) == 0 &&
                v > (int)worst)
                worst = (enum verdict_status)v;
        }
    }
    if ((int64_t)t->rows.n < t->planned)
        worst = VERDICT_INVALID;
    free(t->verdict);
    t->verdict = xstrdup(verdict_name(worst));
}

static bool lies_on(const struct target_row *row, const char *device, size_t length)
{
    char *name = xstrndup(device, length);
    const bool yes = row->run.device && is_listed(row->run.device, name);

    free(name);
    return yes;
}

/* Appends the device where a later target lies on it too; where an earlier one does, it was said.
 */
static void find_sharers(const struct targets *t, size_t first, const char *device, size_t length,
                         struct strbuf *out)
{
    const size_t start = out->len;

    for (size_t i = 0; i < first; i++) {
        if (lies_on(&t->rows.at[i], device, length))
            return;
    }
    for (size_t i = first + 1; i < t->rows.n; i++) {
        if (!lies_on(&t->rows.at[i], device, length))
            continue;
        if (out->len == start)
            strbuf_addf(out, "%s%.*s by %s", start ? "; " : "", (int)length, device,
                        t->rows.at[first].name);
        strbuf_addf(out, ", %s", t->rows.at[i].name);
    }
}

static void close_shared(struct targets *t)
{
    struct strbuf out;

    strbuf_init(&out);
    for (size_t i = 0; i < t->rows.n; i++) {
        const char *at = t->rows.at[i].run.device;

        while (at && *at) {
            const size_t length = strcspn(at, " ");

            find_sharers(t, i, at, length, &out);
            at += length;
            at += strspn(at, " +");
        }
    }
    free(t->shared);
    t->shared = out.len ? strbuf_detach(&out) : NULL;
    strbuf_release(&out);
}

void targets_close(struct targets *t)
{
    close_sum(t);
    close_verdict(t);
    free(t->sum.verdict);
    t->sum.verdict = xstrdup(t->verdict);
    close_shared(t);
}

bool targets_failed(const struct targets *t, bool strict)
{
    if (!t->verdict || strcmp(t->verdict, verdict_name(VERDICT_INVALID)) == 0)
        return true;
    return strict && strcmp(t->verdict, verdict_name(VERDICT_VALID)) != 0;
}
