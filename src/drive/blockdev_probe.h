/*
 * How blockdev asks the kernel about a path: one function, so that a test answers for paths that
 * are not there.
 */
#ifndef DRIVE_BLOCKDEV_PROBE_H
#define DRIVE_BLOCKDEV_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/fsroot.h"

#define BLOCKDEV_UUID_SIZE 37 /* 36 characters and the 0 */

/* What the kernel says of a path. */
struct blockdev_path {
    char *canonical;   /* absolute, links resolved; free() it */
    uint64_t mount_id; /* of the mount it is on; 0: this kernel does not say */
    bool is_block;     /* a block device node, of these numbers */
    uint32_t major, minor;
    char btrfs_uuid[BLOCKDEV_UUID_SIZE]; /* "" where it is not on btrfs, or btrfs does not say */
};

struct blockdev_probe {
    const struct fsroot *root; /* of /sys and /proc */
    int (*ask)(const struct blockdev_probe *p, const char *path, struct blockdev_path *out,
               struct err *err);
    void *ctx;
};

/* The machine itself; root is to be fsroot_init(root, ""). */
struct blockdev_probe blockdev_probe_system(const struct fsroot *root);

#endif
