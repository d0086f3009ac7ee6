/*
 * base/pagecache against the machine's own page cache: what was just written is in it, and after
 * the drop it is not. The files lie under /var/tmp, since /tmp may be memory.
 */
#include "base/pagecache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/xalloc.h"
#include "harness/unit.h"

#define TMPFS_MAGIC_NUMBER 0x01021994
#define FILE_BYTES (1 << 20)

static const char *const names[] = {"one", "folder/two", "folder/deeper/three"};

static void write_bytes(const char *dir, const char *name, size_t n)
{
    char *path = xasprintf("%s/%s", dir, name);
    char *bytes = xmalloc(n + 1);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    memset(bytes, 'x', n);
    CU_ASSERT_FATAL(fd >= 0);
    UNIT_EQ_I64(name, write(fd, bytes, n), (int64_t)n);
    close_fd(&fd);
    free(bytes);
    free(path);
}

static void make_tree(char *dir)
{
    char *folder = NULL;
    char *deeper = NULL;

    CU_ASSERT_FATAL(mkdtemp(dir) != NULL);
    folder = xasprintf("%s/folder", dir);
    deeper = xasprintf("%s/deeper", folder);
    CU_ASSERT_FATAL(mkdir(folder, 0700) == 0 && mkdir(deeper, 0700) == 0);
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        write_bytes(dir, names[i], FILE_BYTES);
    free(folder);
    free(deeper);
}

static void remove_tree(const char *dir)
{
    static const char *const all[] = {"one", "folder/two", "folder/deeper/three", "link", "empty"};
    static const char *const folders[] = {"folder/deeper", "folder", "."};

    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        char *path = xasprintf("%s/%s", dir, all[i]);

        (void)unlink(path);
        free(path);
    }
    for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
        char *path = i < 2 ? xasprintf("%s/%s", dir, folders[i]) : xstrdup(dir);

        UNIT_EQ_I64(folders[i], rmdir(path), 0);
        free(path);
    }
}

static void test_dropped(void)
{
    char dir[] = "/var/tmp/tpcc-pagecache.XXXXXX";
    struct pagecache found;
    struct pagecache left;
    struct statfs fs;
    struct err err = {0};
    char *link = NULL;

    make_tree(dir);
    link = xasprintf("%s/link", dir);
    UNIT_EQ_I64("", symlink("/etc/passwd", link), 0);
    write_bytes(dir, "empty", 0);
    UNIT_EQ_I64(err.text, pagecache_look(dir, &found, &err), 0);
    UNIT_EQ_U64("a link is none", found.files, 4);
    UNIT_EQ_U64("", found.bytes, 3 * FILE_BYTES);
    UNIT_EQ_U64("just written", found.cached_bytes, 3 * FILE_BYTES);
    UNIT_EQ_I64(err.text, pagecache_drop(dir, NULL, &left, &err), 0);
    UNIT_EQ_U64("", left.bytes, 3 * FILE_BYTES);
    CU_ASSERT_FATAL(statfs(dir, &fs) == 0);
    if (fs.f_type != TMPFS_MAGIC_NUMBER)
        UNIT_EQ_U64("dropped", left.cached_bytes, 0);
    remove_tree(dir);
    free(link);
}

static void test_refused(void)
{
    struct stop stop = {0};
    char dir[] = "/var/tmp/tpcc-pagecache.XXXXXX";
    struct pagecache left;
    struct err err = {0};

    UNIT_EQ_I64("", pagecache_look("/nosuch", &left, &err), -1);
    UNIT_EQ_STR("", err.text,
                "page cache of /nosuch: can't read /nosuch: No such file or directory");
    make_tree(dir);
    stop_ask(&stop);
    UNIT_EQ_I64("", pagecache_drop(dir, &stop, &left, &err), -1);
    UNIT_EQ_I64("", err.kind, ERR_INTERRUPTED);
    remove_tree(dir);
}

static const struct unit_test tests[] = {
    {"what was written is dropped", test_dropped},
    {"no directory, a stop", test_refused},
};
const struct unit_suite pagecache_suite = UNIT_SUITE("pagecache", tests);
