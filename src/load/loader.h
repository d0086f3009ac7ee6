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
#include "tpcc/tables.h"

struct load_env {
    const struct db_ops *ops; /* with DB_CAP_COPY */
    struct db_config db;
    const struct dialect *dialect;
    const struct clock *clock;
    struct log *log;
    struct stop *stop;
    progress_fn on_progress; /* steps "load", "keys", "vacuum", "check", "checksum"; or NULL */
    void *ctx;
};

struct load_opts {
    struct tpcc_dataset dataset; /* of a new load: seed and warehouses; c_load comes from the seed,
                                    load_time_us from the clock where it is 0. A resumed load goes
                                    by its manifest; warehouses 0: whatever is there */
    uint32_t loaders;            /* threads, each with a session; 0: two */
    bool unit_table;             /* one unit = a whole table, largest first, COPY FREEZE */
    bool binary;                 /* COPY BINARY */
};

/* Times of the steps, s; NaN: not run. Keys are made beside the rows: `index` is what they took
 * longer than the rows, so fill + index is the time of both. */
struct load_times {
    double fill, index, vacuum, check, total;
};

/* Creates or resumes and completes a dataset: rows, keys, vacuum, sums, storage. One that is
 * complete is left as it is; one with another number of warehouses, or a schema of somebody else's,
 * is an error. Holds the dataset's lock meanwhile. On interruption ERR_INTERRUPTED, and after a
 * failure of the server: the next call goes on where this one was cut. */
int load_dataset(const struct load_env *env, const struct load_opts *opts, struct manifest *m,
                 struct load_times *times, struct err *err) MUST_CHECK;
/* Order-free checksums, one a table (TABLE_COUNT) and their sum: the same for the same rows,
 * however they were loaded. Over all rows in the database. */
int load_checksum(const struct load_env *env, uint64_t per_table[], uint64_t *total,
                  struct err *err) MUST_CHECK;

#endif
