/*
 * pg_wal is a directory or a link, which only who may enter the data directory can read; a server
 * tells the places of its tablespaces to anybody.
 */
#include "job/places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "job/ask.h"

static void add_unseen(struct target *t, const char *what, const char *why)
{
    char *all =
        xasprintf("%s%s%s: %s", t->unseen ? t->unseen : "", t->unseen ? "; " : "", what, why);

    free(t->unseen);
    t->unseen = all;
}

static void add_place(struct target *t, const char *what, const char *path)
{
    struct fsroot root;
    struct drive_map map = {0};
    struct err err = {0};
    int rc;

    fsroot_init(&root, "");
    const struct blockdev_probe probe = blockdev_probe_system(&root);
    rc = blockdev_map(&probe, path, &map, &err);
    if (rc < 0 || map.reason) {
        add_unseen(t, what, rc < 0 ? err.text : map.reason);
    } else {
        drive_map_hold(&map, what);
        drive_map_merge(&t->map, &map);
    }
    drive_map_release(&map);
    fsroot_release(&root);
}

/* Follows a link in the data directory. One that is not there is no place. */
static void add_link(struct target *t, const char *what, const char *link)
{
    char *path = realpath(link, NULL);

    if (path) {
        add_place(t, what, path);
    } else if (errno != ENOENT) {
        char *why = xasprintf("%s can't be looked at (%s)", link, strerror(errno));

        add_unseen(t, what, why);
        free(why);
    }
    free(path);
}

static void add_linked_tablespaces(struct target *t, const char *data_dir)
{
    struct fsroot root;
    char *dir = xasprintf("%s/pg_tblspc", data_dir);
    char **names = NULL;

    fsroot_init(&root, "");
    names = fsroot_list(&root, dir);
    for (char **n = names; n && *n; n++) {
        char *what = xasprintf("tablespace %s", *n);
        char *link = xasprintf("%s/%s", dir, *n);

        add_link(t, what, link);
        free(link);
        free(what);
    }
    fsroot_list_free(names);
    fsroot_release(&root);
    free(dir);
}

static void add_told_tablespaces(struct target *t, const char *data_dir, struct session *s)
{
    struct rows rows;
    struct err err = {0};

    if (ask_rows(s, t->dialect, "server_tablespaces", &rows, &err) < 0) {
        add_unseen(t, "tablespaces", err.text);
        return;
    }
    for (uint32_t i = 0; i < rows.part[0].n_rows; i++) {
        char *name = cell_dup(rows_cell(&rows.part[0], i, 0));
        char *place = cell_dup(rows_cell(&rows.part[0], i, 1));
        char *what = xasprintf("tablespace %s", name ? name : "?");
        /* One made in place lies in the data directory, and is told relative to it. */
        char *path = place && place[0] == '/' ? xstrdup(place)
                                              : xasprintf("%s/%s", data_dir, place ? place : "");

        add_place(t, what, path);
        free(path);
        free(what);
        free(place);
        free(name);
    }
}

void places_add(struct target *t, const char *data_dir, struct session *s)
{
    char *wal = xasprintf("%s/pg_wal", data_dir);

    if (t->mapped && strcmp(t->kind, "postgresql") == 0) {
        add_link(t, "WAL", wal);
        if (s)
            add_told_tablespaces(t, data_dir, s);
        else
            add_linked_tablespaces(t, data_dir);
    }
    free(wal);
}
