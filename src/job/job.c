/*
 * The main job, step by step. Everything that a step opens is owned by struct work and released in
 * reverse in work_release(), on every path. What is found out goes into the result, so that a run
 * that was cut off leaves what it had.
 */
#include "job/job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "job/afterwards.h"
#include "drive/blockdev_shared.h"
#include "job/ask.h"
#include "job/checkpoint.h"
#include "job/dataset.h"
#include "job/health_watch.h"
#include "job/preflight.h"
#include "job/record.h"
#include "job/target.h"
#include "result/result_dir.h"
#include "result/steadiness.h"
#include "result/verdict.h"

struct work {
    const struct job_env *env;
    struct result *r;
    struct target target;
    struct plan plan;
    struct dataset_held held;
    struct session *session; /* for questions before and after the run */
    struct checkpointer *checkpointer;
    struct health_watch *health;
    struct result_dir *dir;
    struct check_totals before;
    struct run_counts counts;
    struct err append_err; /* the first row that could not be written */
};

static void work_release(struct work *w)
{
    if (w->health)
        health_watch_end(w->health, w->r);
    checkpointer_free(w->checkpointer);
    session_free(w->session);
    dataset_let_go(&w->held);
    if (w->dir)
        log_set_file(w->env->log, NULL);
    result_dir_free(w->dir);
    free(w->counts.doubts);
    target_release(&w->target);
}

/* The current directory was meant, and it lies with the system: the user shall see and agree. */
static int confirm_place(const struct target *t, struct err *err)
{
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

static int make_plan(struct work *w, bool load_only, struct err *err)
{
    const struct job_env *env = w->env;
    struct target *t = &w->target;
    char *device = NULL;
    int rc;

    if (target_open(t, env, err) < 0)
        return -1;
    t->facts.command = env->command_base;
    t->facts.load_only = load_only;
    rc = plan_build(&w->plan, env->settings, &t->facts, err);
    if (rc < 0 && !w->plan.printable)
        return -1;
    device = target_device_line(t);
    if (env->ui && env->ui->plan)
        env->ui->plan(&w->plan, &t->facts, device, env->ui->ctx);
    free(device);
    return rc;
}

static int write_plan(struct work *w, struct err *err)
{
    struct strbuf yaml;
    int rc;

    strbuf_init(&yaml);
    if (w->env->config)
        plan_yaml_origins(&w->plan, w->env->config, &yaml);
    else
        plan_yaml(&w->plan, w->env->settings, &yaml);
    rc = result_dir_write_text(w->dir, "plan.yaml", yaml.buf, err);
    strbuf_release(&yaml);
    return rc;
}

static int begin_result(struct work *w, struct err *err)
{
    const struct settings *s = w->env->settings;

    w->dir = result_dir_create(s->output.results, s->run.label, clock_real_us(w->env->clock), err);
    if (!w->dir)
        return -1;
    log_set_file(w->env->log, result_dir_log(w->dir));
    if (write_plan(w, err) < 0)
        return -1;
    record_identity(w->env, &w->plan, w->r);
    record_drive(&w->target, w->r);
    return 0;
}

static int check_before(struct work *w, struct err *err)
{
    struct check_report report = {0};
    int rc;

    if (w->plan.check_before == CHECK_NONE)
        return 0;
    rc = afterwards_check(&w->target, w->plan.dataset.warehouses,
                          w->plan.check_before == CHECK_QUICK, &report, err);
    if (rc == 0) {
        afterwards_record(&report, &w->r->checks, true);
        if (!report.all_hold)
            rc =
                err_set(err, ERR_CHECK_FAILED,
                        "the dataset does not hold its conditions before the run (tpcc-check shows "
                        "which; --rebuild builds it anew)");
    }
    check_report_release(&report);
    return rc;
}

/* Server up, dataset there, checked, locked; what the result says of them. */
static int prepare(struct work *w, struct err *err)
{
    const struct exec_opts how = {.stop = w->env->stop};
    int64_t bytes = 0;

    if (dataset_ensure(&w->target, &w->plan, &w->held, err) < 0)
        return -1;
    if (write_plan(w, err) < 0) /* again, now that the dataset's seed and time are known */
        return -1;
    w->session = target_connect(&w->target, err);
    if (!w->session)
        return -1;
    if (ask_all(w->session, w->target.dialect, "procedure_", err) < 0)
        return err_wrap(err, "making the procedures");
    if (record_database(&w->target, w->session, &w->plan, w->r, err) < 0)
        return -1;
    if (dataset_bytes(w->session, w->target.dialect, &bytes, err) < 0)
        return -1;
    target_memory(&w->target, w->r);
    record_dataset(&w->held, &w->plan, w->r);
    record_used(&w->target, w->r);
    w->r->dataset.bytes_before = bytes;
    if (preflight_server(&w->target, &w->plan, w->session, err) < 0)
        return -1;
    if (check_before(w, err) < 0)
        return -1;
    return check_totals_read(w->session, w->target.dialect, &how, &w->before, err);
}

static void on_interval(const struct run_interval *iv, void *ctx)
{
    struct work *w = ctx;
    struct err err = {0};

    if (w->append_err.kind == ERR_NONE && result_dir_append(w->dir, w->r, iv->row, &err) < 0) {
        w->append_err = err;
        log_line(w->env->log, LOG_ERROR, "%s", err.text);
    }
    if (w->env->ui && w->env->ui->interval)
        w->env->ui->interval(iv, w->env->ui->ctx);
}

static void on_connecting(uint32_t done, uint32_t total, void *ctx)
{
    const struct work *w = ctx;

    if (w->env->ui && w->env->ui->connecting)
        w->env->ui->connecting(done, total, w->env->ui->ctx);
}

static void on_go(uint64_t go_ns, void *ctx)
{
    const struct work *w = ctx;

    checkpointer_go(w->checkpointer, go_ns);
    health_watch_go(w->health, go_ns);
}

static int measure(struct work *w, struct err *err)
{
    const char *names[RESULT_DEVICES_MAX];
    struct txn_statements statements;
    const struct run_watch watch = {.dialect = w->target.dialect, .local = w->target.local};
    struct run_env env = {
        .plan = &w->plan,
        .clock = w->env->clock,
        .log = w->env->log,
        .stop = w->env->stop,
        .ops = w->target.ops,
        .db = target_db(&w->target),
        .statements = &statements,
        .devices = names,
        .n_devices = record_device_names(w->r, names),
        .watch = &watch,
        .on_interval = on_interval,
        .on_connecting = on_connecting,
        .on_go = on_go,
        .ctx = w,
    };

    if (txn_statements_find(&statements, w->target.dialect,
                            (enum txn_way)w->env->settings->run.transport, err) < 0)
        return -1;
    if (manifest_count_run(w->session, w->target.dialect, err) < 0)
        return -1;
    series_release(&w->r->series);
    series_init(&w->r->series, env.n_devices);
    if (result_dir_begin_series(w->dir, w->r, err) < 0)
        return -1;
    if (w->target.is_private) {
        w->checkpointer = checkpointer_new(&w->target, &w->plan, err);
        if (!w->checkpointer)
            return -1;
    }
    w->health = health_watch_new(w->env->clock, w->env->log, w->r);
    if (run_execute(&env, w->r, &w->counts, err) < 0)
        return -1;
    health_watch_end(w->health, w->r);
    w->health = NULL;
    checkpointer_free(w->checkpointer);
    w->checkpointer = NULL;
    return 0;
}

/* A page that can't be written does not cost the result. */
static void write_page(struct work *w)
{
    const struct job_ui *ui = w->env->ui;
    struct err err = {0};
    char *page = NULL;

    if (!ui || !ui->page)
        return;
    page = ui->page(w->r, result_dir_path(w->dir), ui->ctx);
    if (result_dir_write_text(w->dir, "report.html", page, &err) < 0)
        log_line(w->env->log, LOG_ERROR, "%s", err.text);
    free(page);
}

/* Judges, writes, renames. */
static int end_result(struct work *w, struct job_outcome *out, struct err *err)
{
    char now[32];

    clock_format_utc(clock_real_us(w->env->clock), now, sizeof(now));
    free(w->r->ended);
    w->r->ended = xstrdup(now);
    steadiness_judge(w->r);
    target_memory(&w->target, w->r);
    verdict_judge(w->r);
    write_page(w);
    if (result_dir_finish(w->dir, w->r, err) < 0)
        return -1;
    out->finished = true;
    free(out->result_path);
    out->result_path = xstrdup(result_dir_path(w->dir));
    return 0;
}

/* A stop before or in the run still leaves a result that says so. */
static int end_interrupted(struct work *w, struct job_outcome *out, const char *where,
                           struct err *err)
{
    struct err write_err = {0};

    w->r->run.interrupted = true;
    out->interrupted = true;
    if (!w->r->run.ended_by)
        w->r->run.ended_by = xasprintf("interrupt %s", where);
    if (end_result(w, out, &write_err) < 0)
        log_line(w->env->log, LOG_ERROR, "%s", write_err.text);
    return err_set(err, ERR_INTERRUPTED, "interrupted %s", where);
}

/* On a drive an error may have its cause in the server's end or in a full drive. */
static int explained(struct work *w, struct err *err)
{
    return w->target.cluster ? cluster_explain(w->target.cluster, err) : -1;
}

static int run_and_record(struct work *w, struct job_outcome *out, struct err *err)
{
    const struct afterwards_run done = {.before = &w->before, .counts = &w->counts};
    struct err after_err = {0};
    bool stopped = false;

    if (prepare(w, err) < 0)
        return stop_level(w->env->stop) ? end_interrupted(w, out, "before the run", err)
                                        : explained(w, err);
    if (stop_level(w->env->stop))
        return end_interrupted(w, out, "before the run", err);
    if (measure(w, err) < 0)
        return stop_level(w->env->stop) ? end_interrupted(w, out, "before the first user", err)
                                        : explained(w, err);
    log_line(w->env->log, LOG_INFO, "the run has ended; looking at what the database holds");
    if (afterwards_all(&w->target, &w->plan, &done, w->r, &after_err) < 0) {
        stopped = after_err.kind == ERR_INTERRUPTED;
        (void)explained(w, &after_err);
        log_line(w->env->log, LOG_ERROR, "after the run: %s", after_err.text);
        afterwards_failed(&after_err, &w->r->checks);
    }
    if (w->r->run.interrupted)
        return end_interrupted(w, out, "during the run", err);
    if (stopped)
        return end_interrupted(w, out, "in the check after the run", err);
    if (end_result(w, out, err) < 0)
        return -1;
    if (w->append_err.kind != ERR_NONE) {
        *err = w->append_err;
        return -1;
    }
    return 0;
}

int job_run(const struct job_env *env, struct result *r, struct job_outcome *out, struct err *err)
{
    struct work w = {.env = env, .r = r};
    int rc = -1;

    *out = (struct job_outcome){0};
    if (make_plan(&w, false, err) < 0)
        goto out;
    w.target.measured = true;
    if (preflight_plan(&w.target, &w.plan, err) < 0)
        goto out;
    if (env->settings->output.dry_run) {
        out->dry_run = true;
        rc = 0;
        goto out;
    }
    if (confirm_place(&w.target, err) < 0 || target_take(&w.target, err) < 0 ||
        begin_result(&w, err) < 0)
        goto out;
    out->result_path = xstrdup(result_dir_path(w.dir));
    rc = run_and_record(&w, out, err);
out:
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
    struct work w = {.env = env};
    int rc = -1;

    if (make_plan(&w, true, err) < 0 || preflight_plan(&w.target, &w.plan, err) < 0)
        goto out;
    if (env->settings->output.dry_run) {
        rc = 0;
        goto out;
    }
    if (confirm_place(&w.target, err) < 0 || dataset_ensure(&w.target, &w.plan, &w.held, err) < 0)
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

static int remove_private(struct target *t, struct err *err)
{
    char size[32];
    char question[512];

    if (!t->look.ours)
        return err_set(err, ERR_USAGE, "nothing of ours is in %s", t->drive_dir);
    units_format_bytes(t->look.bytes, size, sizeof(size));
    snprintf(question, sizeof(question),
             "remove %s/tpcc-run with the private server and its dataset (%s)?", t->drive_dir,
             size);
    if (dataset_confirm(t->env, question, err) < 0 || target_take(t, err) < 0)
        return -1;
    if (cluster_alive(t->cluster) && cluster_stop(t->cluster, err) < 0)
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
