/*
 * A root under which absolute paths are looked up, so that /sys and /proc can be a directory of a
 * test. The empty prefix is the machine itself.
 */
#ifndef BASE_FSROOT_H
#define BASE_FSROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

struct fsroot {
    char *prefix; /* "" for the machine */
};

void fsroot_init(struct fsroot *root, const char *prefix);
void fsroot_release(struct fsroot *root);
/* prefix + path; free() it. */
char *fsroot_path(const struct fsroot *root, const char *path);
/* Read-only, close-on-exec; -1 and err on failure. */
int fsroot_open(const struct fsroot *root, const char *path, struct err *err) MUST_CHECK;
/* The file's bytes up to `max`, 0-terminated; free() it. NULL and err on failure. */
char *fsroot_read(const struct fsroot *root, const char *path, size_t max, struct err *err);
/* As above without the trailing newline, NULL where the file is not there or not readable. */
char *fsroot_read_line(const struct fsroot *root, const char *path);
bool fsroot_exists(const struct fsroot *root, const char *path);
/* The target of a symbolic link made absolute and canonical, without the prefix; NULL on failure;
 * free() it. */
char *fsroot_realpath(const struct fsroot *root, const char *path);
/* Names in a directory, sorted, without "." and ".."; NULL-terminated; fsroot_list_free() it.
 * NULL where the directory is not there. */
char **fsroot_list(const struct fsroot *root, const char *path);
void fsroot_list_free(char **names);

/* "mkdir -p": also the parents that are missing. */
int make_dirs(const char *path, mode_t mode, struct err *err) MUST_CHECK;
/* fsync() of a directory: the names in it outlive a loss of power. */
int sync_dir(const char *path, struct err *err) MUST_CHECK;
/* All of it, where the kernel takes it in parts too; -1 with errno. */
int write_all(int fd, const char *bytes, size_t n) MUST_CHECK;

/* Closes *fd if it is open and sets it to -1. */
void close_fd(int *fd);

#endif
