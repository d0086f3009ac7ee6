/*
 * Runs one after the other, each as a job of its own would be: the server is stopped in between,
 * the dataset put back where that is asked for, its files dropped from the page cache, and the
 * server started anew. After each run the set's result.json and page are written again, so that
 * what is killed has what it had.
 */
#include "job/repeat.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "job/measured.h"
#include "job/preflight.h"

#define RUNS_FOLDER "runs"

struct series_of {
    const struct job_env *env;
    struct repeats *all;
    struct work work;
    struct result_dir *dir;
    struct settings one; /* of a single run */
    char *label;         /* of all runs, where none was given: the set's name */
    struct job_env one_env;
};

/* The set's own files, anew. */
static int write_set(struct series_of *s, struct err *err)
{
    char *json = repeats_json_write(s->all);
    int rc = result_dir_write_text(s->dir, "result.json", json, err);

    free(json);
    if (rc == 0 && s->all->runs.n > 0 && s->env->ui && s->env->ui->repeats_page) {
        char *page = s->env->ui->repeats_page(s->all, result_dir_path(s->dir), s->env->ui->ctx);

        if (page)
            rc = result_dir_write_text(s->dir, "report.html", page, err);
        free(page);
    }
    return rc;
}

static int read_resumed(struct series_of *s, struct err *err)
{
    const struct settings *set = s->env->settings;

    if (!set->ladder.resume)
        return 0;
    if (repeats_dir_read(set->ladder.resume, s->all, err) < 0)
        return -1;
    if (s->all->runs.n >= set->run.repeat)
        return err_set(err, ERR_USAGE, "--resume %s: all of its %zu runs are measured",
                       set->ladder.resume, s->all->runs.n);
    return 0;
}

/* Runs of one label are repeats: without one they have the name of the set. */
static void name_runs(struct series_of *s)
{
    const char *name = strrchr(result_dir_path(s->dir), '/');
    const char *partial = name ? strstr(name, ".partial") : NULL;

    if (s->one.run.label || !name)
        return;
    s->label = xstrndup(name + 1, partial ? (size_t)(partial - name - 1) : strlen(name + 1));
    s->one.run.label = s->label;
}

static int begin_dir(struct series_of *s, struct err *err)
{
    const struct settings *set = s->env->settings;

    if (set->ladder.resume)
        s->dir = result_dir_reopen(set->ladder.resume, err);
    else
        s->dir = result_dir_create(set->output.results, set->run.label,
                                   clock_real_us(s->env->clock), err);
    if (!s->dir)
        return -1;
    log_set_file(s->env->log, result_dir_log(s->dir));
    name_runs(s);
    xset_text(&s->all->ended_by, NULL);
    xset_text(&s->all->ended, NULL);
    s->all->planned = (int64_t)set->run.repeat;
    if (!set->ladder.resume) {
        work_now_text(s->env, &s->all->started);
        xset_text(&s->all->version, s->env->version);
        xset_text(&s->all->label, set->run.label);
        xset_text(&s->all->command, s->env->command);
        s->all->restored = set->restore.before_run;
    } else {
        log_line(s->env->log, LOG_INFO, "going on after %zu of %lld runs", s->all->runs.n,
                 (long long)s->all->planned);
    }
    return work_write_plan(&s->work, s->env, s->dir, err) < 0 || write_set(s, err) < 0 ? -1 : 0;
}

static int measure(struct series_of *s, struct measured *m, struct err *err)
{
    char *parent = xasprintf("%s/%s", result_dir_path(s->dir), RUNS_FOLDER);
    struct job_outcome out = {0};
    int rc = -1;

    if (measured_begin(m, parent, err) == 0)
        rc = work_prepare(&s->work, err) < 0 ? measured_failed(m, "before the run", &out, err)
                                             : measured_run(m, &out, err);
    if (rc == 0) {
        const char *name = strrchr(out.result_path, '/');
        char *directory = xasprintf("%s%s", RUNS_FOLDER, name ? name : "/?");

        repeats_add(s->all, m->r, directory);
        free(directory);
        rc = write_set(s, err);
    }
    job_outcome_release(&out);
    free(parent);
    return rc;
}

static int run_one(struct series_of *s, struct err *err)
{
    const size_t number = s->all->runs.n + 1;
    struct result r;
    struct measured m = {.env = &s->one_env, .work = &s->work, .plan = &s->work.plan, .r = &r};
    int rc;

    log_line(s->env->log, LOG_INFO, "run %zu of %lld", number, (long long)s->all->planned);
    result_init(&r);
    m.log_after = result_dir_log(s->dir);
    rc = measure(s, &m, err);
    measured_release(&m);
    result_release(&r);
    work_pause(&s->work);
    s->one.load.rebuild = false; /* only before the first */
    return rc < 0 ? err_wrap(err, "run %zu of %lld", number, (long long)s->all->planned) : 0;
}

static int run_all(struct series_of *s, struct err *err)
{
    while (s->all->runs.n < s->env->settings->run.repeat) {
        if (stop_level(s->env->stop))
            return err_set(err, ERR_INTERRUPTED, "interrupted between two runs");
        if (run_one(s, err) < 0)
            return -1;
    }
    return 0;
}

/* Whatever came of it: written, and renamed where at least that works. */
static int end_set(struct series_of *s, int rc, struct job_outcome *out, struct err *err)
{
    struct err end_err = {0};

    if (rc < 0 && stop_level(s->env->stop))
        err->kind = ERR_INTERRUPTED;
    work_now_text(s->env, &s->all->ended);
    out->interrupted = rc < 0 && err->kind == ERR_INTERRUPTED;
    xset_text(&s->all->ended_by, rc == 0 ? "plan" : out->interrupted ? "interrupt" : err->text);
    /* Once more at the end: the page names the directories as they are called now. */
    if (work_write_plan(&s->work, s->env, s->dir, &end_err) < 0 || write_set(s, &end_err) < 0 ||
        result_dir_end(s->dir, &end_err) < 0 || write_set(s, &end_err) < 0) {
        log_line(s->env->log, LOG_ERROR, "%s", end_err.text);
        if (rc == 0)
            *err = end_err;
        return -1;
    }
    out->finished = true;
    free(out->result_path);
    out->result_path = xstrdup(result_dir_path(s->dir));
    return rc;
}

/* Each run's settings are those of a single one under the set's label. */
static void settle(struct series_of *s)
{
    s->one = *s->env->settings;
    s->one.run.repeat = 1;
    s->one.ladder.resume = NULL;
    s->one_env = *s->env;
    s->one_env.settings = &s->one;
    s->one_env.config = NULL; /* the run's settings are not where they came from */
    s->work.env = &s->one_env;
}

int job_repeat(const struct job_env *env, struct repeats *all, struct job_outcome *out,
               struct err *err)
{
    struct series_of s = {.env = env, .all = all};
    const bool restored = env->settings->restore.before_run;
    const struct work_for what = {.settings = &s.one,
                                  .repeats = env->settings->run.repeat,
                                  .runs = restored ? 0 : (double)env->settings->run.repeat};
    struct err no_err = {0};
    int rc = -1;

    *out = (struct job_outcome){0};
    err = err ? err : &no_err;
    settle(&s);
    if (read_resumed(&s, err) < 0 || work_plan(&s.work, &what, err) < 0)
        goto out;
    s.work.target.measured = true;
    if (preflight_plan(&s.work.target, &s.work.plan, err) < 0)
        goto out;
    if (env->settings->output.dry_run) {
        out->dry_run = true;
        rc = 0;
        goto out;
    }
    if (work_confirm_place(&s.work, err) < 0 || target_take(&s.work.target, err) < 0 ||
        begin_dir(&s, err) < 0)
        goto out;
    out->result_path = xstrdup(result_dir_path(s.dir));
    rc = end_set(&s, run_all(&s, err), out, err);
out:
    if (s.dir)
        log_set_file(env->log, NULL);
    result_dir_free(s.dir);
    work_release(&s.work);
    free(s.label);
    return rc;
}
