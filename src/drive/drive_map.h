/*
 * What stands under a path, or under several: block devices, and which of them stands on which.
 * Open data that drive/blockdev fills, and questions about it. Any thread; no files.
 */
#ifndef DRIVE_DRIVE_MAP_H
#define DRIVE_DRIVE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* Bits. A device with none of them lies between the two, and is listed for people. */
enum drive_role {
    DRIVE_FILESYSTEM = 1, /* the file system lies directly on it */
    DRIVE_LEAF = 2,       /* none below it */
    DRIVE_PATH = 4,       /* one of several ways to the device above: never counted beside it */
    DRIVE_NAMED = 8,      /* asked for by name, beside what a path leads to: only watched */
};

struct inventory;

struct drive_device {
    char *name;       /* as in /sys/class/block: "nvme0n1p1", "dm-0"; of another host "db1:dm-0" */
    char *sysfs;      /* its folder: "/sys/devices/...", of another host "db1:/sys/devices/..." */
    unsigned roles;   /* of enum drive_role */
    int parent;       /* index of the device above, through which it was found first; -1: none */
    const char *kind; /* "disk", "partition", "loop", "LVM", "LUKS", "dm", "multipath", "md", ... */
    char *label; /* what it is called or made of: "vg0-pgdata", "raid1", a backing file; or NULL */
    bool counts; /* false: its counters stand still (queue/iostats is 0) */
    char *note;  /* for people: why it is a leaf, what is wrong with it; or NULL */
    char *holds; /* what of the asked paths lies on it: "data, WAL"; NULL: nobody said */
    struct inventory *inventory; /* of another host's; NULL: it can be read (inventory_of()) */
};

/* Indexes of two devices: what is written to the one arrives at the other. */
struct drive_link {
    int above, below;
};

struct drive_map {
    char *path;                       /* as asked, made canonical where the probe could */
    char *mount_point;                /* NULL for a block device node */
    char *fs_type;                    /* NULL for a block device node */
    char *mount_options;              /* of mount and file system; or NULL */
    char *source;                     /* what mountinfo calls the source; or NULL */
    uint64_t mount_id;                /* 0 for a block device node */
    VEC(struct drive_device) devices; /* of one path: each before those below it */
    VEC(struct drive_link) links;     /* also where a device is found a second time */
    char *how_found;                  /* one line */
    char *reason;                     /* why there are no devices; NULL where there are */
};

void drive_map_release(struct drive_map *map);

/* "filesystem", "leaf", "filesystem,leaf", "named", "path" or "between"; static. */
const char *drive_role_name(unsigned roles);

/* True for the devices whose counters are reported: file system's, leaves and named ones. */
bool drive_device_reported(const struct drive_device *d);

/* The index of the device of this folder, or -1. */
int drive_map_find(const struct drive_map *map, const char *sysfs);
/* Says of every device that a file system lies directly on what it holds: "WAL". */
void drive_map_hold(struct drive_map *map, const char *what);
/* Moves the devices of another path into a map, each once, with roles and what they hold joined;
 * what the map says of its own path stays. An empty one becomes the other. `from` is empty then. */
void drive_map_merge(struct drive_map *to, struct drive_map *from);

/* Whether `lower` is below `upper`, however far; not of a device and itself. */
bool drive_map_stands_on(const struct drive_map *map, size_t upper, size_t lower);

/* Whether device i is among those whose counters are added up to what all the file systems do:
 * their devices, but for one that stands on another of them (a file system in a file of the other),
 * since all that it does is in the other's counters. Of an NVMe multipath head that does not count
 * its paths are. Limit: a device that stands on two, of which only one has a file system of its
 * own, is left out, and so is what it does on the other. */
bool drive_map_summed(const struct drive_map *map, size_t i);

#endif
