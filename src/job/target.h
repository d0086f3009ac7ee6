/*
 * Where the database is: a private server in a directory, or a server that runs already. Opening a
 * target finds out what there is (struct plan_facts) and writes nothing; target_up() makes it run.
 */
#ifndef JOB_TARGET_H
#define JOB_TARGET_H

#include "cluster/cluster.h"
#include "db/session.h"
#include "drive/blockdev.h"
#include "drive/remote.h"
#include "job/job.h"
#include "job/restore.h"
#include "load/manifest.h"
#include "result/result.h"
#include "sql/dialect.h"

struct target {
    const struct job_env *env;
    bool is_private;
    bool local;             /* the server runs on this machine */
    char *drive_dir;        /* absolute; private only */
    bool measured;          /* a measured run follows: the private server is started fresh for it */
    bool rests_with_others; /* after a restore: when all targets are restored (restore_rest()) */
    bool drive_given;       /* by --drive, not the current directory */
    char *conninfo;         /* with addresses instead of names; may hold a secret */
    const char *kind;       /* "postgresql", "mariadb", "sqlserver", "other" */
    const struct db_ops *ops;
    struct dialect *dialect;
    struct cluster_opts cluster_opts;
    struct cluster_look look;
    struct cluster *cluster;  /* once up */
    struct restore restore;   /* what --restore found */
    struct manifest manifest; /* of a server that runs already */
    int64_t dataset_bytes;
    char *server_version;
    char *data_dir; /* NULL: not known */
    struct drive_map map;
    bool mapped;          /* map holds devices */
    char *why_no_devices; /* NULL where mapped, or counters were not asked for */
    char *unseen;         /* which of the server's files are on devices that map lacks, and why */
    char *why_unlimited;  /* why no memory limit can be set; or NULL */
    char *bad_device;     /* the first --device that is none, and why; or NULL */
    enum err_kind bad_device_kind;
    VEC(struct remote *) remotes; /* connections to other hosts (job/named.h) */
    unsigned shared_there; /* bits of enum blockdev_shared: what else lives on devices there */
    struct plan_facts facts;
};

/* Of a private server on a file system that is still to be made. */
void target_foresee(struct target *t, const struct job_env *env, const struct job_place *place);
int target_open(struct target *t, const struct job_env *env, struct err *err) MUST_CHECK;
/* The part of it that is ODBC's own: finds t->conninfo, ops, kind and dialect. */
int target_open_odbc(struct target *t, struct err *err) MUST_CHECK;
/* Stops the private server (unless it is kept), frees. Harmless on a zeroed one. */
void target_release(struct target *t);
/* The settings every connection of ours starts from. */
struct db_config target_db(const struct target *t);
struct session *target_connect(const struct target *t, struct err *err);
/* The private server: takes its directory and lock, creates it where absent. Nothing otherwise. */
int target_take(struct target *t, struct err *err) MUST_CHECK;
/* Runs with the run's settings, or with those of a load (unsafe). Nothing on a server not ours. */
int target_up(struct target *t, const struct plan *plan, bool unsafe, struct err *err) MUST_CHECK;
/* After the dataset of this plan was made: what a next plan has to know of it, and of the space. */
void target_look_again(struct target *t, const struct plan *plan);
/* What became of the private server's memory limit; of a server not ours nothing is known. */
void target_memory(const struct target *t, struct result *r);
/* Ends the unsafe state: durable after it, and stopped. */
int target_end_unsafe(struct target *t, struct err *err) MUST_CHECK;
/* One line about the device under the data, for the plan. free() it. */
char *target_device_line(const struct target *t);

#endif
