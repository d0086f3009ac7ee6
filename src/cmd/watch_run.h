/*
 * What is seen of a run of the database test while it works.
 */
#ifndef CMD_WATCH_RUN_H
#define CMD_WATCH_RUN_H

#include "cmd/program.h"

/* Phase and what is left of it, as the live view takes it. */
struct live_moment run_moment(const struct run_interval *iv);
/* Sets the ui's callbacks of connecting and of intervals. */
void watch_run(struct program *p);

#endif
