/*
 * Collects problems as lines, so that the user mends all of them before the next try.
 */
#include "job/preflight.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "job/ask.h"

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

int preflight_plan(const struct target *t, const struct plan *plan, struct err *err)
{
    struct problems p = {0};
    char *files = preflight_files(plan->sessions, preflight_files_of(plan));
    char *restore = restore_problem(t, plan);

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
