/*
 * The memory of the private server's process tree and the page cache of its files: what
 * struct cluster does with memgroup and pagecache at which moment.
 */
#ifndef CLUSTER_MEMORY_H
#define CLUSTER_MEMORY_H

#include "cluster/server.h"

/* For proc_opts.place, ctx is the cluster: moves the postmaster into a group with the limit of
 * c->memory. Never fails: without a group the server runs unlimited, and why is kept and said. */
int memory_place(pid_t pid, void *ctx, struct err *err);
/* After the server's end: counts what the kernel ended, removes the group, also one that an earlier
 * program has left. Harmless where there is none. */
void memory_let_go(struct cluster *c);
/* Takes on the group of a server that is found running. */
void memory_attach(struct cluster *c);
/* Writes out and drops the files of the stopped server; c->memory.cached_bytes is what stays. */
int memory_drop_cache(struct cluster *c, struct err *err) MUST_CHECK;
/* Puts in front of err that the kernel ended processes for want of memory, where it did. */
void memory_explain(struct cluster *c, struct err *err);

#endif
