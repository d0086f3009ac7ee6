/*
 * What a preparation will do: every decision, made from the settings and what the drive can do
 * before anything is written. Immutable once made.
 */
#ifndef PREP_PLAN_H
#define PREP_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "config/settings.h"
#include "drive/block_facts.h"
#include "prep/nvme.h"

/* A way to erase, in words of the record; static. */
const char *prep_erase_name(enum settings_prep_erase way);

/* One way to erase after the other, the wished one or the best first; each can be done as far as is
 * known. What fails is followed by the next. */
#define PREP_WAYS 4
/* Blocks of 4 KiB that are looked at after a fill. */
#define PREP_SAMPLE_BLOCKS 1024
struct prep_plan {
    const char *purpose; /* "blocks", "database" */
    enum settings_prep_erase ways[PREP_WAYS];
    int n_ways;       /* 0: no erase */
    char *erase_note; /* why not what was wished for; NULL */
    bool fill;
    uint64_t size_bytes; /* of the drive */
    uint64_t part_start_bytes, part_size_bytes;
    int filesystem;    /* -1: a raw partition */
    char *mount_point; /* NULL: a raw partition */
    char *part_name;   /* "nvme0n1p1" */
};

struct prep_abilities {
    struct nvme_can nvme;
    bool discards;
};

/* -1 where the settings ask for what this drive can't hold. prep_plan_release() it in any case. */
int prep_plan_make(const struct settings_prep *s, const struct block_facts *f,
                   const struct prep_abilities *can, struct prep_plan *out,
                   struct err *err) MUST_CHECK;
void prep_plan_release(struct prep_plan *p);
/* For people: one line a step. */
void prep_plan_print(const struct prep_plan *p, const struct block_facts *f, struct strbuf *out);
/* The settings that decide what is done, in one line: an interrupted preparation goes on where they
 * are the same. free() it. */
char *prep_plan_wish(const struct prep_plan *p, const struct settings_prep *s);

#endif
