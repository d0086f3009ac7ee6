/*
 * drive/mountinfo: lines as kernels write them, escapes, garbage, the two ways to find a mount.
 */
#include "drive/mountinfo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/unit.h"

#define TEXT                                                                                       \
    "22 27 0:21 / /proc rw,nosuid - proc proc rw\n"                                                \
    "27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard\n"                             \
    "40 27 0:41 /sub /mnt/a rw,noatime shared:7 master:3 - btrfs /dev/sdb rw,ssd\n"                \
    "41 27 259:3 / /mnt/with\\040blank ro - xfs /dev/nvme0n1p3 rw,attr2\n"                         \
    "42 27 0:50 / /mnt/o rw - overlay overlay "                                                    \
    "rw,lowerdir=/l,upperdir=/u\\054p/x\\040y,workdir=/w\n"                                        \
    "43 27 8:1 / /mnt/a rw - ext4 /dev/sda1 ro,errors=remount-ro\n"                                \
    "44 27 0:51 / /mnt/none rw - tmpfs  rw\n"

static struct mountinfo parsed(const char *text)
{
    struct mountinfo mi;
    struct err err = {0};

    if (!UNIT_EQ_I64(text, mountinfo_parse(text, &mi, &err), 0))
        UNIT_EQ_STR("", err.text, "");
    return mi;
}

static void test_parse(void)
{
    struct mountinfo mi = parsed(TEXT);
    const struct mount *m = mountinfo_by_id(&mi, 40);

    UNIT_EQ_U64("", mi.mounts.n, 7);
    UNIT_TRUE("", m != NULL);
    UNIT_EQ_U64("", m->parent, 27);
    UNIT_EQ_U64("", m->major, 0);
    UNIT_EQ_U64("", m->minor, 41);
    UNIT_EQ_STR("", m->point, "/mnt/a");
    UNIT_EQ_STR("", m->options, "rw,noatime");
    UNIT_EQ_STR("two tags are skipped", m->type, "btrfs");
    UNIT_EQ_STR("", m->source, "/dev/sdb");
    UNIT_EQ_STR("", m->super, "rw,ssd");
    UNIT_EQ_STR("", mountinfo_by_id(&mi, 41)->point, "/mnt/with blank");
    UNIT_EQ_STR("a source may be empty", mountinfo_by_id(&mi, 44)->source, "");
    UNIT_TRUE("", mountinfo_by_id(&mi, 99) == NULL);
    mountinfo_release(&mi);
    mountinfo_release(&mi);
}

static void test_empty(void)
{
    struct mountinfo mi = parsed("");

    UNIT_EQ_U64("", mi.mounts.n, 0);
    UNIT_TRUE("", mountinfo_by_path(&mi, "/") == NULL);
    mountinfo_release(&mi);
}

static void test_garbage(void)
{
    static const char *const rows[] = {
        "27\n",
        "27 1 254:0 / / rw\n",
        "27 1 254:0 / / rw shared:1\n",
        "27 1 254:0 / / rw -\n",
        "27 1 254:0 / / rw - ext4 /dev/vda\n",
        "27 1 254:0 / / rw -  /dev/vda rw\n",
        "27 1 254 / / rw - ext4 /dev/vda rw\n",
        "27 1 a:0 / / rw - ext4 /dev/vda rw\n",
        "27 1 254:-1 / / rw - ext4 /dev/vda rw\n",
        "27 1 254:4294967296 / / rw - ext4 /dev/vda rw\n",
        "-27 1 254:0 / / rw - ext4 /dev/vda rw\n",
        "27 x 254:0 / / rw - ext4 /dev/vda rw\n",
        "27 1 254:0 / relative rw - ext4 /dev/vda rw\n",
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct mountinfo mi;
        struct err err = {0};
        char two[256];

        snprintf(two, sizeof(two), "22 27 0:21 / /proc rw - proc proc rw\n%s", rows[i]);
        UNIT_EQ_I64(rows[i], mountinfo_parse(two, &mi, &err), -1);
        UNIT_EQ_STR(rows[i], err.text, "mountinfo:2: not a line of mountinfo");
        UNIT_EQ_U64(rows[i], mi.mounts.n, 0);
    }
}

static void test_by_path(void)
{
    static const struct {
        const char *path;
        uint64_t id;
    } rows[] = {
        {"/", 27},
        {"/mnt", 27},
        {"/mnt/a", 43},
        {"/mnt/a/b/c", 43},
        {"/mnt/ab", 27},
        {"/proc/self", 22},
        {"/mnt/with blank/x", 41},
        {"/mnt/with", 27},
    };
    struct mountinfo mi = parsed(TEXT);

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        UNIT_EQ_U64(rows[i].path, mountinfo_by_path(&mi, rows[i].path)->id, rows[i].id);
    mountinfo_release(&mi);
}

static void test_option(void)
{
    struct mountinfo mi = parsed(TEXT);
    const struct mount *m = mountinfo_by_id(&mi, 42);
    char *upper = mountinfo_option(m, "upperdir");
    char *work = mountinfo_option(m, "workdir");

    UNIT_EQ_STR("an escaped comma belongs to the value", upper, "/u,p/x y");
    UNIT_EQ_STR("the last one", work, "/w");
    UNIT_TRUE("", mountinfo_option(m, "upper") == NULL);
    UNIT_TRUE("a flag has no value", mountinfo_option(m, "rw") == NULL);
    free(work);
    free(upper);
    mountinfo_release(&mi);
}

static void test_all_options(void)
{
    static const struct {
        uint64_t id;
        const char *want;
    } rows[] = {
        {27, "rw,relatime,discard"},
        {41, "ro,attr2"},
        {43, "rw,ro,errors=remount-ro"}, /* turned itself read-only */
    };
    struct mountinfo mi = parsed(TEXT);

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char *got = mountinfo_all_options(mountinfo_by_id(&mi, rows[i].id));

        UNIT_EQ_STR("", got, rows[i].want);
        free(got);
    }
    mountinfo_release(&mi);
}

static void test_unescape(void)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"a\\040b", "a b"},
        {"\\011\\012\\134\\043", "\t\n\\#"},
        {"\\303\\251", "\xc3\xa9"},
        {"a\\04", "a\\04"},
        {"a\\", "a\\"},
        {"\\400", "\\400"},
        {"\\000", "\\000"},
        {"\\048", "\\048"},
        {"plain", "plain"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char text[64];

        snprintf(text, sizeof(text), "%s", rows[i].text);
        mountinfo_unescape(text);
        UNIT_EQ_STR(rows[i].text, text, rows[i].want);
    }
}

/* What the running kernel writes is understood. */
static void test_this_machine(void)
{
    struct fsroot root;
    struct mountinfo mi;
    struct err err = {0};

    fsroot_init(&root, "");
    UNIT_EQ_I64("", mountinfo_read(&root, &mi, &err), 0);
    UNIT_EQ_STR("", err.text, "");
    UNIT_TRUE("", mountinfo_by_path(&mi, "/proc") != NULL);
    mountinfo_release(&mi);
    fsroot_release(&root);
    fsroot_init(&root, "/nonexistent");
    UNIT_EQ_I64("", mountinfo_read(&root, &mi, &err), -1);
    fsroot_release(&root);
}

static const struct unit_test tests[] = {
    {"parse", test_parse},       {"empty", test_empty},
    {"garbage", test_garbage},   {"by path", test_by_path},
    {"option", test_option},     {"all options", test_all_options},
    {"unescape", test_unescape}, {"this machine", test_this_machine},
};

const struct unit_suite mountinfo_suite = UNIT_SUITE("mountinfo", tests);
