/*
 * The small parts: settings as text, the socket's directory, the lock, the marker, the user's way.
 */
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cluster/lock.h"
#include "cluster/server_conf.h"
#include "cluster/server_user.h"
#include "cluster/socket_dir.h"
#include "cluster/unsafe.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

static void test_conf(void)
{
    static const struct cluster_settings s = {.buffer_bytes = UINT64_C(48000000000),
                                              .checkpoint_timeout_s = 300,
                                              .max_wal_bytes = UINT64_C(8) << 30,
                                              .max_connections = 120};
    static const struct cluster_settings least = {0};
    static const char *const lines[] = {
        "\nshared_buffers = 46875000kB\n", "\ncheckpoint_timeout = 300s\n",
        "\nmax_wal_size = 8192MB\n",       "\nmin_wal_size = 2048MB\n",
        "\nmax_connections = 120\n",       "\nfsync = on\n",
        "\nsynchronous_commit = on\n",     "\nfull_page_writes = on\n",
    };
    static const char *const least_lines[] = {
        "\nshared_buffers = 128kB\n", "\ncheckpoint_timeout = 30s\n", "\nmax_wal_size = 80MB\n",
        "\nmin_wal_size = 80MB\n",    "\nmax_connections = 8\n",
    };
    struct err err = {0};
    char *text = server_conf("config/postgresql.conf", &s, &err);
    const char *plan = text ? strstr(text, "# From the plan.") : NULL;

    UNIT_EQ_STR("", err.text, "");
    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        UNIT_TRUE(lines[i], text && strstr(text, lines[i]));
    UNIT_TRUE("the plan's come last", plan && !strstr(plan, "fsync"));
    free(text);
    text = server_conf("config/postgresql.conf", &least, &err);
    for (size_t i = 0; i < ARRAY_LEN(least_lines); i++)
        UNIT_TRUE(least_lines[i], text && strstr(text, least_lines[i]));
    free(text);
    UNIT_TRUE("", server_conf("/nowhere/postgresql.conf", &s, &err) == NULL);
    UNIT_TRUE(err.text, strstr(err.text, "/nowhere/postgresql.conf") != NULL);
}

static bool has(char *const *list, const char *text)
{
    for (; *list; list++)
        if (strcmp(*list, text) == 0)
            return true;
    return false;
}

static void test_unsafe_settings(void)
{
    static const char *const wanted[] = {"fsync=off",         "full_page_writes=off",
                                         "wal_level=minimal", "max_wal_senders=0",
                                         "autovacuum=off",    "maintenance_work_mem=1024MB"};
    char **list = server_conf_unsafe(UINT64_C(24) << 30);

    for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
        UNIT_TRUE(wanted[i], has(list, wanted[i]));
    UNIT_TRUE("a killed server loses nothing it reported", !has(list, "synchronous_commit=off"));
    server_conf_free(list);
    list = server_conf_unsafe(0);
    UNIT_TRUE("memory not known", has(list, "maintenance_work_mem=64MB"));
    server_conf_free(list);
}

static void test_socket_dir(void)
{
    char *dir = tmpdir_new();
    char *other = xasprintf("%s/other", dir);
    char *nowhere = xasprintf("%s/nowhere", dir);
    const char *const parents[] = {nowhere, dir, NULL};
    struct err err = {0};
    struct stat st;
    char *made = socket_dir_make(parents, geteuid(), getegid(), &err);

    UNIT_TRUE("the second parent", made && strncmp(made, dir, strlen(dir)) == 0);
    UNIT_EQ_STR("no error is left", err.text, "");
    UNIT_TRUE("", made && stat(made, &st) == 0 && (st.st_mode & 07777) == 0700);
    if (made) {
        char *socket = xasprintf("%s/.s.PGSQL.5432", made + strlen(dir));

        tmpdir_write(dir, socket, "");
        socket_dir_remove(made);
        UNIT_TRUE("", stat(made, &st) < 0);
        free(socket);
    }
    UNIT_EQ_I64("", mkdir(other, 0700), 0);
    socket_dir_remove(other);
    UNIT_TRUE("not one of ours", stat(other, &st) == 0);
    free(made);
    free(nowhere);
    free(other);
    tmpdir_free(dir);
}

static void test_socket_too_long(void)
{
    char *dir = tmpdir_new();
    char *deep = xasprintf("%s/%080d", dir, 0);
    const char *const parents[] = {deep, NULL};
    struct err err = {0};

    UNIT_EQ_I64("", mkdir(deep, 0700), 0);
    UNIT_TRUE("", socket_dir_make(parents, geteuid(), getegid(), &err) == NULL);
    UNIT_TRUE(err.text, strstr(err.text, "over 107 bytes") != NULL);
    free(deep);
    tmpdir_free(dir);
}

static void test_lock(void)
{
    char *dir = tmpdir_new();
    struct clock_fake fake;
    struct layout l;
    struct err err = {0};
    char *want = NULL;
    int first = -1;
    int second = -1;

    clock_fake_init(&fake, 0, INT64_C(1796046301) * US_PER_S);
    UNIT_EQ_I64("", layout_init(&l, dir, &err), 0);
    first = lock_take(&l, &fake.clk, &err);
    UNIT_TRUE(err.text, first >= 0);
    UNIT_EQ_I64("made ours", layout_look(&l, &err), 1);
    second = lock_take(&l, &fake.clk, &err);
    UNIT_EQ_I64("", second, -1);
    want = xasprintf("process %jd, since 2026-11-30T13:45:01Z)", (intmax_t)getpid());
    UNIT_TRUE(err.text, strstr(err.text, "is in use (host ") && strstr(err.text, want));
    UNIT_EQ_I64("", layout_remove_all(&l, &err), 0);
    (void)close(first);
    first = lock_take(&l, &fake.clk, &err);
    UNIT_TRUE("after a removal", first >= 0);
    (void)close(first);
    second = lock_take(&l, &fake.clk, &err);
    UNIT_TRUE("after the holder's end", second >= 0);
    (void)close(second);
    free(want);
    layout_release(&l);
    tmpdir_free(dir);
}

static void test_unsafe_mark(void)
{
    char *dir = tmpdir_new();
    struct fsroot root;
    struct err err = {0};
    char *mark = NULL;

    fsroot_init(&root, dir);
    UNIT_TRUE("", unsafe_mark(&root, "/mnt/x", &err) == NULL);
    UNIT_TRUE(err.text, strstr(err.text, "boot_id") != NULL);
    tmpdir_write(dir, "/proc/sys/kernel/random/boot_id", "one\n");
    mark = unsafe_mark(&root, "/mnt/x", &err);
    UNIT_EQ_STR("no device can be named", mark, "boot_id=one\ndevice=unknown\n");
    free(mark);
    fsroot_release(&root);
    tmpdir_free(dir);
}

static void test_enter(void)
{
    char *dir = tmpdir_new();
    char *shut = xasprintf("%s/shut", dir);
    char *inside = xasprintf("%s/shut/inside", dir);
    struct server_user u;
    struct err err = {0};

    tmpdir_mkdir(dir, "/shut/inside");
    UNIT_EQ_I64("", chmod(dir, 0755), 0);
    UNIT_EQ_I64("", chmod(inside, 0755), 0);
    UNIT_EQ_I64(err.text, server_user_find("nobody", &u, &err), 0);
    UNIT_TRUE("root hands it over", u.other == (geteuid() == 0));
    UNIT_EQ_I64("", chmod(shut, 0755), 0);
    UNIT_EQ_I64(err.text, server_user_can_enter(&u, inside, &err), 0);
    UNIT_EQ_I64("", chmod(shut, 0600), 0);
    UNIT_EQ_I64("", server_user_can_enter(&u, inside, &err), -1);
    UNIT_TRUE(err.text, strstr(err.text, "can't enter ") && strstr(err.text, "/shut: allow it"));
    UNIT_EQ_I64("", chmod(shut, 0755), 0);
    server_user_release(&u);
    free(inside);
    free(shut);
    tmpdir_free(dir);
}

static const struct unit_test tests[] = {
    {"conf", test_conf},
    {"unsafe settings", test_unsafe_settings},
    {"socket directory", test_socket_dir},
    {"socket too long", test_socket_too_long},
    {"lock", test_lock},
    {"unsafe mark", test_unsafe_mark},
    {"enter", test_enter},
};
const struct unit_suite settings_suite = UNIT_SUITE("settings", tests);
