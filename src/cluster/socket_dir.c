/*
 * Making and removing the socket's directory. No state.
 */
#include "cluster/socket_dir.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/xalloc.h"

static const char prefix[] = "tpcc-run.";

static char *socket_path(const char *dir, const char *ending)
{
    return xasprintf("%s/.s.PGSQL.%d%s", dir, SOCKET_PORT, ending);
}

static char *make_in(const char *parent, uid_t uid, gid_t gid, struct err *err)
{
    char *dir = xasprintf("%s/%sXXXXXX", parent, prefix);
    char *socket = socket_path(dir, "");
    const size_t length = strlen(socket);
    const size_t most = sizeof(((struct sockaddr_un *)NULL)->sun_path) - 1;

    free(socket);
    if (length > most) {
        (void)err_set(err, ERR_SURROUNDINGS, "%s: a socket's path there has over %zu bytes", parent,
                      most);
        free(dir);
        return NULL;
    }
    if (!mkdtemp(dir)) {
        (void)err_sys(err, errno, "can't make a directory for the server's socket in %s", parent);
        free(dir);
        return NULL;
    }
    if (uid != geteuid() && chown(dir, uid, gid) < 0) {
        (void)err_sys(err, errno, "can't hand %s to the server's user", dir);
        (void)rmdir(dir);
        free(dir);
        return NULL;
    }
    return dir;
}

char *socket_dir_make(const char *const *parents, uid_t uid, gid_t gid, struct err *err)
{
    char *dir = NULL;

    for (; *parents && !dir; parents++)
        dir = make_in(*parents, uid, gid, err);
    if (dir)
        err_reset(err);
    return dir;
}

void socket_dir_remove(const char *dir)
{
    const char *slash = strrchr(dir, '/');
    struct stat st;

    if (!slash || strncmp(slash + 1, prefix, strlen(prefix)) != 0 || lstat(dir, &st) < 0 ||
        !S_ISDIR(st.st_mode))
        return;
    for (int i = 0; i < 2; i++) {
        char *path = socket_path(dir, i == 0 ? "" : ".lock");

        (void)unlink(path); /* the server has removed them itself where it ended cleanly */
        free(path);
    }
    (void)rmdir(dir);
}
