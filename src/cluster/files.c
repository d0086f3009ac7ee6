/*
 * Threads take the files of the list one after the other. A copy is made by read and write: on a
 * file system with reflinks copy_file_range() makes a clone, and a run that starts from clones is
 * another run. Room is allocated before a file is written, so that its extents are alike in every
 * copy; holes stay holes. The calling thread works too, and tells between its chunks how far all
 * are.
 */
#include "cluster/files.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/fsroot.h"
#include "base/pagecache.h"
#include "base/thread.h"
#include "base/xalloc.h"

enum { WORKERS = 4, CHUNK = 1 << 20 };
#define SYNC_BYTES (UINT64_C(1) << 20) /* a file of so many is written out by who copied it */
#define TELL_NS (100 * NS_PER_MS)

const char *files_method_name(enum files_method m)
{
    return m == FILES_COPY ? "copy" : "reflink";
}

/* ---- the list ---- */

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static int by_bytes(const void *a, const void *b)
{
    const struct files_one *x = a;
    const struct files_one *y = b;

    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return strcmp(x->path, y->path);
}

/* What stands at one place of the walk; skip: length of the directory's own path. */
static int take_entry(struct files *f, const FTSENT *e, size_t skip, struct err *err)
{
    const char *path = e->fts_path + skip;

    switch (e->fts_info) {
    case FTS_D:
        if (e->fts_level > 0)
            VEC_PUSH(&f->folders,
                     ((struct files_folder){xstrdup(path), e->fts_statp->st_mode & 07777}));
        return 0;
    case FTS_DP:
        return 0;
    case FTS_F:
        VEC_PUSH(&f->list, ((struct files_one){.path = xstrdup(path),
                                               .bytes = (uint64_t)e->fts_statp->st_size,
                                               .mode = e->fts_statp->st_mode & 07777}));
        f->bytes += (uint64_t)e->fts_statp->st_size;
        return 0;
    case FTS_SL:
    case FTS_SLNONE:
        return err_set(err, ERR_SURROUNDINGS,
                       "%s is a link: what lies elsewhere is not copied (put it into the directory "
                       "itself)",
                       e->fts_path);
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        return err_sys(err, e->fts_errno, "can't read %s", e->fts_path);
    default:
        return err_set(err, ERR_SURROUNDINGS, "%s is neither a file nor a folder", e->fts_path);
    }
}

int files_scan(const char *dir, struct files *f, struct err *err)
{
    char *top = xstrdup(dir);
    char *const roots[] = {top, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    dev_t dev = 0;
    int rc = walk ? 0 : err_sys(err, errno, "can't read %s", dir);

    *f = (struct files){0};
    errno = 0;
    for (const FTSENT *e = walk ? fts_read(walk) : NULL; e && rc == 0; e = fts_read(walk)) {
        if (e->fts_level == 0)
            dev = e->fts_statp->st_dev;
        if (e->fts_info == FTS_D && e->fts_statp->st_dev != dev)
            rc = err_set(err, ERR_SURROUNDINGS, "%s is not copied: something else is mounted there",
                         e->fts_path);
        else
            rc = take_entry(f, e, strlen(dir) + 1, err);
        errno = 0;
    }
    if (rc == 0 && errno != 0)
        rc = err_sys(err, errno, "can't read %s", dir);
    if (walk)
        (void)fts_close(walk);
    free(top);
    if (f->list.n > 0)
        qsort(f->list.at, f->list.n, sizeof(*f->list.at), by_bytes);
    return rc;
}

void files_release(struct files *f)
{
    for (size_t i = 0; i < f->folders.n; i++)
        free(f->folders.at[i].path);
    for (size_t i = 0; i < f->list.n; i++)
        free(f->list.at[i].path);
    VEC_RELEASE(&f->folders);
    VEC_RELEASE(&f->list);
    *f = (struct files){0};
}

/* ---- threads over it ---- */

struct crowd;
typedef int (*one_fn)(struct crowd *c, size_t index, char *buf, struct err *err);

struct crowd {
    const struct files *files;
    const struct files_work *w;
    one_fn one;
    uint32_t *crc;                /* of each file as it was read */
    const struct files_copy *how; /* NULL: they are only read */
    int from_fd, to_fd;
    uint64_t start_ns;
    pthread_t teller; /* the calling thread */
    atomic_size_t next;
    atomic_uint_fast64_t done, written; /* bytes */
    atomic_bool failed;
    pthread_mutex_t mutex;
    struct err err; /* by mutex: the first */
};

static void tell(const struct crowd *c)
{
    const struct progress p = {
        .step = c->w->step,
        .unit = "bytes",
        .done = atomic_load(&c->done),
        .total = c->files->bytes,
        .elapsed_ns = clock_now_ns(c->w->clock) - c->start_ns,
    };

    if (c->w->on_progress)
        c->w->on_progress(&p, c->w->ctx);
}

/* After every chunk, by whoever did it. */
static int advance(struct crowd *c, size_t n, struct err *err)
{
    atomic_fetch_add(&c->done, n);
    if (pthread_equal(pthread_self(), c->teller))
        tell(c);
    if (stop_level(c->w->stop) > 0)
        return err_set(err, ERR_INTERRUPTED, "interrupted");
    return atomic_load(&c->failed) ? err_set(err, ERR_SURROUNDINGS, "given up") : 0;
}

static void work(struct crowd *c)
{
    char *buf = xmalloc(CHUNK);

    while (!atomic_load(&c->failed)) {
        const size_t i = atomic_fetch_add(&c->next, 1);
        struct err err = {0};

        if (i >= c->files->list.n)
            break;
        if (c->one(c, i, buf, &err) == 0)
            continue;
        pthread_mutex_lock(&c->mutex);
        if (!atomic_exchange(&c->failed, true))
            c->err = err;
        pthread_mutex_unlock(&c->mutex);
    }
    free(buf);
}

static void *worker_main(void *ctx)
{
    work(ctx);
    return NULL;
}

static int run_crowd(struct crowd *c, struct err *err)
{
    struct thread threads[WORKERS - 1] = {0};
    int rc = 0;

    c->start_ns = clock_now_ns(c->w->clock);
    c->teller = pthread_self();
    pthread_mutex_init(&c->mutex, NULL);
    for (int i = 0; i < WORKERS - 1 && rc == 0; i++)
        rc = thread_start(&threads[i], "copier", worker_main, c, err);
    if (rc < 0)
        atomic_store(&c->failed, true);
    work(c);
    for (int i = 0; i < WORKERS - 1; i++) {
        while (threads[i].started && !thread_join_timed(&threads[i], TELL_NS))
            tell(c);
    }
    if (rc == 0 && atomic_load(&c->failed)) {
        rc = -1;
        if (err)
            *err = c->err;
    }
    if (rc == 0)
        tell(c);
    pthread_mutex_destroy(&c->mutex);
    return rc;
}

static int open_dir(const char *path, struct err *err)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    return fd < 0 ? err_sys(err, errno, "can't open %s", path) : fd;
}

/* ---- one file ---- */

static int read_chunk(int fd, char *buf, size_t n, uint64_t at)
{
    size_t have = 0;

    while (have < n) {
        const ssize_t got = pread(fd, buf + have, n - have, (off_t)(at + have));

        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = ENODATA; /* shorter than it was */
        if (got <= 0)
            return -1;
        have += (size_t)got;
    }
    return 0;
}

static int write_chunk(int fd, const char *buf, size_t n, uint64_t at)
{
    while (n > 0) {
        const ssize_t put = pwrite(fd, buf, n, (off_t)at);

        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return -1;
        buf += put;
        n -= (size_t)put;
        at += (uint64_t)put;
    }
    return 0;
}

/* Whether all of this part of the file is a hole; where the file system can't tell, it is none. */
static bool is_hole(int fd, uint64_t at, size_t n)
{
    const off_t data = lseek(fd, (off_t)at, SEEK_DATA);

    return data < 0 ? errno == ENXIO : (uint64_t)data >= at + n;
}

/* Reads a file through, sums it up, and writes it to `out` where that is open. */
static int pass_bytes(struct crowd *c, size_t index, const int fds[2], char *buf, struct err *err)
{
    const struct files_one *f = &c->files->list.at[index];
    uLong crc = crc32_z(0, NULL, 0);

    for (uint64_t at = 0; at < f->bytes;) {
        const uint64_t left = f->bytes - at;
        const size_t n = left < CHUNK ? (size_t)left : (size_t)CHUNK;
        const bool hole = is_hole(fds[0], at, n);

        if (hole)
            memset(buf, 0, n);
        else if (read_chunk(fds[0], buf, n, at) < 0)
            return err_sys(err, errno, "reading %s", f->path);
        crc = crc32_z(crc, (const Bytef *)buf, n);
        if (fds[1] >= 0 && !hole) {
            if (write_chunk(fds[1], buf, n, at) < 0)
                return err_sys(err, errno, "writing %s", f->path);
            atomic_fetch_add(&c->written, n);
        }
        at += n;
        if (advance(c, n, err) < 0)
            return -1;
    }
    c->crc[index] = (uint32_t)crc;
    return 0;
}

static int compare(const struct crowd *c, size_t index, struct err *err)
{
    const struct files_one *f = &c->files->list.at[index];

    if (c->crc[index] == f->crc)
        return 0;
    return err_set(err, ERR_CHECK_FAILED, "%s has another checksum (%08x) than it had (%08x)",
                   f->path, (unsigned)c->crc[index], (unsigned)f->crc);
}

static int clone_one(struct crowd *c, size_t index, const int fds[2], char *buf, struct err *err)
{
    const struct files_one *f = &c->files->list.at[index];

    if (ioctl(fds[1], FICLONE, fds[0]) < 0)
        return err_sys(err, errno,
                       "%s can't be cloned (reflinks need one file system that has them, as btrfs "
                       "and XFS: --restore-method copy does without)",
                       f->path);
    if (!c->how->sums_known)
        return pass_bytes(c, index, (const int[2]){fds[0], -1}, buf, err);
    c->crc[index] = f->crc; /* looked at by the check that follows */
    return advance(c, f->bytes, err);
}

/* Room for all of it at once, but where it has holes; what has no such call goes without. */
static int allocate(const struct files_one *f, const struct stat *st, int out, struct err *err)
{
    if (f->bytes == 0 || (uint64_t)st->st_blocks * 512 < f->bytes)
        return 0;
    if (fallocate(out, 0, 0, (off_t)f->bytes) == 0 || errno == EOPNOTSUPP || errno == ENOSYS)
        return 0;
    return err_sys(err, errno, "room for %s", f->path);
}

static int compare_length(const struct files_one *f, const struct stat *st, struct err *err)
{
    if (S_ISREG(st->st_mode) && (uint64_t)st->st_size == f->bytes)
        return 0;
    return err_set(err, ERR_CHECK_FAILED, "%s has %jd bytes and not %ju", f->path,
                   (intmax_t)st->st_size, (uintmax_t)f->bytes);
}

static int fill_file(struct crowd *c, size_t index, const int fds[2], char *buf, struct err *err)
{
    const struct files_one *f = &c->files->list.at[index];
    struct stat st;

    if (fstat(fds[0], &st) < 0)
        return err_sys(err, errno, "%s", f->path);
    if (compare_length(f, &st, err) < 0)
        return -1;
    if (c->how->method == FILES_REFLINK) {
        if (clone_one(c, index, fds, buf, err) < 0)
            return -1;
    } else if (allocate(f, &st, fds[1], err) < 0 || pass_bytes(c, index, fds, buf, err) < 0) {
        return -1;
    }
    if (c->how->sums_known && compare(c, index, err) < 0)
        return -1;
    if (ftruncate(fds[1], (off_t)f->bytes) < 0 || fchmod(fds[1], f->mode) < 0 ||
        (c->how->give_away && fchown(fds[1], c->how->uid, c->how->gid) < 0) ||
        (f->bytes >= SYNC_BYTES && fdatasync(fds[1]) < 0))
        return err_sys(err, errno, "%s", f->path);
    /* Neither is to fill the memory of what else runs here. */
    (void)posix_fadvise(fds[0], 0, 0, POSIX_FADV_DONTNEED);
    (void)posix_fadvise(fds[1], 0, 0, POSIX_FADV_DONTNEED);
    return 0;
}

static int copy_one(struct crowd *c, size_t index, char *buf, struct err *err)
{
    const char *path = c->files->list.at[index].path;
    int fds[2] = {openat(c->from_fd, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC), -1};
    int rc = 0;

    if (fds[0] < 0)
        rc = err_sys(err, errno, "can't open %s", path);
    if (rc == 0) {
        fds[1] = openat(c->to_fd, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        rc = fds[1] < 0 ? err_sys(err, errno, "can't make %s", path)
                        : fill_file(c, index, fds, buf, err);
    }
    close_fd(&fds[0]);
    close_fd(&fds[1]);
    return rc;
}

static int check_one(struct crowd *c, size_t index, char *buf, struct err *err)
{
    const struct files_one *f = &c->files->list.at[index];
    int fd = openat(c->from_fd, f->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    int rc = 0;

    if (fd < 0 || fstat(fd, &st) < 0)
        rc = err_sys(err, errno, "can't open %s", f->path);
    else if (compare_length(f, &st, err) < 0 ||
             pass_bytes(c, index, (const int[2]){fd, -1}, buf, err) < 0 ||
             compare(c, index, err) < 0)
        rc = -1;
    if (fd >= 0)
        (void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    close_fd(&fd);
    return rc;
}

/* ---- all of them ---- */

static int make_folder(const struct files_copy *how, const char *path, mode_t mode, struct err *err)
{
    if (mkdir(path, 0700) < 0 || chmod(path, mode) < 0 ||
        (how->give_away && chown(path, how->uid, how->gid) < 0))
        return err_sys(err, errno, "can't make %s", path);
    return 0;
}

static int make_folders(const struct files *f, const struct files_copy *how, struct err *err)
{
    int rc = make_folder(how, how->to, 0700, err);

    for (size_t i = 0; i < f->folders.n && rc == 0; i++) {
        char *path = xasprintf("%s/%s", how->to, f->folders.at[i].path);

        rc = make_folder(how, path, f->folders.at[i].mode, err);
        free(path);
    }
    return rc;
}

/* Small files and the folders, then out of the page cache. */
static int write_out(const struct files_copy *how, int to_fd, struct stop *stop, struct err *err)
{
    if (syncfs(to_fd) < 0)
        return err_sys(err, errno, "writing out %s", how->to);
    return pagecache_drop(how->to, stop, NULL, err);
}

int files_copy(struct files *f, struct files_copy *how, const struct files_work *w, struct err *err)
{
    struct crowd c = {.files = f, .w = w, .one = copy_one, .how = how, .from_fd = -1, .to_fd = -1};
    int rc = -1;

    c.crc = xcalloc(f->list.n + 1, sizeof(*c.crc));
    c.from_fd = open_dir(how->from, err);
    if (c.from_fd < 0 || make_folders(f, how, err) < 0)
        goto out;
    c.to_fd = open_dir(how->to, err);
    if (c.to_fd < 0)
        goto out;
    rc = run_crowd(&c, err);
    how->written = atomic_load(&c.written);
    if (rc == 0)
        rc = write_out(how, c.to_fd, w->stop, err);
    for (size_t i = 0; i < f->list.n && rc == 0 && !how->sums_known; i++)
        f->list.at[i].crc = c.crc[i];
out:
    if (rc < 0)
        (void)err_wrap(err, "copying %s to %s", how->from, how->to);
    close_fd(&c.from_fd);
    close_fd(&c.to_fd);
    free(c.crc);
    return rc;
}

int files_look(const struct files *f, const char *dir, struct err *err)
{
    int fd = open_dir(dir, err);
    int rc = fd < 0 ? -1 : 0;

    for (size_t i = 0; i < f->list.n && rc == 0; i++) {
        const struct files_one *one = &f->list.at[i];
        struct stat st;

        if (fstatat(fd, one->path, &st, AT_SYMLINK_NOFOLLOW) < 0)
            rc = err_set(err, ERR_CHECK_FAILED, "%s is missing", one->path);
        else
            rc = compare_length(one, &st, err);
    }
    if (rc < 0)
        (void)err_wrap(err, "%s", dir);
    close_fd(&fd);
    return rc;
}

int files_check(const struct files *f, const char *dir, const struct files_work *w, struct err *err)
{
    struct crowd c = {.files = f, .w = w, .one = check_one, .to_fd = -1};
    int rc = -1;

    c.crc = xcalloc(f->list.n + 1, sizeof(*c.crc));
    c.from_fd = open_dir(dir, err);
    if (c.from_fd >= 0)
        rc = run_crowd(&c, err);
    if (rc < 0)
        (void)err_wrap(err, "comparing %s", dir);
    close_fd(&c.from_fd);
    free(c.crc);
    return rc;
}
