/*
 * Rates of the drive's devices as a table of at most 79 columns: a header, a row for each of the
 * first five, and how many more there are.
 */
#ifndef REPORT_DEVICES_H
#define REPORT_DEVICES_H

#include "base/strbuf.h"
#include "result/result.h"

/* The index of the drive's first device, else of the first one; -1: there is none. */
int device_of_filesystem(const struct result *r);
/* How many devices the drive is. */
int devices_of_drive(const struct result *r);
/* The drive's figures in the sample (result/drive_set); none where there are no devices. */
struct result_rates devices_drive_rates(const struct result *r);
/* A text of each of the drive's devices, "sda + sdb", equal ones once, those without left out;
 * free() it. NULL where no device has one. As it came from outside. */
char *devices_words(const struct result *r, const char *(*of)(const struct result_device *d));
const char *devices_name(const struct result_device *d);
const char *devices_model(const struct result_device *d);

/* Whose counters the figures per transaction are of, "nvme0n1p1 (data) + sdb (WAL)"; free() it.
 * NULL where fewer than `least` of several are summed, and where the result does not say. As it
 * came from outside. */
char *devices_summed(const struct result *r, size_t least);

/* How the counters of another host came here: "db1: 1,800 of 1,800 readings, ..."; free() it. As it
 * came from outside. */
char *devices_remote(const struct result_remote *remote);

/* rates: one for each of r->drive.devices. */
void devices_table(const struct result *r, const struct result_rates *rates, struct strbuf *out);

#endif
