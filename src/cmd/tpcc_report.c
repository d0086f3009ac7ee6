/*
 * tpcc-report: prints a saved result again. The text report is the same to the letter as at the end
 * of the run; so is the exit code, which tells the verdict.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "cmd/options.h"
#include "report/csv.h"
#include "report/text.h"
#include "result/result_dir.h"
#include "result/result_json.h"

/* The one directory that is named, without slashes at its end; free() it. */
static char *one_result(const struct config *c, struct err *err)
{
    char *path = NULL;
    size_t n = 0;

    CHECK(c->args.n > 0); /* options_parse saw to it */
    if (c->args.n > 1) {
        (void)err_set(err, ERR_USAGE, "%zu results were named: this program reports one at a time",
                      c->args.n);
        return NULL;
    }
    path = xstrdup(c->args.at[0]);
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
    } else {
        report_text(r, path, out);
    }
}

static int print(const struct strbuf *text, struct err *err)
{
    if (fwrite(text->buf, 1, text->len, stdout) != text->len || fflush(stdout) != 0)
        return err_sys(err, errno, "standard output");
    return 0;
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
    if (c->s.output.json && c->s.output.csv) {
        (void)err_set(err, ERR_USAGE, "--json and --csv: choose one");
        goto out;
    }
    path = one_result(c, err);
    if (!path || result_dir_read(path, &r, err) < 0)
        goto out;
    make_report(c, &r, path, &text);
    if (print(&text, err) < 0)
        goto out;
    rc = r.verdict.status == VERDICT_INVALID ||
         (c->s.output.strict && r.verdict.status == VERDICT_QUESTIONABLE);
out:
    free(path);
    strbuf_release(&text);
    result_release(&r);
    return rc;
}

int main(int argc, char **argv)
{
    struct config config;
    struct err err = {0};
    int rc = options_parse(PROGRAM_REPORT, argc, argv, &config, &err);

    if (rc == 0)
        rc = report(&config, &err);
    else if (rc == OPTIONS_DONE)
        rc = 0;
    if (rc < 0) {
        (void)fprintf(stderr, "tpcc-report: %s\n", err.text);
        rc = err_exit_code(&err);
    }
    config_release(&config);
    return rc;
}
