/*
 * tpcc-run: the main job. Standard output gets the report, whose last line names the result's
 * directory, or result.json with --json; everything else goes to standard error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "cmd/program.h"
#include "cmd/watch_run.h"
#include "job/ladder.h"
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
    if (out.finished)
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

int main(int argc, char **argv)
{
    struct program p;
    struct err err = {0};
    int rc = program_begin(&p, PROGRAM_RUN, argc, argv);

    if (rc == PROGRAM_GO) {
        watch_run(&p);
        p.ui.ladder_page = make_ladder_page;
        if (p.config.s.load.remove)
            rc = job_remove(&p.env, &err) < 0 ? program_fail(&p, &err) : 0;
        else
            rc = ladder_is_asked(&p.config.s) ? climb(&p) : run(&p);
    }
    return program_end(&p, rc);
}
