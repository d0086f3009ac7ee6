/*
 * Makes files of lines. Every folder is looked at before it is used; links are made by us, relative
 * and to such folders only, so that what is written below one stays inside.
 */
#include "drive/remote_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "drive/remote_words.h"

#define LINES_MAX 200000
#define PATH_BYTES_MAX 1024
#define DEVICES "/sys/devices/"

struct maker {
    const struct fsroot *root;
    char *folder; /* of the device whose lines follow; NULL: none yet */
};

static int sane_error(const char *what, struct err *err)
{
    return err_set(err, ERR_SURROUNDINGS, "not a path of sysfs: \"%.80s\"", what);
}

/* No part of it is empty, "." or "..". */
static bool parts_are_sane(const char *path)
{
    if (strlen(path) >= PATH_BYTES_MAX)
        return false;
    for (const char *part = path; *part != '\0';) {
        const size_t len = strcspn(part, "/");

        if (len == 0 || (len == 1 && part[0] == '.') ||
            (len == 2 && part[0] == '.' && part[1] == '.'))
            return false;
        part += len;
        if (*part == '/' && *++part == '\0')
            return false;
    }
    return *path != '\0';
}

static bool folder_is_sane(const char *folder)
{
    return strncmp(folder, DEVICES, strlen(DEVICES)) == 0 && parts_are_sane(folder + 1);
}

/* Makes the folders on the way to a path of the root. */
static int make_parents(const char *full, size_t prefix_len, struct err *err)
{
    char *copy = xstrdup(full);
    int rc = 0;

    for (char *c = copy + prefix_len + 1; *c != '\0' && rc == 0; c++) {
        if (*c != '/')
            continue;
        *c = '\0';
        if (mkdir(copy, 0700) < 0 && errno != EEXIST)
            rc = err_sys(err, errno, "can't make %s", copy);
        *c = '/';
    }
    free(copy);
    return rc;
}

static int add_folder(const struct maker *m, const char *path, struct err *err)
{
    char *full = xasprintf("%s%s/", m->root->prefix, path);
    const int rc = make_parents(full, strlen(m->root->prefix), err);

    free(full);
    return rc;
}

/* What is there already stays: a host that says a thing twice has said it. */
static int add_file(const struct maker *m, const char *path, const char *text, struct err *err)
{
    char *full = fsroot_path(m->root, path);
    int fd = -1;
    int rc = make_parents(full, strlen(m->root->prefix), err);

    if (rc < 0)
        goto out;
    fd = open(full, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if ((fd < 0 && errno != EEXIST) || (fd >= 0 && write_all(fd, text, strlen(text)) < 0))
        rc = err_sys(err, errno, "can't write %s", full);
out:
    close_fd(&fd);
    free(full);
    return rc;
}

/* A link from one path of the root to another, relative as those of sysfs. */
static int add_link(const struct maker *m, const char *from, const char *to, struct err *err)
{
    char *full = fsroot_path(m->root, from);
    struct strbuf target;
    int rc = make_parents(full, strlen(m->root->prefix), err);

    strbuf_init(&target);
    for (const char *c = strchr(from + 1, '/'); c != NULL; c = strchr(c + 1, '/'))
        strbuf_adds(&target, "../");
    strbuf_adds(&target, to + 1);
    if (rc == 0 && symlink(target.buf, full) < 0 && errno != EEXIST)
        rc = err_sys(err, errno, "can't make the link %s", full);
    strbuf_release(&target);
    free(full);
    return rc;
}

/* Cuts the first word off; NULL where it is the last. */
static char *cut_word(char *text)
{
    char *blank = strchr(text, ' ');

    if (blank == NULL)
        return NULL;
    *blank = '\0';
    return blank + 1;
}

static int link_named(const struct maker *m, char *from, const char *to, struct err *err)
{
    const int rc = add_link(m, from, to, err);

    free(from);
    return rc;
}

static int add_device(struct maker *m, char *rest, struct err *err)
{
    char *folder = cut_word(rest);

    if (folder == NULL || !folder_is_sane(folder) || !remote_name_is_sane(rest))
        return sane_error(rest, err);
    free(m->folder);
    m->folder = xstrdup(folder);
    if (add_folder(m, folder, err) < 0)
        return -1;
    return link_named(m, xasprintf("/sys/class/block/%s", rest), folder, err);
}

static int add_attribute(const struct maker *m, char *rest, struct err *err)
{
    char *value = cut_word(rest);
    char *path = NULL;
    char *text = NULL;
    int rc;

    if (value == NULL || m->folder == NULL || !parts_are_sane(rest))
        return sane_error(rest, err);
    path = xasprintf("%s/%s", m->folder, rest);
    text = xasprintf("%s\n", value);
    rc = add_file(m, path, text, err);
    if (rc == 0 && strcmp(rest, "dev") == 0 && parts_are_sane(value) && !strchr(value, '/'))
        rc = link_named(m, xasprintf("/sys/dev/block/%s", value), m->folder, err);
    free(text);
    free(path);
    return rc;
}

static int add_directory(const struct maker *m, const char *rest, struct err *err)
{
    char *path = NULL;
    int rc;

    if (m->folder == NULL || !parts_are_sane(rest))
        return sane_error(rest, err);
    path = xasprintf("%s/%s", m->folder, rest);
    rc = add_folder(m, path, err);
    free(path);
    return rc;
}

static int add_slave(const struct maker *m, char *rest, struct err *err)
{
    const char *folder = cut_word(rest);

    if (folder == NULL || m->folder == NULL || !remote_name_is_sane(rest))
        return sane_error(rest, err);
    if (strcmp(folder, "-") == 0)
        folder = DEVICES "gone";
    if (!folder_is_sane(folder))
        return sane_error(folder, err);
    return link_named(m, xasprintf("%s/slaves/%s", m->folder, rest), folder, err);
}

static int add_elsewhere(const struct maker *m, char *rest, struct err *err)
{
    char *value = cut_word(rest);
    char *text;
    int rc;

    if (value == NULL || !folder_is_sane(rest))
        return sane_error(rest, err);
    text = xasprintf("%s\n", value);
    rc = add_file(m, rest, text, err);
    free(text);
    return rc;
}

static int add_btrfs(const struct maker *m, char *rest, struct err *err)
{
    char *name = cut_word(rest);
    char *folder = name != NULL ? cut_word(name) : NULL;

    if (folder == NULL || !folder_is_sane(folder) || !remote_name_is_sane(rest) ||
        !remote_name_is_sane(name))
        return sane_error(rest, err);
    return link_named(m, xasprintf("/sys/fs/btrfs/%s/devices/%s", rest, name), folder, err);
}

static int add_line(struct maker *m, char *line, struct err *err)
{
    char *rest = cut_word(line);

    if (rest == NULL || strlen(line) != 1)
        return sane_error(line, err);
    switch (*line) {
    case 'D':
        return add_device(m, rest, err);
    case 'A':
        return add_attribute(m, rest, err);
    case 'E':
        return add_directory(m, rest, err);
    case 'L':
        return add_slave(m, rest, err);
    case 'X':
        return add_elsewhere(m, rest, err);
    case 'B':
        return add_btrfs(m, rest, err);
    }
    return sane_error(line, err);
}

static int add_tree(struct maker *m, const char *tree, struct err *err)
{
    char *copy = xstrdup(tree);
    int lines = 0;
    int rc = 0;

    for (char *line = copy, *next; *line != '\0' && rc == 0; line = next) {
        next = line + strcspn(line, "\n");
        if (*next != '\0')
            *next++ = '\0';
        rc = ++lines > LINES_MAX ? err_set(err, ERR_SURROUNDINGS, "over %d lines", LINES_MAX)
                                 : add_line(m, line, err);
    }
    free(copy);
    return rc;
}

/* The lines without the "=" before each. */
static int add_lines(const struct maker *m, const char *path, const char *lines, struct err *err)
{
    struct strbuf text;
    int rc;

    strbuf_init(&text);
    for (const char *line = lines; *line != '\0';) {
        const size_t len = strcspn(line, "\n");

        if (*line == '=')
            strbuf_add(&text, line + 1, len - 1);
        strbuf_addc(&text, '\n');
        line += len + (line[len] == '\n');
    }
    rc = add_file(m, path, text.len > 0 ? text.buf : "", err);
    strbuf_release(&text);
    return rc;
}

int remote_tree_make(const struct remote_tree_text *text, struct fsroot *root, struct err *err)
{
    const char *tmp = getenv("TMPDIR");
    char *dir = xasprintf("%s/tpcc-run.XXXXXX", tmp != NULL && tmp[0] == '/' ? tmp : "/tmp");
    struct maker m = {.root = root};
    int rc = -1;

    memset(root, 0, sizeof(*root));
    if (mkdtemp(dir) == NULL) {
        (void)err_sys(err, errno, "can't make the directory %s", dir);
        goto out;
    }
    fsroot_init(root, dir);
    rc = add_tree(&m, text->tree, err);
    if (rc == 0)
        rc = add_lines(&m, "/proc/self/mountinfo", text->mounts, err);
    if (rc == 0)
        rc = add_lines(&m, "/proc/swaps", text->swaps, err);
    if (rc < 0)
        remote_tree_remove(root);
out:
    free(m.folder);
    free(dir);
    return rc;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

void remote_tree_remove(struct fsroot *root)
{
    if (root->prefix == NULL)
        return;
    (void)nftw(root->prefix, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    fsroot_release(root);
}
