/*
 * Writing a result directory (reading: result_dir_read.c). Files are reached through the open
 * directory, so that nobody who renames a parent sends them elsewhere. The main thread calls all of
 * it; log.txt is written by whoever holds the log. result.json comes last: where it has a verdict,
 * all other files are whole.
 */
#include "result/result_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsroot.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "result/result_csv.h"
#include "result/result_json.h"

#define NAMES_MAX 999 /* tries for a name that is not taken */
#define PARTIAL ".partial"
#define LABEL_MAX 60 /* characters of a label in a file name */

struct result_dir {
    char *parent;
    char *name; /* wanted, without "-2" and ".partial" */
    char *path; /* where it lies now */
    int parent_fd;
    int fd;
    int series_fd;     /* -1 until result_dir_begin_series */
    bool series_lacks; /* a row could not be appended */
    FILE *log;
};

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_';
}

/* Appends the label's plain characters, runs of others as one "-". name ends in "-". */
static void add_label(const char *label, struct strbuf *name)
{
    const size_t most = name->len + LABEL_MAX;

    for (; *label && name->len < most; label++) {
        if (is_plain(*label))
            strbuf_addc(name, *label);
        else if (name->buf[name->len - 1] != '-')
            strbuf_addc(name, '-');
    }
    while (name->buf[name->len - 1] == '-' || name->buf[name->len - 1] == '.')
        name->buf[--name->len] = 0;
}

/* "2026-11-30T134501Z-label"; no colons, which some file systems refuse. */
static char *make_name(const char *label, int64_t started_real_us)
{
    struct strbuf name;
    char *text = NULL;
    char utc[32];

    clock_format_utc(started_real_us, utc, sizeof(utc));
    CHECK(utc[0]);
    strbuf_init(&name);
    for (const char *c = utc; *c; c++) {
        if (*c != ':')
            strbuf_addc(&name, *c);
    }
    if (label && *label) {
        strbuf_addc(&name, '-');
        add_label(label, &name);
    }
    text = strbuf_detach(&name);
    strbuf_release(&name);
    return text;
}

static char *numbered(const char *name, int i, const char *suffix)
{
    return i == 1 ? xasprintf("%s%s", name, suffix) : xasprintf("%s-%d%s", name, i, suffix);
}

static void set_path(struct result_dir *d, const char *name)
{
    const size_t n = strlen(d->parent);

    free(d->path);
    d->path = xasprintf("%s%s%s", d->parent, d->parent[n - 1] == '/' ? "" : "/", name);
}

/* Two programs in one directory would each undo what the other writes. Where the file system has no
 * such locks, nobody is kept out. */
static int lock(const struct result_dir *d, struct err *err)
{
    if (flock(d->fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
        return err_set(err, ERR_SURROUNDINGS, "another program is at work in %s: wait for its end",
                       d->path);
    return 0;
}

static int open_partial(struct result_dir *d, const char *name, struct err *err)
{
    d->fd = openat(d->parent_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    set_path(d, name);
    return d->fd < 0 ? err_sys(err, errno, "can't open %s", d->path) : lock(d, err);
}

/* Makes <name>.partial, or with the first number whose names are not taken. */
static int make_partial(struct result_dir *d, struct err *err)
{
    for (int i = 1; i <= NAMES_MAX; i++) {
        char *final = numbered(d->name, i, "");
        char *partial = numbered(d->name, i, PARTIAL);
        const bool taken = faccessat(d->parent_fd, final, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
        const int made = taken ? -1 : mkdirat(d->parent_fd, partial, 0777);
        const int why = taken ? EEXIST : errno;

        if (made == 0) {
            const int rc = open_partial(d, partial, err);

            free(d->name);
            d->name = final;
            free(partial);
            return rc == 0 && fsync(d->parent_fd) < 0 ? err_sys(err, errno, "%s", d->parent) : rc;
        }
        free(final);
        free(partial);
        if (why != EEXIST)
            return err_sys(err, why, "can't make a result directory in %s (see --results)",
                           d->parent);
    }
    return err_set(err, ERR_SURROUNDINGS, "%s: %d results are named %s already", d->parent,
                   NAMES_MAX, d->name);
}

static int open_new(const struct result_dir *d, const char *name, int flags, struct err *err)
{
    const int fd = openat(d->fd, name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, 0666);

    if (fd < 0)
        (void)err_sys(err, errno, "can't write %s/%s", d->path, name);
    return fd;
}

static int open_log(struct result_dir *d, struct err *err)
{
    int fd = open_new(d, "log.txt", O_APPEND, err);

    if (fd < 0)
        return -1;
    d->log = fdopen(fd, "a");
    if (!d->log) {
        close_fd(&fd);
        return err_sys(err, errno, "can't write %s/log.txt", d->path);
    }
    (void)setvbuf(d->log, NULL, _IOLBF, BUFSIZ);
    return 0;
}

struct result_dir *result_dir_create(const char *parent, const char *label, int64_t started_real_us,
                                     struct err *err)
{
    struct result_dir *d = xcalloc(1, sizeof(*d));

    d->parent = xstrdup(*parent ? parent : ".");
    d->parent_fd = -1;
    d->fd = -1;
    d->series_fd = -1;
    d->name = make_name(label, started_real_us);
    if (make_dirs(d->parent, 0777, err) < 0)
        goto fail;
    d->parent_fd = open(d->parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (d->parent_fd < 0) {
        (void)err_sys(err, errno, "can't open the directory %s", d->parent);
        goto fail;
    }
    if (make_partial(d, err) < 0 || open_log(d, err) < 0)
        goto fail;
    return d;
fail:
    result_dir_free(d);
    return NULL;
}

int result_dir_possible(const char *parent, struct err *err)
{
    char *at = xstrdup(*parent ? parent : ".");
    struct stat st;
    int why = 0;

    while (stat(at, &st) < 0 && errno == ENOENT) {
        const char *slash = strrchr(at, '/');
        char *above = xstrndup(at, slash && slash > at ? (size_t)(slash - at) : 1);

        if (!slash)
            *above = '.';
        free(at);
        at = above;
    }
    if (stat(at, &st) == 0 && !S_ISDIR(st.st_mode))
        why = ENOTDIR;
    else if (access(at, W_OK | X_OK) < 0)
        why = errno;
    free(at);
    if (why)
        return err_sys(err, why, "can't make a result directory in %s (see --results)", parent);
    return 0;
}

/* "x.partial" and "x" of either; false: neither is a name. */
static bool part_names(const char *path, char **parent, char **name)
{
    char *copy = xstrdup(path);
    size_t n = strlen(copy);
    char *slash = NULL;

    while (n > 1 && copy[n - 1] == '/')
        copy[--n] = 0;
    if (n > strlen(PARTIAL) && strcmp(copy + n - strlen(PARTIAL), PARTIAL) == 0)
        copy[n - strlen(PARTIAL)] = 0;
    slash = strrchr(copy, '/');
    *name = xstrdup(slash ? slash + 1 : copy);
    *parent = slash ? xstrndup(copy, slash == copy ? 1 : (size_t)(slash - copy)) : xstrdup(".");
    free(copy);
    return **name && strcmp(*name, ".") != 0 && strcmp(*name, "..") != 0;
}

/* <name> becomes <name>.partial, unless it is that already. */
static int make_partial_again(struct result_dir *d, struct err *err)
{
    char *partial = numbered(d->name, 1, PARTIAL);
    const bool is_one = faccessat(d->parent_fd, partial, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    int rc = open_partial(d, is_one ? partial : d->name, err);

    if (rc == 0 && !is_one && renameat(d->parent_fd, d->name, d->parent_fd, partial) < 0)
        rc = err_sys(err, errno, "can't go on in %s", d->path);
    if (rc == 0)
        set_path(d, partial);
    free(partial);
    return rc;
}

struct result_dir *result_dir_reopen(const char *path, struct err *err)
{
    struct result_dir *d = xcalloc(1, sizeof(*d));

    d->parent_fd = -1;
    d->fd = -1;
    d->series_fd = -1;
    if (!part_names(path, &d->parent, &d->name)) {
        (void)err_set(err, ERR_USAGE, "%s: name the result's directory", path);
        goto fail;
    }
    d->parent_fd = open(d->parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (d->parent_fd < 0) {
        (void)err_sys(err, errno, "can't open the directory %s", d->parent);
        goto fail;
    }
    if (make_partial_again(d, err) < 0 || open_log(d, err) < 0)
        goto fail;
    return d;
fail:
    result_dir_free(d);
    return NULL;
}

void result_dir_free(struct result_dir *d)
{
    if (!d)
        return;
    if (d->log)
        (void)fclose(d->log);
    close_fd(&d->series_fd);
    close_fd(&d->fd);
    close_fd(&d->parent_fd);
    free(d->parent);
    free(d->name);
    free(d->path);
    free(d);
}

const char *result_dir_path(const struct result_dir *d)
{
    return d->path;
}

FILE *result_dir_log(struct result_dir *d)
{
    return d->log;
}

int result_dir_write_text(struct result_dir *d, const char *name, const char *text, struct err *err)
{
    char *fresh = xasprintf("%s.new", name);
    int fd = open_new(d, fresh, O_TRUNC, err);
    int rc = -1;

    if (fd < 0)
        goto out;
    if (write_all(fd, text, strlen(text)) < 0 || fsync(fd) < 0 ||
        renameat(d->fd, fresh, d->fd, name) < 0 || fsync(d->fd) < 0) {
        (void)err_sys(err, errno, "can't write %s/%s", d->path, name);
        (void)unlinkat(d->fd, fresh, 0); /* a full disk has room for what is smaller */
        goto out;
    }
    rc = 0;
out:
    close_fd(&fd);
    free(fresh);
    return rc;
}

static int write_json(struct result_dir *d, const struct result *r, struct err *err)
{
    char *text = result_json_write(r);
    const int rc = result_dir_write_text(d, "result.json", text, err);

    free(text);
    return rc;
}

int result_dir_write_early(struct result_dir *d, const struct result *r, struct err *err)
{
    struct result early = *r; /* only read */

    early.partial = true;
    return write_json(d, &early, err);
}

int result_dir_begin_series(struct result_dir *d, const struct result *r, struct err *err)
{
    struct strbuf header;
    int rc = -1;

    CHECK(d->series_fd < 0);
    strbuf_init(&header);
    if (result_dir_write_early(d, r, err) < 0)
        goto out;
    d->series_fd = open_new(d, "series.csv", O_APPEND | O_EXCL, err);
    if (d->series_fd < 0)
        goto out;
    series_csv_header(r, &header);
    if (write_all(d->series_fd, header.buf, header.len) < 0) {
        (void)err_sys(err, errno, "can't write %s/series.csv", d->path);
        goto out;
    }
    rc = 0;
out:
    strbuf_release(&header);
    return rc;
}

int result_dir_append(struct result_dir *d, const struct result *r, const struct series_row *row,
                      struct err *err)
{
    struct strbuf line;
    int rc = 0;

    CHECK(d->series_fd >= 0);
    CHECK((size_t)r->series.n_devices == r->drive.devices.n);
    strbuf_init(&line);
    series_csv_row(row, r->series.n_devices, &line);
    if (write_all(d->series_fd, line.buf, line.len) < 0)
        rc = err_sys(err, errno, "can't write %s/series.csv", d->path);
    d->series_lacks = d->series_lacks || rc < 0;
    strbuf_release(&line);
    return rc;
}

/* In place of what was appended. */
static int write_series(struct result_dir *d, const struct result *r, struct err *err)
{
    struct strbuf text;
    int rc = -1;

    strbuf_init(&text);
    series_csv_header(r, &text);
    for (size_t i = 0; i < r->series.n_rows; i++)
        series_csv_row(series_at(&r->series, i), r->series.n_devices, &text);
    rc = result_dir_write_text(d, "series.csv", text.buf, err);
    strbuf_release(&text);
    return rc;
}

static int write_distributions(struct result_dir *d, const struct result *r, struct err *err)
{
    struct strbuf text;
    int rc = -1;

    strbuf_init(&text);
    latency_csv_write(r, &text);
    if (result_dir_write_text(d, "latency.csv", text.buf, err) < 0)
        goto out;
    strbuf_reset(&text);
    batches_csv_write(r, &text);
    rc = result_dir_write_text(d, "batches.csv", text.buf, err);
out:
    strbuf_release(&text);
    return rc;
}

/* A directory is renamed to a name that was free when it was made; should it be taken by now, the
 * next free one is used. */
static int rename_final(struct result_dir *d, struct err *err)
{
    char *old = xstrdup(strrchr(d->path, '/') + 1);
    int rc = -1;

    for (int i = 1; i <= NAMES_MAX && rc < 0; i++) {
        char *final = numbered(d->name, i, "");

        rc = renameat2(d->parent_fd, old, d->parent_fd, final, RENAME_NOREPLACE);
        if (rc < 0 && errno == EINVAL) /* a file system that can't promise it */
            rc = renameat(d->parent_fd, old, d->parent_fd, final);
        if (rc == 0)
            set_path(d, final);
        free(final);
        if (rc < 0 && errno != EEXIST && errno != ENOTEMPTY)
            break;
    }
    if (rc < 0)
        (void)err_sys(err, errno, "can't rename %s", d->path);
    free(old);
    return rc;
}

/* What only a run of the database test has. */
static int finish_series(struct result_dir *d, const struct result *r, struct err *err)
{
    if (!result_is_oltp(r))
        return 0;
    if (d->series_fd < 0 && result_dir_begin_series(d, r, err) < 0)
        return -1;
    if (d->series_lacks && write_series(d, r, err) < 0)
        return -1;
    if (!d->series_lacks && fsync(d->series_fd) < 0)
        return err_sys(err, errno, "can't write %s", d->path);
    return write_distributions(d, r, err);
}

int result_dir_finish(struct result_dir *d, const struct result *r, struct err *err)
{
    CHECK(r->ended);
    CHECK(!r->partial);
    if (finish_series(d, r, err) < 0 || write_json(d, r, err) < 0)
        return -1;
    return result_dir_end(d, err);
}

int result_dir_end(struct result_dir *d, struct err *err)
{
    if (fflush(d->log) != 0 || fsync(fileno(d->log)) < 0 || fsync(d->fd) < 0)
        return err_sys(err, errno, "can't write %s", d->path);
    if (rename_final(d, err) < 0)
        return -1;
    if (fsync(d->parent_fd) < 0)
        return err_sys(err, errno, "can't write %s", d->parent);
    return 0;
}
