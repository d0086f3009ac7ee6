/*
 * The steps that all jobs begin with. What a step opens is in struct work, so that work_release()
 * ends it whatever came after.
 */
#include "job/work.h"

#include <stdlib.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "drive/blockdev_shared.h"
#include "job/ask.h"
#include "job/preflight.h"

/* Of a plan that was refused, for what stands in err: what else is wrong is told with it. */
static int also_wrong(const struct target *t, const struct plan *plan, struct err *err)
{
    struct err also = {0};

    if (preflight_plan(t, plan, &also) < 0) {
        log_line(t->env->log, LOG_ERROR, "%s", err->text);
        *err = also;
    }
    return -1;
}

int work_plan(struct work *w, const struct work_for *what, struct err *err)
{
    const struct job_env *env = w->env;
    struct target *t = &w->target;
    char *device = NULL;
    int rc;

    if (target_open(t, env, err) < 0)
        return -1;
    t->facts.command = env->command_base;
    t->facts.load_only = what->load_only;
    t->facts.runs = what->runs;
    t->facts.repeats = what->repeats;
    if (what->servers > 1) {
        t->facts.memory_bytes /= what->servers;
        t->facts.huge_free_bytes /= what->servers;
    }
    rc = plan_build(&w->plan, what->settings, &t->facts, err);
    if (rc < 0 && !w->plan.printable)
        return -1;
    device = target_device_line(t);
    if (env->ui && env->ui->plan)
        env->ui->plan(&(struct job_planned){&w->plan, env->settings, &t->facts, device},
                      env->ui->ctx);
    free(device);
    return rc < 0 ? also_wrong(t, &w->plan, err) : 0;
}

int work_confirm_place(const struct work *w, struct err *err)
{
    const struct target *t = &w->target;
    struct fsroot root;
    unsigned shared;

    if (!t->is_private || t->drive_given || !t->mapped || t->look.exists)
        return 0;
    fsroot_init(&root, "");
    const struct blockdev_probe probe = blockdev_probe_system(&root);
    shared = blockdev_root_or_swap(&probe, &t->map);
    fsroot_release(&root);
    if (!shared)
        return 0;
    if (dataset_confirm(t->env, "use the current directory, on the device of / or swap?", err) < 0)
        return err_wrap(err,
                        "the current directory is on the device of / or of swap: say --drive . "
                        "or --yes");
    return 0;
}

int work_prepare(struct work *w, struct err *err)
{
    if (dataset_ensure(&w->target, &w->plan, &w->held, err) < 0)
        return -1;
    w->session = target_connect(&w->target, err);
    if (!w->session)
        return -1;
    if (ask_all(w->session, w->target.dialect, "procedure_", err) < 0)
        return err_wrap(err, "making the procedures");
    return 0;
}

void work_pause(struct work *w)
{
    session_free(w->session);
    w->session = NULL;
    if (w->held.lock)
        target_look_again(&w->target, &w->plan);
    dataset_let_go(&w->held);
}

int work_write_plan(const struct work *w, const struct job_env *env, struct result_dir *dir,
                    struct err *err)
{
    struct strbuf yaml;
    int rc;

    if (!env->config || env->settings->ladder.resume)
        return 0;
    strbuf_init(&yaml);
    plan_yaml_origins(&w->plan, env->config, &yaml);
    rc = result_dir_write_text(dir, "plan.yaml", yaml.buf, err);
    strbuf_release(&yaml);
    return rc;
}

void work_now_text(const struct job_env *env, char **at)
{
    char now[32];

    clock_format_utc(clock_real_us(env->clock), now, sizeof(now));
    xset_text(at, now);
}

void work_release(struct work *w)
{
    session_free(w->session);
    w->session = NULL;
    dataset_let_go(&w->held);
    target_release(&w->target);
}
