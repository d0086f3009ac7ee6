/*
 * The jobs: the main one, only the dataset, only the conditions, the removal. What they begin with
 * is in work.c, the measured run in measured.c; each releases in reverse on every path.
 */
#include "job/job.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/fsroot.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "cluster/programs.h"
#include "job/afterwards.h"
#include "job/measured.h"
#include "job/preflight.h"
#include "job/restore.h"
#include "job/work.h"

static int find_programs(const struct settings *s, struct err *err)
{
    struct fsroot root;
    struct programs programs = {0};
    const struct programs_where where = {
        .root = &root, .path_env = getenv("PATH"), .bin_dir = s->server.bin_dir};
    int rc;

    fsroot_init(&root, "");
    rc = programs_find(&where, 0, &programs, err);
    programs_release(&programs);
    fsroot_release(&root);
    return rc;
}

int job_foresee(const struct job_env *env, const struct job_place *place, struct plan *plan,
                struct err *err)
{
    struct target t;
    int rc = -1;

    target_foresee(&t, env, place);
    rc = plan_build(plan, env->settings, &t.facts, err);
    if (plan->printable && env->ui && env->ui->plan)
        env->ui->plan(&(struct job_planned){plan, env->settings, &t.facts, place->device},
                      env->ui->ctx);
    if (rc == 0 && (preflight_plan(&t, plan, err) < 0 || find_programs(env->settings, err) < 0))
        rc = -1;
    target_release(&t);
    return rc;
}

int job_run(const struct job_env *env, struct result *r, struct job_outcome *out, struct err *err)
{
    const struct work_for what = {.settings = env->settings};
    struct work w = {.env = env};
    struct measured m = {.env = env, .work = &w, .plan = &w.plan, .r = r};
    int rc = -1;

    *out = (struct job_outcome){0};
    if (work_plan(&w, &what, err) < 0)
        goto out;
    w.target.measured = true;
    if (preflight_plan(&w.target, &w.plan, err) < 0)
        goto out;
    if (env->settings->output.dry_run) {
        out->dry_run = true;
        rc = 0;
        goto out;
    }
    if (work_confirm_place(&w, err) < 0 || target_take(&w.target, err) < 0 ||
        measured_begin(&m, env->settings->output.results, err) < 0)
        goto out;
    out->result_path = xstrdup(result_dir_path(m.dir));
    rc = work_prepare(&w, err) < 0 ? measured_failed(&m, "before the run", out, err)
                                   : measured_run(&m, out, err);
out:
    measured_release(&m);
    work_release(&w);
    return rc;
}

void job_outcome_release(struct job_outcome *out)
{
    free(out->result_path);
    out->result_path = NULL;
}

int job_load(const struct job_env *env, struct job_loaded *loaded, struct err *err)
{
    const struct work_for what = {.settings = env->settings, .load_only = true};
    struct work w = {.env = env};
    int rc = -1;

    if (work_plan(&w, &what, err) < 0 || preflight_plan(&w.target, &w.plan, err) < 0)
        goto out;
    if (env->settings->output.dry_run) {
        rc = 0;
        goto out;
    }
    if (work_confirm_place(&w, err) < 0 || dataset_ensure(&w.target, &w.plan, &w.held, err) < 0)
        goto out;
    loaded->warehouses = w.held.manifest.dataset.warehouses;
    loaded->reused = w.held.reused;
    if (loaded->times)
        *loaded->times = w.held.times;
    w.session = target_connect(&w.target, err);
    if (!w.session || dataset_bytes(w.session, w.target.dialect, &loaded->bytes, err) < 0)
        goto out;
    if (loaded->checksum) {
        const struct load_env load_env = dataset_load_env(&w.target);

        if (load_checksum(&load_env, loaded->checksum, &loaded->checksum_total, err) < 0)
            goto out;
    }
    rc = 0;
out:
    work_release(&w);
    return rc;
}

int job_check(const struct job_env *env, struct check_report *report, struct err *err)
{
    struct work w = {.env = env};
    int rc = -1;

    if (target_open(&w.target, env, err) < 0)
        goto out;
    if (env->settings->run.check == CHECK_NONE) {
        err_set(err, ERR_USAGE, "--check none leaves nothing to do: quick or full");
        goto out;
    }
    if (!w.target.facts.dataset_complete) {
        err_set(err, ERR_SURROUNDINGS,
                "there is no complete dataset to check (tpcc-load builds one)");
        goto out;
    }
    w.target.facts.load_only = true;
    if (plan_build(&w.plan, env->settings, &w.target.facts, err) < 0)
        goto out;
    if (dataset_ensure(&w.target, &w.plan, &w.held, err) < 0)
        goto out;
    rc = afterwards_check(&w.target, w.plan.dataset.warehouses,
                          env->settings->run.check == CHECK_QUICK, report, err);
out:
    work_release(&w);
    return rc;
}

/* --remove --image DIR: the image that is kept there. */
static int remove_image(struct target *t, struct err *err)
{
    const char *dir = t->env->settings->restore.image;
    struct layout home = {0};
    int rc = 0;

    if (!dir)
        return 0;
    rc = image_home(&home, t->drive_dir, dir, err);
    if (rc == 0)
        rc = image_remove(t->cluster, &home, err);
    layout_release(&home);
    return rc;
}

static int remove_private(struct target *t, struct err *err)
{
    const char *image = t->env->settings->restore.image;
    char size[32];
    char question[512];

    if (!t->look.ours)
        return err_set(err, ERR_USAGE, "nothing of ours is in %s", t->drive_dir);
    units_format_bytes(t->look.bytes, size, sizeof(size));
    snprintf(question, sizeof(question),
             "remove %s/tpcc-run with the private server and its dataset (%s)%s%s?", t->drive_dir,
             size, image ? ", and the image of it in " : "", image ? image : "");
    if (dataset_confirm(t->env, question, err) < 0 || target_take(t, err) < 0)
        return -1;
    if (cluster_alive(t->cluster) && cluster_stop(t->cluster, err) < 0)
        return -1;
    if (remove_image(t, err) < 0)
        return -1;
    return cluster_remove(t->cluster, err);
}

static int remove_schema(struct target *t, struct err *err)
{
    struct session *s = NULL;
    char question[256];
    int rc = -1;

    if (t->manifest.state == DATASET_FOREIGN)
        return err_set(err, ERR_SURROUNDINGS, "the database holds %s: it is not touched",
                       t->manifest.why);
    if (t->manifest.state == DATASET_ABSENT)
        return err_set(err, ERR_USAGE, "no dataset of ours is in this database");
    snprintf(question, sizeof(question), "drop the schema tpcc with its dataset of %d warehouses?",
             t->manifest.dataset.warehouses);
    if (dataset_confirm(t->env, question, err) < 0)
        return -1;
    s = target_connect(t, err);
    if (s && dataset_lock(s, t->dialect, t->env->program, err) == 0)
        rc = dataset_drop(s, t->dialect, err);
    session_free(s);
    return rc;
}

int job_remove(const struct job_env *env, struct err *err)
{
    struct target t;
    int rc = target_open(&t, env, err);

    if (rc == 0)
        rc = t.is_private ? remove_private(&t, err) : remove_schema(&t, err);
    if (rc == 0)
        log_line(env->log, LOG_INFO, "removed");
    target_release(&t);
    return rc;
}
