/*
 * Reading a result directory back. Whoever wrote it may have been another program, a killed one or
 * no program at all: sizes are bounded, and what is wrong is an error with the file's name.
 */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/xalloc.h"
#include "result/result_csv.h"
#include "result/result_dir.h"
#include "result/result_json.h"
#include "result/verdict.h"

#define MIB (UINT64_C(1) << 20)

typedef int (*read_text_fn)(char *text, struct result *r, struct err *err);

static int read_json(char *text, struct result *r, struct err *err)
{
    return result_json_read(text, r, err);
}

struct file {
    const char *name;
    uint64_t max_bytes; /* far above what a run can write */
    read_text_fn read;
};

static const struct file json_file = {"result.json", 64 * MIB, read_json};
static const struct file csv_files[] = {
    {"series.csv", 512 * MIB, series_csv_read},
    {"latency.csv", 256 * MIB, latency_csv_read},
    {"batches.csv", 512 * MIB, batches_csv_read},
};

static int read_bytes(int fd, char *to, size_t n)
{
    while (n > 0) {
        const ssize_t got = read(fd, to, n);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0) {
            errno = EIO; /* it shrank while we read */
            return -1;
        }
        to += got;
        n -= (size_t)got;
    }
    return 0;
}

/* The file as a text; NULL and err on failure. *missing: it is not there. free() it. */
static char *slurp(int dir_fd, const struct file *f, bool *missing, struct err *err)
{
    int fd = openat(dir_fd, f->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    char *text = NULL;
    size_t size = 0;

    *missing = fd < 0 && errno == ENOENT;
    if (*missing) {
        (void)err_set(err, ERR_SURROUNDINGS, "not there: no result directory, or not a whole one");
        goto out;
    }
    if (fd < 0 || fstat(fd, &st) < 0) {
        (void)err_sys(err, errno, "can't read it");
        goto out;
    }
    if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size > f->max_bytes) {
        (void)err_set(err, ERR_SURROUNDINGS, "not a file that tpcc-run writes");
        goto out;
    }
    size = (size_t)st.st_size;
    text = xmalloc(size + 1);
    if (read_bytes(fd, text, size) < 0) {
        (void)err_sys(err, errno, "can't read it");
        goto fail;
    }
    text[size] = 0;
    if (memchr(text, 0, size)) {
        (void)err_set(err, ERR_SURROUNDINGS, "binary data where text should be");
        goto fail;
    }
    goto out;
fail:
    free(text);
    text = NULL;
out:
    close_fd(&fd);
    return text;
}

static int read_file(int dir_fd, const struct file *f, struct result *r, struct err *err)
{
    bool missing = false;
    char *text = slurp(dir_fd, f, &missing, err);
    int rc = -1;

    if (!text && missing && r->partial)
        return 0;
    if (text)
        rc = f->read(text, r, err);
    free(text);
    return rc < 0 ? err_wrap(err, "%s", f->name) : 0;
}

static bool ends_with(const char *path, const char *end)
{
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/')
        n--;
    return n >= strlen(end) && memcmp(path + n - strlen(end), end, strlen(end)) == 0;
}

static int read_all_of(const char *path, size_t n_csv_files, struct result *r, struct err *err)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int rc = -1;

    if (fd < 0) {
        (void)err_sys(err, errno, "can't open the result directory");
        goto out;
    }
    /* Where there is no result.json yet the name tells; else result.json does. */
    r->partial = ends_with(path, ".partial") && faccessat(fd, "result.json", F_OK, 0) < 0;
    if (r->partial && faccessat(fd, "series.csv", F_OK, 0) < 0) {
        (void)err_set(err, ERR_SURROUNDINGS, "neither result.json nor series.csv in it");
        goto out;
    }
    if (read_file(fd, &json_file, r, err) < 0)
        goto out;
    for (size_t i = 0; i < n_csv_files && result_is_oltp(r); i++) {
        if (read_file(fd, &csv_files[i], r, err) < 0)
            goto out;
    }
    if (r->partial)
        verdict_judge(r);
    rc = 0;
out:
    if (rc < 0)
        (void)err_wrap(err, "%s", path);
    close_fd(&fd);
    return rc;
}

char *result_dir_read_text(const char *path, const char *name, struct err *err)
{
    const struct file file = {name, 64 * MIB, NULL};
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool missing = false;
    char *text = NULL;

    if (fd < 0)
        (void)err_sys(err, errno, "can't open the result directory");
    else
        text = slurp(fd, &file, &missing, err);
    if (!text)
        (void)err_wrap(err, "%s/%s", path, name);
    close_fd(&fd);
    return text;
}

bool result_dir_is_kind(const char *path, const char *kind)
{
    char *text = result_dir_read_text(path, "result.json", NULL);
    json_t *root = text ? json_loads(text, 0, NULL) : NULL;
    const char *is = json_string_value(json_object_get(root, "kind"));
    const bool yes = is && strcmp(is, kind) == 0;

    json_decref(root);
    free(text);
    return yes;
}

int result_dir_read(const char *path, struct result *r, struct err *err)
{
    return read_all_of(path, ARRAY_LEN(csv_files), r, err);
}

int result_dir_read_figures(const char *path, struct result *r, struct err *err)
{
    return read_all_of(path, 0, r, err);
}
