/*
 * The parts of a page, in their order; html.c puts them together. `r` is the document as its files
 * hold it; where it says so, the histograms of the live one.
 */
#ifndef REPORT_HTML_PARTS_H
#define REPORT_HTML_PARTS_H

#include "base/strbuf.h"
#include "result/result.h"

/* Name, verdict with reasons and advice, the figures, what was run on what. */
void html_head(const struct result *r, struct strbuf *out);
/* Of these the name and the verdict alone. */
void html_title(const struct result *r, struct strbuf *out);
void html_verdict(const struct result *r, struct strbuf *out);
/* Single facts, within <dl class="facts">; the drive's preparation only where there is one. */
void html_fact(struct strbuf *out, const char *name, const char *text);
void html_fact_prepared(const struct result *r, struct strbuf *out);
void html_fact_host(const struct result *r, struct strbuf *out);
void html_fact_date(const struct result *r, struct strbuf *out);
/* The stacked charts on one time axis, each with its figures in words, and the phases' table.
 * n_devices: of how many, the first ones, the series are in the page. */
void html_charts(const struct result *r, int n_devices, struct strbuf *out);
/* The marks of the time line in a table; nothing where there are none. */
void html_marks(const struct result *r, struct strbuf *out);
/* Percentile curves, the tables of percentiles and transactions, queue against service. */
void html_response(const struct result *r, struct strbuf *out);
/* Rates of the devices, what one transaction costs, and what that is in a day. */
void html_io(const struct result *r, struct strbuf *out);
/* What the server did, and where its sessions' time went. */
void html_server(const struct result *r, struct strbuf *out);
/* Outcomes, input audit, checks, order count, errors, the driver itself. */
void html_proof(const struct result *r, struct strbuf *out);
/* Settings with their origin, the server's, dataset, devices, host. plan_yaml may be NULL. */
void html_setup(const struct result *r, const char *plan_yaml, struct strbuf *out);
/* A text, deflated and in base 64, in an element of this id, for page_data.js to unpack. */
void html_packed(const char *id, const char *text, struct strbuf *out);
/* "[[nines, ms], ...]" of the percentiles 1 - 10^-nines up to the greatest value; h is not empty.
 */
void html_curve(const struct hist *h, struct strbuf *out);
/* The raw series and result.json, packed, and the points of the percentile curves, which are those
 * of `latency`. `json` is result.json, `series` series.csv. */
struct html_data {
    const struct result *latency;
    const char *json, *series;
};
void html_data(const struct html_data *data, struct strbuf *out);

#endif
