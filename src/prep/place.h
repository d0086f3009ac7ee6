/*
 * What a finished preparation left on a drive, found again: after a restart of the machine too,
 * when the kernel may have to be told of the partition and nothing is mounted.
 */
#ifndef PREP_PLACE_H
#define PREP_PLACE_H

#include "base/err.h"

struct prep_place {
    char *node;        /* of its partition: "/dev/nvme0n1p1" */
    char *mount_point; /* NULL: a raw partition */
};

struct prep_place_asks {
    const char *device;    /* the drive */
    const char *state_dir; /* prep.state */
    const char *purpose;   /* "blocks", "database" */
};

/* Mounts the file system where it is not. -1 where the drive does not hold what the newest finished
 * preparation for this purpose made. prep_place_release() it in any case. */
int prep_place_find(const struct prep_place_asks *asks, struct prep_place *out,
                    struct err *err) MUST_CHECK;
void prep_place_release(struct prep_place *p);

#endif
