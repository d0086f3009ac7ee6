/*
 * Where on this machine a group with a memory limit could be made, and what we may do there. Reads
 * only. A part of memgroup.
 */
#ifndef CLUSTER_MEMGROUP_WHERE_H
#define CLUSTER_MEMGROUP_WHERE_H

#include "cluster/memgroup.h"

struct memgroup_where {
    enum memgroup_kind kind;
    bool user_manager; /* systemd: our own manager, not the machine's */
    char *parent;      /* by hand: the group in which to make ours; NULL for systemd */
    bool absent;       /* after a failure: this machine has nothing of the kind */
};

/* -1: no group of this kind can be made, err says why. memgroup_where_release() it, also then. */
int memgroup_where_find(const struct fsroot *root, enum memgroup_kind kind,
                        struct memgroup_where *out, struct err *err) MUST_CHECK;
void memgroup_where_release(struct memgroup_where *w);

/* The directory of the process's group in the hierarchy that has the memory controller; NULL where
 * there is none; free() it. */
char *memgroup_of_process(const struct fsroot *root, pid_t pid);

/* Whether a text of words between blanks has this one. */
bool memgroup_has_word(const char *text, const char *word);

#endif
