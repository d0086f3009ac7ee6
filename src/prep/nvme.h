/*
 * NVMe's own ways to erase, by nvme-cli (without a shell, with bounds): what a controller can do,
 * format, sanitize.
 */
#ifndef PREP_NVME_H
#define PREP_NVME_H

#include <stdbool.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fsroot.h"
#include "base/log.h"
#include "base/stop.h"

struct nvme_can {
    bool is_nvme;
    char *no_format;   /* why it can't be formatted; NULL: it can */
    char *no_sanitize; /* likewise */
};

/* Of a disk by its folder in sysfs and its node. Never fails. nvme_can_release() it. */
void nvme_look(const struct fsroot *root, const char *sysfs, const char *node,
               struct nvme_can *out);
void nvme_can_release(struct nvme_can *can);

/* The fields of `nvme id-ctrl -o json` (numbers, or digits in a text); namespaces: how many this
 * controller has in sysfs. Fills no_format and no_sanitize. -1: no such JSON. */
int nvme_parse_controller(const char *json, int namespaces, struct nvme_can *out,
                          struct err *err) MUST_CHECK;
/* `nvme sanitize-log -o json`: 65535 where none is under way. *failed: the last one did. */
int nvme_parse_sanitize(const char *json, int *progress, bool *failed, struct err *err) MUST_CHECK;

/* Erases all user data (secure erase setting 1); two hours at most. It can't be stopped: asked to,
 * it says so and goes on waiting; asked twice it leaves the drive alone with it
 * (ERR_INTERRUPTED). */
int nvme_format(const char *node, struct stop *stop, struct log *log, struct err *err) MUST_CHECK;
/* Starts a block erase, or finds one under way, and waits for its end: 24 hours at most. Stopped by
 * the user it goes on in the drive. */
int nvme_sanitize(const char *node, const struct clock *clock, struct stop *stop,
                  struct err *err) MUST_CHECK;

#endif
