/*
 * Making, looking at and putting back. The order of the steps is what keeps half an image, or half
 * a cluster, from looking whole: names that count are given by a rename, after everything is synced
 * and was read back.
 */
#include "cluster/image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "cluster/found.h"
#include "cluster/image_manifest.h"
#include "cluster/lock.h"

#define MANIFEST "manifest.json"

int image_home(struct layout *home, const char *drive_dir, const char *image_dir, struct err *err)
{
    return image_dir ? layout_init_image(home, image_dir, err) : layout_init(home, drive_dir, err);
}

static bool is_apart(const struct cluster *c, const struct layout *home)
{
    return strcmp(home->dir, c->layout.dir) != 0;
}

/* HOME/name/rest; free() it. */
static char *path_in(const struct layout *home, const char *name, const char *rest)
{
    return xasprintf("%s/%s/%s", home->dir, name, rest);
}

static int read_manifest(const struct layout *home, struct image_about *about, struct files *files,
                         struct err *err)
{
    char *path = path_in(home, LAYOUT_IMAGE, MANIFEST);
    const int rc = image_manifest_read(path, about, files, err);

    free(path);
    if (rc < 0)
        return err_wrap(err, "the image in %s can't be used (remove it, or name another --image)",
                        home->dir);
    return 0;
}

int image_look(const struct layout *home, struct image_about *about, struct err *err)
{
    const int ours = layout_look(home, err);
    struct files files = {0};
    int rc = 0;

    *about = (struct image_about){0};
    if (ours < 0)
        return -1;
    if (ours == 1 && layout_exists(home, LAYOUT_IMAGE))
        rc = read_manifest(home, about, &files, err);
    files_release(&files);
    return rc;
}

bool image_of_cluster(const struct layout *l, struct image_of *of)
{
    char *text = layout_read(l, LAYOUT_DATASET);
    struct dataset_note note;

    dataset_note_parse(text, &note);
    free(text);
    *of = (struct image_of){
        .major = found_major(l), .warehouses = note.warehouses, .loaded_at_us = note.loaded_at_us};
    return of->major > 0 && note.complete && of->loaded_at_us > 0;
}

bool image_is_of(const struct image_about *about, const struct image_of *of)
{
    return about->there && about->of.major == of->major && about->of.warehouses == of->warehouses &&
           about->of.loaded_at_us == of->loaded_at_us;
}

/* -1 in *fd where the home is DIR/tpcc-run/, which is locked already. */
static int lock_home(const struct cluster *c, const struct layout *home, int *fd, struct err *err)
{
    *fd = -1;
    if (!is_apart(c, home))
        return 0;
    *fd = lock_take(home, c->opts.clock, err);
    return *fd < 0 ? -1 : 0;
}

static struct files_work work_of(const struct cluster *c, const char *step)
{
    return (struct files_work){
        .clock = c->opts.clock,
        .stop = c->opts.stop,
        .step = step,
        .on_progress = c->opts.on_progress,
        .ctx = c->opts.ctx,
    };
}

/* By the name of what is being made, so that what is left of it is never taken for an image. */
static int clear_image(const struct layout *home, struct err *err)
{
    if (layout_remove(home, LAYOUT_IMAGE_NEW, err) < 0)
        return -1;
    if (layout_exists(home, LAYOUT_IMAGE) &&
        layout_rename(home, LAYOUT_IMAGE, LAYOUT_IMAGE_NEW, err) < 0)
        return -1;
    return layout_remove(home, LAYOUT_IMAGE_NEW, err);
}

/* That all of it is there and as it was made, before anything is taken away for it. */
static int check_whole(const struct cluster *c, const struct layout *home,
                       const struct files *files, struct err *err)
{
    const struct files_work checking = work_of(c, "image check");
    char *data = path_in(home, LAYOUT_IMAGE, LAYOUT_DATA);
    int rc = files_look(files, data, err);

    if (rc == 0)
        rc = files_check(files, data, &checking, err);
    free(data);
    if (rc < 0 && (!err || err->kind == ERR_CHECK_FAILED))
        return err_wrap(err, "the image is not whole (--restore --rebuild loads anew and keeps "
                             "another, or name another --image)");
    return rc;
}

/* ---- making ---- */

static int fill_image(struct cluster *c, const struct image_wish *wish, struct image_about *about,
                      struct err *err)
{
    const struct files_work copying = work_of(c, "image");
    const struct files_work checking = work_of(c, "image check");
    char *data = path_in(wish->home, LAYOUT_IMAGE_NEW, LAYOUT_DATA);
    char *manifest = path_in(wish->home, LAYOUT_IMAGE_NEW, MANIFEST);
    struct files_copy how = {.from = c->layout.data, .to = data, .method = wish->method};
    struct files files = {0};
    char *text = NULL;
    int rc = -1;

    if (files_scan(c->layout.data, &files, err) < 0 ||
        files_copy(&files, &how, &copying, err) < 0 ||
        files_check(&files, data, &checking, err) < 0)
        goto out;
    about->bytes = files.bytes;
    text = image_manifest_format(about, &files);
    rc = layout_write_path(manifest, text, geteuid(), getegid(), err);
out:
    free(text);
    files_release(&files);
    free(manifest);
    free(data);
    return rc;
}

static int make_in(struct cluster *c, const struct image_wish *wish, struct image_about *about,
                   struct err *err)
{
    char *path = layout_path(wish->home, LAYOUT_IMAGE_NEW);
    struct err also = {0};
    int rc = clear_image(wish->home, err);

    if (rc == 0 && mkdir(path, 0700) < 0)
        rc = err_sys(err, errno, "can't make %s", path);
    if (rc == 0)
        rc = fill_image(c, wish, about, err);
    if (rc == 0)
        rc = layout_rename(wish->home, LAYOUT_IMAGE_NEW, LAYOUT_IMAGE, err);
    if (rc < 0 && layout_remove(wish->home, LAYOUT_IMAGE_NEW, &also) < 0)
        log_line(c->opts.log, LOG_WARN, "%s", also.text);
    free(path);
    return rc;
}

int image_make(struct cluster *c, const struct image_wish *wish, struct err *err)
{
    const uint64_t start_ns = clock_now_ns(c->opts.clock);
    struct image_about about = {.made_us = clock_real_us(c->opts.clock)};
    char size[32];
    char took[40];
    int lock = -1;
    int rc = -1;

    CHECK(!server_alive(c));
    if (!image_of_cluster(&c->layout, &about.of))
        return err_set(err, ERR_SURROUNDINGS,
                       "%s: there is no complete dataset to keep an image of", c->layout.dir);
    if (lock_home(c, wish->home, &lock, err) < 0)
        return -1;
    log_line(c->opts.log, LOG_INFO, "keeping an image of the loaded dataset in %s, by %s",
             wish->home->dir, files_method_name(wish->method));
    rc = make_in(c, wish, &about, err);
    close_fd(&lock);
    if (rc < 0)
        return err_wrap(err, "making the image of the dataset");
    units_format_bytes(about.bytes, size, sizeof(size));
    units_format_duration_short(clock_now_ns(c->opts.clock) - start_ns, took, sizeof(took));
    log_line(c->opts.log, LOG_INFO, "the image of %s was made and compared in %s", size, took);
    return 0;
}

int image_remove(struct cluster *c, const struct layout *home, struct err *err)
{
    const int ours = layout_look(home, err);
    int lock = -1;
    int rc = -1;

    if (ours <= 0)
        return ours;
    if (lock_home(c, home, &lock, err) < 0)
        return -1;
    rc = is_apart(c, home) ? layout_remove_all(home, err) : clear_image(home, err);
    close_fd(&lock);
    return rc;
}

/* ---- putting back ---- */

static int write_note(const struct cluster *c, const struct image_wish *wish, int major,
                      struct err *err)
{
    char *text = xasprintf("method=%s\nmajor=%d\nimage=%s\n", files_method_name(wish->method),
                           major, is_apart(c, wish->home) ? wish->home->drive : "");
    const int rc = layout_write(&c->layout, LAYOUT_RESTORE, text, err);

    free(text);
    return rc;
}

/* The rest of the line behind "key"; free() it. NULL: not there. */
static char *line_of(const char *text, const char *key)
{
    const char *at = strstr(text, key);

    return at ? xstrndup(at + strlen(key), strcspn(at + strlen(key), "\n")) : NULL;
}

bool restore_note_read(const struct layout *l, struct restore_note *note)
{
    char *text = layout_read(l, LAYOUT_RESTORE);
    char *method = text ? line_of(text, "method=") : NULL;
    char *major = text ? line_of(text, "major=") : NULL;
    int64_t n = 0;

    *note = (struct restore_note){.image_dir = text ? line_of(text, "image=") : NULL};
    if (note->image_dir && !note->image_dir[0]) {
        free(note->image_dir);
        note->image_dir = NULL;
    }
    note->method = method && strcmp(method, files_method_name(FILES_REFLINK)) == 0 ? FILES_REFLINK
                                                                                   : FILES_COPY;
    if (major && units_parse_i64(major, &n, NULL) == 0 && n > 0 && n < 1000)
        note->major = (int)n;
    free(method);
    free(major);
    free(text);
    return layout_exists(l, LAYOUT_RESTORE);
}

/* The old files go first, so that no room is needed for both. */
static int clear_data(struct cluster *c, struct err *err)
{
    if (layout_remove(&c->layout, LAYOUT_DATA_OLD, err) < 0 ||
        layout_remove(&c->layout, LAYOUT_DATA_NEW, err) < 0)
        return -1;
    if (layout_exists(&c->layout, LAYOUT_DATA) &&
        layout_rename(&c->layout, LAYOUT_DATA, LAYOUT_DATA_OLD, err) < 0)
        return -1;
    return layout_remove(&c->layout, LAYOUT_DATA_OLD, err);
}

static int copy_back(struct cluster *c, const struct image_wish *wish, struct files *files,
                     struct image_restored *done, struct err *err)
{
    const struct files_work copying = work_of(c, "restore");
    const struct files_work checking = work_of(c, "restore check");
    char *from = path_in(wish->home, LAYOUT_IMAGE, LAYOUT_DATA);
    char *to = layout_path(&c->layout, LAYOUT_DATA_NEW);
    struct files_copy how = {
        .from = from,
        .to = to,
        .method = wish->method,
        .sums_known = true,
        .give_away = c->user.other,
        .uid = c->user.uid,
        .gid = c->user.gid,
    };
    struct err also = {0};
    int rc = files_copy(files, &how, &copying, err);

    if (rc == 0)
        rc = files_check(files, to, &checking, err);
    if (rc < 0 && layout_remove(&c->layout, LAYOUT_DATA_NEW, &also) < 0)
        log_line(c->opts.log, LOG_WARN, "%s", also.text);
    done->bytes = files->bytes;
    done->written = how.written;
    free(from);
    free(to);
    return rc;
}

static int restore_in(struct cluster *c, const struct image_wish *wish, struct image_restored *done,
                      struct err *err)
{
    struct image_about about = {0};
    struct files files = {0};
    int rc = -1;

    if (!layout_exists(wish->home, LAYOUT_IMAGE)) {
        (void)err_set(err, ERR_SURROUNDINGS,
                      "there is no image in %s (bring it back, or --rebuild loads anew)",
                      wish->home->dir);
        goto out;
    }
    if (read_manifest(wish->home, &about, &files, err) < 0 ||
        check_whole(c, wish->home, &files, err) < 0)
        goto out;
    if (write_note(c, wish, about.of.major, err) < 0 || clear_data(c, err) < 0 ||
        copy_back(c, wish, &files, done, err) < 0 ||
        layout_rename(&c->layout, LAYOUT_DATA_NEW, LAYOUT_DATA, err) < 0)
        goto out;
    rc = layout_unlink(&c->layout, LAYOUT_RESTORE, err);
out:
    files_release(&files);
    return rc;
}

static void remember(struct cluster *c, const struct image_wish *wish,
                     const struct image_restored *done)
{
    free(c->restored_from);
    c->restored_from = xstrdup(wish->home->dir);
    c->restored = *done;
}

int image_restore(struct cluster *c, const struct image_wish *wish, struct image_restored *done,
                  struct err *err)
{
    const uint64_t start_ns = clock_now_ns(c->opts.clock);
    char size[32];
    char took[40];
    int lock = -1;
    int rc = -1;

    CHECK(!server_alive(c));
    if (c->restored.done && c->restored.method == wish->method &&
        strcmp(c->restored_from, wish->home->dir) == 0) {
        *done = c->restored;
        return 0;
    }
    *done = (struct image_restored){.method = wish->method};
    if (lock_home(c, wish->home, &lock, err) < 0)
        return -1;
    log_line(c->opts.log, LOG_INFO, "putting the dataset back from the image in %s, by %s",
             wish->home->dir, files_method_name(wish->method));
    rc = restore_in(c, wish, done, err);
    close_fd(&lock);
    if (rc < 0)
        return err_wrap(err, "putting the dataset back%s",
                        layout_exists(&c->layout, LAYOUT_RESTORE)
                            ? " (it is not whole now: the next start makes the restore again)"
                            : "");
    done->done = true;
    done->seconds = (double)(clock_now_ns(c->opts.clock) - start_ns) / (double)NS_PER_S;
    remember(c, wish, done);
    units_format_bytes(done->bytes, size, sizeof(size));
    units_format_duration_short((uint64_t)(done->seconds * 1e9), took, sizeof(took));
    log_line(c->opts.log, LOG_INFO,
             "the dataset is as after its load: %s put back and compared in %s", size, took);
    return 0;
}

int image_restore_again(struct cluster *c, struct err *err)
{
    struct restore_note note;
    struct image_restored done;
    struct layout home = {0};
    int rc = -1;

    (void)restore_note_read(&c->layout, &note);
    log_line(c->opts.log, LOG_WARN, "a restore of the dataset in %s was cut off: made again",
             c->layout.dir);
    if (image_home(&home, c->layout.drive, note.image_dir, err) == 0)
        rc = image_restore(c, &(struct image_wish){&home, note.method}, &done, err);
    layout_release(&home);
    free(note.image_dir);
    return rc;
}
