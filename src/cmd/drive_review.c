/*
 * drive-review: all steps of a drive's review, one after the other. Standard output gets the report
 * of each step and at last the summary, whose last line names the review's directory; or with
 * --json one document at the end; everything else goes to standard error.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "cmd/both_kinds.h"
#include "cmd/program.h"
#include "cmd/watch_run.h"
#include "report/text.h"
#include "result/result_dir.h"
#include "review/review.h"

struct reviewing {
    struct program p; /* first: the callbacks' ctx is both */
    struct review_moment now;
    uint64_t step_began_ns;
};

static char *ask(const char *question, void *ctx)
{
    struct reviewing *r = ctx;

    return console_ask(r->p.console, question);
}

static void on_step(const struct review_moment *m, void *ctx)
{
    struct reviewing *r = ctx;

    r->now = *m;
    r->step_began_ns = clock_now_ns(clock_system());
}

/* What is left of the whole review: of this step by its own estimate, while that lasts. */
static uint64_t left_ns(const struct reviewing *r)
{
    const double in_step_s =
        (double)(clock_now_ns(clock_system()) - r->step_began_ns) / (double)NS_PER_S;
    const double of_step_s = r->now.step_seconds > in_step_s ? r->now.step_seconds - in_step_s : 0;

    return (uint64_t)((of_step_s + r->now.later_seconds) * (double)NS_PER_S);
}

static void progress(const struct progress *step, void *ctx)
{
    struct reviewing *r = ctx;
    struct progress with_all = *step;

    with_all.all_left_ns = left_ns(r);
    console_progress(&with_all, r->p.console);
}

static void report(const struct result *result, const char *path, void *ctx)
{
    struct reviewing *r = ctx;
    FILE *to = r->p.config.s.output.json ? stderr : stdout;
    struct strbuf text;

    console_flush(r->p.console);
    strbuf_init(&text);
    report_text(result, path, &text);
    (void)fwrite(text.buf, 1, text.len, to);
    (void)fputc('\n', to);
    (void)fflush(to);
    strbuf_release(&text);
}

/* The results of both kinds, the last of them on the sweep's curves. */
static char *make_page(char *const *results, size_t n, void *ctx)
{
    struct result *r = xcalloc(n, sizeof(*r));
    struct compare_input *in = xcalloc(n, sizeof(*in));
    struct strbuf page;
    struct err err = {0};
    size_t read = 0;

    (void)ctx;
    strbuf_init(&page);
    for (; read < n && err.kind == ERR_NONE; read++) {
        result_init(&r[read]);
        in[read] = (struct compare_input){.r = &r[read], .path = results[read]};
        if (result_dir_read(results[read], &r[read], &err) < 0)
            (void)fprintf(stderr, "drive-review: %s\n", err.text);
    }
    if (err.kind == ERR_NONE)
        both_kinds_page(in, n, &page);
    for (size_t i = 0; i < read; i++)
        result_release(&r[i]);
    free(in);
    free(r);
    return page.len ? strbuf_detach(&page) : NULL;
}

/* What is said where it did not come to its end. */
static int failed(struct reviewing *r, const struct review_outcome *out, const struct err *err)
{
    const int rc = program_fail(&r->p, err);

    if (out->path)
        (void)fprintf(stderr, "what is done is in %s; the same command goes on there:\n  %s\n",
                      out->path, r->p.config.command);
    return rc;
}

static void print(const struct review_outcome *out)
{
    (void)fputs(out->json ? out->json : out->summary, stdout);
    if (out->json)
        (void)fputs(out->summary, stderr);
    if (fflush(stdout) != 0 || ferror(stdout)) /* program_end() tells */
        (void)fprintf(stderr, "the review is in %s\n", out->path);
}

static int review(struct reviewing *r)
{
    const struct review_env env = {
        .job = &r->p.env,
        .ask = ask,
        .step = on_step,
        .report = report,
        .page = make_page,
        .ctx = r,
    };
    struct review_outcome out;
    struct err err = {0};
    int rc;

    r->p.ui.progress = progress;
    watch_run(&r->p);
    rc = review_run(&env, &out, &err);
    console_flush(r->p.console);
    if (rc < 0) {
        rc = failed(r, &out, &err);
    } else if (out.finished) {
        print(&out);
        rc = out.invalid || (r->p.config.s.output.strict && out.questionable);
    }
    review_outcome_release(&out);
    return rc;
}

int main(int argc, char **argv)
{
    struct reviewing r = {.step_began_ns = 0};
    int rc = program_begin(&r.p, PROGRAM_REVIEW, argc, argv);

    if (rc == PROGRAM_GO)
        rc = review(&r);
    return program_end(&r.p, rc);
}
