/*
 * drive/block_facts on made trees: everybody who may use a disk or a partition, found by number and
 * by sysfs; and drive/contents on files.
 */
#include "drive/block_facts.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "harness/unit.h"
#include "tree.h"

#define PCI "pci0000:00/0000:00:02.0"
#define NVME PCI "/nvme/nvme0"
#define ROOT_LINE "27 1 8:1 / / rw - ext4 /dev/sda1 rw\n"

/* sda with / on its first partition, and nvme0n1 with two partitions. */
static void two_disks(struct tree *t)
{
    tree_init(t);
    tree_disk(t, PCI "/ata1/host0/target0:0:0/0:0:0:0/block", "sda", "8:0");
    tree_partition(t, "sda", "sda1", "8:1");
    tree_disk(t, NVME, "nvme0n1", "259:0");
    tree_partition(t, "nvme0n1", "nvme0n1p1", "259:1");
    tree_partition(t, "nvme0n1", "nvme0n1p2", "259:2");
    tree_attr(t, "nvme0n1", "ext_range", "256\n");
    tree_attr(t, "nvme0n1", "ro", "0\n");
    tree_attr(t, "nvme0n1", "device/serial", "S6Z1NJ0W   \n");
    tree_attr(t, "nvme0n1", "device/model", "A drive\n");
    tree_file(t, "/proc/self/mountinfo", ROOT_LINE);
    tree_path(t, (struct tree_path){.path = "/", .mount_id = 27});
    tree_path(t, (struct tree_path){.path = "/dev/sda", .node = "8:0"});
    /* A node's name says nothing: this is the second partition. */
    tree_path(t, (struct tree_path){.path = "/dev/nvme0n1p1", .node = "259:2"});
    tree_path(t, (struct tree_path){.path = "/dev/disk/by-id/one", .node = "259:0"});
    tree_path(t, (struct tree_path){.path = "/tmp/file", .mount_id = 27});
}

static const char *use_name(enum block_use use)
{
    static const char *const names[] = {"mounted", "swap", "held", "looped", "btrfs", "root"};

    return names[use];
}

/* "name use by; ..." */
static void expect(struct tree *t, const char *path, const char *want)
{
    struct block_facts f;
    struct err err = {0};
    struct strbuf got;

    strbuf_init(&got);
    if (!UNIT_EQ_I64(path, block_facts_read(&t->probe, path, &f, &err), 0))
        UNIT_EQ_STR("", err.text, "");
    for (size_t i = 0; i < f.used.n; i++)
        strbuf_addf(&got, "%s%s %s%s%s", i ? "; " : "", f.used.at[i].name,
                    use_name(f.used.at[i].use), f.used.at[i].by ? " " : "",
                    f.used.at[i].by ? f.used.at[i].by : "");
    UNIT_EQ_STR(path, got.len ? got.buf : "", want);
    strbuf_release(&got);
    block_facts_release(&f);
}

static void test_identity(void)
{
    struct tree t;
    struct block_facts f;
    struct err err = {0};

    two_disks(&t);
    UNIT_EQ_I64("", block_facts_read(&t.probe, "/dev/disk/by-id/one", &f, &err), 0);
    UNIT_EQ_STR("", f.name, "nvme0n1");
    UNIT_EQ_STR("", f.disk, "nvme0n1");
    UNIT_EQ_STR("", f.serial, "S6Z1NJ0W");
    UNIT_EQ_STR("", f.model, "A drive");
    UNIT_EQ_I64("", f.size_bytes, 1 << 30);
    UNIT_EQ_I64("", f.disk_bytes, 1 << 30);
    UNIT_TRUE("", !f.partition);
    UNIT_TRUE("", !f.read_only);
    UNIT_TRUE("", f.takes_partitions);
    UNIT_TRUE("", !f.root_unknown);
    UNIT_TRUE("", f.stands_on == NULL);
    block_facts_release(&f);

    UNIT_EQ_I64("", block_facts_read(&t.probe, "/dev/nvme0n1p1", &f, &err), 0);
    UNIT_EQ_STR("by number, not by name", f.name, "nvme0n1p2");
    UNIT_EQ_STR("", f.disk, "nvme0n1");
    UNIT_TRUE("", f.partition);
    UNIT_TRUE("", !f.takes_partitions);
    UNIT_EQ_I64("its own", f.size_bytes, 1 << 29);
    UNIT_EQ_I64("its disk's", f.disk_bytes, 1 << 30);
    UNIT_EQ_STR("its disk's", f.serial, "S6Z1NJ0W");
    block_facts_release(&f);

    UNIT_EQ_I64("", block_facts_read(&t.probe, "/tmp/file", &f, &err), -1);
    UNIT_EQ_STR("", err.text, "/tmp/file is not a block device");
    UNIT_EQ_I64("", err.kind, ERR_USAGE);
    block_facts_release(&f);
    UNIT_EQ_I64("", block_facts_read(&t.probe, "/dev/none", &f, &err), -1);
    block_facts_release(&f);
    tree_release(&t);
}

static void test_root(void)
{
    struct tree t;
    struct block_facts f;

    two_disks(&t);
    expect(&t, "/dev/sda", "sda1 mounted /; sda root; sda1 root");
    expect(&t, "/dev/disk/by-id/one", "");
    /* / on a file system that does not say where it is. */
    tree_file(&t, "/proc/self/mountinfo", "27 1 0:30 / / rw - zfs pool/root rw\n");
    UNIT_EQ_I64("", block_facts_read(&t.probe, "/dev/disk/by-id/one", &f, NULL), 0);
    UNIT_TRUE("", f.root_unknown);
    block_facts_release(&f);
    tree_release(&t);
}

/* / on LVM on LUKS on a partition: the disk is under it, three devices down. */
static void test_root_below(void)
{
    struct tree t;

    two_disks(&t);
    tree_bio_disk(&t, "dm-0", "253:0");
    tree_attr(&t, "dm-0", "dm/uuid", "CRYPT-LUKS2-0123-cr\n");
    tree_attr(&t, "dm-0", "dm/name", "cr\n");
    tree_bio_disk(&t, "dm-1", "253:1");
    tree_slave(&t, "dm-1", "dm-0");
    tree_slave(&t, "dm-0", "nvme0n1p1");
    tree_link(&t, "/sys/devices/" NVME "/nvme0n1/nvme0n1p1/holders/dm-0",
              "/sys/devices/virtual/block/dm-0");
    tree_file(&t, "/proc/self/mountinfo", "27 1 253:1 / / rw - ext4 /dev/mapper/root rw\n");
    expect(&t, "/dev/disk/by-id/one",
           "nvme0n1p1 held dm-0 (LUKS cr); nvme0n1 root; nvme0n1p1 root");
    expect(&t, "/dev/sda", "");
    tree_release(&t);
}

static void test_mounted_and_swap(void)
{
    struct tree t;

    two_disks(&t);
    tree_file(&t, "/proc/self/mountinfo",
              ROOT_LINE "31 27 259:1 / /mnt/a\\040b rw - ext4 /dev/elsewhere rw\n"
                        "32 27 259:1 /x /srv rw - ext4 /dev/elsewhere rw\n"
                        "33 27 259:1 /x /srv rw - ext4 /dev/elsewhere rw\n");
    tree_file(&t, "/proc/swaps",
              "Filename Type Size Used Priority\n"
              "/tmp/file file 1 0 -2\n"
              "/dev/nvme0n1p1 partition 1024 0 -3\n");
    expect(&t, "/dev/disk/by-id/one",
           "nvme0n1p1 mounted /mnt/a b; nvme0n1p1 mounted /srv; nvme0n1p2 swap");
    expect(&t, "/dev/nvme0n1p1", "nvme0n1p2 swap");
    tree_release(&t);
}

static void test_whole_disk_used_seen_from_partition(void)
{
    struct tree t;

    two_disks(&t);
    tree_file(&t, "/proc/self/mountinfo",
              ROOT_LINE "31 27 259:0 / /mnt rw - ext4 /dev/elsewhere rw\n");
    expect(&t, "/dev/nvme0n1p1", "nvme0n1 mounted /mnt");
    tree_release(&t);
}

static void test_btrfs_by_list_and_by_source(void)
{
    struct tree t;

    two_disks(&t);
    tree_link(&t, "/sys/fs/btrfs/aaaa-bbbb/devices/nvme0n1p1",
              "/sys/devices/" NVME "/nvme0n1/nvme0n1p1");
    tree_file(&t, "/proc/self/mountinfo",
              ROOT_LINE "31 27 0:41 / /data rw - btrfs /dev/nvme0n1p1 rw\n");
    expect(&t, "/dev/disk/by-id/one", "nvme0n1p2 mounted /data; nvme0n1p1 btrfs aaaa-bbbb");
    tree_release(&t);
}

static void test_md_loop_and_below(void)
{
    struct tree t;
    struct block_facts f;

    two_disks(&t);
    tree_bio_disk(&t, "md0", "9:0");
    tree_attr(&t, "md0", "md/level", "raid1\n");
    tree_slave(&t, "md0", "nvme0n1p2");
    tree_slave(&t, "md0", "sda1");
    tree_link(&t, "/sys/devices/" NVME "/nvme0n1/nvme0n1p2/holders/md0",
              "/sys/devices/virtual/block/md0");
    tree_bio_disk(&t, "loop7", "7:7");
    tree_attr(&t, "loop7", "loop/backing_file", "/dev/disk/by-id/one\n");
    tree_path(&t, (struct tree_path){.path = "/dev/md0", .node = "9:0"});
    tree_path(&t, (struct tree_path){.path = "/dev/loop7", .node = "7:7"});
    expect(&t, "/dev/disk/by-id/one", "nvme0n1p2 held md0 (md raid1); nvme0n1 looped loop7");
    UNIT_EQ_I64("", block_facts_read(&t.probe, "/dev/md0", &f, NULL), 0);
    UNIT_EQ_STR("", f.stands_on, "nvme0n1p2, sda1");
    UNIT_TRUE("", !f.takes_partitions);
    block_facts_release(&f);
    UNIT_EQ_I64("", block_facts_read(&t.probe, "/dev/loop7", &f, NULL), 0);
    UNIT_EQ_STR("", f.stands_on, "/dev/disk/by-id/one");
    block_facts_release(&f);
    tree_release(&t);
}

/* A file of 1 MiB with these bytes at this place. */
static int file_with(const char *bytes, size_t n, off_t at)
{
    char path[] = "/tmp/contents_test.XXXXXX";
    const int fd = mkstemp(path);

    UNIT_TRUE("", fd >= 0);
    UNIT_EQ_I64("", unlink(path), 0);
    UNIT_EQ_I64("", ftruncate(fd, 1 << 20), 0);
    UNIT_EQ_I64("", pwrite(fd, bytes, n, at), (int64_t)n);
    return fd;
}

static void test_contents(void)
{
    struct contents c;
    struct err err = {0};
    /* A swap area of version 1 with 200 pages, as mkswap writes it. */
    static const char swap[] = "\x01\0\0\0\xc8\0\0\0\0\0\0\0\x12\x34\x56\x78";
    int fd = file_with("", 0, 0);

    UNIT_EQ_I64(err.text, contents_read(fd, &c, &err), 0);
    UNIT_TRUE("", c.table == NULL);
    UNIT_EQ_U64("", c.signatures.n, 0);
    contents_release(&c);
    close_fd(&fd);

    fd = file_with("SWAPSPACE2", 10, 4086);
    UNIT_EQ_I64("", pwrite(fd, swap, sizeof(swap), 1024), sizeof(swap));
    UNIT_EQ_I64(err.text, contents_read(fd, &c, &err), 0);
    if (UNIT_EQ_U64("", c.signatures.n, 1))
        UNIT_EQ_STR("", c.signatures.at[0].type, "swap");
    UNIT_EQ_U64("", c.parts.n, 0);
    contents_release(&c);
    contents_release(&c);
    close_fd(&fd);
    UNIT_EQ_I64("", contents_read(-1, &c, &err), -1);
    contents_release(&c);
}

static void test_dos_table(void)
{
    struct contents c;
    struct err err = {0};
    /* One entry of type 0x83: from sector 64, 1024 sectors; then the mark of a boot sector. */
    static const char entry[] = "\0\0\0\0\x83\0\0\0\x40\0\0\0\0\x04\0\0";
    int fd = file_with("\x55\xaa", 2, 510);

    UNIT_EQ_I64("", pwrite(fd, entry, 16, 446), 16);
    UNIT_EQ_I64("", pwrite(fd, "SWAPSPACE2", 10, 64 * 512 + 4086), 10);
    UNIT_EQ_I64("", pwrite(fd, "\x01\0\0\0\x20\0\0\0", 8, 64 * 512 + 1024), 8);
    UNIT_EQ_I64(err.text, contents_read(fd, &c, &err), 0);
    UNIT_EQ_STR("", c.table, "dos");
    UNIT_EQ_U64("none on the whole", c.signatures.n, 0);
    if (UNIT_EQ_U64("", c.parts.n, 1)) {
        UNIT_EQ_I64("", c.parts.at[0].number, 1);
        UNIT_EQ_U64("", c.parts.at[0].start_bytes, 64 * 512);
        UNIT_EQ_U64("", c.parts.at[0].size_bytes, 1024 * 512);
        UNIT_EQ_STR("", c.parts.at[0].type, "0x83");
        UNIT_EQ_U64("in the entry", c.parts.at[0].signatures.n, 1);
    }
    contents_release(&c);
    close_fd(&fd);
}

static const struct unit_test tests[] = {
    {"identity", test_identity},
    {"root", test_root},
    {"root_below", test_root_below},
    {"mounted_and_swap", test_mounted_and_swap},
    {"whole_disk_used_seen_from_partition", test_whole_disk_used_seen_from_partition},
    {"btrfs_by_list_and_by_source", test_btrfs_by_list_and_by_source},
    {"md_loop_and_below", test_md_loop_and_below},
    {"contents", test_contents},
    {"dos_table", test_dos_table},
};
const struct unit_suite block_facts_suite = UNIT_SUITE("block_facts", tests);
