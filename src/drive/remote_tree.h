/*
 * What another host answered of its /sys and /proc, laid out as files in a temporary directory, so
 * that blockdev, sysfs and inventory look at it as they look at this machine. Folders, names and
 * values are foreign: nothing is written outside of that directory.
 *
 * Lines of a tree, in order; FOLDER is absolute, under /sys/devices:
 *   D NAME FOLDER      a device; what follows is of it
 *   A ATTRIBUTE VALUE  a file in its folder
 *   E DIRECTORY        one that is only there
 *   L NAME FOLDER      what it stands on, in `slaves`; "-": that is gone
 *   X FILE VALUE       a file elsewhere under /sys/devices
 *   B UUID NAME FOLDER a device of a btrfs
 */
#ifndef DRIVE_REMOTE_TREE_H
#define DRIVE_REMOTE_TREE_H

#include "base/err.h"
#include "base/fsroot.h"

struct remote_tree_text {
    const char *tree;
    const char *mounts, *swaps; /* lines with "=" before each */
};

/* remote_tree_remove() it. On failure nothing is left. */
int remote_tree_make(const struct remote_tree_text *text, struct fsroot *root,
                     struct err *err) MUST_CHECK;
/* Removes the directory and releases root. Harmless on a zeroed one. */
void remote_tree_remove(struct fsroot *root);

#endif
