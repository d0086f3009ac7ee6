/*
 * The control group that limits the memory of one private server, page cache included. Three kinds,
 * tried in this order: a scope of systemd (the user's own where we are not root), a group made by
 * hand in cgroup v2, one in cgroup v1. A group made by hand lies beside our own, so that limits
 * that others have set further up still hold. One thread; under a root, so that tests use made
 * trees.
 */
#ifndef CLUSTER_MEMGROUP_H
#define CLUSTER_MEMGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/fsroot.h"

enum memgroup_kind { MEMGROUP_NONE, MEMGROUP_SYSTEMD, MEMGROUP_V2, MEMGROUP_V1 };
/* "none", "systemd", "cgroup v2", "cgroup v1". */
const char *memgroup_kind_name(enum memgroup_kind kind);

/* What our rights and this machine's groups let expect: the kind that will be tried first. NONE
 * and the reason in err where there is none. Writes nothing. */
enum memgroup_kind memgroup_expect(const struct fsroot *root, struct err *err);

/* Invariant: kind is NONE exactly where dir is NULL. */
struct memgroup {
    enum memgroup_kind kind;
    char *dir; /* of the group, without the root's prefix */
    uint64_t limit_bytes;
    int64_t kills; /* as last read; -1: never */
};

/* Makes a group `name` ("tpcc-run-...") with this limit and no swap, and moves the process into it;
 * a group of that name that is left over is taken. -1 and out->kind NONE where no kind works: err
 * says why. memgroup_release() it. */
struct memgroup_wish {
    const char *name;
    uint64_t limit_bytes;
    pid_t pid;
};
int memgroup_place(const struct fsroot *root, const struct memgroup_wish *wish,
                   struct memgroup *out, struct err *err) MUST_CHECK;
void memgroup_release(struct memgroup *g);

/* Takes on a group by its directory, as it was noted by an earlier program; kind NONE where that is
 * no group of ours, or gone. */
void memgroup_attach(const struct fsroot *root, const char *dir, struct memgroup *out);

/* Processes that the kernel ended for want of memory in the group since it was made; the last
 * figure known where the group is gone; -1 where there never was one. */
int64_t memgroup_kills(const struct fsroot *root, struct memgroup *g);
/* Removes the empty group; a scope of systemd goes by itself. -1 with errno where it can't be
 * removed (EBUSY while a process is in it). */
int memgroup_remove(const struct fsroot *root, struct memgroup *g);

#endif
