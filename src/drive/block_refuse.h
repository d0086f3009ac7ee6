/*
 * Whether a block device may be written to: a pure function of the facts about it.
 */
#ifndef DRIVE_BLOCK_REFUSE_H
#define DRIVE_BLOCK_REFUSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "drive/block_facts.h"

/* A partition table that is known to be ours. */
struct block_own {
    const char *table_uuid;  /* of the GPT */
    const char *part_uuid;   /* of its only entry */
    const char *fs_uuid;     /* of the only file system in it; NULL: there may be none */
    const char *mount_point; /* where that may be mounted; NULL: nowhere */
};

struct block_rules {
    const char *program; /* "drive-prep": for messages */
    bool whole;          /* wants a drive: no partition, and nothing that stands on others */
    bool own_all;        /* what is written on the asked device is all ours: proved otherwise */
    const struct block_own *own; /* NULL: nothing is ours */
};

/* -1 with all that speaks against it in err, exit code 3; 0 where nothing does. The facts must have
 * been looked at (block_facts_look). */
int block_refuse(const struct block_facts *f, const struct block_rules *rules,
                 struct err *err) MUST_CHECK;

/* What has to be typed so that the device may be written to: its disk's serial, or where that has
 * none its disk's size in bytes. So one word stands for a drive and all of its partitions. free()
 * it. */
char *block_consent(const struct block_facts *f);
/* `given`: the value of --i-will-lose, or what was typed; NULL: nothing. */
int block_consent_check(const struct block_facts *f, const char *given, struct err *err) MUST_CHECK;

#endif
