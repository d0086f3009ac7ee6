/*
 * Control groups by their files. Which hierarchy holds the memory controller and where is read from
 * /proc/self/mountinfo, where we are in it from /proc/self/cgroup. systemd is asked by busctl,
 * which comes with it, to make a scope of the waiting process; it does so in its own time, so the
 * process's group is looked at until it is the scope.
 */
#include "cluster/memgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "cluster/memgroup_where.h"

#define PREFIX "tpcc-run-"

enum { FILE_MAX = 64 * 1024 };

static const uint64_t busctl_ns = 20 * NS_PER_S;
static const uint64_t scope_ns = 5 * NS_PER_S;
static const uint64_t look_ns = 10 * NS_PER_MS;

const char *memgroup_kind_name(enum memgroup_kind kind)
{
    switch (kind) {
    case MEMGROUP_NONE:
        return "none";
    case MEMGROUP_SYSTEMD:
        return "systemd";
    case MEMGROUP_V2:
        return "cgroup v2";
    case MEMGROUP_V1:
        return "cgroup v1";
    }
    UNREACHABLE();
}

static char *read_file(const struct fsroot *root, const char *dir, const char *name)
{
    char *path = xasprintf("%s/%s", dir, name);
    char *text = fsroot_read(root, path, FILE_MAX, NULL);

    free(path);
    return text;
}

/* The files are the kernel's: none is ever made. */
static int write_file(const struct fsroot *root, const char *dir, const char *name,
                      const char *text)
{
    char *path = xasprintf("%s%s/%s", root->prefix, dir, name);
    int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW);
    const ssize_t n = fd >= 0 ? write(fd, text, strlen(text)) : -1;
    const int kept = errno;

    close_fd(&fd);
    free(path);
    errno = kept;
    return n < 0 ? -1 : 0;
}

static int write_number(const struct fsroot *root, const char *dir, const char *name, uint64_t n)
{
    char *text = xasprintf("%" PRIu64, n);
    const int rc = write_file(root, dir, name, text);
    const int kept = errno;

    free(text);
    errno = kept;
    return rc;
}

/* The number behind a word, "oom_kill 3", or of the whole file where word is NULL; -1: none. */
static int64_t read_number(const struct fsroot *root, const char *dir, const char *name,
                           const char *word)
{
    char *text = read_file(root, dir, name);
    char *rest = text;
    int64_t n = -1;

    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
        const size_t len = word ? strlen(word) : 0;

        if (word && (strncmp(line, word, len) != 0 || line[len] != ' '))
            continue;
        if (units_parse_i64(word ? line + len + 1 : line, &n, NULL) < 0)
            n = -1; /* "max" */
        break;
    }
    free(text);
    return n;
}

static bool has_file(const struct fsroot *root, const char *dir, const char *name)
{
    char *path = xasprintf("%s/%s", dir, name);
    const bool has = fsroot_exists(root, path);

    free(path);
    return has;
}

/* The kernel keeps whole pages. */
static bool limit_holds(const struct fsroot *root, const char *dir, uint64_t limit_bytes)
{
    const bool v2 = has_file(root, dir, "memory.max");
    const int64_t n = read_number(root, dir, v2 ? "memory.max" : "memory.limit_in_bytes", NULL);
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

    return n >= 0 && (uint64_t)n / page == limit_bytes / page;
}

/* No swap; where the kernel does not count swap there is nothing to write. */
static int set_v2(const struct fsroot *root, const char *dir, uint64_t limit_bytes)
{
    if (has_file(root, dir, "memory.swap.max") && write_file(root, dir, "memory.swap.max", "0") < 0)
        return -1;
    return write_number(root, dir, "memory.max", limit_bytes);
}

/* The limit of memory and swap together may never be the smaller one, also of a group left over. */
static int set_v1(const struct fsroot *root, const char *dir, uint64_t limit_bytes)
{
    const bool counts_swap = has_file(root, dir, "memory.memsw.limit_in_bytes");

    if (counts_swap)
        (void)write_file(root, dir, "memory.memsw.limit_in_bytes", "-1");
    (void)write_file(root, dir, "memory.swappiness", "0");
    if (write_number(root, dir, "memory.limit_in_bytes", limit_bytes) < 0)
        return -1;
    return counts_swap ? write_number(root, dir, "memory.memsw.limit_in_bytes", limit_bytes) : 0;
}

/* Made anew where a left-over one can be removed: its counts begin at 0 then. */
static int make_dir(const struct fsroot *root, const char *dir)
{
    char *path = fsroot_path(root, dir);
    int rc = mkdir(path, 0755);

    if (rc < 0 && errno == EEXIST)
        rc = rmdir(path) == 0 ? mkdir(path, 0755) : 0;
    const int kept = errno;
    free(path);
    errno = kept;
    return rc;
}

static void remove_dir(const struct fsroot *root, const char *dir)
{
    char *path = fsroot_path(root, dir);

    (void)rmdir(path);
    free(path);
}

/* v2 gives a group the controllers that the one above it hands down. */
static int hand_down(const struct fsroot *root, const char *parent)
{
    char *text = read_file(root, parent, "cgroup.subtree_control");
    const bool has = text && memgroup_has_word(text, "memory");

    free(text);
    return has ? 0 : write_file(root, parent, "cgroup.subtree_control", "+memory");
}

static int place_by_hand(const struct fsroot *root, const struct memgroup_where *where,
                         const struct memgroup_wish *wish, struct memgroup *out, struct err *err)
{
    const bool v2 = where->kind == MEMGROUP_V2;
    char *dir =
        xasprintf("%s/%s", strcmp(where->parent, "/") == 0 ? "" : where->parent, wish->name);
    bool made = false;
    int rc = -1;

    if (v2 && hand_down(root, where->parent) < 0) {
        (void)err_sys(err, errno, "can't hand the memory controller down from %s", where->parent);
        goto out;
    }
    if (make_dir(root, dir) < 0) {
        (void)err_sys(err, errno, "can't make the group %s", dir);
        goto out;
    }
    made = true;
    if ((v2 ? set_v2 : set_v1)(root, dir, wish->limit_bytes) < 0 ||
        !limit_holds(root, dir, wish->limit_bytes)) {
        (void)err_sys(err, errno, "can't limit the memory of %s", dir);
        goto out;
    }
    if (write_number(root, dir, "cgroup.procs", (uint64_t)wish->pid) < 0) {
        (void)err_sys(err, errno, "can't move the server into %s", dir);
        goto out;
    }
    *out = (struct memgroup){
        .kind = where->kind, .dir = dir, .limit_bytes = wish->limit_bytes, .kills = 0};
    dir = NULL; /* handed over */
    rc = 0;
out:
    if (rc < 0 && made)
        remove_dir(root, dir);
    free(dir);
    return rc;
}

/* The call that makes a scope of a process. OOMPolicy: else systemd ends the whole server where the
 * kernel ended one process of it; versions before 253 do not know it for scopes, and do not do it.
 */
static int ask_systemd(const struct memgroup_where *where, const struct memgroup_wish *wish,
                       bool oom_policy, struct err *err)
{
    char *unit = xasprintf("%s-%jd.scope", wish->name, (intmax_t)wish->pid);
    char *pid = xasprintf("%jd", (intmax_t)wish->pid);
    char *limit = xasprintf("%" PRIu64, wish->limit_bytes);
    const char *argv[] = {
        "busctl",
        where->user_manager ? "--user" : "--system",
        "--quiet",
        "call",
        "org.freedesktop.systemd1",
        "/org/freedesktop/systemd1",
        "org.freedesktop.systemd1.Manager",
        "StartTransientUnit",
        "ssa(sv)a(sa(sv))",
        unit,
        "fail",
        oom_policy ? "6" : "5",
        "PIDs",
        "au",
        "1",
        pid,
        "MemoryMax",
        "t",
        limit,
        "MemorySwapMax",
        "t",
        "0",
        "Description",
        "s",
        "private PostgreSQL server of tpcc-run",
        "CollectMode",
        "s",
        "inactive-or-failed",
        oom_policy ? "OOMPolicy" : "0",
        "s",
        "continue",
        "0",
        NULL,
    };
    char *runtime = xasprintf("XDG_RUNTIME_DIR=/run/user/%ju", (uintmax_t)geteuid());
    const char *const env[] = {runtime, NULL};
    const struct proc_opts opts = {
        .argv = argv, .env = where->user_manager ? env : NULL, .timeout_ns = busctl_ns};
    struct strbuf said;
    int status = 0;
    int rc = -1;

    if (!oom_policy)
        argv[ARRAY_LEN(argv) - 4] = NULL;
    strbuf_init(&said);
    rc = proc_run(&opts, &status, &said, err);
    if (rc == 0 && status != 0)
        rc = err_set(err, ERR_SURROUNDINGS, "systemd refuses: %.*s", (int)strcspn(said.buf, "\n"),
                     said.buf);
    strbuf_release(&said);
    free(runtime);
    free(limit);
    free(pid);
    free(unit);
    return rc;
}

static int place_by_systemd(const struct fsroot *root, const struct memgroup_where *where,
                            const struct memgroup_wish *wish, struct memgroup *out, struct err *err)
{
    const struct clock *clk = clock_system();
    const uint64_t until_ns = clock_now_ns(clk) + scope_ns;
    char *dir = NULL;

    if (ask_systemd(where, wish, true, err) < 0 && ask_systemd(where, wish, false, err) < 0)
        return -1;
    for (;;) {
        dir = memgroup_of_process(root, wish->pid);
        if (dir && strstr(dir, wish->name) && limit_holds(root, dir, wish->limit_bytes))
            break;
        free(dir);
        if (clock_now_ns(clk) >= until_ns)
            return err_set(err, ERR_SURROUNDINGS,
                           "systemd made no scope with the limit within %" PRIu64 " s",
                           scope_ns / NS_PER_S);
        clock_sleep_until_ns(clk, clock_now_ns(clk) + look_ns);
    }
    *out = (struct memgroup){
        .kind = MEMGROUP_SYSTEMD, .dir = dir, .limit_bytes = wish->limit_bytes, .kills = 0};
    return 0;
}

/* In the order of trying. */
static const enum memgroup_kind all_kinds[] = {MEMGROUP_SYSTEMD, MEMGROUP_V2, MEMGROUP_V1};

/* Of several reasons the first that is not the mere absence of a kind tells the most. */
static void keep_reason(struct err *best, const struct err *next, bool *told, bool absent)
{
    if (best && !*told)
        *best = *next;
    *told = *told || !absent;
}

enum memgroup_kind memgroup_expect(const struct fsroot *root, struct err *err)
{
    bool told = false;

    for (size_t i = 0; i < ARRAY_LEN(all_kinds); i++) {
        struct memgroup_where where;
        struct err next = {0};

        if (memgroup_where_find(root, all_kinds[i], &where, &next) == 0) {
            memgroup_where_release(&where);
            err_reset(err);
            return all_kinds[i];
        }
        keep_reason(err, &next, &told, where.absent);
    }
    return MEMGROUP_NONE;
}

/* By the kind that where->kind names; the rest of `where` is found. */
static int place_as(const struct fsroot *root, struct memgroup_where *where,
                    const struct memgroup_wish *wish, struct memgroup *out, struct err *err)
{
    int rc = memgroup_where_find(root, where->kind, where, err);

    if (rc == 0 && where->kind == MEMGROUP_SYSTEMD)
        rc = place_by_systemd(root, where, wish, out, err);
    else if (rc == 0)
        rc = place_by_hand(root, where, wish, out, err);
    memgroup_where_release(where);
    return rc;
}

int memgroup_place(const struct fsroot *root, const struct memgroup_wish *wish,
                   struct memgroup *out, struct err *err)
{
    bool told = false;

    *out = (struct memgroup){.kills = -1};
    CHECK(strncmp(wish->name, PREFIX, strlen(PREFIX)) == 0);
    for (size_t i = 0; i < ARRAY_LEN(all_kinds); i++) {
        struct memgroup_where where = {.kind = all_kinds[i]};
        struct err next = {0};

        if (place_as(root, &where, wish, out, &next) == 0) {
            err_reset(err);
            return 0;
        }
        keep_reason(err, &next, &told, where.absent);
    }
    return -1;
}

void memgroup_release(struct memgroup *g)
{
    free(g->dir);
    *g = (struct memgroup){.kills = -1};
}

void memgroup_attach(const struct fsroot *root, const char *dir, struct memgroup *out)
{
    const char *name = strrchr(dir, '/');
    bool v2 = false;
    int64_t limit = -1;

    *out = (struct memgroup){.kills = -1};
    if (dir[0] != '/' || strncmp(name + 1, PREFIX, strlen(PREFIX)) != 0 || strstr(dir, "/../") ||
        !has_file(root, dir, "cgroup.procs"))
        return;
    v2 = has_file(root, dir, "memory.max");
    limit = read_number(root, dir, v2 ? "memory.max" : "memory.limit_in_bytes", NULL);
    *out = (struct memgroup){
        .kind = v2 ? MEMGROUP_V2 : MEMGROUP_V1,
        .dir = xstrdup(dir),
        .limit_bytes = limit > 0 ? (uint64_t)limit : 0,
        .kills = -1,
    };
    if (strstr(name, ".scope"))
        out->kind = MEMGROUP_SYSTEMD;
    (void)memgroup_kills(root, out);
}

int64_t memgroup_kills(const struct fsroot *root, struct memgroup *g)
{
    int64_t n = -1;

    if (g->kind == MEMGROUP_NONE)
        return -1;
    n = read_number(root, g->dir, "memory.events", "oom_kill");
    if (n < 0)
        n = read_number(root, g->dir, "memory.oom_control", "oom_kill");
    if (n >= 0)
        g->kills = n;
    return g->kills;
}

int memgroup_remove(const struct fsroot *root, struct memgroup *g)
{
    char *path = NULL;
    int rc = 0;

    if (g->kind == MEMGROUP_NONE)
        return 0;
    path = fsroot_path(root, g->dir);
    if (g->kind != MEMGROUP_SYSTEMD && rmdir(path) < 0 && errno != ENOENT)
        rc = -1;
    const int kept = errno;
    free(path);
    errno = kept;
    return rc;
}
