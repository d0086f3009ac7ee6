/*
 * How far a preparation is: one file each, DIR/<id>.json, written anew after every step and every
 * two seconds of a long one. It is also how we know again what we made: the id is the GUID of the
 * partition table, and the key of the fill. Kept after the end, so that later results carry it.
 */
#ifndef PREP_STATE_H
#define PREP_STATE_H

#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "result/prep_record.h"

enum prep_step {
    STEP_ERASE,
    STEP_FILL,
    STEP_SAMPLE,
    STEP_PARTITION,
    STEP_FILESYSTEM,
    STEP_MOUNT,
    STEP_DONE,
    PREP_STEPS
};
const char *prep_step_name(int step); /* "erase" ... "done" */

struct prep_state {
    struct prep_record record; /* record.id: of all of it */
    int step;                  /* enum prep_step: the one that is under way */
    char *step_name;           /* as in the file; set by prep_state_save */
    int64_t done_bytes;        /* of a step that goes by bytes */
    char *serial;              /* NULL: the drive has none */
    char *medium;              /* the machine's start and the medium's number since: while both are
                                * the same it is the same drive */
    int64_t size_bytes;
    char *wish;      /* the settings that decide what is done, in one line */
    char *part_uuid; /* of the table's only entry */
    int64_t part_start_bytes;
    char *fs_uuid; /* NULL: no file system */
    char *updated; /* UTC: when the file was written; the next in us */
    int64_t updated_us;
};
typedef VEC(struct prep_state) prep_states;

/* A new one with a fresh id; prep_state_release() it. */
void prep_state_init(struct prep_state *s);
void prep_state_release(struct prep_state *s);

/* Durable when it returns. Makes the directory. */
int prep_state_save(const char *dir, struct prep_state *s, struct err *err) MUST_CHECK;
/* All files of the directory that can be read and are whole, by time, the newest last; none where
 * it is not there. *broken gets how many are not. prep_states_release() it. */
void prep_states_read(const char *dir, prep_states *out, int *broken);
void prep_states_release(prep_states *list);
void prep_state_remove(const char *dir, const struct prep_state *s);

#endif
