/*
 * Counts and sums right after a load, as jobs of a crew.
 */
#ifndef LOAD_SUMS_H
#define LOAD_SUMS_H

#include "load/crew.h"

/* The jobs, for so many sessions. */
void sums_units(struct units *u, const struct tpcc_dataset *ds, uint32_t threads);
/* One job: ERR_CHECK_FAILED where a count or a sum is not what it must be. */
int sums_job(struct load_hand *hand, struct job *j, const struct tpcc_dataset *ds,
             struct err *err) MUST_CHECK;

#endif
