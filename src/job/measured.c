/*
 * One measured run, step by step. What is found out goes into the result, so that a run that was
 * cut off leaves what it had.
 */
#include "job/measured.h"

#include <stdlib.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "job/afterwards.h"
#include "job/named.h"
#include "job/preflight.h"
#include "job/record.h"
#include "result/steadiness.h"
#include "result/verdict.h"

static int write_plan(struct measured *m, struct err *err)
{
    struct strbuf yaml;
    int rc;

    strbuf_init(&yaml);
    if (m->env->config)
        plan_yaml_origins(m->plan, m->env->config, &yaml);
    else
        plan_yaml(m->plan, m->env->settings, &yaml);
    rc = result_dir_write_text(m->dir, "plan.yaml", yaml.buf, err);
    strbuf_release(&yaml);
    return rc;
}

int measured_begin(struct measured *m, const char *parent, struct err *err)
{
    const struct job_env *env = m->env;

    m->dir = result_dir_create(parent, env->settings->run.label, clock_real_us(env->clock), err);
    if (!m->dir)
        return -1;
    log_set_file(env->log, result_dir_log(m->dir));
    if (write_plan(m, err) < 0)
        return -1;
    record_identity(env, m->plan, m->r);
    record_drive(&m->work->target, m->r);
    return 0;
}

static int check_before(struct measured *m, struct err *err)
{
    struct check_report report = {0};
    int rc;

    if (m->plan->check_before == CHECK_NONE)
        return 0;
    rc = afterwards_check(&m->work->target, m->plan->dataset.warehouses,
                          m->plan->check_before == CHECK_QUICK, &report, err);
    if (rc == 0) {
        afterwards_record(&report, &m->r->checks, true);
        if (!report.all_hold)
            rc =
                err_set(err, ERR_CHECK_FAILED,
                        "the dataset does not hold its conditions before the run (tpcc-check shows "
                        "which; --rebuild builds it anew)");
    }
    check_report_release(&report);
    return rc;
}

/* What the result says of dataset and server, and whether both will do. */
static int look_before(struct measured *m, struct err *err)
{
    const struct exec_opts how = {.stop = m->env->stop};
    struct work *w = m->work;
    int64_t bytes = 0;

    if (write_plan(m, err) < 0) /* again, now that the dataset's seed and time are known */
        return -1;
    if (record_database(&w->target, w->session, m->plan, m->r, err) < 0)
        return -1;
    if (dataset_bytes(w->session, w->target.dialect, &bytes, err) < 0)
        return -1;
    target_memory(&w->target, m->r);
    record_dataset(&w->held, m->plan, m->r);
    record_restore(&w->target, &w->held, m->r);
    record_used(&w->target, m->r);
    m->r->dataset.bytes_before = bytes;
    if (preflight_server(&w->target, m->plan, w->session, err) < 0)
        return -1;
    if (check_before(m, err) < 0)
        return -1;
    return check_totals_read(w->session, w->target.dialect, &how, &m->before, err);
}

static void on_interval(const struct run_interval *iv, void *ctx)
{
    struct measured *m = ctx;
    struct err err = {0};

    if (!m->append_failed && result_dir_append(m->dir, m->r, iv->row, &err) < 0) {
        m->append_failed = true;
        log_line(m->env->log, LOG_ERROR, "%s: tried again at the end of the run", err.text);
    }
    if (m->env->ui && m->env->ui->interval)
        m->env->ui->interval(iv, m->env->ui->ctx);
}

static void on_connecting(uint32_t done, uint32_t total, void *ctx)
{
    const struct measured *m = ctx;

    if (m->env->ui && m->env->ui->connecting)
        m->env->ui->connecting(done, total, m->env->ui->ctx);
}

static void on_go(uint64_t go_ns, void *ctx)
{
    const struct measured *m = ctx;

    checkpointer_go(m->checkpointer, go_ns);
    health_watch_go(m->health, go_ns);
}

static double temperature_c(void *ctx)
{
    const struct measured *m = ctx;

    return health_watch_temperature_c(m->health);
}

/* What the process cost is of all together, and the looks at what the database holds now are not to
 * disturb a sample that goes on elsewhere. */
static void wait_for_others(struct measured *m)
{
    struct result_driver *d = &m->r->sample.driver;

    if (!m->together)
        return;
    m->driver = *d;
    d->cpu_percent = d->cpu_us_per_transaction = d->rss_mib = RESULT_NONE;
    neighbours_tell(m->neighbours, m->number, m->r);
    together_leave(m->together, m->number);
    together_wait(m->together);
    neighbours_ask(m->neighbours, m->number, m->r);
}

static int measure(struct measured *m, struct err *err)
{
    const char *names[RESULT_DEVICES_MAX];
    struct txn_statements statements;
    struct work *w = m->work;
    const struct run_watch watch = {.dialect = w->target.dialect, .local = w->target.local};
    struct run_env env = {
        .plan = m->plan,
        .clock = m->env->clock,
        .log = m->env->log,
        .stop = m->env->stop,
        .ops = w->target.ops,
        .db = target_db(&w->target),
        .statements = &statements,
        .devices = names,
        .n_devices = record_device_names(m->r, names),
        .remotes = w->target.remotes.at,
        .n_remotes = w->target.remotes.n,
        .watch = &watch,
        .together = m->together,
        .on_interval = on_interval,
        .on_connecting = on_connecting,
        .on_go = on_go,
        .temperature_c = temperature_c,
        .ctx = m,
    };

    if (txn_statements_find(&statements, w->target.dialect,
                            (enum txn_way)m->env->settings->run.transport, err) < 0)
        return -1;
    if (manifest_count_run(w->session, w->target.dialect, err) < 0)
        return -1;
    w->held.manifest.runs_since_load++;
    series_release(&m->r->series);
    series_init(&m->r->series, env.n_devices);
    if (result_dir_begin_series(m->dir, m->r, err) < 0)
        return -1;
    if (w->target.is_private) {
        m->checkpointer = checkpointer_new(&w->target, m->plan, err);
        if (!m->checkpointer)
            return -1;
    }
    named_ready(&w->target);
    m->health = health_watch_new(m->env->clock, m->env->log, m->r);
    if (run_execute(&env, m->r, &m->counts, err) < 0)
        return -1;
    health_watch_end(m->health, m->r);
    m->health = NULL;
    checkpointer_free(m->checkpointer);
    m->checkpointer = NULL;
    wait_for_others(m);
    return 0;
}

/* A page that can't be written does not cost the result. */
static void write_page(struct measured *m)
{
    const struct job_ui *ui = m->env->ui;
    struct err err = {0};
    char *page = NULL;

    if (!ui || !ui->page)
        return;
    page = ui->page(m->r, result_dir_path(m->dir), ui->ctx);
    if (result_dir_write_text(m->dir, "report.html", page, &err) < 0)
        log_line(m->env->log, LOG_ERROR, "%s", err.text);
    free(page);
}

/* Judges, writes, renames. */
static int end_result(struct measured *m, struct job_outcome *out, struct err *err)
{
    char now[32];

    clock_format_utc(clock_real_us(m->env->clock), now, sizeof(now));
    free(m->r->ended);
    m->r->ended = xstrdup(now);
    steadiness_judge(m->r);
    target_memory(&m->work->target, m->r);
    verdict_judge(m->r);
    out->judged = true;
    write_page(m);
    if (result_dir_finish(m->dir, m->r, err) < 0)
        return -1;
    out->finished = true;
    free(out->result_path);
    out->result_path = xstrdup(result_dir_path(m->dir));
    return 0;
}

/* A stop before or in the run still leaves a result that says so. */
static int end_interrupted(struct measured *m, struct job_outcome *out, const char *where,
                           struct err *err)
{
    struct err write_err = {0};

    m->r->run.interrupted = true;
    out->interrupted = true;
    if (!m->r->run.ended_by)
        m->r->run.ended_by = xasprintf("interrupt %s", where);
    if (end_result(m, out, &write_err) < 0)
        log_line(m->env->log, LOG_ERROR, "%s", write_err.text);
    return err_set(err, ERR_INTERRUPTED, "interrupted %s", where);
}

/* On a drive an error may have its cause in the server's end or in a full drive. */
static int explained(const struct measured *m, struct err *err)
{
    struct cluster *cluster = m->work->target.cluster;

    return cluster ? cluster_explain(cluster, err) : -1;
}

int measured_failed(struct measured *m, const char *where, struct job_outcome *out, struct err *err)
{
    return stop_level(m->env->stop) ? end_interrupted(m, out, where, err) : explained(m, err);
}

int measured_run(struct measured *m, struct job_outcome *out, struct err *err)
{
    const struct afterwards_run done = {.before = &m->before, .counts = &m->counts};
    struct err after_err = {0};
    bool stopped = false;

    if (look_before(m, err) < 0)
        return measured_failed(m, "before the run", out, err);
    if (stop_level(m->env->stop))
        return end_interrupted(m, out, "before the run", err);
    if (measure(m, err) < 0)
        return measured_failed(m, "before the first user", out, err);
    log_line(m->env->log, LOG_INFO, "the run has ended; looking at what the database holds");
    if (afterwards_all(&m->work->target, m->plan, &done, m->r, &after_err) < 0) {
        stopped = after_err.kind == ERR_INTERRUPTED;
        (void)explained(m, &after_err);
        log_line(m->env->log, LOG_ERROR, "after the run: %s", after_err.text);
        afterwards_failed(&after_err, &m->r->checks);
    }
    if (m->r->run.interrupted)
        return end_interrupted(m, out, "during the run", err);
    if (stopped)
        return end_interrupted(m, out, "in the check after the run", err);
    return end_result(m, out, err);
}

void measured_release(struct measured *m)
{
    if (m->health)
        health_watch_end(m->health, m->r);
    m->health = NULL;
    checkpointer_free(m->checkpointer);
    m->checkpointer = NULL;
    if (m->dir)
        log_set_file(m->env->log, m->log_after);
    result_dir_free(m->dir);
    m->dir = NULL;
    free(m->counts.doubts);
    m->counts = (struct run_counts){0};
}
