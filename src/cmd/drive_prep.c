/*
 * drive-prep: brings a drive into a known state. Standard output gets the report, whose last line
 * names the result's directory, or result.json with --json; everything else goes to standard error.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/program.h"
#include "prep/prep.h"

static char *ask(const char *question, void *ctx)
{
    struct program *p = ctx;

    return console_ask(p->console, question);
}

static void progress(const struct progress *step, void *ctx)
{
    struct program *p = ctx;

    console_progress(step, p->console);
}

static int prepare(struct program *p)
{
    const struct prep_env env = {
        .settings = &p->config.s,
        .device = p->config.args.at[0],
        .version = TPCC_VERSION,
        .command = p->config.command,
        .clock = clock_system(),
        .log = console_log(p->console),
        .stop = &p->stop,
        .plan = p->ui.plan_text,
        .ask = ask,
        .progress = progress,
        .page = p->ui.page,
        .ctx = p,
    };
    struct prep_outcome out = {0};
    struct err err = {0};
    struct result r;
    int rc;

    result_init(&r);
    rc = prep_run(&env, &r, &out, &err);
    console_flush(p->console);
    if (out.finished)
        program_print(p, &r, out.result_path);
    if (rc < 0) {
        rc = program_fail(p, &err);
        if (out.result_path && !out.finished)
            (void)fprintf(stderr, "what there was is in %s; started again it goes on there\n",
                          out.result_path);
    } else {
        rc = r.verdict.status == VERDICT_INVALID ? 1 : 0;
    }
    free(out.result_path);
    result_release(&r);
    return rc;
}

int main(int argc, char **argv)
{
    struct program p;
    int rc = program_begin(&p, PROGRAM_PREP, argc, argv);

    if (rc == PROGRAM_GO)
        rc = prepare(&p);
    return program_end(&p, rc);
}
