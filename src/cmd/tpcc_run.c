/*
 * tpcc-run: the main job. Standard output gets the report, whose last line names the result's
 * directory, or result.json with --json; everything else goes to standard error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "cmd/program.h"
#include "cmd/run_targets.h"
#include "cmd/side_by_side.h"
#include "cmd/watch_run.h"
#include "job/ladder.h"
#include "job/repeat.h"
#include "plan/ladder.h"
#include "report/ladder.h"
#include "result/verdict.h"

static int exit_code(const struct program *p, const struct result *r)
{
    if (r->verdict.status == VERDICT_INVALID)
        return 1;
    if (p->config.s.output.strict && r->verdict.status == VERDICT_QUESTIONABLE)
        return 1;
    return 0;
}

static int run(struct program *p)
{
    struct job_outcome out = {0};
    struct result r;
    struct err err = {0};
    int rc;

    result_init(&r);
    rc = job_run(&p->env, &r, &out, &err);
    console_flush(p->console);
    if (out.judged) /* hours of figures are told, also where no disk took them */
        program_print(p, &r, out.result_path);
    if (rc < 0) {
        rc = program_fail(p, &err);
        if (out.result_path && !out.finished)
            fprintf(stderr, "what there was is in %s\n", out.result_path);
    } else if (!out.dry_run) {
        rc = exit_code(p, &r);
    }
    job_outcome_release(&out);
    result_release(&r);
    return rc;
}

static char *make_ladder_page(const struct ladder *l, void *ctx)
{
    struct strbuf page;

    (void)ctx;
    strbuf_init(&page);
    ladder_html(l, &page);
    return strbuf_detach(&page);
}

static void print_ladder(const struct program *p, const struct ladder *l,
                         const struct job_outcome *out)
{
    struct strbuf text;

    strbuf_init(&text);
    if (p->config.s.output.json) {
        char *json = ladder_json_write(l);

        strbuf_adds(&text, json);
        free(json);
        fprintf(stderr, "%s\n", out->result_path);
    } else {
        ladder_text(l, out->result_path, &text);
    }
    fwrite(text.buf, 1, text.len, stdout);
    fflush(stdout);
    strbuf_release(&text);
}

static int climb(struct program *p)
{
    struct job_outcome out = {0};
    struct ladder l;
    struct err err = {0};
    int rc;

    ladder_init(&l);
    rc = job_ladder(&p->env, &l, &out, &err);
    console_flush(p->console);
    if (out.finished)
        print_ladder(p, &l, &out);
    if (rc < 0) {
        rc = program_fail(p, &err);
        if (out.result_path && !out.finished)
            fprintf(stderr, "what there was is in %s\n", out.result_path);
    } else if (!out.dry_run) {
        rc = ladder_failed(&l, p->config.s.output.strict);
    }
    job_outcome_release(&out);
    ladder_release(&l);
    return rc;
}

static char *make_repeats_page(const struct repeats *all, const char *dir, void *ctx)
{
    struct side_paths paths = {0};
    struct program *p = ctx;
    struct err err = {0};
    char *page = NULL;

    side_by_side_paths(all, dir, &paths);
    page = side_by_side_page((const char *const *)paths.at, paths.n, &err);
    if (!page)
        log_line(p->env.log, LOG_ERROR, "%s", err.text);
    side_paths_release(&paths);
    return page;
}

/* The comparison of the runs, then what set they are of. The exit code, or -1 and err. */
static int print_repeats(const struct program *p, const struct repeats *all,
                         const struct job_outcome *out, struct err *err)
{
    struct side_paths paths = {0};
    char *also = xasprintf("\n%zu of %lld repeats, %s; ended by %s\nresult: %s\n", all->runs.n,
                           (long long)all->planned,
                           all->restored ? "the dataset put back before each" : "in a row",
                           all->ended_by ? all->ended_by : "?", out->result_path);
    int rc = 0;

    if (p->config.s.output.json || all->runs.n == 0)
        fputs(also, stderr);
    side_by_side_paths(all, out->result_path, &paths);
    if (paths.n > 0)
        rc = side_by_side_of(&p->config, (const char *const *)paths.at, paths.n,
                             p->config.s.output.json ? NULL : also, err);
    side_paths_release(&paths);
    free(also);
    return rc;
}

static int repeat(struct program *p)
{
    struct job_outcome out = {0};
    struct repeats all;
    struct err err = {0};
    struct err print_err = {0};
    int code = 0;
    int rc;

    repeats_init(&all);
    rc = job_repeat(&p->env, &all, &out, &err);
    console_flush(p->console);
    if (out.finished)
        code = print_repeats(p, &all, &out, &print_err);
    if (rc < 0 || code < 0) {
        rc = program_fail(p, rc < 0 ? &err : &print_err);
        if (out.result_path && !out.finished)
            fprintf(stderr, "what there was is in %s\n", out.result_path);
    } else {
        rc = code;
    }
    job_outcome_release(&out);
    repeats_release(&all);
    return rc;
}

static int work(struct program *p)
{
    if (ladder_is_asked(&p->config.s))
        return climb(p);
    return p->config.s.run.repeat > 1 ? repeat(p) : run(p);
}

int main(int argc, char **argv)
{
    struct program p;
    struct err err = {0};
    int rc = program_begin(&p, PROGRAM_RUN, argc, argv);

    if (rc == PROGRAM_GO) {
        watch_run(&p);
        p.ui.ladder_page = make_ladder_page;
        p.ui.repeats_page = make_repeats_page;
        if (p.config.s.load.remove)
            rc = job_remove(&p.env, &err) < 0 ? program_fail(&p, &err) : 0;
        else if (p.config.targets.all.n > 0)
            rc = run_targets(&p);
        else
            rc = work(&p);
    }
    return program_end(&p, rc);
}
