/*
 * What can be known to go wrong is said before anything is written, all of it at once.
 */
#ifndef JOB_PREFLIGHT_H
#define JOB_PREFLIGHT_H

#include "job/target.h"

/* From the plan and the machine: room, limits on files. Each problem is a line of the log; one
 * alone is the error itself, several are counted in it. */
int preflight_plan(const struct target *t, const struct plan *plan, struct err *err) MUST_CHECK;
/* Open files that a run on it needs. */
uint64_t preflight_files_of(const struct plan *plan);
/* Sees to it that so many may be open. NULL, or why that can't be had; free() it. */
char *preflight_files(uint64_t sessions, uint64_t needed);
/* What only the running server can tell: connections, durability, room in its limits. */
int preflight_server(const struct target *t, const struct plan *plan, struct session *s,
                     struct err *err) MUST_CHECK;

#endif
