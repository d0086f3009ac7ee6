/*
 * libfdisk writes the table; BLKPG adds and deletes partitions, which the kernel refuses while
 * somebody uses them.
 */
#include "prep/partition.h"

#include <ctype.h>
#include <errno.h>
#include <libfdisk/libfdisk.h>
#include <linux/blkpg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "drive/sysfs.h"

#define NODE_NS (10 * NS_PER_S)
#define POLL_NS (20 * NS_PER_MS)

uint64_t partition_room(uint64_t drive_bytes)
{
    const uint64_t whole = drive_bytes / PARTITION_ALIGN;

    /* The first and the last are the table's. */
    return whole > 2 ? (whole - 2) * PARTITION_ALIGN : 0;
}

char *partition_name(const char *disk)
{
    const char last = disk[strlen(disk) - 1];

    return xasprintf("%s%s1", disk, isdigit((unsigned char)last) ? "p" : "");
}

static int add_entry(struct fdisk_context *cxt, const struct partition *p)
{
    const uint64_t sector = fdisk_get_sector_size(cxt);
    struct fdisk_partition *entry = fdisk_new_partition();
    struct fdisk_parttype *type =
        fdisk_label_parse_parttype(fdisk_get_label(cxt, NULL), PARTITION_TYPE);
    size_t number = 0;
    int rc = -ENOMEM;

    if (!entry || !type)
        goto out;
    rc = fdisk_partition_set_partno(entry, 0);
    if (rc == 0)
        rc = fdisk_partition_set_start(entry, p->start_bytes / sector);
    if (rc == 0)
        rc = fdisk_partition_set_size(entry, p->size_bytes / sector);
    if (rc == 0)
        rc = fdisk_partition_size_explicit(entry, 1);
    if (rc == 0)
        rc = fdisk_partition_set_type(entry, type);
    if (rc == 0)
        rc = fdisk_partition_set_name(entry, PARTITION_NAME);
    if (rc == 0)
        rc = fdisk_partition_set_uuid(entry, p->part_uuid);
    if (rc == 0)
        rc = fdisk_add_partition(cxt, entry, &number);
out:
    fdisk_unref_parttype(type);
    fdisk_unref_partition(entry);
    return rc;
}

int partition_write(int fd, const char *node, const struct partition *p, struct err *err)
{
    struct fdisk_context *cxt = fdisk_new_context();
    int rc = -ENOMEM;

    if (!cxt)
        goto out;
    fdisk_disable_dialogs(cxt, 1);
    rc = fdisk_assign_device_by_fd(cxt, fd, node, 0);
    if (rc < 0)
        goto out;
    (void)fdisk_enable_wipe(cxt, 1); /* what an older table would still be found by */
    rc = fdisk_create_disklabel(cxt, "gpt");
    if (rc == 0)
        rc = fdisk_set_disklabel_id_from_string(cxt, p->table_uuid);
    if (rc == 0)
        rc = add_entry(cxt, p);
    if (rc == 0)
        rc = fdisk_write_disklabel(cxt);
    (void)fdisk_deassign_device(cxt, 1);
out:
    fdisk_unref_context(cxt);
    return rc == 0 ? 0 : err_sys(err, rc < 0 ? -rc : EIO, "%s: writing the partition table", node);
}

static int blkpg(int fd, int op, struct blkpg_partition *p)
{
    struct blkpg_ioctl_arg arg = {.op = op, .datalen = sizeof(*p), .data = p};

    return ioctl(fd, BLKPG, &arg);
}

int partition_announce(int fd, const struct partition *p, struct err *err)
{
    struct blkpg_partition entry = {
        .start = (long long)p->start_bytes, .length = (long long)p->size_bytes, .pno = 1};

    if (blkpg(fd, BLKPG_ADD_PARTITION, &entry) == 0 || errno == EBUSY)
        return 0;
    return err_sys(err, errno, "telling the kernel of the partition");
}

int partition_forget(int fd, const struct fsroot *root, const char *sysfs, struct err *err)
{
    char **names = fsroot_list(root, sysfs);
    int rc = 0;

    for (char **n = names; n && *n && rc == 0; n++) {
        char *path = xasprintf("%s/%s/partition", sysfs, *n);
        char *number = fsroot_read_line(root, path);
        int64_t pno = 0;

        if (number && units_parse_i64(number, &pno, NULL) == 0) {
            struct blkpg_partition entry = {.pno = (int)pno};

            if (blkpg(fd, BLKPG_DEL_PARTITION, &entry) < 0 && errno != ENXIO)
                rc = err_sys(err, errno, "making the kernel forget %s", *n);
        }
        free(number);
        free(path);
    }
    fsroot_list_free(names);
    return rc;
}

static bool is_block(const char *node)
{
    struct stat st;

    return stat(node, &st) == 0 && S_ISBLK(st.st_mode);
}

char *partition_node(const struct fsroot *root, const char *sysfs, struct err *err)
{
    const struct clock *clock = clock_system();
    const uint64_t until_ns = clock_now_ns(clock) + NODE_NS;
    char *name = partition_name(sysfs_name_of(sysfs));
    char *node = xasprintf("/dev/%s", name);

    while (!sysfs_has_attr(root, sysfs, name) || !is_block(node)) {
        if (clock_now_ns(clock) > until_ns) {
            (void)err_set(err, ERR_SURROUNDINGS, "the node %s did not come", node);
            free(node);
            node = NULL;
            break;
        }
        clock_sleep_until_ns(clock, clock_now_ns(clock) + POLL_NS);
    }
    free(name);
    return node;
}
