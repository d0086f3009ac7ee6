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
/* The last intervals as two lines of bars, TPS and p99, of as many as fit; a NaN is a gap. */
#define LIVE_SPARKS 60
struct live_sparks {
    double tps[LIVE_SPARKS], p99_ms[LIVE_SPARKS]; /* the newest last */
    int n;
};
void live_sparks_add(struct live_sparks *s, const struct series_row *row);
struct live_screen { /* of the terminal */
    bool utf8;
    int columns;
};
void live_text_sparks(const struct live_sparks *s, const struct live_screen *screen,
                      struct strbuf *out);
/* With a bar or without. */
void live_text_step(const struct progress *p, bool bar, struct strbuf *out);
/* Of one that ended without reaching its total, which is reckoned. 0: not timed. */
void live_text_step_end(const char *step, uint64_t elapsed_ns, struct strbuf *out);

#endif
