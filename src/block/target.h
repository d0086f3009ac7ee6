/*
 * What a block test is run on: a block device, or a file in a file system, that is there already.
 * Nothing is ever made. Before anything is written on a device, nobody else may use it and its
 * owner has to agree by its serial number.
 */
#ifndef BLOCK_TARGET_H
#define BLOCK_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/fsroot.h"
#include "drive/drive_map.h"

#define BLOCK_TARGET_MIN_BYTES (UINT64_C(1) << 20)

struct block_target {
    char *path; /* links resolved */
    bool is_device;
    uint64_t bytes;
    char *consent;        /* what has to be typed before it is written on */
    char *serial;         /* of a device's disk; NULL: it has none */
    char *place;          /* on that disk: "" the whole of it, "p1" ...; NULL: a file */
    int fd;               /* keeps it: of a device that is written on exclusively */
    struct drive_map map; /* the devices under it; map.reason where there are none */
};

struct block_asks {
    const char *path;
    bool writes;
    bool reads;
    const char *given; /* --i-will-lose; NULL: nothing */
    bool look_only;    /* --dry-run: says what has to be agreed, does not want it */
};

/* -1 where it is not there, is no such thing, is in use, or nobody agreed. block_target_release()
 * it in any case. */
int block_target_open(const struct fsroot *root, const struct block_asks *asks,
                      struct block_target *out, struct err *err) MUST_CHECK;
void block_target_release(struct block_target *t);

#endif
