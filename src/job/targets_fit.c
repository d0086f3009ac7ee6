/*
 * No two in one place, and enough of what they share: files, memory, the room of a file system.
 */
#include "job/targets_fit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/units.h"
#include "base/vec.h"
#include "job/preflight.h"
#include "plan/space.h"

static const char *name_of(const struct work *w)
{
    return w->env->settings->run.label;
}

/* By directory, or by what the connection string comes to; what only looks different is refused by
 * the dataset's lock. */
static bool is_same(const struct target *a, const struct target *b)
{
    if (a->is_private != b->is_private)
        return false;
    if (a->is_private)
        return strcmp(a->drive_dir, b->drive_dir) == 0;
    return strcmp(a->conninfo, b->conninfo) == 0;
}

static bool has_same_image(const struct restore *a, const struct restore *b)
{
    return a->wanted && b->wanted && strcmp(a->home.dir, b->home.dir) == 0;
}

static int check_places(const struct work *const *work, size_t n, struct err *err)
{
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            if (is_same(&work[a]->target, &work[b]->target))
                return err_set(err, ERR_USAGE,
                               "targets %s and %s are the same %s: each needs one of its own",
                               name_of(work[a]), name_of(work[b]),
                               work[a]->target.is_private ? "directory" : "database");
            if (has_same_image(&work[a]->target.restore, &work[b]->target.restore))
                return err_set(err, ERR_USAGE,
                               "targets %s and %s keep their images in %s: each needs a directory "
                               "of its own",
                               name_of(work[a]), name_of(work[b]),
                               work[a]->target.restore.home.dir);
        }
    }
    return 0;
}

static int check_files(const struct work *const *work, size_t n, struct err *err)
{
    uint64_t sessions = 0;
    uint64_t files = 0;
    char *complaint = NULL;

    for (size_t i = 0; i < n; i++) {
        sessions += work[i]->plan.sessions;
        files += preflight_files_of(&work[i]->plan);
    }
    complaint = preflight_files(sessions, files);
    if (!complaint)
        return 0;
    err_set(err, ERR_SURROUNDINGS, "all targets: %s", complaint);
    free(complaint);
    return -1;
}

/* What each private server's plan had of the machine's memory is its share. */
static int check_memory(const struct work *const *work, size_t n, struct err *err)
{
    uint64_t memory = 0;
    uint64_t limits = 0;
    char asked[32];
    char there[32];

    for (size_t i = 0; i < n; i++) {
        if (!work[i]->target.is_private)
            continue;
        memory += work[i]->target.facts.memory_bytes;
        limits +=
            work[i]->plan.memory.limit ? work[i]->plan.memory.limit : work[i]->plan.buffer_bytes;
    }
    if (memory == 0 || limits <= memory)
        return 0;
    units_format_bytes(limits, asked, sizeof(asked));
    units_format_bytes(memory, there, sizeof(there));
    return err_set(
        err, ERR_SURROUNDINGS,
        "the servers of all targets may take %s of memory, the machine has %s (a smaller "
        "buffer or memory-limit, or fewer targets)",
        asked, there);
}

/* What is to be written on one file system. */
struct room {
    dev_t device;
    const char *where; /* a directory there */
    uint64_t needed, reserve, free;
    size_t targets;
};

struct rooms {
    VEC(struct room) all;
};

/* The reserve is the file system's, and there once. */
static void add_room(struct rooms *rooms, const struct room *more)
{
    struct stat at;

    if (stat(more->where, &at) < 0 || more->free == 0)
        return;
    for (size_t i = 0; i < rooms->all.n; i++) {
        struct room *r = &rooms->all.at[i];

        if (r->device != at.st_dev)
            continue;
        r->needed += more->needed;
        r->reserve = more->reserve > r->reserve ? more->reserve : r->reserve;
        r->targets++;
        return;
    }
    VEC_PUSH(&rooms->all, *more);
    rooms->all.at[rooms->all.n - 1].device = at.st_dev;
}

static void add_image(struct rooms *rooms, const struct work *w)
{
    const struct restore *r = &w->target.restore;
    const uint64_t image = space_of_image(w->plan.space.dataset);
    const uint64_t there = r->image.there ? r->image.bytes : 0;
    const struct room room = {.where = r->home.drive,
                              .needed = image > there ? image - there : 0,
                              .free = r->free_bytes,
                              .targets = 1};

    if (r->wanted && !r->fits && !r->same_fs) /* else the plan of the drive has it */
        add_room(rooms, &room);
}

static int check_rooms(const struct work *const *work, size_t n, struct err *err)
{
    struct rooms rooms = {0};
    char asked[32];
    char there[32];
    int rc = 0;

    for (size_t i = 0; i < n; i++) {
        const struct plan_space *s = &work[i]->plan.space;
        const struct room room = {.where = work[i]->target.drive_dir,
                                  .needed = s->needed - s->reserve,
                                  .reserve = s->reserve,
                                  .free = s->free,
                                  .targets = 1};

        if (!work[i]->target.is_private)
            continue;
        add_room(&rooms, &room);
        add_image(&rooms, work[i]);
    }
    for (size_t i = 0; i < rooms.all.n && rc == 0; i++) {
        const struct room *r = &rooms.all.at[i];

        if (r->targets < 2 || r->needed + r->reserve <= r->free)
            continue;
        units_format_bytes(r->needed + r->reserve, asked, sizeof(asked));
        units_format_bytes(r->free, there, sizeof(there));
        rc = err_set(err, ERR_SURROUNDINGS,
                     "%zu targets on the file system of %s need %s together, %s are free (fewer "
                     "warehouses, or a drive for each)",
                     r->targets, r->where, asked, there);
    }
    VEC_RELEASE(&rooms.all);
    return rc;
}

int targets_fit(const struct work *const *work, size_t n, struct err *err)
{
    if (check_places(work, n, err) < 0 || check_files(work, n, err) < 0 ||
        check_memory(work, n, err) < 0)
        return -1;
    return check_rooms(work, n, err);
}
