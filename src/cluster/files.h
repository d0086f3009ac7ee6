/*
 * The folders and files of a data directory as a list, with a checksum of each file: found, copied
 * whole by a few threads, read back and compared. Only regular files and folders: a link would lead
 * to what is not copied. Blocking; on_progress is called from the calling thread, which copies too.
 */
#ifndef CLUSTER_FILES_H
#define CLUSTER_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/vec.h"

struct files_one {
    char *path; /* below the directory */
    uint64_t bytes;
    uint32_t crc; /* CRC-32 of its bytes, once it was copied or read from a manifest */
    mode_t mode;
};

struct files_folder {
    char *path;
    mode_t mode;
};

/* Zeroed memory is an empty one. */
struct files {
    VEC(struct files_folder) folders; /* each before those in it */
    VEC(struct files_one) list;       /* the largest first, so that no thread ends long after all */
    uint64_t bytes;                   /* of all files */
};

/* What is in `dir`. An error where there is anything but folders and regular files of one file
 * system. files_release() it, also after a failure. */
int files_scan(const char *dir, struct files *f, struct err *err) MUST_CHECK;
void files_release(struct files *f);

/* How work on them is seen and stopped. */
struct files_work {
    const struct clock *clock;
    struct stop *stop;
    const char *step;        /* of the progress */
    progress_fn on_progress; /* may be NULL */
    void *ctx;
};

/* A clone shares its blocks with what it was made of until one of the two is written to. */
enum files_method { FILES_COPY, FILES_REFLINK };
const char *files_method_name(enum files_method m); /* "copy", "reflink" */

struct files_copy {
    const char *from, *to; /* `to` must not be there */
    enum files_method method;
    bool sums_known; /* what is copied must have the checksums of the list; else they are put in */
    bool give_away;  /* to this user */
    uid_t uid;
    gid_t gid;
    uint64_t written; /* out: bytes of data that were written; of clones none */
};

/* Copies all of the list; afterwards it is on the drive, and dropped from the page cache. What was
 * made of `to` stays after a failure. ERR_INTERRUPTED where the stop flag was raised. */
int files_copy(struct files *f, struct files_copy *how, const struct files_work *w,
               struct err *err) MUST_CHECK;
/* Whether all files of the list are in `dir` with their lengths; the first that is not is the error
 * (ERR_CHECK_FAILED). */
int files_look(const struct files *f, const char *dir, struct err *err) MUST_CHECK;
/* Reads every file of the list in `dir` and compares length and checksum; the first that differs is
 * the error (ERR_CHECK_FAILED). Files that are not in the list are not looked at. */
int files_check(const struct files *f, const char *dir, const struct files_work *w,
                struct err *err) MUST_CHECK;

#endif
