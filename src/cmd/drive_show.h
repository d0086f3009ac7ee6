/*
 * What drive-info says of a path: its map and the inventory of each device, as text or JSON.
 */
#ifndef CMD_DRIVE_SHOW_H
#define CMD_DRIVE_SHOW_H

#include <stdbool.h>
#include <stdio.h>

#include "drive/blockdev.h"

struct drive_show {
    const char *host; /* whose devices they are; NULL: this machine's */
    const struct fsroot *root;
    const struct drive_map *map;
    unsigned shared; /* bits of enum blockdev_shared */
    bool with_serial;
    bool plain; /* text: one tab between fields, one line a device */
};

void drive_show_text(const struct drive_show *show, FILE *out);
/* One JSON document. */
void drive_show_json(const struct drive_show *show, FILE *out);

#endif
