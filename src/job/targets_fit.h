/*
 * Whether several targets, each of which would do alone, do beside each other.
 */
#ifndef JOB_TARGETS_FIT_H
#define JOB_TARGETS_FIT_H

#include "job/work.h"

/* Looked at and planned. The error names the two that are in each other's way, or what there is too
 * little of. */
int targets_fit(const struct work *const *work, size_t n, struct err *err) MUST_CHECK;

#endif
