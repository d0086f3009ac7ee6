/*
 * tpcc-report: prints a saved result again, several side by side, or what results there are. Of
 * one, text and page are the same to the letter as at the end of the run; so is the exit code,
 * which tells the verdict.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "cmd/options.h"
#include "cmd/page.h"
#include "cmd/side_by_side.h"
#include "report/csv.h"
#include "report/ladder.h"
#include "report/list.h"
#include "report/markdown.h"
#include "report/targets.h"
#include "report/text.h"
#include "result/result_dir.h"
#include "result/result_json.h"
#include "review/state.h"

/* The one directory that is named, or the default, without slashes at its end; free() it. */
static char *one_directory(const struct config *c, const char *otherwise, struct err *err)
{
    char *path = NULL;
    size_t n = 0;

    CHECK(otherwise || c->args.n > 0); /* options_parse saw to it */
    if (c->args.n > 1) {
        (void)err_set(err, ERR_USAGE, "%zu directories were named: --list takes one", c->args.n);
        return NULL;
    }
    path = xstrdup(c->args.n ? c->args.at[0] : otherwise);
    n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        path[--n] = 0;
    return path;
}

static void make_report(const struct config *c, const struct result *r, const char *path,
                        struct strbuf *out)
{
    char *json = NULL;

    if (c->s.output.json) {
        json = result_json_write(r);
        strbuf_adds(out, json);
        free(json);
    } else if (c->s.output.csv) {
        report_csv(r, out);
    } else if (c->s.output.markdown) {
        report_markdown(r, path, out);
    } else if (c->s.output.html) {
        page_make(r, path, out);
    } else {
        report_text(r, path, out);
    }
}

static void make_ladder_report(const struct config *c, const struct ladder *l, const char *path,
                               struct strbuf *out)
{
    char *json = NULL;

    if (c->s.output.json) {
        json = ladder_json_write(l);
        strbuf_adds(out, json);
        free(json);
    } else if (c->s.output.csv) {
        ladder_csv(l, out);
    } else if (c->s.output.markdown) {
        ladder_markdown(l, path, out);
    } else if (c->s.output.html) {
        ladder_html(l, out);
    } else {
        ladder_text(l, path, out);
    }
}

/* The exit code, or -1 and err. */
static int report_ladder(const struct config *c, const char *path, struct err *err)
{
    struct ladder l;
    struct strbuf text;
    int rc = -1;

    ladder_init(&l);
    strbuf_init(&text);
    if (ladder_dir_read(path, &l, err) < 0)
        goto out;
    make_ladder_report(c, &l, path, &text);
    if (page_save(c->s.output.html ? c->s.output.html : "-", &text, err) == 0)
        rc = ladder_failed(&l, c->s.output.strict);
out:
    strbuf_release(&text);
    ladder_release(&l);
    return rc;
}

static void make_targets_report(const struct config *c, const struct targets *t, const char *path,
                                struct strbuf *out)
{
    char *json = NULL;

    if (c->s.output.json) {
        json = targets_json_write(t);
        strbuf_adds(out, json);
        free(json);
    } else if (c->s.output.csv) {
        targets_csv(t, out);
    } else if (c->s.output.markdown) {
        targets_markdown(t, path, out);
    } else if (c->s.output.html) {
        targets_html(t, out);
    } else {
        targets_text(t, path, out);
    }
}

/* The exit code, or -1 and err. */
static int report_targets(const struct config *c, const char *path, struct err *err)
{
    struct targets t;
    struct strbuf text;
    int rc = -1;

    targets_init(&t);
    strbuf_init(&text);
    if (targets_dir_read(path, &t, err) < 0)
        goto out;
    make_targets_report(c, &t, path, &text);
    if (page_save(c->s.output.html ? c->s.output.html : "-", &text, err) == 0)
        rc = targets_failed(&t, c->s.output.strict);
out:
    strbuf_release(&text);
    targets_release(&t);
    return rc;
}

/* The exit code, or -1 and err. */
static int report(const struct config *c, struct err *err)
{
    struct result r;
    struct strbuf text;
    char *path = NULL;
    int rc = -1;

    result_init(&r);
    strbuf_init(&text);
    path = one_directory(c, NULL, err);
    if (path && ladder_dir_is(path)) {
        rc = report_ladder(c, path, err);
        goto out;
    }
    if (path && targets_dir_is(path)) {
        rc = report_targets(c, path, err);
        goto out;
    }
    if (!path || result_dir_read(path, &r, err) < 0)
        goto out;
    make_report(c, &r, path, &text);
    if (page_save(c->s.output.html ? c->s.output.html : "-", &text, err) < 0)
        goto out;
    rc = r.verdict.status == VERDICT_INVALID ||
         (c->s.output.strict && r.verdict.status == VERDICT_QUESTIONABLE);
out:
    free(path);
    strbuf_release(&text);
    result_release(&r);
    return rc;
}

static int list(const struct config *c, struct err *err)
{
    struct strbuf text;
    char *path = one_directory(c, "results", err);
    int rc = -1;

    strbuf_init(&text);
    if (!path)
        goto out;
    if (c->s.output.csv)
        rc = list_csv(path, &text, err);
    else
        rc = list_text(path, &text, err);
    if (rc == 0)
        rc = page_save("-", &text, err);
out:
    free(path);
    strbuf_release(&text);
    return rc;
}

/* One form at a time. */
static int check_forms(const struct config *c, struct err *err)
{
    const int forms =
        c->s.output.json + c->s.output.csv + c->s.output.markdown + (c->s.output.html != NULL);

    if (forms > 1)
        return err_set(err, ERR_USAGE, "--json, --csv, --markdown and --html: choose one");
    if (c->s.output.list && forms > 0 && !c->s.output.csv)
        return err_set(err, ERR_USAGE, "--list prints text, or with --csv a table");
    return 0;
}

static int add_review(const char *path, struct config *c, struct err *err)
{
    static const int steps[] = {REVIEW_DATABASE, REVIEW_SWEEP};
    char *text = result_dir_read_text(path, RESULT_REVIEW_FILE, err);
    struct review_state s;
    const size_t before = c->args.n;
    int rc = -1;

    review_state_init(&s);
    if (!text)
        goto out;
    if (review_state_read(text, &s, err) < 0) {
        (void)err_wrap(err, "%s/" RESULT_REVIEW_FILE, path);
        goto out;
    }
    for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
        if (s.done[steps[i]].result)
            VEC_PUSH(&c->args, xasprintf("%s/%s", path, s.done[steps[i]].result));
    }
    rc = c->args.n > before ? 0
                            : err_set(err, ERR_USAGE,
                                      "%s is a review of which neither the block tests nor the "
                                      "database test is done yet",
                                      path);
out:
    review_state_release(&s);
    free(text);
    return rc;
}

/* In place of a review its results: those that can be compared. */
static int expand_reviews(struct config *c, struct err *err)
{
    const size_t n = c->args.n;
    char **named = c->args.at;
    int rc = 0;

    c->args.at = NULL;
    c->args.n = c->args.cap = 0;
    for (size_t i = 0; i < n; i++) {
        if (rc == 0 && review_dir_is(named[i]))
            rc = add_review(named[i], c, err);
        else
            VEC_PUSH(&c->args, xstrdup(named[i]));
        free(named[i]);
    }
    free(named);
    return rc;
}

/* The exit code, or -1 and err. */
static int work(struct config *c, struct err *err)
{
    if (check_forms(c, err) < 0)
        return -1;
    if (c->s.output.list)
        return list(c, err);
    if (expand_reviews(c, err) < 0)
        return -1;
    if (c->args.n > 1 || (c->args.n == 1 && repeats_dir_is(c->args.at[0])))
        return side_by_side(c, err);
    return report(c, err);
}

int main(int argc, char **argv)
{
    struct config config;
    struct err err = {0};
    int rc = options_parse(PROGRAM_REPORT, argc, argv, &config, &err);

    if (rc == OPTIONS_DONE)
        rc = 0;
    else if (rc == 0)
        rc = work(&config, &err);
    if (rc < 0) {
        (void)fprintf(stderr, "tpcc-report: %s\n", err.text);
        rc = err_exit_code(&err);
    }
    config_release(&config);
    return rc;
}
