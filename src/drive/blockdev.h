/*
 * From a path to the block devices under it: mount -> file system's device(s) -> partitions, dm,
 * md, loop, ... -> leaves. What can't be resolved is said in `reason`, never guessed. Reads sysfs
 * and procfs under a root, and asks the kernel about paths through a probe, so that tests use made
 * trees. Any thread; keeps nothing.
 */
#ifndef DRIVE_BLOCKDEV_H
#define DRIVE_BLOCKDEV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "drive/blockdev_probe.h"

#define BLOCKDEV_LEAVES_MAX 64
#define BLOCKDEV_DEPTH_MAX 10 /* devices upon devices; deeper is an error, not a longer walk */

/* Bits. A device with none of them lies between the two, and is listed for people. */
enum drive_role {
    DRIVE_FILESYSTEM = 1, /* the file system lies directly on it */
    DRIVE_LEAF = 2,       /* none below it */
    DRIVE_PATH = 4,       /* one of several ways to the device above: never counted beside it */
};

struct drive_device {
    char *name;       /* as in /sys/class/block: "nvme0n1p1", "dm-0" */
    char *sysfs;      /* its folder: "/sys/devices/..." */
    unsigned roles;   /* of enum drive_role */
    int parent;       /* index of the device above, through which it was found first; -1: none */
    const char *kind; /* "disk", "partition", "loop", "LVM", "LUKS", "dm", "multipath", "md", ... */
    char *label; /* what it is called or made of: "vg0-pgdata", "raid1", a backing file; or NULL */
    bool counts; /* false: its counters stand still (queue/iostats is 0) */
    char *note;  /* for people: why it is a leaf, what is wrong with it; or NULL */
};

struct drive_map {
    char *path;                       /* as asked, made canonical where the probe could */
    char *mount_point;                /* NULL for a block device node */
    char *fs_type;                    /* NULL for a block device node */
    char *mount_options;              /* of mount and file system; or NULL */
    char *source;                     /* what mountinfo calls the source; or NULL */
    uint64_t mount_id;                /* 0 for a block device node */
    VEC(struct drive_device) devices; /* each device before those below it */
    char *how_found;                  /* one line */
    char *reason;                     /* why there are no devices; NULL where there are */
};

/* Fills map, which drive_map_release() releases. 0 also where no device was found and map->reason
 * says why; -1 where the path or mountinfo can't be read, or nothing sensible can be said. */
int blockdev_map(const struct blockdev_probe *p, const char *path, struct drive_map *map,
                 struct err *err) MUST_CHECK;
/* The same from a device's name ("nvme0n1", "/dev/nvme0n1", "mapper/x" is not understood: give the
 * node's path to blockdev_map). The named device gets the role DRIVE_FILESYSTEM. */
int blockdev_map_name(const struct blockdev_probe *p, const char *name, struct drive_map *map,
                      struct err *err) MUST_CHECK;
void drive_map_release(struct drive_map *map);

/* "filesystem", "leaf", "filesystem,leaf", "path" or "between"; static. */
const char *drive_role_name(unsigned roles);

/* True for the devices whose counters are reported: file system's and leaves. */
bool drive_device_reported(const struct drive_device *d);

#endif
