/*
 * The private PostgreSQL server in DIR/tpcc-run/: find programs, create, configure, start, stop,
 * recover. Holds flock on DIR/tpcc-run/lock for its life. Nothing outside DIR/tpcc-run/ is ever
 * erased. One thread.
 */
#ifndef CLUSTER_CLUSTER_H
#define CLUSTER_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/stop.h"

struct cluster;

struct cluster_opts {
    const char *drive_dir;
    const char *server_user; /* used when we are root */
    const char *bin_dir;     /* NULL: the newest found, or that of an existing PG_VERSION */
    uint64_t recovery_timeout_ns;
    const char *config_file; /* server settings: config/server-postgresql.yaml or .conf */
    const struct clock *clock;
    struct log *log;
    struct stop *stop;
    progress_fn on_progress;
    void *ctx;
};

/* Decided by the plan. */
struct cluster_settings {
    uint64_t buffer_bytes;
    uint64_t checkpoint_timeout_s;
    uint64_t max_wal_bytes;
    uint32_t max_connections;
};

/* What is there before anything is written: for preflight and plan. */
struct cluster_look {
    bool exists;           /* a cluster of ours */
    bool running;          /* a live postmaster of ours */
    bool kept;             /* with the KEEP mark: it will be adopted */
    bool unsafe;           /* UNSAFE marker found */
    bool unsafe_same_boot; /* ... of this boot and device: a load can resume */
    char pg_version[16];
    uint64_t dataset_warehouses; /* noted in DIR/tpcc-run/dataset when last known; 0: none */
    bool dataset_complete;
    uint64_t bytes; /* of the directory, dataset part as noted */
};
int cluster_look(const struct cluster_opts *opts, struct cluster_look *look,
                 struct err *err) MUST_CHECK;

/* Takes the lock, deals with orphans, unsafe markers, and creates the cluster where absent. */
struct cluster *cluster_open(const struct cluster_opts *opts, struct err *err);
/* Stops nothing by itself. NULL is harmless. */
void cluster_free(struct cluster *c);

/* Starts with the run's settings; waits for recovery with progress. */
int cluster_start(struct cluster *c, const struct cluster_settings *s, struct err *err) MUST_CHECK;
/* Starts with the unsafe settings of a load on the postmaster's command line, marker first. */
int cluster_start_unsafe(struct cluster *c, const struct cluster_settings *s,
                         struct err *err) MUST_CHECK;
/* CHECKPOINT, stop, initdb --sync-only, marker removed: the dataset is durable after it. */
int cluster_end_unsafe(struct cluster *c, struct err *err) MUST_CHECK;
/* Clean stop (fast, then immediate at the bound). Harmless where it does not run. */
int cluster_stop(struct cluster *c, struct err *err) MUST_CHECK;
/* Leaves it running with the KEEP mark. */
int cluster_keep(struct cluster *c, struct err *err) MUST_CHECK;
bool cluster_alive(const struct cluster *c);
/* Database tpcc of the running server; lives until cluster_free. */
const char *cluster_conninfo(const struct cluster *c);
const char *cluster_data_dir(const struct cluster *c);
/* Notes what the dataset is for cluster_look(). */
int cluster_note_dataset(struct cluster *c, uint64_t warehouses, bool complete, uint64_t bytes,
                         struct err *err) MUST_CHECK;
/* Removes DIR/tpcc-run/ of ours (--remove, --rebuild). Refuses a directory that is not ours. */
int cluster_remove(struct cluster *c, struct err *err) MUST_CHECK;

#endif
