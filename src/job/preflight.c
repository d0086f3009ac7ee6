/*
 * Collects problems as lines, so that the user mends all of them before the next try.
 */
#include "job/preflight.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "job/ask.h"
#include "result/result_dir.h"

#define FILES_BESIDE_SESSIONS 128

struct problems {
    VEC(char *) line;
    enum err_kind kind;
};

static void add(struct problems *p, enum err_kind kind, char *line)
{
    VEC_PUSH(&p->line, line);
    p->kind = kind;
}

/* 0 where there are none. Releases p. */
static int tell(struct problems *p, const struct target *t, struct err *err)
{
    const size_t n = p->line.n;

    if (n == 1)
        err_set(err, p->kind, "%s", p->line.at[0]);
    for (size_t i = 0; i < n; i++) {
        if (n > 1)
            log_line(t->env->log, LOG_ERROR, "%s", p->line.at[i]);
        free(p->line.at[i]);
    }
    if (n > 1)
        err_set(err, p->kind, "%zu problems, named above, are to be mended first", n);
    VEC_RELEASE(&p->line);
    return n ? -1 : 0;
}

uint64_t preflight_files_of(const struct plan *plan)
{
    return (uint64_t)plan->sessions + plan->loaders + FILES_BESIDE_SESSIONS;
}

char *preflight_files(uint64_t sessions, uint64_t needed)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur >= needed)
        return NULL;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max >= needed) {
        limit.rlim_cur = needed;
        if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
            return NULL;
    }
    return xasprintf("%llu sessions need %llu open files, the limit is %llu (ulimit -n, or fewer "
                     "--sessions)",
                     (unsigned long long)sessions, (unsigned long long)needed,
                     (unsigned long long)limit.rlim_max);
}

/* Whether a private server that is not there yet can be put on its drive; NULL, or why not. */
static char *drive_problem(const struct target *t)
{
    struct statfs fs;

    if (!t->is_private || t->look.exists || !t->drive_dir)
        return NULL;
    if (statfs(t->drive_dir, &fs) == 0 &&
        (fs.f_type == PROC_SUPER_MAGIC || fs.f_type == SYSFS_MAGIC ||
         fs.f_type == CGROUP_SUPER_MAGIC || fs.f_type == CGROUP2_SUPER_MAGIC))
        return xasprintf("--drive %s: the kernel's own files are there, it keeps no others (name a "
                         "directory on the drive)",
                         t->drive_dir);
    if (access(t->drive_dir, W_OK | X_OK) < 0)
        return xasprintf("--drive %s: nothing can be made there: %s (name a directory that you may "
                         "write in)",
                         t->drive_dir, strerror(errno));
    return NULL;
}

/* A step that is foreseen has no place for its results yet. */
static char *results_problem(const struct target *t)
{
    const char *results = t->env->settings->output.results;
    struct err err = {0};

    if (t->facts.load_only || !results || result_dir_possible(results, &err) == 0)
        return NULL;
    return xstrdup(err.text);
}

int preflight_plan(const struct target *t, const struct plan *plan, struct err *err)
{
    struct problems p = {0};
    char *files = preflight_files(plan->sessions, preflight_files_of(plan));
    char *restore = restore_problem(t, plan);
    char *drive = drive_problem(t);
    char *results = results_problem(t);

    if (drive)
        add(&p, ERR_SURROUNDINGS, drive);
    if (results)
        add(&p, ERR_SURROUNDINGS, results);
    if (files)
        add(&p, ERR_SURROUNDINGS, files);
    if (restore)
        add(&p, ERR_SURROUNDINGS, restore);
    if (!t->is_private && t->manifest.state == DATASET_FOREIGN)
        add(&p, ERR_SURROUNDINGS,
            xasprintf("the database holds %s: it is not touched (name another database)",
                      t->manifest.why));
    if (t->bad_device)
        add(&p, t->bad_device_kind, xstrdup(t->bad_device));
    return tell(&p, t, err);
}

static void check_connections(struct problems *p, const struct target *t, const struct plan *plan,
                              struct session *s)
{
    int64_t room = 0;
    struct err err = {0};

    if (ask_i64(s, t->dialect, "server_free_connections", &room, &err) < 0) {
        add(p, ERR_SURROUNDINGS, xstrdup(err.text));
        return;
    }
    if (room < (int64_t)plan->sessions)
        add(p, ERR_SURROUNDINGS,
            xasprintf("the server has room for %lld more connections, the plan uses %u sessions "
                      "(--sessions, or max_connections of the server)",
                      (long long)room, plan->sessions));
}

static void check_durability(struct problems *p, const struct target *t, struct session *s)
{
    struct rows rows;
    struct err err = {0};

    if (t->env->settings->run.allow_unsafe)
        return;
    if (ask_rows(s, t->dialect, "server_settings", &rows, &err) < 0) {
        add(p, ERR_SURROUNDINGS, xstrdup(err.text));
        return;
    }
    for (uint32_t i = 0; i < rows.part[0].n_rows; i++) {
        const struct cell *name = rows_cell(&rows.part[0], i, 0);
        const struct cell *value = rows_cell(&rows.part[0], i, 1);

        if (name->text && value->text && strcmp(name->text, "fsync") == 0 &&
            strcmp(value->text, "off") == 0)
            log_line(t->env->log, LOG_WARN,
                     "fsync is off: the result will be invalid (--allow-unsafe accepts it)");
    }
}

int preflight_server(const struct target *t, const struct plan *plan, struct session *s,
                     struct err *err)
{
    struct problems p = {0};

    check_connections(&p, t, plan, s);
    check_durability(&p, t, s);
    return tell(&p, t, err);
}
