/*
 * The steps that change the drive. Each is recorded before it begins, and those that go by bytes as
 * they go; so after any end of the program the record says at most too little, and doing a step's
 * last part again does no harm.
 */
#include "prep/job.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "prep/filesystem.h"
#include "prep/partition.h"
#include "prep/pattern.h"

#define SAVE_NS (2 * NS_PER_S)
#define ZERO_BLOCKS 256

/* For tests: the end of kill -9 at a definite place, a step's name or that with "-done". */
static void die_here(const struct prep_job *j, const char *place, const char *end)
{
    const char *at = j->settings->die_at;
    const size_t n = strlen(place);

    if (at && strncmp(at, place, n) == 0 && strcmp(at + n, end) == 0)
        (void)raise(SIGKILL);
}

/* Adds the time since it was counted last. Counted with every save, so that bytes and seconds of a
 * record belong together, also after kill -9. */
static void count_time(struct prep_job *j, double *seconds)
{
    const uint64_t now_ns = clock_now_ns(j->env->clock);
    const double more = (double)(now_ns - j->counted_ns) / (double)NS_PER_S;

    *seconds = isnan(*seconds) ? more : *seconds + more;
    j->counted_ns = now_ns;
}

/* One more remark on the erase. */
static void note_erase(struct prep_record *r, const char *text)
{
    char *both = r->erase_note ? xasprintf("%s; %s", r->erase_note, text) : xstrdup(text);

    free(r->erase_note);
    r->erase_note = both;
}

/* A surface_save_fn: how far overwrite or fill is. */
static int save_bytes(uint64_t done, void *ctx, struct err *err)
{
    struct prep_job *j = ctx;
    struct prep_record *r = &j->state.record;
    const bool fills = j->state.step == STEP_FILL;

    j->state.done_bytes = (int64_t)done;
    *(fills ? &r->filled_bytes : &r->erased_bytes) = (int64_t)done;
    count_time(j, fills ? &r->fill_seconds : &r->erase_seconds);
    if (prep_save(j, err) < 0)
        return -1;
    if (done >= j->surface.size_bytes / 2)
        die_here(j, prep_step_name(j->state.step), "");
    return 0;
}

static int write_surface(struct prep_job *j, const struct surface_data *data, const char *step,
                         struct err *err)
{
    const struct surface_write w = {
        .data = *data,
        .from = (uint64_t)j->state.done_bytes,
        .step = step,
        .save_every_ns = j->settings->die_at ? 0 : SAVE_NS,
        .save = save_bytes,
        .save_ctx = j,
    };

    return surface_write(&j->surface, &w, err);
}

static int erase_by(struct prep_job *j, enum settings_prep_erase way, struct err *err)
{
    const struct surface_data zeroes = {.zeroes = true};
    int rc = -1;

    if (way != PREP_ERASE_OVERWRITE) {
        j->state.done_bytes = 0;
        die_here(j, "erase", "");
    }
    switch (way) {
    case PREP_ERASE_NVME_FORMAT:
        rc = nvme_format(j->facts.node, j->env->stop, j->env->log, err);
        break;
    case PREP_ERASE_SANITIZE:
        rc = nvme_sanitize(j->facts.node, j->env->clock, j->env->stop, err);
        break;
    case PREP_ERASE_DISCARD:
        rc = surface_discard(&j->surface, err);
        break;
    case PREP_ERASE_OVERWRITE:
        return write_surface(j, &zeroes, "overwrite", err);
    case PREP_ERASE_NONE:
    case PREP_ERASE_AUTO:
        UNREACHABLE();
    }
    if (rc == 0)
        j->state.record.erased_bytes = j->state.size_bytes;
    return rc;
}

/* What the drive answers where it was erased: zeroes, or what it likes. A look that was interrupted
 * is no reason to erase again. */
static int look_at_zeroes(struct prep_job *j, struct err *err)
{
    const struct surface_data zeroes = {.zeroes = true};
    struct surface_sampled sampled = {.blocks = ZERO_BLOCKS};
    struct err why = {0};

    if (surface_sample(&j->surface, &zeroes, (struct surface_range){0, j->surface.size_bytes},
                       &sampled, &why) < 0) {
        *err = why;
        return why.kind == ERR_INTERRUPTED ? 0 : -1;
    }
    j->state.record.zero_percent = 100.0 * (double)sampled.good / (double)sampled.blocks;
    return 0;
}

/* The overwrite that was cut off goes on; anything else begins anew. */
static int first_way(const struct prep_job *j)
{
    for (int i = 0; i < j->plan.n_ways; i++) {
        if (j->state.done_bytes > 0 && j->plan.ways[i] == PREP_ERASE_OVERWRITE)
            return i;
    }
    return 0;
}

static int erase(struct prep_job *j, struct err *err)
{
    struct prep_record *r = &j->state.record;
    int rc = -1;

    j->counted_ns = clock_now_ns(j->env->clock);
    if (!j->resumed && j->plan.erase_note)
        note_erase(r, j->plan.erase_note);
    for (int i = first_way(j); i < j->plan.n_ways && rc < 0; i++) {
        struct err why = {0};

        xset_text(&r->erase, prep_erase_name(j->plan.ways[i]));
        log_line(j->env->log, LOG_INFO, "erase: %s", r->erase);
        rc = erase_by(j, j->plan.ways[i], &why);
        if (rc < 0 && (why.kind == ERR_INTERRUPTED || j->plan.ways[i] == PREP_ERASE_OVERWRITE)) {
            count_time(j, &r->erase_seconds);
            *err = why;
            return -1;
        }
        if (rc < 0) {
            log_line(j->env->log, LOG_WARN, "erase: %s failed: %s", r->erase, why.text);
            note_erase(r, why.text);
        }
    }
    if (rc < 0) { /* none was wished for, or all failed and the fill is what overwrites */
        xset_text(&r->erase, prep_erase_name(PREP_ERASE_NONE));
        r->erased_bytes = 0;
        return j->plan.fill || j->plan.n_ways == 0
                   ? 0
                   : err_set(err, ERR_SURROUNDINGS, "%s could not be erased: %s", j->facts.node,
                             r->erase_note ? r->erase_note : "");
    }
    count_time(j, &r->erase_seconds);
    return look_at_zeroes(j, err);
}

static int fill(struct prep_job *j, struct err *err)
{
    const struct surface_data data = {.key = pattern_key(j->state.record.id)};
    int rc;

    if (!j->plan.fill)
        return 0;
    j->counted_ns = clock_now_ns(j->env->clock);
    rc = write_surface(j, &data, "fill", err);
    count_time(j, &j->state.record.fill_seconds);
    return rc;
}

static int sample(struct prep_job *j, struct err *err)
{
    const struct surface_data data = {.key = pattern_key(j->state.record.id)};
    struct surface_sampled sampled = {.blocks = PREP_SAMPLE_BLOCKS};
    struct prep_record *r = &j->state.record;

    if (!j->plan.fill)
        return 0;
    if (surface_sample(&j->surface, &data, (struct surface_range){0, j->surface.size_bytes},
                       &sampled, err) < 0)
        return -1;
    r->sampled_blocks = (int64_t)sampled.blocks;
    r->sampled_good = (int64_t)sampled.good;
    if (sampled.good == sampled.blocks)
        return 0;
    return err_set(err, ERR_CHECK_FAILED,
                   "%s does not hold what was written: %lld of %lld blocks of the fill are not "
                   "there, the first at byte %llu",
                   j->facts.node, (long long)(r->sampled_blocks - r->sampled_good),
                   (long long)r->sampled_blocks, (unsigned long long)sampled.first_bad);
}

static struct partition entry_of(const struct prep_job *j)
{
    return (struct partition){
        .table_uuid = j->state.record.id,
        .part_uuid = j->state.part_uuid,
        .start_bytes = (uint64_t)j->state.part_start_bytes,
        .size_bytes = (uint64_t)j->state.record.partition_bytes,
    };
}

static int partition(struct prep_job *j, struct err *err)
{
    const struct partition p = entry_of(j);
    int fd = block_facts_open(&j->facts, O_RDWR, err);
    int rc = -1;

    if (fd < 0)
        return -1;
    if (partition_forget(fd, &j->root, j->facts.sysfs, err) < 0 ||
        partition_write(fd, j->facts.node, &p, err) < 0)
        goto out;
    if (fsync(fd) < 0) {
        (void)err_sys(err, errno, "%s", j->facts.node);
        goto out;
    }
    rc = partition_announce(fd, &p, err);
out:
    close_fd(&fd);
    return rc;
}

/* The node of the partition, of which the kernel may have to be told again (one without a parser,
 * after a restart). NULL and err on failure; free() it. */
static char *find_partition(struct prep_job *j, struct err *err)
{
    const struct partition p = entry_of(j);
    int fd = block_facts_open(&j->facts, O_RDONLY, err);
    char *node = NULL;

    if (fd >= 0 && partition_announce(fd, &p, err) == 0)
        node = partition_node(&j->root, j->facts.sysfs, err);
    close_fd(&fd);
    return node;
}

/* While the drive is held as a whole nobody can have its partition: mkfs neither. The lock that
 * keeps udev from looking into what is half made goes over to another descriptor. */
static int let_go(struct prep_job *j, struct err *err)
{
    if (j->surface.fd < 0)
        return 0;
    close_fd(&j->surface.fd);
    j->lock_fd = block_facts_open(&j->facts, O_RDONLY, err);
    if (j->lock_fd < 0)
        return -1;
    (void)flock(j->lock_fd, LOCK_EX | LOCK_NB);
    return 0;
}

static int filesystem(struct prep_job *j, struct err *err)
{
    char *node;
    int rc = -1;

    if (j->plan.filesystem < 0)
        return 0;
    node = find_partition(j, err);
    if (node && let_go(j, err) == 0)
        rc = filesystem_make(j->plan.filesystem, node, j->state.fs_uuid, j->env->stop, err);
    free(node);
    return rc;
}

static bool is_mounted(const struct prep_job *j)
{
    for (size_t i = 0; i < j->facts.used.n; i++) {
        const struct block_used *u = &j->facts.used.at[i];

        if (u->use == BLOCK_MOUNTED && strcmp(u->by, j->plan.mount_point) == 0)
            return true;
    }
    return false;
}

static int mount_it(struct prep_job *j, struct err *err)
{
    char *node;
    int rc = -1;

    if (j->plan.filesystem < 0 || is_mounted(j))
        return 0;
    node = find_partition(j, err);
    if (node && let_go(j, err) == 0)
        rc = filesystem_mount(j->plan.filesystem, node, j->plan.mount_point, err);
    free(node);
    return rc;
}

int prep_save(struct prep_job *j, struct err *err)
{
    return prep_state_save(j->state_dir, &j->state, err);
}

/* How long a step that did not end took so far; without it the record is merely less exact. */
static void keep_times(struct prep_job *j)
{
    struct err err = {0};

    if (prep_save(j, &err) < 0)
        log_line(j->env->log, LOG_WARN, "%s", err.text);
}

int prep_do(struct prep_job *j, struct err *err)
{
    static int (*const steps[STEP_DONE])(struct prep_job * j, struct err * err) = {
        [STEP_ERASE] = erase,           [STEP_FILL] = fill,
        [STEP_SAMPLE] = sample,         [STEP_PARTITION] = partition,
        [STEP_FILESYSTEM] = filesystem, [STEP_MOUNT] = mount_it,
    };

    for (int step = j->state.step; step < STEP_DONE; step++) {
        if (step != j->state.step)
            j->state.done_bytes = 0;
        j->state.step = step;
        if (prep_save(j, err) < 0)
            return -1;
        if (step > STEP_FILL)
            die_here(j, prep_step_name(step), "");
        if (stop_level(j->env->stop) > 0)
            return err_set(err, ERR_INTERRUPTED, "interrupted");
        if (steps[step](j, err) < 0) {
            keep_times(j);
            return -1;
        }
        die_here(j, prep_step_name(step), "-done");
    }
    return 0;
}
