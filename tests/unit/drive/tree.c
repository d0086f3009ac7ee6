/*
 * Makes the trees of tree.h. All of a tree lies under one mkdtemp directory.
 */
#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "harness/unit.h"

#define ZEROES "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"

/* "259:3" */
static void split_number(const char *number, uint32_t *major, uint32_t *minor)
{
    char *end = NULL;

    *major = (uint32_t)strtoul(number, &end, 10);
    UNIT_TRUE(number, *end == ':');
    *minor = (uint32_t)strtoul(end + 1, NULL, 10);
}

static int ask(const struct blockdev_probe *p, const char *path, struct blockdev_path *out,
               struct err *err)
{
    const struct tree *t = p->ctx;

    memset(out, 0, sizeof(*out));
    for (int i = 0; i < t->n_paths; i++) {
        const struct tree_path *known = &t->paths[i];

        if (strcmp(known->path, path) != 0)
            continue;
        out->canonical = xstrdup(path);
        out->mount_id = known->mount_id;
        if (known->node != NULL) {
            out->is_block = true;
            split_number(known->node, &out->major, &out->minor);
        }
        if (known->btrfs_uuid != NULL)
            snprintf(out->btrfs_uuid, sizeof(out->btrfs_uuid), "%s", known->btrfs_uuid);
        return 0;
    }
    return err_sys(err, ENOENT, "%s", path);
}

void tree_init(struct tree *t)
{
    char dir[] = "/tmp/drive_test.XXXXXX";
    char *real = NULL;

    memset(t, 0, sizeof(*t));
    if (UNIT_TRUE("", mkdtemp(dir) != NULL))
        real = realpath(dir, NULL);
    fsroot_init(&t->root, real ? real : "/nonexistent");
    free(real);
    t->probe = (struct blockdev_probe){.root = &t->root, .ask = ask, .ctx = t};
    tree_file(t, "/proc/self/mountinfo", "");
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

void tree_release(struct tree *t)
{
    UNIT_EQ_I64("", nftw(t->root.prefix, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
    fsroot_release(&t->root);
}

/* Makes the folders on the way to a full path. */
static void make_parents(const char *full)
{
    char *copy = xstrdup(full);

    for (char *c = copy + 1; *c != '\0'; c++) {
        if (*c != '/')
            continue;
        *c = '\0';
        UNIT_TRUE(copy, mkdir(copy, 0700) == 0 || errno == EEXIST);
        *c = '/';
    }
    free(copy);
}

void tree_file(struct tree *t, const char *path, const char *text)
{
    char *full = fsroot_path(&t->root, path);
    int fd;

    make_parents(full);
    fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    UNIT_TRUE(full, fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close_fd(&fd);
    free(full);
}

void tree_remove(struct tree *t, const char *path)
{
    char *full = fsroot_path(&t->root, path);

    UNIT_EQ_I64(full, remove(full), 0);
    free(full);
}

void tree_link(struct tree *t, const char *from, const char *to)
{
    char *full = fsroot_path(&t->root, from);
    struct strbuf target;

    make_parents(full);
    strbuf_init(&target);
    /* One ".." for each folder of `from` but the root. */
    for (const char *c = from + 1; *c != '\0'; c++) {
        if (*c == '/')
            strbuf_adds(&target, "../");
    }
    strbuf_adds(&target, to + 1);
    UNIT_TRUE(full, symlink(target.buf, full) == 0);
    strbuf_release(&target);
    free(full);
}

/* The real folder of a device, without the prefix. */
static char *device_dir(struct tree *t, const char *name)
{
    char *link = xasprintf("/sys/class/block/%s", name);
    char *dir = fsroot_realpath(&t->root, link);

    UNIT_TRUE(name, dir != NULL);
    free(link);
    return dir;
}

static void add_links(struct tree *t, const char *dir, const char *name, const char *number)
{
    char *by_name = xasprintf("/sys/class/block/%s", name);
    char *by_number = xasprintf("/sys/dev/block/%s", number);

    tree_link(t, by_name, dir);
    if (strcmp(number, "0:0") != 0) /* hidden disks have none */
        tree_link(t, by_number, dir);
    tree_attr(t, name, "dev", number);
    tree_attr(t, name, "stat", ZEROES);
    tree_attr(t, name, "size", "2097152\n");
    free(by_number);
    free(by_name);
}

void tree_disk(struct tree *t, const char *where, const char *name, const char *number)
{
    char *dir = xasprintf("/sys/devices/%s/%s", where, name);

    add_links(t, dir, name, number);
    tree_attr(t, name, "queue/iostats", "1\n");
    tree_attr(t, name, "mq/0/nr_tags", "64\n");
    free(dir);
}

void tree_bio_disk(struct tree *t, const char *name, const char *number)
{
    char *dir = xasprintf("/sys/devices/virtual/block/%s", name);

    add_links(t, dir, name, number);
    tree_attr(t, name, "queue/iostats", "1\n");
    free(dir);
}

void tree_partition(struct tree *t, const char *disk, const char *name, const char *number)
{
    char *disk_dir = device_dir(t, disk);
    char *dir = xasprintf("%s/%s", disk_dir, name);
    const char *digits = name + strlen(name);

    while (digits > name && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    add_links(t, dir, name, number);
    tree_attr(t, name, "partition", digits);
    tree_attr(t, name, "size", "1048576\n");
    free(dir);
    free(disk_dir);
}

void tree_attr(struct tree *t, const char *name, const char *attr, const char *text)
{
    /* Through the link: its target may not be there yet. */
    char *link = xasprintf("/sys/class/block/%s", name);
    char *full = fsroot_path(&t->root, link);
    char target[PATH_MAX];
    const ssize_t n = readlink(full, target, sizeof(target) - 1);
    const char *dir;
    char *path;

    UNIT_TRUE(full, n > 0);
    target[n > 0 ? n : 0] = '\0';
    dir = strstr(target, "devices/");
    path = xasprintf("/sys/%s/%s", dir ? dir : "", attr);
    tree_file(t, path, text);
    free(path);
    free(full);
    free(link);
}

void tree_slave(struct tree *t, const char *upper, const char *lower)
{
    char *upper_dir = device_dir(t, upper);
    char *lower_dir = device_dir(t, lower);
    char *link = xasprintf("%s/slaves/%s", upper_dir, lower);

    tree_link(t, link, lower_dir);
    free(link);
    free(lower_dir);
    free(upper_dir);
}

void tree_path(struct tree *t, struct tree_path path)
{
    CHECK(t->n_paths < TREE_PATHS_MAX);
    t->paths[t->n_paths++] = path;
}
