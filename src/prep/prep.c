/*
 * From the settings to the finished result (see the header). The result directory is made only once
 * everything that could refuse has been asked.
 */
#include "prep/prep.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "drive/block_refuse.h"
#include "drive/blockdev.h"
#include "drive/record.h"
#include "prep/job.h"
#include "prep/partition.h"
#include "result/verdict.h"

#define LABEL "prep"

static void show_plan(const struct prep_job *j)
{
    struct strbuf text;
    char *word = block_consent(&j->facts);

    strbuf_init(&text);
    prep_plan_print(&j->plan, &j->facts, &text);
    prep_duration_print(&j->duration, &text);
    if (j->resumed)
        strbuf_addf(&text, "  goes on     with %s, cut off %s, at byte %lld\n",
                    prep_step_name(j->state.step), j->state.updated,
                    (long long)j->state.done_bytes);
    if (j->env->settings->output.dry_run && !j->env->settings->drive.i_will_lose)
        strbuf_addf(&text, "  agree with  --i-will-lose %s\n", word);
    j->env->plan(text.buf, j->env->ctx);
    strbuf_release(&text);
    free(word);
}

/* The word is given, or typed. */
static int get_consent(struct prep_job *j, struct err *err)
{
    const struct block_facts *f = &j->facts;
    const char *given = j->env->settings->drive.i_will_lose;
    char *question = NULL;
    char *typed = NULL;
    int rc;

    if (given)
        return block_consent_check(f, given, err);
    question = xasprintf("all that is on %s will be lost: type its %s to agree: ", f->node,
                         f->serial ? "serial number" : "size in bytes");
    typed = j->env->ask(question, j->env->ctx);
    rc = block_consent_check(f, typed, err);
    free(typed);
    free(question);
    return rc;
}

/* Nobody else has it from here on. Where all that is left is to find it mounted, it is. */
static int take_drive(struct prep_job *j, struct err *err)
{
    j->surface = (struct surface){
        .fd = -1,
        .size_bytes = (uint64_t)j->facts.size_bytes,
        .clock = j->env->clock,
        .stop = j->env->stop,
        .progress = j->env->progress,
        .progress_ctx = j->env->ctx,
    };
    if (j->state.step == STEP_MOUNT && j->facts.used.n > 0)
        return 0;
    j->surface.fd = block_facts_open(&j->facts, O_RDWR | O_EXCL | O_DIRECT, err);
    if (j->surface.fd < 0)
        return -1;
    if (j->state.step > STEP_PARTITION)
        return 0;
    /* What the kernel knows of an older table of ours is no longer so. */
    return partition_forget(j->surface.fd, &j->root, j->facts.sysfs, err);
}

static void record_identity(struct prep_job *j)
{
    const struct prep_env *env = j->env;
    struct result *r = j->r;
    struct drive_map map = {0};
    char now[32];

    clock_format_utc(clock_real_us(env->clock), now, sizeof(now));
    r->kind = xstrdup("prep");
    r->version = xstrdup(env->version);
    r->started = xstrdup(now);
    r->label = xstrdup(env->settings->run.label ? env->settings->run.label : LABEL);
    r->command = xstrdup(env->command);
    drive_record_host(&j->root, &r->host);
    r->drive.path = xstrdup(j->facts.node);
    if (blockdev_map(&j->probe, j->facts.node, &map, NULL) == 0) {
        drive_record_filesystem(&map, &r->drive);
        drive_record_devices(&j->root, &map, &r->drive);
        drive_map_release(&map);
    }
}

static int open_result(struct prep_job *j, struct prep_outcome *out, struct err *err)
{
    record_identity(j);
    j->dir = result_dir_create(j->env->settings->output.results, j->r->label,
                               clock_real_us(j->env->clock), err);
    if (!j->dir)
        return -1;
    out->result_path = xstrdup(result_dir_path(j->dir));
    log_set_file(j->env->log, result_dir_log(j->dir));
    return result_dir_write_early(j->dir, j->r, err);
}

static void copy_record(struct prep_job *j)
{
    prep_record_release(&j->r->drive.prep);
    prep_record_copy(&j->r->drive.prep, &j->state.record);
}

static bool same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* Of this drive only the last record counts: those of its serial number, and that of the table that
 * was on it, are done with. */
static void remove_older(struct prep_job *j)
{
    for (size_t i = 0; i < j->states.n; i++) {
        const struct prep_state *s = &j->states.at[i];

        if (!s->record.id || same(s->record.id, j->state.record.id))
            continue;
        if ((same(s->serial, j->state.serial) && s->size_bytes == j->state.size_bytes) ||
            same(s->record.id, j->facts.contents.table_uuid))
            prep_state_remove(j->state_dir, s);
    }
}

static int write_page(struct prep_job *j, struct err *err)
{
    char *page = NULL;
    int rc = 0;

    if (!j->env->page)
        return 0;
    page = j->env->page(j->r, result_dir_path(j->dir), j->env->ctx);
    rc = result_dir_write_text(j->dir, "report.html", page, err);
    free(page);
    return rc;
}

/* A fill that is not there is a result too, and an invalid one. */
static int finish(struct prep_job *j, bool done, struct prep_outcome *out, struct err *err)
{
    char now[32];

    clock_format_utc(clock_real_us(j->env->clock), now, sizeof(now));
    j->r->ended = xstrdup(now);
    if (done) {
        j->state.step = STEP_DONE;
        j->state.done_bytes = 0;
        free(j->state.record.ended);
        j->state.record.ended = xstrdup(now);
        if (prep_save(j, err) < 0)
            return -1;
        remove_older(j);
    }
    copy_record(j);
    verdict_judge(j->r);
    if (write_page(j, err) < 0)
        return -1;
    log_set_file(j->env->log, NULL);
    if (result_dir_finish(j->dir, j->r, err) < 0)
        return -1;
    free(out->result_path);
    out->result_path = xstrdup(result_dir_path(j->dir));
    out->finished = true;
    return 0;
}

static int work(struct prep_job *j, struct prep_outcome *out, struct err *err)
{
    struct err failed = {0};

    if (get_consent(j, err) < 0 || take_drive(j, err) < 0 || open_result(j, out, err) < 0)
        return -1;
    if (j->resumed)
        log_line(j->env->log, LOG_INFO, "goes on with %s at byte %lld of %lld, cut off %s",
                 prep_step_name(j->state.step), (long long)j->state.done_bytes,
                 (long long)j->state.size_bytes, j->state.updated);
    if (prep_do(j, &failed) == 0)
        return finish(j, true, out, err);
    if (failed.kind == ERR_CHECK_FAILED) {
        log_line(j->env->log, LOG_ERROR, "%s", failed.text);
        return finish(j, false, out, err);
    }
    copy_record(j);
    *err = failed;
    if (result_dir_write_early(j->dir, j->r, &failed) < 0)
        log_line(j->env->log, LOG_WARN, "%s", failed.text);
    return -1;
}

static void release(struct prep_job *j)
{
    log_set_file(j->env->log, NULL);
    result_dir_free(j->dir);
    close_fd(&j->surface.fd);
    close_fd(&j->lock_fd);
    prep_state_release(&j->state);
    prep_states_release(&j->states);
    free(j->medium);
    free(j->wish);
    prep_plan_release(&j->plan);
    prep_duration_release(&j->duration);
    nvme_can_release(&j->can.nvme);
    block_facts_release(&j->facts);
    fsroot_release(&j->root);
}

static void init(struct prep_job *j, const struct prep_env *env)
{
    *j = (struct prep_job){.env = env,
                           .settings = &env->settings->prep,
                           .state_dir = env->settings->prep.state,
                           .surface = {.fd = -1},
                           .lock_fd = -1};
    fsroot_init(&j->root, "");
    j->probe = blockdev_probe_system(&j->root);
}

int prep_run(const struct prep_env *env, struct result *r, struct prep_outcome *out,
             struct err *err)
{
    struct prep_job j;
    int rc = -1;

    init(&j, env);
    j.r = r;
    *out = (struct prep_outcome){.finished = false};
    if (prep_find(&j, err) == 0) {
        show_plan(&j);
        rc = env->settings->output.dry_run ? 0 : work(&j, out, err);
    }
    release(&j);
    return rc;
}

int prep_foresee(const struct prep_env *env, struct prep_duration *out, struct err *err)
{
    struct prep_job j;
    int rc;

    init(&j, env);
    rc = prep_find_plan(&j, err);
    *out = j.duration; /* handed over */
    j.duration = (struct prep_duration){.seconds = 0};
    release(&j);
    return rc;
}
