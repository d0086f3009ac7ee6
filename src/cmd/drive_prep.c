/*
 * drive-prep: brings a drive into a known state. Standard output gets the report, whose last line
 * names the result's directory, or result.json with --json; everything else goes to standard error.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "cmd/program.h"
#include "prep/prep.h"
#include "report/text.h"
#include "result/result_json.h"

/* With --dry-run the plan is what was asked for. */
static void show_plan(const char *text, void *ctx)
{
    struct program *p = ctx;
    const struct settings *s = &p->config.s;

    if (s->output.quiet && !s->output.dry_run)
        return;
    console_flush(p->console);
    (void)fputs(text, s->output.dry_run ? stdout : stderr);
    (void)fflush(s->output.dry_run ? stdout : stderr);
}

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

static void print_result(const struct program *p, const struct result *r, const char *path)
{
    if (p->config.s.output.json) {
        char *json = result_json_write(r);

        (void)fputs(json, stdout);
        free(json);
        (void)fprintf(stderr, "%s\n", path);
    } else {
        struct strbuf text;

        strbuf_init(&text);
        report_text(r, path, &text);
        (void)fwrite(text.buf, 1, text.len, stdout);
        strbuf_release(&text);
    }
    (void)fflush(stdout);
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
        .plan = show_plan,
        .ask = ask,
        .progress = progress,
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
        print_result(p, &r, out.result_path);
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
    program_end(&p);
    return rc;
}
