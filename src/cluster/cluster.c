/*
 * The private server's life: looked at, opened, started, stopped, removed, in which order, so that
 * whatever is cut off anywhere is understood by the next start. What is found there is settled by
 * found.c; the process itself is server.c's, the files are layout.c's.
 */
#include "cluster/cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/xalloc.h"
#include "cluster/found.h"
#include "cluster/layout.h"
#include "cluster/lock.h"
#include "cluster/memory.h"
#include "cluster/postmaster.h"
#include "cluster/programs.h"
#include "cluster/server.h"
#include "cluster/server_conf.h"
#include "cluster/server_user.h"
#include "cluster/socket_dir.h"
#include "cluster/unsafe.h"
#include "db/session.h"

#define DATABASE "tpcc"

/* The server's package makes its user: where both are missing, it is the server that is. */
static int find_user(struct cluster *c, struct err *err)
{
    const char *name = c->opts.server_user ? c->opts.server_user : "postgres";
    struct programs programs = {0};
    struct err missing = {0};

    if (server_user_find(name, &c->user, err) == 0)
        return 0;
    if (found_programs(c, 0, &programs, &missing) < 0 && err)
        *err = missing;
    programs_release(&programs);
    return -1;
}

/* What cluster_look and cluster_open begin with; changes nothing. */
static int look_around(struct cluster *c, const struct cluster_opts *opts, int *ours,
                       struct err *err)
{
    c->opts = *opts;
    c->lock_fd = -1;
    c->memory.cached_bytes = -1;
    c->memory.group.kills = -1;
    fsroot_init(&c->root, "");
    if (layout_init(&c->layout, opts->drive_dir, err) < 0)
        return -1;
    *ours = layout_look(&c->layout, err);
    if (*ours < 0)
        return -1;
    return find_user(c, err);
}

static void release(struct cluster *c)
{
    if (c->server.socket_dir && !server_alive(c))
        socket_dir_remove(c->server.socket_dir);
    free(c->server.socket_dir);
    close_fd(&c->lock_fd);
    free(c->conninfo);
    free(c->restored_from);
    memgroup_release(&c->memory.group);
    free(c->memory.why_none);
    programs_release(&c->programs);
    server_user_release(&c->user);
    layout_release(&c->layout);
    fsroot_release(&c->root);
}

static void fill_look(const struct cluster *c, struct cluster_look *look)
{
    const int major = found_major(&c->layout);
    char *note_text = layout_read(&c->layout, LAYOUT_DATASET);
    struct dataset_note note;
    struct postmaster pm;

    look->exists = major > 0; /* also where it is being put back */
    if (major > 0)
        (void)snprintf(look->pg_version, sizeof(look->pg_version), "%d", major);
    look->running = postmaster_read(&c->root, c->layout.data, &pm) &&
                    postmaster_lives(&c->root, c->layout.data, pm.pid);
    look->kept = look->running && layout_exists(&c->layout, LAYOUT_KEEP);
    look->unsafe = layout_exists(&c->layout, LAYOUT_UNSAFE);
    look->unsafe_same_boot = look->unsafe && found_marker_is_now(c);
    dataset_note_parse(look->exists ? note_text : NULL, &note);
    look->dataset_warehouses = note.warehouses;
    look->dataset_complete = note.complete;
    look->bytes = note.bytes;
    look->loaded_at_us = note.loaded_at_us;
    free(note_text);
}

int cluster_look(const struct cluster_opts *opts, struct cluster_look *look, struct err *err)
{
    struct cluster c = {0};
    int ours = 0;
    int rc = -1;

    *look = (struct cluster_look){0};
    if (look_around(&c, opts, &ours, err) < 0)
        goto out;
    look->ours = ours == 1;
    if (look->ours)
        fill_look(&c, look);
    if (opts->for_removal) {
        rc = found_check_owner(&c, err);
        goto out;
    }
    if (server_user_can_enter(&c.user, c.layout.drive, err) < 0 || found_check_owner(&c, err) < 0)
        goto out;
    if (found_programs(&c, found_major(&c.layout), &c.programs, err) < 0) {
        look->discards = opts->rebuild && look->exists;
        if (!look->discards || found_programs(&c, 0, &c.programs, err) < 0)
            goto out;
        err_reset(err);
    }
    (void)snprintf(look->programs, sizeof(look->programs), "%s", c.programs.version);
    rc = 0;
out:
    release(&c);
    return rc;
}

struct cluster *cluster_open(const struct cluster_opts *opts, struct err *err)
{
    struct cluster *c = xcalloc(1, sizeof(*c));
    int ours = 0;

    if (look_around(c, opts, &ours, err) < 0)
        goto fail;
    if (opts->for_removal && ours == 0) {
        (void)err_set(err, ERR_USAGE, "%s: nothing of ours to remove", c->layout.dir);
        goto fail;
    }
    if (!opts->for_removal && server_user_can_enter(&c->user, c->layout.drive, err) < 0)
        goto fail;
    c->lock_fd = lock_take(&c->layout, opts->clock, err);
    if (c->lock_fd < 0) {
        (void)server_drive_full(c, err);
        goto fail;
    }
    if (found_settle(c, err) < 0)
        goto fail;
    return c;
fail:
    cluster_free(c);
    return NULL;
}

void cluster_free(struct cluster *c)
{
    if (!c)
        return;
    release(c);
    free(c);
}

/* A session in one of the server's databases. */
static struct session *connect_to(const struct cluster *c, const char *database, char **conninfo,
                                  struct err *err)
{
    struct db_config cfg = {.application_name = "tpcc-run", .clock = c->opts.clock};
    const struct db_ops *ops = db_find("pq");

    CHECK(ops);
    *conninfo = xasprintf("host=%s port=%d user=%s dbname=%s", c->server.socket_dir, SOCKET_PORT,
                          CLUSTER_SUPERUSER, database);
    cfg.conninfo = *conninfo;
    return session_connect(ops, &cfg, 0, err);
}

static int exec_text(struct cluster *c, const char *database, const char *sql, int64_t *rows,
                     struct err *err)
{
    const struct exec_opts opts = {.stop = c->opts.stop};
    char *conninfo = NULL;
    struct session *s = connect_to(c, database, &conninfo, err);
    struct rows replies = {0};
    int rc = -1;

    if (s)
        rc = session_exec_text(s, sql, &replies, &opts, err);
    if (rc == 0 && rows)
        *rows = replies.n > 0 ? replies.part[0].n_rows : 0;
    session_free(s);
    free(conninfo);
    return rc;
}

/* The database may be missing: a start may have been cut off before it was made. */
static int ready_database(struct cluster *c, struct err *err)
{
    int64_t rows = 0;

    if (!c->conninfo)
        c->conninfo = xasprintf("host=%s port=%d user=%s dbname=%s", c->server.socket_dir,
                                SOCKET_PORT, CLUSTER_SUPERUSER, DATABASE);
    if (exec_text(c, "postgres", "select 1 from pg_database where datname = '" DATABASE "'", &rows,
                  err) < 0)
        return cluster_explain(c, err);
    if (rows > 0)
        return 0;
    if (exec_text(c, "postgres", "create database " DATABASE, NULL, err) < 0)
        return cluster_explain(c, err);
    return 0;
}

static char *conf_path(const struct cluster *c)
{
    return xasprintf("%s/%s", c->layout.data, CLUSTER_CONF);
}

/* 1: the file says just this already; 0: written; -1: neither. */
static int write_conf(struct cluster *c, const char *text, struct err *err)
{
    char *path = conf_path(c);
    char *old = layout_read(&c->layout, LAYOUT_DATA "/" CLUSTER_CONF);
    int rc = old && strcmp(old, text) == 0 ? 1 : 0;

    if (rc == 0)
        rc = layout_write_path(path, text, c->user.uid, c->user.gid, err);
    free(old);
    free(path);
    return rc;
}

static int need_programs(const struct cluster *c, struct err *err)
{
    if (c->programs_err.kind == ERR_NONE)
        return 0;
    if (err)
        *err = c->programs_err;
    return -1;
}

/* With these settings; a server that runs already is stopped first, but for a kept one with the
 * same settings where no measured run follows. */
static int start_with(struct cluster *c, const struct cluster_settings *s, char *const *unsafe,
                      struct err *err)
{
    char *conf = server_conf(c->opts.config_file, s, err);
    const int same = conf ? write_conf(c, conf, err) : -1;
    struct err also = {0};
    int rc = -1;

    if (same < 0)
        goto out;
    if (same == 1 && !unsafe && !s->fresh && server_alive(c)) {
        rc = ready_database(c, err);
        goto out;
    }
    if (c->adopted && server_alive(c))
        log_line(c->opts.log, LOG_INFO,
                 same == 1 ? "the server that was kept running is started anew for the run"
                           : "the server that was kept running has other settings: started anew");
    if (cluster_stop(c, err) < 0)
        goto out;
    if (s->fresh && !unsafe && memory_drop_cache(c, err) < 0)
        goto out;
    c->memory.wanted_bytes = unsafe ? 0 : s->memory_limit_bytes;
    c->server.buffer_bytes = s->buffer_bytes;
    c->restored.done = false;
    if (server_launch(c, unsafe, err) < 0)
        goto out;
    rc = ready_database(c, err);
    if (rc < 0 && server_stop(c, &also) < 0) /* a failed start leaves nothing running */
        log_line(c->opts.log, LOG_ERROR, "%s", also.text);
out:
    free(conf);
    return rc;
}

int cluster_start(struct cluster *c, const struct cluster_settings *s, struct err *err)
{
    if (need_programs(c, err) < 0)
        return -1;
    if (layout_exists(&c->layout, LAYOUT_UNSAFE)) {
        log_line(c->opts.log, LOG_INFO, "an unsafe load was left without its end: synced first");
        if (!server_alive(c) && cluster_start_unsafe(c, s, err) < 0)
            return -1;
        if (cluster_end_unsafe(c, err) < 0)
            return -1;
    }
    return start_with(c, s, NULL, err);
}

int cluster_start_unsafe(struct cluster *c, const struct cluster_settings *s, struct err *err)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    char *mark = NULL;
    char **settings = NULL;
    int rc = -1;

    if (need_programs(c, err) < 0)
        return -1;
    mark = unsafe_mark(&c->root, c->layout.drive, err);
    if (!mark)
        return -1;
    settings = server_conf_unsafe(pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0);
    if (layout_write(&c->layout, LAYOUT_UNSAFE, mark, err) == 0)
        rc = start_with(c, s, settings, err);
    server_conf_free(settings);
    free(mark);
    return rc;
}

int cluster_end_unsafe(struct cluster *c, struct err *err)
{
    const char *const sync[] = {"initdb", "--sync-only", "--pgdata", c->layout.data, NULL};

    CHECK(layout_exists(&c->layout, LAYOUT_UNSAFE));
    if (exec_text(c, "postgres", "checkpoint", NULL, err) < 0)
        return cluster_explain(c, err);
    if (cluster_stop(c, err) < 0 || server_run_program(c, sync, "sync", err) < 0)
        return -1;
    return layout_unlink(&c->layout, LAYOUT_UNSAFE, err);
}

int cluster_stop(struct cluster *c, struct err *err)
{
    if (server_stop(c, err) < 0)
        return -1;
    c->adopted = false;
    return layout_unlink(&c->layout, LAYOUT_KEEP, err);
}

int cluster_keep(struct cluster *c, struct err *err)
{
    if (layout_exists(&c->layout, LAYOUT_UNSAFE)) {
        log_line(c->opts.log, LOG_WARN, "a server with a load's unsafe settings is not kept");
        return cluster_stop(c, err);
    }
    return layout_write(&c->layout, LAYOUT_KEEP, "left running by --keep-running\n", err);
}

bool cluster_alive(const struct cluster *c)
{
    return server_alive(c);
}

bool cluster_adopted(const struct cluster *c)
{
    return c->adopted;
}

const char *cluster_conninfo(const struct cluster *c)
{
    return c->conninfo;
}

const char *cluster_data_dir(const struct cluster *c)
{
    return c->layout.data;
}

int cluster_note_dataset(struct cluster *c, const struct dataset_note *note, struct err *err)
{
    char *text = dataset_note_format(note);
    const int rc = layout_write(&c->layout, LAYOUT_DATASET, text, err);

    free(text);
    return rc;
}

int cluster_explain(struct cluster *c, struct err *err)
{
    char *words = NULL;

    if (err->kind != ERR_DB && err->kind != ERR_SURROUNDINGS)
        return -1;
    memory_explain(c, err);
    if (server_drive_full(c, err) || !server_gone_soon(c))
        return -1;
    words = postmaster_last_words(c->layout.log, c->server.log_from);
    (void)err_wrap(err, "the private server has ended (%s; see %s)",
                   words ? words : "it said nothing", c->layout.log);
    free(words);
    return -1;
}

int cluster_remove(struct cluster *c, struct err *err)
{
    if (cluster_stop(c, err) < 0)
        return -1;
    return layout_remove_all(&c->layout, err);
}
