/*
 * What else lives on the drives of a path: asked before a test writes there for hours.
 */
#ifndef DRIVE_BLOCKDEV_SHARED_H
#define DRIVE_BLOCKDEV_SHARED_H

#include "drive/blockdev.h"

enum blockdev_shared { BLOCKDEV_ROOT = 1, BLOCKDEV_SWAP = 2 };

/* Bits of enum blockdev_shared: / or a swap area has a leaf in common with the map, or the map is
 * on the very mount of /. Where / or a swap area can't be resolved, it is not seen beyond that. */
unsigned blockdev_root_or_swap(const struct blockdev_probe *p, const struct drive_map *map);

#endif
