/*
 * The order of a review (see the header). Nothing is written before everything that can be known to
 * refuse has been asked. The word that agrees is asked for once and given to all steps.
 */
#include "review/review.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "drive/block_refuse.h"
#include "job/sweep.h"
#include "prep/place.h"
#include "prep/prep.h"
#include "result/result_dir.h"
#include "result/verdict.h"
#include "review/foresee.h"
#include "review/state.h"
#include "review/summary.h"

struct review {
    const struct review_env *env;
    const struct job_env *job;
    struct fsroot root;
    struct block_facts facts;
    struct review_state state;
    struct review_plan plan;
    char *yaml;                    /* plan.yaml */
    char *going;                   /* the directory that it goes on in; NULL: a new one */
    struct review_decides decides; /* its texts are ours, but results of a step */
    struct result_dir *dir;
};

static char *now_text(const struct review *v)
{
    char now[32];

    clock_format_utc(clock_real_us(v->job->clock), now, sizeof(now));
    return xstrdup(now);
}

/* ---- what there is ---- */

static int look_at_drive(struct review *v, struct err *err)
{
    const struct blockdev_probe probe = blockdev_probe_system(&v->root);
    const struct settings *s = v->job->settings;
    struct review_state *state = &v->state;

    if (block_facts_read(&probe, s->review.drive, &v->facts, err) < 0)
        return err_wrap(err, "--drive");
    state->drive = xstrdup(v->facts.node);
    state->model = v->facts.model ? xstrdup(v->facts.model) : NULL;
    state->serial = v->facts.serial ? xstrdup(v->facts.serial) : NULL;
    state->size_bytes = v->facts.size_bytes;
    state->version = xstrdup(v->job->version);
    state->command = xstrdup(v->job->command);
    state->label = xstrdup(s->run.label     ? s->run.label
                           : v->facts.model ? v->facts.model
                                            : v->facts.name);
    v->decides.label = xstrdup(state->label);
    for (char *c = v->decides.label; !s->run.label && *c; c++)
        *c = *c == '/' || *c == '.' ? '-' : *c; /* part of a directory's name */
    return 0;
}

/* One that was cut off is gone on with where it is the same; another plan is not guessed at. */
static int find_earlier(struct review *v, struct err *err)
{
    const struct settings *s = v->job->settings;
    struct review_state earlier;
    struct strbuf yaml;
    char *path = NULL;
    int found;
    int rc = 0;

    strbuf_init(&yaml);
    review_plan_yaml(s, &yaml);
    v->yaml = strbuf_detach(&yaml);
    if (s->prep.restart)
        return 0;
    review_state_init(&earlier);
    found = review_find(s->output.results, &v->state, v->yaml, &path, &earlier);
    if (found == REVIEW_OTHER_PLAN) {
        rc = err_set(err, ERR_USAGE,
                     "%s is a review of this drive that was cut off, with other settings: give the "
                     "same again (%s/plan.yaml) to go on with it, or --restart to begin anew",
                     path, path);
    } else if (found == REVIEW_GOES_ON) {
        review_state_release(&v->state);
        v->state = earlier;
        review_state_init(&earlier);
        free(v->decides.label);
        v->decides.label = xstrdup(v->state.label ? v->state.label : "review");
        review_state_look(path, &v->state);
        v->going = path;
        path = NULL;
    }
    review_state_release(&earlier);
    free(path);
    return rc;
}

static int make_plan(struct review *v, struct err *err)
{
    const struct job_ui *ui = v->job->ui;
    const int next = review_state_next(&v->state);
    char *cut_sweep = v->going ? review_cut_sweep(v->going) : NULL;
    const struct review_asks asks = {
        .facts = &v->facts, .decides = &v->decides, .cut_sweep = cut_sweep, .next = next};
    struct strbuf text;
    char *word = NULL;
    int rc;

    rc = review_foresee(v->job, &asks, &v->plan, err);
    free(cut_sweep);
    if (rc < 0)
        return -1;
    strbuf_init(&text);
    review_plan_print(&v->plan, next, &text);
    if (v->going)
        strbuf_addf(&text, "  goes on in %s\n", v->going);
    if (v->job->settings->output.dry_run) {
        word = block_consent(&v->facts);
        strbuf_addf(&text, "  agree with --i-will-lose %s\n\n%s", word, v->yaml);
    }
    if (ui->plan_text)
        ui->plan_text(text.buf, ui->ctx);
    free(word);
    strbuf_release(&text);
    return 0;
}

static int get_consent(struct review *v, struct err *err)
{
    const char *given = v->job->settings->drive.i_will_lose;
    char *question = NULL;
    char *typed = NULL;
    int rc;

    if (!given) {
        question =
            xasprintf("all that is on %s will be lost: type its %s to agree: ", v->facts.node,
                      v->facts.serial ? "serial number" : "size in bytes");
        typed = v->env->ask ? v->env->ask(question, v->env->ctx) : NULL;
    }
    rc = block_consent_check(&v->facts, given ? given : typed, err);
    if (rc == 0)
        v->decides.i_will_lose = block_consent(&v->facts);
    free(typed);
    free(question);
    return rc;
}

/* ---- its directory ---- */

static int save(struct review *v, struct err *err)
{
    char *text = review_state_write(&v->state);
    const int rc = result_dir_write_text(v->dir, RESULT_REVIEW_FILE, text, err);

    free(text);
    return rc;
}

static int open_dir(struct review *v, struct err *err)
{
    const char *results = v->job->settings->output.results;

    v->dir = v->going
                 ? result_dir_reopen(v->going, err)
                 : result_dir_create(results, v->decides.label, clock_real_us(v->job->clock), err);
    if (!v->dir)
        return -1;
    log_set_file(v->job->log, result_dir_log(v->dir));
    if (!v->state.started)
        v->state.started = now_text(v);
    if (!v->going && result_dir_write_text(v->dir, "plan.yaml", v->yaml, err) < 0)
        return -1;
    return save(v, err);
}

/* ---- the steps ---- */

static struct job_env step_env(const struct review *v, const struct settings *s)
{
    struct job_env env = *v->job;

    env.settings = s;
    env.config = NULL; /* the step's settings are not where they came from */
    return env;
}

static int do_prep(struct review *v, const struct settings *s, struct result *r,
                   struct job_outcome *out, struct err *err)
{
    const struct job_env *job = v->job;
    const struct prep_env prep = {
        .settings = s,
        .device = v->facts.node,
        .version = job->version,
        .command = job->command,
        .clock = job->clock,
        .log = job->log,
        .stop = job->stop,
        .plan = job->ui->plan_text,
        .progress = job->ui->progress,
        .page = job->ui->page,
        .ctx = job->ui->ctx,
    };
    struct prep_outcome done = {0};
    const int rc = prep_run(&prep, r, &done, err);

    out->result_path = done.result_path;
    out->finished = done.finished;
    if (rc == 0 && r->verdict.status == VERDICT_INVALID)
        return err_set(err, ERR_CHECK_FAILED, "the drive does not hold what was written on it");
    return rc;
}

/* Where the preparation before it left its partition. */
static int find_place(const struct review *v, const char *purpose, struct prep_place *place,
                      struct err *err)
{
    const struct prep_place_asks asks = {
        .device = v->facts.node,
        .state_dir = v->job->settings->prep.state,
        .purpose = purpose,
    };

    struct err why = {0};

    if (prep_place_find(&asks, place, &why) == 0)
        return 0;
    return err_set(err, why.kind, "%s; --restart begins the review anew", why.text);
}

/* One that was cut off goes on where it can; another one (of another fio, say) begins anew. */
static int do_sweep(struct review *v, const struct settings *s, struct result *r,
                    struct job_outcome *out, struct err *err)
{
    struct settings rest = *s;
    const struct job_env env = step_env(v, &rest);
    struct prep_place place;
    int rc = find_place(v, "blocks", &place, err);

    if (rc == 0) {
        rest.sweep.resume = review_cut_sweep(result_dir_path(v->dir));
        rc = job_sweep(&env, place.node, r, out, err);
        if (rc < 0 && rest.sweep.resume && !out->result_path && err->kind == ERR_USAGE) {
            log_line(v->job->log, LOG_WARN, "the block tests begin anew: %s", err->text);
            free(rest.sweep.resume);
            rest.sweep.resume = NULL;
            result_release(r);
            result_init(r);
            rc = job_sweep(&env, place.node, r, out, err);
        }
        free(rest.sweep.resume);
    }
    prep_place_release(&place);
    return rc;
}

static int do_database(struct review *v, const struct settings *s, struct result *r,
                       struct job_outcome *out, struct err *err)
{
    struct settings there = *s;
    const struct job_env env = step_env(v, &there);
    struct prep_place place;
    int rc = find_place(v, "database", &place, err);

    if (rc == 0) {
        there.target.drive = place.mount_point;
        rc = job_run(&env, r, out, err);
    }
    prep_place_release(&place);
    return rc;
}

static int do_step(struct review *v, int step, struct result *r, struct job_outcome *out,
                   struct err *err)
{
    struct review_decides decides = v->decides;
    struct settings s;
    int rc = -1;

    decides.results = xasprintf("%s/%s", result_dir_path(v->dir), review_step_name(step));
    review_step_settings(v->job->settings, step, &decides, &s);
    switch ((enum review_step)step) {
    case REVIEW_PREPARE:
    case REVIEW_FILESYSTEM:
        rc = do_prep(v, &s, r, out, err);
        break;
    case REVIEW_SWEEP:
        rc = do_sweep(v, &s, r, out, err);
        break;
    case REVIEW_DATABASE:
        rc = do_database(v, &s, r, out, err);
        break;
    case REVIEW_STEPS:
        UNREACHABLE();
    }
    free(decides.results);
    return rc;
}

static void begin_step(const struct review *v, int step)
{
    const struct review_moment m = {
        .step = step,
        .step_seconds = v->plan.seconds[step],
        .later_seconds = review_plan_left(&v->plan, step + 1),
    };

    log_line(v->job->log, LOG_INFO, "step %d of %d: %s", step + 1, REVIEW_STEPS,
             review_step_words(step));
    if (v->env->step)
        v->env->step(&m, v->env->ctx);
}

/* A step as its program would do it alone, with its result below the review's directory. */
static int run_step(struct review *v, int step, struct err *err)
{
    struct job_outcome out = {0};
    struct result r;
    struct err save_err = {0};
    int rc;

    result_init(&r);
    begin_step(v, step);
    rc = do_step(v, step, &r, &out, err);
    log_set_file(v->job->log, result_dir_log(v->dir));
    if (out.finished && v->env->report)
        v->env->report(&r, out.result_path, v->env->ctx);
    review_state_look(result_dir_path(v->dir), &v->state);
    if (save(v, rc < 0 ? &save_err : err) < 0)
        rc = -1;
    if (rc == 0 && !v->state.done[step].result)
        rc = err_set(err, ERR_SURROUNDINGS, "%s: no finished result is there",
                     out.result_path ? out.result_path : "-");
    if (rc < 0)
        (void)err_wrap(err, "step %d of %d, %s", step + 1, REVIEW_STEPS, review_step_words(step));
    job_outcome_release(&out);
    result_release(&r);
    return rc;
}

static int run_steps(struct review *v, struct err *err)
{
    for (int step = review_state_next(&v->state); step < REVIEW_STEPS;
         step = review_state_next(&v->state)) {
        if (stop_level(v->job->stop) > 0)
            return err_set(err, ERR_INTERRUPTED, "interrupted between two steps");
        if (run_step(v, step, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- the end ---- */

static int write_page(struct review *v, struct err *err)
{
    static const int of_both[] = {REVIEW_DATABASE, REVIEW_SWEEP};
    char *results[ARRAY_LEN(of_both)];
    char *page = NULL;
    int rc = 0;

    if (!v->env->page)
        return 0;
    for (size_t i = 0; i < ARRAY_LEN(of_both); i++)
        results[i] = xasprintf("%s/%s", result_dir_path(v->dir), v->state.done[of_both[i]].result);
    page = v->env->page(results, ARRAY_LEN(of_both), v->env->ctx);
    if (page)
        rc = result_dir_write_text(v->dir, "report.html", page, err);
    free(page);
    for (size_t i = 0; i < ARRAY_LEN(of_both); i++)
        free(results[i]);
    return rc;
}

static void judge(const struct review_state *s, struct review_outcome *out)
{
    for (int i = 0; i < REVIEW_STEPS; i++) {
        const char *verdict = s->done[i].verdict;

        out->invalid = out->invalid || (verdict && strcmp(verdict, "invalid") == 0);
        out->questionable = out->questionable || (verdict && strcmp(verdict, "questionable") == 0);
    }
}

static int finish(struct review *v, struct review_outcome *out, struct err *err)
{
    struct strbuf text;
    int rc = -1;

    strbuf_init(&text);
    v->state.ended = now_text(v);
    if (save(v, err) < 0 || write_page(v, err) < 0)
        goto out;
    log_set_file(v->job->log, NULL);
    if (result_dir_end(v->dir, err) < 0)
        goto out;
    review_summary(result_dir_path(v->dir), &v->state, &text);
    if (result_dir_write_text(v->dir, "summary.txt", text.buf, err) < 0)
        goto out;
    judge(&v->state, out);
    if (v->job->settings->output.json)
        out->json = review_summary_json(result_dir_path(v->dir), &v->state);
    out->finished = true;
    out->summary = strbuf_detach(&text);
    rc = 0;
out:
    strbuf_release(&text);
    return rc;
}

static int work(struct review *v, struct review_outcome *out, struct err *err)
{
    int rc = -1;

    if (get_consent(v, err) < 0)
        return -1;
    if (open_dir(v, err) == 0) {
        if (v->going)
            log_line(v->job->log, LOG_INFO, "goes on in %s", v->going);
        rc = run_steps(v, err) < 0 ? -1 : finish(v, out, err);
    }
    if (v->dir)
        out->path = xstrdup(result_dir_path(v->dir));
    return rc;
}

static void release(struct review *v)
{
    log_set_file(v->job->log, NULL);
    result_dir_free(v->dir);
    review_plan_release(&v->plan);
    review_state_release(&v->state);
    block_facts_release(&v->facts);
    fsroot_release(&v->root);
    free(v->yaml);
    free(v->going);
    free(v->decides.label);
    free(v->decides.i_will_lose);
}

int review_run(const struct review_env *env, struct review_outcome *out, struct err *err)
{
    struct review v = {.env = env, .job = env->job, .going = NULL};
    int rc = -1;

    *out = (struct review_outcome){.path = NULL};
    fsroot_init(&v.root, "");
    review_state_init(&v.state);
    if (look_at_drive(&v, err) < 0 || find_earlier(&v, err) < 0 || make_plan(&v, err) < 0)
        goto out;
    rc = v.job->settings->output.dry_run ? 0 : work(&v, out, err);
out:
    release(&v);
    return rc;
}

void review_outcome_release(struct review_outcome *o)
{
    free(o->path);
    free(o->summary);
    free(o->json);
    *o = (struct review_outcome){.path = NULL};
}
