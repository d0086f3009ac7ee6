/*
 * A directory of a test's own: a fake /sys tree, a file to read. Removed whole at the end.
 */
#ifndef HARNESS_TMPDIR_H
#define HARNESS_TMPDIR_H

/* Makes an empty directory and gives its path; tmpdir_free() it. */
char *tmpdir_new(void);
/* Removes it with all that is in it, and frees the path. NULL is allowed. */
void tmpdir_free(char *dir);
/* dir + path ("/sys/block/sda/stat") gets this text; directories on the way are made. */
void tmpdir_write(const char *dir, const char *path, const char *text);
void tmpdir_mkdir(const char *dir, const char *path);
/* dir + path becomes a symbolic link to target, which is written as given (best relative). */
void tmpdir_symlink(const char *dir, const char *path, const char *target);

#endif
