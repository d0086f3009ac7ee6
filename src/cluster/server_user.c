/*
 * The server's user. Whether it may enter a directory is asked of the kernel, by running `test` as
 * that user: modes alone do not tell of access lists, groups or security modules.
 */
#include "cluster/server_user.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xalloc.h"

enum { PASSWD_BYTES = 16 * 1024 };

int server_user_find(const char *name, struct server_user *u, struct err *err)
{
    const bool root = geteuid() == 0;
    char *buf = xmalloc(PASSWD_BYTES);
    struct passwd entry;
    struct passwd *got = NULL;
    int rc = -1;

    *u = (struct server_user){.uid = geteuid(), .gid = getegid()};
    errno = root ? getpwnam_r(name, &entry, buf, PASSWD_BYTES, &got)
                 : getpwuid_r(geteuid(), &entry, buf, PASSWD_BYTES, &got);
    if (!root) { /* a user number without a name does as well */
        u->name = got ? xstrdup(got->pw_name) : xasprintf("number %ju", (uintmax_t)u->uid);
        rc = 0;
    } else if (!got) {
        (void)err_set(err, ERR_SURROUNDINGS,
                      "no user %s for the server, which does not run as root: name another with "
                      "--server-user",
                      name);
    } else if (got->pw_uid == 0) {
        (void)err_set(err, ERR_USAGE, "--server-user %s: PostgreSQL does not run as root", name);
    } else {
        u->other = true;
        u->uid = got->pw_uid;
        u->gid = got->pw_gid;
        u->name = xstrdup(name);
        rc = 0;
    }
    free(buf);
    return rc;
}

void server_user_release(struct server_user *u)
{
    free(u->name);
    *u = (struct server_user){0};
}

void server_user_apply(const struct server_user *u, struct proc_opts *opts)
{
    opts->as_user = u->other;
    opts->uid = u->uid;
    opts->gid = u->gid;
    opts->user = u->other ? u->name : NULL;
}

static int enters(const struct server_user *u, const char *dir, bool *can, struct err *err)
{
    const char *const argv[] = {"test", "-x", dir, NULL};
    struct proc_opts opts = {.argv = argv, .timeout_ns = 10 * NS_PER_S};
    int status = 0;

    server_user_apply(u, &opts);
    if (proc_run(&opts, &status, NULL, err) < 0)
        return -1;
    *can = status == 0;
    return 0;
}

int server_user_can_enter(const struct server_user *u, const char *dir, struct err *err)
{
    char *part = xstrdup(dir);
    bool can = false;
    int rc = enters(u, dir, &can, err);

    CHECK(dir[0] == '/');
    /* The whole way is walked only where the end can't be reached. */
    for (size_t i = 1; rc == 0 && !can && dir[i - 1]; i++) {
        if (dir[i] != '/' && dir[i] != 0)
            continue;
        part[i] = 0;
        rc = enters(u, part, &can, err);
        if (rc == 0 && !can)
            rc = err_set(err, ERR_SURROUNDINGS,
                         "user %s, who runs the server, can't enter %s: allow it (chmod o+x %s), "
                         "or name another --server-user or --drive",
                         u->name, part, part);
        part[i] = dir[i];
        can = false;
    }
    free(part);
    return rc;
}
