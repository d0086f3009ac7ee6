/*
 * drive/block_refuse: every rule on facts made by hand, and the word that consents.
 */
#include "drive/block_refuse.h"

#include <stdio.h>
#include <string.h>

#include "harness/unit.h"

/* Of facts made by hand, which nobody releases. */
#define LIT(text) ((char *)(uintptr_t)(text))

#define T "c12a7328-0000-4000-8000-000000000001"
#define P "c12a7328-0000-4000-8000-000000000002"
#define F "c12a7328-0000-4000-8000-000000000003"

static const struct block_own own = {
    .table_uuid = T, .part_uuid = P, .fs_uuid = F, .mount_point = "/mnt/x"};

/* A disk that nobody uses and that is empty. */
static struct block_facts plain(void)
{
    return (struct block_facts){.node = LIT("/dev/sdb"),
                                .name = LIT("sdb"),
                                .sysfs = LIT("/sys/devices/sdb"),
                                .disk = LIT("sdb"),
                                .serial = LIT("S1"),
                                .size_bytes = 1000000,
                                .disk_bytes = 1000000,
                                .takes_partitions = true,
                                .looked = true};
}

static struct block_rules rules(void)
{
    return (struct block_rules){.program = "drive-prep", .whole = true};
}

/* The reasons, joined by "; ". */
static void expect(const char *what, const struct block_facts *f, const struct block_rules *r,
                   const char *want)
{
    struct err err = {0};
    char all[600];

    (void)snprintf(all, sizeof(all), "/dev/sdb is left alone: %s", want);
    UNIT_EQ_I64(what, block_refuse(f, r, &err), *want ? -1 : 0);
    UNIT_EQ_STR(what, err.text, *want ? all : "");
    if (*want)
        UNIT_EQ_I64(what, err_exit_code(&err), 3);
}

static void test_kind(void)
{
    struct block_facts f = plain();
    struct block_rules r = rules();

    expect("plain", &f, &r, "");
    f.read_only = true;
    expect("read-only", &f, &r, "sdb is read-only");
    f = plain();
    f.size_bytes = 0;
    expect("no medium", &f, &r, "sdb has no size: no medium?");
    f = plain();
    f.stands_on = LIT("sda1, sdc1");
    expect("stacked", &f, &r, "sdb stands on sda1, sdc1: name a drive");
    f.takes_partitions = false;
    r.whole = false;
    expect("stacked, and that is fine", &f, &r, "");
    f = plain();
    f.takes_partitions = false;
    r.whole = true;
    expect("no partitions", &f, &r, "sdb takes no partitions: name a drive");
    f.partition = true;
    f.disk = LIT("sdx");
    expect("partition", &f, &r, "sdb is a partition: name the drive, /dev/sdx");
    r.whole = false;
    expect("partition, and that is fine", &f, &r, "");
}

static void test_uses(void)
{
    static const struct {
        enum block_use use;
        const char *name, *by;
        const char *want;
    } rows[] = {
        {BLOCK_MOUNTED, "sdb1", "/srv", "sdb1 is mounted at /srv (umount it first)"},
        {BLOCK_SWAP, "sdb2", NULL, "sdb2 is a swap area (swapoff it first)"},
        {BLOCK_HELD, "sdb", "md0 (md raid1)", "sdb is held by md0 (md raid1)"},
        {BLOCK_LOOPED, "sdb", "loop3", "sdb is what loop3 stands on (losetup -d /dev/loop3)"},
        {BLOCK_BTRFS, "sdb1", "aa", "sdb1 is part of the mounted btrfs aa"},
        {BLOCK_ROOT, "sdb", NULL, "sdb is under /"},
    };
    struct block_rules r = rules();

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct block_facts f = plain();
        const struct block_used used = {
            .use = rows[i].use, .name = LIT(rows[i].name), .by = LIT(rows[i].by)};

        VEC_PUSH(&f.used, used);
        r.own = &own;
        r.own_all = true; /* what is written on it is no matter then, but who uses it is */
        expect(rows[i].want, &f, &r, rows[i].want);
        VEC_RELEASE(&f.used);
    }
}

static void test_own_mount(void)
{
    struct block_facts f = plain();
    struct block_rules r = rules();

    VEC_PUSH(&f.used,
             ((struct block_used){.use = BLOCK_MOUNTED, .name = LIT("sdb1"), .by = LIT("/mnt/x")}));
    expect("somebody's", &f, &r, "sdb1 is mounted at /mnt/x (umount it first)");
    r.own = &own;
    expect("ours, where we put it", &f, &r, "");
    f.used.at[0].name = LIT("sdb");
    expect("the whole drive", &f, &r, "sdb is mounted at /mnt/x (umount it first)");
    VEC_RELEASE(&f.used);
}

/* A drive with our table, one entry, and our file system in it. */
static struct block_facts prepared(void)
{
    struct block_facts f = plain();
    struct contents_part part = {.number = 1, .uuid = LIT(P)};

    f.contents.table = LIT("gpt");
    f.contents.table_uuid = LIT(T);
    VEC_PUSH(&part.signatures, ((struct contents_signature){.type = LIT("ext4"), .uuid = LIT(F)}));
    VEC_PUSH(&f.contents.parts, part);
    return f;
}

static void release(struct block_facts *f)
{
    for (size_t i = 0; i < f->contents.parts.n; i++)
        VEC_RELEASE(&f->contents.parts.at[i].signatures);
    VEC_RELEASE(&f->contents.parts);
    VEC_RELEASE(&f->contents.signatures);
}

#define WIPE "if nothing of that is wanted: wipefs --all /dev/sdb"
#define TABLE "sdb has a partition table (gpt, 1 partition) that drive-prep did not make; "
#define EXT4 "its partition 1 holds ext4 that drive-prep did not make; "

static void test_contents(void)
{
    struct block_facts f = prepared();
    struct block_rules r = rules();

    expect("nothing is known", &f, &r, TABLE EXT4 WIPE);
    r.own_all = true;
    expect("all ours", &f, &r, "");
    r.own_all = false;
    r.own = &own;
    expect("ours", &f, &r, "");
    f.contents.table_uuid = LIT(F);
    expect("another table", &f, &r, TABLE EXT4 WIPE);
    f.contents.table_uuid = LIT(T);
    f.contents.table = LIT("dos");
    expect("another kind", &f, &r,
           "sdb has a partition table (dos, 1 partition) that drive-prep did not make; " EXT4 WIPE);
    f.contents.table = LIT("gpt");
    f.contents.parts.at[0].uuid = LIT(F);
    expect("another entry", &f, &r, TABLE EXT4 WIPE);
    f.contents.parts.at[0].uuid = LIT(P);
    f.contents.parts.at[0].signatures.at[0].uuid = LIT(T);
    expect("another file system", &f, &r, EXT4 WIPE);
    f.contents.parts.at[0].signatures.at[0].uuid = NULL;
    expect("one without a name", &f, &r, EXT4 WIPE);
    f.contents.parts.at[0].signatures.at[0].uuid = LIT(F);
    VEC_PUSH(&f.contents.parts.at[0].signatures, ((struct contents_signature){.type = LIT("x")}));
    expect("one more", &f, &r, EXT4 "its partition 1 holds x that drive-prep did not make; " WIPE);
    release(&f);
}

static void test_more_than_ours(void)
{
    struct block_facts f = prepared();
    struct block_rules r = rules();
    struct contents_part more = {.number = 2};

    r.own = &own;
    VEC_PUSH(&f.contents.parts, more);
    expect(
        "a second entry", &f, &r,
        "sdb has a partition table (gpt, 2 partitions) that drive-prep did not make; " EXT4 WIPE);
    f.contents.parts.n = 1;
    VEC_PUSH(&f.contents.signatures,
             ((struct contents_signature){.type = LIT("zfs_member"), .label = LIT("tank")}));
    expect("on the whole", &f, &r,
           "sdb holds zfs_member \"tank\" that drive-prep did not make; " WIPE);
    release(&f);
}

static void test_consent(void)
{
    struct block_facts f = plain();
    struct err err = {0};

    UNIT_EQ_I64("", block_consent_check(&f, "S1", &err), 0);
    UNIT_EQ_I64("", block_consent_check(&f, "S2", &err), -1);
    UNIT_EQ_STR("", err.text,
                "\"S2\" is not what stands for /dev/sdb: to lose what is on it, give its serial "
                "number with --i-will-lose (drive-info --serial /dev/sdb tells it)");
    UNIT_EQ_I64("", err_exit_code(&err), 2);
    UNIT_EQ_I64("not the size where there is a serial", block_consent_check(&f, "1000000", &err),
                -1);
    UNIT_EQ_I64("", block_consent_check(&f, "", &err), -1);
    UNIT_EQ_I64("", block_consent_check(&f, NULL, &err), -1);
    f.serial = NULL;
    UNIT_EQ_I64("", block_consent_check(&f, "1000000", &err), 0);
    UNIT_EQ_I64("", block_consent_check(&f, "1MB", &err), -1);
    UNIT_EQ_I64("", block_consent_check(&f, NULL, &err), -1);
    UNIT_EQ_STR("", err.text,
                "what is on /dev/sdb would be lost: to agree, give its size in bytes, since it has "
                "no serial, with --i-will-lose (blockdev --getsize64 /dev/sdb tells it)");
    /* One word for a drive and its partitions. */
    f.node = LIT("/dev/sdb1");
    f.partition = true;
    f.size_bytes = 5000;
    UNIT_EQ_I64("", block_consent_check(&f, "1000000", &err), 0);
    UNIT_EQ_I64("", block_consent_check(&f, "5000", &err), -1);
    UNIT_EQ_STR("", err.text,
                "\"5000\" is not what stands for /dev/sdb1: to lose what is on it, give its "
                "drive's size in bytes, since that has no serial, with --i-will-lose (blockdev "
                "--getsize64 /dev/sdb tells it)");
}

static const struct unit_test tests[] = {
    {"kind", test_kind},
    {"uses", test_uses},
    {"own_mount", test_own_mount},
    {"contents", test_contents},
    {"more_than_ours", test_more_than_ours},
    {"consent", test_consent},
};
const struct unit_suite block_refuse_suite = UNIT_SUITE("block_refuse", tests);
