/*
 * How long transactions took: percentile curves, percentiles of response, queue and service, the
 * table per transaction with the limits of TPC-C 5.2.5.3, and where the time went.
 */
#include <math.h>

#include "report/cell.h"
#include "report/deferred.h"
#include "report/html_parts.h"
#include "report/html_text.h"

static void add_summary(struct html_table *t, const char *name, const struct summary *s)
{
    const double figures[] = {s->avg, s->p50, s->p90, s->p95, s->p99, s->p999, s->max};

    html_cell(t, name);
    for (size_t i = 0; i < ARRAY_LEN(figures); i++)
        html_cell(t, cell_figure(figures[i]).text);
}

static void add_times(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "ms"},  {.head = "avg"}, {.head = "p50"},   {.head = "p90"},
        {.head = "p95"}, {.head = "p99"}, {.head = "p99.9"}, {.head = "max"},
    };
    struct html_table t;

    html_table_begin(&t, out,
                     deferred_has(r) ? "All transactions; queue and service without Deliveries, "
                                       "which end when they are queued"
                                     : "All transactions: response = queue + service",
                     columns, ARRAY_LEN(columns));
    for (int k = 0; k < TIME_KINDS; k++)
        add_summary(&t, result_time_name((enum result_kind_of_time)k), &r->sample.time[k]);
    html_table_end(&t);
}

/* "90 % in 5 s: kept". */
static void add_limit(struct html_table *t, const struct result_txn *txn)
{
    struct strbuf text;

    strbuf_init(&text);
    if (isfinite(txn->limit_ms)) {
        strbuf_addf(&text, "%s s", cell_fixed(txn->limit_ms / 1000.0, 0).text);
        strbuf_adds(&text, txn->within_limit < 0 ? ""
                           : txn->within_limit   ? " &#10003; kept"
                                                 : " &#10005; missed");
    }
    html_cell_markup(t, text.len ? text.buf : "-");
    strbuf_release(&text);
}

static void add_types(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "transaction"}, {.head = "count"}, {.head = "%"},   {.head = "TPS"},
        {.head = "avg"},         {.head = "p50"},   {.head = "p90"}, {.head = "p95"},
        {.head = "p99"},         {.head = "p99.9"}, {.head = "max"}, {.head = "limit of p90"},
    };
    struct html_table t;

    html_table_begin(&t, out, "Response by transaction, ms; limits of TPC-C 5.2.5.3", columns,
                     ARRAY_LEN(columns));
    for (int row = 0; row < RESULT_TXN_ROWS; row++) {
        const struct result_txn *txn = &r->sample.by_type[row];
        const struct summary *ms = &txn->time[TIME_RESPONSE];
        const double figures[] = {ms->avg, ms->p50, ms->p90, ms->p95, ms->p99, ms->p999, ms->max};

        if (txn->count < 0)
            continue;
        html_cell(&t, result_txn_name(row));
        html_cell(&t, cell_count(txn->count).text);
        html_cell(&t, cell_fixed(txn->percent, 1).text);
        html_cell(&t, cell_figure(txn->tps).text);
        for (size_t i = 0; i < ARRAY_LEN(figures); i++)
            html_cell(&t, cell_figure(figures[i]).text);
        add_limit(&t, txn);
    }
    html_table_end(&t);
}

static double longest_avg(const struct result *r)
{
    double longest = r->sample.time[TIME_RESPONSE].avg;

    for (int row = 0; row < RESULT_TXN_ROWS; row++)
        longest = fmax(longest, r->sample.by_type[row].time[TIME_RESPONSE].avg);
    return longest;
}

static void add_split(struct html_table *t, const char *name, const struct summary *time,
                      double longest)
{
    const double queue = time[TIME_QUEUE].avg;
    const double service = time[TIME_SERVICE].avg;
    struct strbuf bar;

    if (!isfinite(service))
        return;
    strbuf_init(&bar);
    strbuf_addf(&bar,
                "<span class=\"split\" aria-hidden=\"true\"><i class=\"queue\" style=\"width:%.1f%%"
                "\"></i><i class=\"service\" style=\"width:%.1f%%\"></i></span>",
                isfinite(queue) ? 100 * queue / longest : 0, 100 * service / longest);
    html_cell(t, name);
    html_cell(t, cell_figure(queue).text);
    html_cell(t, cell_figure(service).text);
    html_cell(t, cell_figure(time[TIME_QUEUE].p99).text);
    html_cell(t, cell_figure(time[TIME_SERVICE].p99).text);
    html_cell_markup(t, bar.buf);
    strbuf_release(&bar);
}

static void add_splits(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "transaction"}, {.head = "queue avg"},
        {.head = "service avg"}, {.head = "queue p99"},
        {.head = "service p99"}, {.head = "queue, then service", .text = true},
    };
    const double longest = longest_avg(r);
    struct html_table t;

    html_table_begin(&t, out, "Queue against service, ms", columns, ARRAY_LEN(columns));
    add_split(&t, "all", r->sample.time, longest);
    for (int row = 0; row < RESULT_TXN_ROWS; row++) {
        if (r->sample.by_type[row].count >= 0)
            add_split(&t, result_txn_name(row), r->sample.by_type[row].time, longest);
    }
    html_table_end(&t);
    strbuf_adds(out,
                "<p class=\"note\">Queue is the wait from due to sent, for a session; service "
                "is from sent to done, at the server and its drive. Where queue is large, more "
                "sessions are needed before the drive is to blame.</p>\n");
}

void html_response(const struct result *r, struct strbuf *out)
{
    static const struct html_chart curve = {HTML_CURVE_ID,
                                            "Percentiles of the response by transaction",
                                            HTML_CURVE_AXIS, HTML_CURVE_UNDER};

    html_section(out, "response", "Response");
    if (r->partial) {
        html_paragraph(out, NULL, "A run that was killed has no distributions.");
        html_section_end(out);
        return;
    }
    html_chart_begin(&curve, out);
    html_paragraph(out, "says",
                   "Of 100 transactions, so many were done within the time of the curve; each mark "
                   "to the right holds ten times fewer. The tables below have the same "
                   "percentiles.");
    html_chart_end(&curve, out);
    add_types(r, out);
    add_times(r, out);
    add_splits(r, out);
    html_section_end(out);
}
