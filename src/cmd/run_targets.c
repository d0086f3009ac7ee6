/*
 * The callbacks for several targets. Intervals come from their threads, one at a time.
 */
#include "cmd/run_targets.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "cmd/watch_run.h"
#include "job/targets.h"
#include "report/live_steps.h"
#include "report/live_targets.h"
#include "report/targets.h"

static void show_target(const struct job_env *env, void *ctx)
{
    struct program *p = ctx;

    p->of_target = env->config;
}

static void show_interval(size_t number, const struct run_interval *iv, void *ctx)
{
    struct program *p = ctx;
    const struct live_moment moment = run_moment(iv);
    struct strbuf block;
    struct strbuf line;

    if (!live_targets_interval(p->targets, number, &moment, iv->result, iv->row))
        return;
    strbuf_init(&block);
    strbuf_init(&line);
    live_targets_block(p->targets, &block);
    live_targets_row(p->targets, &line);
    console_show(p->console, block.buf, line.buf);
    strbuf_release(&block);
    strbuf_release(&line);
}

static void show_steps(const struct program *p)
{
    struct strbuf block;
    struct strbuf rows;

    strbuf_init(&block);
    strbuf_init(&rows);
    live_steps_block(p->steps, &block);
    live_steps_rows(p->steps, clock_now_ns(p->env.clock), &rows);
    console_show(p->console, block.buf, rows.buf);
    strbuf_release(&block);
    strbuf_release(&rows);
}

static void show_progress(size_t number, const char *name, const struct progress *of, void *ctx)
{
    const struct program *p = ctx;

    if (live_steps_progress(p->steps, number, name, of, clock_now_ns(p->env.clock)))
        show_steps(p);
}

static void show_ready(size_t number, const char *name, void *ctx)
{
    const struct program *p = ctx;

    live_steps_ready(p->steps, number, name);
    show_steps(p);
}

static char *make_page(const struct targets *t, void *ctx)
{
    struct strbuf page;

    (void)ctx;
    strbuf_init(&page);
    targets_html(t, &page);
    return strbuf_detach(&page);
}

static void print_targets(const struct program *p, const struct targets *t,
                          const struct job_outcome *out)
{
    struct strbuf text;

    strbuf_init(&text);
    if (p->config.s.output.json) {
        char *json = targets_json_write(t);

        strbuf_adds(&text, json);
        free(json);
        fprintf(stderr, "%s\n", out->result_path);
    } else {
        targets_text(t, out->result_path, &text);
    }
    fwrite(text.buf, 1, text.len, stdout);
    fflush(stdout);
    strbuf_release(&text);
}

int run_targets(struct program *p)
{
    struct job_outcome out = {0};
    struct targets t;
    struct err err = {0};
    int rc;

    targets_init(&t);
    p->ui.target = show_target;
    p->ui.target_progress = show_progress;
    p->ui.target_ready = show_ready;
    p->ui.target_interval = show_interval;
    p->ui.targets_page = make_page;
    p->targets = live_targets_new(p->config.targets.all.n);
    p->steps = live_steps_new(p->config.targets.all.n);
    rc = job_targets(&p->env, &t, &out, &err);
    console_flush(p->console);
    if (out.finished)
        print_targets(p, &t, &out);
    if (rc < 0) {
        rc = program_fail(p, &err);
        if (out.result_path && !out.finished)
            fprintf(stderr, "what there was is in %s\n", out.result_path);
    } else if (!out.dry_run) {
        rc = targets_failed(&t, p->config.s.output.strict);
    }
    live_targets_free(p->targets);
    live_steps_free(p->steps);
    job_outcome_release(&out);
    targets_release(&t);
    return rc;
}
