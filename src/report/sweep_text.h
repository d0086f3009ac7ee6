/*
 * What reports of a sweep have in common, and its text report.
 */
#ifndef REPORT_SWEEP_TEXT_H
#define REPORT_SWEEP_TEXT_H

#include "base/strbuf.h"
#include "result/result.h"

/* Of report/text: without title and last line. */
void sweep_text(const struct result *r, struct strbuf *out);
/* Of report/markdown: the tables. */
void sweep_markdown(const struct result *r, struct strbuf *out);

/* "60 s a point after 10 s of settling, fio-3.33, 512 GB of /dev/nvme0n1 (block device)". */
void sweep_say_method(const struct result *r, struct strbuf *out);
/* "maximum", "30 %", "as asked". */
struct cell sweep_say_asked(const struct sweep_point *point);
/* Appends, where block sizes are so mixed that it matters, how far a rate may be off by chance. */
void sweep_say_chance(const struct sweep_profile *p, struct strbuf *out);
/* "saturated", "off", "". */
const char *sweep_say_state(const struct sweep_point *point);

#endif
