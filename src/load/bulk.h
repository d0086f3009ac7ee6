/*
 * The jobs of a load that change the database: a unit's rows, a table's keys, a table's vacuum.
 * Each is noted in load_progress, rows and keys in their own transaction, so that a job that was
 * cut leaves nothing, and one that was not is never run twice.
 */
#ifndef LOAD_BULK_H
#define LOAD_BULK_H

#include <stdatomic.h>

#include "load/crew.h"

/* What the jobs need: crew.ctx. */
struct bulk_env {
    struct tpcc_dataset dataset;
    bool whole;      /* a unit is a whole table: truncated first, frozen at once */
    bool binary;     /* COPY BINARY */
    atomic_int told; /* whether the log has the way in which rows are sent */
};

/* The job_fn of a load (ctx: struct bulk_env): STEP_FILL, STEP_KEYS, STEP_VACUUM. */
int bulk_job(struct load_hand *hand, struct job *j, struct bulk_env *bulk,
             struct err *err) MUST_CHECK;

#endif
