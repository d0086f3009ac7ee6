/*
 * What stands on another host, for the code that looks at devices: a copy of its sysfs as a root,
 * and a probe that asks the host about paths. Fetched over the connection that later brings the
 * counters. Before sampling begins only: it asks and waits.
 */
#ifndef DRIVE_REMOTE_VIEW_H
#define DRIVE_REMOTE_VIEW_H

#include "drive/blockdev_probe.h"
#include "drive/drive_map.h"
#include "drive/remote.h"

struct remote_view {
    struct remote *remote;
    struct fsroot root;
    struct blockdev_probe probe; /* points to the two above: the view must not be moved */
};

/* Connects where it is not yet. On failure there is nothing to close. */
int remote_view_open(struct remote *r, struct remote_view *v, struct err *err) MUST_CHECK;
/* Harmless on a zeroed one. */
void remote_view_close(struct remote_view *v);

/* Has the host's connection read the reported devices of a map that was made through the view, and
 * names all of the map's "HOST:NAME", with what they say of themselves kept in the map: it then
 * stands without the view, and beside devices of this machine. */
int remote_view_watch(const struct remote_view *v, struct drive_map *map,
                      struct err *err) MUST_CHECK;

#endif
