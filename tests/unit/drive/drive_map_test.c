/*
 * drive/drive_map: maps of several paths as one, and whose counters add up to all that their file
 * systems do.
 */
#include "drive/drive_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "drive/blockdev.h"
#include "harness/unit.h"
#include "tree.h"

#define UUID "11111111-2222-3333-4444-555555555555"

/* sda with three partitions, on the third LVM; sdb; a loop on a file of sda1, and another on one of
 * sdb; btrfs on sdc and sdd; md0 of sde and sdf; nvme1n1 with two paths. */
static void make_machine(struct tree *t)
{
    static const char *const disks[] = {"sda", "sdb", "sdc", "sdd", "sde", "sdf"};

    tree_init(t);
    for (int i = 0; i < 6; i++) {
        char number[8];

        snprintf(number, sizeof(number), "8:%d", 16 * i);
        tree_disk(t, "pci/block", disks[i], number);
    }
    tree_partition(t, "sda", "sda1", "8:1");
    tree_partition(t, "sda", "sda2", "8:2");
    tree_partition(t, "sda", "sda3", "8:3");
    tree_bio_disk(t, "dm-0", "253:0");
    tree_slave(t, "dm-0", "sda3");
    tree_disk(t, "virtual/block", "loop1", "7:1");
    tree_attr(t, "loop1", "loop/backing_file", "/data/img\n");
    tree_disk(t, "virtual/block", "loop2", "7:2");
    tree_attr(t, "loop2", "loop/backing_file", "/other/img\n");
    tree_link(t, "/sys/fs/btrfs/" UUID "/devices/sdc", "/sys/devices/pci/block/sdc");
    tree_link(t, "/sys/fs/btrfs/" UUID "/devices/sdd", "/sys/devices/pci/block/sdd");
    tree_bio_disk(t, "md0", "9:0");
    tree_slave(t, "md0", "sde");
    tree_slave(t, "md0", "sdf");
    tree_disk(t, "virtual/nvme-subsystem/nvme-subsys1", "nvme1n1", "259:0");
    tree_disk(t, "pci/nvme/nvme1", "nvme1c1n1", "0:0");
    tree_disk(t, "pci/nvme/nvme2", "nvme1c2n1", "0:0");
    tree_attr(t, "nvme1c1n1", "hidden", "1\n");
    tree_attr(t, "nvme1c2n1", "hidden", "1\n");
    tree_file(t, "/proc/self/mountinfo",
              "1 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
              "2 1 8:1 / /data rw - ext4 /dev/sda1 rw\n"
              "3 1 8:2 / /part rw - ext4 /dev/sda2 rw\n"
              "4 1 253:0 / /lvm rw - ext4 /dev/dm-0 rw\n"
              "5 1 8:16 / /other rw - ext4 /dev/sdb rw\n"
              "6 1 7:1 / /loop rw - ext4 /dev/loop1 rw\n"
              "7 1 7:2 / /loop2 rw - ext4 /dev/loop2 rw\n"
              "8 1 0:41 / /btrfs rw - btrfs /dev/sdc rw\n"
              "9 1 9:0 / /md rw - ext4 /dev/md0 rw\n"
              "10 1 259:0 / /nvme rw - ext4 /dev/nvme1n1 rw\n"
              "11 1 0:50 / /ram rw - tmpfs tmpfs rw\n");
    tree_path(t, (struct tree_path){.path = "/data", .mount_id = 2});
    tree_path(t, (struct tree_path){.path = "/data/img", .mount_id = 2});
    tree_path(t, (struct tree_path){.path = "/part", .mount_id = 3});
    tree_path(t, (struct tree_path){.path = "/lvm", .mount_id = 4});
    tree_path(t, (struct tree_path){.path = "/other/img", .mount_id = 5});
    tree_path(t, (struct tree_path){.path = "/other", .mount_id = 5});
    tree_path(t, (struct tree_path){.path = "/loop", .mount_id = 6});
    tree_path(t, (struct tree_path){.path = "/loop2", .mount_id = 7});
    tree_path(t, (struct tree_path){.path = "/btrfs", .mount_id = 8, .btrfs_uuid = UUID});
    tree_path(t, (struct tree_path){.path = "/md", .mount_id = 9});
    tree_path(t, (struct tree_path){.path = "/nvme", .mount_id = 10});
    tree_path(t, (struct tree_path){.path = "/ram", .mount_id = 11});
}

/* Adds what the path is on; it holds `what`. */
static void add_path(struct tree *t, const char *path, const char *what, struct drive_map *all)
{
    struct drive_map map;
    struct err err = {0};

    if (!UNIT_EQ_I64(path, blockdev_map(&t->probe, path, &map, &err), 0))
        return;
    drive_map_hold(&map, what);
    drive_map_merge(all, &map);
    UNIT_EQ_U64("it is empty then", map.devices.n, 0);
    drive_map_release(&map);
}

/* "sda1 (data) + sdb (WAL)": the summed ones. free() it. */
static char *summed(const struct drive_map *map)
{
    struct strbuf sb;
    char *text;

    strbuf_init(&sb);
    for (size_t i = 0; i < map->devices.n; i++) {
        const struct drive_device *d = &map->devices.at[i];

        if (drive_map_summed(map, i))
            strbuf_addf(&sb, "%s%s (%s)", sb.len ? " + " : "", d->name, d->holds ? d->holds : "-");
    }
    text = strbuf_detach(&sb);
    strbuf_release(&sb);
    return text;
}

static void test_summed(void)
{
    static const struct {
        const char *what, *data, *wal, *want;
    } rows[] = {
        {"one file system", "/data", "/data", "sda1 (data, WAL)"},
        {"two drives", "/data", "/other", "sda1 (data) + sdb (WAL)"},
        {"two partitions of one drive", "/data", "/part", "sda1 (data) + sda2 (WAL)"},
        {"a partition, and LVM on another", "/lvm", "/part", "dm-0 (data) + sda2 (WAL)"},
        {"WAL in a file of the data's file system", "/data", "/loop", "sda1 (data)"},
        {"the other way round", "/loop", "/data", "sda1 (WAL)"},
        {"in a file of another one", "/data", "/loop2", "sda1 (data) + loop2 (WAL)"},
        {"btrfs on two", "/btrfs", "/btrfs", "sdc (data, WAL) + sdd (data, WAL)"},
        {"btrfs and a drive", "/btrfs", "/other", "sdc (data) + sdd (data) + sdb (WAL)"},
        {"a mirror is one", "/md", "/md", "md0 (data, WAL)"},
        {"WAL in memory", "/data", "/ram", "sda1 (data)"},
        {"data in memory", "/ram", "/other", "sdb (WAL)"},
        {"NVMe multipath", "/nvme", "/other", "nvme1n1 (data) + sdb (WAL)"},
    };
    struct tree t;

    make_machine(&t);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct drive_map all = {0};
        char *got;

        add_path(&t, rows[i].data, "data", &all);
        add_path(&t, rows[i].wal, "WAL", &all);
        got = summed(&all);
        UNIT_EQ_STR(rows[i].what, got, rows[i].want);
        free(got);
        drive_map_release(&all);
    }
    tree_release(&t);
}

/* Before Linux 6.5 the head stands still: all of its paths, which each count their own. */
static void test_silent_head(void)
{
    struct tree t;
    struct drive_map all = {0};
    char *got;

    make_machine(&t);
    tree_attr(&t, "nvme1n1", "queue/iostats", "0\n");
    add_path(&t, "/nvme", "data", &all);
    add_path(&t, "/other", "WAL", &all);
    got = summed(&all);
    UNIT_EQ_STR("", got, "nvme1c1n1 (-) + nvme1c2n1 (-) + sdb (WAL)");
    free(got);
    drive_map_release(&all);
    tree_release(&t);
}

static void test_merge(void)
{
    struct tree t;
    struct drive_map all = {0};
    int loop, part, disk;

    make_machine(&t);
    add_path(&t, "/other", "tablespace x", &all);
    add_path(&t, "/loop", "WAL", &all);
    add_path(&t, "/data", "data", &all);
    UNIT_EQ_STR("the first one's", all.path, "/other");
    UNIT_EQ_STR("", all.mount_point, "/other");
    UNIT_TRUE("all are told", strstr(all.how_found, "/other is on") != NULL);
    UNIT_TRUE("all are told", strstr(all.how_found, "; /loop is on") != NULL);
    UNIT_EQ_U64("each once", all.devices.n, 4);
    loop = drive_map_find(&all, "/sys/devices/virtual/block/loop1");
    part = drive_map_find(&all, "/sys/devices/pci/block/sda/sda1");
    disk = drive_map_find(&all, "/sys/devices/pci/block/sda");
    UNIT_EQ_I64("", loop, 1);
    UNIT_EQ_I64("", all.devices.at[0].parent, -1);
    UNIT_EQ_I64("", all.devices.at[loop].parent, -1);
    UNIT_EQ_I64("", all.devices.at[part].parent, loop);
    UNIT_EQ_I64("", all.devices.at[disk].parent, part);
    UNIT_EQ_I64("now it is", all.devices.at[part].roles, DRIVE_FILESYSTEM);
    UNIT_EQ_STR("", all.devices.at[part].holds, "data");
    UNIT_TRUE("", drive_map_stands_on(&all, (size_t)loop, (size_t)disk));
    UNIT_TRUE("", !drive_map_stands_on(&all, (size_t)disk, (size_t)loop));
    UNIT_TRUE("", !drive_map_stands_on(&all, (size_t)part, (size_t)part));
    UNIT_TRUE("", !drive_map_stands_on(&all, 0, (size_t)disk));
    drive_map_release(&all);
    tree_release(&t);
}

/* Found a second time from above: the walk goes no further, but it is below both. */
static void test_below_two(void)
{
    struct tree t;
    struct drive_map map;

    make_machine(&t);
    tree_bio_disk(&t, "dm-1", "253:1");
    tree_slave(&t, "dm-1", "sda3");
    tree_bio_disk(&t, "dm-2", "253:2");
    tree_slave(&t, "dm-2", "dm-0");
    tree_slave(&t, "dm-2", "dm-1");
    UNIT_EQ_I64("", blockdev_map_name(&t.probe, "dm-2", &map, NULL), 0);
    UNIT_EQ_STR("", map.devices.at[4].name, "dm-1");
    UNIT_TRUE("", drive_map_stands_on(&map, 4, 2));
    UNIT_TRUE("and what is below that", drive_map_stands_on(&map, 4, 3));
    drive_map_release(&map);
    tree_release(&t);
}

static void test_named(void)
{
    struct drive_device d = {.roles = DRIVE_NAMED};

    UNIT_TRUE("", drive_device_reported(&d));
    UNIT_EQ_STR("", drive_role_name(d.roles), "named");
    d.roles |= DRIVE_LEAF;
    UNIT_EQ_STR("", drive_role_name(d.roles), "leaf");
    d.roles = 0;
    UNIT_TRUE("", !drive_device_reported(&d));
}

/* A loop's backing file that is taken for one of our own may lead back. */
static void test_circle(void)
{
    struct drive_map map = {0};

    for (int i = 0; i < 2; i++) {
        const struct drive_device d = {.name = xasprintf("loop%d", i),
                                       .sysfs = xasprintf("/sys/loop%d", i),
                                       .kind = "loop",
                                       .counts = true,
                                       .roles = DRIVE_FILESYSTEM,
                                       .parent = i - 1};

        VEC_PUSH(&map.devices, d);
        VEC_PUSH(&map.links, ((struct drive_link){i, 1 - i}));
    }
    UNIT_TRUE("", drive_map_stands_on(&map, 0, 1));
    UNIT_TRUE("", drive_map_stands_on(&map, 1, 0));
    drive_map_release(&map);
}

static const struct unit_test tests[] = {
    {"summed", test_summed}, {"silent head", test_silent_head},
    {"merge", test_merge},   {"below two", test_below_two},
    {"named", test_named},   {"circle", test_circle},
};

const struct unit_suite drive_map_suite = UNIT_SUITE("drive_map", tests);
