/*
 * Results side by side of which at least one is a block test: those against each other, and the
 * runs of the database test as they are compared alone, in one report.
 */
#ifndef CMD_BOTH_KINDS_H
#define CMD_BOTH_KINDS_H

#include "config/config.h"
#include "report/compare.h"

/* The exit code, or -1 and err. in[n] as they were named. */
int both_kinds(const struct config *c, const struct compare_input *in, size_t n,
               struct err *err) MUST_CHECK;
/* The page of results of which at most one is a run: the curves, and on them what the run put on
 * its drive. */
void both_kinds_page(const struct compare_input *in, size_t n, struct strbuf *out);

#endif
