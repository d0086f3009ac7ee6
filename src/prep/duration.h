/*
 * How long a preparation will take, told before it begins: step by step, by what was measured on
 * this very drive where there is a record of it, else by what is assumed of its kind, and `why`
 * says which. Pure.
 */
#ifndef PREP_DURATION_H
#define PREP_DURATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "prep/plan.h"
#include "prep/state.h"

/* What is known of the drive and of the preparation before it begins. */
struct prep_known {
    bool nvme;
    int rotational; /* 1, 0, -1: it does not say */
    const struct prep_record
        *last;           /* the newest one of this drive: rates are taken from it; NULL */
    int step;            /* enum prep_step: where it goes on */
    uint64_t done_bytes; /* of that step */
};

struct prep_step_time {
    double seconds; /* 0: not done, or done already */
    char *why; /* "at 812 MiB/s, measured at its fill of 2026-11-30T13:45:01Z", "assumed: ..." */
};

struct prep_duration {
    struct prep_step_time steps[STEP_DONE];
    double seconds; /* of all */
};

/* prep_duration_release() it. */
void prep_duration_make(const struct prep_plan *p, const struct prep_known *known,
                        struct prep_duration *out);
void prep_duration_release(struct prep_duration *d);
/* For people: the whole, then a line a step. */
void prep_duration_print(const struct prep_duration *d, struct strbuf *out);

#endif
