/*
 * drive-sweep: curves of latency over IOPS of a drive. Standard output gets the report, whose last
 * line names the result's directory, or result.json with --json; everything else goes to standard
 * error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/xalloc.h"
#include "block/from_result.h"
#include "block/sweep.h"
#include "cmd/console.h"
#include "cmd/options.h"
#include "cmd/page.h"
#include "cmd/signals.h"
#include "config/datadir.h"
#include "drive/record.h"
#include "prep/carry.h"
#include "report/sweep_csv.h"
#include "report/text.h"
#include "result/result_dir.h"
#include "result/result_json.h"
#include "result/verdict.h"

static struct log *signal_log; /* set before the thread of signals starts */

struct sweep_job {
    struct config config;
    struct console *console;
    struct stop stop;
    struct fsroot root;
    VEC(struct profile_set) sets;
    struct schedule schedule;
    struct block_target target;
    struct result result;
    struct result_dir *dir;
    VEC(const char *) names; /* of the devices */
};

static void say_stopping(int level)
{
    log_line(signal_log, LOG_WARN,
             level == 1 ? "stopping: the points that are done are kept" : "leaving at once");
}

/* ---- what is asked for ---- */

/* oltp-blocks, of a result of the database test. */
static int add_from_result(struct sweep_job *job, const char *path, struct err *err)
{
    struct profile_set set = {.name = NULL};
    struct result r;
    int rc = -1;

    result_init(&r);
    if (result_dir_read_figures(path, &r, err) == 0)
        rc = profile_from_result(&r, path, &set, err);
    VEC_PUSH(&job->sets, set);
    result_release(&r);
    return rc;
}

static int read_sets(struct sweep_job *job, struct err *err)
{
    const struct settings_sweep *s = &job->config.s.sweep;
    const int n = s->n_workloads > 0 || s->from ? s->n_workloads : 1;
    char *data_dir = datadir_find(err);
    int rc = data_dir ? 0 : -1;

    if (rc == 0 && s->from)
        rc = add_from_result(job, s->from, err);
    for (int i = 0; i < n && rc == 0; i++) {
        struct profile_set set;

        rc =
            profile_read(s->n_workloads > 0 ? s->workload[i] : "four-corners", data_dir, &set, err);
        VEC_PUSH(&job->sets, set);
    }
    free(data_dir);
    return rc;
}

static void make_schedule(struct sweep_job *job)
{
    const struct settings_sweep *s = &job->config.s.sweep;
    const struct schedule_opts opts = {
        .sets = job->sets.at,
        .n_sets = job->sets.n,
        .settle_ns = s->settle_ns,
        .duration_ns = s->point_duration_ns,
        .until_steady = s->until_steady,
    };

    schedule_make(&opts, &job->schedule);
}

static int open_target(struct sweep_job *job, struct err *err)
{
    struct block_asks asks = {
        .path = job->config.args.at[0],
        .given = job->config.s.sweep.i_will_lose,
        .look_only = job->config.s.output.dry_run,
    };

    for (size_t i = 0; i < job->schedule.steps.n; i++) {
        const struct profile *p = job->schedule.steps.at[i].profile;

        asks.writes = asks.writes || profile_writes(p);
        asks.reads = asks.reads || p->trace || p->read_percent > 0;
    }
    return block_target_open(&job->root, &asks, &job->target, err);
}

/* The plan goes to standard error: standard output belongs to the report. With --dry-run it is what
 * was asked for. */
static void show_plan(const struct sweep_job *job, const char *fio)
{
    const struct settings_output *s = &job->config.s.output;
    const struct block_target *t = &job->target;
    struct strbuf out;
    char size[32];

    if (s->quiet && !s->dry_run)
        return;
    strbuf_init(&out);
    units_format_bytes(t->bytes, size, sizeof(size));
    strbuf_addf(&out, "  target      %s, %s, %s\n", t->path, t->is_device ? "block device" : "file",
                size);
    schedule_print(&job->schedule, &out);
    if (t->consent)
        strbuf_addf(&out, "  overwrites  what is on it: --i-will-lose %s agrees\n", t->consent);
    strbuf_addf(&out, "  fio         %s\n", fio);
    (void)fwrite(out.buf, 1, out.len, s->dry_run ? stdout : stderr);
    (void)fflush(s->dry_run ? stdout : stderr);
    strbuf_release(&out);
}

/* ---- the result ---- */

static void record(struct sweep_job *job)
{
    struct result *r = &job->result;
    const struct drive_map *map = &job->target.map;
    char now[32];

    clock_format_utc(clock_real_us(clock_system()), now, sizeof(now));
    r->kind = xstrdup("sweep");
    r->version = xstrdup(TPCC_VERSION);
    r->started = xstrdup(now);
    r->label = job->config.s.run.label ? xstrdup(job->config.s.run.label) : NULL;
    r->command = xstrdup(job->config.command);
    drive_record_host(&job->root, &r->host);
    r->drive.path = xstrdup(job->target.path);
    drive_record_filesystem(map, &r->drive);
    if (map->reason)
        r->drive.why_none = xstrdup(map->reason);
    else
        drive_record_devices(&job->root, map, &r->drive);
    prep_carry(&job->root, job->config.s.prep.state, map, clock_real_us(clock_system()),
               &r->drive.prep);
    r->sweep.target = xstrdup(job->target.is_device ? "block device" : "file");
    r->sweep.area_bytes = (int64_t)job->target.bytes;
    for (size_t i = 0; i < job->sets.n; i++) {
        if (job->sets.at[i].taken_from && !r->sweep.taken_from)
            r->sweep.taken_from = xstrdup(job->sets.at[i].taken_from);
    }
    for (size_t i = 0; i < r->drive.devices.n; i++)
        VEC_PUSH(&job->names, r->drive.devices.at[i].name);
}

/* plan.yaml, and each workload as it was resolved: together they repeat the sweep. */
static int write_plan(struct sweep_job *job, struct err *err)
{
    struct strbuf text;
    int rc = 0;

    strbuf_init(&text);
    config_write_group(&job->config.s, "sweep", "sweep.i-will-lose", &text);
    rc = result_dir_write_text(job->dir, "plan.yaml", text.buf, err);
    for (size_t i = 0; i < job->sets.n && rc == 0; i++) {
        char *name = xasprintf("workload-%s.yaml", job->sets.at[i].name);

        strbuf_reset(&text);
        profile_write(&job->sets.at[i], &text);
        rc = result_dir_write_text(job->dir, name, text.buf, err);
        free(name);
    }
    strbuf_release(&text);
    return rc;
}

static int measured(const struct result *r, const struct sweep_profile *p, void *ctx,
                    struct err *err)
{
    struct sweep_job *job = ctx;
    const struct sweep_point *point = &p->points.at[p->points.n - 1];
    char what[32] = "maximum";

    if (point->percent > 0)
        (void)snprintf(what, sizeof(what), "%.0f %%", point->percent);
    else if (point->asked_iops > 0)
        (void)snprintf(what, sizeof(what), "%.0f IOPS", point->asked_iops);
    log_line(console_log(job->console), LOG_INFO,
             "%s, %s: %.0f IOPS, %.1f MiB/s, %.0f us, p99 %.0f us, %.1f under way%s", p->name, what,
             point->iops, point->mib_per_s, point->latency_us.avg, point->latency_us.p99,
             point->outstanding,
             point->off == 1 ? " (not at the rate asked for)"
             : point->saturated == 1 && !(point->asked_iops != point->asked_iops) ? " (saturated)"
                                                                                  : "");
    return result_dir_write_early(job->dir, r, err);
}

static int finish(struct sweep_job *job, struct err *err)
{
    struct result *r = &job->result;
    struct strbuf text;
    char now[32];
    int rc = -1;

    strbuf_init(&text);
    clock_format_utc(clock_real_us(clock_system()), now, sizeof(now));
    r->ended = xstrdup(now);
    verdict_judge(r);
    sweep_points_csv(r, &text);
    if (result_dir_write_text(job->dir, "points.csv", text.buf, err) < 0)
        goto out;
    strbuf_reset(&text);
    page_make(r, result_dir_path(job->dir), &text);
    if (result_dir_write_text(job->dir, "report.html", text.buf, err) < 0)
        goto out;
    log_set_file(console_log(job->console), NULL);
    rc = result_dir_finish(job->dir, r, err);
out:
    strbuf_release(&text);
    return rc;
}

static void print_result(const struct sweep_job *job)
{
    const struct result *r = &job->result;
    char *json = NULL;
    struct strbuf text;

    if (job->config.s.output.json) {
        json = result_json_write(r);
        (void)fputs(json, stdout);
        (void)fprintf(stderr, "%s\n", result_dir_path(job->dir));
        free(json);
    } else {
        strbuf_init(&text);
        report_text(r, result_dir_path(job->dir), &text);
        (void)fwrite(text.buf, 1, text.len, stdout);
        strbuf_release(&text);
    }
    (void)fflush(stdout);
}

/* ---- the work ---- */

static void progress(const struct progress *step, void *ctx)
{
    const struct sweep_job *job = ctx;

    console_progress(step, job->console);
}

static int sweep(struct sweep_job *job, struct err *err)
{
    const struct settings_sweep *s = &job->config.s.sweep;
    char *dir = realpath(result_dir_path(job->dir), NULL);
    const struct sweep_env env = {
        .schedule = &job->schedule,
        .target = &job->target,
        .fio = s->fio,
        .io =
            {
                .clock = clock_system(),
                .root = &job->root,
                .stop = &job->stop,
                .log = console_log(job->console),
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
        rc = sweep_run(&env, &job->result, err);
    console_flush(job->console);
    free(dir);
    return rc;
}

/* Runs and leaves a result; -1 and err where it did not come to its end. */
static int run(struct sweep_job *job, struct err *err)
{
    struct err late = {0};
    int rc = -1;

    record(job);
    job->dir = result_dir_create(job->config.s.output.results, job->result.label,
                                 clock_real_us(clock_system()), err);
    if (!job->dir)
        return -1;
    log_set_file(console_log(job->console), result_dir_log(job->dir));
    if (write_plan(job, err) < 0 || result_dir_write_early(job->dir, &job->result, err) < 0)
        goto out;
    rc = sweep(job, err);
    /* A failure leaves what there was; an interruption a result that says so. */
    if (rc < 0 && err->kind != ERR_INTERRUPTED) {
        (void)fprintf(stderr, "drive-sweep: what there was is in %s\n", result_dir_path(job->dir));
        goto out;
    }
    if (finish(job, &late) < 0) {
        *err = late;
        rc = -1;
        goto out;
    }
    print_result(job);
out:
    log_set_file(console_log(job->console), NULL);
    return rc;
}

static int work(struct sweep_job *job, struct err *err)
{
    char *fio = NULL;
    int rc = -1;

    if (read_sets(job, err) < 0)
        return -1;
    make_schedule(job);
    if (open_target(job, err) < 0)
        return -1;
    fio = fio_find(job->config.s.sweep.fio, err);
    if (!fio)
        return -1;
    show_plan(job, fio);
    free(fio);
    if (job->config.s.output.dry_run)
        return 0;
    rc = run(job, err);
    if (rc == 0 && job->config.s.output.strict &&
        job->result.verdict.status == VERDICT_QUESTIONABLE)
        return 1;
    return rc;
}

static void release(struct sweep_job *job)
{
    /* The thread of signals may still speak: the console stays until the process ends. */
    for (size_t i = 0; i < job->sets.n; i++)
        profile_set_release(&job->sets.at[i]);
    VEC_RELEASE(&job->sets);
    VEC_RELEASE(&job->names);
    schedule_release(&job->schedule);
    block_target_release(&job->target);
    result_dir_free(job->dir);
    result_release(&job->result);
    fsroot_release(&job->root);
    config_release(&job->config);
}

int main(int argc, char **argv)
{
    struct sweep_job job = {.target = {.fd = -1}};
    struct err err = {0};
    int rc;

    signals_block();
    result_init(&job.result);
    fsroot_init(&job.root, "");
    rc = options_parse(PROGRAM_SWEEP, argc, argv, &job.config, &err);
    if (rc == 0) {
        job.console =
            console_new(clock_system(), job.config.s.output.plain, job.config.s.output.quiet);
        signal_log = console_log(job.console);
        rc = signals_watch(&job.stop, say_stopping, &err);
    }
    if (rc == 0)
        rc = work(&job, &err);
    else if (rc == OPTIONS_DONE)
        rc = 0;
    if (rc < 0) {
        (void)fprintf(stderr, "drive-sweep: %s\n", err.text);
        rc = err_exit_code(&err);
    }
    release(&job);
    return rc;
}
