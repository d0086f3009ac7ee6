/*
 * Parts the kinds: compare_build() takes runs of the database test only.
 */
#include "cmd/both_kinds.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cmd/page.h"
#include "report/compare_files.h"
#include "report/compare_html.h"
#include "report/compare_markdown.h"
#include "report/compare_text.h"
#include "report/markdown.h"
#include "report/sweep_compare.h"
#include "report/text.h"
#include "result/result_json.h"

struct kinds {
    struct compare_input run[COMPARE_RUNS_MAX]; /* of the database test */
    size_t n_runs;
    struct sweep_named all[COMPARE_RUNS_MAX]; /* as they were named */
    char *name[COMPARE_RUNS_MAX];
    size_t n;
    struct compare compare; /* built where there are two runs or more */
};

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* The label; where it has none, or another of the same kind has it too, the directory. A run and a
 * sweep of one label are of one drive (a review's are), and what stands of them says which is
 * which.
 */
static char *name_of(const struct compare_input *in, size_t n, size_t at)
{
    const struct result *r = in[at].r;
    bool taken = !r->label || !*r->label;

    for (size_t i = 0; i < n && !taken; i++)
        taken = i != at && in[i].r->label && strcmp(in[i].r->label, r->label) == 0 &&
                result_is_sweep(in[i].r) == result_is_sweep(r);
    return xstrdup(taken ? last_part(in[at].path) : r->label);
}

static void part(const struct compare_input *in, size_t n, struct kinds *k)
{
    for (size_t i = 0; i < n; i++) {
        k->name[i] = name_of(in, n, i);
        k->all[i] = (struct sweep_named){.r = in[i].r, .name = k->name[i]};
        k->n++;
        if (!result_is_sweep(in[i].r))
            k->run[k->n_runs++] = in[i];
    }
}

static void make_json(const struct kinds *k, struct strbuf *out)
{
    const char *comma = "";
    char *text = NULL;

    strbuf_adds(out, "{\"runs\": ");
    if (k->n_runs > 1) {
        compare_json(&k->compare, out);
    } else {
        text = k->n_runs ? result_json_write(k->run[0].r) : NULL;
        strbuf_adds(out, text ? text : "null");
        free(text);
    }
    strbuf_adds(out, ", \"sweeps\": [");
    for (size_t i = 0; i < k->n; i++) {
        if (!result_is_sweep(k->all[i].r))
            continue;
        text = result_json_write(k->all[i].r);
        strbuf_addf(out, "%s%s", comma, text);
        free(text);
        comma = ", ";
    }
    strbuf_adds(out, "]}\n");
}

static void make_markdown(const struct kinds *k, struct strbuf *out)
{
    if (k->n_runs > 1)
        compare_markdown(&k->compare, out);
    else if (k->n_runs == 1)
        report_markdown(k->run[0].r, k->run[0].path, out);
    strbuf_adds(out, k->n_runs ? "\n" : "");
    sweep_compare_markdown(k->all, k->n, out);
}

static void make_html(const struct kinds *k, struct strbuf *out)
{
    struct strbuf sections;

    if (k->n_runs < 2) {
        sweep_html_compared(k->all, k->n, out);
        return;
    }
    strbuf_init(&sections);
    sweep_html_sections(k->all, k->n, &sections);
    compare_html(&k->compare, sections.buf, out);
    strbuf_release(&sections);
}

static void make_text(const struct kinds *k, struct strbuf *out)
{
    if (k->n_runs > 1)
        compare_text(&k->compare, out);
    else if (k->n_runs == 1)
        report_text(k->run[0].r, k->run[0].path, out);
    strbuf_adds(out, k->n_runs ? "\n" : "");
    sweep_compare_text(k->all, k->n, out);
}

static int make(const struct config *c, const struct kinds *k, struct strbuf *out, struct err *err)
{
    if (c->s.output.csv && k->n_runs > 0)
        return err_set(err, ERR_USAGE,
                       "--csv is one table: name results of one kind (block tests "
                       "or runs), or take --json");
    if (c->s.output.json)
        make_json(k, out);
    else if (c->s.output.csv)
        sweep_compare_csv(k->all, k->n, out);
    else if (c->s.output.markdown)
        make_markdown(k, out);
    else if (c->s.output.html)
        make_html(k, out);
    else
        make_text(k, out);
    return 0;
}

/* Exit code 1. */
static bool failed(const struct config *c, const struct kinds *k)
{
    for (size_t i = 0; i < k->n; i++) {
        const enum verdict_status status = k->all[i].r->verdict.status;

        if (status == VERDICT_INVALID || (c->s.output.strict && status == VERDICT_QUESTIONABLE))
            return true;
    }
    return k->n_runs > 1 && compare_failed(&k->compare, c->s.output.strict);
}

void both_kinds_page(const struct compare_input *in, size_t n, struct strbuf *out)
{
    struct kinds *k = xcalloc(1, sizeof(*k));

    part(in, n, k);
    CHECK(k->n_runs < 2);
    make_html(k, out);
    for (size_t i = 0; i < k->n; i++)
        free(k->name[i]);
    free(k);
}

int both_kinds(const struct config *c, const struct compare_input *in, size_t n, struct err *err)
{
    struct kinds *k = xcalloc(1, sizeof(*k));
    struct strbuf text;
    int rc = -1;

    strbuf_init(&text);
    part(in, n, k);
    if (k->n_runs > 1 && compare_build(&k->compare, k->run, k->n_runs,
                                       (enum compare_measure)c->s.output.by, err) < 0)
        goto out;
    if (make(c, k, &text, err) < 0 ||
        page_save(c->s.output.html ? c->s.output.html : "-", &text, err) < 0)
        goto out;
    rc = failed(c, k);
out:
    if (k->n_runs > 1)
        compare_release(&k->compare);
    for (size_t i = 0; i < k->n; i++)
        free(k->name[i]);
    strbuf_release(&text);
    free(k);
    return rc;
}
