/*
 * The file system for the database test: made without discarding, so that what the fill wrote stays
 * on the drive, and without work left for later; mounted by mount(2).
 */
#ifndef PREP_FILESYSTEM_H
#define PREP_FILESYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/stop.h"

#define FILESYSTEMS 2
/* enum as the words of prep.filesystem: 0 ext4, 1 xfs. */
const char *filesystem_name(int kind);
/* The least partition it can be made on. */
uint64_t filesystem_min_bytes(int kind);
/* About as much is written when it is made on a partition of this size. */
uint64_t filesystem_written(int kind, uint64_t part_bytes);
struct filesystem_room { /* as statvfs tells of a fresh one */
    uint64_t size_bytes, free_bytes;
};
/* At least so much, before it is made. */
struct filesystem_room filesystem_room(int kind, uint64_t part_bytes);
/* Whether its program is there; says what to install. */
int filesystem_check(int kind, struct err *err) MUST_CHECK;
/* Asked to stop, it ends half made (ERR_INTERRUPTED). */
int filesystem_make(int kind, const char *node, const char *uuid, struct stop *stop,
                    struct err *err) MUST_CHECK;
/* The directory is made where it is missing. noatime, no discard. */
int filesystem_mount(int kind, const char *node, const char *dir, struct err *err) MUST_CHECK;
/* A directory that is there, is empty and no mount point, or that can be made; absolute. */
int filesystem_check_dir(const char *dir, struct err *err) MUST_CHECK;

#endif
