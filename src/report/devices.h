/*
 * Rates of the drive's devices as a table of at most 79 columns: a header, a row for each of the
 * first five, and how many more there are.
 */
#ifndef REPORT_DEVICES_H
#define REPORT_DEVICES_H

#include "base/strbuf.h"
#include "result/result.h"

/* The index of the file system's device, else of the first one; -1: there is none. */
int device_of_filesystem(const struct result *r);

/* Whose counters the figures per transaction are of, "nvme0n1p1 (data) + sdb (WAL)"; free() it.
 * NULL where fewer than `least` of several are summed, and where the result does not say. As it
 * came from outside. */
char *devices_summed(const struct result *r, size_t least);

/* rates: one for each of r->drive.devices. */
void devices_table(const struct result *r, const struct result_rates *rates, struct strbuf *out);

#endif
