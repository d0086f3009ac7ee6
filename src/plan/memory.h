/*
 * How much memory the private server may use, so that the drive and not the page cache answers what
 * its buffer does not.
 */
#ifndef PLAN_MEMORY_H
#define PLAN_MEMORY_H

#include "plan/plan.h"

/* Fills p->memory; wants the dataset, the sessions and the buffer. ERR_USAGE where the limit that
 * was given is too small for the server to start. */
int memory_build(struct plan *p, const struct settings *s, const struct plan_facts *f,
                 struct err *err) MUST_CHECK;
/* The sum of the terms: "auto" is the next whole megabyte. */
uint64_t memory_sum(const struct plan_memory *m);

#endif
