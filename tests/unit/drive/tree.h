/*
 * A made /sys and /proc in a temporary directory, and answers about paths, for the tests of drive.
 * Failing to make it is a failed test.
 */
#ifndef UNIT_DRIVE_TREE_H
#define UNIT_DRIVE_TREE_H

#include "base/fsroot.h"
#include "drive/blockdev_probe.h"

#define TREE_PATHS_MAX 32

struct tree_path {
    const char *path;
    uint64_t mount_id;
    const char *node;       /* "259:3": a block device node; NULL: a directory or file */
    const char *btrfs_uuid; /* or NULL */
};

struct tree {
    struct fsroot root;
    struct blockdev_probe probe;
    struct tree_path paths[TREE_PATHS_MAX]; /* what the probe knows */
    int n_paths;
};

void tree_init(struct tree *t);
void tree_release(struct tree *t);

/* A file with all folders on its way; an existing one is rewritten in place (the same inode, as an
 * open sysfs file stays the same). */
void tree_file(struct tree *t, const char *path, const char *text);
void tree_remove(struct tree *t, const char *path);
/* A relative link, as sysfs has them, from one absolute path to another. */
void tree_link(struct tree *t, const char *from, const char *to);

/* A disk in /sys/devices/<where>/<name> with number "259:0", stat of 17 zeroes, a request queue and
 * links in /sys/class/block and /sys/dev/block. A bio device (dm, md, NVMe head) has no `mq`. */
void tree_disk(struct tree *t, const char *where, const char *name, const char *number);
void tree_bio_disk(struct tree *t, const char *name, const char *number);
/* Partition n of a disk made before: "<disk>1" or "<disk>p1". */
void tree_partition(struct tree *t, const char *disk, const char *name, const char *number);
/* An attribute of a device by name. */
void tree_attr(struct tree *t, const char *name, const char *attr, const char *text);
void tree_slave(struct tree *t, const char *upper, const char *lower);

/* What the probe answers of a path. */
void tree_path(struct tree *t, struct tree_path path);

#endif
