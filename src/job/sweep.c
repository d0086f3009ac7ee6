/*
 * From the settings to the finished result (see the header). The result directory is made only once
 * everything that could refuse has been asked. A failure leaves what there was, an interruption a
 * result that says so.
 */
#include "job/sweep.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "block/from_result.h"
#include "block/sweep.h"
#include "config/datadir.h"
#include "drive/record.h"
#include "job/health_watch.h"
#include "job/sweep_resume.h"
#include "prep/carry.h"
#include "result/result_dir.h"
#include "result/verdict.h"

struct sweep_job {
    const struct job_env *env;
    struct fsroot root;
    struct sweep_plan plan;
    struct block_target target;
    struct result *r;
    struct result_dir *dir;
    struct health_watch *health;
    VEC(const char *) names; /* of the devices */
    double pause_s;          /* since the last point of what goes on; NaN */
};

/* ---- what is asked for ---- */

/* oltp-blocks, of a result of the database test. */
static int add_from_result(struct sweep_plan *p, const char *path, struct err *err)
{
    struct profile_set set = {.name = NULL};
    struct result r;
    int rc = -1;

    result_init(&r);
    if (result_dir_read_figures(path, &r, err) == 0)
        rc = profile_from_result(&r, path, &set, err);
    VEC_PUSH(&p->sets, set);
    result_release(&r);
    return rc;
}

static int read_sets(const struct settings_sweep *s, struct sweep_plan *p, struct err *err)
{
    const int n = s->n_workloads > 0 || s->from ? s->n_workloads : 1;
    char *data_dir = datadir_find(err);
    int rc = data_dir ? 0 : -1;

    if (rc == 0 && s->from)
        rc = add_from_result(p, s->from, err);
    for (int i = 0; i < n && rc == 0; i++) {
        struct profile_set set;

        rc =
            profile_read(s->n_workloads > 0 ? s->workload[i] : "four-corners", data_dir, &set, err);
        VEC_PUSH(&p->sets, set);
    }
    free(data_dir);
    return rc;
}

static void make_schedule(const struct settings_sweep *s, struct sweep_plan *p)
{
    const struct schedule_opts opts = {
        .sets = p->sets.at,
        .n_sets = p->sets.n,
        .settle_ns = s->settle_ns,
        .duration_ns = s->point_duration_ns,
        .until_steady = s->until_steady,
    };

    schedule_make(&opts, &p->schedule);
}

int sweep_plan_make(const struct settings *s, struct sweep_plan *out, struct err *err)
{
    *out = (struct sweep_plan){.fio = NULL};
    if (read_sets(&s->sweep, out, err) < 0)
        return -1;
    make_schedule(&s->sweep, out);
    out->fio = fio_find(s->sweep.fio, err);
    return out->fio ? 0 : -1;
}

void sweep_plan_release(struct sweep_plan *p)
{
    schedule_release(&p->schedule);
    for (size_t i = 0; i < p->sets.n; i++)
        profile_set_release(&p->sets.at[i]);
    VEC_RELEASE(&p->sets);
    free(p->fio);
    p->fio = NULL;
}

static int open_target(struct sweep_job *job, const char *path, struct err *err)
{
    const struct schedule *schedule = &job->plan.schedule;
    struct block_asks asks = {
        .path = path,
        .given = job->env->settings->drive.i_will_lose,
        .look_only = job->env->settings->output.dry_run,
    };

    for (size_t i = 0; i < schedule->steps.n; i++) {
        const struct profile *p = schedule->steps.at[i].profile;

        asks.writes = asks.writes || profile_writes(p);
        asks.reads = asks.reads || p->trace || p->read_percent > 0;
    }
    return block_target_open(&job->root, &asks, &job->target, err);
}

static void add_resumed(const struct sweep_job *job, struct strbuf *out)
{
    const uint64_t point_ns = schedule_point_ns(&job->plan.schedule);
    const uint64_t done_ns = (uint64_t)job->r->sweep.points_done * point_ns;
    char text[32];

    units_format_duration_short(schedule_least_ns(&job->plan.schedule) - done_ns, text,
                                sizeof(text));
    strbuf_addf(out, "  goes on     in %s, after %lld of %zu points: %s left\n",
                job->env->settings->sweep.resume, (long long)job->r->sweep.points_done,
                job->plan.schedule.steps.n, text);
}

static void show_plan(const struct sweep_job *job)
{
    const struct job_ui *ui = job->env->ui;
    const struct block_target *t = &job->target;
    struct strbuf out;
    char size[32];

    if (!ui || !ui->plan_text)
        return;
    strbuf_init(&out);
    units_format_bytes(t->bytes, size, sizeof(size));
    strbuf_addf(&out, "  target      %s, %s, %s\n", t->path, t->is_device ? "block device" : "file",
                size);
    schedule_print(&job->plan.schedule, &out);
    if (job->env->settings->sweep.resume)
        add_resumed(job, &out);
    if (t->consent)
        strbuf_addf(&out, "  overwrites  what is on it: --i-will-lose %s agrees\n", t->consent);
    strbuf_addf(&out, "  fio         %s\n", job->plan.fio);
    ui->plan_text(out.buf, ui->ctx);
    strbuf_release(&out);
}

/* ---- the result ---- */

static void record(struct sweep_job *job)
{
    const struct settings *s = job->env->settings;
    const struct drive_map *map = &job->target.map;
    const int64_t now_us = clock_real_us(job->env->clock);
    struct result *r = job->r;
    char now[32];

    clock_format_utc(now_us, now, sizeof(now));
    r->kind = xstrdup("sweep");
    r->version = xstrdup(job->env->version);
    r->started = xstrdup(now);
    r->label = s->run.label ? xstrdup(s->run.label) : NULL;
    r->command = xstrdup(job->env->command);
    drive_record_host(&job->root, &r->host);
    r->drive.path = xstrdup(job->target.path);
    drive_record_filesystem(map, &r->drive);
    if (map->reason)
        r->drive.why_none = xstrdup(map->reason);
    else
        drive_record_devices(&job->root, map, &r->drive);
    prep_carry(&job->root, s->prep.state, map, now_us, &r->drive.prep);
    r->sweep.target = xstrdup(job->target.is_device ? "block device" : "file");
    r->sweep.area_bytes = (int64_t)job->target.bytes;
    r->sweep.target_id = sweep_target_id(&job->target);
    for (size_t i = 0; i < job->plan.sets.n; i++) {
        if (job->plan.sets.at[i].taken_from && !r->sweep.taken_from)
            r->sweep.taken_from = xstrdup(job->plan.sets.at[i].taken_from);
    }
}

static int write_text(struct sweep_job *job, const char *name, char *text, struct err *err)
{
    const int rc = result_dir_write_text(job->dir, name, text, err);

    free(text);
    return rc;
}

/* plan.yaml, and each workload as it was resolved: together they repeat the sweep. Of one that goes
 * on they are there, and the same. */
static int write_plan(struct sweep_job *job, struct err *err)
{
    int rc = write_text(job, "plan.yaml", sweep_plan_text(job->env->settings), err);

    for (size_t i = 0; i < job->plan.sets.n && rc == 0; i++) {
        char *name = sweep_workload_name(&job->plan.sets.at[i]);

        rc = write_text(job, name, sweep_workload_text(&job->plan.sets.at[i]), err);
        free(name);
    }
    return rc;
}

static int measured(const struct result *r, const struct sweep_profile *p, void *ctx,
                    struct err *err)
{
    struct sweep_job *job = ctx;
    const struct sweep_point *point = &p->points.at[p->points.n - 1];
    char what[32] = "maximum";

    if (result_dir_write_early(job->dir, r, err) < 0) /* what was said to be there is */
        return -1;
    if (point->percent > 0)
        (void)snprintf(what, sizeof(what), "%.0f %%", point->percent);
    else if (point->asked_iops > 0)
        (void)snprintf(what, sizeof(what), "%.0f IOPS", point->asked_iops);
    log_line(job->env->log, LOG_INFO,
             "%s, %s: %.0f IOPS, %.1f MiB/s, %.0f us, p99 %.0f us, %.1f under way%s", p->name, what,
             point->iops, point->mib_per_s, point->latency_us.avg, point->latency_us.p99,
             point->outstanding,
             point->off == 1 ? " (not at the rate asked for)"
             : point->saturated == 1 && !(point->asked_iops != point->asked_iops) ? " (saturated)"
                                                                                  : "");
    return 0;
}

static int finish(struct sweep_job *job, struct job_outcome *out, struct err *err)
{
    const struct job_ui *ui = job->env->ui;
    struct result *r = job->r;
    char now[32];
    char *page = NULL;
    int rc = -1;

    clock_format_utc(clock_real_us(job->env->clock), now, sizeof(now));
    r->ended = xstrdup(now);
    verdict_judge(r);
    if (ui && ui->sweep_points) {
        char *points = ui->sweep_points(r, ui->ctx);

        rc = result_dir_write_text(job->dir, "points.csv", points, err);
        free(points);
        if (rc < 0)
            goto out;
    }
    if (ui && ui->page) {
        page = ui->page(r, result_dir_path(job->dir), ui->ctx);
        if (result_dir_write_text(job->dir, "report.html", page, err) < 0)
            goto out;
    }
    log_set_file(job->env->log, NULL);
    rc = result_dir_finish(job->dir, r, err);
    out->finished = rc == 0;
    free(out->result_path);
    out->result_path = xstrdup(result_dir_path(job->dir));
out:
    free(page);
    return rc;
}

/* ---- the work ---- */

static void progress(const struct progress *step, void *ctx)
{
    const struct sweep_job *job = ctx;
    const struct job_ui *ui = job->env->ui;

    if (ui && ui->progress)
        ui->progress(step, ui->ctx);
}

static int sweep(struct sweep_job *job, struct err *err)
{
    const struct settings_sweep *s = &job->env->settings->sweep;
    char *dir = realpath(result_dir_path(job->dir), NULL);
    const struct sweep_env env = {
        .schedule = &job->plan.schedule,
        .target = &job->target,
        .fio = s->fio,
        .after_pause_s = job->pause_s,
        .io =
            {
                .clock = job->env->clock,
                .root = &job->root,
                .stop = job->env->stop,
                .log = job->env->log,
                .dir = dir,
                .names = job->names.at,
                .n_names = job->names.n,
                .margin_ns = s->patience_ns,
            },
        .progress = progress,
        .measured = measured,
        .ctx = job,
    };
    int rc = -1;

    if (!dir)
        (void)err_set(err, ERR_SURROUNDINGS, "%s has gone", result_dir_path(job->dir));
    else
        rc = sweep_run(&env, job->r, err);
    free(dir);
    return rc;
}

static int begin_dir(struct sweep_job *job, struct err *err)
{
    const struct settings *s = job->env->settings;

    job->dir = s->sweep.resume ? result_dir_reopen(s->sweep.resume, err)
                               : result_dir_create(s->output.results, job->r->label,
                                                   clock_real_us(job->env->clock), err);
    return job->dir ? 0 : -1;
}

static int run(struct sweep_job *job, struct job_outcome *out, struct err *err)
{
    const struct settings_sweep *s = &job->env->settings->sweep;
    struct err late = {0};
    int rc = -1;

    if (begin_dir(job, err) < 0)
        return -1;
    out->result_path = xstrdup(result_dir_path(job->dir));
    log_set_file(job->env->log, result_dir_log(job->dir));
    if (s->resume)
        log_line(job->env->log, LOG_INFO, "goes on after %lld of %zu points",
                 (long long)job->r->sweep.points_done, job->plan.schedule.steps.n);
    for (size_t i = 0; i < job->r->drive.devices.n; i++)
        VEC_PUSH(&job->names, job->r->drive.devices.at[i].name);
    if (!s->resume && write_plan(job, err) < 0)
        return -1;
    job->health = health_watch_new(job->env->clock, job->env->log, job->r);
    health_watch_go(job->health, clock_now_ns(job->env->clock));
    health_watch_note(job->health, job->r);
    rc = result_dir_write_early(job->dir, job->r, err);
    if (rc == 0)
        rc = sweep(job, err);
    health_watch_end(job->health, job->r);
    job->health = NULL;
    out->interrupted = rc < 0 && err->kind == ERR_INTERRUPTED;
    if (rc < 0 && !out->interrupted)
        return -1;
    if (finish(job, out, &late) < 0) {
        *err = late;
        return -1;
    }
    return rc;
}

static void release(struct sweep_job *job)
{
    log_set_file(job->env->log, NULL);
    sweep_plan_release(&job->plan);
    VEC_RELEASE(&job->names);
    block_target_release(&job->target);
    result_dir_free(job->dir);
    fsroot_release(&job->root);
}

int job_sweep(const struct job_env *env, const char *target, struct result *r,
              struct job_outcome *out, struct err *err)
{
    struct sweep_job job = {.env = env, .r = r, .target = {.fd = -1}, .pause_s = (double)NAN};
    int rc = -1;

    *out = (struct job_outcome){0};
    fsroot_init(&job.root, "");
    if (sweep_plan_make(env->settings, &job.plan, err) < 0 || open_target(&job, target, err) < 0)
        goto out;
    record(&job);
    if (env->settings->sweep.resume &&
        sweep_resume(env->settings, &job.plan, r, &job.pause_s, err) < 0)
        goto out;
    show_plan(&job);
    out->dry_run = env->settings->output.dry_run;
    rc = out->dry_run ? 0 : run(&job, out, err);
out:
    release(&job);
    return rc;
}
