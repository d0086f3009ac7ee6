/*
 * A check's report for people and for programs.
 */
#ifndef CHECK_CHECK_TEXT_H
#define CHECK_CHECK_TEXT_H

#include "base/strbuf.h"
#include "check/check.h"

/* One line a condition that was run, with its time, the offending rows under it; a last line that
 * says how many hold. 80 columns but for the rows. */
void check_report_text(const struct check_report *report, struct strbuf *out);
/* {"format": "tpcc-check/1", "all_hold", "seconds", "conditions": [{"number", "text", "holds",
 * "offending", "seconds", "rows"}]}: what was not run is left out. */
void check_report_json(const struct check_report *report, struct strbuf *out);

#endif
