/*
 * drive-sweep: curves of latency over IOPS of a drive. Standard output gets the report, whose last
 * line names the result's directory, or result.json with --json; everything else goes to standard
 * error.
 */
#include <stdio.h>

#include "base/strbuf.h"
#include "cmd/program.h"
#include "config/cmdline.h"
#include "job/sweep.h"
#include "result/verdict.h"

/* How what is not measured yet is: the settings are in the directory. */
static void say_how_to_go_on(const struct program *p, const char *path)
{
    const struct settings *s = &p->config.s;
    struct strbuf line;

    strbuf_init(&line);
    strbuf_adds(&line, "the rest of it:\n  drive-sweep --resume ");
    cmdline_quote(path, &line);
    if (s->drive.i_will_lose) {
        strbuf_adds(&line, " --i-will-lose ");
        cmdline_quote(s->drive.i_will_lose, &line);
    }
    strbuf_addc(&line, ' ');
    cmdline_quote(p->config.args.at[0], &line);
    (void)fprintf(stderr, "%s\n", line.buf);
    strbuf_release(&line);
}

static int sweep(struct program *p)
{
    struct job_outcome out = {0};
    struct result r;
    struct err err = {0};
    int rc;

    result_init(&r);
    rc = job_sweep(&p->env, p->config.args.at[0], &r, &out, &err);
    console_flush(p->console);
    if (out.finished)
        program_print(p, &r, out.result_path);
    else if (out.result_path)
        (void)fprintf(stderr, "drive-sweep: what there was is in %s\n", out.result_path);
    if (rc < 0) {
        rc = program_fail(p, &err);
        if (out.result_path && r.sweep.points_done > 0)
            say_how_to_go_on(p, out.result_path);
    } else {
        rc = p->config.s.output.strict && r.verdict.status == VERDICT_QUESTIONABLE;
    }
    job_outcome_release(&out);
    result_release(&r);
    return rc;
}

int main(int argc, char **argv)
{
    struct program p;
    int rc = program_begin(&p, PROGRAM_SWEEP, argc, argv);

    if (rc == PROGRAM_GO)
        rc = sweep(&p);
    return program_end(&p, rc);
}
