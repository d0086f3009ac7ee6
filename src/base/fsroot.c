/*
 * Reading files under a root, so that the sampler and its kin can be tested on a tree in a
 * temporary directory. Paths are put together by hand: a link in such a tree must be relative, as
 * those of /sys are. No state beyond the prefix: any thread.
 */
#include "base/fsroot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"
#include "base/xalloc.h"

enum { LINE_MAX_BYTES = 4096 };

void fsroot_init(struct fsroot *root, const char *prefix)
{
    size_t n = strlen(prefix);

    while (n > 0 && prefix[n - 1] == '/')
        n--;
    root->prefix = xstrndup(prefix, n);
}

void fsroot_release(struct fsroot *root)
{
    free(root->prefix);
    root->prefix = NULL;
}

char *fsroot_path(const struct fsroot *root, const char *path)
{
    CHECK(root->prefix);
    CHECK(path[0] == '/');
    return xasprintf("%s%s", root->prefix, path);
}

int fsroot_open(const struct fsroot *root, const char *path, struct err *err)
{
    char *full = fsroot_path(root, path);
    const int fd = open(full, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        (void)err_sys(err, errno, "can't open %s", full);
    free(full);
    return fd;
}

/* Reads to the end or `max`; -1 and errno on failure. */
static ssize_t read_all(int fd, char *buf, size_t max)
{
    size_t n = 0;

    while (n < max) {
        const ssize_t got = read(fd, buf + n, max - n);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        n += (size_t)got;
    }
    return (ssize_t)n;
}

char *fsroot_read(const struct fsroot *root, const char *path, size_t max, struct err *err)
{
    int fd = fsroot_open(root, path, err);
    char *buf = NULL;
    ssize_t n = 0;

    if (fd < 0)
        return NULL;
    buf = xmalloc(max + 1);
    n = read_all(fd, buf, max);
    if (n < 0) {
        (void)err_sys(err, errno, "can't read %s%s", root->prefix, path);
        free(buf);
        buf = NULL;
    } else {
        buf[n] = 0;
    }
    close_fd(&fd);
    return buf;
}

char *fsroot_read_line(const struct fsroot *root, const char *path)
{
    char *text = fsroot_read(root, path, LINE_MAX_BYTES, NULL);

    if (text)
        text[strcspn(text, "\n")] = 0;
    return text;
}

bool fsroot_exists(const struct fsroot *root, const char *path)
{
    char *full = fsroot_path(root, path);
    const bool there = access(full, F_OK) == 0;

    free(full);
    return there;
}

char *fsroot_realpath(const struct fsroot *root, const char *path)
{
    char *full = fsroot_path(root, path);
    char *base = root->prefix[0] ? realpath(root->prefix, NULL) : xstrdup("");
    char *target = realpath(full, NULL);
    char *inside = NULL;

    if (base && target) {
        const size_t n = strlen(base);

        if (strncmp(target, base, n) == 0 && target[n] == '/')
            inside = xstrdup(target + n);
        else if (strcmp(target, base) == 0)
            inside = xstrdup("/");
    }
    free(target);
    free(base);
    free(full);
    return inside;
}

static int by_name(const void *a, const void *b)
{
    const char *const *left = a;
    const char *const *right = b;

    return strcmp(*left, *right);
}

char **fsroot_list(const struct fsroot *root, const char *path)
{
    char *full = fsroot_path(root, path);
    DIR *dir = opendir(full);
    VEC(char *) names = {0};

    free(full);
    if (!dir)
        return NULL;
    for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            VEC_PUSH(&names, xstrdup(entry->d_name));
    }
    (void)closedir(dir);
    if (names.n > 1)
        qsort(names.at, names.n, sizeof(names.at[0]), by_name);
    VEC_PUSH(&names, NULL);
    return names.at;
}

void fsroot_list_free(char **names)
{
    if (!names)
        return;
    for (char **name = names; *name; name++)
        free(*name);
    free(names);
}

int make_dirs(const char *path, mode_t mode, struct err *err)
{
    char *copy = xstrdup(path);
    int rc = 0;

    for (char *slash = copy; slash && rc == 0;) {
        slash = strchr(slash + 1, '/');
        if (slash)
            *slash = 0;
        if (mkdir(copy, mode) < 0 && errno != EEXIST && errno != EISDIR)
            rc = err_sys(err, errno, "can't make the directory %s", copy);
        if (slash)
            *slash = '/';
    }
    free(copy);
    return rc;
}

int sync_dir(const char *path, struct err *err)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int rc = 0;

    if (fd < 0 || fsync(fd) < 0)
        rc = err_sys(err, errno, "can't sync %s", path);
    close_fd(&fd);
    return rc;
}

int write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        const ssize_t done = write(fd, bytes, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return -1;
        bytes += done;
        n -= (size_t)done;
    }
    return 0;
}

void close_fd(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}
