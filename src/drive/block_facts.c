/*
 * Goes from the device's number to its folder in sysfs, and asks everybody who may use it: the
 * holders that sysfs lists, mounts and swap areas by number, mounted btrfs, and loop devices, which
 * no list of holders names. What is mounted in another namespace, or used by a pool that sysfs does
 * not know (ZFS), is seen when the device is opened exclusively.
 */
#include "drive/block_facts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "drive/blockdev.h"
#include "drive/inventory.h"
#include "drive/mountinfo.h"
#include "drive/sysfs.h"

struct member { /* the asked device or a relative */
    char *name, *sysfs, *number;
};

struct look {
    const struct blockdev_probe *p;
    struct block_facts *f;
    VEC(struct member) family; /* the asked one first */
};

static void add_used(struct look *l, enum block_use use, const char *name, const char *by)
{
    struct block_used used = {.use = use};

    for (size_t i = 0; i < l->f->used.n; i++) {
        const struct block_used *u = &l->f->used.at[i];

        if (u->use == use && strcmp(u->name, name) == 0 &&
            (by == u->by || (by && u->by && strcmp(u->by, by) == 0)))
            return;
    }
    used.name = xstrdup(name);
    used.by = by ? xstrdup(by) : NULL;
    VEC_PUSH(&l->f->used, used);
}

/* NULL where no member has this number ("259:1"). */
static const struct member *by_number(const struct look *l, const char *number)
{
    for (size_t i = 0; i < l->family.n; i++) {
        if (strcmp(l->family.at[i].number, number) == 0)
            return &l->family.at[i];
    }
    return NULL;
}

/* NULL where the path is no node of a member. */
static const struct member *by_node(const struct look *l, const char *path)
{
    struct blockdev_path bp = {0};
    const struct member *m = NULL;
    char number[32];

    if (l->p->ask(l->p, path, &bp, NULL) == 0 && bp.is_block) {
        (void)snprintf(number, sizeof(number), "%u:%u", bp.major, bp.minor);
        m = by_number(l, number);
    }
    free(bp.canonical);
    return m;
}

static void add_member(struct look *l, const char *sysfs)
{
    struct member m = {.number = sysfs_attr(l->p->root, sysfs, "dev")};

    if (!m.number)
        return; /* gone, or hidden: nobody can use it */
    m.name = xstrdup(sysfs_name_of(sysfs));
    m.sysfs = xstrdup(sysfs);
    VEC_PUSH(&l->family, m);
}

static void find_family(struct look *l)
{
    char *disk = sysfs_disk_of(l->p->root, l->f->sysfs);
    char **names = l->f->partition ? NULL : fsroot_list(l->p->root, disk);

    add_member(l, l->f->sysfs);
    if (l->f->partition)
        add_member(l, disk);
    for (char **n = names; n && *n; n++) {
        char *path = xasprintf("%s/%s", disk, *n);

        if (sysfs_has_attr(l->p->root, path, "partition"))
            add_member(l, path);
        free(path);
    }
    fsroot_list_free(names);
    free(disk);
}

static int look_at_mounts(struct look *l, struct err *err)
{
    struct mountinfo mi = {0};

    if (mountinfo_read(l->p->root, &mi, err) < 0)
        return -1;
    for (size_t i = 0; i < mi.mounts.n; i++) {
        const struct mount *m = &mi.mounts.at[i];
        const struct member *on;
        char number[32];

        (void)snprintf(number, sizeof(number), "%u:%u", m->major, m->minor);
        /* A file system with a number of its own (btrfs, ZFS) may still name a node. */
        on = m->major ? by_number(l, number) : m->source[0] == '/' ? by_node(l, m->source) : NULL;
        if (on)
            add_used(l, BLOCK_MOUNTED, on->name, m->point);
    }
    mountinfo_release(&mi);
    return 0;
}

/* The first line is the heading; the first column the escaped path of a node or file. */
static void look_at_swap(struct look *l)
{
    char *text = fsroot_read(l->p->root, "/proc/swaps", 1 << 20, NULL);

    for (char *line = text ? strchr(text, '\n') : NULL; line;) {
        const struct member *on;
        char *next = strchr(++line, '\n');

        line[strcspn(line, " \t\n")] = '\0';
        mountinfo_unescape(line);
        on = line[0] == '/' ? by_node(l, line) : NULL;
        if (on)
            add_used(l, BLOCK_SWAP, on->name, NULL);
        line = next;
    }
    free(text);
}

static void look_at_holders(struct look *l)
{
    for (size_t i = 0; i < l->family.n; i++) {
        char *dir = xasprintf("%s/holders", l->family.at[i].sysfs);
        char **names = fsroot_list(l->p->root, dir);

        for (char **n = names; n && *n; n++) {
            char *link = xasprintf("%s/%s", dir, *n);
            char *sysfs = fsroot_realpath(l->p->root, link);
            char *label = NULL;
            const char *kind = sysfs ? sysfs_kind(l->p->root, sysfs, &label) : "gone";
            char *by = xasprintf("%s (%s%s%s)", *n, kind, label ? " " : "", label ? label : "");

            add_used(l, BLOCK_HELD, l->family.at[i].name, by);
            free(by);
            free(label);
            free(sysfs);
            free(link);
        }
        fsroot_list_free(names);
        free(dir);
    }
}

static void look_at_loops(struct look *l)
{
    char **names = fsroot_list(l->p->root, "/sys/class/block");

    for (char **n = names; n && *n; n++) {
        char *path = xasprintf("/sys/class/block/%s/loop/backing_file", *n);
        char *file = fsroot_read_line(l->p->root, path);
        const struct member *on = file ? by_node(l, file) : NULL;

        if (on)
            add_used(l, BLOCK_LOOPED, on->name, *n);
        free(file);
        free(path);
    }
    fsroot_list_free(names);
}

static void look_at_btrfs(struct look *l)
{
    char **uuids = fsroot_list(l->p->root, "/sys/fs/btrfs");

    for (char **u = uuids; u && *u; u++) {
        for (size_t i = 0; i < l->family.n; i++) {
            char *path = xasprintf("/sys/fs/btrfs/%s/devices/%s", *u, l->family.at[i].name);

            if (fsroot_exists(l->p->root, path))
                add_used(l, BLOCK_BTRFS, l->family.at[i].name, *u);
            free(path);
        }
    }
    fsroot_list_free(uuids);
}

static void look_at_root(struct look *l)
{
    struct drive_map root = {0};

    if (blockdev_map(l->p, "/", &root, NULL) < 0 || root.reason)
        l->f->root_unknown = true;
    for (size_t i = 0; !l->f->root_unknown && i < l->family.n; i++) {
        if (drive_map_find(&root, l->family.at[i].sysfs) >= 0)
            add_used(l, BLOCK_ROOT, l->family.at[i].name, NULL);
    }
    drive_map_release(&root);
}

/* What it is made of: `slaves`, or the device that is a loop device's backing file. */
static char *find_below(const struct look *l)
{
    char *dir = xasprintf("%s/slaves", l->f->sysfs);
    char **names = fsroot_list(l->p->root, dir);
    char *file = sysfs_attr(l->p->root, l->f->sysfs, "loop/backing_file");
    struct blockdev_path bp = {0};
    struct strbuf out;
    char *text;

    strbuf_init(&out);
    for (char **n = names; n && *n; n++)
        strbuf_addf(&out, "%s%s", out.len ? ", " : "", *n);
    if (file && l->p->ask(l->p, file, &bp, NULL) == 0 && bp.is_block)
        strbuf_adds(&out, file);
    text = out.len ? strbuf_detach(&out) : NULL;
    strbuf_release(&out);
    free(bp.canonical);
    free(file);
    fsroot_list_free(names);
    free(dir);
    return text;
}

/* `ext_range` is how many partitions the kernel gives numbers to, the whole disk counted in. */
static bool takes_partitions(const struct look *l)
{
    char *range = sysfs_attr(l->p->root, l->f->sysfs, "ext_range");
    const bool takes =
        !l->f->partition && range && strcmp(range, "0") != 0 && strcmp(range, "1") != 0;

    free(range);
    return takes;
}

static void identify(struct look *l)
{
    struct block_facts *f = l->f;
    struct inventory inv;
    char *disk = sysfs_disk_of(l->p->root, f->sysfs);

    f->name = xstrdup(sysfs_name_of(f->sysfs));
    f->disk = xstrdup(sysfs_name_of(disk));
    f->partition = sysfs_has_attr(l->p->root, f->sysfs, "partition");
    f->read_only = sysfs_attr_is(l->p->root, f->sysfs, "ro", "1");
    inventory_read(l->p->root, f->sysfs, true, &inv);
    f->serial = inv.serial;
    f->model = inv.model;
    f->size_bytes = inv.size_bytes;
    f->disk_bytes = inv.size_bytes;
    inv.serial = NULL; /* handed over */
    inv.model = NULL;
    inventory_release(&inv);
    if (f->partition) {
        inventory_read(l->p->root, disk, false, &inv);
        f->disk_bytes = inv.size_bytes;
        inventory_release(&inv);
    }
    f->stands_on = find_below(l);
    f->takes_partitions = takes_partitions(l);
    free(disk);
}

static void release_look(struct look *l)
{
    for (size_t i = 0; i < l->family.n; i++) {
        free(l->family.at[i].name);
        free(l->family.at[i].sysfs);
        free(l->family.at[i].number);
    }
    VEC_RELEASE(&l->family);
}

int block_facts_read(const struct blockdev_probe *p, const char *path, struct block_facts *f,
                     struct err *err)
{
    struct look l = {.p = p, .f = f};
    struct blockdev_path bp = {0};
    char *link = NULL;
    int rc = -1;

    *f = (struct block_facts){.size_bytes = -1, .disk_bytes = -1};
    if (p->ask(p, path, &bp, err) < 0)
        goto out;
    if (!bp.is_block) {
        err_set(err, ERR_USAGE, "%s is not a block device", path);
        goto out;
    }
    f->node = xstrdup(bp.canonical);
    f->major = bp.major;
    f->minor = bp.minor;
    link = xasprintf("/sys/dev/block/%u:%u", bp.major, bp.minor);
    f->sysfs = fsroot_realpath(p->root, link);
    if (!f->sysfs) {
        err_set(err, ERR_SURROUNDINGS, "%s: %s is not there (is /sys mounted?)", path, link);
        goto out;
    }
    identify(&l);
    find_family(&l);
    if (look_at_mounts(&l, err) < 0)
        goto out;
    look_at_swap(&l);
    look_at_holders(&l);
    look_at_loops(&l);
    look_at_btrfs(&l);
    look_at_root(&l);
    rc = 0;
out:
    release_look(&l);
    free(link);
    free(bp.canonical);
    return rc;
}

int block_facts_look(struct block_facts *f, int fd, struct err *err)
{
    contents_release(&f->contents);
    f->looked = contents_read(fd, &f->contents, err) == 0;
    return f->looked ? 0 : err_wrap(err, "%s", f->node);
}

void block_facts_release(struct block_facts *f)
{
    for (size_t i = 0; i < f->used.n; i++) {
        free(f->used.at[i].name);
        free(f->used.at[i].by);
    }
    VEC_RELEASE(&f->used);
    contents_release(&f->contents);
    free(f->node);
    free(f->name);
    free(f->sysfs);
    free(f->disk);
    free(f->serial);
    free(f->model);
    free(f->stands_on);
    *f = (struct block_facts){.size_bytes = -1, .disk_bytes = -1};
}

static int check_open(const struct block_facts *f, int fd, int flags, struct err *err)
{
    struct stat st;
    uint64_t size = 0;

    if (fstat(fd, &st) < 0 || ioctl(fd, BLKGETSIZE64, &size) < 0)
        return err_sys(err, errno, "%s", f->node);
    if (!S_ISBLK(st.st_mode) || major(st.st_rdev) != f->major || minor(st.st_rdev) != f->minor ||
        (int64_t)size != f->size_bytes)
        return err_set(err, ERR_SURROUNDINGS, "%s became another device meanwhile: start again",
                       f->node);
    if ((flags & O_EXCL) && flock(fd, LOCK_EX | LOCK_NB) < 0)
        return err_set(err, ERR_SURROUNDINGS,
                       "%s is locked by another process (lsof %s names it): wait for it", f->node,
                       f->node);
    return 0;
}

int block_facts_open(const struct block_facts *f, int flags, struct err *err)
{
    int fd = open(f->node, flags | O_CLOEXEC);

    if (fd < 0 && errno == EBUSY)
        return err_set(err, ERR_SURROUNDINGS,
                       "%s is in use: the kernel does not give it exclusively (mounted in another "
                       "namespace, or part of a pool)",
                       f->node);
    if (fd < 0)
        return err_sys(err, errno, "%s", f->node);
    if (check_open(f, fd, flags, err) < 0)
        close_fd(&fd);
    return fd;
}
