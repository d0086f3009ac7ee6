/*
 * drive/inventory: NVMe, SATA, virtio and partitions on made trees; foreign text made harmless.
 */
#include "drive/inventory.h"

#include <stdlib.h>

#include "harness/unit.h"
#include "tree.h"

static void test_nvme(void)
{
    struct tree t;
    struct inventory inv;
    const char *disk = "/sys/devices/pci0000:00/0000:00:02.0/nvme/nvme0/nvme0n1";

    tree_init(&t);
    tree_disk(&t, "pci0000:00/0000:00:02.0/nvme/nvme0", "nvme0n1", "259:0");
    tree_partition(&t, "nvme0n1", "nvme0n1p1", "259:1");
    tree_link(&t, "/sys/devices/pci0000:00/0000:00:02.0/nvme/nvme0/nvme0n1/device",
              "/sys/devices/pci0000:00/0000:00:02.0/nvme/nvme0");
    tree_link(&t, "/sys/devices/pci0000:00/0000:00:02.0/nvme/nvme0/device",
              "/sys/devices/pci0000:00/0000:00:02.0");
    tree_attr(&t, "nvme0n1", "../model", "FAST SSD 990 2TB                        \n");
    tree_attr(&t, "nvme0n1", "../firmware_rev", "4B2QJXD7\n");
    tree_attr(&t, "nvme0n1", "../serial", "S6Z1NJ0W   \n");
    tree_attr(&t, "nvme0n1", "../../../current_link_speed", "8.0 GT/s PCIe\n");
    tree_attr(&t, "nvme0n1", "../../../current_link_width", "4\n");
    tree_attr(&t, "nvme0n1", "../../../max_link_speed", "16.0 GT/s PCIe\n");
    tree_attr(&t, "nvme0n1", "../../../max_link_width", "4\n");
    tree_attr(&t, "nvme0n1", "queue/rotational", "0\n");
    tree_attr(&t, "nvme0n1", "queue/scheduler", "[none] mq-deadline kyber\n");
    tree_attr(&t, "nvme0n1", "queue/write_cache", "write back\n");
    tree_attr(&t, "nvme0n1", "queue/logical_block_size", "512\n");
    tree_attr(&t, "nvme0n1", "queue/physical_block_size", "4096\n");
    tree_attr(&t, "nvme0n1", "queue/discard_max_bytes", "2199023255040\n");
    tree_attr(&t, "nvme0n1", "queue/nr_requests", "1023\n");
    tree_attr(&t, "nvme0n1", "diskseq", "9\n");

    inventory_read(&t.root, disk, true, &inv);
    UNIT_EQ_STR("trimmed", inv.model, "FAST SSD 990 2TB");
    UNIT_EQ_STR("", inv.firmware, "4B2QJXD7");
    UNIT_EQ_STR("", inv.serial, "S6Z1NJ0W");
    UNIT_EQ_STR("", inv.link, "PCIe 8.0 GT/s x4 of 16.0 GT/s x4");
    UNIT_EQ_I64("", inv.size_bytes, INT64_C(2097152) * 512);
    UNIT_EQ_I64("", inv.rotational, 0);
    UNIT_EQ_STR("", inv.scheduler, "none");
    UNIT_EQ_STR("", inv.write_cache, "write back");
    UNIT_EQ_I64("", inv.logical_block_bytes, 512);
    UNIT_EQ_I64("", inv.physical_block_bytes, 4096);
    UNIT_EQ_I64("", inv.discard_max_bytes, INT64_C(2199023255040));
    UNIT_EQ_I64("", inv.requests_max, 1023);
    UNIT_EQ_I64("", inv.diskseq, 9);
    inventory_release(&inv);
    tree_attr(&t, "nvme0n1", "../../../max_link_width", "255\n");
    inventory_read(&t.root, disk, true, &inv);
    UNIT_EQ_STR("not known what it can", inv.link, "PCIe 8.0 GT/s x4");
    inventory_release(&inv);
    tree_attr(&t, "nvme0n1", "../../../current_link_speed", "Unknown\n");
    inventory_read(&t.root, disk, true, &inv);
    UNIT_TRUE("on no link", inv.link == NULL);
    inventory_release(&inv);

    inventory_read(&t.root, "/sys/devices/pci0000:00/0000:00:02.0/nvme/nvme0/nvme0n1/nvme0n1p1",
                   false, &inv);
    UNIT_EQ_I64("its own size", inv.size_bytes, INT64_C(1048576) * 512);
    UNIT_EQ_STR("the rest is its disk's", inv.model, "FAST SSD 990 2TB");
    UNIT_TRUE("not asked for", inv.serial == NULL);
    inventory_release(&inv);
    inventory_release(&inv);
    tree_release(&t);
}

static void test_sata(void)
{
    struct tree t;
    struct inventory inv;
    const char *dir = "pci0000:00/0000:00:1f.2/ata12/host0/target0:0:0/0:0:0:0/block";

    tree_init(&t);
    tree_disk(&t, dir, "sda", "8:0");
    tree_file(&t, "/sys/devices/pci0000:00/0000:00:1f.2/ata12/link12/ata_link/link12/sata_spd",
              "6.0 Gbps\n");
    tree_attr(&t, "sda", "device/model", "Disk \x1b[2J\xff 4TB\n");
    tree_attr(&t, "sda", "device/rev", "0302\n");
    tree_attr(&t, "sda", "queue/rotational", "1\n");
    tree_attr(&t, "sda", "queue/scheduler", "none [mq-deadline] kyber bfq\n");
    inventory_read(&t.root,
                   "/sys/devices/pci0000:00/0000:00:1f.2/ata12/host0/target0:0:0/0:0:0:0/block/sda",
                   true, &inv);
    UNIT_EQ_STR("", inv.link, "SATA 6.0 Gbps");
    UNIT_EQ_STR("no control character, only ASCII", inv.model, "Disk ?[2J? 4TB");
    UNIT_EQ_STR("", inv.firmware, "0302");
    UNIT_EQ_I64("", inv.rotational, 1);
    UNIT_EQ_STR("", inv.scheduler, "mq-deadline");
    inventory_release(&inv);
    tree_release(&t);
}

static void test_what_is_not_said(void)
{
    struct tree t;
    struct inventory inv;

    tree_init(&t);
    tree_disk(&t, "virtual/block", "vda", "254:0");
    tree_attr(&t, "vda", "size", "garbage\n");
    tree_attr(&t, "vda", "serial", "  \n");
    tree_attr(&t, "vda", "queue/scheduler", "none\n");
    inventory_read(&t.root, "/sys/devices/virtual/block/vda", true, &inv);
    UNIT_EQ_I64("", inv.size_bytes, -1);
    UNIT_TRUE("", inv.model == NULL && inv.firmware == NULL && inv.link == NULL);
    UNIT_TRUE("blank is nothing", inv.serial == NULL);
    UNIT_EQ_I64("", inv.rotational, -1);
    UNIT_EQ_STR("without brackets", inv.scheduler, "none");
    UNIT_EQ_I64("", inv.diskseq, -1);
    inventory_release(&inv);
    tree_attr(&t, "vda", "size", "36028797018963968\n"); /* 2^64 bytes */
    tree_attr(&t, "vda", "serial", "vol-01\n");
    inventory_read(&t.root, "/sys/devices/virtual/block/vda", true, &inv);
    UNIT_EQ_I64("does not overflow", inv.size_bytes, -1);
    UNIT_EQ_STR("virtio", inv.serial, "vol-01");
    inventory_release(&inv);
    tree_attr(&t, "vda", "serial", "\n");
    tree_attr(&t, "vda", "device/vpd_pg80", "\1\x80\1\5 AB-1 ");
    inventory_read(&t.root, "/sys/devices/virtual/block/vda", true, &inv);
    UNIT_EQ_STR("SCSI, cut where it is not whole", inv.serial, "AB-1");
    inventory_release(&inv);
    tree_attr(&t, "vda", "device/vpd_pg80", "\1\x83\1\5 AB-1 ");
    inventory_read(&t.root, "/sys/devices/virtual/block/vda", true, &inv);
    UNIT_TRUE("another page", inv.serial == NULL);
    inventory_release(&inv);
    inventory_read(&t.root, "/sys/devices/gone", true, &inv);
    UNIT_EQ_I64("", inv.size_bytes, -1);
    inventory_release(&inv);
    tree_release(&t);
}

static const struct unit_test tests[] = {
    {"NVMe", test_nvme},
    {"SATA", test_sata},
    {"what is not said", test_what_is_not_said},
};

const struct unit_suite inventory_suite = UNIT_SUITE("inventory", tests);
