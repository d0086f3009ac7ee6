/*
 * When an image is made and when the dataset is put back. A dataset that has seen a run, and has no
 * image, can't be put back: that is said, and what to do.
 */
#include "job/restore.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/units.h"
#include "base/xalloc.h"
#include "job/dataset.h"
#include "plan/space.h"

#define REST_TELL_NS (200 * NS_PER_MS)

_Static_assert((int)RESTORE_COPY == (int)FILES_COPY, "methods of settings and of images");
_Static_assert((int)RESTORE_REFLINK == (int)FILES_REFLINK, "methods of settings and of images");

/* ---- before anything is written ---- */

/* Which dataset is there, by its note; false where it is not known. */
static bool dataset_there(const struct target *t, struct image_of *of)
{
    struct layout l = {0};
    bool known = false;

    if (layout_init(&l, t->drive_dir, NULL) == 0)
        known = image_of_cluster(&l, of);
    layout_release(&l);
    return known;
}

static void find_device(struct target *t)
{
    struct restore *r = &t->restore;
    struct fsroot root;
    struct drive_map map = {0};
    struct stat drive;
    struct stat home;

    fsroot_init(&root, "");
    const struct blockdev_probe probe = blockdev_probe_system(&root);

    r->same_fs = stat(t->drive_dir, &drive) == 0 && stat(r->home.drive, &home) == 0 &&
                 drive.st_dev == home.st_dev;
    r->same_device = r->same_fs;
    if (blockdev_map(&probe, r->home.drive, &map, NULL) == 0) {
        for (size_t i = 0; i < map.devices.n; i++) {
            const struct drive_device *d = &map.devices.at[i];
            const int found = drive_map_find(&t->map, d->sysfs);

            r->same_device |= found >= 0;
            /* Subvolumes of one file system have numbers of their own. */
            r->same_fs |= found >= 0 && (d->roles & DRIVE_FILESYSTEM) &&
                          (t->map.devices.at[found].roles & DRIVE_FILESYSTEM);
        }
        drive_map_release(&map);
    }
    fsroot_release(&root);
}

static int check_rights(const struct restore *r, struct err *err)
{
    const char *at = access(r->home.dir, F_OK) == 0 ? r->home.dir : r->home.drive;

    if (access(at, W_OK | X_OK) == 0)
        return 0;
    return err_sys(err, errno, "no image of the dataset can be kept in %s", at);
}

/* What the restore frees: the dataset has grown since the image was made. Or takes, where a restore
 * was cut off. */
static void count_growth(struct target *t)
{
    char *data = xasprintf("%s/" LAYOUT_DIR "/" LAYOUT_DATA, t->drive_dir);
    struct files now = {0};
    uint64_t *free_bytes = &t->facts.fs_free_bytes;

    if (access(data, F_OK) != 0 || files_scan(data, &now, NULL) == 0) {
        *free_bytes += now.bytes;
        *free_bytes -= *free_bytes < t->restore.image.bytes ? *free_bytes : t->restore.image.bytes;
    }
    files_release(&now);
    free(data);
}

int restore_look(struct target *t, struct err *err)
{
    const struct settings *s = t->env->settings;
    struct restore *r = &t->restore;
    struct err why = {0};
    struct statvfs vfs;
    struct image_of of;

    r->wanted = s->restore.before_run;
    if (!r->wanted)
        return 0;
    if (image_home(&r->home, t->drive_dir, s->restore.image, err) < 0)
        return err_wrap(err, "--image (make the directory, or name another)");
    if (check_rights(r, err) < 0)
        return -1;
    if (image_look(&r->home, &r->image, &why) < 0 && !s->load.rebuild) {
        if (err)
            *err = why;
        return -1;
    }
    find_device(t);
    if (statvfs(r->home.drive, &vfs) == 0)
        r->free_bytes = (uint64_t)vfs.f_bavail * vfs.f_frsize;
    r->fits = !s->load.rebuild && dataset_there(t, &of) && image_is_of(&r->image, &of);
    if (r->fits)
        count_growth(t);
    t->facts.restore = true;
    t->facts.image_dir = r->home.dir;
    t->facts.image_there = r->fits;
    t->facts.image_on_drive = r->same_fs;
    t->facts.image_on_device = r->same_device;
    return 0;
}

void restore_release(struct restore *r)
{
    layout_release(&r->home);
    *r = (struct restore){0};
}

static char *of_another(const struct restore *r)
{
    char loaded[32];

    clock_format_utc(r->image.of.loaded_at_us, loaded, sizeof(loaded));
    return xasprintf(
        "%s holds the image of another dataset (%ju warehouses of PostgreSQL %d, loaded "
        "%s): name another --image, or replace image and dataset with --rebuild",
        r->home.dir, (uintmax_t)r->image.of.warehouses, r->image.of.major, loaded);
}

/* Beside the server's files it goes when the next load begins. */
static bool is_in_the_way(const struct target *t)
{
    const struct restore *r = &t->restore;

    return r->image.there && !r->fits && !t->env->settings->load.rebuild &&
           (t->env->settings->restore.image || t->look.dataset_complete);
}

char *restore_problem(const struct target *t, const struct plan *plan)
{
    const struct restore *r = &t->restore;
    const uint64_t needed = space_of_image(plan->space.dataset);
    const uint64_t room = r->free_bytes + (r->image.there ? r->image.bytes : 0);
    char needed_text[32];
    char room_text[32];

    if (!r->wanted)
        return NULL;
    if (is_in_the_way(t))
        return of_another(r);
    if (r->fits || r->same_fs || needed <= room) /* on the same file system the plan counts it */
        return NULL;
    units_format_bytes(needed, needed_text, sizeof(needed_text));
    units_format_bytes(room, room_text, sizeof(room_text));
    return xasprintf("the image of the dataset needs %s, %s are free in %s (name another --image)",
                     needed_text, room_text, r->home.drive);
}

/* ---- the image, and back ---- */

/* A dataset that was loaded earlier: has it seen a run? Afterwards its note tells which it is. */
static int check_untouched(struct target *t, const struct plan *plan, struct manifest *m,
                           struct err *err)
{
    if (target_up(t, plan, false, err) < 0 || dataset_read_manifest(t, m, err) < 0 ||
        dataset_note(t, m, err) < 0 || cluster_stop(t->cluster, err) < 0)
        return -1;
    if (m->runs_since_load == 0)
        return 0;
    return err_set(err, ERR_USAGE,
                   "the dataset has seen %lld run%s since its load and there is no image of it to "
                   "put back (--restore --rebuild loads it anew and keeps one)",
                   (long long)m->runs_since_load, m->runs_since_load == 1 ? "" : "s");
}

static int ensure_image(struct target *t, const struct plan *plan, bool loaded,
                        struct dataset_held *held, struct err *err)
{
    const struct image_wish wish = {
        .home = &t->restore.home,
        .method = (enum files_method)t->env->settings->restore.method,
    };
    struct restore *r = &t->restore;
    struct err why = {0};
    struct image_of of;

    if (image_look(&r->home, &r->image, &why) < 0 && !t->env->settings->load.rebuild) {
        if (err)
            *err = why;
        return -1;
    }
    if (dataset_there(t, &of) && image_is_of(&r->image, &of))
        return 0;
    if (r->image.there && !(loaded && t->env->settings->load.rebuild)) {
        char *text = of_another(r);

        (void)err_set(err, ERR_USAGE, "%s", text);
        free(text);
        return -1;
    }
    if (!loaded && check_untouched(t, plan, &held->manifest, err) < 0)
        return -1;
    return image_make(t->cluster, &wish, err);
}

int restore_ensure(struct target *t, const struct plan *plan, bool loaded,
                   struct dataset_held *held, struct err *err)
{
    const struct image_wish wish = {
        .home = &t->restore.home,
        .method = (enum files_method)t->env->settings->restore.method,
    };

    if (cluster_alive(t->cluster) && cluster_stop(t->cluster, err) < 0)
        return -1;
    if (ensure_image(t, plan, loaded, held, err) < 0 ||
        image_restore(t->cluster, &wish, &held->restored, err) < 0)
        return cluster_explain(t->cluster, err);
    held->rest_s = 0;
    return t->facts.load_only || t->rests_with_others ? 0
                                                      : restore_rest(t->env, &held->rest_s, err);
}

int restore_rest(const struct job_env *env, double *rested_s, struct err *err)
{
    const uint64_t all_ns = env->settings->restore.rest_ns;
    const uint64_t start_ns = clock_now_ns(env->clock);
    uint64_t past_ns = 0;
    char text[40];

    units_format_duration(all_ns, text, sizeof(text));
    if (all_ns > 0)
        log_line(env->log, LOG_INFO, "the drive rests for %s", text);
    for (; past_ns < all_ns; past_ns = clock_now_ns(env->clock) - start_ns) {
        const struct progress p = {.step = "rest",
                                   .unit = "seconds",
                                   .done = past_ns / NS_PER_S,
                                   .total = all_ns / NS_PER_S,
                                   .elapsed_ns = past_ns};
        const uint64_t next_ns = past_ns + REST_TELL_NS;

        if (stop_level(env->stop) > 0)
            return err_set(err, ERR_INTERRUPTED, "interrupted while the drive rested");
        if (env->ui && env->ui->progress)
            env->ui->progress(&p, env->ui->ctx);
        clock_sleep_until_ns(env->clock, start_ns + (next_ns < all_ns ? next_ns : all_ns));
    }
    *rested_s = (double)past_ns / (double)NS_PER_S;
    return 0;
}

int restore_forget(struct target *t, struct err *err)
{
    struct layout home = {0};
    int rc = image_home(&home, t->drive_dir, NULL, err);

    if (rc == 0)
        rc = image_remove(t->cluster, &home, err);
    layout_release(&home);
    return rc;
}
