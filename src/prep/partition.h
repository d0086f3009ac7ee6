/*
 * The table that we make: a GPT whose GUID is the preparation's id, with one entry, aligned to 1
 * MiB, that has a type of our own and the name "tpcc-run". Written by libfdisk; the kernel is told
 * of the partition by number, so that also one without a parser knows it.
 */
#ifndef PREP_PARTITION_H
#define PREP_PARTITION_H

#include <stdint.h>

#include "base/err.h"
#include "base/fsroot.h"

#define PARTITION_ALIGN (UINT64_C(1) << 20)
/* Our entries' type: no system mounts it by itself. */
#define PARTITION_TYPE "7470cc72-756e-4d65-a173-757265647277"
#define PARTITION_NAME "tpcc-run"

struct partition {
    const char *table_uuid, *part_uuid;
    uint64_t start_bytes, size_bytes;
};

/* The largest entry that a drive of this size takes; 0: none. */
uint64_t partition_room(uint64_t drive_bytes);
/* fd: of the whole device, read and write, not O_DIRECT; node: what it is called in messages. */
int partition_write(int fd, const char *node, const struct partition *p,
                    struct err *err) MUST_CHECK;
/* Tells the kernel of it; one that it knows already is no error. */
int partition_announce(int fd, const struct partition *p, struct err *err) MUST_CHECK;
/* The kernel forgets all partitions of the device, which nobody may use. sysfs: its folder. */
int partition_forget(int fd, const struct fsroot *root, const char *sysfs,
                     struct err *err) MUST_CHECK;
/* The node of partition 1, once it is there: by the kernel's name for it. NULL and err where it
 * does not come within 10 s; free() it. */
char *partition_node(const struct fsroot *root, const char *sysfs, struct err *err);
/* "loop3p1" for "loop3", "sda1" for "sda". free() it. */
char *partition_name(const char *disk);

#endif
