/*
 * tpcc-run with several targets: what is shown on the way, the report, the exit code.
 */
#ifndef CMD_RUN_TARGETS_H
#define CMD_RUN_TARGETS_H

#include "cmd/program.h"

/* The exit code. */
int run_targets(struct program *p);

#endif
