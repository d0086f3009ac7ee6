/*
 * The record of a preparation in a later result of the same drive.
 */
#ifndef PREP_CARRY_H
#define PREP_CARRY_H

#include <stdint.h>

#include "base/fsroot.h"
#include "drive/drive_map.h"
#include "result/prep_record.h"

/* Looks for a finished preparation of a disk of the map among the records in state_dir, and copies
 * the newest into out (prep_record_init'ed; left so where there is none), with its age at now_us
 * (since 1970 UTC). The drive must still be what the record says: by the GUID of its partition
 * table and, where one was made, the UUID of its file system; where we may not read the drive, by
 * its serial number and the place of its partition. */
void prep_carry(const struct fsroot *root, const char *state_dir, const struct drive_map *map,
                int64_t now_us, struct prep_record *out);

#endif
