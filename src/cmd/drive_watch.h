/*
 * drive-info --watch: a report of every device at each interval, until its count, a signal, or
 * until all devices are gone.
 */
#ifndef CMD_DRIVE_WATCH_H
#define CMD_DRIVE_WATCH_H

#include <stdint.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/err.h"
#include "drive/blockdev.h"

enum drive_watch_form { DRIVE_WATCH_TABLE, DRIVE_WATCH_PLAIN, DRIVE_WATCH_JSON };

struct drive_watch {
    const struct fsroot *root;
    const struct clock *clock;
    const struct drive_map *map; /* its reported devices are watched */
    struct remote *remote;       /* of the host that all of them are on; NULL: this machine */
    uint64_t interval_ns;
    uint64_t count; /* of reports; 0: without end */
    enum drive_watch_form form;
    int signals; /* a signalfd: readable ends the watch */
    FILE *out;
    void (*say)(const char *line); /* devices that come and go */
};

/* 0 after the last report, or where nobody reads `out` any more; else -1: ERR_INTERRUPTED after a
 * signal. */
int drive_watch_run(const struct drive_watch *w, struct err *err) MUST_CHECK;

#endif
