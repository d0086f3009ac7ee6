/*
 * What several targets do beside each other before their run, on one screen: a line a target with
 * its step. Whoever uses it sees to it that only one thread does at a time.
 */
#ifndef REPORT_LIVE_STEPS_H
#define REPORT_LIVE_STEPS_H

#include "base/progress.h"
#include "base/strbuf.h"
#include "report/live.h"

struct live_steps;

struct live_steps *live_steps_new(size_t n);
void live_steps_free(struct live_steps *t);
/* Target i is so far with a step (a progress_fn's). True: it is to be shown now. */
bool live_steps_progress(struct live_steps *t, size_t i, const char *name, const struct progress *p,
                         uint64_t now_ns);
/* It is ready, which is to be shown. */
void live_steps_ready(struct live_steps *t, size_t i, const char *name);
/* A block of lines for a terminal, each with its "\n". */
void live_steps_block(const struct live_steps *t, struct strbuf *out);
/* Elsewhere lines of those whose turn it is: each 10 s, and at a step's end. */
void live_steps_rows(struct live_steps *t, uint64_t now_ns, struct strbuf *out);

#endif
