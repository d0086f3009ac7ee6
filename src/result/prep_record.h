/*
 * How a drive was brought into a known state, as drive-prep recorded it: what its own result says,
 * and what later results of the same drive carry. Plain data; "none" as everywhere in the document.
 */
#ifndef RESULT_PREP_RECORD_H
#define RESULT_PREP_RECORD_H

#include <stdint.h>

struct prep_record {
    char *id;              /* a GUID: of the partition table it made; NULL: there is no record */
    char *started, *ended; /* UTC; ended NULL: it is under way */
    double age_s;          /* from its end to the start of the result that carries it */
    char *purpose;         /* "blocks", "database" */
    char *erase;           /* "nvme format", "nvme sanitize", "discard", "overwrite", "none" */
    char *erase_note;      /* why not what was wished for, in words; NULL: it was that */
    int64_t erased_bytes;
    double erase_seconds;
    double zero_percent;  /* of the blocks looked at after the erase, those that read as zeroes */
    int64_t filled_bytes; /* -1: not filled */
    double fill_seconds;
    int64_t sampled_blocks, sampled_good; /* looked at after the fill; as they had been written */
    int64_t partition_bytes;
    char *filesystem, *mount_point; /* NULL: a raw partition */
    int64_t interruptions;          /* how often it went on where it had been cut off */
};

/* All figures "none". */
void prep_record_init(struct prep_record *p);
void prep_record_release(struct prep_record *p);
/* `to` is not released before. */
void prep_record_copy(struct prep_record *to, const struct prep_record *from);

struct result;
/* Fills r->verdict; r is of kind "prep". */
void prep_judge(struct result *r);

#endif
