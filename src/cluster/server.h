/*
 * The server as a process: launch, wait until it takes connections, stop, find out why it ended.
 * A part of struct cluster; cluster.c decides when and with which settings.
 */
#ifndef CLUSTER_SERVER_H
#define CLUSTER_SERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cluster/cluster.h"
#include "cluster/image.h"
#include "cluster/layout.h"
#include "cluster/memgroup.h"
#include "cluster/programs.h"
#include "cluster/server_user.h"

/* Invariant: pid is 0, or that of a postmaster of ours that was not yet seen to end. */
struct server {
    pid_t pid;
    bool child;        /* started by us: we are told of its end */
    char *socket_dir;  /* NULL before the first start; the same for all starts after it */
    uint64_t log_from; /* where this start's lines begin in cluster.log */
    uint64_t buffer_bytes;
};

/* Texts are owned. */
struct cluster_memory_state {
    uint64_t wanted_bytes; /* of the next start; 0: no limit */
    struct memgroup group; /* of the server that runs, or ran last and is not cleared away yet */
    char *why_none;
    int64_t kills_before; /* in earlier groups */
    int64_t cached_bytes; /* -1: the cache was never dropped */
};

struct cluster {
    struct cluster_opts opts;
    struct fsroot root; /* the machine */
    struct layout layout;
    struct server_user user;
    struct programs programs;
    struct err programs_err; /* ERR_NONE: found */
    struct server server;
    struct cluster_memory_state memory;
    int lock_fd;
    bool adopted;
    char *conninfo;
    struct image_restored restored; /* done: and the server was not started since */
    char *restored_from;            /* the image's home */
};

/* Starts postgres with these further "name=value" settings (NULL-terminated, may be NULL) and
 * waits until it takes connections. */
int server_launch(struct cluster *c, char *const *settings, struct err *err) MUST_CHECK;
/* Takes on a server that is already running. */
void server_attach(struct cluster *c, pid_t pid, const char *socket_dir);
bool server_alive(const struct cluster *c);
/* True where it has ended, or does within a moment: a lost connection is seen before its cause. */
bool server_gone_soon(const struct cluster *c);
/* Fast, then immediate, then by force; all of them bounded. Harmless where it does not run. */
int server_stop(struct cluster *c, struct err *err) MUST_CHECK;
/* Runs a program of PostgreSQL's (argv[0] is its name) to its end with progress; its output goes to
 * cluster.log. Ended when the user asks to stop. `step` names it. */
int server_run_program(struct cluster *c, const char *const *argv, const char *step,
                       struct err *err) MUST_CHECK;
/* Tells of a full drive in front of err; true where it is full. */
bool server_drive_full(const struct cluster *c, struct err *err);

#endif
