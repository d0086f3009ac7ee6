/*
 * Runs of one process that begin at the same moment, each on a target of its own: the last one
 * whose sessions are open and warm says when, and all go by that time. Before it, a run that can't
 * begin holds up none of the others: none begins. After it each is for itself; who ends sooner
 * waits with the looks at its database until all have ended, so that they disturb nobody's sample.
 *
 * Any thread may call any of it. Whoever keeps one frees it; the last one really does.
 */
#ifndef RUN_TOGETHER_H
#define RUN_TOGETHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"

struct together;

struct together *together_new(size_t runs, const struct clock *clock);
/* Answers t itself. NULL is harmless in both. */
struct together *together_keep(struct together *t);
void together_free(struct together *t);

/* One more is ready to go, and needs so much time between being told when and that moment. */
void together_ready(struct together *t, uint64_t ahead_ns);
/* When all go; 0: not all are ready. */
uint64_t together_go_ns(const struct together *t);
/* Whether one left before all were ready: there will be no GO. */
bool together_failed(const struct together *t);

/* Run i (from 0) has ended or can't begin. Again: harmless. */
void together_leave(struct together *t, size_t i);
/* Waits until all have left. */
void together_wait(struct together *t);
/* The first that left; -1: none has. */
int64_t together_first_to_leave(const struct together *t);

#endif
