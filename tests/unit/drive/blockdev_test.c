/*
 * drive/blockdev on made trees: each kind of stack, what has no device, and what shares a drive.
 */
#include "drive/blockdev.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "drive/blockdev_shared.h"
#include "drive/mountinfo.h"
#include "harness/unit.h"
#include "tree.h"

#define PCI "pci0000:00/0000:00:02.0"
#define ROOT_LINE "27 1 8:1 / / rw - ext4 /dev/sda1 rw\n"

static void mounts(struct tree *t, const char *text)
{
    tree_file(t, "/proc/self/mountinfo", text);
}

/* "name role kind(label) <parent" for each device, joined by "; ". free() it. */
static char *shown(const struct drive_map *map)
{
    struct strbuf sb;
    char *text;

    strbuf_init(&sb);
    for (size_t i = 0; i < map->devices.n; i++) {
        const struct drive_device *d = &map->devices.at[i];

        strbuf_addf(&sb, "%s%s %s %s", i ? "; " : "", d->name, drive_role_name(d->roles), d->kind);
        if (d->label != NULL)
            strbuf_addf(&sb, "(%s)", d->label);
        if (d->parent >= 0)
            strbuf_addf(&sb, " <%s", map->devices.at[d->parent].name);
    }
    text = strbuf_detach(&sb);
    strbuf_release(&sb);
    return text;
}

/* Maps the path and compares the devices found. The map stays for more questions. */
static void expect(struct tree *t, const char *path, struct drive_map *map, const char *want)
{
    struct err err = {0};
    char *got;

    if (!UNIT_EQ_I64(path, blockdev_map(&t->probe, path, map, &err), 0))
        UNIT_EQ_STR("", err.text, "");
    got = shown(map);
    UNIT_EQ_STR(path, got, want);
    UNIT_TRUE(path, (map->reason == NULL) == (map->devices.n > 0));
    free(got);
}

static void test_partition_of_major_259(void)
{
    struct tree t;
    struct drive_map map;

    tree_init(&t);
    tree_disk(&t, PCI "/nvme/nvme0", "nvme0n1", "259:0");
    tree_partition(&t, "nvme0n1", "nvme0n1p2", "259:2");
    mounts(&t, ROOT_LINE "31 27 259:2 / /mnt/nv rw,noatime - xfs /dev/nvme0n1p2 rw,attr2\n");
    tree_path(&t, (struct tree_path){.path = "/mnt/nv/db", .mount_id = 31});
    expect(&t, "/mnt/nv/db", &map,
           "nvme0n1p2 filesystem partition(2 of nvme0n1); nvme0n1 leaf disk <nvme0n1p2");
    UNIT_EQ_STR("", map.path, "/mnt/nv/db");
    UNIT_EQ_STR("", map.mount_point, "/mnt/nv");
    UNIT_EQ_STR("", map.fs_type, "xfs");
    UNIT_EQ_STR("", map.mount_options, "rw,noatime,attr2");
    UNIT_EQ_STR("", map.source, "/dev/nvme0n1p2");
    UNIT_EQ_STR("", map.how_found, "/mnt/nv/db is on xfs, mount 31 by its id; its device is 259:2");
    UNIT_EQ_STR("", map.devices.at[0].sysfs, "/sys/devices/" PCI "/nvme/nvme0/nvme0n1/nvme0n1p2");
    drive_map_release(&map);
    tree_release(&t);
}

static void test_whole_disk_without_mount_id(void)
{
    struct tree t;
    struct drive_map map;

    tree_init(&t);
    tree_disk(&t, PCI "/virtio1/block", "vdb", "254:16");
    mounts(&t, ROOT_LINE "31 27 254:16 / /mnt rw - ext4 /dev/vdb rw\n");
    tree_path(&t, (struct tree_path){.path = "/mnt/x"});
    expect(&t, "/mnt/x", &map, "vdb filesystem,leaf disk");
    UNIT_TRUE("said", strstr(map.how_found, "by the longest mount point") != NULL);
    UNIT_TRUE("", map.devices.at[0].counts);
    UNIT_TRUE("", map.devices.at[0].note == NULL);
    drive_map_release(&map);
    tree_release(&t);
}

static void test_lvm_on_luks_on_partition(void)
{
    struct tree t;
    struct drive_map map;

    tree_init(&t);
    tree_disk(&t, PCI "/ata1/host0/target0:0:0/0:0:0:0/block", "sda", "8:0");
    tree_partition(&t, "sda", "sda3", "8:3");
    tree_bio_disk(&t, "dm-0", "253:0");
    tree_attr(&t, "dm-0", "dm/uuid", "CRYPT-LUKS2-0123-cr\n");
    tree_attr(&t, "dm-0", "dm/name", "cr\n");
    tree_bio_disk(&t, "dm-1", "253:1");
    tree_attr(&t, "dm-1", "dm/uuid", "LVM-abcdef\n");
    tree_attr(&t, "dm-1", "dm/name", "vg0-pgdata\n");
    tree_slave(&t, "dm-1", "dm-0");
    tree_slave(&t, "dm-0", "sda3");
    mounts(&t, "31 27 253:1 / /db rw - ext4 /dev/mapper/vg0-pgdata rw\n");
    tree_path(&t, (struct tree_path){.path = "/db", .mount_id = 31});
    expect(&t, "/db", &map,
           "dm-1 filesystem LVM(vg0-pgdata); dm-0 between LUKS(cr) <dm-1; "
           "sda3 between partition(3 of sda) <dm-0; sda leaf disk <sda3");
    drive_map_release(&map);
    tree_release(&t);
}

static void test_md_of_two_nvme_partitions(void)
{
    struct tree t;
    struct drive_map map;

    tree_init(&t);
    tree_disk(&t, PCI "/nvme/nvme0", "nvme0n1", "259:0");
    tree_partition(&t, "nvme0n1", "nvme0n1p1", "259:1");
    tree_disk(&t, PCI "/nvme/nvme1", "nvme1n1", "259:2");
    tree_partition(&t, "nvme1n1", "nvme1n1p1", "259:3");
    tree_bio_disk(&t, "md0", "9:0");
    tree_attr(&t, "md0", "md/level", "raid1\n");
    tree_slave(&t, "md0", "nvme0n1p1");
    tree_slave(&t, "md0", "nvme1n1p1");
    mounts(&t, "31 27 9:0 / /db rw - xfs /dev/md0 rw\n");
    tree_path(&t, (struct tree_path){.path = "/db", .mount_id = 31});
    expect(&t, "/db", &map,
           "md0 filesystem md(raid1); nvme0n1p1 between partition(1 of nvme0n1) <md0; "
           "nvme0n1 leaf disk <nvme0n1p1; nvme1n1p1 between partition(1 of nvme1n1) <md0; "
           "nvme1n1 leaf disk <nvme1n1p1");
    drive_map_release(&map);
    tree_release(&t);
}

/* A drive was pulled out of a mirror, then the other. */
static void test_md_that_lost_a_drive(void)
{
    struct tree t;
    struct drive_map map;

    tree_init(&t);
    tree_disk(&t, PCI "/block", "sda", "8:0");
    tree_bio_disk(&t, "md0", "9:0");
    tree_attr(&t, "md0", "md/level", "raid1\n");
    tree_slave(&t, "md0", "sda");
    tree_link(&t, "/sys/devices/virtual/block/md0/slaves/sdb", "/sys/devices/gone");
    mounts(&t, "31 27 9:0 / /db rw - xfs /dev/md0 rw\n");
    tree_path(&t, (struct tree_path){.path = "/db", .mount_id = 31});
    expect(&t, "/db", &map, "md0 filesystem md(raid1); sda leaf disk <md0");
    UNIT_EQ_STR("", map.devices.at[0].note, "sdb below it is gone");
    drive_map_release(&map);
    tree_remove(&t, "/sys/devices/virtual/block/md0/slaves/sda");
    expect(&t, "/db", &map, "md0 filesystem,leaf md(raid1)");
    UNIT_EQ_STR("", map.devices.at[0].note, "sdb below it is gone");
    drive_map_release(&map);
    tree_release(&t);
}

/* Two volumes on one disk: it is listed, and counted, once. */
static void test_a_device_is_visited_once(void)
{
    struct tree t;
    struct drive_map map;

    tree_init(&t);
    tree_disk(&t, PCI "/block", "sda", "8:0");
    tree_partition(&t, "sda", "sda1", "8:1");
    tree_partition(&t, "sda", "sda2", "8:2");
    tree_bio_disk(&t, "md0", "9:0");
    tree_slave(&t, "md0", "sda1");
    tree_slave(&t, "md0", "sda2");
    mounts(&t, "31 27 9:0 / /db rw - xfs /dev/md0 rw\n");
    tree_path(&t, (struct tree_path){.path = "/db", .mount_id = 31});
    expect(&t, "/db", &map,
           "md0 filesystem disk; sda1 between partition(1 of sda) <md0; sda leaf disk <sda1; "
           "sda2 between partition(2 of sda) <md0");
    drive_map_release(&map);
    tree_release(&t);
}

#define UUID "11111111-2222-3333-4444-555555555555"

static void make_btrfs(struct tree *t)
{
    tree_disk(t, PCI "/block", "sdb", "8:16");
    tree_disk(t, PCI "/block", "sdc", "8:32");
    tree_partition(t, "sdc", "sdc1", "8:33");
    tree_link(t, "/sys/fs/btrfs/" UUID "/devices/sdb", "/sys/devices/" PCI "/block/sdb");
    tree_link(t, "/sys/fs/btrfs/" UUID "/devices/sdc1", "/sys/devices/" PCI "/block/sdc/sdc1");
    tree_file(t, "/sys/fs/btrfs/features/raid1c34", "0\n");
    /* mountinfo's number is none that sysfs knows, and st_dev is yet another. */
    mounts(t, ROOT_LINE "31 27 0:41 /sub /data rw - btrfs /dev/sdc1 rw,ssd\n");
}

#define BTRFS_DEVICES                                                                              \
    "sdb filesystem,leaf disk; sdc1 filesystem partition(1 of sdc); sdc leaf disk <sdc1"

static void test_btrfs_on_two_devices(void)
{
    struct tree t;
    struct drive_map map;

    tree_init(&t);
    make_btrfs(&t);
    tree_path(&t, (struct tree_path){.path = "/data/pg", .mount_id = 31, .btrfs_uuid = UUID});
    expect(&t, "/data/pg", &map, BTRFS_DEVICES);
    drive_map_release(&map);
    tree_release(&t);
}

static void test_btrfs_that_lost_its_drives(void)
{
    struct tree t;
    struct drive_map map;

    tree_init(&t);
    make_btrfs(&t);
    tree_path(&t, (struct tree_path){.path = "/data/pg", .mount_id = 31, .btrfs_uuid = UUID});
    tree_remove(&t, "/sys/fs/btrfs/" UUID "/devices/sdb");
    tree_link(&t, "/sys/fs/btrfs/" UUID "/devices/sdb", "/sys/devices/gone");
    expect(&t, "/data/pg", &map, "sdc1 filesystem partition(1 of sdc); sdc leaf disk <sdc1");
    UNIT_TRUE("said", strstr(map.how_found, "its device sdb is gone") != NULL);
    drive_map_release(&map);
    tree_remove(&t, "/sys/fs/btrfs/" UUID "/devices/sdc1");
    expect(&t, "/data/pg", &map, "");
    UNIT_EQ_STR("", map.reason, "all devices of this btrfs are gone");
    drive_map_release(&map);
    tree_release(&t);
}

static void test_btrfs_that_can_not_be_asked(void)
{
    struct tree t;
    struct drive_map map;

    tree_init(&t);
    make_btrfs(&t);
    tree_path(&t, (struct tree_path){.path = "/data/pg", .mount_id = 31});
    expect(&t, "/data/pg", &map, "");
    UNIT_TRUE("", strstr(map.reason, "btrfs does not say") != NULL);
    drive_map_release(&map);
    tree_path(&t, (struct tree_path){.path = "/dev/sdc1", .mount_id = 5, .node = "8:33"});
    expect(&t, "/data/pg", &map, BTRFS_DEVICES);
    drive_map_release(&map);
    tree_release(&t);
}

static void test_overlay(void)
{
    struct tree t;
    struct drive_map map;

    tree_init(&t);
    tree_disk(&t, PCI "/block", "sda", "8:0");
    tree_partition(&t, "sda", "sda1", "8:1");
    mounts(&t, ROOT_LINE
           "50 27 0:50 / /merged rw - overlay overlay "
           "rw,lowerdir=/l,upperdir=/var/with\\040blank,workdir=/w\n"
           "51 27 0:51 / /lost rw - overlay overlay rw,lowerdir=/l,upperdir=/host/u,workdir=/w\n"
           "52 27 0:52 / /read ro - overlay overlay ro,lowerdir=/l:/m\n");
    tree_path(&t, (struct tree_path){.path = "/merged", .mount_id = 50});
    tree_path(&t, (struct tree_path){.path = "/lost", .mount_id = 51});
    tree_path(&t, (struct tree_path){.path = "/read", .mount_id = 52});
    tree_path(&t, (struct tree_path){.path = "/var/with blank", .mount_id = 27});
    expect(&t, "/merged", &map, "sda1 filesystem partition(1 of sda); sda leaf disk <sda1");
    UNIT_EQ_STR("", map.fs_type, "overlay");
    UNIT_EQ_U64("", map.mount_id, 50);
    UNIT_EQ_STR("", map.how_found,
                "/merged is on overlay, mount 50 by its id; overlay by its upper directory "
                "/var/with blank; /var/with blank is on ext4, mount 27 by its id; its device is "
                "8:1");
    drive_map_release(&map);
    expect(&t, "/lost", &map, "");
    UNIT_EQ_STR("", map.reason,
                "the overlay's upper directory /host/u is not visible from here (a container?): "
                "name the device");
    drive_map_release(&map);
    expect(&t, "/read", &map, "");
    UNIT_EQ_STR("", map.reason, "overlay without an upper directory can't be written");
    drive_map_release(&map);
    tree_release(&t);
}

static void test_loop(void)
{
    struct tree t;
    struct drive_map map;

    tree_init(&t);
    tree_disk(&t, PCI "/block", "sda", "8:0");
    tree_partition(&t, "sda", "sda1", "8:1");
    tree_disk(&t, "virtual/block", "loop3", "7:3");
    tree_partition(&t, "loop3", "loop3p1", "259:7");
    tree_attr(&t, "loop3", "loop/backing_file", "/var/img\n");
    mounts(&t, ROOT_LINE "31 27 259:7 / /l rw - ext4 /dev/loop3p1 rw\n"
                         "32 27 0:30 / /ram rw - tmpfs tmpfs rw\n");
    tree_path(&t, (struct tree_path){.path = "/l", .mount_id = 31});
    tree_path(&t, (struct tree_path){.path = "/var/img", .mount_id = 27});
    tree_path(&t, (struct tree_path){.path = "/ram/img", .mount_id = 32});
    expect(&t, "/l", &map,
           "loop3p1 filesystem partition(1 of loop3); loop3 between loop(/var/img) <loop3p1; "
           "sda1 between partition(1 of sda) <loop3; sda leaf disk <sda1");
    UNIT_EQ_STR("the path's own", map.mount_point, "/l");
    drive_map_release(&map);
    UNIT_EQ_I64("", blockdev_map_name(&t.probe, "loop3", &map, NULL), 0);
    UNIT_EQ_U64("", map.devices.n, 3);
    UNIT_TRUE("not its file's", map.mount_point == NULL && map.fs_type == NULL);
    drive_map_release(&map);

    /* Where the file leads nowhere the loop is the leaf, and says why. */
    tree_attr(&t, "loop3", "loop/backing_file", "/ram/img\n");
    expect(&t, "/l", &map,
           "loop3p1 filesystem partition(1 of loop3); loop3 leaf loop(/ram/img) <loop3p1");
    UNIT_EQ_STR("", map.devices.at[1].note, "backing file: /ram (tmpfs) is memory, not a drive");
    drive_map_release(&map);
    tree_attr(&t, "loop3", "loop/backing_file", "/var/img (deleted)\n");
    expect(&t, "/l", &map,
           "loop3p1 filesystem partition(1 of loop3); loop3 leaf loop(/var/img (deleted)) "
           "<loop3p1");
    UNIT_TRUE("", strstr(map.devices.at[1].note, "deleted") != NULL);
    drive_map_release(&map);
    tree_attr(&t, "loop3", "loop/backing_file", "/other/ns\n");
    expect(&t, "/l", &map,
           "loop3p1 filesystem partition(1 of loop3); loop3 leaf loop(/other/ns) <loop3p1");
    UNIT_TRUE("", strstr(map.devices.at[1].note, "not visible") != NULL);
    drive_map_release(&map);
    tree_release(&t);
}

/* Two loop files on one disk under one btrfs: the second finds all below it visited already. */
static void test_two_loops_on_one_disk(void)
{
    struct tree t;
    struct drive_map map;

    tree_init(&t);
    tree_disk(&t, PCI "/block", "sda", "8:0");
    tree_partition(&t, "sda", "sda1", "8:1");
    for (int i = 0; i < 2; i++) {
        char name[16], number[16], link[128], dir[64];

        snprintf(name, sizeof(name), "loop%d", i);
        snprintf(number, sizeof(number), "7:%d", i);
        snprintf(link, sizeof(link), "/sys/fs/btrfs/" UUID "/devices/%s", name);
        snprintf(dir, sizeof(dir), "/sys/devices/virtual/block/%s", name);
        tree_disk(&t, "virtual/block", name, number);
        tree_attr(&t, name, "loop/backing_file", "/var/img\n");
        tree_link(&t, link, dir);
    }
    mounts(&t, ROOT_LINE "31 27 0:41 / /data rw - btrfs /dev/loop0 rw\n");
    tree_path(&t, (struct tree_path){.path = "/data", .mount_id = 31, .btrfs_uuid = UUID});
    tree_path(&t, (struct tree_path){.path = "/var/img", .mount_id = 27});
    expect(&t, "/data", &map,
           "loop0 filesystem loop(/var/img); sda1 between partition(1 of sda) <loop0; "
           "sda leaf disk <sda1; loop1 filesystem loop(/var/img)");
    drive_map_release(&map);
    tree_release(&t);
}

static void make_nvme_multipath(struct tree *t)
{
    tree_disk(t, "virtual/nvme-subsystem/nvme-subsys1", "nvme1n1", "259:0");
    tree_partition(t, "nvme1n1", "nvme1n1p1", "259:1");
    tree_disk(t, PCI "/nvme/nvme1", "nvme1c1n1", "0:0");
    tree_disk(t, PCI "/nvme/nvme2", "nvme1c2n1", "0:0");
    tree_attr(t, "nvme1c1n1", "hidden", "1\n");
    tree_attr(t, "nvme1c2n1", "hidden", "1\n");
    /* Another namespace's path, another subsystem's, and one that is not hidden: none of ours. */
    tree_disk(t, PCI "/nvme/nvme2", "nvme1c2n2", "0:0");
    tree_attr(t, "nvme1c2n2", "hidden", "1\n");
    tree_disk(t, PCI "/nvme/nvme2", "nvme11c2n1", "0:0");
    tree_attr(t, "nvme11c2n1", "hidden", "1\n");
    tree_disk(t, PCI "/nvme/nvme2", "nvme2c2n1", "0:0");
    tree_attr(t, "nvme2c2n1", "hidden", "1\n");
    tree_disk(t, PCI "/nvme/nvme2", "nvme1c9n1", "0:0");
    mounts(t, "31 27 259:1 / /db rw - ext4 /dev/nvme1n1p1 rw\n");
    tree_path(t, (struct tree_path){.path = "/db", .mount_id = 31});
}

static void test_nvme_multipath(void)
{
    struct tree t;
    struct drive_map map;

    tree_init(&t);
    make_nvme_multipath(&t);
    expect(&t, "/db", &map,
           "nvme1n1p1 filesystem partition(1 of nvme1n1); nvme1n1 leaf NVMe multipath <nvme1n1p1; "
           "nvme1c1n1 path disk <nvme1n1; nvme1c2n1 path disk <nvme1n1");
    UNIT_TRUE("", !drive_device_reported(&map.devices.at[2]));
    drive_map_release(&map);

    /* Before Linux 6.5 the head does not count: its paths do, and never both. */
    tree_attr(&t, "nvme1n1", "queue/iostats", "0\n");
    expect(&t, "/db", &map,
           "nvme1n1p1 filesystem partition(1 of nvme1n1); nvme1n1 between NVMe multipath "
           "<nvme1n1p1; nvme1c1n1 leaf disk <nvme1n1; nvme1c2n1 leaf disk <nvme1n1");
    UNIT_TRUE("the partition stands still with it", !map.devices.at[0].counts);
    UNIT_TRUE("", !map.devices.at[1].counts);
    UNIT_TRUE("", map.devices.at[2].counts);
    drive_map_release(&map);
    tree_release(&t);
}

static void test_dm_multipath(void)
{
    struct tree t;
    struct drive_map map;

    tree_init(&t);
    tree_disk(&t, PCI "/host1/block", "sdb", "8:16");
    tree_disk(&t, PCI "/host2/block", "sdc", "8:32");
    tree_bio_disk(&t, "dm-2", "253:2");
    tree_attr(&t, "dm-2", "dm/uuid", "mpath-3600\n");
    tree_attr(&t, "dm-2", "dm/name", "mpatha\n");
    tree_slave(&t, "dm-2", "sdb");
    tree_slave(&t, "dm-2", "sdc");
    tree_bio_disk(&t, "dm-3", "253:3");
    tree_attr(&t, "dm-3", "dm/uuid", "part1-mpath-3600\n");
    tree_attr(&t, "dm-3", "dm/name", "mpatha-part1\n");
    tree_slave(&t, "dm-3", "dm-2");
    mounts(&t, "31 27 253:3 / /db rw - ext4 /dev/mapper/mpatha-part1 rw\n");
    tree_path(&t, (struct tree_path){.path = "/db", .mount_id = 31});
    expect(&t, "/db", &map,
           "dm-3 filesystem dm(mpatha-part1); dm-2 leaf multipath(mpatha) <dm-3; "
           "sdb path disk <dm-2; sdc path disk <dm-2");
    drive_map_release(&map);
    tree_release(&t);
}

/* Only a loop device's label is a file. */
static void test_dm_on_nothing(void)
{
    struct tree t;
    struct drive_map map;

    tree_init(&t);
    tree_bio_disk(&t, "dm-0", "253:0");
    tree_attr(&t, "dm-0", "dm/name", "zero\n");
    mounts(&t, "31 27 253:0 / /db rw - ext4 /dev/mapper/zero rw\n");
    tree_path(&t, (struct tree_path){.path = "/db", .mount_id = 31});
    expect(&t, "/db", &map, "dm-0 filesystem,leaf dm(zero)");
    UNIT_TRUE("", map.devices.at[0].note == NULL);
    drive_map_release(&map);
    tree_release(&t);
}

static void test_bcache(void)
{
    struct tree t;
    struct drive_map map;

    tree_init(&t);
    tree_disk(&t, PCI "/block", "sdb", "8:16");
    tree_disk(&t, PCI "/nvme/nvme0", "nvme0n1", "259:0");
    tree_bio_disk(&t, "bcache0", "252:0");
    tree_slave(&t, "bcache0", "sdb");
    tree_slave(&t, "bcache0", "nvme0n1");
    mounts(&t, "31 27 252:0 / /db rw - ext4 /dev/bcache0 rw\n");
    tree_path(&t, (struct tree_path){.path = "/db", .mount_id = 31});
    expect(&t, "/db", &map,
           "bcache0 filesystem bcache; nvme0n1 leaf disk <bcache0; sdb leaf disk <bcache0");
    drive_map_release(&map);
    tree_release(&t);
}

static void test_no_device(void)
{
    static const struct {
        const char *mount, *reason;
    } rows[] = {
        {"31 27 0:30 / /m rw - tmpfs tmpfs rw\n", "/m (tmpfs) is memory, not a drive"},
        {"31 27 0:30 / /m rw - nfs4 srv:/e rw,addr=10.0.0.1\n",
         "/m (nfs4) is on another host: there are no device counters here"},
        {"31 27 0:30 / /m rw - cifs //srv/e rw\n",
         "/m (cifs) is on another host: there are no device counters here"},
        {"31 27 0:30 / /m rw - 9p host rw\n",
         "/m (9p) is served from outside this machine: there are no device counters here"},
        {"31 27 0:30 / /m rw - virtiofs host rw\n",
         "/m (virtiofs) is served from outside this machine: there are no device counters here"},
        {"31 27 0:30 / /m rw - zfs tank/pg rw\n", "/m (zfs) is a ZFS pool, whose drives sysfs does "
                                                  "not name: see `zpool status -LP` and name "
                                                  "the device"},
        {"31 27 0:30 / /m rw - fuse.sshfs me@srv: rw\n",
         "/m (fuse.sshfs) is served by a program: name the device that it keeps its data on"},
        {"31 27 0:30 / /m rw - somefs none rw\n", "/m (somefs) has no block device"},
        {"31 27 8:77 / /m rw - ext4 /dev/sdx rw\n",
         "/sys/dev/block/8:77 is not there (is /sys mounted?)"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct tree t;
        struct drive_map map;

        tree_init(&t);
        mounts(&t, rows[i].mount);
        tree_path(&t, (struct tree_path){.path = "/m/x", .mount_id = 31});
        expect(&t, "/m/x", &map, "");
        UNIT_EQ_STR("", map.reason, rows[i].reason);
        drive_map_release(&map);
        tree_release(&t);
    }
}

static void expect_error(struct tree *t, const char *path, const char *text)
{
    struct drive_map map;
    struct err err = {0};

    UNIT_EQ_I64(path, blockdev_map(&t->probe, path, &map, &err), -1);
    UNIT_EQ_STR(path, err.text, text);
    UNIT_EQ_I64(path, err.kind, ERR_SURROUNDINGS);
    UNIT_TRUE("empty after a failure", map.devices.n == 0 && map.path == NULL);
}

static void test_errors(void)
{
    struct tree t;

    tree_init(&t);
    mounts(&t, "31 27 8:16 / /m rw - ext4 /dev/sdb rw\n");
    tree_path(&t, (struct tree_path){.path = "/elsewhere", .mount_id = 0});
    tree_path(&t, (struct tree_path){.path = "/m", .mount_id = 31});
    expect_error(&t, "/nonexistent", "/nonexistent: No such file or directory");
    expect_error(&t, "/elsewhere", "no mount in /proc/self/mountinfo holds /elsewhere");
    mounts(&t, "garbage\n");
    expect_error(&t, "/m", "mountinfo:1: not a line of mountinfo");
    tree_release(&t);
}

static void test_too_deep_and_too_many(void)
{
    struct tree t;

    tree_init(&t);
    mounts(&t, "31 27 253:0 / /deep rw - ext4 /dev/dm-0 rw\n"
               "32 27 9:0 / /wide rw - ext4 /dev/md0 rw\n"
               "33 27 0:50 / /o rw - overlay overlay rw,upperdir=/o,workdir=/w\n");
    tree_path(&t, (struct tree_path){.path = "/deep", .mount_id = 31});
    tree_path(&t, (struct tree_path){.path = "/wide", .mount_id = 32});
    tree_path(&t, (struct tree_path){.path = "/o", .mount_id = 33});
    for (int i = 0; i < 12; i++) {
        char name[16], above[16], number[16];

        snprintf(name, sizeof(name), "dm-%d", i);
        snprintf(above, sizeof(above), "dm-%d", i - 1);
        snprintf(number, sizeof(number), "253:%d", i);
        tree_bio_disk(&t, name, number);
        if (i > 0)
            tree_slave(&t, above, name);
    }
    tree_bio_disk(&t, "md0", "9:0");
    for (int i = 0; i < 65; i++) {
        char name[16], number[16];

        snprintf(name, sizeof(name), "vd%c%c", 'a' + i / 26, 'a' + i % 26);
        snprintf(number, sizeof(number), "254:%d", 16 * i);
        tree_disk(&t, PCI "/block", name, number);
        tree_slave(&t, "md0", name);
    }
    expect_error(&t, "/deep", "devices upon devices, over 10 deep, at dm-11");
    expect_error(&t, "/wide", "over 64 drives under one path: name the devices");
    expect_error(&t, "/o", "file systems upon file systems, over 10 deep");
    tree_release(&t);
}

static void test_node_and_name(void)
{
    struct tree t;
    struct drive_map map;
    struct err err = {0};
    char *got;

    tree_init(&t);
    tree_disk(&t, PCI "/block", "cciss!c0d0", "104:0");
    tree_partition(&t, "cciss!c0d0", "cciss!c0d0p1", "104:1");
    tree_path(&t, (struct tree_path){.path = "/dev/cciss/c0d0p1", .mount_id = 5, .node = "104:1"});
    expect(&t, "/dev/cciss/c0d0p1", &map,
           "cciss!c0d0p1 filesystem partition(1 of cciss!c0d0); cciss!c0d0 leaf disk "
           "<cciss!c0d0p1");
    UNIT_TRUE("a node is on no file system", map.fs_type == NULL && map.mount_point == NULL);
    UNIT_EQ_STR("", map.how_found, "/dev/cciss/c0d0p1 is block device 104:1");
    drive_map_release(&map);

    UNIT_EQ_I64("", blockdev_map_name(&t.probe, "/dev/cciss/c0d0", &map, &err), 0);
    got = shown(&map);
    UNIT_EQ_STR("", got, "cciss!c0d0 filesystem,leaf disk");
    free(got);
    drive_map_release(&map);
    UNIT_EQ_I64("", blockdev_map_name(&t.probe, "sdq", &map, &err), -1);
    UNIT_EQ_STR("", err.text, "no block device \"sdq\" in /sys/class/block");
    UNIT_EQ_I64("", blockdev_map_name(&t.probe, "..", &map, &err), -1);
    UNIT_EQ_I64("", blockdev_map_name(&t.probe, "", &map, &err), -1);
    tree_release(&t);
}

static void test_iostats_off(void)
{
    struct tree t;
    struct drive_map map;

    tree_init(&t);
    tree_disk(&t, PCI "/block", "sda", "8:0");
    tree_partition(&t, "sda", "sda1", "8:1");
    tree_attr(&t, "sda", "queue/iostats", "0\n");
    tree_bio_disk(&t, "zram0", "252:0");
    tree_attr(&t, "zram0", "queue/iostats", "0\n");
    mounts(&t, ROOT_LINE "31 27 252:0 / /z rw - ext4 /dev/zram0 rw\n");
    tree_path(&t, (struct tree_path){.path = "/", .mount_id = 27});
    tree_path(&t, (struct tree_path){.path = "/z", .mount_id = 31});
    expect(&t, "/", &map, "sda1 filesystem partition(1 of sda); sda leaf disk <sda1");
    UNIT_TRUE("", !map.devices.at[0].counts && !map.devices.at[1].counts);
    UNIT_EQ_STR("", map.devices.at[1].note, "queue/iostats is 0: its counters stand still");
    drive_map_release(&map);
    expect(&t, "/z", &map, "zram0 filesystem,leaf zram");
    UNIT_TRUE("zram counts all the same", map.devices.at[0].counts);
    drive_map_release(&map);
    tree_release(&t);
}

static void expect_shared(struct tree *t, const char *path, unsigned want)
{
    struct drive_map map;
    struct err err = {0};

    if (!UNIT_EQ_I64(path, blockdev_map(&t->probe, path, &map, &err), 0))
        return;
    UNIT_EQ_U64(path, blockdev_root_or_swap(&t->probe, &map), want);
    drive_map_release(&map);
}

static void test_root_or_swap(void)
{
    struct tree t;

    tree_init(&t);
    tree_disk(&t, PCI "/block", "sda", "8:0");
    tree_partition(&t, "sda", "sda1", "8:1");
    tree_partition(&t, "sda", "sda2", "8:2");
    tree_disk(&t, PCI "/block", "sdb", "8:16");
    tree_partition(&t, "sdb", "sdb1", "8:17");
    tree_disk(&t, PCI "/block", "sdc", "8:32");
    tree_disk(&t, PCI "/block", "sdd", "8:48");
    mounts(&t, ROOT_LINE "30 27 8:2 / /home rw - ext4 /dev/sda2 rw\n"
                         "31 27 8:16 / /b rw - ext4 /dev/sdb rw\n"
                         "32 27 8:32 / /c rw - ext4 /dev/sdc rw\n"
                         "33 27 8:48 / /d rw - ext4 /dev/sdd rw\n"
                         "34 27 0:30 / /ram rw - tmpfs tmpfs rw\n");
    tree_path(&t, (struct tree_path){.path = "/", .mount_id = 27});
    tree_path(&t, (struct tree_path){.path = "/home", .mount_id = 30});
    tree_path(&t, (struct tree_path){.path = "/b", .mount_id = 31});
    tree_path(&t, (struct tree_path){.path = "/c", .mount_id = 32});
    tree_path(&t, (struct tree_path){.path = "/d", .mount_id = 33});
    tree_path(&t, (struct tree_path){.path = "/ram", .mount_id = 34});
    tree_path(&t, (struct tree_path){.path = "/dev/sdb1", .mount_id = 5, .node = "8:17"});
    tree_path(&t, (struct tree_path){.path = "/c/swap file", .mount_id = 32});

    expect_shared(&t, "/", BLOCKDEV_ROOT);
    expect_shared(&t, "/home", BLOCKDEV_ROOT); /* another partition of the same disk */
    expect_shared(&t, "/b", 0);
    expect_shared(&t, "/ram", 0);
    tree_file(&t, "/proc/swaps",
              "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
              "/dev/sdb1                               partition\t1\t0\t-2\n"
              "/nonexistent                            file\t\t1\t0\t-3\n"
              "/c/swap\\040file                         file\t\t1\t0\t-4\n");
    expect_shared(&t, "/b", BLOCKDEV_SWAP);
    expect_shared(&t, "/c", BLOCKDEV_SWAP);
    expect_shared(&t, "/d", 0);
    expect_shared(&t, "/", BLOCKDEV_ROOT);
    tree_release(&t);
}

/* In a container: / is an overlay of which nothing is known but that we are on it. */
static void test_root_that_has_no_device(void)
{
    struct tree t;

    tree_init(&t);
    mounts(&t, "27 1 0:50 / / rw - overlay overlay rw,upperdir=/host/u,workdir=/w\n");
    tree_path(&t, (struct tree_path){.path = "/", .mount_id = 27});
    expect_shared(&t, "/", BLOCKDEV_ROOT);
    tree_release(&t);
}

/* After chroot() the root's mount may lie outside of what mountinfo shows. */
static bool root_is_mounted(const struct fsroot *root)
{
    struct mountinfo mi;
    bool mounted;

    UNIT_EQ_I64("", mountinfo_read(root, &mi, NULL), 0);
    mounted = mountinfo_by_path(&mi, "/") != NULL;
    mountinfo_release(&mi);
    return mounted;
}

static void expect_root(const struct blockdev_probe *probe)
{
    struct drive_map map;
    struct err err = {0};

    UNIT_EQ_I64("", blockdev_map(probe, "/", &map, &err), 0);
    UNIT_EQ_STR("", err.text, "");
    UNIT_TRUE("", (map.reason == NULL) == (map.devices.n > 0));
    UNIT_TRUE("", blockdev_root_or_swap(probe, &map) & BLOCKDEV_ROOT);
    drive_map_release(&map);
}

/* Against the running kernel: the root is found, or it is said why not. */
static void test_this_machine(void)
{
    struct fsroot root;
    struct blockdev_probe probe;
    struct drive_map map;
    struct err err = {0};

    fsroot_init(&root, "");
    probe = blockdev_probe_system(&root);
    if (root_is_mounted(&root)) {
        expect_root(&probe);
    } else {
        UNIT_EQ_I64("", blockdev_map(&probe, "/", &map, &err), -1);
        UNIT_EQ_STR("", err.text, "no mount in /proc/self/mountinfo holds /");
    }
    UNIT_EQ_I64("", blockdev_map(&probe, "/proc", &map, &err), 0);
    UNIT_EQ_STR("", map.reason, "/proc (proc) has no block device");
    drive_map_release(&map);
    UNIT_EQ_I64("", blockdev_map(&probe, "/nonexistent", &map, &err), -1);
    fsroot_release(&root);
}

static const struct unit_test tests[] = {
    {"partition of major 259", test_partition_of_major_259},
    {"whole disk without mount id", test_whole_disk_without_mount_id},
    {"LVM on LUKS on partition", test_lvm_on_luks_on_partition},
    {"md of two NVMe partitions", test_md_of_two_nvme_partitions},
    {"md that lost a drive", test_md_that_lost_a_drive},
    {"a device is visited once", test_a_device_is_visited_once},
    {"btrfs on two devices", test_btrfs_on_two_devices},
    {"btrfs that lost its drives", test_btrfs_that_lost_its_drives},
    {"btrfs that can not be asked", test_btrfs_that_can_not_be_asked},
    {"overlay", test_overlay},
    {"loop", test_loop},
    {"two loops on one disk", test_two_loops_on_one_disk},
    {"NVMe multipath", test_nvme_multipath},
    {"dm multipath", test_dm_multipath},
    {"dm on nothing", test_dm_on_nothing},
    {"bcache", test_bcache},
    {"no device", test_no_device},
    {"errors", test_errors},
    {"too deep and too many", test_too_deep_and_too_many},
    {"node and name", test_node_and_name},
    {"iostats off", test_iostats_off},
    {"root or swap", test_root_or_swap},
    {"root that has no device", test_root_that_has_no_device},
    {"this machine", test_this_machine},
};

const struct unit_suite blockdev_suite = UNIT_SUITE("blockdev", tests);
