/*
 * Looks for a place of a memory group. A path in /proc/self/cgroup begins at the root of the
 * hierarchy, of which a container may see a part only: leading folders that are not there are left
 * out.
 */
#include "cluster/memgroup_where.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "drive/mountinfo.h"

enum { FILE_MAX = 64 * 1024 };

bool memgroup_has_word(const char *text, const char *word)
{
    const size_t len = strlen(word);

    while (*text) {
        const size_t n = strcspn(text, " ,\n");

        if (n == len && strncmp(text, word, n) == 0)
            return true;
        text += n;
        text += strspn(text, " ,\n");
    }
    return false;
}

/* The mount point of cgroup2, or of the v1 hierarchy with the memory controller; NULL; free(). */
static char *mount_point(const struct fsroot *root, bool v2)
{
    struct mountinfo mi = {0};
    char *point = NULL;

    if (mountinfo_read(root, &mi, NULL) < 0)
        return NULL;
    for (size_t i = 0; i < mi.mounts.n && !point; i++) {
        const struct mount *m = &mi.mounts.at[i];

        if (v2 ? strcmp(m->type, "cgroup2") == 0
               : strcmp(m->type, "cgroup") == 0 && memgroup_has_word(m->super, "memory"))
            point = xstrdup(m->point);
    }
    mountinfo_release(&mi);
    return point;
}

/* "4:memory,other:/path" and "0::/path": the path in v1's memory hierarchy, or in v2's. NULL: none;
 * free() it. */
static char *path_in(const struct fsroot *root, const char *file, bool v2)
{
    char *text = fsroot_read(root, file, FILE_MAX, NULL);
    char *rest = text;
    char *path = NULL;

    for (char *line = strsep(&rest, "\n"); line && !path; line = strsep(&rest, "\n")) {
        char *controllers = strchr(line, ':');
        char *at = controllers ? strchr(controllers + 1, ':') : NULL;

        if (!at)
            continue;
        *at = 0;
        if (v2 ? strcmp(controllers, ":") == 0 && strncmp(line, "0:", 2) == 0
               : memgroup_has_word(controllers + 1, "memory"))
            path = xstrdup(at + 1);
    }
    free(text);
    return path;
}

static bool has_procs(const struct fsroot *root, const char *dir)
{
    char *path = xasprintf("%s/cgroup.procs", dir);
    const bool has = fsroot_exists(root, path);

    free(path);
    return has;
}

/* The directory that this file of /proc names; NULL where it is not seen; free() it. */
static char *group_dir(const struct fsroot *root, const char *file, bool v2)
{
    char *point = mount_point(root, v2);
    char *path = point ? path_in(root, file, v2) : NULL;
    const char *at = path;
    char *dir = NULL;

    while (at && !dir) {
        dir = xasprintf("%s%s", point, strcmp(at, "/") == 0 ? "" : at);
        if (has_procs(root, dir))
            break;
        free(dir);
        dir = NULL;
        at = *at ? strchr(at + 1, '/') : NULL;
        if (!at && has_procs(root, point))
            dir = xstrdup(point);
    }
    free(path);
    free(point);
    return dir;
}

char *memgroup_of_process(const struct fsroot *root, pid_t pid)
{
    char *file = xasprintf("/proc/%jd/cgroup", (intmax_t)pid);
    char *v1 = mount_point(root, false);
    char *dir = group_dir(root, file, v1 == NULL);

    free(v1);
    free(file);
    return dir;
}

static bool may_write(const struct fsroot *root, const char *path)
{
    char *full = fsroot_path(root, path);
    const bool may = faccessat(AT_FDCWD, full, W_OK, AT_EACCESS) == 0;
    const int kept = errno;

    free(full);
    errno = kept;
    return may;
}

static bool file_has_word(const struct fsroot *root, const char *dir, const char *name,
                          const char *word)
{
    char *path = xasprintf("%s/%s", dir, name);
    char *text = fsroot_read(root, path, FILE_MAX, NULL);
    const bool has = text && memgroup_has_word(text, word);

    free(text);
    free(path);
    return has;
}

static int check_parent(const struct fsroot *root, struct memgroup_where *w, struct err *err)
{
    char *control = xasprintf("%s/cgroup.subtree_control", w->parent);
    int rc = 0;

    w->absent =
        w->kind == MEMGROUP_V2 && !file_has_word(root, w->parent, "cgroup.controllers", "memory");
    if (w->absent)
        rc = err_set(err, ERR_SURROUNDINGS, "no memory controller in %s", w->parent);
    else if (!may_write(root, w->parent))
        rc = err_sys(err, errno, "no right to make a group in %s", w->parent);
    else if (w->kind == MEMGROUP_V2 &&
             !file_has_word(root, w->parent, "cgroup.subtree_control", "memory") &&
             !may_write(root, control))
        rc = err_sys(err, errno, "no right to hand the memory controller down from %s", w->parent);
    free(control);
    return rc;
}

/* Beside our own group, or in the hierarchy's top where we are in that. */
static int find_by_hand(const struct fsroot *root, struct memgroup_where *out, struct err *err)
{
    const bool v2 = out->kind == MEMGROUP_V2;
    char *point = mount_point(root, v2);
    char *own = group_dir(root, "/proc/self/cgroup", v2);
    int rc = -1;

    out->absent = !point || !own;
    if (out->absent) {
        (void)err_set(err, ERR_SURROUNDINGS, "no memory controller in cgroup %s", v2 ? "v2" : "v1");
        goto out;
    }
    if (strcmp(own, point) != 0)
        *strrchr(own, '/') = 0;
    out->parent = own;
    own = NULL;
    rc = check_parent(root, out, err);
out:
    free(own);
    free(point);
    return rc;
}

/* As an ordinary user by his own manager, where it was given the memory controller. */
static int find_user_manager(const struct fsroot *root, struct err *err)
{
    const uintmax_t uid = geteuid();
    char *bus = xasprintf("/run/user/%ju/bus", uid);
    char *dir = xasprintf("/sys/fs/cgroup/user.slice/user-%ju.slice/user@%ju.service", uid, uid);
    int rc = 0;

    if (!fsroot_exists(root, bus))
        rc = err_set(err, ERR_SURROUNDINGS, "not root, and systemd runs no manager for this user");
    else if (!file_has_word(root, dir, "cgroup.controllers", "memory"))
        rc = err_set(err, ERR_SURROUNDINGS,
                     "not root, and systemd gave this user no memory controller");
    free(dir);
    free(bus);
    return rc;
}

static int find_systemd(const struct fsroot *root, struct memgroup_where *out, struct err *err)
{
    out->absent =
        !fsroot_exists(root, "/run/systemd/system") || !fsroot_exists(root, "/usr/bin/busctl");
    if (out->absent)
        return err_set(err, ERR_SURROUNDINGS, "no systemd");
    out->user_manager = geteuid() != 0;
    return out->user_manager ? find_user_manager(root, err) : 0;
}

int memgroup_where_find(const struct fsroot *root, enum memgroup_kind kind,
                        struct memgroup_where *out, struct err *err)
{
    int rc = -1;

    *out = (struct memgroup_where){.kind = kind};
    rc = kind == MEMGROUP_SYSTEMD ? find_systemd(root, out, err) : find_by_hand(root, out, err);
    if (rc < 0)
        memgroup_where_release(out);
    return rc;
}

void memgroup_where_release(struct memgroup_where *w)
{
    free(w->parent);
    w->parent = NULL;
}
