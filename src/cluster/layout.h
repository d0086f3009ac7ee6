/*
 * The files of DIR/tpcc-run/: which they are, whose they are, and how they are written and removed.
 *
 *   OWNER          says that the directory is ours; without it nothing in here is touched
 *   lock           flock of the program that uses it, with a line that says who that is
 *   data/          the cluster (data.new/: being made; data.old/: being removed)
 *   cluster.log    what the server and initdb said (cluster.log.1: before)
 *   UNSAFE         an unsafe load is under way: boot and device for which its files are good
 *   KEEP           the server was left running on purpose
 *   memory-group   the control group of the server that runs, while it does
 *   dataset        what was last known of the dataset, for planning
 *   image/         a copy of data/ as it was after the load (image.new/: being made; image.h)
 *   RESTORE        data/ is being put back from an image: which, and how
 *
 * An image may be kept elsewhere instead, in IMAGE/tpcc-run-image/ with an OWNER and a lock of its
 * own. The directory belongs to us, data/ to the server's user. Links are never followed.
 */
#ifndef CLUSTER_LAYOUT_H
#define CLUSTER_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

#define LAYOUT_DIR "tpcc-run"
#define LAYOUT_OWNER "OWNER"
#define LAYOUT_LOCK "lock"
#define LAYOUT_DATA "data"
#define LAYOUT_DATA_NEW "data.new"
#define LAYOUT_DATA_OLD "data.old"
#define LAYOUT_LOG "cluster.log"
#define LAYOUT_LOG_OLD "cluster.log.1"
#define LAYOUT_UNSAFE "UNSAFE"
#define LAYOUT_KEEP "KEEP"
#define LAYOUT_GROUP "memory-group"
#define LAYOUT_DATASET "dataset"
#define LAYOUT_IMAGE "image"
#define LAYOUT_IMAGE_NEW "image.new"
#define LAYOUT_RESTORE "RESTORE"
#define LAYOUT_IMAGE_DIR "tpcc-run-image"

struct layout {
    char *drive;        /* DIR, canonical */
    char *dir;          /* DIR/tpcc-run */
    char *data;         /* DIR/tpcc-run/data */
    char *log;          /* DIR/tpcc-run/cluster.log */
    const char *owner;  /* what OWNER says */
    const char *option; /* what names DIR: "--drive" */
};

/* DIR must be a directory. layout_release() it, also after a failure. */
int layout_init(struct layout *l, const char *drive_dir, struct err *err) MUST_CHECK;
/* The same of IMAGE/tpcc-run-image/, which has no cluster. */
int layout_init_image(struct layout *l, const char *image_dir, struct err *err) MUST_CHECK;
void layout_release(struct layout *l);
/* DIR/tpcc-run/name; free() it. */
char *layout_path(const struct layout *l, const char *name);

/* 1: ours; 0: not there, or empty; -1: there and not ours. */
int layout_look(const struct layout *l, struct err *err) MUST_CHECK;
/* Makes the directory and OWNER where they are not there. */
int layout_make(const struct layout *l, struct err *err) MUST_CHECK;

bool layout_exists(const struct layout *l, const char *name);
/* The text of a small file, at most 64 KiB; NULL where it is not there; free() it. */
char *layout_read(const struct layout *l, const char *name);
/* Whole or not at all: written beside, synced, renamed. */
int layout_write(const struct layout *l, const char *name, const char *text,
                 struct err *err) MUST_CHECK;
/* The same for any path, for a user other than us where uid is not ours. */
int layout_write_path(const char *path, const char *text, uid_t uid, gid_t gid,
                      struct err *err) MUST_CHECK;
/* Harmless where it is not there; synced. */
int layout_unlink(const struct layout *l, const char *name, struct err *err) MUST_CHECK;
int layout_rename(const struct layout *l, const char *from, const char *to,
                  struct err *err) MUST_CHECK;
/* Removes a file or a whole folder in DIR/tpcc-run/; links inside are removed, not followed, and
 * what is mounted inside is an error. Harmless where it is not there. */
int layout_remove(const struct layout *l, const char *name, struct err *err) MUST_CHECK;
/* Removes DIR/tpcc-run/ with all that is in it, OWNER and lock last. */
int layout_remove_all(const struct layout *l, struct err *err) MUST_CHECK;

/* The note about the dataset. A broken one is as none. */
struct dataset_note {
    uint64_t warehouses; /* 0: none */
    bool complete;
    uint64_t bytes;
    int64_t loaded_at_us; /* end of the load, which tells this dataset from others; 0: not noted */
};
char *dataset_note_format(const struct dataset_note *n); /* free() it */
void dataset_note_parse(const char *text, struct dataset_note *n);

#endif
