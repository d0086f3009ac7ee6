/*
 * The steps one after the other. The dataset is made and the server started once, for the largest
 * step; each step is planned as a run of its own and measured by measured.c. After each one the
 * ladder's result.json and page are written anew, so that a killed ladder has what it had.
 */
#include "job/ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/xalloc.h"
#include "config/goals.h"
#include "config/steps.h"
#include "job/afterwards.h"
#include "job/ladder_search.h"
#include "job/measured.h"
#include "job/preflight.h"
#include "plan/ladder.h"

#define STEPS_FOLDER "steps"

struct climb {
    const struct job_env *env;
    struct ladder *l;
    struct work work;
    struct result_dir *dir;
    bool searching;              /* from here on each step is judged */
    struct ladder_search search; /* with --find-users, and --find-tps with conditions */
};

static const char *asked_of(const struct settings *s)
{
    if (s->ladder.find_users)
        return s->ladder.find_users;
    return s->ladder.find_tps ? s->ladder.find_tps : s->ladder.steps;
}

/* The ladder's own files, anew. */
static int write_ladder(struct climb *c, struct err *err)
{
    char *json = ladder_json_write(c->l);
    int rc = result_dir_write_text(c->dir, "result.json", json, err);

    free(json);
    if (rc == 0 && c->env->ui && c->env->ui->ladder_page) {
        char *page = c->env->ui->ladder_page(c->l, c->env->ui->ctx);

        rc = result_dir_write_text(c->dir, "report.html", page, err);
        free(page);
    }
    return rc;
}

/* ---- beginning, or going on ---- */

static int read_resumed(struct climb *c, struct err *err)
{
    const struct settings *s = c->env->settings;

    if (!s->ladder.resume)
        return 0;
    if (ladder_dir_read(s->ladder.resume, c->l, err) < 0)
        return -1;
    if (ladder_ended_as_planned(c->l))
        return err_set(err, ERR_USAGE, "--resume %s: all of its steps are measured",
                       s->ladder.resume);
    if (!c->l->asked || strcmp(c->l->asked, asked_of(s)) != 0)
        return err_set(err, ERR_USAGE, "--resume %s: it was asked for %s, not for %s",
                       s->ladder.resume, c->l->asked ? c->l->asked : "-", asked_of(s));
    return 0;
}

static int begin_dir(struct climb *c, struct err *err)
{
    const struct settings *s = c->env->settings;

    if (s->ladder.resume)
        c->dir = result_dir_reopen(s->ladder.resume, err);
    else
        c->dir =
            result_dir_create(s->output.results, s->run.label, clock_real_us(c->env->clock), err);
    if (!c->dir)
        return -1;
    log_set_file(c->env->log, result_dir_log(c->dir));
    xset_text(&c->l->ended_by, NULL);
    xset_text(&c->l->ended, NULL);
    if (!s->ladder.resume) {
        work_now_text(c->env, &c->l->started);
        xset_text(&c->l->version, c->env->version);
        xset_text(&c->l->label, s->run.label);
        xset_text(&c->l->command, c->env->command);
        xset_text(&c->l->asked, asked_of(s));
        xset_text(&c->l->workload, s->workload.name);
        c->l->is_rates = s->ladder.find_tps != NULL;
        c->l->is_search =
            s->ladder.find_users || (c->l->is_rates && !goals_is_curve(s->ladder.find_tps));
    } else {
        log_line(c->env->log, LOG_INFO, "going on after %zu step%s", c->l->steps.n,
                 c->l->steps.n == 1 ? "" : "s");
    }
    return work_write_plan(&c->work, c->env, c->dir, err) < 0 || write_ladder(c, err) < 0 ? -1 : 0;
}

/* ---- one step ---- */

/* What makes a step no measurement, so that going on makes no sense: its text, or NULL. What
 * overload does (late, errors, unfinished) is a step's finding. */
static const char *broken_by(const struct result *r)
{
    static const char *const codes[] = {"condition", "orders", "cut", "device"};

    for (size_t i = 0; i < r->verdict.reasons.n; i++) {
        for (size_t k = 0; k < ARRAY_LEN(codes); k++) {
            if (strcmp(r->verdict.reasons.at[i].code, codes[k]) == 0)
                return r->verdict.reasons.at[i].text;
        }
    }
    return NULL;
}

/* The plan of a step on the dataset that is there. */
static int plan_step(struct climb *c, const struct settings *s, struct plan *plan, struct err *err)
{
    const struct plan *whole = &c->work.plan;

    target_look_again(&c->work.target, whole);
    if (plan_build(plan, s, &c->work.target.facts, err) < 0)
        return -1;
    plan->dataset = whole->dataset;
    plan->rules.warehouses = whole->rules.warehouses;
    plan->rules.c_run = whole->rules.c_run; /* the same items are often asked for in all steps */
    plan->buffer_bytes = whole->buffer_bytes;
    plan->memory = whole->memory;
    if (c->l->steps.n > 0)
        plan->check_before = CHECK_NONE;
    plan->check_after = CHECK_NONE; /* all conditions once, after the last step */
    if (c->l->is_rates) {           /* the maximum's sessions at all rates */
        plan->sessions = whole->sessions;
        plan->delivery_sessions = whole->delivery_sessions;
    }
    return 0;
}

static void keep_step(struct climb *c, const struct result *r, const char *path)
{
    const char *name = strrchr(path, '/');
    char *directory = xasprintf("%s/%s", STEPS_FOLDER, name ? name + 1 : path);

    ladder_add_step(c->l, r, directory);
    free(directory);
}

/* As one run of a job whose settings are the step's. */
static int measure_step(struct climb *c, struct measured *m, struct err *err)
{
    char *parent = xasprintf("%s/%s", result_dir_path(c->dir), STEPS_FOLDER);
    struct job_outcome out = {0};
    int rc = -1;

    if (measured_begin(m, parent, err) == 0)
        rc = measured_run(m, &out, err);
    if (rc == 0) {
        const char *broken = broken_by(m->r);

        if (broken) { /* no step: it is measured anew when the ladder goes on */
            rc = err_set(err, ERR_CHECK_FAILED, "a step that is no measurement: %s", broken);
        } else {
            keep_step(c, m->r, out.result_path);
            if (c->searching)
                rc = ladder_search_judge(&c->search, result_dir_path(c->dir), c->l, err);
        }
        if (write_ladder(c, rc < 0 ? NULL : err) < 0)
            rc = -1;
    }
    job_outcome_release(&out);
    free(parent);
    return rc;
}

struct load_of_step {
    uint64_t users;
    double tps; /* of an offered rate */
};

/* "15,000 users", "812.4 TPS", "the maximum". */
static char *load_words(const struct ladder *l, struct load_of_step load)
{
    char users[32];

    if (!l->is_rates) {
        units_format_count(load.users, users, sizeof(users));
        return xasprintf("%s users", users);
    }
    if (!isfinite(load.tps))
        return xstrdup("the maximum");
    return xasprintf("%.1f TPS", load.tps);
}

/* Of the last step. */
static void say_goals(const struct climb *c)
{
    const struct ladder *l = c->l;
    const struct ladder_step *last = l->steps.n > 0 ? &l->steps.at[l->steps.n - 1] : NULL;
    char *load = NULL;

    if (!last)
        return;
    load = load_words(l, (struct load_of_step){(uint64_t)last->users, last->ceiling_tps});
    for (size_t i = 0; i < last->goals.n; i++)
        log_line(c->env->log, LOG_INFO, "%s: %s %s, %.4g ms (%.4g to %.4g)", load,
                 last->goals.at[i].says, last->goals.at[i].text, last->goals.at[i].value_ms,
                 last->goals.at[i].low_ms, last->goals.at[i].high_ms);
    free(load);
}

static void say_step(const struct climb *c, const char *load)
{
    const struct ladder *l = c->l;

    say_goals(c);
    if (l->planned_steps > 0)
        log_line(c->env->log, LOG_INFO, "step %zu of %lld: %s", l->steps.n + 1,
                 (long long)l->planned_steps, load);
    else
        log_line(c->env->log, LOG_INFO, "step %zu: %s", l->steps.n + 1, load);
}

/* For a directory's name: without a comma in its number. */
static char *step_label(const char *label, const struct plan *plan, bool is_rates)
{
    char *load = NULL;
    char *out = NULL;

    if (!is_rates)
        load = xasprintf("%llu users", (unsigned long long)plan->users);
    else if (isfinite(plan->ceiling_tps))
        load = xasprintf("%.1f TPS", plan->ceiling_tps);
    else
        load = xstrdup("maximum");
    out = label ? xasprintf("%s, %s", label, load) : xstrdup(load);
    free(load);
    return out;
}

static int run_step(struct climb *c, struct ladder_load load, struct err *err)
{
    struct settings s;
    struct job_env env = *c->env;
    struct plan plan;
    struct result r;
    struct measured m = {.env = &env, .work = &c->work, .plan = &plan, .r = &r};
    char *words = NULL;
    int rc = -1;

    result_init(&r);
    ladder_step_settings(c->env->settings, load, (unsigned)c->l->steps.n, &s);
    s.load.rebuild = false;
    s.run.label = NULL;
    env.settings = &s;
    env.config = NULL; /* the step's settings are not where they came from */
    m.log_after = result_dir_log(c->dir);
    if (plan_step(c, &s, &plan, err) < 0)
        goto out;
    s.run.label = step_label(c->env->settings->run.label, &plan, c->l->is_rates);
    words = load_words(c->l, (struct load_of_step){plan.users, plan.ceiling_tps});
    say_step(c, words);
    rc = measure_step(c, &m, err);
    if (rc < 0)
        err_wrap(err, "step of %s", words);
out:
    measured_release(&m);
    result_release(&r);
    free(s.run.label);
    free(s.workload.name);
    free(words);
    return rc;
}

/* ---- all of them ---- */

static bool is_measured(const struct ladder *l, uint64_t users)
{
    return ladder_step_of(l, (int64_t)users) != NULL;
}

/* First the maximum, then the curve. */
static bool next_rate(const struct climb *c, const struct steps *percents, struct ladder_load *next)
{
    const double maximum_tps = c->l->maximum_tps;

    *next = (struct ladder_load){.kind = LADDER_MOST};
    if (!isfinite(maximum_tps))
        return true;
    for (size_t i = 0; i < percents->n; i++) {
        *next = ladder_offered(maximum_tps, (double)percents->at[i]);
        if (!is_measured(c->l, next->users))
            return true;
    }
    return false;
}

/* What is next; false: all is measured. */
static bool next_load(const struct climb *c, const struct steps *steps, struct ladder_load *next)
{
    if (c->l->is_rates && next_rate(c, steps, next))
        return true;
    next->kind = c->l->is_rates ? LADDER_RATE : LADDER_USERS;
    if (c->searching) {
        next->users = ladder_search_next(&c->search);
        return next->users > 0;
    }
    for (size_t i = 0; !c->l->is_rates && i < steps->n; i++) {
        next->users = steps->at[i];
        if (!is_measured(c->l, next->users))
            return true;
    }
    return false;
}

/* Of rates as soon as it is known what they are percents of. */
static int begin_search(struct climb *c, struct err *err)
{
    const struct ladder *l = c->l;

    if (c->searching || !l->is_search || (l->is_rates && !isfinite(l->maximum_tps)))
        return 0;
    c->searching = true;
    return ladder_search_begin(&c->search, c->env->settings, l, err);
}

/* The steps that are given; none of a search for users. */
static int given_steps(struct climb *c, struct steps *steps, struct err *err)
{
    const struct settings_ladder *s = &c->env->settings->ladder;

    if (c->l->is_rates && steps_parse(s->percents, STEPS_OF_PERCENTS, steps, err) < 0)
        return -1;
    if (s->steps && steps_parse(s->steps, STEPS_OF_USERS, steps, err) < 0)
        return -1;
    c->l->planned_steps = c->l->is_search ? -1 : (int64_t)steps->n + c->l->is_rates;
    return 0;
}

static int run_steps(struct climb *c, struct err *err)
{
    struct steps steps = {0};
    struct ladder_load load = {0};

    if (given_steps(c, &steps, err) < 0 || begin_search(c, err) < 0)
        return -1;
    while (next_load(c, &steps, &load)) {
        if (stop_level(c->env->stop))
            return err_set(err, ERR_INTERRUPTED, "interrupted between two steps");
        if (run_step(c, load, err) < 0 || begin_search(c, err) < 0)
            return -1;
    }
    return 0;
}

static void record_check(const struct check_report *report, struct ladder_check *out)
{
    out->conditions = 0;
    out->failed = 0;
    out->seconds = report->seconds;
    xset_text(&out->first, NULL);
    for (int i = 0; i < CONDITIONS; i++) {
        const struct check_finding *f = &report->finding[i];

        out->conditions += f->run;
        out->failed += f->run && !f->holds;
        if (f->run && !f->holds && !out->first)
            out->first = xasprintf("condition %d: %llu offending rows", conditions()[i].number,
                                   (unsigned long long)f->offending);
    }
}

/* The conditions after the last step. One that could not be made has failed. */
static int check_at_end(struct climb *c, struct err *err)
{
    const struct plan *plan = &c->work.plan;
    struct check_report report = {0};
    int rc;

    if (plan->check_after == CHECK_NONE)
        return 0;
    rc = afterwards_check(&c->work.target, plan->dataset.warehouses,
                          plan->check_after == CHECK_QUICK, &report, err);
    if (rc == 0) {
        record_check(&report, &c->l->check);
        if (!report.all_hold)
            rc = err_set(err, ERR_CHECK_FAILED,
                         "the dataset does not hold its conditions after the last step "
                         "(tpcc-check shows which)");
    } else {
        free(c->l->check.first);
        c->l->check.first = xasprintf("could not be made: %s", err->text);
    }
    check_report_release(&report);
    return rc;
}

/* Whatever came of it: written, and renamed where at least that works. */
static int end_ladder(struct climb *c, int rc, struct job_outcome *out, struct err *err)
{
    struct err end_err = {0};

    work_now_text(c->env, &c->l->ended);
    out->interrupted = rc < 0 && err->kind == ERR_INTERRUPTED;
    xset_text(&c->l->ended_by, rc == 0 ? "plan" : out->interrupted ? "interrupt" : err->text);
    if (write_ladder(c, &end_err) < 0 || result_dir_end(c->dir, &end_err) < 0) {
        log_line(c->env->log, LOG_ERROR, "%s", end_err.text);
        if (rc == 0)
            *err = end_err;
        return -1;
    }
    out->finished = true;
    free(out->result_path);
    out->result_path = xstrdup(result_dir_path(c->dir));
    return rc;
}

static int climb_all(struct climb *c, struct job_outcome *out, struct err *err)
{
    int rc = work_prepare(&c->work, err);

    if (rc == 0)
        /* Again, now that the dataset's seed and time are known. */
        rc = work_write_plan(&c->work, c->env, c->dir, err);
    if (rc == 0)
        rc = run_steps(c, err);
    if (rc == 0)
        rc = check_at_end(c, err);
    if (rc < 0 && stop_level(c->env->stop))
        err->kind = ERR_INTERRUPTED;
    else if (rc < 0 && c->work.target.cluster && err->kind == ERR_SURROUNDINGS)
        (void)cluster_explain(c->work.target.cluster, err);
    return end_ladder(c, rc, out, err);
}

int job_ladder(const struct job_env *env, struct ladder *l, struct job_outcome *out,
               struct err *err)
{
    const struct ladder_extent extent = ladder_extent(env->settings);
    struct settings largest;
    const struct work_for what = {.settings = &largest, .runs = extent.runs};
    struct climb c = {.env = env, .l = l, .work = {.env = env}};
    int rc = -1;

    *out = (struct job_outcome){0};
    ladder_step_settings(env->settings, extent.load, 0, &largest);
    if (read_resumed(&c, err) < 0 || work_plan(&c.work, &what, err) < 0)
        goto out;
    c.work.target.measured = true;
    if (preflight_plan(&c.work.target, &c.work.plan, err) < 0)
        goto out;
    if (env->settings->output.dry_run) {
        out->dry_run = true;
        rc = 0;
        goto out;
    }
    if (work_confirm_place(&c.work, err) < 0 || target_take(&c.work.target, err) < 0 ||
        begin_dir(&c, err) < 0)
        goto out;
    out->result_path = xstrdup(result_dir_path(c.dir));
    rc = climb_all(&c, out, err);
out:
    if (c.dir)
        log_set_file(env->log, NULL);
    result_dir_free(c.dir);
    work_release(&c.work);
    free(largest.workload.name);
    return rc;
}
