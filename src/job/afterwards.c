/*
 * The after-check. The run's sessions are closed by then; a server that went away is started again
 * where it is ours, so that what it kept can be counted. Nothing here changes a figure of the
 * sample.
 */
#include "job/afterwards.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "job/ask.h"
#include "run/doubt.h"

#define QUIET_WAIT_NS (30 * NS_PER_S)
#define QUIET_LOOK_NS (100 * NS_PER_MS)

static uint32_t check_sessions(const struct target *t)
{
    const uint32_t cpus = t->facts.cpus > 0 ? (uint32_t)t->facts.cpus : 1;

    return cpus < 2 ? 2 : cpus > 8 ? 8 : cpus;
}

int afterwards_check(const struct target *t, int32_t warehouses, bool quick,
                     struct check_report *report, struct err *err)
{
    const struct job_env *env = t->env;
    const struct check_env check = {
        .ops = t->ops,
        .db = target_db(t),
        .dialect = t->dialect,
        .clock = env->clock,
        .log = env->log,
        .stop = env->stop,
        .on_progress = env->ui ? env->ui->progress : NULL,
        .ctx = env->ui ? env->ui->ctx : NULL,
        .sessions = check_sessions(t),
        .warehouses = warehouses,
        .quick = quick,
    };

    return check_run(&check, report, err);
}

void afterwards_record(const struct check_report *report, struct result_checks *checks, bool before)
{
    for (int i = 0; i < CONDITIONS; i++) {
        const struct check_finding *f = &report->finding[i];
        struct result_check out = {.number = conditions()[i].number};

        out.name = xasprintf("condition_%d", out.number);
        if (f->run && f->holds)
            out.outcome = xstrdup("ok");
        else if (f->run)
            out.outcome = xasprintf("%llu offending rows%s%s", (unsigned long long)f->offending,
                                    f->rows[0] ? ", first: " : "", f->rows[0] ? f->rows[0] : "");
        if (before)
            VEC_PUSH(&checks->before, out);
        else
            VEC_PUSH(&checks->after, out);
    }
    if (before)
        checks->before_seconds = report->seconds;
    else
        checks->after_seconds = report->seconds;
}

void afterwards_failed(const struct err *err, struct result_checks *checks)
{
    const struct result_check out = {
        .number = 0,
        .name = xstrdup("after_check"),
        .outcome = xasprintf("could not be made: %s", err->text),
    };

    VEC_PUSH(&checks->after, out);
}

/* Waits until no session of ours works any more, at most QUIET_WAIT_NS. */
static void wait_quiet(const struct target *t, struct session *s)
{
    const struct clock *clk = t->env->clock;
    const uint64_t end_ns = clock_now_ns(clk) + QUIET_WAIT_NS;
    int64_t busy = 1;

    while (busy > 0 && clock_now_ns(clk) < end_ns && stop_level(t->env->stop) < 2) {
        struct err err = {0};

        if (ask_i64(s, t->dialect, "server_busy_sessions", &busy, &err) < 0)
            return;
        if (busy > 0)
            clock_sleep_until_ns(clk, clock_now_ns(clk) + QUIET_LOOK_NS);
    }
    if (busy > 0)
        log_line(t->env->log, LOG_WARN, "%lld sessions of the run still work on the server",
                 (long long)busy);
}

static int count_orders(const struct target *t, struct session *s, const struct afterwards_run *run,
                        struct result *r, struct err *err)
{
    /* Also after a polite stop: it is what tells whether commits were lost. */
    const struct exec_opts how = {.stop = t->env->stop, .stop_at = 2};
    struct check_totals after;
    struct doubt_found found = {0};

    if (doubt_resolve(s, t->dialect, run->counts, &found, err) < 0)
        return err_wrap(err, "in-doubt transactions");
    if (check_totals_read(s, t->dialect, &how, &after, err) < 0)
        return -1;
    const struct doubt_growth growth = {
        .next_o_id_sum = after.next_o_id_sum - run->before->next_o_id_sum,
        .history_rows = after.history_rows - run->before->history_rows,
    };
    doubt_judge(run->counts, &found, &growth, r);
    return 0;
}

static int check_conditions(const struct target *t, const struct plan *plan, struct result *r,
                            struct err *err)
{
    struct check_report report = {0};
    int rc;

    if (plan->check_after == CHECK_NONE)
        return 0;
    rc = afterwards_check(t, plan->dataset.warehouses, plan->check_after == CHECK_QUICK, &report,
                          err);
    if (rc == 0)
        afterwards_record(&report, &r->checks, false);
    check_report_release(&report);
    return rc;
}

static void keep_first(struct err *first, const struct err *next, int rc)
{
    if (rc < 0 && first->kind == ERR_NONE)
        *first = *next;
}

int afterwards_all(struct target *t, const struct plan *plan, const struct afterwards_run *run,
                   struct result *r, struct err *err)
{
    struct session *s = NULL;
    struct err first = {0};
    struct err next = {0};
    int64_t bytes = 0;
    int rc;

    if (t->is_private && !cluster_alive(t->cluster))
        log_line(t->env->log, LOG_WARN, "the private server is gone: it is started again");
    rc = t->is_private && !cluster_alive(t->cluster) ? target_up(t, plan, false, &next) : 0;
    keep_first(&first, &next, rc);
    if (rc == 0)
        s = target_connect(t, &next);
    if (!s) {
        keep_first(&first, &next, -1);
        goto out;
    }
    wait_quiet(t, s);
    rc = count_orders(t, s, run, r, &next);
    keep_first(&first, &next, rc);
    rc = dataset_bytes(s, t->dialect, &bytes, &next);
    keep_first(&first, &next, rc);
    if (rc == 0)
        r->dataset.bytes_after = bytes;
    rc = check_conditions(t, plan, r, &next);
    keep_first(&first, &next, rc);
out:
    session_free(s);
    if (first.kind == ERR_NONE)
        return 0;
    *err = first;
    return -1;
}
