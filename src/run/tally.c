/*
 * From slices to the result. Main thread.
 */
#include "run/tally.h"

#include <math.h>
#include <string.h>

#include "base/thread.h"
#include "base/xalloc.h"

#define NS_PER_S_D 1e9
#define NS_PER_MS_D 1e6
#define BYTES_PER_MIB 1048576.0
#define SLIVER 10 /* a row shorter than this part of an interval has no rates */

/* 5.2.5.3: at the 90th percentile; deferred Deliveries 2.7.2.2. */
static const double limit_ms[TXN_ROWS] = {
    [TXN_NEW_ORDER] = 5000, [TXN_PAYMENT] = 5000,      [TXN_ORDER_STATUS] = 5000,
    [TXN_DELIVERY] = 5000,  [TXN_STOCK_LEVEL] = 20000, [TXN_DELIVERY_DEFERRED] = 80000,
};

static void drop_if_empty(struct hist **h)
{
    if (*h && hist_count(*h) > 0)
        return;
    hist_free(*h);
    *h = NULL;
}

/* Parts of the result that turned out empty are "none". */
static void drop_empty(struct result *r)
{
    for (int row = 0; row < TXN_ROWS; row++)
        for (int k = 0; k < TIME_KINDS; k++)
            drop_if_empty(&r->latency[row][k]);
    for (int b = 0; b < RESULT_BATCHES; b++)
        drop_if_empty(&r->batches[b].response);
}

void tally_init(struct tally *t, const struct plan *plan, struct result *r)
{
    memset(t, 0, sizeof(*t));
    t->plan = plan;
    t->result = r;
    t->row_response = hist_new();
    t->late = hist_new();
    for (int row = 0; row < TXN_ROWS; row++)
        for (int k = 0; k < TIME_KINDS; k++)
            r->latency[row][k] = hist_new();
    for (int b = 0; b < RESULT_BATCHES; b++)
        r->batches[b].response = hist_new();
    r->sample.planned_seconds = (double)plan->sample_ns / NS_PER_S_D;
    r->run.accounting_broken = 0;
}

void tally_release(struct tally *t)
{
    drop_empty(t->result);
    hist_free(t->row_response);
    hist_free(t->late);
    t->row_response = NULL;
    t->late = NULL;
}

void tally_go(struct tally *t, const struct windows *w)
{
    t->row_start_ns = w->go_ns;
    t->last_commit_ns = w->go_ns;
    t->last_cpu_ns = process_cpu_ns();
}

uint64_t tally_ended(const struct tally *t)
{
    const struct counters *c = &t->run.outcomes;

    return counters_transactions(c) + c->failed + c->in_doubt;
}

/* ---- the series ---- */

static double rate(uint64_t n, double seconds)
{
    return seconds > 0 ? (double)n / seconds : (double)NAN;
}

/* A few transactions, or none, in a moment say nothing of a rate: what is left of the drain, or of
 * a sample whose end is not on the grid, may be of microseconds. */
static void fill_rates(const struct tally *t, uint64_t length_ns, struct series_row *row)
{
    const double seconds = (double)length_ns / NS_PER_S_D;

    if (length_ns < t->plan->interval_ns / SLIVER)
        return;
    for (int i = 0; i < TXN_ROWS; i++)
        row->tps[i] = rate(t->row.done[i], seconds);
    if (!t->plan->delivery_deferred)
        row->tps[TXN_DELIVERY_DEFERRED] = (double)NAN;
    row->tps_all = rate(counters_transactions(&t->row.outcomes), seconds);
}

static void fill_row(const struct tally *t, const struct slice *s, const struct windows *w,
                     struct series_row *row)
{
    const struct record_sums *sums = &t->row;

    row->time_s = (double)(s->end_ns - w->go_ns) / NS_PER_S_D;
    row->phase = (uint8_t)t->row_phase;
    row->users = s->users;
    fill_rates(t, s->end_ns - t->row_start_ns, row);
    if (hist_count(t->row_response) > 0) {
        row->avg_ms = hist_avg_ms(t->row_response);
        row->p50_ms = hist_percentile_ms(t->row_response, 50);
        row->p95_ms = hist_percentile_ms(t->row_response, 95);
        row->p99_ms = hist_percentile_ms(t->row_response, 99);
        row->max_ms = hist_max_ms(t->row_response);
    }
    if (sums->outcomes.started > 0) {
        row->lateness_avg_ms = (double)sums->late_ns / (double)sums->outcomes.started / NS_PER_MS_D;
        row->lateness_max_ms = (double)sums->late_max_ns / NS_PER_MS_D;
    }
    row->queue = (int64_t)s->queue;
    row->sessions_busy = s->busy;
    row->retries = (int64_t)sums->outcomes.retries;
    row->errors = (int64_t)(sums->outcomes.failed + sums->outcomes.in_doubt);
}

/* Transactions that write, where Delivery is deferred with its execution. */
static uint64_t writers(const struct tally *t, const struct record_sums *sums)
{
    const enum txn_type delivery =
        t->plan->delivery_deferred ? (enum txn_type)TXN_DELIVERY_DEFERRED : TXN_DELIVERY;

    return sums->done[TXN_NEW_ORDER] + sums->done[TXN_PAYMENT] + sums->done[delivery];
}

static void fill_server(struct tally *t, const struct devices_interval *iv,
                        struct server_watch *watch, struct series_row *row)
{
    const struct server_interval of = {
        .start_ns = iv->start_ns,
        .end_ns = iv->end_ns,
        .in_sample = iv->in_sample,
        .transactions = iv->transactions,
        .writers = writers(t, &t->row),
    };

    server_watch_row(watch, &of, row);
    row->server.longest_silence_ms = (double)t->row_silence_ns / NS_PER_MS_D;
}

static const struct series_row *end_row(struct tally *t, const struct slice *s,
                                        const struct windows *w, const struct watchers *watchers)
{
    const struct devices_interval iv = {
        .start_ns = t->row_start_ns,
        .end_ns = s->end_ns,
        .in_sample = t->row_start_ns >= w->sample_start_ns && s->end_ns <= w->sample_end_ns,
        .transactions = counters_transactions(&t->row.outcomes),
    };
    struct series_row *row = NULL;

    if (s->end_ns > t->row_start_ns) {
        row = series_push(&t->result->series);
        fill_row(t, s, w, row);
        devices_row(watchers->devices, &iv, row);
        fill_server(t, &iv, watchers->server, row);
        row->temperature_c = watchers->temperature_c;
    }
    memset(&t->row, 0, sizeof(t->row));
    hist_clear(t->row_response);
    t->row_start_ns = s->end_ns;
    t->row_silence_ns = 0;
    t->row_begun = false;
    return row;
}

/* ---- the sample ---- */

static void add_to_sample(struct tally *t, const struct slice *s)
{
    const uint64_t unfinished = t->sample.unfinished;
    const uint64_t seen = t->sample.seen;
    const uint64_t waited = t->sample.waited;
    /* The most of the sample: a load before it, in this process, took more. */
    const double rss_mib = (double)process_rss_bytes() / BYTES_PER_MIB;

    if (t->sample_start_ns == 0) {
        t->sample_start_ns = s->start_ns;
        t->sample_start_cpu_ns = t->last_cpu_ns;
    }
    t->sample_end_ns = s->end_ns;
    t->sample_end_cpu_ns = s->cpu_ns;
    t->result->sample.driver.rss_mib = fmax(t->result->sample.driver.rss_mib, rss_mib);
    record_sums_add(&t->sample, &s->rec->sums);
    t->sample.unfinished = unfinished; /* these follow the due time, below */
    t->sample.seen = seen;
    t->sample.waited = waited;
}

/* What was due in the sample, whenever it ended. */
static void add_times(struct tally *t, const struct slice *s)
{
    const struct recorder *rec = s->rec;
    struct result_batch *batch = &t->result->batches[s->batch];

    t->sample.seen += rec->sums.seen;
    t->sample.waited += rec->sums.waited;
    t->sample.unfinished += rec->sums.unfinished;
    hist_add(t->late, rec->late);
    for (int row = 0; row < TXN_ROWS; row++) {
        const struct hist *response = rec->time[row][TIME_RESPONSE];

        for (int k = 0; k < TIME_KINDS; k++)
            hist_add(t->result->latency[row][k], rec->time[row][k]);
        if (row == TXN_DELIVERY_DEFERRED || hist_count(response) == 0)
            continue;

        hist_add(batch->response, response);
        batch->count += hist_count(response);
        batch->sum_ns += hist_sum_ns(response);
    }
}

/* The longest time without a commit up to the slice's end, whether one ends it or not; what lies
 * before `from` is another window's. */
static uint64_t silence_ns(const struct tally *t, const struct slice *s, uint64_t from_ns)
{
    const struct recorder *rec = s->rec;
    const uint64_t since_ns = t->last_commit_ns > from_ns ? t->last_commit_ns : from_ns;
    const uint64_t first_ns = rec->first_commit_ns ? rec->first_commit_ns : s->end_ns;
    const uint64_t last_ns = rec->first_commit_ns ? rec->last_commit_ns : s->end_ns;
    uint64_t longest = rec->silence_ns;

    if (first_ns > since_ns && first_ns - since_ns > longest)
        longest = first_ns - since_ns;
    if (s->end_ns > last_ns && s->end_ns - last_ns > longest)
        longest = s->end_ns - last_ns;
    return longest;
}

static uint64_t longer(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void add_silence(struct tally *t, const struct slice *s)
{
    /* A row has what was silent when it began, since a stall does not end with an interval. */
    t->row_silence_ns = longer(t->row_silence_ns, silence_ns(t, s, 0));
    if (s->in_sample)
        t->sample_silence_ns =
            longer(t->sample_silence_ns,
                   silence_ns(t, s, t->sample_start_ns ? t->sample_start_ns : s->start_ns));
    if (s->rec->first_commit_ns)
        t->last_commit_ns = s->rec->last_commit_ns;
}

const struct series_row *tally_slice(struct tally *t, const struct slice *s,
                                     const struct windows *w, const struct watchers *watchers)
{
    if (!s->balanced) {
        t->result->run.accounting_broken++;
        CHECK(!t->result->strict_accounting);
    }
    if (!t->row_begun)
        t->row_phase = s->phase;
    t->row_begun = true;
    record_sums_add(&t->run, &s->rec->sums);
    record_sums_add(&t->row, &s->rec->sums);
    hist_add(t->row_response, s->rec->all);
    add_silence(t, s);
    if (s->in_sample)
        add_to_sample(t, s);
    add_times(t, s);
    t->last_cpu_ns = s->cpu_ns;
    return s->ends_interval || s->last ? end_row(t, s, w, watchers) : NULL;
}

/* ---- the figures ---- */

static void fill_types(struct tally *t, double seconds)
{
    struct result_sample *s = &t->result->sample;
    const double all = (double)counters_transactions(&t->sample.outcomes);

    for (int row = 0; row < TXN_ROWS; row++) {
        struct result_txn *txn = &s->by_type[row];

        txn->limit_ms = limit_ms[row];
        if (row == TXN_DELIVERY_DEFERRED && !t->plan->delivery_deferred)
            continue;
        txn->count = (int64_t)t->sample.done[row];
        txn->tps = rate(t->sample.done[row], seconds);
        txn->percent = all > 0 ? 100 * (double)txn->count / all : (double)NAN;
        for (int k = 0; k < TIME_KINDS; k++)
            txn->time[k] = summary_of(t->result->latency[row][k]);
        txn->within_limit = -1;
        if (!isnan(txn->time[TIME_RESPONSE].p90))
            txn->within_limit = txn->time[TIME_RESPONSE].p90 <= txn->limit_ms;
    }
}

/* Over all transactions; the execution of deferred Deliveries apart. */
static void fill_times(struct tally *t)
{
    struct hist *all = hist_new();

    for (int k = 0; k < TIME_KINDS; k++) {
        hist_clear(all);
        for (int row = 0; row < TXN_DELIVERY_DEFERRED; row++)
            hist_add(all, t->result->latency[row][k]);
        t->result->sample.time[k] = summary_of(all);
    }
    hist_free(all);
}

static void fill_driver(struct tally *t, double seconds)
{
    struct result_driver *d = &t->result->sample.driver;
    const double cpu_ns = (double)(t->sample_end_cpu_ns - t->sample_start_cpu_ns);
    const double n = (double)counters_transactions(&t->sample.outcomes);

    if (seconds > 0)
        d->cpu_percent = 100 * cpu_ns / NS_PER_S_D / seconds;
    if (n > 0)
        d->cpu_us_per_transaction = cpu_ns / 1e3 / n;
    d->lateness_avg_ms = hist_avg_ms(t->late);
    d->lateness_p50_ms = hist_percentile_ms(t->late, 50);
    d->lateness_p99_ms = hist_percentile_ms(t->late, 99);
    d->lateness_max_ms = hist_max_ms(t->late);
    if (t->sample.seen > 0 && t->plan->pace.kind != PACE_NONE)
        d->free_session_wait_percent = 100 * (double)t->sample.waited / (double)t->sample.seen;
}

static void fill_phases(struct tally *t, const struct windows *w)
{
    const uint64_t edges_ns[PHASES + 1] = {
        w->go_ns, w->ramp_end_ns, w->sample_start_ns, w->sample_end_ns, t->row_start_ns,
    };

    for (int p = 0; p < PHASES; p++) {
        uint64_t start_ns = edges_ns[p];
        uint64_t end_ns = edges_ns[p + 1];

        if (p != PHASE_DRAIN && end_ns > w->sample_end_ns)
            end_ns = w->sample_end_ns; /* the run ended in it */
        if (end_ns < start_ns || (p != PHASE_RAMP && p != PHASE_DRAIN && start_ns == end_ns))
            continue;
        VEC_PUSH(&t->result->phases, ((struct result_phase){
                                         .name = xstrdup(plan_phase_name((enum plan_phase)p)),
                                         .start_s = (double)(start_ns - w->go_ns) / NS_PER_S_D,
                                         .end_s = (double)(end_ns - w->go_ns) / NS_PER_S_D,
                                     }));
    }
}

static void fill_sample(struct tally *t)
{
    struct result_sample *s = &t->result->sample;
    const double seconds = (double)(t->sample_end_ns - t->sample_start_ns) / NS_PER_S_D;

    s->outcomes = t->sample.outcomes;
    s->seconds = seconds;
    s->transactions = (int64_t)counters_transactions(&t->sample.outcomes);
    s->tps = rate(counters_transactions(&t->sample.outcomes), seconds);
    s->tps_percent_of_ceiling = 100 * s->tps / t->plan->ceiling_tps;
    s->nopm = 60 * rate(t->sample.done[TXN_NEW_ORDER], seconds);
    s->unfinished = (int64_t)t->sample.unfinished;
    fill_types(t, seconds);
    fill_times(t);
    fill_driver(t, seconds);
    s->server.longest_silence_ms = (double)t->sample_silence_ns / NS_PER_MS_D;
}

/* Of a run that ended before its sample there are no figures of one. */
void tally_finish(struct tally *t, const struct windows *w)
{
    struct result *r = t->result;

    r->run.outcomes = t->run.outcomes;
    if (t->sample_end_ns > t->sample_start_ns)
        fill_sample(t);
    fill_phases(t, w);
    audit_judge(&t->sample.audit, &t->plan->rules, t->plan->mix, r);
    drop_empty(r);
}
