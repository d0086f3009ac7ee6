/*
 * The text report of a run that was killed: what its series tells, phase by phase.
 */
#ifndef REPORT_TEXT_PARTIAL_H
#define REPORT_TEXT_PARTIAL_H

#include "base/strbuf.h"
#include "result/result.h"

void report_text_partial(const struct result *r, struct strbuf *out);

/* Of text.c: the verdict with its reasons; a table of rates, one row a device of r->drive. */
void report_verdict(const struct result *r, struct strbuf *out);
void report_devices(const struct result *r, const struct result_rates *rates, struct strbuf *out);

#endif
