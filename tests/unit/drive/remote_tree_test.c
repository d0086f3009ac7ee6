/*
 * drive/remote_tree: what a host said as a root that blockdev and inventory understand, and what a
 * host must not be able to say.
 */
#include "drive/remote_tree.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "drive/blockdev.h"
#include "drive/inventory.h"
#include "drive/sysfs.h"
#include "harness/unit.h"

#define PCI "/sys/devices/pci0000:00/0000:00:17.0"
#define SDA PCI "/ata3/host2/target2:0:0/2:0:0:0/block/sda"
#define DM "/sys/devices/virtual/block/dm-0"

/* LVM on a partition of a SATA drive, and a mirror that lost a drive. */
static const char tree_text[] = "D dm-0 " DM "\n"
                                "A dev 253:0\n"
                                "A size 4096\n"
                                "A dm/uuid LVM-abc\n"
                                "A dm/name vg0-pgdata\n"
                                "E dm\n"
                                "L sda1 " SDA "/sda1\n"
                                "L sdb1 -\n"
                                "D sda " SDA "\n"
                                "A dev 8:0\n"
                                "A size 8192\n"
                                "A queue/iostats 1\n"
                                "A queue/scheduler [mq-deadline] none\n"
                                "A device/model SAMSUNG MZ7LH\n"
                                "A diskseq 9\n"
                                "E mq\n"
                                "X " PCI "/ata3/link3/ata_link/link3/sata_spd 6.0 Gbps\n"
                                "D sda1 " SDA "/sda1\n"
                                "A dev 8:1\n"
                                "A partition 1\n"
                                "B 1b2c dm-0 " DM "\n";

static int ask(const struct blockdev_probe *p, const char *path, struct blockdev_path *out,
               struct err *err)
{
    (void)p;
    (void)err;
    *out = (struct blockdev_path){.canonical = xstrdup(path), .mount_id = 31};
    return 0;
}

static int make(const char *tree, struct fsroot *root, struct err *err)
{
    const struct remote_tree_text text = {
        .tree = tree,
        .mounts = "=31 1 253:0 / /srv rw - ext4 /dev/mapper/x rw\n",
        .swaps = "=Filename Type\n=/dev/dm-1 partition\n",
    };

    return remote_tree_make(&text, root, err);
}

static void test_maps(void)
{
    struct fsroot root;
    struct drive_map map = {0};
    struct inventory inv;
    struct err err = {0};

    const struct remote_tree_text text = {
        .tree = tree_text,
        .mounts = "=31 1 253:0 / /srv rw,noatime - ext4 /dev/mapper/x rw\n",
        .swaps = "",
    };
    if (!UNIT_TRUE(err.text, remote_tree_make(&text, &root, &err) == 0))
        return;
    const struct blockdev_probe probe = {.root = &root, .ask = ask};

    UNIT_EQ_I64(err.text, blockdev_map(&probe, "/srv", &map, &err), 0);
    if (UNIT_EQ_U64("", map.devices.n, 3)) {
        UNIT_EQ_STR("", map.devices.at[0].name, "dm-0");
        UNIT_EQ_STR("", map.devices.at[0].kind, "LVM");
        UNIT_EQ_STR("", map.devices.at[0].label, "vg0-pgdata");
        UNIT_EQ_STR("", map.devices.at[0].note, "sdb1 below it is gone");
        UNIT_EQ_STR("", map.devices.at[1].name, "sda1");
        UNIT_EQ_STR("", map.devices.at[2].sysfs, SDA);
        UNIT_EQ_U64("", map.devices.at[2].roles, DRIVE_LEAF);
        UNIT_TRUE("", sysfs_counts_flushes(&root, map.devices.at[2].sysfs));
        UNIT_TRUE("", !sysfs_counts_flushes(&root, map.devices.at[0].sysfs));
        inventory_read(&root, map.devices.at[2].sysfs, false, &inv);
        UNIT_EQ_STR("", inv.model, "SAMSUNG MZ7LH");
        UNIT_EQ_STR("", inv.link, "SATA 6.0 Gbps");
        UNIT_EQ_STR("", inv.scheduler, "mq-deadline");
        UNIT_EQ_I64("", inv.size_bytes, 8192 * 512);
        inventory_release(&inv);
    }
    UNIT_TRUE("btrfs", fsroot_exists(&root, "/sys/fs/btrfs/1b2c/devices/dm-0/size"));
    drive_map_release(&map);
    remote_tree_remove(&root);
}

static void test_refuses(void)
{
    static const char *const trees[] = {
        "D sda /sys/devices/../../etc\n",
        "D sda /sys/devices/a//b\n",
        "D sda /sys/devices/a/./b\n",
        "D sda /sys/devices/a/\n",
        "D sda /sys/devices/\n",
        "D sda /etc/passwd\n",
        "D sda /sys/devicesx/a\n",
        "D ../../x /sys/devices/a\n",
        "D sda\n",
        "A dev 8:0\n",
        "E mq\n",
        "L sda /sys/devices/a\n",
        "D sda /sys/devices/a\nA ../../../../../x 1\n",
        "D sda /sys/devices/a\nA /x 1\n",
        "D sda /sys/devices/a\nE ../x\n",
        "D sda /sys/devices/a\nL ../x /sys/devices/b\n",
        "D sda /sys/devices/a\nL sdb ../../b\n",
        "X /etc/x 1\n",
        "X /sys/devices/../x 1\n",
        "B ../x sda /sys/devices/a\n",
        "B 1b2c ../x /sys/devices/a\n",
        "B 1b2c sda /tmp\n",
        "Z sda /sys/devices/a\n",
        "DD sda /sys/devices/a\n",
        "\n",
        "nonsense\n",
    };

    for (size_t i = 0; i < ARRAY_LEN(trees); i++) {
        struct fsroot root;
        struct err err = {0};

        UNIT_EQ_I64(trees[i], make(trees[i], &root, &err), -1);
        UNIT_TRUE("nothing is left", root.prefix == NULL);
    }
}

/* What is said twice, or of what is a link by now, stays inside. */
static void test_stays_inside(void)
{
    struct fsroot root;
    struct err err = {0};
    char *inside;

    UNIT_EQ_I64(err.text,
                make("D c /sys/devices/c\nD sda /sys/devices/a\nA dev 8:0\nA dev 8:1\n"
                     "L b /sys/devices/c\nD x /sys/devices/a/slaves/b/d\nA size 5\n",
                     &root, &err),
                0);
    if (root.prefix == NULL)
        return;
    inside = fsroot_realpath(&root, "/sys/class/block/x/size");
    UNIT_EQ_STR("through a link", inside, "/sys/devices/c/d/size");
    free(inside);
    inside = fsroot_read(&root, "/proc/swaps", 100, NULL);
    UNIT_EQ_STR("", inside, "Filename Type\n/dev/dm-1 partition\n");
    free(inside);
    inside = fsroot_read_line(&root, "/sys/devices/a/dev");
    UNIT_EQ_STR("the first counts", inside, "8:0");
    free(inside);
    remote_tree_remove(&root);
}

static const struct unit_test tests[] = {
    {"maps", test_maps},
    {"refuses", test_refuses},
    {"stays inside", test_stays_inside},
};

const struct unit_suite remote_tree_suite = UNIT_SUITE("remote_tree", tests);
