/*
 * Walks from a path down to the drives. The path's mount is found by its id, never by st_dev, which
 * lies on btrfs and overlay; the mount names the file system's device(s); from there sysfs leads
 * down: partition to disk, `slaves` of dm, md and bcache, a loop device's backing file back to the
 * first step. Each device is visited once.
 * Limit: a loop device's backing file is looked up in our own mount namespace; where the loop was
 * set up in another one, a file of the same name here would be taken for it.
 */
#include "drive/blockdev.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "drive/mountinfo.h"
#include "drive/sysfs.h"

#define DELETED " (deleted)"

struct walk {
    const struct blockdev_probe *p;
    const struct fsroot *root; /* p's */
    struct drive_map *map;
    struct mountinfo mi;
    struct strbuf how;
    size_t leaves;
};

/* Where the walk goes on: below which device (-1: none, this is the path's own file system), and
 * how many levels it is down. */
struct place {
    int parent;
    int depth;
};
static const struct place TOP = {.parent = -1, .depth = 0};

/* File systems that have no block device, and what to say of them. */
static const struct {
    const char *type;
    const char *reason;
} DEVICELESS[] = {
    {"tmpfs", "is memory, not a drive"},
    {"ramfs", "is memory, not a drive"},
    {"devtmpfs", "is memory, not a drive"},
    {"hugetlbfs", "is memory, not a drive"},
    {"nfs", "is on another host: there are no device counters here"},
    {"nfs4", "is on another host: there are no device counters here"},
    {"cifs", "is on another host: there are no device counters here"},
    {"smb3", "is on another host: there are no device counters here"},
    {"ceph", "is on other hosts: there are no device counters here"},
    {"glusterfs", "is on other hosts: there are no device counters here"},
    {"9p", "is served from outside this machine: there are no device counters here"},
    {"virtiofs", "is served from outside this machine: there are no device counters here"},
    {"zfs", "is a ZFS pool, whose drives sysfs does not name: see `zpool status -LP` and name the "
            "device"},
    {"bcachefs", "does not name its drives: name the device"},
};

static int walk_device(struct walk *w, const char *sysfs, struct place at, struct err *err);
static int walk_path(struct walk *w, const struct blockdev_path *bp, struct place at,
                     struct err *err);

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static void how_add(struct walk *w, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void how_add(struct walk *w, const char *fmt, ...)
{
    va_list ap;

    if (w->how.len > 0)
        strbuf_adds(&w->how, "; ");
    va_start(ap, fmt);
    strbuf_vaddf(&w->how, fmt, ap);
    va_end(ap);
}

static void add_link(struct walk *w, int above, int below)
{
    if (above >= 0)
        VEC_PUSH(&w->map->links, ((struct drive_link){above, below}));
}

static int add_device(struct walk *w, const char *sysfs, int parent, unsigned roles)
{
    struct drive_device d = {.parent = parent, .roles = roles};

    d.sysfs = xstrdup(sysfs);
    d.name = xstrdup(sysfs_name_of(sysfs));
    d.kind = sysfs_kind(w->root, sysfs, &d.label);
    d.counts = sysfs_counts(w->root, sysfs);
    if (!d.counts)
        d.note = xstrdup("queue/iostats is 0: its counters stand still");
    VEC_PUSH(&w->map->devices, d);
    add_link(w, parent, (int)w->map->devices.n - 1);
    return (int)w->map->devices.n - 1;
}

static void set_note(struct walk *w, int i, char *note)
{
    free(w->map->devices.at[i].note);
    w->map->devices.at[i].note = note;
}

static int mark_leaf(struct walk *w, int i, struct err *err)
{
    if (++w->leaves > BLOCKDEV_LEAVES_MAX)
        return err_set(err, ERR_SURROUNDINGS, "over %d drives under one path: name the devices",
                       BLOCKDEV_LEAVES_MAX);
    w->map->devices.at[i].roles |= DRIVE_LEAF;
    return 0;
}

/* dm-multipath: its slaves are all the same drive. */
static int walk_multipath(struct walk *w, int i, char **slaves, struct err *err)
{
    for (char **s = slaves; *s != NULL; s++) {
        char *link = xasprintf("%s/slaves/%s", w->map->devices.at[i].sysfs, *s);
        char *sysfs = fsroot_realpath(w->root, link);

        if (sysfs != NULL && drive_map_find(w->map, sysfs) < 0)
            add_device(w, sysfs, i, DRIVE_PATH);
        free(sysfs);
        free(link);
    }
    return mark_leaf(w, i, err);
}

static int walk_slaves(struct walk *w, int i, char **slaves, int depth, struct err *err)
{
    bool found = false;

    if (strcmp(w->map->devices.at[i].kind, "multipath") == 0)
        return walk_multipath(w, i, slaves, err);

    for (char **s = slaves; *s != NULL; s++) {
        char *link = xasprintf("%s/slaves/%s", w->map->devices.at[i].sysfs, *s);
        char *sysfs = fsroot_realpath(w->root, link);
        int rc = 0;

        if (sysfs == NULL) /* a drive that was pulled out of a mirror */
            set_note(w, i, xasprintf("%s below it is gone", *s));
        else
            rc = walk_device(w, sysfs, (struct place){i, depth + 1}, err);
        found = found || sysfs != NULL;
        free(sysfs);
        free(link);
        if (rc < 0)
            return -1;
    }
    return found ? 0 : mark_leaf(w, i, err);
}

/* True for "nvme<S>c<controller>n<N>" where the head is "nvme<S>n<N>". */
static bool is_nvme_path_of(const char *name, const char *head)
{
    const size_t subsystem = strlen("nvme") + strspn(head + strlen("nvme"), "0123456789");
    const char *rest;
    size_t controller;

    if (strncmp(name, head, subsystem) != 0)
        return false;
    rest = name + subsystem;
    if (*rest != 'c')
        return false;
    controller = strspn(rest + 1, "0123456789");
    return controller > 0 && strcmp(rest + 1 + controller, head + subsystem) == 0;
}

/* NVMe native multipath: the head has no slaves; its paths are hidden disks beside it. Newer
 * kernels count I/O on both, older ones (before 6.5) on the paths alone, and then the head has
 * queue/iostats 0. So either the head or its paths are leaves, never both. Answers how many paths
 * there are, or -1. */
static int walk_nvme_head(struct walk *w, int i, struct err *err)
{
    const bool head_counts = w->map->devices.at[i].counts;
    char **names = NULL;
    int paths = 0;
    int rc = -1;

    if (!starts_with(w->map->devices.at[i].name, "nvme"))
        return 0;
    names = fsroot_list(w->root, "/sys/class/block");
    for (char **n = names; n != NULL && *n != NULL; n++) {
        char *link = xasprintf("/sys/class/block/%s", *n);
        char *sysfs = NULL;

        if (is_nvme_path_of(*n, w->map->devices.at[i].name) &&
            sysfs_attr_is(w->root, link, "hidden", "1"))
            sysfs = fsroot_realpath(w->root, link);
        free(link);
        if (sysfs != NULL) {
            const int path = add_device(w, sysfs, i, head_counts ? DRIVE_PATH : 0);

            free(sysfs);
            paths++;
            if (!head_counts && mark_leaf(w, path, err) < 0)
                goto out;
        }
    }
    if (paths > 0)
        w->map->devices.at[i].kind = "NVMe multipath";
    if (paths > 0 && head_counts && mark_leaf(w, i, err) < 0)
        goto out;
    if (paths > 0 && !head_counts)
        set_note(w, i, xstrdup("this kernel counts on the paths, not here (queue/iostats is 0)"));
    rc = paths;
out:
    fsroot_list_free(names);
    return rc;
}

/* A loop device stands on its backing file. Where that leads nowhere the loop itself is the leaf,
 * with a note. Answers how many devices were found below, or -1. */
static int walk_loop(struct walk *w, int i, int depth, struct err *err)
{
    const char *file = w->map->devices.at[i].label;
    const size_t before = w->map->devices.n;
    const size_t len = file ? strlen(file) : 0;
    struct blockdev_path bp = {0};
    char *note = NULL;
    int rc = 0;

    if (strcmp(w->map->devices.at[i].kind, "loop") != 0 || file == NULL)
        return 0;
    if (len > strlen(DELETED) && strcmp(file + len - strlen(DELETED), DELETED) == 0) {
        note = xstrdup("backing file is deleted: what it is on is not known");
    } else if (w->p->ask(w->p, file, &bp, NULL) < 0) {
        note = xstrdup("backing file is not visible from here: what it is on is not known");
    } else {
        rc = walk_path(w, &bp, (struct place){i, depth + 1}, err);
        if (rc == 0 && w->map->reason != NULL) {
            note = xasprintf("backing file: %s", w->map->reason);
            free(w->map->reason);
            w->map->reason = NULL;
        }
    }
    if (note != NULL)
        set_note(w, i, note);
    free(bp.canonical);
    return rc < 0 || note != NULL ? rc : (int)(w->map->devices.n - before) + 1;
}

/* What device i stands on. */
static int descend(struct walk *w, int i, int depth, struct err *err)
{
    char *sysfs = xstrdup(w->map->devices.at[i].sysfs);
    char *disk = sysfs_disk_of(w->root, sysfs);
    char *slaves_path = xasprintf("%s/slaves", sysfs);
    char **slaves = fsroot_list(w->root, slaves_path);
    int rc;

    if (strcmp(disk, sysfs) != 0) {
        rc = walk_device(w, disk, (struct place){i, depth}, err);
    } else if (slaves != NULL && slaves[0] != NULL) {
        rc = walk_slaves(w, i, slaves, depth, err);
    } else {
        rc = walk_loop(w, i, depth, err);
        if (rc == 0)
            rc = walk_nvme_head(w, i, err);
        if (rc == 0)
            rc = mark_leaf(w, i, err);
    }
    fsroot_list_free(slaves);
    free(slaves_path);
    free(disk);
    free(sysfs);
    return rc < 0 ? -1 : 0;
}

/* The file system of the path itself has no device above. */
static unsigned role_under(int parent)
{
    return parent < 0 ? (unsigned)DRIVE_FILESYSTEM : 0;
}

/* Adds the device of this folder and all below it, unless it is known already. */
static int walk_device(struct walk *w, const char *sysfs, struct place at, struct err *err)
{
    const int known = drive_map_find(w->map, sysfs);
    const unsigned roles = role_under(at.parent);

    if (known >= 0) {
        add_link(w, at.parent, known);
        w->map->devices.at[known].roles |= roles;
        return 0;
    }
    if (at.depth > BLOCKDEV_DEPTH_MAX)
        return err_set(err, ERR_SURROUNDINGS, "devices upon devices, over %d deep, at %s",
                       BLOCKDEV_DEPTH_MAX, sysfs_name_of(sysfs));
    return descend(w, add_device(w, sysfs, at.parent, roles), at.depth, err);
}

static void set_reason(struct walk *w, char *reason)
{
    free(w->map->reason);
    w->map->reason = reason;
}

static int walk_number(struct walk *w, uint32_t major, uint32_t minor, struct place at,
                       struct err *err)
{
    char *link = xasprintf("/sys/dev/block/%u:%u", major, minor);
    char *sysfs = fsroot_realpath(w->root, link);
    int rc = 0;

    if (sysfs == NULL)
        set_reason(w, xasprintf("%s is not there (is /sys mounted?)", link));
    else
        rc = walk_device(w, sysfs, at, err);
    free(sysfs);
    free(link);
    return rc;
}

/* The UUID whose `devices` holds the one that mountinfo calls the source; NULL where there is none;
 * free() it. For directories that may not be read, and so can't be asked. */
static char *btrfs_uuid_by_source(struct walk *w, const struct mount *m)
{
    struct blockdev_path bp = {0};
    char **uuids = fsroot_list(w->root, "/sys/fs/btrfs");
    char *found = NULL;
    char *link = NULL;
    char *sysfs = NULL;

    if (w->p->ask(w->p, m->source, &bp, NULL) < 0 || !bp.is_block)
        goto out;
    link = xasprintf("/sys/dev/block/%u:%u", bp.major, bp.minor);
    sysfs = fsroot_realpath(w->root, link);
    for (char **u = uuids; sysfs != NULL && u != NULL && *u != NULL && found == NULL; u++) {
        char *path = xasprintf("/sys/fs/btrfs/%s/devices/%s", *u, sysfs_name_of(sysfs));

        if (fsroot_exists(w->root, path))
            found = xstrdup(*u);
        free(path);
    }
out:
    fsroot_list_free(uuids);
    free(sysfs);
    free(link);
    free(bp.canonical);
    return found;
}

static int walk_btrfs(struct walk *w, const struct blockdev_path *bp, const struct mount *m,
                      struct place at, struct err *err)
{
    char *uuid = bp->btrfs_uuid[0] ? xstrdup(bp->btrfs_uuid) : btrfs_uuid_by_source(w, m);
    char *dir = xasprintf("/sys/fs/btrfs/%s/devices", uuid ? uuid : "");
    char **names = uuid ? fsroot_list(w->root, dir) : NULL;
    bool found = false;
    int rc = 0;

    if (names == NULL || names[0] == NULL)
        set_reason(w, xstrdup("btrfs does not say which devices it is on: name the device"));
    else
        how_add(w, "btrfs %s by its list of devices", uuid);
    for (char **n = names; n != NULL && *n != NULL && rc == 0; n++) {
        char *link = xasprintf("%s/%s", dir, *n);
        char *sysfs = fsroot_realpath(w->root, link);

        if (sysfs == NULL)
            how_add(w, "its device %s is gone", *n);
        else
            rc = walk_device(w, sysfs, at, err);
        found = found || sysfs != NULL;
        free(sysfs);
        free(link);
    }
    if (!found && w->map->reason == NULL)
        set_reason(w, xstrdup("all devices of this btrfs are gone"));
    fsroot_list_free(names);
    free(dir);
    free(uuid);
    return rc;
}

static int walk_overlay(struct walk *w, const struct mount *m, struct place at, struct err *err)
{
    char *upper = mountinfo_option(m, "upperdir");
    struct blockdev_path bp = {0};
    int rc = 0;

    if (upper == NULL) {
        set_reason(w, xstrdup("overlay without an upper directory can't be written"));
    } else if (upper[0] != '/' || w->p->ask(w->p, upper, &bp, NULL) < 0) {
        set_reason(w, xasprintf("the overlay's upper directory %s is not visible from here (a "
                                "container?): name the device",
                                upper));
    } else {
        how_add(w, "overlay by its upper directory %s", upper);
        at.depth++;
        rc = walk_path(w, &bp, at, err);
    }
    free(bp.canonical);
    free(upper);
    return rc;
}

static char *deviceless_reason(const struct mount *m)
{
    for (size_t i = 0; i < ARRAY_LEN(DEVICELESS); i++) {
        if (strcmp(DEVICELESS[i].type, m->type) == 0)
            return xasprintf("%s (%s) %s", m->point, m->type, DEVICELESS[i].reason);
    }
    if (starts_with(m->type, "fuse"))
        return xasprintf("%s (%s) is served by a program: name the device that it keeps its data "
                         "on",
                         m->point, m->type);
    return xasprintf("%s (%s) has no block device", m->point, m->type);
}

static const struct mount *find_mount(struct walk *w, const struct blockdev_path *bp,
                                      const char **how)
{
    const struct mount *m = bp->mount_id ? mountinfo_by_id(&w->mi, bp->mount_id) : NULL;

    *how = "by its id";
    if (m == NULL) {
        m = mountinfo_by_path(&w->mi, bp->canonical);
        *how = "by the longest mount point, since the kernel gave no id";
    }
    return m;
}

/* Adds what the file system of a path is on, or sets the reason why that can't be told. */
static int walk_path(struct walk *w, const struct blockdev_path *bp, struct place at,
                     struct err *err)
{
    const char *how = NULL;
    const struct mount *m = find_mount(w, bp, &how);

    if (at.depth > BLOCKDEV_DEPTH_MAX)
        return err_set(err, ERR_SURROUNDINGS, "file systems upon file systems, over %d deep",
                       BLOCKDEV_DEPTH_MAX);
    if (m == NULL)
        return err_set(err, ERR_SURROUNDINGS, "no mount in /proc/self/mountinfo holds %s",
                       bp->canonical);
    how_add(w, "%s is on %s, mount %llu %s", bp->canonical, m->type, (unsigned long long)m->id,
            how);
    if (at.depth == 0) {
        w->map->mount_id = m->id;
        w->map->mount_point = xstrdup(m->point);
        w->map->fs_type = xstrdup(m->type);
        w->map->mount_options = mountinfo_all_options(m);
        w->map->source = xstrdup(m->source);
    }

    if (strcmp(m->type, "btrfs") == 0)
        return walk_btrfs(w, bp, m, at, err);
    if (strcmp(m->type, "overlay") == 0)
        return walk_overlay(w, m, at, err);
    if (m->major != 0) {
        how_add(w, "its device is %u:%u", m->major, m->minor);
        return walk_number(w, m->major, m->minor, at, err);
    }
    set_reason(w, deviceless_reason(m));
    return 0;
}

static int walk_begin(struct walk *w, const struct blockdev_probe *p, struct drive_map *map,
                      struct err *err)
{
    memset(w, 0, sizeof(*w));
    memset(map, 0, sizeof(*map));
    strbuf_init(&w->how);
    w->p = p;
    w->root = p->root;
    w->map = map;
    return mountinfo_read(p->root, &w->mi, err);
}

/* Hands the text over, or empties the map on failure. Answers rc. */
static int walk_end(struct walk *w, int rc)
{
    w->map->how_found = strbuf_detach(&w->how);
    strbuf_release(&w->how);
    mountinfo_release(&w->mi);
    if (rc < 0)
        drive_map_release(w->map);
    return rc;
}

int blockdev_map(const struct blockdev_probe *p, const char *path, struct drive_map *map,
                 struct err *err)
{
    struct walk w;
    struct blockdev_path bp = {0};
    int rc = walk_begin(&w, p, map, err);

    if (rc == 0)
        rc = p->ask(p, path, &bp, err);
    if (rc == 0) {
        map->path = xstrdup(bp.canonical);
        if (bp.is_block) {
            how_add(&w, "%s is block device %u:%u", bp.canonical, bp.major, bp.minor);
            rc = walk_number(&w, bp.major, bp.minor, TOP, err);
        } else {
            rc = walk_path(&w, &bp, TOP, err);
        }
    }
    free(bp.canonical);
    return walk_end(&w, rc);
}

/* "/dev/cciss/c0d0" is "cciss!c0d0" in sysfs; free() it. */
static char *name_in_sysfs(const char *name)
{
    char *copy = xstrdup(starts_with(name, "/dev/") ? name + strlen("/dev/") : name);

    for (char *c = copy; *c != '\0'; c++) {
        if (*c == '/')
            *c = '!';
    }
    return copy;
}

int blockdev_map_name(const struct blockdev_probe *p, const char *name, struct drive_map *map,
                      struct err *err)
{
    struct walk w;
    char *plain = name_in_sysfs(name);
    char *link = xasprintf("/sys/class/block/%s", plain);
    char *sysfs = NULL;
    int rc = walk_begin(&w, p, map, err);

    if (rc < 0)
        goto out;
    if (plain[0] != '\0' && plain[0] != '.')
        sysfs = fsroot_realpath(w.root, link);
    if (sysfs == NULL) {
        rc = err_set(err, ERR_SURROUNDINGS, "no block device \"%s\" in /sys/class/block", name);
        goto out;
    }
    map->path = xasprintf("/dev/%s", plain);
    how_add(&w, "%s by its name", plain);
    rc = walk_device(&w, sysfs, TOP, err);
out:
    free(sysfs);
    free(link);
    free(plain);
    return walk_end(&w, rc);
}
