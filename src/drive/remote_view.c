/*
 * Brings a host's tree over and hands its devices on under names that tell the host.
 */
#include "drive/remote_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "drive/inventory.h"
#include "drive/remote_tree.h"
#include "drive/sysfs.h"

static int ask(const struct blockdev_probe *p, const char *path, struct blockdev_path *out,
               struct err *err)
{
    return remote_ask_path(p->ctx, path, out, err);
}

int remote_view_open(struct remote *r, struct remote_view *v, struct err *err)
{
    struct strbuf tree;
    struct strbuf mounts;
    struct strbuf swaps;
    int rc = -1;

    memset(v, 0, sizeof(*v));
    strbuf_init(&tree);
    strbuf_init(&mounts);
    strbuf_init(&swaps);
    if (remote_connect(r, err) < 0 || remote_ask(r, "tree", &tree, err) < 0 ||
        remote_ask(r, "mounts", &mounts, err) < 0 || remote_ask(r, "swaps", &swaps, err) < 0)
        goto out;
    const struct remote_tree_text text = {tree.len ? tree.buf : "", mounts.len ? mounts.buf : "",
                                          swaps.len ? swaps.buf : ""};

    rc = remote_tree_make(&text, &v->root, err);
    if (rc < 0)
        err_wrap(err, "%s", remote_host(r));
    v->remote = r;
    v->probe = (struct blockdev_probe){.root = &v->root, .ask = ask, .ctx = r};
out:
    strbuf_release(&tree);
    strbuf_release(&mounts);
    strbuf_release(&swaps);
    return rc;
}

void remote_view_close(struct remote_view *v)
{
    remote_tree_remove(&v->root);
    memset(v, 0, sizeof(*v));
}

static void prefix(char **text, const char *host)
{
    char *all = xasprintf("%s:%s", host, *text);

    free(*text);
    *text = all;
}

static int take_over(const struct remote_view *v, struct drive_device *d, struct err *err)
{
    const struct remote_device device = {
        .name = d->name,
        .counts = d->counts,
        .flushes = sysfs_counts_flushes(&v->root, d->sysfs),
    };

    if (drive_device_reported(d) && remote_watch(v->remote, &device) < 0)
        return err_set(err, ERR_SURROUNDINGS,
                       "%s: device %.60s can't be watched: over %d devices, "
                       "or an odd name",
                       remote_host(v->remote), d->name, REMOTE_DEVICES_MAX);
    d->inventory = xcalloc(1, sizeof(*d->inventory));
    inventory_read(&v->root, d->sysfs, false, d->inventory);
    prefix(&d->name, remote_host(v->remote));
    prefix(&d->sysfs, remote_host(v->remote));
    return 0;
}

int remote_view_watch(const struct remote_view *v, struct drive_map *map, struct err *err)
{
    for (size_t i = 0; i < map->devices.n; i++) {
        CHECK(map->devices.at[i].inventory == NULL);
        if (take_over(v, &map->devices.at[i], err) < 0)
            return -1;
    }
    return 0;
}
