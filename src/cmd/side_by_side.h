/*
 * tpcc-report with several results: reads them and prints their comparison.
 */
#ifndef CMD_SIDE_BY_SIDE_H
#define CMD_SIDE_BY_SIDE_H

#include "base/err.h"
#include "config/config.h"

/* The results are c->args, two or more. The exit code: 0; 1 where a result is invalid, or with
 * --strict questionable or the comparison unfair; or -1 and err. */
int side_by_side(const struct config *c, struct err *err) MUST_CHECK;

#endif
