/*
 * What the servers of several targets moved in the one sample that they share, told to each other:
 * a drive's counters have the I/O of every target that lies on it, and another target's is nobody
 * else's. Any thread may call all but the first and the last.
 */
#ifndef JOB_NEIGHBOURS_H
#define JOB_NEIGHBOURS_H

#include "result/result.h"

struct neighbours;

struct neighbours *neighbours_new(size_t n);
void neighbours_free(struct neighbours *nb);
/* Run i (from 0) has ended, or can't begin; r has the devices, and figures where there are some.
 * Again: harmless. */
void neighbours_tell(struct neighbours *nb, size_t i, const struct result *r);
/* When all have told: run i's result gets what the others on its drive moved. */
void neighbours_ask(struct neighbours *nb, size_t i, struct result *r);

#endif
