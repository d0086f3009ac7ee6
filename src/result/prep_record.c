/*
 * The record's life cycle, and what a preparation is worth; how it stands in files is in
 * result_fields.c.
 */
#include "result/prep_record.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "result/result.h"

void prep_record_init(struct prep_record *p)
{
    *p = (struct prep_record){
        .age_s = (double)NAN,
        .erased_bytes = -1,
        .erase_seconds = (double)NAN,
        .zero_percent = (double)NAN,
        .filled_bytes = -1,
        .fill_seconds = (double)NAN,
        .sampled_blocks = -1,
        .sampled_good = -1,
        .partition_bytes = -1,
        .interruptions = -1,
    };
}

void prep_record_release(struct prep_record *p)
{
    free(p->id);
    free(p->started);
    free(p->ended);
    free(p->purpose);
    free(p->erase);
    free(p->erase_note);
    free(p->filesystem);
    free(p->mount_point);
    prep_record_init(p);
}

void prep_record_copy(struct prep_record *to, const struct prep_record *from)
{
    *to = *from;
    to->id = xstrdup_or_null(from->id);
    to->started = xstrdup_or_null(from->started);
    to->ended = xstrdup_or_null(from->ended);
    to->purpose = xstrdup_or_null(from->purpose);
    to->erase = xstrdup_or_null(from->erase);
    to->erase_note = xstrdup_or_null(from->erase_note);
    to->filesystem = xstrdup_or_null(from->filesystem);
    to->mount_point = xstrdup_or_null(from->mount_point);
}

/* Takes the texts over. */
static void invalid(struct result *r, struct verdict_reason reason)
{
    r->verdict.status = VERDICT_INVALID;
    VEC_PUSH(&r->verdict.reasons, reason);
}

void prep_judge(struct result *r)
{
    const struct prep_record *p = &r->drive.prep;

    result_verdict_clear(r);
    if (p->sampled_good < p->sampled_blocks)
        invalid(r, (struct verdict_reason){
                       .code = "fill",
                       .text = xasprintf("%lld of %lld blocks of the fill are not there",
                                         (long long)(p->sampled_blocks - p->sampled_good),
                                         (long long)p->sampled_blocks),
                       .value = (double)p->sampled_good,
                       .limit = (double)p->sampled_blocks,
                       .advice = xstrdup("don't test this drive: it loses data, or is smaller "
                                         "than it says"),
                   });
    else if (!p->ended)
        invalid(r, (struct verdict_reason){
                       .code = "cut",
                       .text = xstrdup("the preparation did not come to its end"),
                       .value = RESULT_NONE,
                       .limit = RESULT_NONE,
                       .advice = xstrdup("start it again: it goes on where it was"),
                   });
}
