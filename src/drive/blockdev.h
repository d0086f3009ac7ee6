/*
 * From a path to the block devices under it: mount -> file system's device(s) -> partitions, dm,
 * md, loop, ... -> leaves. What can't be resolved is said in `reason`, never guessed. Reads sysfs
 * and procfs under a root, and asks the kernel about paths through a probe, so that tests use made
 * trees. Any thread; keeps nothing.
 */
#ifndef DRIVE_BLOCKDEV_H
#define DRIVE_BLOCKDEV_H

#include "base/err.h"
#include "drive/blockdev_probe.h"
#include "drive/drive_map.h"

#define BLOCKDEV_LEAVES_MAX 64
#define BLOCKDEV_DEPTH_MAX 10 /* devices upon devices; deeper is an error, not a longer walk */

/* Fills map, which drive_map_release() releases. 0 also where no device was found and map->reason
 * says why; -1 where the path or mountinfo can't be read, or nothing sensible can be said. */
int blockdev_map(const struct blockdev_probe *p, const char *path, struct drive_map *map,
                 struct err *err) MUST_CHECK;
/* The same from a device's name ("nvme0n1", "/dev/nvme0n1", "mapper/x" is not understood: give the
 * node's path to blockdev_map). The named device gets the role DRIVE_FILESYSTEM. */
int blockdev_map_name(const struct blockdev_probe *p, const char *name, struct drive_map *map,
                      struct err *err) MUST_CHECK;

#endif
