/*
 * What a block device says of itself in sysfs. Text from devices is foreign: it comes trimmed and
 * with everything but printable ASCII replaced by '?'. NULL or -1: the device does not say.
 */
#ifndef DRIVE_INVENTORY_H
#define DRIVE_INVENTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fsroot.h"
#include "drive/drive_map.h"

/* Of a partition: size_bytes is its own, the rest its disk's. */
struct inventory {
    char *model; /* "Samsung SSD 990 PRO 2TB" */
    char *firmware;
    char *serial; /* NULL unless asked for: it identifies a machine */
    int64_t size_bytes;
    int rotational;    /* 0, 1, -1 */
    char *scheduler;   /* the one in use: "none", "mq-deadline" */
    char *write_cache; /* "write back", "write through" */
    int64_t logical_block_bytes, physical_block_bytes;
    int64_t discard_max_bytes; /* 0: does not discard */
    int64_t requests_max;      /* queue/nr_requests */
    char *link;                /* "PCIe 8.0 GT/s x4 of 16.0 GT/s x4", "SATA 6.0 Gbps" */
    int64_t diskseq;           /* changes whenever another medium or device takes the name */
};

/* sysfs: the device's folder, as in drive_device. Never fails: what is not there is not said. */
void inventory_read(const struct fsroot *root, const char *sysfs, bool with_serial,
                    struct inventory *out);
void inventory_release(struct inventory *inv);
/* The same of a mapped device, whichever host it is on. */
void inventory_of(const struct fsroot *root, const struct drive_device *d, struct inventory *out);

#endif
