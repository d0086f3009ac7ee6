/*
 * Joins report/compare and the directories it compares: report reads no files.
 */
#include "cmd/side_by_side.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "cmd/both_kinds.h"
#include "cmd/page.h"
#include "report/compare.h"
#include "report/compare_files.h"
#include "report/compare_html.h"
#include "report/compare_markdown.h"
#include "report/compare_text.h"
#include "result/result_dir.h"

/* What is read of the directories; in[i] points into the rest. */
struct results {
    struct result r[COMPARE_RUNS_MAX];
    char *path[COMPARE_RUNS_MAX];
    char *plan[COMPARE_RUNS_MAX];
    struct compare_input in[COMPARE_RUNS_MAX];
    size_t n;
};

static char *without_slashes(const char *path)
{
    char *copy = xstrdup(path);
    size_t n = strlen(copy);

    while (n > 1 && copy[n - 1] == '/')
        copy[--n] = 0;
    return copy;
}

static int read_all(const struct config *c, struct results *all, struct err *err)
{
    if (c->args.n > COMPARE_RUNS_MAX)
        return err_set(err, ERR_USAGE, "%zu results were named: at most %d can be compared",
                       c->args.n, COMPARE_RUNS_MAX);
    for (size_t i = 0; i < c->args.n; i++) {
        all->path[i] = without_slashes(c->args.at[i]);
        result_init(&all->r[i]);
        all->n++;
        if (result_dir_read(all->path[i], &all->r[i], err) < 0)
            return -1;
        if (result_is_prep(&all->r[i]))
            return err_set(err, ERR_USAGE,
                           "%s is a preparation, which has nothing to compare: leave it out, the "
                           "results of its drive say how that was prepared",
                           all->path[i]);
        all->plan[i] = page_read_plan(all->path[i]);
        all->in[i] = (struct compare_input){&all->r[i], all->path[i], all->plan[i]};
    }
    return 0;
}

static void release_all(struct results *all)
{
    for (size_t i = 0; i < all->n; i++) {
        result_release(&all->r[i]);
        free(all->path[i]);
        free(all->plan[i]);
    }
}

static bool has_sweeps(const struct results *all)
{
    for (size_t i = 0; i < all->n; i++) {
        if (result_is_sweep(&all->r[i]))
            return true;
    }
    return false;
}

static void make(const struct config *c, const struct compare *compare, struct strbuf *out)
{
    if (c->s.output.json)
        compare_json(compare, out);
    else if (c->s.output.csv)
        compare_csv(compare, out);
    else if (c->s.output.markdown)
        compare_markdown(compare, out);
    else if (c->s.output.html)
        compare_html(compare, NULL, out);
    else
        compare_text(compare, out);
}

int side_by_side(const struct config *c, struct err *err)
{
    struct results *all = xcalloc(1, sizeof(*all));
    struct compare compare = {.n_runs = 0};
    struct strbuf text;
    int rc = -1;

    strbuf_init(&text);
    if (read_all(c, all, err) < 0)
        goto out;
    if (has_sweeps(all)) {
        rc = both_kinds(c, all->in, all->n, err);
        goto out;
    }
    if (compare_build(&compare, all->in, all->n, (enum compare_measure)c->s.output.by, err) < 0)
        goto out;
    make(c, &compare, &text);
    if (page_save(c->s.output.html ? c->s.output.html : "-", &text, err) < 0)
        goto out;
    rc = compare_failed(&compare, c->s.output.strict);
out:
    compare_release(&compare);
    strbuf_release(&text);
    release_all(all);
    free(all);
    return rc;
}
