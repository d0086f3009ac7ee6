/*
 * drive/host on a made /proc, and on this machine.
 */
#include "drive/host.h"

#include "harness/unit.h"
#include "tree.h"

static void test_made(void)
{
    struct tree t;
    struct host_info h;

    tree_init(&t);
    tree_file(&t, "/proc/sys/kernel/hostname", "db1\n");
    tree_file(&t, "/proc/sys/kernel/osrelease", "6.1.0-28-amd64\n");
    tree_file(&t, "/proc/meminfo",
              "MemTotal:       24684084 kB\nMemFree: 1 kB\nHugePages_Total:      96\n"
              "HugePages_Free:       64\nHugepagesize:       2048 kB\n");
    tree_file(&t, "/proc/cpuinfo",
              "processor\t: 0\nmodel name\t: Some CPU @ 2.0GHz\nprocessor id : x\n\n"
              "processor\t: 1\nmodel name\t: Some CPU @ 2.0GHz\n");
    tree_file(&t, "/etc/os-release", "ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
    host_read(&t.root, &h);
    UNIT_EQ_STR("", h.name, "db1");
    UNIT_EQ_STR("", h.kernel, "6.1.0-28-amd64");
    UNIT_EQ_STR("", h.os, "Debian GNU/Linux 12 (bookworm)");
    UNIT_EQ_STR("", h.cpu_model, "Some CPU @ 2.0GHz");
    UNIT_EQ_I64("", h.cpus, 2);
    UNIT_EQ_I64("", h.memory_bytes, INT64_C(24684084) * 1024);
    UNIT_EQ_I64("64 of 2 MiB", h.huge_free_bytes, INT64_C(128) << 20);
    host_release(&h);
    host_release(&h);
    tree_release(&t);
}

static void test_nothing_there(void)
{
    struct tree t;
    struct host_info h;

    tree_init(&t);
    tree_file(&t, "/proc/meminfo",
              "MemTotal: lots\nHugePages_Free: 9223372036854775807\nHugepagesize: 2048 kB\n");
    tree_file(&t, "/etc/os-release", "PRETTY_NAME=\"");
    host_read(&t.root, &h);
    UNIT_TRUE("", h.name == NULL && h.kernel == NULL && h.cpu_model == NULL);
    UNIT_EQ_STR("half a quote stays", h.os, "\"");
    UNIT_EQ_I64("", h.cpus, 0);
    UNIT_EQ_I64("", h.memory_bytes, 0);
    UNIT_EQ_I64("not that many", h.huge_free_bytes, 0);
    host_release(&h);
    tree_release(&t);
}

static void test_this_machine(void)
{
    struct fsroot root;
    struct host_info h;

    fsroot_init(&root, "");
    host_read(&root, &h);
    UNIT_TRUE("", h.name != NULL && h.kernel != NULL);
    UNIT_TRUE("", h.cpus >= 1);
    UNIT_TRUE("", h.memory_bytes > INT64_C(1) << 26);
    host_release(&h);
    fsroot_release(&root);
}

static const struct unit_test tests[] = {
    {"made", test_made},
    {"nothing there", test_nothing_there},
    {"this machine", test_this_machine},
};

const struct unit_suite host_suite = UNIT_SUITE("host", tests);
