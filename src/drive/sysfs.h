/*
 * Small reads of a block device's folder in sysfs ("/sys/devices/.../sda/sda1"), shared by
 * blockdev, inventory and sampler.
 */
#ifndef DRIVE_SYSFS_H
#define DRIVE_SYSFS_H

#include <stdbool.h>

#include "base/fsroot.h"

/* The device's name: the last part of the path. */
const char *sysfs_name_of(const char *sysfs);
/* An attribute's line without the newline; NULL where it is not there; free() it. */
char *sysfs_attr(const struct fsroot *root, const char *sysfs, const char *name);
bool sysfs_attr_is(const struct fsroot *root, const char *sysfs, const char *name,
                   const char *wanted);
bool sysfs_has_attr(const struct fsroot *root, const char *sysfs, const char *name);
/* The folder of the disk that a partition is on, or of the device itself; free() it. */
char *sysfs_disk_of(const struct fsroot *root, const char *sysfs);
/* What kind of device it is (static), and what it is called or made of (may be NULL; free() it). */
const char *sysfs_kind(const struct fsroot *root, const char *sysfs, char **label);
/* False where queue/iostats switched the counters off. */
bool sysfs_counts(const struct fsroot *root, const char *sysfs);
/* False where the flush fields stay 0 for ever: partitions, and devices without a request queue
 * (dm, md, zram, NVMe multipath heads), whose flushes are seen on what they stand on. */
bool sysfs_counts_flushes(const struct fsroot *root, const char *sysfs);

#endif
