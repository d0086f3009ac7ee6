/*
 * A server seen from outside: postmaster.pid, made trees of /proc, WAL names, last words.
 */
#include "cluster/postmaster.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/xalloc.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

static void test_parse(void)
{
    static const struct {
        const char *text;
        bool good;
        pid_t pid;
        bool ready;
        const char *socket;
    } cases[] = {
        {"123\n/d\n1700000000\n5432\n/run/x\n\n 1 2\nready   \n", true, 123, true, "/run/x"},
        {"123\n/d\n1700000000\n5432\n/run/x\n\n 1 2\nstarting\n", true, 123, false, "/run/x"},
        {"123\n/d\n1700000000\n5432\n/run/x\n", true, 123, false, "/run/x"},
        {"123\n", true, 123, false, ""},
        {"", false, 0, false, ""},
        {"-123\n", false, 0, false, ""},
        {"1\n", false, 0, false, ""},
        {"99999999999\n", false, 0, false, ""},
        {"123 \n", false, 0, false, ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct postmaster pm;

        UNIT_TRUE(cases[i].text, postmaster_parse(cases[i].text, &pm) == cases[i].good);
        UNIT_EQ_I64(cases[i].text, pm.pid, cases[i].pid);
        UNIT_TRUE(cases[i].text, pm.ready == cases[i].ready);
        UNIT_EQ_STR(cases[i].text, pm.socket_dir, cases[i].socket);
    }
}

static void test_long_socket(void)
{
    char text[400] = "123\n/d\n17\n5432\n/";
    struct postmaster pm;

    (void)memset(text + strlen(text), 'x', 200);
    UNIT_TRUE("", postmaster_parse(text, &pm));
    UNIT_EQ_STR("too long to be one", pm.socket_dir, "");
}

static void test_processes(void)
{
    char *dir = tmpdir_new();
    struct fsroot root;
    pid_t pids[2] = {0};

    fsroot_init(&root, dir);
    tmpdir_symlink(dir, "/proc/100/cwd", "/mnt/tpcc-run/data");
    tmpdir_symlink(dir, "/proc/101/cwd", "/mnt/tpcc-run/data");
    tmpdir_symlink(dir, "/proc/102/cwd", "/mnt/tpcc-run/data.old");
    tmpdir_symlink(dir, "/proc/103/cwd", "/mnt/tpcc-run/data/base");
    tmpdir_symlink(dir, "/proc/104/cwd", "/mnt/tpcc-run/data (deleted)");
    tmpdir_symlink(dir, "/proc/self/cwd", "/mnt/tpcc-run/data");
    tmpdir_mkdir(dir, "/proc/105");
    UNIT_EQ_U64("", postmaster_processes(&root, "/mnt/tpcc-run/data", pids, 2), 2);
    UNIT_EQ_I64("", pids[0] + pids[1], 201);
    UNIT_EQ_U64("more than asked for", postmaster_processes(&root, "/mnt/tpcc-run/data", pids, 1),
                2);
    UNIT_TRUE("", postmaster_lives(&root, "/mnt/tpcc-run/data", 100));
    UNIT_TRUE("another one of that number", !postmaster_lives(&root, "/mnt/tpcc-run/data", 102));
    UNIT_TRUE("none", !postmaster_lives(&root, "/mnt/tpcc-run/data", 106));
    UNIT_TRUE("none", !postmaster_lives(&root, "/mnt/tpcc-run/data", 0));
    fsroot_release(&root);
    tmpdir_free(dir);
}

static void test_segment(void)
{
    static const struct {
        const char *name;
        bool good;
        uint64_t want;
    } cases[] = {
        {"000000010000000000000005", true, 5},
        {"0000000100000001000000FF", true, 511},
        {"00000002000000010000000A", true, 266},
        {"000000010000000000000005.partial", true, 5}, /* callers that mind look at the length */
        {"000000010000000000000100", false, 0},
        {"00000001000000000000000", false, 0},
        {"0000000100000000000000055", false, 0},
        {"archive_status", false, 0},
        {"", false, 0},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        uint64_t segment = 0;

        UNIT_TRUE(cases[i].name, postmaster_segment(cases[i].name, &segment) == cases[i].good);
        UNIT_EQ_U64(cases[i].name, segment, cases[i].want);
    }
}

static void test_replaying(void)
{
    char *dir = tmpdir_new();
    struct fsroot root;
    uint64_t segment = 0;

    fsroot_init(&root, dir);
    tmpdir_symlink(dir, "/proc/100/cwd", "/d");
    tmpdir_write(dir, "/proc/100/cmdline", "/usr/lib/postgresql/15/bin/postgres");
    UNIT_TRUE("", !postmaster_replaying(&root, "/d", &segment));
    tmpdir_symlink(dir, "/proc/101/cwd", "/d");
    tmpdir_write(dir, "/proc/101/cmdline", "postgres: startup recovering 000000010000000000000007");
    UNIT_TRUE("", postmaster_replaying(&root, "/d", &segment));
    UNIT_EQ_U64("", segment, 7);
    fsroot_release(&root);
    tmpdir_free(dir);
}

static void touch(const char *dir, const char *path, time_t when)
{
    char *full = xasprintf("%s%s", dir, path);
    const struct timespec times[2] = {{.tv_sec = when}, {.tv_sec = when}};

    tmpdir_write(dir, path, "");
    UNIT_EQ_I64(path, utimensat(AT_FDCWD, full, times, 0), 0);
    free(full);
}

/* Segments kept for reuse have higher numbers and older times. */
static void test_newest_wal(void)
{
    char *dir = tmpdir_new();
    uint64_t segment = 0;

    UNIT_TRUE("", !postmaster_newest_wal(dir, &segment));
    touch(dir, "/pg_wal/000000010000000000000009", 1000);
    touch(dir, "/pg_wal/00000001000000000000000A", 3000);
    touch(dir, "/pg_wal/00000001000000000000000B", 2000);
    touch(dir, "/pg_wal/00000001000000000000000A.partial", 5000);
    touch(dir, "/pg_wal/archive_status/x", 9000);
    UNIT_TRUE("", postmaster_newest_wal(dir, &segment));
    UNIT_EQ_U64("", segment, 10);
    tmpdir_free(dir);
}

static void test_last_words(void)
{
    static const struct {
        const char *what, *text, *want;
        uint64_t from;
    } cases[] = {
        {"the last grave one", "a FATAL:  one\nb PANIC:  two\nc LOG:  three\n", "PANIC:  two", 0},
        {"none grave", "a LOG:  one\nb LOG:  two\n\n", "b LOG:  two", 0},
        {"of this start only", "a FATAL:  one\nb LOG:  two\n", "b LOG:  two", 14},
        {"nothing of this start", "a FATAL:  one\n", NULL, 14},
        {"initdb's", "initdb: error: no room\ninitdb: removing\n", "error: no room", 0},
        {"of a file", "t LOG:  parameter \"x\"\nt FATAL:  file \"f\" contains errors\n",
         "parameter \"x\"", 0},
        {"no end of line", "a FATAL:  cut", "FATAL:  cut", 0},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char *dir = tmpdir_new();
        char *path = xasprintf("%s/log", dir);
        char *words = NULL;

        tmpdir_write(dir, "/log", cases[i].text);
        words = postmaster_last_words(path, cases[i].from);
        UNIT_EQ_STR(cases[i].what, words, cases[i].want);
        free(words);
        free(path);
        tmpdir_free(dir);
    }
    UNIT_EQ_STR("no log", postmaster_last_words("/nowhere/log", 0), NULL);
}

/* Only the end of a long log is read, and only so much of a line is given. */
static void test_long_log(void)
{
    char *dir = tmpdir_new();
    char *path = xasprintf("%s/log", dir);
    const size_t n = 300000;
    char *filler = xmalloc(n + 1);
    char *text = NULL;
    char *words = NULL;

    (void)memset(filler, 'y', n);
    filler[n] = 0;
    text = xasprintf("a FATAL:  far away\n%s\nt FATAL:  %.2000s", filler, filler);
    tmpdir_write(dir, "/log", text);
    words = postmaster_last_words(path, 0);
    UNIT_TRUE("", words && strncmp(words, "FATAL:  yyy", 11) == 0);
    UNIT_TRUE("", words && strlen(words) <= 300);
    free(words);
    free(text);
    free(filler);
    free(path);
    tmpdir_free(dir);
}

static const struct unit_test tests[] = {
    {"parse", test_parse},           {"long socket", test_long_socket},
    {"processes", test_processes},   {"segment", test_segment},
    {"replaying", test_replaying},   {"newest wal", test_newest_wal},
    {"last words", test_last_words}, {"long log", test_long_log},
};
const struct unit_suite postmaster_suite = UNIT_SUITE("postmaster", tests);
