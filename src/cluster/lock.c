/*
 * Taking the lock. A removal by somebody else may take the file away between our open and our
 * flock: then what we hold is a lock on nothing, which the comparison of the inodes tells.
 */
#include "cluster/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/xalloc.h"

enum { TRIES = 10, HOST_MAX = 65 };

/* "host H, process N, since T": what goes into the file, and into the other one's message. */
static char *who_we_are(const struct clock *clk)
{
    char host[HOST_MAX] = "?";
    char since[32];

    if (gethostname(host, sizeof(host) - 1) < 0)
        (void)strcpy(host, "?");
    clock_format_utc(clock_real_us(clk), since, sizeof(since));
    return xasprintf("host %s, process %jd, since %s\n", host, (intmax_t)getpid(), since);
}

static int refuse(const struct layout *l, struct err *err)
{
    char *holder = layout_read(l, LAYOUT_LOCK);
    const size_t n = holder ? strcspn(holder, "\n") : 0;

    (void)err_set(err, ERR_SURROUNDINGS, "%s is in use (%.*s): wait for its end, or end it", l->dir,
                  n > 0 && n < 200 ? (int)n : 7, n > 0 && n < 200 ? holder : "unknown");
    free(holder);
    return -1;
}

/* True where the path still leads to the file we have open. */
static bool still_there(const char *path, int fd)
{
    struct stat by_path;
    struct stat by_fd;

    return lstat(path, &by_path) == 0 && fstat(fd, &by_fd) == 0 && by_path.st_dev == by_fd.st_dev &&
           by_path.st_ino == by_fd.st_ino;
}

static int write_holder(int fd, const char *path, const struct clock *clk, struct err *err)
{
    char *who = who_we_are(clk);
    const size_t n = strlen(who);
    int rc = 0;

    if (ftruncate(fd, 0) < 0 || pwrite(fd, who, n, 0) != (ssize_t)n)
        rc = err_sys(err, errno ? errno : ENOSPC, "can't write %s", path);
    free(who);
    return rc;
}

/* One attempt: the descriptor, -1 for an error, -2 for once more. */
static int try_once(const struct layout *l, const char *path, struct err *err)
{
    int fd = -1;

    if (layout_make(l, err) < 0)
        return -1;
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0)
        return errno == ENOENT ? -2 : err_sys(err, errno, "can't open %s", path);
    if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
        if (errno == EWOULDBLOCK)
            (void)refuse(l, err);
        else
            (void)err_sys(err, errno, "can't lock %s", path);
        close_fd(&fd);
        return -1;
    }
    if (still_there(path, fd) && layout_look(l, NULL) == 1)
        return fd;
    close_fd(&fd);
    return -2;
}

int lock_take(const struct layout *l, const struct clock *clk, struct err *err)
{
    char *path = layout_path(l, LAYOUT_LOCK);
    int fd = -2;

    for (int i = 0; i < TRIES && fd == -2; i++)
        fd = try_once(l, path, err);
    if (fd == -2)
        fd =
            err_set(err, ERR_SURROUNDINGS, "can't lock %s: it is being removed all the time", path);
    if (fd >= 0 && write_holder(fd, path, clk, err) < 0)
        close_fd(&fd);
    free(path);
    return fd;
}
