/*
 * DIR/tpcc-run/ as files. Everything that erases goes through remove_at(), which works on
 * directory handles, follows no link and stays on the file system it began on, so that a link or a
 * mount that somebody put into the cluster leads nowhere. One thread.
 */
#include "cluster/layout.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "base/xalloc.h"

enum { DEPTH_MAX = 32, TEXT_MAX = 64 * 1024 };

static const char owner_text[] =
    "tpcc-run private server, format 1\n"
    "This directory and all in it was made by tpcc-run, which removes it on\n"
    "tpcc-run --drive DIR --remove\n";
static const char image_owner_text[] =
    "tpcc-run image of a dataset, format 1\n"
    "This directory and all in it was made by tpcc-run, which removes it on\n"
    "tpcc-run --drive DIR --image IMAGE --remove\n";

/* `what` names the directory in errors. */
static int init(struct layout *l, const char *dir, const char *name, const char *what,
                struct err *err)
{
    struct stat st;

    l->drive = realpath(dir, NULL);
    if (!l->drive)
        return err_sys(err, errno, "%s directory %s", what, dir);
    if (stat(l->drive, &st) < 0)
        return err_sys(err, errno, "%s directory %s", what, dir);
    if (!S_ISDIR(st.st_mode))
        return err_set(err, ERR_SURROUNDINGS, "%s directory %s: it is not a directory", what, dir);
    l->dir = xasprintf("%s/%s", strcmp(l->drive, "/") == 0 ? "" : l->drive, name);
    l->data = layout_path(l, LAYOUT_DATA);
    l->log = layout_path(l, LAYOUT_LOG);
    return 0;
}

int layout_init(struct layout *l, const char *drive_dir, struct err *err)
{
    *l = (struct layout){.owner = owner_text, .option = "--drive"};
    return init(l, drive_dir, LAYOUT_DIR, "drive", err);
}

int layout_init_image(struct layout *l, const char *image_dir, struct err *err)
{
    *l = (struct layout){.owner = image_owner_text, .option = "--image"};
    if (init(l, image_dir, LAYOUT_IMAGE_DIR, "image", err) < 0)
        return -1;
    if (strchr(l->drive, '\n')) /* a line of RESTORE holds it */
        return err_set(err, ERR_USAGE, "image directory %s: its path has a line break", image_dir);
    return 0;
}

void layout_release(struct layout *l)
{
    free(l->drive);
    free(l->dir);
    free(l->data);
    free(l->log);
    *l = (struct layout){0};
}

char *layout_path(const struct layout *l, const char *name)
{
    return xasprintf("%s/%s", l->dir, name);
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* True where nothing is in it, or only the lock that a removal cut off at its very end leaves. */
static bool is_empty(const char *dir)
{
    DIR *d = opendir(dir);
    bool empty = true;

    if (!d)
        return false;
    for (const struct dirent *e = readdir(d); e && empty; e = readdir(d))
        empty = is_dots(e->d_name) || strcmp(e->d_name, LAYOUT_LOCK) == 0;
    (void)closedir(d);
    return empty;
}

/* OWNER may be empty: it is when the machine went down while it was being made. */
static bool has_owner(const struct layout *l)
{
    char *path = layout_path(l, LAYOUT_OWNER);
    char *text = layout_read(l, LAYOUT_OWNER);
    struct stat st;
    const bool ours = text && lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
                      (text[0] == 0 || strncmp(text, l->owner, strcspn(l->owner, "\n") + 1) == 0);

    free(text);
    free(path);
    return ours;
}

int layout_look(const struct layout *l, struct err *err)
{
    struct stat st;

    if (lstat(l->dir, &st) < 0 && errno == ENOENT)
        return 0;
    if (lstat(l->dir, &st) < 0)
        return err_sys(err, errno, "%s", l->dir);
    if (S_ISLNK(st.st_mode))
        return err_set(err, ERR_SURROUNDINGS, "%s is a link: name the place it leads to with %s",
                       l->dir, l->option);
    if (!S_ISDIR(st.st_mode))
        return err_set(err, ERR_SURROUNDINGS,
                       "%s is not a directory: move it away, or name another %s", l->dir,
                       l->option);
    if (geteuid() != 0 && st.st_uid != geteuid())
        return err_set(err, ERR_SURROUNDINGS,
                       "%s belongs to user number %ju: run as that user or as root, or name "
                       "another %s",
                       l->dir, (uintmax_t)st.st_uid, l->option);
    /* In this order: beside us somebody may be making it. */
    if (is_empty(l->dir))
        return 0;
    if (has_owner(l))
        return 1;
    return err_set(err, ERR_SURROUNDINGS,
                   "%s is not ours (no file %s of tpcc-run in it) and stays as it is: move it "
                   "away, or name another %s",
                   l->dir, LAYOUT_OWNER, l->option);
}

/* In place, and never by another name: what is seen of it at any time says that it is ours. */
static int write_owner(const struct layout *l, struct err *err)
{
    char *path = layout_path(l, LAYOUT_OWNER);
    int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
    int rc = -1;

    if (fd < 0 || write_all(fd, l->owner, strlen(l->owner)) < 0 || fsync(fd) < 0)
        (void)err_sys(err, errno, "can't write %s", path);
    else
        rc = sync_dir(l->dir, err);
    close_fd(&fd);
    free(path);
    return rc;
}

int layout_make(const struct layout *l, struct err *err)
{
    const int ours = layout_look(l, err);

    if (ours != 0)
        return ours < 0 ? -1 : 0;
    if (mkdir(l->dir, 0755) < 0 && errno != EEXIST)
        return err_sys(err, errno, "can't make %s", l->dir);
    /* Whatever the umask: the server's user has to pass through it. */
    if (chmod(l->dir, 0755) < 0)
        return err_sys(err, errno, "can't set the mode of %s", l->dir);
    return write_owner(l, err) < 0 ? -1 : sync_dir(l->drive, err);
}

bool layout_exists(const struct layout *l, const char *name)
{
    char *path = layout_path(l, name);
    struct stat st;
    const bool there = lstat(path, &st) == 0;

    free(path);
    return there;
}

char *layout_read(const struct layout *l, const char *name)
{
    struct fsroot here;
    char *path = layout_path(l, name);
    char *text = NULL;

    fsroot_init(&here, "");
    if (fsroot_exists(&here, path))
        text = fsroot_read(&here, path, TEXT_MAX, NULL);
    fsroot_release(&here);
    free(path);
    return text;
}

int layout_write_path(const char *path, const char *text, uid_t uid, gid_t gid, struct err *err)
{
    char *beside = xasprintf("%s.new", path);
    char *slash = NULL;
    int fd = -1;
    int rc = -1;

    if (unlink(beside) < 0 && errno != ENOENT) {
        (void)err_sys(err, errno, "can't replace %s", beside);
        goto out;
    }
    fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0 || write_all(fd, text, strlen(text)) < 0 ||
        (uid != geteuid() && fchown(fd, uid, gid) < 0) || fsync(fd) < 0 ||
        rename(beside, path) < 0) {
        (void)err_sys(err, errno, "can't write %s", path);
        if (fd >= 0)
            (void)unlink(beside);
        goto out;
    }
    slash = strrchr(beside, '/'); /* the name beside lies in the same folder */
    CHECK(slash);
    *slash = 0;
    rc = sync_dir(beside, err);
out:
    close_fd(&fd);
    free(beside);
    return rc;
}

int layout_write(const struct layout *l, const char *name, const char *text, struct err *err)
{
    char *path = layout_path(l, name);
    const int rc = layout_write_path(path, text, geteuid(), getegid(), err);

    free(path);
    return rc;
}

int layout_unlink(const struct layout *l, const char *name, struct err *err)
{
    char *path = layout_path(l, name);
    int rc = 0;

    if (unlink(path) == 0)
        rc = sync_dir(l->dir, err);
    else if (errno != ENOENT)
        rc = err_sys(err, errno, "can't remove %s", path);
    free(path);
    return rc;
}

int layout_rename(const struct layout *l, const char *from, const char *to, struct err *err)
{
    char *old = layout_path(l, from);
    char *new = layout_path(l, to);
    int rc = 0;

    if (rename(old, new) < 0)
        rc = err_sys(err, errno, "can't rename %s to %s", old, to);
    else
        rc = sync_dir(l->dir, err);
    free(old);
    free(new);
    return rc;
}

/* Where remove_at() is: the folder it began with, for messages and for staying on its device. */
struct removal {
    const char *top;
    dev_t dev;
};

/* These are left by empty_dir() at depth 0. */
static bool is_claim(const char *name)
{
    return strcmp(name, LAYOUT_OWNER) == 0 || strcmp(name, LAYOUT_LOCK) == 0;
}

static int remove_at(int dir_fd, const char *name, const struct removal *r, int depth,
                     struct err *err);

/* Empties the folder behind fd, which is taken over. */
static int empty_dir(int fd, const struct removal *r, int depth, struct err *err)
{
    DIR *d = fdopendir(fd);
    int rc = 0;

    if (!d) {
        rc = err_sys(err, errno, "can't empty a folder in %s", r->top);
        close_fd(&fd);
        return rc;
    }
    for (const struct dirent *e = readdir(d); e && rc == 0; e = readdir(d)) {
        const bool left = is_dots(e->d_name) || (depth == 0 && is_claim(e->d_name));

        if (!left)
            rc = remove_at(dirfd(d), e->d_name, r, depth + 1, err);
    }
    (void)closedir(d);
    return rc;
}

static int remove_at(int dir_fd, const char *name, const struct removal *r, int depth,
                     struct err *err)
{
    struct stat st;
    int fd = -1;

    if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT ? 0 : err_sys(err, errno, "can't remove %s in %s", name, r->top);
    if (!S_ISDIR(st.st_mode)) {
        if (unlinkat(dir_fd, name, 0) < 0)
            return err_sys(err, errno, "can't remove %s in %s", name, r->top);
        return 0;
    }
    if (st.st_dev != r->dev || depth >= DEPTH_MAX)
        return err_set(err, ERR_SURROUNDINGS,
                       "%s in %s is not removed: something else is mounted there", name, r->top);
    fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return err_sys(err, errno, "can't open %s in %s", name, r->top);
    if (empty_dir(fd, r, depth, err) < 0)
        return -1;
    if (unlinkat(dir_fd, name, AT_REMOVEDIR) < 0)
        return err_sys(err, errno, "can't remove %s in %s", name, r->top);
    return 0;
}

/* Opens DIR/tpcc-run itself and notes its device. */
static int open_top(const struct layout *l, struct removal *r, struct err *err)
{
    struct stat st;
    int fd = open(l->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (fd < 0 || fstat(fd, &st) < 0) {
        (void)err_sys(err, errno, "can't open %s", l->dir);
        close_fd(&fd);
        return -1;
    }
    r->top = l->dir;
    r->dev = st.st_dev;
    return fd;
}

int layout_remove(const struct layout *l, const char *name, struct err *err)
{
    struct removal r = {0};
    int fd = open_top(l, &r, err);
    int rc = -1;

    CHECK(!strchr(name, '/'));
    if (fd < 0)
        return -1;
    rc = remove_at(fd, name, &r, 1, err);
    close_fd(&fd);
    return rc;
}

int layout_remove_all(const struct layout *l, struct err *err)
{
    struct removal r = {0};
    const int ours = layout_look(l, err);
    int fd = -1;

    if (ours <= 0)
        return ours;
    /* OWNER and lock go last: what a removal leaves when it is cut off is still ours, and nobody
     * else begins in here before it is done. Who begins after that may put back what it needs. */
    fd = open_top(l, &r, err);
    if (fd < 0 || empty_dir(fd, &r, 0, err) < 0)
        return -1;
    if (layout_unlink(l, LAYOUT_OWNER, err) < 0 || layout_unlink(l, LAYOUT_LOCK, err) < 0)
        return -1;
    if (rmdir(l->dir) < 0 && errno != ENOTEMPTY)
        return err_sys(err, errno, "can't remove %s", l->dir);
    return sync_dir(l->drive, err);
}

char *dataset_note_format(const struct dataset_note *n)
{
    return xasprintf("warehouses=%ju\ncomplete=%d\nbytes=%ju\nloaded_at_us=%ju\n",
                     (uintmax_t)n->warehouses, n->complete ? 1 : 0, (uintmax_t)n->bytes,
                     (uintmax_t)(n->loaded_at_us > 0 ? n->loaded_at_us : 0));
}

/* The number behind "key" at the start of a line. */
static bool note_number(const char *text, const char *key, uint64_t *out)
{
    const size_t n = strlen(key);

    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, n) == 0) {
            char *value = xstrndup(line + n, strcspn(line + n, "\n"));
            const int rc = units_parse_u64(value, out, NULL);

            free(value);
            return rc == 0;
        }
    }
    return false;
}

void dataset_note_parse(const char *text, struct dataset_note *n)
{
    uint64_t complete = 0;
    uint64_t loaded_at_us = 0;

    *n = (struct dataset_note){0};
    if (!text || !note_number(text, "warehouses=", &n->warehouses) ||
        !note_number(text, "complete=", &complete) || complete > 1 ||
        !note_number(text, "bytes=", &n->bytes))
        *n = (struct dataset_note){0};
    else
        n->complete = complete == 1;
    /* An earlier program did not note it. */
    if (n->complete && note_number(text, "loaded_at_us=", &loaded_at_us) &&
        loaded_at_us <= INT64_MAX)
        n->loaded_at_us = (int64_t)loaded_at_us;
}
