/*
 * base/fsroot on a tree in a temporary directory.
 */
#include "base/fsroot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness/tmpdir.h"
#include "harness/unit.h"

static char *dir;
static struct fsroot root;

static void setup(void)
{
    dir = tmpdir_new();
    fsroot_init(&root, dir);
    tmpdir_write(dir, "/sys/block/sda/stat", "1 2 3\n");
    tmpdir_write(dir, "/sys/block/sda/two", "first\nsecond\n");
    tmpdir_write(dir, "/sys/block/sda/empty", "");
    tmpdir_mkdir(dir, "/sys/block/nothing");
    tmpdir_write(dir, "/sys/devices/pci0/nvme0n1/size", "8");
    tmpdir_symlink(dir, "/sys/block/nvme0n1", "../devices/pci0/nvme0n1");
    tmpdir_symlink(dir, "/sys/out", "../../../../../../etc");
    tmpdir_symlink(dir, "/sys/dangling", "nowhere");
}

static void teardown(void)
{
    fsroot_release(&root);
    fsroot_release(&root);
    tmpdir_free(dir);
}

static void test_path(void)
{
    static const struct {
        const char *prefix;
        const char *want;
    } rows[] = {{"", "/sys/x"}, {"/", "/sys/x"}, {"/a/b", "/a/b/sys/x"}, {"/a/b//", "/a/b/sys/x"}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct fsroot r;
        char *path = NULL;

        fsroot_init(&r, rows[i].prefix);
        path = fsroot_path(&r, "/sys/x");
        UNIT_EQ_STR("", path, rows[i].want);
        free(path);
        fsroot_release(&r);
    }
}

static void test_open(void)
{
    struct err err = {0};
    int fd = -1;
    char *message = NULL;

    setup();
    fd = fsroot_open(&root, "/sys/block/sda/stat", &err);
    UNIT_TRUE("", fd >= 0);
    UNIT_TRUE("close-on-exec", (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    close_fd(&fd);
    UNIT_EQ_I64("", fd, -1);
    close_fd(&fd);
    UNIT_EQ_I64("", fsroot_open(&root, "/sys/none", &err), -1);
    UNIT_EQ_I64("", err.sys_errno, ENOENT);
    CHECK(asprintf(&message, "can't open %s/sys/none: No such file or directory", dir) > 0);
    UNIT_EQ_STR("", err.text, message);
    free(message);
    teardown();
}

static void test_read(void)
{
    struct err err = {0};
    char *text = NULL;

    setup();
    text = fsroot_read(&root, "/sys/block/sda/two", 4096, &err);
    UNIT_EQ_STR("", text, "first\nsecond\n");
    free(text);
    text = fsroot_read(&root, "/sys/block/sda/two", 5, &err);
    UNIT_EQ_STR("up to max", text, "first");
    free(text);
    text = fsroot_read(&root, "/sys/block/sda/empty", 5, &err);
    UNIT_EQ_STR("", text, "");
    free(text);
    UNIT_TRUE("", fsroot_read(&root, "/sys/none", 5, &err) == NULL);
    UNIT_EQ_I64("", err.sys_errno, ENOENT);
    UNIT_TRUE("a directory", fsroot_read(&root, "/sys", 5, &err) == NULL);
    UNIT_EQ_I64("", err.sys_errno, EISDIR);
    teardown();
}

static void test_read_line(void)
{
    static const struct {
        const char *path;
        const char *want;
    } rows[] = {
        {"/sys/block/sda/stat", "1 2 3"},
        {"/sys/block/sda/two", "first"},
        {"/sys/block/sda/empty", ""},
        {"/sys/block/nvme0n1/size", "8"},
        {"/sys/none", NULL},
        {"/sys/block", NULL},
    };

    setup();
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char *line = fsroot_read_line(&root, rows[i].path);

        UNIT_EQ_STR(rows[i].path, line, rows[i].want);
        free(line);
    }
    teardown();
}

static void test_exists(void)
{
    setup();
    UNIT_TRUE("", fsroot_exists(&root, "/sys/block/sda/stat"));
    UNIT_TRUE("", fsroot_exists(&root, "/sys"));
    UNIT_TRUE("", !fsroot_exists(&root, "/sys/none"));
    UNIT_TRUE("", !fsroot_exists(&root, "/sys/dangling"));
    teardown();
}

static void test_realpath(void)
{
    static const struct {
        const char *path;
        const char *want;
    } rows[] = {
        {"/sys/block/nvme0n1", "/sys/devices/pci0/nvme0n1"},
        {"/sys/block/../block/sda//stat", "/sys/block/sda/stat"},
        {"/", "/"},
        {"/sys/none", NULL},
        {"/sys/dangling", NULL},
        {"/sys/out", NULL}, /* leads out of the tree */
    };

    setup();
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char *target = fsroot_realpath(&root, rows[i].path);

        UNIT_EQ_STR(rows[i].path, target, rows[i].want);
        free(target);
    }
    teardown();
}

static void test_realpath_of_the_machine(void)
{
    struct fsroot machine;
    char *target = NULL;

    fsroot_init(&machine, "");
    target = fsroot_realpath(&machine, "/usr/../usr/./bin/../bin");
    UNIT_EQ_STR("", target, "/usr/bin");
    free(target);
    target = fsroot_realpath(&machine, "/");
    UNIT_EQ_STR("", target, "/");
    free(target);
    fsroot_release(&machine);
}

static void test_list(void)
{
    char **names = NULL;

    setup();
    names = fsroot_list(&root, "/sys/block/sda");
    if (UNIT_TRUE("", names != NULL)) {
        UNIT_EQ_STR("", names[0], "empty");
        UNIT_EQ_STR("", names[1], "stat");
        UNIT_EQ_STR("", names[2], "two");
        UNIT_TRUE("", names[3] == NULL);
    }
    fsroot_list_free(names);
    names = fsroot_list(&root, "/sys/block/nothing");
    UNIT_TRUE("empty, not absent", names != NULL && names[0] == NULL);
    fsroot_list_free(names);
    UNIT_TRUE("", fsroot_list(&root, "/sys/none") == NULL);
    UNIT_TRUE("a file", fsroot_list(&root, "/sys/block/sda/stat") == NULL);
    fsroot_list_free(NULL);
    teardown();
}

/* A file that may grow to so many bytes: the kernel takes a part, and then tells why no more. */
static int write_limited(const char *path, const char *text, rlim_t most)
{
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    struct rlimit old;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int rc = 0;

    CHECK(fd >= 0);
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    CHECK(setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, old.rlim_max}) == 0);
    errno = 0;
    rc = write_all(fd, text, strlen(text)) < 0 ? errno : 0;
    CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
    (void)signal(SIGXFSZ, before);
    close_fd(&fd);
    return rc;
}

static void test_write_all(void)
{
    char *path = NULL;
    char *line = NULL;

    setup();
    path = fsroot_path(&root, "/written");
    UNIT_EQ_I64("whole", write_limited(path, "all of it", 100), 0);
    line = fsroot_read_line(&root, "/written");
    UNIT_EQ_STR("whole", line, "all of it");
    free(line);
    UNIT_EQ_I64("nothing", write_limited(path, "", 100), 0);
    UNIT_EQ_I64("a part", write_limited(path, "all of it", 3), EFBIG);
    line = fsroot_read_line(&root, "/written");
    UNIT_EQ_STR("a part", line, "all");
    free(line);
    free(path);
    teardown();
}

static void test_sync_dir(void)
{
    struct err err = {0};
    char *path = NULL;

    setup();
    UNIT_EQ_I64("", sync_dir(dir, &err), 0);
    path = fsroot_path(&root, "/none");
    UNIT_EQ_I64("", sync_dir(path, &err), -1);
    UNIT_EQ_I64("", err.sys_errno, ENOENT);
    UNIT_TRUE(err.text, strstr(err.text, "can't sync ") && strstr(err.text, "/none"));
    free(path);
    teardown();
}

static const struct unit_test tests[] = {
    {"path", test_path},
    {"open", test_open},
    {"read", test_read},
    {"read line", test_read_line},
    {"exists", test_exists},
    {"realpath", test_realpath},
    {"realpath of the machine", test_realpath_of_the_machine},
    {"list", test_list},
    {"write all", test_write_all},
    {"sync a directory", test_sync_dir},
};

const struct unit_suite fsroot_suite = UNIT_SUITE("fsroot", tests);
