/*
 * A result directory: <parent>/<UTC time>-<label>, written as "<name>.partial" from the first
 * second (series rows and log lines as they come), renamed when complete; read back with an error
 * for what is broken, never a crash. A label's characters that a file name should not have become
 * "-"; a name that is taken gets "-2", "-3" ...
 */
#ifndef RESULT_RESULT_DIR_H
#define RESULT_RESULT_DIR_H

#include <stdio.h>

#include "base/err.h"
#include "result/result.h"

/* Of a directory that holds the results of a review, one folder a step. */
#define RESULT_REVIEW_FILE "review.json"

struct result_dir;

/* Makes the parents and the .partial directory, and locks it: who else would go on in it is
 * refused; label may be NULL. result_dir_free() it, which
 * leaves the files where they are. NULL and err on failure. */
struct result_dir *result_dir_create(const char *parent, const char *label, int64_t started_real_us,
                                     struct err *err);
/* Whether that can be done, without doing it: the parent, or the nearest folder above it that is
 * there, is a directory that may be written in. */
int result_dir_possible(const char *parent, struct err *err) MUST_CHECK;
void result_dir_free(struct result_dir *d);
/* Where it lies now (.partial until finished). */
const char *result_dir_path(const struct result_dir *d);
/* log.txt, open for appending, line by line; belongs to d. */
FILE *result_dir_log(struct result_dir *d);
/* Whole or not at all, also after a crash: synced under another name, renamed, the rename synced.
 */
int result_dir_write_text(struct result_dir *d, const char *name, const char *text,
                          struct err *err) MUST_CHECK;
/* result.json without verdict, so that what is killed tells what it was and what it had. */
int result_dir_write_early(struct result_dir *d, const struct result *r,
                           struct err *err) MUST_CHECK;
/* The header of series.csv needs the device names. Then one call per interval, written through.
 * Also writes a first result.json, without verdict, so that a killed run tells what it was. */
int result_dir_begin_series(struct result_dir *d, const struct result *r,
                            struct err *err) MUST_CHECK;
/* One that fails (a full disk) need not be repeated: result_dir_finish() writes all rows then. */
int result_dir_append(struct result_dir *d, const struct result *r, const struct series_row *row,
                      struct err *err) MUST_CHECK;
/* latency.csv, batches.csv (of a run of the database test) and result.json (r is judged), all files
 * synced, and the rename. An
 * interrupted or invalid run is finished just so: what it says of itself tells. */
int result_dir_finish(struct result_dir *d, const struct result *r, struct err *err) MUST_CHECK;

/* Of a directory that holds other results: all that was written is synced, and the rename. Its
 * result.json is the caller's. */
int result_dir_end(struct result_dir *d, struct err *err) MUST_CHECK;
/* One that was ended, or killed (.partial), goes on: it is called .partial again, and its log is
 * appended to. */
struct result_dir *result_dir_reopen(const char *path, struct err *err);
/* One file of a directory; free() it. NULL and err where it can't be had. */
char *result_dir_read_text(const char *path, const char *name, struct err *err);
/* Whether the directory's result.json is one of that kind. */
bool result_dir_is_kind(const char *path, const char *kind);

/* Reads a directory back (all files; result_init'ed r). What a killed run left (.partial) gives
 * what there is, r->partial, and a verdict that says so. */
int result_dir_read(const char *path, struct result *r, struct err *err) MUST_CHECK;
/* The same without the three CSV files: what a list of results needs. */
int result_dir_read_figures(const char *path, struct result *r, struct err *err) MUST_CHECK;

#endif
