/*
 * mkfs as a program, its arguments in a table.
 */
#include "prep/filesystem.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>

#include "base/clock.h"
#include "base/fsroot.h"
#include "base/proc.h"
#include "base/xalloc.h"

#define MKFS_NS (UINT64_C(12) * 3600 * NS_PER_S)
#define CHECK_NS (30 * NS_PER_S)
#define ARGS_MAX 12
#define MIB (UINT64_C(1) << 20)
#define LOG_SHARE 128 /* of the partition is what the log takes */

static const struct {
    const char *name, *program, *package;
    uint64_t min_bytes;
    /* What making it writes: this share of the partition, and the log, of at most so much. */
    uint64_t share, log_bytes;
    const char *args[ARGS_MAX - 4]; /* what follows: the UUID, the node */
    const char *uuid_prefix;
} kinds[FILESYSTEMS] = {
    /* Inode tables and journal at once: else the kernel writes them while the test runs. */
    {"ext4",
     "mkfs.ext4",
     "e2fsprogs",
     4 * MIB,
     64, /* an inode of 256 bytes for every 16 KiB */
     1024 * MIB,
     {"-q", "-F", "-L", "tpcc-run", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0", "-U"},
     ""},
    {"xfs",
     "mkfs.xfs",
     "xfsprogs",
     300 * MIB,
     UINT64_MAX, /* inodes are made when they are wanted */
     2048 * MIB,
     {"-q", "-f", "-K", "-L", "tpcc-run", "-m"},
     "uuid="},
};

const char *filesystem_name(int kind)
{
    return kinds[kind].name;
}

uint64_t filesystem_min_bytes(int kind)
{
    return kinds[kind].min_bytes;
}

uint64_t filesystem_written(int kind, uint64_t part_bytes)
{
    const uint64_t log_bytes = part_bytes / LOG_SHARE;

    return part_bytes / kinds[kind].share +
           (log_bytes < kinds[kind].log_bytes ? log_bytes : kinds[kind].log_bytes);
}

/* Measured on fresh ones of 64 MiB to 4 TiB, as mkfs makes them by itself. ext4: inode tables, a
 * journal, and 5 % that only root may fill; xfs: a log, and what it keeps for its own trees. */
struct filesystem_room filesystem_room(int kind, uint64_t part_bytes)
{
    const uint64_t fixed = kind == 1 || part_bytes > 8 * 67 * MIB ? 67 * MIB : part_bytes / 8;
    const uint64_t own = fixed + part_bytes / (kind == 0 ? 43 : 1800);
    const uint64_t kept = kind == 0 ? 2 * MIB + part_bytes / 20 : 40 * MIB + part_bytes / 120;

    return (struct filesystem_room){
        .size_bytes = part_bytes - own,
        .free_bytes = part_bytes - own > kept ? part_bytes - own - kept : 0,
    };
}

int filesystem_check(int kind, struct err *err)
{
    const char *const argv[] = {kinds[kind].program, "-V", NULL};
    const struct proc_opts opts = {.argv = argv, .timeout_ns = CHECK_NS};
    int status = 0;

    if (proc_run(&opts, &status, NULL, err) == 0)
        return 0;
    return err_wrap(err, "install %s", kinds[kind].package);
}

int filesystem_make(int kind, const char *node, const char *uuid, struct stop *stop,
                    struct err *err)
{
    static const char *const env[] = {"LC_ALL=C", NULL};
    char *last = xasprintf("%s%s", kinds[kind].uuid_prefix, uuid);
    const char *argv[ARGS_MAX] = {kinds[kind].program};
    /* One that outlived us would still write when the next start begins anew. */
    const struct proc_opts opts = {
        .argv = argv, .env = env, .timeout_ns = MKFS_NS, .stop = stop, .dies_with_us = true};
    struct strbuf out;
    size_t n = 1;
    int status = 0;
    int rc;

    for (size_t i = 0; i < ARRAY_LEN(kinds[kind].args) && kinds[kind].args[i]; i++)
        argv[n++] = kinds[kind].args[i];
    argv[n++] = last;
    argv[n] = node;
    CHECK(n < ARGS_MAX - 1);
    strbuf_init(&out);
    rc = proc_run(&opts, &status, &out, err);
    if (rc == 0 && status != 0)
        rc = err_set(err, ERR_SURROUNDINGS, "%s %s: %.200s (status %d)", argv[0], node,
                     out.len ? out.buf : "", status);
    strbuf_release(&out);
    free(last);
    return rc;
}

int filesystem_mount(int kind, const char *node, const char *dir, struct err *err)
{
    if (make_dirs(dir, 0755, err) < 0)
        return -1;
    if (mount(node, dir, kinds[kind].name, MS_NOATIME, "nodiscard") < 0)
        return err_sys(err, errno, "mounting %s at %s", node, dir);
    return 0;
}

static bool is_empty(DIR *dir)
{
    for (const struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            return false;
    }
    return true;
}

int filesystem_check_dir(const char *dir, struct err *err)
{
    DIR *open;
    bool empty;

    if (dir[0] != '/')
        return err_set(err, ERR_USAGE, "--mount %s: name it from / on", dir);
    open = opendir(dir);
    if (!open && errno == ENOENT)
        return 0;
    if (!open)
        return err_sys(err, errno, "--mount %s", dir);
    empty = is_empty(open);
    (void)closedir(open);
    if (empty)
        return 0;
    return err_set(err, ERR_USAGE, "--mount %s: it is not empty: name an empty directory", dir);
}
