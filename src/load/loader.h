/*
 * Builds a dataset: a list of named steps (create, fill, index, analyse, check), each runnable
 * alone and safe to repeat, units of loading recorded in load_progress in the transaction that
 * holds their rows. Resumes a load that was cut off.
 */
#ifndef LOAD_LOADER_H
#define LOAD_LOADER_H

#include "base/log.h"
#include "base/progress.h"
#include "base/stop.h"
#include "load/manifest.h"

struct load_env {
    const struct db_ops *ops;
    struct db_config db;
    const struct dialect *dialect;
    const struct clock *clock;
    struct log *log;
    struct stop *stop;
    progress_fn on_progress;
    void *ctx;
};

struct load_opts {
    struct tpcc_dataset dataset;  /* of a new load; a resumed one goes by its manifest */
    uint32_t loaders;
    bool unit_table;              /* one unit = a whole table, largest first, COPY FREEZE */
    bool binary;                  /* COPY BINARY */
};

/* Times of the steps, s; NaN: not run. */
struct load_times {
    double fill, index, vacuum, check, total;
};

/* Creates or resumes and completes. On interruption ERR_INTERRUPTED: the next call goes on. */
int load_dataset(const struct load_env *env, const struct load_opts *opts, struct manifest *m,
                 struct load_times *times, struct err *err) MUST_CHECK;
/* Counts and sums that must hold right after a load (tpcc facts 1.4). */
int load_check(const struct load_env *env, const struct tpcc_dataset *ds, struct err *err) MUST_CHECK;
/* The order-free checksum over all rows in the database, per table and total. */
int load_checksum(const struct load_env *env, uint64_t per_table[], uint64_t *total,
                  struct err *err) MUST_CHECK;

#endif
