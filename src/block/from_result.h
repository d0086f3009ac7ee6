/*
 * oltp-blocks: what a run of the database test put on its device, as a block workload.
 */
#ifndef BLOCK_FROM_RESULT_H
#define BLOCK_FROM_RESULT_H

#include "block/profile.h"
#include "result/result.h"

/* One profile: the share of reads, the mean sizes, and as a rate of its own the I/Os a second of
 * the sample, all of the device that the file systems lie on. Counters tell no places and only mean
 * sizes: all is random, and each mean is met by the two multiples of 4 KiB around it. `path` is the
 * result's directory. -1 where r is no such run, or knows nothing of its device. */
int profile_from_result(const struct result *r, const char *path, struct profile_set *out,
                        struct err *err) MUST_CHECK;

#endif
