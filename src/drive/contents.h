/*
 * What is written on a drive, as libblkid recognises it: a partition table with its entries, and
 * signatures of file systems, RAID members, LVM, swap, encryption ... on the whole and in each
 * entry. The entries are read from the table itself, so that what the kernel does not know of (it
 * may have no parser, or not have looked again) is seen too. Only reads.
 */
#ifndef DRIVE_CONTENTS_H
#define DRIVE_CONTENTS_H

#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"

struct contents_signature {
    char *type;  /* "ext4", "LVM2_member", "zfs_member", "swap" */
    char *uuid;  /* NULL: it has none */
    char *label; /* NULL: it has none; foreign text, made printable */
};
typedef VEC(struct contents_signature) contents_signatures;

struct contents_part { /* an entry of the table */
    int number;
    uint64_t start_bytes, size_bytes;
    char *type; /* "0x83", or a GUID in small letters; NULL: none */
    char *uuid; /* of the entry; NULL: none */
    char *name; /* NULL: none */
    contents_signatures signatures;
};

struct contents {
    char *table;      /* "gpt", "dos"; NULL: no partition table */
    char *table_uuid; /* of a GPT in small letters; NULL: none */
    VEC(struct contents_part) parts;
    contents_signatures signatures; /* on the whole */
};

/* fd: of the device, open for reading. contents_release() it, also after -1. */
int contents_read(int fd, struct contents *out, struct err *err) MUST_CHECK;
void contents_release(struct contents *c);

#endif
