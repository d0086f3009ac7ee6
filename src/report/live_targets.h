/*
 * What the live view shows of several targets that run at once: the sum of their last intervals,
 * and a line a target where they fit. Whoever uses it sees to it that only one thread does at a
 * time.
 */
#ifndef REPORT_LIVE_TARGETS_H
#define REPORT_LIVE_TARGETS_H

#include "base/strbuf.h"
#include "report/live.h"

struct live_targets;

struct live_targets *live_targets_new(size_t n);
void live_targets_free(struct live_targets *t);
/* Target i had an interval. True where all that still run have come to its end: it is to be shown.
 */
bool live_targets_interval(struct live_targets *t, size_t i, const struct live_moment *m,
                           const struct result *r, const struct series_row *row);
/* A block of lines for a terminal, each with its "\n". */
void live_targets_block(const struct live_targets *t, struct strbuf *out);
/* Elsewhere one line an interval; the first one, and the first of a phase, with a header above. */
void live_targets_row(struct live_targets *t, struct strbuf *out);

#endif
