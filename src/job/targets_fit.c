/*
 * No two in one place, and enough of what they share: files, memory, the room of a file system.
 */
#include "job/targets_fit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/units.h"
#include "job/preflight.h"

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

static int check_places(const struct work *const *work, size_t n, struct err *err)
{
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            if (is_same(&work[a]->target, &work[b]->target))
                return err_set(err, ERR_USAGE,
                               "targets %s and %s are the same %s: each needs one of its own",
                               name_of(work[a]), name_of(work[b]),
                               work[a]->target.is_private ? "directory" : "database");
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

/* Of all targets whose directory lies on that file system; where `first` is not the first of them
 * it was looked at before. */
static int check_file_system(const struct work *const *work, size_t n, size_t first,
                             struct err *err)
{
    const struct plan_space *own = &work[first]->plan.space;
    uint64_t needed = 0;
    size_t on_it = 0;
    struct stat at;
    struct stat other;
    char asked[32];
    char there[32];

    if (!work[first]->target.is_private || stat(work[first]->target.drive_dir, &at) < 0)
        return 0;
    for (size_t i = 0; i < n; i++) {
        const struct plan_space *s = &work[i]->plan.space;

        if (!work[i]->target.is_private || stat(work[i]->target.drive_dir, &other) < 0 ||
            other.st_dev != at.st_dev)
            continue;
        if (i < first)
            return 0;
        needed += s->needed - s->reserve;
        on_it++;
    }
    needed += own->reserve;
    if (own->free == 0 || needed <= own->free || on_it < 2)
        return 0;
    units_format_bytes(needed, asked, sizeof(asked));
    units_format_bytes(own->free, there, sizeof(there));
    return err_set(err, ERR_SURROUNDINGS,
                   "%zu targets on the file system of %s need %s together, %s are free (fewer "
                   "warehouses, or a drive for each)",
                   on_it, work[first]->target.drive_dir, asked, there);
}

int targets_fit(const struct work *const *work, size_t n, struct err *err)
{
    if (check_places(work, n, err) < 0 || check_files(work, n, err) < 0 ||
        check_memory(work, n, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (check_file_system(work, n, i, err) < 0)
            return -1;
    }
    return 0;
}
