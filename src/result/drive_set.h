/*
 * The drive of a result: which of its devices the database lies on, and their figures together.
 * Most often it is one, the file system's; with btrfs over several, WAL or a tablespace on a file
 * system of its own, it is more. Never two of which one stands on the other (job, by
 * drive/drive_map).
 */
#ifndef RESULT_DRIVE_SET_H
#define RESULT_DRIVE_SET_H

#include "result/result.h"

struct drive_set {
    int n;
    int at[RESULT_DEVICES_MAX]; /* in drive.devices and in each row of the series */
    bool known; /* false: nothing says what the database lies on; it is the first device, if any */
};

/* Of the result's first n_devices: those that it calls summed; in a result that does not say which,
 * the first of that role "filesystem". For the series n_devices is series.n_devices. */
struct drive_set drive_set_of(const struct result *r, int n_devices);

/* `device`: as drive.devices. Rates, throughput and queue are sums, an await is the mean of all
 * requests, busy that of the busiest. A figure that one of the devices lacks is none. */
struct result_rates drive_set_rates(const struct drive_set *s, const struct result_rates *device);

#endif
