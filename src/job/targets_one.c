/*
 * One of several targets: what it says goes to the log and the screen of all under its name.
 */
#include <stdlib.h>

#include "base/xalloc.h"
#include "config/targets.h"
#include "job/targets_all.h"

#define WAIT_NS (50 * NS_PER_MS)

const char *targets_one_name(const struct targets_one *o)
{
    return o->env.settings->run.label;
}

size_t targets_one_number(const struct targets_one *o)
{
    return (size_t)(o - o->all->one);
}

/* ---- what a target says ---- */

static void say(enum log_level level, const char *line, void *ctx)
{
    const struct targets_one *o = ctx;

    log_line(o->all->env->log, level, "%s: %s", targets_one_name(o), line);
}

static void show_plan(const struct job_planned *planned, void *ctx)
{
    const struct targets_one *o = ctx;
    const struct job_ui *ui = o->all->env->ui;

    if (ui->target)
        ui->target(&o->env, ui->ctx);
    if (ui->plan)
        ui->plan(planned, ui->ctx);
}

static bool confirm(const char *question, void *ctx)
{
    const struct targets_one *o = ctx;
    const struct job_ui *ui = o->all->env->ui;
    char *text = xasprintf("%s: %s", targets_one_name(o), question);
    bool yes = false;

    CHECK(pthread_mutex_lock(&o->all->lock) == 0);
    yes = ui->confirm && ui->confirm(text, ui->ctx);
    CHECK(pthread_mutex_unlock(&o->all->lock) == 0);
    free(text);
    return yes;
}

static void progress(const struct progress *p, void *ctx)
{
    const struct targets_one *o = ctx;
    const struct job_ui *ui = o->all->env->ui;

    if (!ui->target_progress)
        return;
    CHECK(pthread_mutex_lock(&o->all->lock) == 0);
    ui->target_progress(targets_one_number(o), targets_one_name(o), p, ui->ctx);
    CHECK(pthread_mutex_unlock(&o->all->lock) == 0);
}

static void on_interval(const struct run_interval *iv, void *ctx)
{
    const struct targets_one *o = ctx;
    const struct job_ui *ui = o->all->env->ui;

    if (!ui->target_interval)
        return;
    CHECK(pthread_mutex_lock(&o->all->lock) == 0);
    ui->target_interval(targets_one_number(o), iv, ui->ctx);
    CHECK(pthread_mutex_unlock(&o->all->lock) == 0);
}

static char *make_page(const struct result *r, const char *dir, void *ctx)
{
    const struct targets_one *o = ctx;
    const struct job_ui *ui = o->all->env->ui;

    return ui->page ? ui->page(r, dir, ui->ctx) : NULL;
}

void targets_one_make(struct targets_all *a, size_t i)
{
    struct targets_one *o = &a->one[i];

    o->all = a;
    config_of_target(a->env->config, i, &o->config);
    o->log = log_new(a->env->clock, say, o);
    o->env = *a->env;
    o->env.settings = &o->config.s;
    o->env.config = &o->config;
    o->env.log = o->log;
    o->env.stop = &a->stop;
    o->env.ui = NULL;
    if (a->env->ui) {
        o->ui = (struct job_ui){
            .plan = show_plan,
            .confirm = confirm,
            .progress = progress,
            .interval = on_interval,
            .page = a->env->ui->page ? make_page : NULL,
            .ctx = o,
        };
        o->env.ui = &o->ui;
    }
    o->work.env = &o->env;
    o->m = (struct measured){
        .env = &o->env, .work = &o->work, .plan = &o->work.plan, .r = &o->r, .number = i};
    o->m.driver.cpu_percent = o->m.driver.rss_mib = RESULT_NONE;
    result_init(&o->r);
}

void targets_one_release(struct targets_one *o)
{
    measured_release(&o->m);
    work_release(&o->work);
    result_release(&o->r);
    job_outcome_release(&o->out);
    log_free(o->log);
}

int targets_one_failed(const struct targets_one *o, struct err *err)
{
    return err_wrap(err, "target %s", targets_one_name(o));
}

void targets_wait(struct targets_all *a, struct thread *const *thread, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        while (!thread_join_timed(thread[i], WAIT_NS)) {
            while (stop_level(&a->stop) < stop_level(a->env->stop))
                stop_ask(&a->stop);
        }
    }
}
