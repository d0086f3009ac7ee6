/*
 * The directory of the private server's socket: fresh, mode 0700, of the server's user. Short,
 * since the path of a Unix socket has 107 bytes at most, which a path on a drive may exceed.
 */
#ifndef CLUSTER_SOCKET_DIR_H
#define CLUSTER_SOCKET_DIR_H

#include <sys/types.h>

#include "base/err.h"

#define SOCKET_PORT 5432 /* only a part of the socket's name */

/* In the first of `parents` (NULL-terminated) where it can be made. free() it; NULL and err. */
char *socket_dir_make(const char *const *parents, uid_t uid, gid_t gid, struct err *err);
/* Removes one that we made, with the socket in it. Anything else is left alone. */
void socket_dir_remove(const char *dir);

#endif
