/*
 * What main owns: the document, the directory of all, their log. A target's thread owns what is in
 * its struct one from its start to its end; before and after, main does.
 */
#include "job/targets.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "config/targets.h"
#include "job/measured.h"
#include "job/preflight.h"
#include "job/targets_fit.h"
#include "result/result_csv.h"

#define TARGETS_FOLDER "targets"

struct all;

struct one {
    struct all *all;
    struct config config; /* a view of the job's (config/targets.h) */
    struct job_env env;
    struct job_ui ui;
    struct log *log; /* says what it is told to the log of all, with the target's name */
    struct work work;
    struct measured m;
    struct result r;
    struct job_outcome out;
    struct err err;
    struct thread thread;
    int rc;
};

struct all {
    const struct job_env *env;
    struct targets *doc;
    struct result_dir *dir;
    struct one *one;
    size_t n;
    char *folder; /* of the targets' results */
    struct together *together;
    struct neighbours *neighbours;
    pthread_mutex_t lock; /* protects the calls of ui->target_interval */
};

static const char *name_of(const struct one *o)
{
    return o->env.settings->run.label;
}

static size_t number_of(const struct one *o)
{
    return (size_t)(o - o->all->one);
}

/* ---- what a target says ---- */

static void say(enum log_level level, const char *line, void *ctx)
{
    const struct one *o = ctx;

    log_line(o->all->env->log, level, "%s: %s", name_of(o), line);
}

static void show_plan(const struct job_planned *planned, void *ctx)
{
    const struct one *o = ctx;
    const struct job_ui *ui = o->all->env->ui;

    if (ui->target)
        ui->target(&o->env, ui->ctx);
    if (ui->plan)
        ui->plan(planned, ui->ctx);
}

static bool confirm(const char *question, void *ctx)
{
    const struct one *o = ctx;
    const struct job_ui *ui = o->all->env->ui;
    char *text = xasprintf("%s: %s", name_of(o), question);
    const bool yes = ui->confirm && ui->confirm(text, ui->ctx);

    free(text);
    return yes;
}

static void progress(const struct progress *p, void *ctx)
{
    const struct one *o = ctx;
    const struct job_ui *ui = o->all->env->ui;

    if (ui->progress)
        ui->progress(p, ui->ctx);
}

static void on_interval(const struct run_interval *iv, void *ctx)
{
    const struct one *o = ctx;
    const struct job_ui *ui = o->all->env->ui;

    if (!ui->target_interval)
        return;
    CHECK(pthread_mutex_lock(&o->all->lock) == 0);
    ui->target_interval(number_of(o), iv, ui->ctx);
    CHECK(pthread_mutex_unlock(&o->all->lock) == 0);
}

static char *make_page(const struct result *r, const char *dir, void *ctx)
{
    const struct one *o = ctx;
    const struct job_ui *ui = o->all->env->ui;

    return ui->page ? ui->page(r, dir, ui->ctx) : NULL;
}

static void make_one(struct all *a, size_t i)
{
    struct one *o = &a->one[i];

    o->all = a;
    config_of_target(a->env->config, i, &o->config);
    o->log = log_new(a->env->clock, say, o);
    o->env = *a->env;
    o->env.settings = &o->config.s;
    o->env.config = &o->config;
    o->env.log = o->log;
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

static void release_one(struct one *o)
{
    measured_release(&o->m);
    work_release(&o->work);
    result_release(&o->r);
    job_outcome_release(&o->out);
    log_free(o->log);
}

static int in_target(const struct one *o, struct err *err)
{
    return err_wrap(err, "target %s", name_of(o));
}

/* ---- before ---- */

static unsigned private_servers(const struct all *a)
{
    unsigned n = 0;

    for (size_t i = 0; i < a->n; i++)
        n += a->one[i].config.s.target.drive != NULL;
    return n;
}

static int plan_all(struct all *a, struct err *err)
{
    const struct work *work[CONFIG_TARGETS_MOST];

    for (size_t i = 0; i < a->n; i++) {
        struct one *o = &a->one[i];
        const struct work_for what = {.settings = &o->config.s, .servers = private_servers(a)};

        if (work_plan(&o->work, &what, err) < 0)
            return in_target(o, err);
        o->work.target.measured = true;
        if (preflight_plan(&o->work.target, &o->work.plan, err) < 0)
            return in_target(o, err);
        work[i] = &o->work;
    }
    return targets_fit(work, a->n, err);
}

/* All or none: what a run needs is there before any of them is begun. */
static int prepare_all(struct all *a, struct err *err)
{
    for (size_t i = 0; i < a->n; i++) {
        struct one *o = &a->one[i];

        if (stop_level(a->env->stop))
            return err_set(err, ERR_INTERRUPTED, "interrupted before the run");
        if (work_prepare(&o->work, err) < 0) {
            if (o->work.target.cluster && err->kind == ERR_SURROUNDINGS)
                (void)cluster_explain(o->work.target.cluster, err);
            return in_target(o, err);
        }
    }
    return 0;
}

static int take_all(struct all *a, struct err *err)
{
    for (size_t i = 0; i < a->n; i++) {
        if (target_take(&a->one[i].work.target, err) < 0)
            return in_target(&a->one[i], err);
    }
    return 0;
}

/* ---- the document ---- */

static int write_files(struct all *a, struct err *err)
{
    char *json = targets_json_write(a->doc);
    int rc = result_dir_write_text(a->dir, "result.json", json, err);

    free(json);
    if (rc == 0 && a->doc->summed > 0) {
        struct strbuf csv;

        strbuf_init(&csv);
        latency_csv_write(&a->doc->merged, &csv);
        rc = result_dir_write_text(a->dir, "latency.csv", csv.buf, err);
        strbuf_release(&csv);
    }
    if (rc == 0 && a->env->ui && a->env->ui->targets_page) {
        char *page = a->env->ui->targets_page(a->doc, a->env->ui->ctx);

        rc = result_dir_write_text(a->dir, "report.html", page, err);
        free(page);
    }
    return rc;
}

static int begin_dir(struct all *a, struct err *err)
{
    const struct settings *s = a->env->settings;
    struct targets *t = a->doc;
    struct strbuf yaml;
    int rc;

    a->dir = result_dir_create(s->output.results, s->run.label, clock_real_us(a->env->clock), err);
    if (!a->dir)
        return -1;
    log_set_file(a->env->log, result_dir_log(a->dir));
    a->folder = xasprintf("%s/" TARGETS_FOLDER, result_dir_path(a->dir));
    work_now_text(a->env, &t->started);
    xset_text(&t->version, a->env->version);
    xset_text(&t->label, s->run.label);
    xset_text(&t->command, a->env->command);
    t->planned = (int64_t)a->n;
    strbuf_init(&yaml);
    config_write_yaml_origins(a->env->config, s, &yaml);
    config_write_targets(a->env->config, &yaml);
    rc = result_dir_write_text(a->dir, "plan.yaml", yaml.buf, err);
    strbuf_release(&yaml);
    return rc < 0 ? -1 : write_files(a, err);
}

/* One without a judged result has no figures that count. */
static void add_row(struct all *a, struct one *o)
{
    const char *path = o->out.finished ? o->out.result_path : result_dir_path(o->m.dir);
    char *directory = xasprintf(TARGETS_FOLDER "%s", strrchr(path, '/'));
    const struct targets_run run = {name_of(o), directory, &o->m.driver};

    if (!o->out.finished) {
        o->r.verdict.status = VERDICT_INVALID;
        xset_text(&o->r.run.ended_by, o->err.text);
    }
    targets_add(a->doc, &run, &o->r);
    free(directory);
}

/* ---- the runs ---- */

static void *run_one(void *ctx)
{
    struct one *o = ctx;

    o->rc = measured_begin(&o->m, o->all->folder, &o->err);
    if (o->rc == 0)
        o->rc = measured_run(&o->m, &o->out, &o->err);
    neighbours_tell(o->all->neighbours, number_of(o), &o->r); /* where it came to nothing */
    together_leave(o->all->together, number_of(o));
    return NULL;
}

static void run_all(struct all *a)
{
    a->together = together_new(a->n, a->env->clock);
    a->neighbours = neighbours_new(a->n);
    for (size_t i = 0; i < a->n; i++) {
        struct one *o = &a->one[i];

        o->ui.progress = NULL; /* of so many at once none could be followed */
        o->m.together = a->together;
        o->m.neighbours = a->neighbours;
        if (thread_start(&o->thread, "target", run_one, o, &o->err) < 0) {
            o->rc = -1;
            together_leave(a->together, i);
        }
    }
    for (size_t i = 0; i < a->n; i++)
        thread_join(&a->one[i].thread);
}

/* What became of them as a whole; a target that was lost after the start is the verdict's affair.
 */
static int sum_up(struct all *a, struct err *err)
{
    const bool began = !together_failed(a->together);
    const int64_t first = together_first_to_leave(a->together);

    for (size_t i = 0; i < a->n; i++) {
        struct one *o = &a->one[i];

        if (o->rc < 0 && !o->out.interrupted)
            log_line(a->env->log, LOG_ERROR, "%s: %s", name_of(o), o->err.text);
        if (o->m.dir)
            add_row(a, o);
    }
    targets_close(a->doc);
    for (size_t i = 0; i < a->n; i++) {
        if (a->one[i].out.interrupted) {
            *err = a->one[i].err;
            return -1;
        }
    }
    if (began)
        return 0;
    *err = a->one[first].err;
    return in_target(&a->one[first], err);
}

/* Whatever came of it: written, and renamed where at least that works. */
static int end_all(struct all *a, int rc, struct job_outcome *out, struct err *err)
{
    struct err end_err = {0};

    work_now_text(a->env, &a->doc->ended);
    if (rc < 0 && stop_level(a->env->stop))
        err->kind = ERR_INTERRUPTED;
    out->interrupted = rc < 0 && err->kind == ERR_INTERRUPTED;
    xset_text(&a->doc->ended_by, rc == 0 ? "plan" : out->interrupted ? "interrupt" : err->text);
    if (write_files(a, &end_err) < 0 || result_dir_end(a->dir, &end_err) < 0) {
        log_line(a->env->log, LOG_ERROR, "%s", end_err.text);
        if (rc == 0)
            *err = end_err;
        return -1;
    }
    out->finished = true;
    xset_text(&out->result_path, result_dir_path(a->dir));
    return rc;
}

static int measure_all(struct all *a, struct job_outcome *out, struct err *err)
{
    int rc = prepare_all(a, err);

    if (rc == 0) {
        run_all(a);
        rc = sum_up(a, err);
    }
    return end_all(a, rc, out, err);
}

int job_targets(const struct job_env *env, struct targets *t, struct job_outcome *out,
                struct err *err)
{
    struct all a = {.env = env, .doc = t, .n = env->config->targets.all.n};
    int rc = -1;

    *out = (struct job_outcome){0};
    CHECK(pthread_mutex_init(&a.lock, NULL) == 0);
    a.one = xcalloc(a.n, sizeof(*a.one));
    for (size_t i = 0; i < a.n; i++)
        make_one(&a, i);
    if (plan_all(&a, err) < 0)
        goto out;
    if (env->settings->output.dry_run) {
        out->dry_run = true;
        rc = 0;
        goto out;
    }
    if (take_all(&a, err) < 0 || begin_dir(&a, err) < 0)
        goto out;
    xset_text(&out->result_path, result_dir_path(a.dir));
    rc = measure_all(&a, out, err);
out:
    for (size_t i = 0; i < a.n; i++)
        release_one(&a.one[i]);
    if (a.dir)
        log_set_file(env->log, NULL);
    result_dir_free(a.dir);
    together_free(a.together);
    neighbours_free(a.neighbours);
    free(a.folder);
    free(a.one);
    CHECK(pthread_mutex_destroy(&a.lock) == 0);
    return rc;
}
