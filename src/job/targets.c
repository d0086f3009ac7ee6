/*
 * What main owns: the document, the directory of all, their log. A target's thread owns what is in
 * its struct one from its start to its end; before and after, main does.
 */
#include "job/targets.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "config/targets.h"
#include "job/preflight.h"
#include "job/targets_all.h"
#include "job/targets_fit.h"
#include "result/result_csv.h"

#define TARGETS_FOLDER "targets"

/* ---- before ---- */

static unsigned private_servers(const struct targets_all *a)
{
    unsigned n = 0;

    for (size_t i = 0; i < a->n; i++)
        n += a->one[i].config.s.target.drive != NULL;
    return n;
}

static int plan_all(struct targets_all *a, struct err *err)
{
    const struct work *work[CONFIG_TARGETS_MOST];

    for (size_t i = 0; i < a->n; i++) {
        struct targets_one *o = &a->one[i];
        const struct work_for what = {.settings = &o->config.s, .servers = private_servers(a)};

        if (work_plan(&o->work, &what, err) < 0)
            return targets_one_failed(o, err);
        o->work.target.measured = true;
        o->work.target.rests_with_others = true;
        if (preflight_plan(&o->work.target, &o->work.plan, err) < 0)
            return targets_one_failed(o, err);
        work[i] = &o->work;
    }
    return targets_fit(work, a->n, err);
}

static int take_all(struct targets_all *a, struct err *err)
{
    for (size_t i = 0; i < a->n; i++) {
        if (target_take(&a->one[i].work.target, err) < 0)
            return targets_one_failed(&a->one[i], err);
    }
    return 0;
}

/* ---- the document ---- */

static int write_files(struct targets_all *a, struct err *err)
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

static int begin_dir(struct targets_all *a, struct err *err)
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
static void add_row(struct targets_all *a, struct targets_one *o)
{
    const char *path = o->out.finished ? o->out.result_path : result_dir_path(o->m.dir);
    char *directory = xasprintf(TARGETS_FOLDER "%s", strrchr(path, '/'));
    const struct targets_run run = {targets_one_name(o), directory, &o->m.driver};

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
    struct targets_one *o = ctx;

    o->rc = measured_begin(&o->m, o->all->folder, &o->err);
    if (o->rc == 0)
        o->rc = measured_run(&o->m, &o->out, &o->err);
    neighbours_tell(o->all->neighbours, targets_one_number(o),
                    &o->r); /* where it came to nothing */
    together_leave(o->all->together, targets_one_number(o));
    return NULL;
}

static void run_all(struct targets_all *a)
{
    struct thread *thread[CONFIG_TARGETS_MOST];

    a->together = together_new(a->n, a->env->clock);
    a->neighbours = neighbours_new(a->n);
    for (size_t i = 0; i < a->n; i++) {
        struct targets_one *o = &a->one[i];

        thread[i] = &o->thread;
        o->ui.progress = NULL; /* beside the rows of the run */
        o->m.together = a->together;
        o->m.neighbours = a->neighbours;
        if (thread_start(&o->thread, "target", run_one, o, &o->err) < 0) {
            o->rc = -1;
            together_leave(a->together, i);
        }
    }
    targets_wait(a, thread, a->n);
}

/* What became of them as a whole; a target that was lost after the start is the verdict's affair.
 */
static int sum_up(struct targets_all *a, struct err *err)
{
    const bool began = !together_failed(a->together);
    const int64_t first = together_first_to_leave(a->together);

    for (size_t i = 0; i < a->n; i++) {
        struct targets_one *o = &a->one[i];

        if (o->rc < 0 && !o->out.interrupted)
            log_line(a->env->log, LOG_ERROR, "%s: %s", targets_one_name(o), o->err.text);
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
    return targets_one_failed(&a->one[first], err);
}

/* Whatever came of it: written, and renamed where at least that works. */
static int end_all(struct targets_all *a, int rc, struct job_outcome *out, struct err *err)
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

static int measure_all(struct targets_all *a, struct job_outcome *out, struct err *err)
{
    int rc = targets_prepare(a, err);

    if (rc == 0) {
        run_all(a);
        rc = sum_up(a, err);
    }
    return end_all(a, rc, out, err);
}

int job_targets(const struct job_env *env, struct targets *t, struct job_outcome *out,
                struct err *err)
{
    struct targets_all a = {.env = env, .doc = t, .n = env->config->targets.all.n};
    int rc = -1;

    *out = (struct job_outcome){0};
    CHECK(pthread_mutex_init(&a.lock, NULL) == 0);
    a.one = xcalloc(a.n, sizeof(*a.one));
    for (size_t i = 0; i < a.n; i++)
        targets_one_make(&a, i);
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
        targets_one_release(&a.one[i]);
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
