/*
 * The private PostgreSQL server in DIR/tpcc-run/: find programs, create, configure, start, stop,
 * recover. Holds flock on DIR/tpcc-run/lock for its life. Nothing outside DIR/tpcc-run/ is ever
 * erased. One thread.
 *
 * The usual order:
 *   cluster_look              for the plan
 *   cluster_open              lock, orphan, unsafe marker, initdb
 *   cluster_start_unsafe, load, cluster_end_unsafe      only where the dataset is not complete
 *   cluster_start, run, cluster_stop (or cluster_keep)
 *   cluster_free
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

/* The strings live as long as the cluster. */
struct cluster_opts {
    const char *drive_dir;
    const char *server_user;      /* used when we are root */
    const char *bin_dir;          /* NULL: the newest found, or that of an existing PG_VERSION */
    uint64_t recovery_timeout_ns; /* 0: 30 min */
    const char *config_file;      /* settings of a run: config/postgresql.conf */
    bool for_removal;             /* nothing is created: cluster_remove() is to follow */
    bool rebuild; /* a cluster whose programs are missing is discarded, and made anew with others */
    const struct clock *clock;
    struct log *log;
    struct stop *stop;
    progress_fn on_progress; /* may be NULL */
    void *ctx;
};

/* Decided by the plan. */
struct cluster_settings {
    uint64_t buffer_bytes;
    uint64_t checkpoint_timeout_s;
    uint64_t max_wal_bytes;
    uint32_t max_connections;
    uint64_t memory_limit_bytes; /* of all its processes with their page cache; 0: none */
    bool fresh; /* a measured run follows: started anew in any case, nothing of its files cached */
};

/* What was made of it. */
struct cluster_memory {
    uint64_t limit_bytes; /* 0: not limited */
    const char *how;      /* "systemd", "cgroup v2", "cgroup v1"; NULL: not limited */
    const char *why_none; /* why a limit that was asked for could not be had, else NULL */
    int64_t kills; /* processes that the kernel ended at the limit, in all starts; -1: none */
    int64_t cached_bytes; /* of the files, in memory when the run's server was started; -1: n/a */
};

/* What is there before anything is written: for preflight and plan. */
struct cluster_look {
    bool ours;                   /* DIR/tpcc-run is there and ours, perhaps without a cluster */
    bool exists;                 /* a cluster of ours */
    bool running;                /* a live postmaster of ours */
    bool kept;                   /* with the KEEP mark: it will be adopted */
    bool unsafe;                 /* UNSAFE marker found */
    bool unsafe_same_boot;       /* ... of this boot and device: a load can resume */
    bool discards;               /* opts->rebuild, and cluster_open() would discard what is there */
    char pg_version[16];         /* of the cluster: "15"; "" where there is none */
    char programs[32];           /* version of the programs that will be used: "15.20" */
    uint64_t dataset_warehouses; /* noted in DIR/tpcc-run/dataset when last known; 0: none */
    bool dataset_complete;
    uint64_t bytes;       /* of the dataset as noted */
    int64_t loaded_at_us; /* end of its load; 0: not noted */
};
/* Fails where DIR or DIR/tpcc-run can't be used, where the server's user can't get there, or where
 * the programs are missing: all that cluster_open() and cluster_start() would say with these
 * options, but the lock.
 * `look` is filled as far as it was seen. */
int cluster_look(const struct cluster_opts *opts, struct cluster_look *look,
                 struct err *err) MUST_CHECK;

/* Takes the lock, stops an orphan (a live server without the KEEP mark), discards what an unsafe
 * load left behind in another boot, and creates the cluster where there is none. Programs that are
 * missing for an existing cluster are told by cluster_start, so that it can still be removed. */
struct cluster *cluster_open(const struct cluster_opts *opts, struct err *err);
/* Stops nothing by itself; lets the lock go. NULL is harmless. */
void cluster_free(struct cluster *c);

/* Starts with the run's settings; waits for recovery with progress. An unsafe load that was left
 * without its end is ended first. A kept server stays as it is where its settings are the same, and
 * is started anew otherwise. */
int cluster_start(struct cluster *c, const struct cluster_settings *s, struct err *err) MUST_CHECK;
/* Of the last start; the texts live until the next. */
void cluster_memory(struct cluster *c, struct cluster_memory *out);
/* "cgroup v1": by what a limit will most likely be set here; NULL and why in err: by nothing. */
const char *cluster_memory_expect(struct err *err);
/* Starts with the unsafe settings of a load on the postmaster's command line, marker first. */
int cluster_start_unsafe(struct cluster *c, const struct cluster_settings *s,
                         struct err *err) MUST_CHECK;
/* CHECKPOINT, stop, initdb --sync-only, marker removed: the dataset is durable after it. */
int cluster_end_unsafe(struct cluster *c, struct err *err) MUST_CHECK;
/* Clean stop (fast, then immediate at the bound, or when the user asks twice). Harmless where it
 * does not run. */
int cluster_stop(struct cluster *c, struct err *err) MUST_CHECK;
/* Leaves it running with the KEEP mark; stops it where its settings are unsafe. */
int cluster_keep(struct cluster *c, struct err *err) MUST_CHECK;
bool cluster_alive(const struct cluster *c);
/* Found running with the KEEP mark by cluster_open. */
bool cluster_adopted(const struct cluster *c);
/* Database tpcc of the server; the same for all its starts; lives until cluster_free. NULL before
 * the first start. */
const char *cluster_conninfo(const struct cluster *c);
const char *cluster_data_dir(const struct cluster *c);
/* Notes what the dataset is for cluster_look(). */
struct dataset_note;
int cluster_note_dataset(struct cluster *c, const struct dataset_note *note,
                         struct err *err) MUST_CHECK;
/* Puts in front of an error of a session what the cluster knows of its cause: the drive is full,
 * or the server has ended and what it said last. Returns -1. */
int cluster_explain(struct cluster *c, struct err *err);
/* Stops the server and removes DIR/tpcc-run/ (--remove, --rebuild). After it only cluster_free. */
int cluster_remove(struct cluster *c, struct err *err) MUST_CHECK;

#endif
