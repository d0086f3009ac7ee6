/*
 * What the figures rest on: how transactions ended, the audit of the inputs, the consistency
 * conditions, the order count, errors, and the driver itself.
 */
#include <string.h>

#include "report/cell.h"
#include "report/html_parts.h"
#include "report/html_text.h"

#define CONDITIONS 12

static void add_count_row(struct html_table *t, const char *name, uint64_t sample, uint64_t run)
{
    html_cell(t, name);
    html_cell(t, cell_count((int64_t)sample).text);
    html_cell(t, cell_count((int64_t)run).text);
}

static void add_outcomes(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "outcome"}, {.head = "sample"}, {.head = "whole run"}};
    const struct counters *s = &r->sample.outcomes;
    const struct counters *w = &r->run.outcomes;
    struct html_table t;

    html_table_begin(&t, out, "Outcomes", columns, ARRAY_LEN(columns));
    add_count_row(&t, "committed", s->committed, w->committed);
    add_count_row(&t, "rolled back as planned", s->rolled_back, w->rolled_back);
    add_count_row(&t, "failed", s->failed, w->failed);
    add_count_row(&t, "in doubt", s->in_doubt, w->in_doubt);
    add_count_row(&t, "retried", s->retried, w->retried);
    add_count_row(&t, "retries", s->retries, w->retries);
    html_cell(&t, "unfinished after the drain");
    html_cell(&t, cell_count(r->sample.unfinished).text);
    html_cell(&t, NULL);
    html_table_end(&t);
}

static void add_audit(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {{.head = "input"},
                                                 {.head = "measured"},
                                                 {.head = "from"},
                                                 {.head = "to"},
                                                 {.head = "within"}};
    struct html_table t;

    if (r->audit.n == 0)
        return;
    html_table_begin(&t, out, "Input audit (TPC-C 5.5.1.5)", columns, ARRAY_LEN(columns));
    for (size_t i = 0; i < r->audit.n; i++) {
        const struct result_band *b = &r->audit.at[i];

        html_cell(&t, b->name);
        html_cell(&t, cell_fixed(b->value, 3).text);
        html_cell(&t, cell_fixed(b->low, 3).text);
        html_cell(&t, cell_fixed(b->high, 3).text);
        html_cell_markup(&t, b->within < 0 ? "-"
                             : b->within   ? "&#10003;&nbsp;yes"
                                           : "&#10005;&nbsp;no");
    }
    html_table_end(&t);
}

/* What came of a condition; NULL: it was not looked at. */
static const char *outcome_of(const struct result_check *at, size_t n, int number)
{
    for (size_t i = 0; i < n; i++) {
        if (at[i].number == number)
            return at[i].outcome;
    }
    return NULL;
}

static void add_outcome(struct html_table *t, const char *outcome)
{
    if (outcome && strcmp(outcome, "ok") == 0)
        html_cell_markup(t, "&#10003; ok");
    else
        html_cell(t, outcome ? outcome : "not checked");
}

static void add_conditions(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {{.head = "condition"},
                                                 {.head = "before the run", .text = true},
                                                 {.head = "after the run", .text = true}};
    const struct result_checks *c = &r->checks;
    struct html_table t;
    int looked = 0;

    html_table_begin(&t, out, "Consistency conditions (TPC-C 3.3.2)", columns, ARRAY_LEN(columns));
    for (int number = 1; number <= CONDITIONS; number++) {
        const char *before = outcome_of(c->before.at, c->before.n, number);
        const char *after = outcome_of(c->after.at, c->after.n, number);

        if (!before && !after)
            continue;
        html_cell(&t, cell_count(number).text);
        add_outcome(&t, before);
        add_outcome(&t, after);
        looked++;
    }
    html_table_end(&t);
    strbuf_adds(out, "<p class=\"note\">");
    if (looked < CONDITIONS)
        strbuf_addf(out, "%d of the twelve were not checked. ", CONDITIONS - looked);
    if (looked > 0)
        strbuf_addf(out, "Before the run in %s s, after it in %s s.",
                    cell_fixed(c->before_seconds, 1).text, cell_fixed(c->after_seconds, 1).text);
    strbuf_adds(out, "</p>\n");
}

static void add_orders(const struct result *r, struct strbuf *out)
{
    const struct result_checks *c = &r->checks;

    if (c->new_orders_counted < 0)
        return;
    strbuf_addf(out, "<p>%s new orders were committed and %s are in the database",
                cell_count(c->new_orders_counted).text, cell_count(c->new_orders_in_database).text);
    if (c->payments_counted >= 0)
        strbuf_addf(out, "; payments %s and %s", cell_count(c->payments_counted).text,
                    cell_count(c->payments_in_database).text);
    if (r->run.in_doubt_committed > 0 || r->run.in_doubt_unresolved > 0)
        strbuf_addf(out, "; of those in doubt %s had committed, %s are unresolved",
                    cell_count(r->run.in_doubt_committed).text,
                    cell_count(r->run.in_doubt_unresolved).text);
    strbuf_adds(out, c->orders_agree < 0   ? ".</p>\n"
                     : c->orders_agree > 0 ? ": nothing was lost.</p>\n"
                                           : ": <b>they do not agree</b>.</p>\n");
}

static void add_errors(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {{.head = "no."},
                                                 {.head = "count"},
                                                 {.head = "first at, s"},
                                                 {.head = "class", .text = true},
                                                 {.head = "code", .text = true},
                                                 {.head = "first text", .text = true}};
    struct html_table t;

    strbuf_adds(out, "<h3 id=\"errors\">Errors</h3>\n");
    if (r->errors.n == 0) {
        html_paragraph(out, NULL, "None.");
        return;
    }
    html_table_begin(&t, out, NULL, columns, ARRAY_LEN(columns));
    for (size_t i = 0; i < r->errors.n; i++) {
        const struct result_error *e = &r->errors.at[i];

        html_cell(&t, cell_count((int64_t)i + 1).text);
        html_cell(&t, cell_count(e->count).text);
        html_cell(&t, cell_fixed(e->first_at_s, 1).text);
        html_cell(&t, e->class);
        html_cell(&t, e->sqlstate && *e->sqlstate ? e->sqlstate : NULL);
        html_cell(&t, e->text);
    }
    html_table_end(&t);
}

static void add_driver(const struct result *r, struct strbuf *out)
{
    const struct result_driver *d = &r->sample.driver;

    strbuf_addf(
        out,
        "<h3>The driver itself</h3>\n<p>%s %% of a core, %s &micro;s a transaction, %s MiB. "
        "It handled timers late by %s ms on average, %s ms at p99, %s ms at most; %s %% of "
        "the transactions waited for a session.</p>\n",
        cell_fixed(d->cpu_percent, 1).text, cell_fixed(d->cpu_us_per_transaction, 1).text,
        cell_fixed(d->rss_mib, 1).text, cell_figure(d->lateness_avg_ms).text,
        cell_figure(d->lateness_p99_ms).text, cell_figure(d->lateness_max_ms).text,
        cell_fixed(d->free_session_wait_percent, 2).text);
}

void html_proof(const struct result *r, struct strbuf *out)
{
    html_section(out, "proof", "Audit, checks, errors");
    if (!r->partial) {
        strbuf_adds(out, "<div class=\"columns\">\n<div>\n");
        add_outcomes(r, out);
        add_orders(r, out);
        add_audit(r, out);
        strbuf_adds(out, "</div>\n<div>\n");
        add_conditions(r, out);
        strbuf_adds(out, "</div>\n</div>\n");
    }
    add_errors(r, out);
    if (!r->partial)
        add_driver(r, out);
    html_section_end(out);
}
