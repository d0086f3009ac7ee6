/*
 * Small reads of a block device's folder in sysfs, shared by blockdev, inventory and sampler.
 */
#include "drive/sysfs.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static const char *kind_of_dm(const char *uuid)
{
    if (uuid == NULL)
        return "dm";
    if (starts_with(uuid, "LVM-"))
        return "LVM";
    if (starts_with(uuid, "CRYPT-LUKS"))
        return "LUKS";
    if (starts_with(uuid, "CRYPT-"))
        return "dm-crypt";
    if (starts_with(uuid, "mpath-"))
        return "multipath";
    return "dm";
}

/* Kinds that only the name tells. */
static const char *kind_by_name(const char *name)
{
    static const struct {
        const char *prefix, *kind;
    } KIND[] = {
        {"loop", "loop"}, {"zram", "zram"}, {"bcache", "bcache"}, {"nbd", "nbd"}, {"rbd", "rbd"},
        {"drbd", "drbd"}, {"ram", "ram"},   {"pmem", "pmem"},     {"zd", "zvol"},
    };

    for (size_t i = 0; i < ARRAY_LEN(KIND); i++) {
        if (starts_with(name, KIND[i].prefix))
            return KIND[i].kind;
    }
    return "disk";
}

const char *sysfs_name_of(const char *sysfs)
{
    const char *slash = strrchr(sysfs, '/');

    return slash != NULL ? slash + 1 : sysfs;
}

char *sysfs_attr(const struct fsroot *root, const char *sysfs, const char *name)
{
    char *path = xasprintf("%s/%s", sysfs, name);
    char *value = fsroot_read_line(root, path);

    free(path);
    return value;
}

bool sysfs_attr_is(const struct fsroot *root, const char *sysfs, const char *name,
                   const char *wanted)
{
    char *value = sysfs_attr(root, sysfs, name);
    const bool is = value != NULL && strcmp(value, wanted) == 0;

    free(value);
    return is;
}

bool sysfs_has_attr(const struct fsroot *root, const char *sysfs, const char *name)
{
    char *path = xasprintf("%s/%s", sysfs, name);
    const bool has = fsroot_exists(root, path);

    free(path);
    return has;
}

char *sysfs_disk_of(const struct fsroot *root, const char *sysfs)
{
    const char *slash = strrchr(sysfs, '/');

    if (slash != NULL && sysfs_has_attr(root, sysfs, "partition"))
        return xstrndup(sysfs, (size_t)(slash - sysfs));
    return xstrdup(sysfs);
}

const char *sysfs_kind(const struct fsroot *root, const char *sysfs, char **label)
{
    const char *kind;

    *label = NULL;
    if (sysfs_has_attr(root, sysfs, "partition")) {
        char *disk = sysfs_disk_of(root, sysfs);
        char *number = sysfs_attr(root, sysfs, "partition");

        kind = "partition";
        *label = xasprintf("%s of %s", number ? number : "?", sysfs_name_of(disk));
        free(number);
        free(disk);
    } else if (sysfs_has_attr(root, sysfs, "dm")) {
        char *uuid = sysfs_attr(root, sysfs, "dm/uuid");

        kind = kind_of_dm(uuid);
        *label = sysfs_attr(root, sysfs, "dm/name");
        free(uuid);
    } else if (sysfs_has_attr(root, sysfs, "md")) {
        kind = "md";
        *label = sysfs_attr(root, sysfs, "md/level");
    } else {
        kind = kind_by_name(sysfs_name_of(sysfs));
        *label = sysfs_attr(root, sysfs, "loop/backing_file");
    }
    return kind;
}

/* zram's driver counts whatever the switch says (seen on 6.18, where it has 0 there). */
bool sysfs_counts(const struct fsroot *root, const char *sysfs)
{
    char *disk = sysfs_disk_of(root, sysfs);
    const bool off = sysfs_attr_is(root, disk, "queue/iostats", "0");
    const bool zram = strcmp(kind_by_name(sysfs_name_of(disk)), "zram") == 0;

    free(disk);
    return !off || zram;
}

bool sysfs_counts_flushes(const struct fsroot *root, const char *sysfs)
{
    return sysfs_has_attr(root, sysfs, "mq"); /* only disks have it, not their partitions */
}
