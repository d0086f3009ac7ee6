/*
 * run/server_process: made /proc trees of a server of processes and of one of threads.
 */
#include "run/server_process.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

struct made {
    char *dir;
    struct fsroot root;
    struct server_process server;
};

static void begin(struct made *m)
{
    m->dir = tmpdir_new();
    fsroot_init(&m->root, m->dir);
    tmpdir_write(m->dir, "/proc/sys/kernel/hostname", "db1\n");
}

static void end(struct made *m)
{
    fsroot_release(&m->root);
    tmpdir_free(m->dir);
}

static uint64_t ticks(uint64_t n)
{
    return n * (UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK));
}

static void write_stat(struct made *m, const char *path, const char *name, int parent, int cpu)
{
    char *text =
        xasprintf("1 (%s) S %d 1 1 0 -1 0 0 0 0 0 %d 0 0 0 20 0 1 0 1\n", name, parent, cpu);

    tmpdir_write(m->dir, path, text);
    free(text);
}

static struct server_use use(struct made *m, const int64_t *listed, size_t n)
{
    struct server_use out;

    server_process_use(&m->server, (struct server_process_list){listed, n}, &out);
    return out;
}

static void test_processes(void)
{
    static const int64_t listed[] = {11, 12};
    struct made m;
    struct server_use u;

    begin(&m);
    write_stat(&m, "/proc/10/stat", "postgres", 1, 100);
    write_stat(&m, "/proc/11/stat", "postgres", 10, 20);
    write_stat(&m, "/proc/12/stat", "postgres", 10, 3);
    server_process_find(&m.server, &m.root, 11);
    UNIT_TRUE("found", m.server.root == &m.root);
    UNIT_EQ_I64("the postmaster", m.server.pid, 10);
    u = use(&m, listed, 2);
    UNIT_TRUE("", u.has_cpu);
    UNIT_EQ_U64("by the list", u.cpu_ns, ticks(123));
    UNIT_EQ_U64("", u.looking_cpu_ns, ticks(20));
    UNIT_TRUE("not to be seen", !u.has_io);
    tmpdir_write(m.dir, "/proc/10/task/10/children", "11 ");
    u = use(&m, listed, 2);
    UNIT_EQ_U64("one has ended unseen: never less", u.cpu_ns, ticks(123));
    write_stat(&m, "/proc/11/stat", "postgres", 10, 60);
    u = use(&m, NULL, 0);
    UNIT_EQ_U64("by the kernel", u.cpu_ns, ticks(160));
    write_stat(&m, "/proc/11/stat", "bash", 10, 20);
    server_process_find(&m.server, &m.root, 11);
    UNIT_TRUE("another's number", m.server.root == NULL);
    u = use(&m, listed, 2);
    UNIT_TRUE("", !u.has_cpu);
    end(&m);
}

static void test_threads(void)
{
    struct server_process_said said = {.name = "mariadbd", .host = "db1", .thread = 44};
    struct made m;
    struct server_use u;

    begin(&m);
    tmpdir_write(m.dir, "/proc/44/status", "Name:\tone_connection\nTgid:\t42\n");
    write_stat(&m, "/proc/42/stat", "mariadbd", 1, 500);
    write_stat(&m, "/proc/42/task/44/stat", "one_connection", 1, 7);
    tmpdir_write(m.dir, "/proc/42/task/42/children", "");
    server_process_find_thread(&m.server, &m.root, &said);
    UNIT_TRUE("found", m.server.root == &m.root);
    u = use(&m, NULL, 0);
    UNIT_TRUE("", u.has_cpu);
    UNIT_EQ_U64("", u.cpu_ns, ticks(500));
    UNIT_EQ_U64("its thread for us", u.looking_cpu_ns, ticks(7));
    said.host = "db2";
    server_process_find_thread(&m.server, &m.root, &said);
    UNIT_TRUE("another machine's", m.server.root == NULL);
    said.host = "db1";
    said.name = "mysqld";
    server_process_find_thread(&m.server, &m.root, &said);
    UNIT_TRUE("another program's", m.server.root == NULL);
    said.thread = 45;
    server_process_find_thread(&m.server, &m.root, &said);
    UNIT_TRUE("no such thread", m.server.root == NULL);
    end(&m);
}

static const struct unit_test tests[] = {
    {"a process for each session", test_processes},
    {"a thread for each session", test_threads},
};
const struct unit_suite server_process_suite = UNIT_SUITE("server_process", tests);
