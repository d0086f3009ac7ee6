/*
 * The text report of a run that was killed: what its series tells, phase by phase.
 */
#ifndef REPORT_TEXT_PARTIAL_H
#define REPORT_TEXT_PARTIAL_H

#include "base/strbuf.h"
#include "result/result.h"

void report_text_partial(const struct result *r, struct strbuf *out);

/* Of text.c: the verdict with its reasons. */
void report_verdict(const struct result *r, struct strbuf *out);

#endif
