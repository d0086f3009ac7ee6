/*
 * What the live view shows, as text: the block of a terminal, the rows of the table elsewhere, the
 * line of a long step. Each appends whole lines of at most 80 columns.
 */
#ifndef REPORT_LIVE_TEXT_H
#define REPORT_LIVE_TEXT_H

#include "base/strbuf.h"
#include "report/live.h"

void live_text_block(const struct live_moment *m, const struct result *r,
                     const struct series_row *row, struct strbuf *out);
/* The table: "sample, 4m 00s", its header, a row; the columns of the drive are those of the first
 * device, and missing where there is none. */
void live_text_phase(const struct live_moment *m, struct strbuf *out);
void live_text_header(const struct result *r, struct strbuf *out);
void live_text_row(const struct result *r, const struct series_row *row, struct strbuf *out);
/* With a bar or without. */
void live_text_step(const struct progress *p, bool bar, struct strbuf *out);

#endif
