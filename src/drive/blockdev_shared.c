/*
 * Maps / and every swap area like any other path and compares devices: who has one in common has
 * also the leaves below it in common.
 */
#include "drive/blockdev_shared.h"

#include <stdlib.h>
#include <string.h>

#include "drive/mountinfo.h"

static bool share_a_device(const struct drive_map *a, const struct drive_map *b)
{
    for (size_t i = 0; i < a->devices.n; i++) {
        if (drive_map_find(b, a->devices.at[i].sysfs) >= 0)
            return true;
    }
    return false;
}

static bool on_swap(const struct blockdev_probe *p, const struct drive_map *map)
{
    char *text = fsroot_read(p->root, "/proc/swaps", 1 << 20, NULL);
    bool shared = false;

    /* The first line is the heading; the first column the escaped path of a node or file. */
    for (char *line = text ? strchr(text, '\n') : NULL; line != NULL && !shared;) {
        struct drive_map swap;
        char *next = strchr(++line, '\n');

        line[strcspn(line, " \t\n")] = '\0';
        mountinfo_unescape(line);
        if (line[0] == '/' && blockdev_map(p, line, &swap, NULL) == 0) {
            shared = share_a_device(map, &swap);
            drive_map_release(&swap);
        }
        line = next;
    }
    free(text);
    return shared;
}

unsigned blockdev_root_or_swap(const struct blockdev_probe *p, const struct drive_map *map)
{
    struct drive_map root;
    unsigned shared = 0;

    if (blockdev_map(p, "/", &root, NULL) == 0) {
        if (share_a_device(map, &root) || (map->mount_id != 0 && map->mount_id == root.mount_id))
            shared |= BLOCKDEV_ROOT;
        drive_map_release(&root);
    }
    if (on_swap(p, map))
        shared |= BLOCKDEV_SWAP;
    return shared;
}
