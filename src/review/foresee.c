/*
 * See the header. A preparation tells what it would refuse by its own dry run; the partition for
 * the block tests and the file system are still to be made, so those are reckoned.
 */
#include "review/foresee.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/xalloc.h"
#include "drive/block_refuse.h"
#include "job/sweep.h"
#include "prep/filesystem.h"
#include "prep/partition.h"
#include "prep/prep.h"
#include "result/result_dir.h"

/* Quick check before the run, the twelve conditions after it: about a second a warehouse each. */
#define CHECK_S 1.0

static void say(const struct job_env *env, int step)
{
    char *line = xasprintf("%s%d. %s\n", step > 0 ? "\n" : "", step + 1, review_step_words(step));

    if (env->ui->plan_text)
        env->ui->plan_text(line, env->ui->ctx);
    free(line);
}

static struct prep_env prep_env_of(const struct job_env *env, const struct settings *s,
                                   const struct block_facts *facts)
{
    return (struct prep_env){
        .settings = s,
        .device = facts->node,
        .version = env->version,
        .command = env->command,
        .clock = env->clock,
        .log = env->log,
        .stop = env->stop,
        .plan = env->ui->plan_text,
        .ctx = env->ui->ctx,
    };
}

/* Its own dry run: what it would do, and what it refuses. */
static int plan_prep(const struct job_env *env, const struct review_asks *asks, int step,
                     struct review_plan *out, struct err *err)
{
    struct settings s;
    struct prep_duration duration = {.seconds = 0};
    struct prep_outcome outcome = {0};
    struct result r;
    char *word = block_consent(asks->facts); /* asked for by the review, not by each step */
    int rc = -1;

    review_step_settings(env->settings, step, asks->decides, &s);
    const struct prep_env prep = prep_env_of(env, &s, asks->facts);

    result_init(&r);
    s.output.dry_run = true;
    s.drive.i_will_lose = word;
    if (prep_run(&prep, &r, &outcome, err) < 0 || prep_foresee(&prep, &duration, err) < 0)
        goto out;
    out->seconds[step] = duration.seconds;
    if (duration.steps[STEP_FILL].why)
        out->why[step] = xasprintf("fill %s", duration.steps[STEP_FILL].why);
    else
        out->why[step] = xstrdup("no fill");
    rc = 0;
out:
    prep_duration_release(&duration);
    free(outcome.result_path);
    free(word);
    result_release(&r);
    return rc;
}

/* Points that need not be measured again; whether they fit is asked when the drive is there. */
static uint64_t points_done(const char *cut_sweep)
{
    struct result r;
    uint64_t done = 0;

    result_init(&r);
    if (cut_sweep && result_dir_read_figures(cut_sweep, &r, NULL) == 0 && r.sweep.points_done > 0)
        done = (uint64_t)r.sweep.points_done;
    result_release(&r);
    return done;
}

static int plan_sweep(const struct job_env *env, const char *cut_sweep, struct review_plan *out,
                      struct err *err)
{
    struct sweep_plan plan;
    struct strbuf text;
    int rc = sweep_plan_make(env->settings, &plan, err);

    if (rc == 0) {
        const uint64_t all_ns = schedule_least_ns(&plan.schedule);
        const uint64_t done = points_done(cut_sweep);
        const uint64_t done_ns = done * schedule_point_ns(&plan.schedule);
        const uint64_t left_ns = all_ns > done_ns ? all_ns - done_ns : 0;

        strbuf_init(&text);
        schedule_print(&plan.schedule, &text);
        strbuf_addf(&text, "  fio         %s\n", plan.fio);
        if (done > 0)
            strbuf_addf(&text, "  goes on     after %llu of %zu points\n", (unsigned long long)done,
                        plan.schedule.steps.n);
        if (env->ui->plan_text)
            env->ui->plan_text(text.buf, env->ui->ctx);
        strbuf_release(&text);
        out->seconds[REVIEW_SWEEP] = (double)left_ns / NS_PER_S;
        out->why[REVIEW_SWEEP] =
            xstrdup(env->settings->sweep.until_steady ? "at least, until each maximum is steady"
                                                      : "by its points");
    }
    sweep_plan_release(&plan);
    return rc;
}

/* Where the file system will be mounted; free() it. */
static char *mount_point(const struct settings_prep *p, const struct block_facts *facts)
{
    char *name = partition_name(facts->name);
    char *dir = p->mount ? xstrdup(p->mount) : xasprintf("/mnt/%s", name);

    free(name);
    return dir;
}

/* The partition of the database as its preparation would make it. */
static uint64_t database_bytes(const struct settings_prep *p, const struct block_facts *facts)
{
    return p->size_bytes ? p->size_bytes : partition_room((uint64_t)facts->size_bytes);
}

static int plan_database(const struct job_env *env, const struct review_asks *asks,
                         struct review_plan *out, struct err *err)
{
    struct review_decides decides = *asks->decides;
    struct settings s;
    struct job_env of_step = *env;
    struct plan plan = {0};
    char *device = xasprintf("%s, with the %s that is made there", asks->facts->node,
                             filesystem_name(env->settings->prep.filesystem));
    struct filesystem_room room;
    int rc;

    decides.mount_point = mount_point(&env->settings->prep, asks->facts);
    review_step_settings(env->settings, REVIEW_DATABASE, &decides, &s);
    of_step.settings = &s;
    room = filesystem_room(s.prep.filesystem, database_bytes(&s.prep, asks->facts));
    const struct job_place place = {
        .size_bytes = room.size_bytes, .free_bytes = room.free_bytes, .device = device};

    rc = job_foresee(&of_step, &place, &plan, err);
    if (rc == 0) {
        const double run_s = (double)(plan.precondition_ns + plan.sample_ns) / NS_PER_S;
        char load[32];
        char run[32];

        units_format_duration_short((uint64_t)(plan.load_seconds * (double)NS_PER_S), load,
                                    sizeof(load));
        units_format_duration_short(plan.precondition_ns + plan.sample_ns, run, sizeof(run));
        out->seconds[REVIEW_DATABASE] =
            plan.load_seconds + run_s + CHECK_S * (double)plan.dataset.warehouses;
        out->why[REVIEW_DATABASE] = xasprintf("load about %s (assumed), run %s, checks", load, run);
    }
    free(decides.mount_point);
    free(device);
    return rc;
}

static int plan_step(const struct job_env *env, const struct review_asks *asks, int step,
                     struct review_plan *out, struct err *err)
{
    say(env, step);
    switch ((enum review_step)step) {
    case REVIEW_PREPARE:
    case REVIEW_FILESYSTEM:
        return plan_prep(env, asks, step, out, err);
    case REVIEW_SWEEP:
        return plan_sweep(env, asks->cut_sweep, out, err);
    case REVIEW_DATABASE:
        return plan_database(env, asks, out, err);
    case REVIEW_STEPS:
        break;
    }
    UNREACHABLE();
}

int review_foresee(const struct job_env *env, const struct review_asks *asks,
                   struct review_plan *out, struct err *err)
{
    *out = (struct review_plan){.seconds = {0}};
    for (int step = asks->next; step < REVIEW_STEPS; step++) {
        if (plan_step(env, asks, step, out, err) < 0)
            return err_wrap(err, "%s", review_step_words(step));
    }
    return 0;
}
