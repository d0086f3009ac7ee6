/*
 * Questions about drive maps and the joining of two. A map holds a hundred devices at most, so that
 * searches go through all of it.
 */
#include "drive/drive_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "drive/inventory.h"

static void device_release(struct drive_device *d)
{
    free(d->name);
    free(d->sysfs);
    free(d->label);
    free(d->note);
    free(d->holds);
    if (d->inventory)
        inventory_release(d->inventory);
    free(d->inventory);
}

void drive_map_release(struct drive_map *map)
{
    for (size_t i = 0; i < map->devices.n; i++)
        device_release(&map->devices.at[i]);
    VEC_RELEASE(&map->devices);
    VEC_RELEASE(&map->links);
    free(map->path);
    free(map->mount_point);
    free(map->fs_type);
    free(map->mount_options);
    free(map->source);
    free(map->how_found);
    free(map->reason);
    memset(map, 0, sizeof(*map));
}

const char *drive_role_name(unsigned roles)
{
    if (roles & DRIVE_PATH)
        return "path";
    switch (roles & (DRIVE_FILESYSTEM | DRIVE_LEAF)) {
    case DRIVE_FILESYSTEM | DRIVE_LEAF:
        return "filesystem,leaf";
    case DRIVE_FILESYSTEM:
        return "filesystem";
    case DRIVE_LEAF:
        return "leaf";
    }
    return roles & DRIVE_NAMED ? "named" : "between";
}

bool drive_device_reported(const struct drive_device *d)
{
    return (d->roles & (DRIVE_FILESYSTEM | DRIVE_LEAF | DRIVE_NAMED)) != 0;
}

int drive_map_find(const struct drive_map *map, const char *sysfs)
{
    for (size_t i = 0; i < map->devices.n; i++) {
        if (strcmp(map->devices.at[i].sysfs, sysfs) == 0)
            return (int)i;
    }
    return -1;
}

/* Takes `what` over; NULL is nothing. */
static void hold(struct drive_device *d, char *what)
{
    char *all = NULL;

    if (d->holds && what)
        all = xasprintf("%s, %s", d->holds, what);
    else
        all = xstrdup(d->holds ? d->holds : what ? what : "");
    free(d->holds);
    free(what);
    d->holds = *all ? all : NULL;
    if (!d->holds)
        free(all);
}

void drive_map_hold(struct drive_map *map, const char *what)
{
    for (size_t i = 0; i < map->devices.n; i++) {
        if (map->devices.at[i].roles & DRIVE_FILESYSTEM)
            hold(&map->devices.at[i], xstrdup(what));
    }
}

static void join_how(struct drive_map *to, const struct drive_map *from)
{
    char *all = NULL;

    if (!from->how_found || (to->how_found && strcmp(to->how_found, from->how_found) == 0))
        return;
    all = to->how_found ? xasprintf("%s; %s", to->how_found, from->how_found)
                        : xstrdup(from->how_found);
    free(to->how_found);
    to->how_found = all;
}

/* Hands d over, or what is new of a device that is there; gives its index. */
static int take_device(struct drive_map *to, struct drive_device *d)
{
    const int known = drive_map_find(to, d->sysfs);

    if (known < 0) {
        VEC_PUSH(&to->devices, *d);
        memset(d, 0, sizeof(*d));
        return (int)to->devices.n - 1;
    }
    to->devices.at[known].roles |= d->roles;
    hold(&to->devices.at[known], d->holds);
    d->holds = NULL;
    return known;
}

void drive_map_merge(struct drive_map *to, struct drive_map *from)
{
    int *index = NULL;

    if (to->devices.n == 0 && !to->path) {
        drive_map_release(to);
        *to = *from;
        memset(from, 0, sizeof(*from));
        return;
    }
    index = xcalloc(from->devices.n + 1, sizeof(*index));
    for (size_t i = 0; i < from->devices.n; i++) {
        const int parent = from->devices.at[i].parent;
        const size_t before = to->devices.n;

        CHECK(parent < (int)i);
        index[i] = take_device(to, &from->devices.at[i]);
        if (to->devices.n > before)
            to->devices.at[index[i]].parent = parent < 0 ? -1 : index[parent];
    }
    for (size_t i = 0; i < from->links.n; i++) {
        const struct drive_link *l = &from->links.at[i];

        VEC_PUSH(&to->links, ((struct drive_link){index[l->above], index[l->below]}));
    }
    free(index);
    join_how(to, from);
    drive_map_release(from);
}

/* Marks all below device i. A file that is taken for another may lead round in a circle. */
static void mark_below(const struct drive_map *map, int i, bool *seen)
{
    for (size_t k = 0; k < map->links.n; k++) {
        const struct drive_link *l = &map->links.at[k];

        if (l->above != i || seen[l->below])
            continue;
        seen[l->below] = true;
        mark_below(map, l->below, seen);
    }
}

bool drive_map_stands_on(const struct drive_map *map, size_t upper, size_t lower)
{
    bool *seen = NULL;
    bool found;

    CHECK(upper < map->devices.n);
    CHECK(lower < map->devices.n);
    if (upper == lower)
        return false;
    seen = xcalloc(map->devices.n, sizeof(*seen));
    mark_below(map, (int)upper, seen);
    found = seen[lower];
    free(seen);
    return found;
}

/* An NVMe multipath head whose kernel counts on the paths alone. */
static bool is_silent_head(const struct drive_device *d)
{
    return !d->counts && strcmp(d->kind, "NVMe multipath") == 0;
}

/* A path below a silent head that a file system is on, or on a partition of. */
static bool counts_for_head(const struct drive_map *map, size_t i)
{
    for (size_t k = 0; k < map->links.n; k++) {
        const struct drive_link *l = &map->links.at[k];

        if (l->below != (int)i || !is_silent_head(&map->devices.at[l->above]))
            continue;
        for (size_t f = 0; f < map->devices.n; f++) {
            if ((map->devices.at[f].roles & DRIVE_FILESYSTEM) &&
                (f == (size_t)l->above || drive_map_stands_on(map, f, (size_t)l->above)))
                return true;
        }
    }
    return false;
}

static bool is_source(const struct drive_map *map, size_t i)
{
    return (map->devices.at[i].roles & DRIVE_FILESYSTEM) || counts_for_head(map, i);
}

bool drive_map_summed(const struct drive_map *map, size_t i)
{
    CHECK(i < map->devices.n);
    if (!is_source(map, i))
        return false;
    for (size_t lower = 0; lower < map->devices.n; lower++) {
        if (is_source(map, lower) && drive_map_stands_on(map, i, lower))
            return false;
    }
    return true;
}
