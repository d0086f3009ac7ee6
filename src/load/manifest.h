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
    DATASET_ABSENT,  /* no schema `tpcc`, or one without any table */
    DATASET_FOREIGN, /* one with tables but without our manifest, or with another format */
    DATASET_PARTIAL, /* a load was cut off */
    DATASET_COMPLETE,
};

struct manifest {
    enum dataset_state state;
    struct tpcc_dataset dataset;
    int64_t loaded_at_us; /* end of the load */
    double load_seconds;  /* summed over resumes */
    int64_t bytes_loaded; /* size with indexes right after the load */
    int64_t runs_since_load;
    char unit[16]; /* "table" or "warehouse" */
    char why[256]; /* DATASET_FOREIGN: what was found */
};

/* What is there; that nothing is there, or something foreign, is no error. */
int manifest_read(struct session *s, const struct dialect *d, struct manifest *m,
                  struct err *err) MUST_CHECK;
/* Size of everything in the schema now, bytes with indexes. */
int dataset_bytes(struct session *s, const struct dialect *d, int64_t *bytes,
                  struct err *err) MUST_CHECK;
/* One more run on this dataset. */
int manifest_count_run(struct session *s, const struct dialect *d, struct err *err) MUST_CHECK;
/* Takes the exclusive lock on the dataset for this session's life (an advisory lock; further
 * sessions of the same process share it) and names the session after us. Another process is refused
 * with program, host, process and start of the first. */
int dataset_lock(struct session *s, const struct dialect *d, const char *who,
                 struct err *err) MUST_CHECK;
/* Gives the lock back before its session ends, where the dialect can say so (dataset_unlock): a
 * server may take its time to end a session, and a lock of which it does not tell that it was ours
 * would refuse our next one. NULL is harmless; a failure shows at that next one. */
void dataset_unlock(struct session *s, const struct dialect *d);
/* Adds a line for everything that dataset_drop() would drop. */
struct strbuf;
int dataset_list(struct session *s, const struct dialect *d, struct strbuf *out,
                 struct err *err) MUST_CHECK;
/* Drops all that is in our schema, and the schema where it is ours to drop; all or nothing. Refuses
 * what is DATASET_FOREIGN or locked by somebody else, and fails where others built on our tables.
 */
int dataset_drop(struct session *s, const struct dialect *d, struct err *err) MUST_CHECK;

/* For the loader: writes every field but the state, in the transaction that is open. */
int manifest_write(struct session *s, const struct dialect *d, const struct manifest *m,
                   struct err *err) MUST_CHECK;
/* One row: "state" ("loading" or "complete"), "storage" (the tables' storage parameters). */
int manifest_set(struct session *s, const struct dialect *d, const char *name, const char *value,
                 struct err *err) MUST_CHECK;

#endif
