/*
 * What there is before anything is written: the facts about the device, which of the records is of
 * it, whether the drive may be touched, and whether an earlier preparation can be gone on with. An
 * interrupted one is gone on with only where the drive proves to be the same: its table's GUID or
 * samples of what was written are those of the record, or nothing was written that counts and the
 * serial number is the same.
 */
#include "prep/job.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "drive/block_refuse.h"
#include "drive/inventory.h"
#include "drive/sysfs.h"
#include "prep/filesystem.h"
#include "prep/partition.h"
#include "prep/pattern.h"

#define PROOF_BLOCKS 256 /* of 4 KiB: 1 MiB */

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* The record whose table is on the drive; NULL: it is not ours. */
static struct prep_state *find_own(struct prep_job *j)
{
    const struct contents *c = &j->facts.contents;

    for (size_t i = 0; c->table_uuid && i < j->states.n; i++) {
        struct prep_state *s = &j->states.at[i];

        if (same(s->record.id, c->table_uuid) && s->size_bytes == j->facts.size_bytes)
            return s;
    }
    return NULL;
}

static bool same_medium(const struct prep_job *j, const struct prep_state *s)
{
    return s->serial ? same(s->serial, j->facts.serial)
                     : !j->facts.serial && same(s->medium, j->medium);
}

/* This start of the machine, and the number that the kernel gave the medium: NULL where it gives
 * none. */
static char *medium_of(const struct prep_job *j)
{
    char *boot = fsroot_read_line(&j->root, "/proc/sys/kernel/random/boot_id");
    char *seq = sysfs_attr(&j->root, j->facts.sysfs, "diskseq");
    char *medium = boot && seq ? xasprintf("%s/%s", boot, seq) : NULL;

    free(seq);
    free(boot);
    return medium;
}

struct proof {
    bool same_drive;
    bool by_pattern; /* what is on it from its first block on is our fill, and nothing else */
};

/* All of the first and the last MiB before `end`, where most of what others write begins or ends,
 * and blocks spread over what is between. */
static int all_as_written(const struct prep_job *j, const struct prep_state *s, int fd, bool *good,
                          struct err *err)
{
    const struct surface surface = {.fd = fd,
                                    .size_bytes = (uint64_t)s->size_bytes,
                                    .clock = j->env->clock,
                                    .stop = j->env->stop};
    const struct surface_data data = {.zeroes = s->step == STEP_ERASE,
                                      .key = pattern_key(s->record.id)};
    const uint64_t end =
        (uint64_t)(s->step <= STEP_FILL && s->done_bytes < s->size_bytes ? s->done_bytes
                                                                         : s->size_bytes);
    const uint64_t mib = PROOF_BLOCKS * PATTERN_BLOCK;
    const struct surface_range ranges[] = {
        {0, end < mib ? end : mib}, {end < mib ? 0 : (end - mib) / mib * mib, end}, {0, end}};

    *good = true;
    for (size_t i = 0; i < ARRAY_LEN(ranges) && *good; i++) {
        struct surface_sampled sampled = {.blocks = 2 * PROOF_BLOCKS};

        if (surface_sample(&surface, &data, ranges[i], &sampled, err) < 0)
            return -1;
        *good = sampled.good == sampled.blocks;
    }
    return 0;
}

static int prove(const struct prep_job *j, const struct prep_state *s, int fd, struct proof *proof,
                 struct err *err)
{
    const bool filled = s->record.filled_bytes >= 0;

    *proof = (struct proof){.same_drive = same(s->record.id, j->facts.contents.table_uuid)};
    if (proof->same_drive || s->step > STEP_PARTITION)
        return 0;
    if (filled && (s->step > STEP_FILL || (s->step == STEP_FILL && s->done_bytes > 0))) {
        if (all_as_written(j, s, fd, &proof->by_pattern, err) < 0)
            return -1;
        proof->same_drive = proof->by_pattern;
        return 0;
    }
    proof->same_drive = same_medium(j, s);
    if (proof->same_drive && s->step == STEP_ERASE && s->done_bytes > 0) /* zeroes prove little */
        return all_as_written(j, s, fd, &proof->same_drive, err);
    return 0;
}

static void take_state(struct prep_state *to, struct prep_state *from)
{
    prep_state_release(to);
    *to = *from;
    *from = (struct prep_state){.step = STEP_DONE};
    prep_record_init(&from->record);
}

/* A new state: nothing done yet. */
static void new_state(struct prep_job *j)
{
    struct prep_state *s = &j->state;
    char now[32];

    clock_format_utc(clock_real_us(j->env->clock), now, sizeof(now));
    prep_state_init(s);
    s->serial = j->facts.serial ? xstrdup(j->facts.serial) : NULL;
    s->medium = j->medium ? xstrdup(j->medium) : NULL;
    s->size_bytes = j->facts.size_bytes;
    s->wish = xstrdup(j->wish);
    s->part_start_bytes = (int64_t)j->plan.part_start_bytes;
    s->record.started = xstrdup(now);
    s->record.purpose = xstrdup(j->plan.purpose);
    s->record.partition_bytes = (int64_t)j->plan.part_size_bytes;
    if (j->plan.fill)
        s->record.filled_bytes = 0;
    if (j->plan.mount_point) {
        s->record.filesystem = xstrdup(filesystem_name(j->plan.filesystem));
        s->record.mount_point = xstrdup(j->plan.mount_point);
    } else {
        free(s->fs_uuid);
        s->fs_uuid = NULL;
    }
}

/* Whether s can be gone on with; why not is told where it surely is of this drive. */
static int try_state(const struct prep_job *j, const struct prep_state *s, int fd,
                     struct proof *proof, struct err *err)
{
    const char *why = NULL;

    if (prove(j, s, fd, proof, err) < 0)
        return -1;
    if (!proof->same_drive && !same_medium(j, s))
        return 0;
    if (j->settings->restart)
        why = "--restart";
    else if (!same(s->wish, j->wish))
        why = "it was asked to do something else";
    else if (!proof->same_drive)
        why = "what is on the drive is not what it wrote";
    if (why)
        log_line(j->env->log, LOG_INFO, "an earlier preparation (%s) is not gone on with: %s",
                 s->updated, why);
    return why ? 0 : 1;
}

/* Goes on with what was cut off, where that is what is wished for and the drive is the same. The
 * newest record of a serial number is the only one that counts; of drives without one there may be
 * several. */
static int choose_state(struct prep_job *j, int fd, struct proof *proof, struct err *err)
{
    int found = 0;

    j->wish = prep_plan_wish(&j->plan, j->settings);
    for (size_t i = j->states.n; i > 0 && found == 0; i--) {
        struct prep_state *s = &j->states.at[i - 1];

        *proof = (struct proof){.same_drive = false};
        if (s->size_bytes != j->facts.size_bytes || !same(s->serial, j->facts.serial))
            continue;
        if (s->step != STEP_DONE)
            found = try_state(j, s, fd, proof, err);
        if (found > 0)
            take_state(&j->state, s);
        if (s->serial || same_medium(j, s))
            break;
    }
    j->resumed = found > 0;
    if (j->resumed)
        j->state.record.interruptions++;
    else
        *proof = (struct proof){.same_drive = false};
    if (found == 0)
        new_state(j);
    return found < 0 ? -1 : 0;
}

static int refuse(struct prep_job *j, bool own_all, struct err *err)
{
    const struct prep_state *own =
        same(j->state.record.id, j->facts.contents.table_uuid) ? &j->state : find_own(j);
    const struct block_own ours = {
        .table_uuid = own ? own->record.id : NULL,
        .part_uuid = own ? own->part_uuid : NULL,
        .fs_uuid = own ? own->fs_uuid : NULL,
        .mount_point = own == &j->state && own->step == STEP_MOUNT ? own->record.mount_point : NULL,
    };
    const struct block_rules rules = {
        .program = "drive-prep", .whole = true, .own_all = own_all, .own = own ? &ours : NULL};

    return block_refuse(&j->facts, &rules, err);
}

static int look_at_drive(struct prep_job *j, struct err *err)
{
    struct inventory inv;
    int broken = 0;

    if (block_facts_read(&j->probe, j->env->device, &j->facts, err) < 0)
        return -1;
    inventory_read(&j->root, j->facts.sysfs, false, &inv);
    j->can.discards = inv.discard_max_bytes > 0;
    j->rotational = inv.rotational;
    inventory_release(&inv);
    j->medium = medium_of(j);
    prep_states_read(j->state_dir, &j->states, &broken);
    if (broken > 0)
        log_line(j->env->log, LOG_WARN, "%d files in %s are not whole and are not looked at",
                 broken, j->state_dir);
    if (j->facts.root_unknown)
        log_line(j->env->log, LOG_WARN,
                 "what / is on could not be told: only the kernel's "
                 "exclusive open keeps it");
    return 0;
}

static bool has_times(const struct prep_record *r)
{
    return r->fill_seconds > 0 || r->erase_seconds > 0;
}

/* What is to be gone on with is the newest record of the drive, if it got so far. */
static const struct prep_record *last_record(const struct prep_job *j)
{
    if (j->resumed && has_times(&j->state.record))
        return &j->state.record;
    for (size_t i = j->states.n; i > 0; i--) {
        const struct prep_state *s = &j->states.at[i - 1];

        if (s->size_bytes == j->facts.size_bytes && same_medium(j, s) && has_times(&s->record))
            return &s->record;
    }
    return NULL;
}

static void foresee(struct prep_job *j)
{
    const struct prep_known known = {
        .nvme = j->can.nvme.is_nvme,
        .rotational = j->rotational,
        .last = last_record(j),
        .step = j->resumed ? j->state.step : STEP_ERASE,
        .done_bytes = j->resumed ? (uint64_t)j->state.done_bytes : 0,
    };

    prep_duration_make(&j->plan, &known, &j->duration);
}

/* Where the file system of an interrupted preparation is mounted already its directory is not
 * empty. */
static int check_place(const struct prep_job *j, struct err *err)
{
    if (!j->plan.mount_point)
        return 0;
    if (filesystem_check(j->plan.filesystem, err) < 0)
        return -1;
    return j->facts.used.n > 0 ? 0 : filesystem_check_dir(j->plan.mount_point, err);
}

int prep_find(struct prep_job *j, struct err *err)
{
    struct proof proof = {.same_drive = false};
    struct err plan_err = {0};
    int planned = -1;
    int fd = -1;
    int rc = -1;

    if (look_at_drive(j, err) < 0)
        goto out;
    fd = block_facts_open(&j->facts, O_RDONLY, err);
    if (fd < 0 || block_facts_look(&j->facts, fd, err) < 0)
        goto out;
    close_fd(&fd);
    fd = block_facts_open(&j->facts, O_RDONLY | O_DIRECT, err); /* not what the page cache knows */
    if (fd < 0)
        goto out;
    nvme_look(&j->root, j->facts.sysfs, j->facts.node, &j->can.nvme);
    planned = prep_plan_make(j->settings, &j->facts, &j->can, &j->plan, &plan_err);
    if (planned == 0 && choose_state(j, fd, &proof, err) < 0)
        goto out;
    /* That the drive may not be touched is told before what is wrong with the wish. Random data may
     * look like anything to who looks for signatures. */
    if (refuse(j, proof.by_pattern && j->resumed, err) < 0)
        goto out;
    if (planned < 0) {
        *err = plan_err;
        goto out;
    }
    foresee(j);
    rc = check_place(j, err);
out:
    close_fd(&fd);
    return rc;
}

int prep_find_plan(struct prep_job *j, struct err *err)
{
    if (look_at_drive(j, err) < 0)
        return -1;
    nvme_look(&j->root, j->facts.sysfs, j->facts.node, &j->can.nvme);
    if (prep_plan_make(j->settings, &j->facts, &j->can, &j->plan, err) < 0)
        return -1;
    foresee(j);
    return 0;
}
