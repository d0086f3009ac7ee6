/*
 * Whom the private server runs as: PostgreSQL refuses root, so root hands it to an unprivileged
 * user; anybody else runs it as himself.
 */
#ifndef CLUSTER_SERVER_USER_H
#define CLUSTER_SERVER_USER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/proc.h"

struct server_user {
    bool other; /* not us: programs are run as it */
    uid_t uid;
    gid_t gid;
    char *name;
};

/* `name` counts only for root. server_user_release() it. */
int server_user_find(const char *name, struct server_user *u, struct err *err) MUST_CHECK;
void server_user_release(struct server_user *u);
/* The user's part of what a program is run with. */
void server_user_apply(const struct server_user *u, struct proc_opts *opts);
/* The error names the first directory on the way to `dir` that this user can't enter. */
int server_user_can_enter(const struct server_user *u, const char *dir, struct err *err) MUST_CHECK;

#endif
