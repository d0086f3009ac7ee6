/*
 * Page cache by file: fdatasync, POSIX_FADV_DONTNEED, mincore. Only clean pages are dropped, so
 * each file is written out first. Files may be gone by the time they are opened: that is no error.
 * Any thread; no state.
 */
#include "base/pagecache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/xalloc.h"

enum { DEPTH_MAX = 16, WINDOW_BYTES = 1 << 30 };

struct walk {
    struct stop *stop;
    bool drop;
    struct pagecache *found;
    struct err *err;
};

/* Pages of this part of the file that are in memory. */
static int count_cached(int fd, off_t at, size_t length, uint64_t *pages)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t n = (length + page - 1) / page;
    void *map = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, at);
    unsigned char *in_memory = NULL;
    int rc = -1;

    if (map == MAP_FAILED)
        return -1;
    in_memory = xcalloc(n, 1);
    rc = mincore(map, length, in_memory);
    for (size_t i = 0; rc == 0 && i < n; i++)
        *pages += in_memory[i] & 1;
    free(in_memory);
    (void)munmap(map, length);
    return rc;
}

static int look_at_file(int fd, const struct stat *st, struct pagecache *found)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t pages = 0;

    for (off_t at = 0; at < st->st_size; at += WINDOW_BYTES) {
        const off_t left = st->st_size - at;
        const size_t length = left < WINDOW_BYTES ? (size_t)left : (size_t)WINDOW_BYTES;

        if (count_cached(fd, at, length, &pages) < 0)
            return -1;
    }
    found->files++;
    found->bytes += (uint64_t)st->st_size;
    found->cached_bytes += pages * page;
    return 0;
}

static int drop_file(int fd)
{
    if (fdatasync(fd) < 0)
        return -1;
    errno = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    return errno ? -1 : 0;
}

static int visit_file(const struct walk *w, int dir_fd, const char *name)
{
    int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    int rc = 0;

    if (fd < 0)
        return errno == ENOENT || errno == ELOOP ? 0 : err_sys(w->err, errno, "%s", name);
    if (fstat(fd, &st) < 0)
        rc = err_sys(w->err, errno, "%s", name);
    else if (S_ISREG(st.st_mode) && w->drop && drop_file(fd) < 0)
        rc = err_sys(w->err, errno, "writing out %s", name);
    else if (S_ISREG(st.st_mode) && w->found && look_at_file(fd, &st, w->found) < 0)
        rc = err_sys(w->err, errno, "asking what of %s is in memory", name);
    close_fd(&fd);
    return rc;
}

static int visit_dir(const struct walk *w, int dir_fd, const char *name, int depth);

static int visit(const struct walk *w, int dir_fd, const char *name, int depth)
{
    struct stat st;

    if (stop_level(w->stop) > 0)
        return err_set(w->err, ERR_INTERRUPTED, "interrupted while the page cache was dropped");
    if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT ? 0 : err_sys(w->err, errno, "%s", name);
    if (S_ISDIR(st.st_mode))
        return visit_dir(w, dir_fd, name, depth + 1);
    return S_ISREG(st.st_mode) ? visit_file(w, dir_fd, name) : 0;
}

static int visit_dir(const struct walk *w, int dir_fd, const char *name, int depth)
{
    int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    int rc = 0;

    if (!dir) {
        rc = err_sys(w->err, errno, "can't read %s", name);
        close_fd(&fd);
        return rc;
    }
    if (depth > DEPTH_MAX)
        rc = err_set(w->err, ERR_SURROUNDINGS, "%s: folders too deep", name);
    for (const struct dirent *e = readdir(dir); e && rc == 0; e = readdir(dir)) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            rc = visit(w, dirfd(dir), e->d_name, depth);
    }
    (void)closedir(dir);
    return rc;
}

static int walk(const char *dir, const struct walk *w)
{
    if (w->found)
        *w->found = (struct pagecache){0};
    if (visit_dir(w, AT_FDCWD, dir, 0) < 0)
        return err_wrap(w->err, "page cache of %s", dir);
    return 0;
}

int pagecache_look(const char *dir, struct pagecache *out, struct err *err)
{
    return walk(dir, &(struct walk){.found = out, .err = err});
}

int pagecache_drop(const char *dir, struct stop *stop, struct pagecache *left, struct err *err)
{
    if (walk(dir, &(struct walk){.stop = stop, .drop = true, .err = err}) < 0)
        return -1;
    return left ? walk(dir, &(struct walk){.stop = stop, .found = left, .err = err}) : 0;
}
