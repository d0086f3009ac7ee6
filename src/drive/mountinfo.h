/*
 * /proc/self/mountinfo, parsed. Paths are unescaped; `super` stays as the kernel wrote it, since
 * an option's value may hold an escaped comma: read single ones with mountinfo_option().
 */
#ifndef DRIVE_MOUNTINFO_H
#define DRIVE_MOUNTINFO_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/fsroot.h"
#include "base/vec.h"

struct mount {
    uint64_t id, parent;
    uint32_t major, minor; /* of the file system; major 0: it has no block device of its own */
    char *point;           /* where it is mounted */
    char *options;         /* of this mount: "rw,relatime" */
    char *type;            /* "ext4", "fuse.sshfs" */
    char *source;          /* "/dev/sda1", "server:/export", "none" */
    char *super;           /* of the file system, escaped: "rw,upperdir=/a\040b" */
};

struct mountinfo {
    VEC(struct mount) mounts; /* in the kernel's order: later ones lie over earlier ones */
};

/* A zeroed struct is a valid empty one. On failure `out` is empty; the error names the line. */
int mountinfo_parse(const char *text, struct mountinfo *out, struct err *err) MUST_CHECK;
int mountinfo_read(const struct fsroot *root, struct mountinfo *out, struct err *err) MUST_CHECK;
void mountinfo_release(struct mountinfo *mi);

/* NULL where there is none. */
const struct mount *mountinfo_by_id(const struct mountinfo *mi, uint64_t id);
/* The mount whose point is the longest prefix of this absolute path; of equals the last. */
const struct mount *mountinfo_by_path(const struct mountinfo *mi, const char *path);

/* The value of `name=` in m->super, unescaped; NULL where it is not there; free() it. */
char *mountinfo_option(const struct mount *m, const char *name);
/* Options of the mount and of its file system, each once, escaped; free() it. */
char *mountinfo_all_options(const struct mount *m);

/* Decodes "\040" and its like in place (also those of /proc/swaps); anything else stays. */
void mountinfo_unescape(char *text);

#endif
