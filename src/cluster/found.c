/*
 * Settling what an earlier program left, so that whatever was cut off anywhere is understood: what
 * can't be trusted is discarded, a server without a keeper is stopped, and where there is no
 * cluster one is made. Called by cluster.c, behind the lock but for what only looks.
 */
#include "cluster/found.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/units.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "cluster/postmaster.h"
#include "cluster/socket_dir.h"
#include "cluster/unsafe.h"

static const uint64_t orphan_buffer_bytes = UINT64_C(16000000000); /* not known: gives it time */

/* Of the cluster that is in data/ now. */
static int major_in_data(const struct layout *l)
{
    char *line = layout_read(l, LAYOUT_DATA "/PG_VERSION");
    int64_t major = 0;

    if (line)
        line[strcspn(line, "\n")] = 0;
    if (!line || units_parse_i64(line, &major, NULL) < 0 || major < 1 || major > 999)
        major = 0;
    free(line);
    return (int)major;
}

int found_major(const struct layout *l)
{
    const int major = major_in_data(l);
    struct restore_note note;

    if (major > 0 || !restore_note_read(l, &note))
        return major;
    free(note.image_dir);
    return note.major;
}

int found_programs(const struct cluster *c, int major, struct programs *out, struct err *err)
{
    const struct programs_where where = {
        .root = &c->root, .path_env = getenv("PATH"), .bin_dir = c->opts.bin_dir};

    return programs_find(&where, major, out, err);
}

int found_check_owner(const struct cluster *c, struct err *err)
{
    struct stat st;

    if (lstat(c->layout.data, &st) < 0)
        return 0;
    if (!S_ISDIR(st.st_mode))
        return err_set(err, ERR_SURROUNDINGS, "%s is not a directory: move it away",
                       c->layout.data);
    if (st.st_uid == c->user.uid)
        return 0;
    return err_set(err, ERR_SURROUNDINGS,
                   "%s belongs to user number %ju and not to %s: name that user with --server-user",
                   c->layout.data, (uintmax_t)st.st_uid, c->user.name);
}

bool found_marker_is_now(const struct cluster *c)
{
    char *then = layout_read(&c->layout, LAYOUT_UNSAFE);
    char *now = unsafe_mark(&c->root, c->layout.drive, NULL);
    const bool same = then && now && strcmp(then, now) == 0;

    free(then);
    free(now);
    return same;
}

/* A live server of an earlier program: kept on purpose, or left behind. */
static int deal_with_running(struct cluster *c, struct err *err)
{
    struct postmaster pm;
    const bool kept = layout_exists(&c->layout, LAYOUT_KEEP);
    const bool known = postmaster_read(&c->root, c->layout.data, &pm);

    if (!known || !postmaster_lives(&c->root, c->layout.data, pm.pid)) {
        if (known && pm.socket_dir[0])
            socket_dir_remove(pm.socket_dir); /* left by a crash */
        return layout_unlink(&c->layout, LAYOUT_KEEP, err);
    }
    server_attach(c, pm.pid, pm.socket_dir);
    c->server.buffer_bytes = orphan_buffer_bytes;
    if (kept && pm.ready) {
        c->adopted = true;
        return 0;
    }
    log_line(c->opts.log, LOG_WARN,
             "a server of an earlier run was still running in %s (process %jd): stopped",
             c->layout.dir, (intmax_t)pm.pid);
    if (server_stop(c, err) < 0)
        return -1;
    return layout_unlink(&c->layout, LAYOUT_KEEP, err);
}

/* The note goes first and the data by a rename, so that a half-removed cluster is never taken for
 * one; the marker last. */
static int discard(struct cluster *c, struct err *err)
{
    if (layout_unlink(&c->layout, LAYOUT_DATASET, err) < 0)
        return -1;
    if (layout_exists(&c->layout, LAYOUT_DATA) &&
        layout_rename(&c->layout, LAYOUT_DATA, LAYOUT_DATA_OLD, err) < 0)
        return -1;
    if (layout_remove(&c->layout, LAYOUT_DATA_OLD, err) < 0)
        return -1;
    return layout_unlink(&c->layout, LAYOUT_UNSAFE, err);
}

static int deal_with_marker(struct cluster *c, struct err *err)
{
    if (!layout_exists(&c->layout, LAYOUT_UNSAFE) || found_marker_is_now(c))
        return 0;
    log_line(c->opts.log, LOG_WARN,
             "a load in %s was cut off by a restart of the machine or of the drive while nothing "
             "was synced yet: what it had loaded is discarded",
             c->layout.dir);
    return discard(c, err);
}

/* --rebuild has no use for what a restore was to bring back. */
static int deal_with_restore(struct cluster *c, struct err *err)
{
    if (!layout_exists(&c->layout, LAYOUT_RESTORE))
        return 0;
    if (!c->opts.rebuild)
        return image_restore_again(c, err);
    log_line(c->opts.log, LOG_WARN, "a restore of the dataset in %s was cut off: discarded",
             c->layout.dir);
    if (discard(c, err) < 0)
        return -1;
    return layout_unlink(&c->layout, LAYOUT_RESTORE, err);
}

static int remove_leftovers(struct cluster *c, struct err *err)
{
    if (layout_remove(&c->layout, LAYOUT_DATA_NEW, err) < 0 ||
        layout_remove(&c->layout, LAYOUT_DATA_OLD, err) < 0 ||
        layout_remove(&c->layout, LAYOUT_IMAGE_NEW, err) < 0)
        return -1;
    if (layout_exists(&c->layout, LAYOUT_DATA) && major_in_data(&c->layout) == 0)
        return discard(c, err);
    return 0;
}

static int make_data_dir(struct cluster *c, const char *path, struct err *err)
{
    if (mkdir(path, 0700) < 0)
        return err_sys(err, errno, "can't make %s", path);
    if (c->user.other && chown(path, c->user.uid, c->user.gid) < 0)
        return err_sys(err, errno, "can't hand %s to user %s", path, c->user.name);
    return 0;
}

/* initdb's own file stays and includes ours, so that its choices for this machine count. */
static int write_include(struct cluster *c, const char *data, struct err *err)
{
    struct fsroot here;
    char *path = xasprintf("%s/postgresql.conf", data);
    char *conf = NULL;
    char *text = NULL;
    int rc = -1;

    fsroot_init(&here, "");
    conf = fsroot_read(&here, path, 1024 * 1024, err);
    if (conf) {
        text = xasprintf("%s\ninclude_if_exists = '%s'\n", conf, CLUSTER_CONF);
        rc = layout_write_path(path, text, c->user.uid, c->user.gid, err);
    }
    free(text);
    free(conf);
    fsroot_release(&here);
    free(path);
    return rc;
}

/* initdb syncs what it makes (a second), so that the rename never shows a cluster that is not
 * there after a power cut; a load would not be the faster without. */
static int create(struct cluster *c, struct err *err)
{
    char *path = layout_path(&c->layout, LAYOUT_DATA_NEW);
    VEC(const char *) argv = {0};
    struct err also = {0};
    int rc = -1;

    log_line(c->opts.log, LOG_INFO, "making a private PostgreSQL %s in %s as user %s",
             c->programs.version, c->layout.dir, c->user.name);
    if (make_data_dir(c, path, err) < 0)
        goto out;
    VEC_PUSH(&argv, "initdb");
    VEC_PUSH(&argv, "--pgdata");
    VEC_PUSH(&argv, path);
    VEC_PUSH(&argv, "--username=" CLUSTER_SUPERUSER);
    VEC_PUSH(&argv, "--auth-local=trust"); /* the socket's directory is the fence */
    VEC_PUSH(&argv, "--auth-host=reject");
    VEC_PUSH(&argv, "--locale=C");
    VEC_PUSH(&argv, "--encoding=UTF8");
    VEC_PUSH(&argv, "--no-instructions");
    if (c->programs.major >= 18) /* the default of 18 alone: versions are to be comparable */
        VEC_PUSH(&argv, "--no-data-checksums");
    VEC_PUSH(&argv, NULL);
    if (server_run_program(c, argv.at, "initdb", err) < 0 || write_include(c, path, err) < 0)
        goto out;
    rc = layout_rename(&c->layout, LAYOUT_DATA_NEW, LAYOUT_DATA, err);
out:
    if (rc < 0) {
        (void)server_drive_full(c, err);
        if (layout_remove(&c->layout, LAYOUT_DATA_NEW, &also) < 0)
            log_line(c->opts.log, LOG_WARN, "%s", also.text);
    }
    VEC_RELEASE(&argv);
    free(path);
    return rc;
}

/* A cluster without its programs is told by cluster_start(), or discarded where it may be. */
static int choose_programs(struct cluster *c, struct err *err)
{
    const int major = found_major(&c->layout);

    if (found_programs(c, major, &c->programs, &c->programs_err) < 0 && major > 0 &&
        c->opts.rebuild) {
        err_reset(&c->programs_err);
        if (found_programs(c, 0, &c->programs, &c->programs_err) < 0)
            return 0;
        log_line(c->opts.log, LOG_WARN,
                 "the cluster of PostgreSQL %d in %s is discarded: its programs are missing", major,
                 c->layout.dir);
        if (discard(c, err) < 0)
            return -1;
    }
    if (c->programs.major > PROGRAMS_NEWEST)
        log_line(c->opts.log, LOG_WARN, "PostgreSQL %s is newer than those tried with (to %d)",
                 c->programs.version, PROGRAMS_NEWEST);
    return 0;
}

int found_settle(struct cluster *c, struct err *err)
{
    if (found_check_owner(c, err) < 0 || deal_with_running(c, err) < 0)
        return -1;
    if (c->opts.for_removal)
        return 0;
    if (deal_with_marker(c, err) < 0 || deal_with_restore(c, err) < 0 ||
        remove_leftovers(c, err) < 0)
        return -1;
    if (choose_programs(c, err) < 0)
        return -1;
    if (found_major(&c->layout) > 0)
        return 0; /* without its programs it can still be removed */
    if (c->programs_err.kind != ERR_NONE) {
        if (err)
            *err = c->programs_err;
        return -1;
    }
    return create(c, err);
}
