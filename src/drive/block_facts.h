/*
 * What there is to know of a block device before it may be written to: what it is, who uses it and
 * its relatives (of a disk its partitions, of a partition its disk), by the kernel's own relations
 * and never by what a node is called, and what is written on it. Facts only: drive/block_refuse
 * judges them.
 */
#ifndef DRIVE_BLOCK_FACTS_H
#define DRIVE_BLOCK_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "drive/blockdev_probe.h"
#include "drive/contents.h"

enum block_use {
    BLOCK_MOUNTED, /* by: the mount point */
    BLOCK_SWAP,    /* by: NULL */
    BLOCK_HELD,    /* by: "dm-0 (LVM vg0-data)", "md0 (md raid1)", "bcache0 (bcache)" */
    BLOCK_LOOPED,  /* by: the loop device whose backing file it is */
    BLOCK_BTRFS,   /* by: the mounted btrfs's UUID */
    BLOCK_ROOT,    /* by: NULL; / is on it, however many devices are in between */
};

struct block_used {
    enum block_use use;
    char *name; /* the device that is used: the asked one, or a relative */
    char *by;
};

struct block_facts {
    char *node;  /* the asked path, links resolved: "/dev/nvme0n1" */
    char *name;  /* in sysfs: "nvme0n1" */
    char *sysfs; /* its folder */
    char *disk;  /* in sysfs, of a partition its disk, else the same as name */
    uint32_t major, minor;
    char *serial, *model; /* of the disk; NULL: it has none */
    int64_t size_bytes;   /* of the asked device */
    int64_t disk_bytes;   /* of the disk */
    bool partition;
    bool read_only;
    bool takes_partitions;
    char *stands_on;             /* devices below it: "sda1, sdb1"; NULL: none */
    VEC(struct block_used) used; /* in the order of the enumeration, each once */
    bool root_unknown;           /* what / is on could not be told */
    bool looked;                 /* contents is filled */
    struct contents contents;    /* of the asked device itself */
};

/* Fills facts but for the contents. -1 where path is no block device, or sysfs or mountinfo can't
 * be read. block_facts_release() it in any case. */
int block_facts_read(const struct blockdev_probe *p, const char *path, struct block_facts *f,
                     struct err *err) MUST_CHECK;
/* Looks at what is written on it, through a descriptor of the device. */
int block_facts_look(struct block_facts *f, int fd, struct err *err) MUST_CHECK;
void block_facts_release(struct block_facts *f);

/* Opens the device with these flags of open() (O_CLOEXEC is added) and makes sure that the node is
 * still the device of the facts. With O_EXCL the kernel lets nobody mount or hold it, or a
 * partition of it, meanwhile, and refuses where somebody does; it is locked (flock), which keeps
 * udev away, until the descriptor is closed. -1 and err on failure. */
int block_facts_open(const struct block_facts *f, int flags, struct err *err) MUST_CHECK;

#endif
