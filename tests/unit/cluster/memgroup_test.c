/*
 * The memory group in made trees: which kind is expected where, where the group lies, what is
 * written into its files, what is read back, why there is none. The kernel's files are plain ones
 * here, made beforehand, since nothing but the group's folder may be made.
 */
#include "cluster/memgroup.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cluster/memgroup_where.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

#define V1_MOUNT                                                                                   \
    "30 25 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"                                  \
    "31 25 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
#define V2_MOUNT "32 25 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n"
#define HYBRID_MOUNT "33 25 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"

struct tree {
    char *dir;
    struct fsroot root;
};

static void tree_init(struct tree *t, const char *mounts, const char *own)
{
    t->dir = tmpdir_new();
    fsroot_init(&t->root, t->dir);
    tmpdir_write(t->dir, "/proc/self/mountinfo", mounts);
    tmpdir_write(t->dir, "/proc/self/cgroup", own);
}

static void tree_release(struct tree *t)
{
    fsroot_release(&t->root);
    tmpdir_free(t->dir);
}

static void put(const struct tree *t, const char *dir, const char *name, const char *text)
{
    char *path = xasprintf("%s/%s", dir, name);

    tmpdir_write(t->dir, path, text);
    free(path);
}

static void expect_text(const struct tree *t, const char *path, const char *want)
{
    char *text = fsroot_read(&t->root, path, 4096, NULL);

    if (UNIT_TRUE(path, text != NULL))
        UNIT_EQ_STR(path, text, want);
    free(text);
}

/* A group of v1 that a killed program left, with every file that is written. */
static void put_v1(const struct tree *t, const char *dir)
{
    static const char *const names[] = {"cgroup.procs", "memory.limit_in_bytes",
                                        "memory.memsw.limit_in_bytes", "memory.swappiness"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        put(t, dir, names[i], "");
    put(t, dir, "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
}

static void expect_kind(const struct tree *t, enum memgroup_kind want, const char *why)
{
    struct err err = {0};

    UNIT_EQ_STR(why, memgroup_kind_name(memgroup_expect(&t->root, &err)), memgroup_kind_name(want));
    UNIT_EQ_STR("", err.text, why);
}

static void test_v1(void)
{
    static const char own[] = "/sys/fs/cgroup/memory/jobs/mine";
    static const char group[] = "/sys/fs/cgroup/memory/jobs/tpcc-run-1";
    const struct memgroup_wish wish = {"tpcc-run-1", 600 << 20, 4711};
    struct memgroup g;
    struct err err = {0};
    struct tree t;

    tree_init(&t, V1_MOUNT HYBRID_MOUNT, "5:cpu:/\n4:memory:/jobs/mine\n0::/\n");
    put(&t, own, "cgroup.procs", "");
    put(&t, "/sys/fs/cgroup/unified", "cgroup.procs", "");
    put(&t, "/sys/fs/cgroup/unified", "cgroup.controllers", "\n");
    put_v1(&t, group);
    expect_kind(&t, MEMGROUP_V1, "");
    UNIT_EQ_I64(err.text, memgroup_place(&t.root, &wish, &g, &err), 0);
    UNIT_EQ_STR("beside our own", g.dir, group);
    UNIT_EQ_STR("", memgroup_kind_name(g.kind), "cgroup v1");
    expect_text(&t, "/sys/fs/cgroup/memory/jobs/tpcc-run-1/memory.limit_in_bytes", "629145600");
    expect_text(&t, "/sys/fs/cgroup/memory/jobs/tpcc-run-1/memory.memsw.limit_in_bytes",
                "629145600");
    expect_text(&t, "/sys/fs/cgroup/memory/jobs/tpcc-run-1/memory.swappiness", "0");
    expect_text(&t, "/sys/fs/cgroup/memory/jobs/tpcc-run-1/cgroup.procs", "4711");
    UNIT_EQ_I64("", memgroup_kills(&t.root, &g), 3);
    memgroup_release(&g);
    tree_release(&t);
}

static void test_v2(void)
{
    static const char top[] = "/sys/fs/cgroup";
    static const char group[] = "/sys/fs/cgroup/tpcc-run-2";
    const struct memgroup_wish wish = {"tpcc-run-2", (600 << 20) + 77, 4711};
    struct memgroup g;
    struct err err = {0};
    struct tree t;

    tree_init(&t, V2_MOUNT, "0::/session\n");
    put(&t, "/sys/fs/cgroup/session", "cgroup.procs", "");
    put(&t, top, "cgroup.procs", "");
    put(&t, top, "cgroup.controllers", "cpu io memory pids\n");
    put(&t, top, "cgroup.subtree_control", "cpu pids");
    put(&t, group, "cgroup.procs", "");
    put(&t, group, "memory.max", "max\n");
    put(&t, group, "memory.swap.max", "max\n");
    put(&t, group, "memory.events", "low 0\nmax 7\noom 2\noom_kill 1\noom_group_kill 5\n");
    expect_kind(&t, MEMGROUP_V2, "");
    UNIT_EQ_I64(err.text, memgroup_place(&t.root, &wish, &g, &err), 0);
    UNIT_EQ_STR("", g.dir, group);
    expect_text(&t, "/sys/fs/cgroup/cgroup.subtree_control", "+memory");
    expect_text(&t, "/sys/fs/cgroup/tpcc-run-2/cgroup.procs", "4711");
    expect_text(&t, "/sys/fs/cgroup/tpcc-run-2/memory.max", "629145677");
    expect_text(&t, "/sys/fs/cgroup/tpcc-run-2/memory.swap.max", "0");
    UNIT_EQ_I64("", memgroup_kills(&t.root, &g), 1);
    memgroup_release(&g);
    tree_release(&t);
}

/* A container sees its part of the hierarchy as the whole, its path begins further up. */
static void test_in_a_container(void)
{
    struct memgroup_where where;
    struct err err = {0};
    struct tree t;

    tree_init(&t, V1_MOUNT, "4:memory:/docker/abc/inner\n");
    put(&t, "/sys/fs/cgroup/memory", "cgroup.procs", "");
    put(&t, "/sys/fs/cgroup/memory/inner", "cgroup.procs", "");
    UNIT_EQ_I64("", memgroup_where_find(&t.root, MEMGROUP_V1, &where, &err), 0);
    UNIT_EQ_STR("", where.parent, "/sys/fs/cgroup/memory");
    memgroup_where_release(&where);
    tmpdir_write(t.dir, "/proc/self/cgroup", "4:memory:/docker/abc\n");
    UNIT_EQ_I64("", memgroup_where_find(&t.root, MEMGROUP_V1, &where, &err), 0);
    UNIT_EQ_STR("the top itself", where.parent, "/sys/fs/cgroup/memory");
    memgroup_where_release(&where);
    tree_release(&t);
}

static void test_systemd_comes_first(void)
{
    struct tree t;

    tree_init(&t, V1_MOUNT, "4:memory:/\n");
    put(&t, "/sys/fs/cgroup/memory", "cgroup.procs", "");
    tmpdir_mkdir(t.dir, "/run/systemd/system");
    expect_kind(&t, MEMGROUP_V1, ""); /* booted, but nothing to call it with */
    tmpdir_write(t.dir, "/usr/bin/busctl", "");
    if (geteuid() == 0)
        expect_kind(&t, MEMGROUP_SYSTEMD, "");
    tree_release(&t);
}

static void test_no_group(void)
{
    const struct memgroup_wish wish = {"tpcc-run-3", 600 << 20, 4711};
    struct memgroup g;
    struct err err = {0};
    struct tree t;

    tree_init(&t, "", "");
    expect_kind(&t, MEMGROUP_NONE, "no memory controller in cgroup v1");
    UNIT_EQ_I64("", memgroup_place(&t.root, &wish, &g, &err), -1);
    UNIT_EQ_STR("", err.text, "no memory controller in cgroup v1");
    UNIT_TRUE("", g.dir == NULL);
    UNIT_EQ_I64("", memgroup_kills(&t.root, &g), -1);
    UNIT_EQ_I64("", memgroup_remove(&t.root, &g), 0);
    tmpdir_write(t.dir, "/proc/self/mountinfo", V2_MOUNT);
    tmpdir_write(t.dir, "/proc/self/cgroup", "0::/\n");
    put(&t, "/sys/fs/cgroup", "cgroup.procs", "");
    put(&t, "/sys/fs/cgroup", "cgroup.controllers", "cpu memory_recursive pids\n");
    expect_kind(&t, MEMGROUP_NONE, "no memory controller in cgroup v1");
    /* There, but its files do not take what is written. */
    put(&t, "/sys/fs/cgroup", "cgroup.controllers", "memory\n");
    put(&t, "/sys/fs/cgroup", "cgroup.subtree_control", "memory\n");
    UNIT_EQ_I64("", memgroup_place(&t.root, &wish, &g, &err), -1);
    UNIT_EQ_STR("the more telling reason", err.text,
                "can't limit the memory of /sys/fs/cgroup/tpcc-run-3: No such file or directory");
    UNIT_TRUE("removed again", !fsroot_exists(&t.root, "/sys/fs/cgroup/tpcc-run-3"));
    tree_release(&t);
}

static void test_left_over(void)
{
    static const char group[] = "/sys/fs/cgroup/memory/tpcc-run-4";
    static const char *const not_ours[] = {"/sys/fs/cgroup/memory/other", "/etc/tpcc-run-4",
                                           "/sys/../tpcc-run-4", "tpcc-run-4", ""};
    struct memgroup g;
    struct tree t;

    tree_init(&t, V1_MOUNT, "4:memory:/\n");
    put_v1(&t, group);
    put(&t, group, "memory.limit_in_bytes", "629145600\n");
    put(&t, "/sys/fs/cgroup/memory/other", "cgroup.procs", "");
    memgroup_attach(&t.root, group, &g);
    UNIT_EQ_STR("", g.dir, group);
    UNIT_EQ_U64("", g.limit_bytes, 600 << 20);
    UNIT_EQ_I64("", g.kills, 3);
    UNIT_EQ_I64("its files are no kernel's", memgroup_remove(&t.root, &g), -1);
    memgroup_release(&g);
    for (size_t i = 0; i < ARRAY_LEN(not_ours); i++) {
        memgroup_attach(&t.root, not_ours[i], &g);
        UNIT_TRUE(not_ours[i], g.kind == MEMGROUP_NONE && g.dir == NULL);
    }
    tree_release(&t);
}

static void test_words(void)
{
    UNIT_TRUE("", memgroup_has_word("cpu memory pids\n", "memory"));
    UNIT_TRUE("", memgroup_has_word("rw,memory", "memory"));
    UNIT_TRUE("", memgroup_has_word("memory", "memory"));
    UNIT_TRUE("", !memgroup_has_word("memory_recursiveprot", "memory"));
    UNIT_TRUE("", !memgroup_has_word("nomemory", "memory"));
    UNIT_TRUE("", !memgroup_has_word("", "memory"));
}

static const struct unit_test tests[] = {
    {"cgroup v1", test_v1},
    {"cgroup v2", test_v2},
    {"in a container", test_in_a_container},
    {"systemd comes first", test_systemd_comes_first},
    {"no group, and why", test_no_group},
    {"a group left over", test_left_over},
    {"words", test_words},
};
const struct unit_suite memgroup_suite = UNIT_SUITE("memgroup", tests);
