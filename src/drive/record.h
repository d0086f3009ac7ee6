/*
 * What was found out about machine and drives, copied into the document of a result. No figure is
 * judged here. Any thread, each with its own result.
 */
#ifndef DRIVE_RECORD_H
#define DRIVE_RECORD_H

#include "base/fsroot.h"
#include "drive/diskstat.h"
#include "drive/drive_map.h"
#include "drive/remote.h"
#include "result/result.h"

/* Name, kernel, processors and memory of the machine. */
void drive_record_host(const struct fsroot *root, struct result_host *out);
/* The file system that the path is on, and how its devices were found. */
void drive_record_filesystem(const struct drive_map *map, struct result_drive *out);
/* The devices that are reported, at most RESULT_DEVICES_MAX, with what they say of themselves. */
void drive_record_devices(const struct fsroot *root, const struct drive_map *map,
                          struct result_drive *out);
/* How another host's counters came here; go_ns: the run's start. */
void drive_record_remote(const struct remote *remote, uint64_t go_ns, struct result_drive *out);
/* All "none" where no time has passed. */
struct result_rates drive_record_rates(const struct disk_delta *d);

#endif
