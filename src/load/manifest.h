/*
 * The dataset's manifest: tables `manifest` and `load_progress` in our schema `tpcc`. Fixed at the
 * first start of a load; what carries no manifest of ours is never dropped.
 */
#ifndef LOAD_MANIFEST_H
#define LOAD_MANIFEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "db/session.h"
#include "sql/dialect.h"
#include "tpcc/params.h"

enum dataset_state {
    DATASET_ABSENT,   /* no schema of ours */
    DATASET_FOREIGN,  /* a schema `tpcc` without our manifest, or with another format */
    DATASET_PARTIAL,  /* a load was cut off */
    DATASET_COMPLETE,
};

struct manifest {
    enum dataset_state state;
    struct tpcc_dataset dataset;
    int64_t loaded_at_us;      /* end of the load */
    double load_seconds;       /* summed over resumes */
    int64_t bytes_loaded;      /* size with indexes right after the load */
    int64_t runs_since_load;
    char unit[16];             /* "table" or "warehouse" */
    char why[256];             /* DATASET_FOREIGN: what was found */
};

int manifest_read(struct session *s, const struct dialect *d, struct manifest *m,
                  struct err *err) MUST_CHECK;
/* Size of everything in the schema now, bytes with indexes. */
int dataset_bytes(struct session *s, const struct dialect *d, int64_t *bytes,
                  struct err *err) MUST_CHECK;
/* One more run on this dataset. */
int manifest_count_run(struct session *s, const struct dialect *d, struct err *err) MUST_CHECK;
/* Takes the exclusive lock on the dataset for this session's life (an advisory lock) and says who
 * we are; a second holder is refused with host, process and start of the first. */
int dataset_lock(struct session *s, const struct dialect *d, const char *who,
                 struct err *err) MUST_CHECK;
/* Drops our schema; refuses where it is DATASET_FOREIGN. */
int dataset_drop(struct session *s, const struct dialect *d, struct err *err) MUST_CHECK;

#endif
