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
#include "result/repeats.h"
#include "result/result_dir.h"
#include "result/targets.h"

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

/* The directory of several targets that this one lies in; NULL: none. free() it. */
static char *set_of(const char *path)
{
    static const char folder[] = "targets";
    const size_t length = sizeof(folder) - 1;
    const char *name = strrchr(path, '/');
    const size_t end = name ? (size_t)(name - path) : 0;

    if (end < length || strncmp(path + end - length, folder, length) != 0)
        return NULL;
    if (end == length)
        return xstrdup(".");
    return path[end - length - 1] == '/' ? xstrndup(path, end - length - 1) : NULL;
}

/* A target's name goes with the label of all, "array a/vm1": those of one name on two arrays are no
 * repeats of each other. */
static void name_target(const char *path, struct result *r)
{
    char *dir = set_of(path);
    char *label = NULL;
    struct targets all;

    targets_init(&all);
    if (dir && targets_dir_is(dir) && targets_dir_read(dir, &all, NULL) == 0 && all.label &&
        r->label) {
        label = xasprintf("%s/%s", all.label, r->label);
        xset_text(&r->label, label);
    }
    targets_release(&all);
    free(label);
    free(dir);
}

static int read_all(const char *const *paths, size_t n, struct results *all, struct err *err)
{
    if (n > COMPARE_RUNS_MAX)
        return err_set(err, ERR_USAGE, "%zu results were named: at most %d can be compared", n,
                       COMPARE_RUNS_MAX);
    for (size_t i = 0; i < n; i++) {
        all->path[i] = without_slashes(paths[i]);
        result_init(&all->r[i]);
        all->n++;
        if (result_dir_read(all->path[i], &all->r[i], err) < 0)
            return -1;
        name_target(all->path[i], &all->r[i]);
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

int side_by_side_of(const struct config *c, const char *const *paths, size_t n, const char *also,
                    struct err *err)
{
    struct results *all = xcalloc(1, sizeof(*all));
    struct compare compare = {.n_runs = 0};
    struct strbuf text;
    int rc = -1;

    strbuf_init(&text);
    if (read_all(paths, n, all, err) < 0)
        goto out;
    if (has_sweeps(all)) {
        rc = both_kinds(c, all->in, all->n, err);
        goto out;
    }
    if (compare_build(&compare, all->in, all->n, (enum compare_measure)c->s.output.by, err) < 0)
        goto out;
    make(c, &compare, &text);
    if (also)
        strbuf_adds(&text, also);
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

char *side_by_side_page(const char *const *paths, size_t n, struct err *err)
{
    struct results *all = xcalloc(1, sizeof(*all));
    struct compare compare = {.n_runs = 0};
    struct strbuf page;
    char *text = NULL;

    strbuf_init(&page);
    if (read_all(paths, n, all, err) == 0 &&
        compare_build(&compare, all->in, all->n, COMPARE_AVG, err) == 0) {
        compare_html(&compare, NULL, &page);
        text = strbuf_detach(&page);
    }
    compare_release(&compare);
    strbuf_release(&page);
    release_all(all);
    free(all);
    return text;
}

/* Those whose sample is whole. */
static int add_targets(const char *path, struct side_paths *out, struct err *err)
{
    const size_t before = out->n;
    struct targets all;
    int rc;

    targets_init(&all);
    rc = targets_dir_read(path, &all, err);
    for (size_t i = 0; rc == 0 && i < all.rows.n; i++) {
        if (all.rows.at[i].summed)
            VEC_PUSH(out, xasprintf("%s/%s", path, all.rows.at[i].run.directory));
    }
    if (rc == 0 && out->n == before)
        rc = err_set(err, ERR_USAGE, "%s: none of its targets has a whole sample", path);
    targets_release(&all);
    return rc;
}

/* A set of repeats stands for its runs, several targets for each of them. */
static int add_paths(const char *path, struct side_paths *out, struct err *err)
{
    struct repeats all;
    int rc = 0;

    if (targets_dir_is(path))
        return add_targets(path, out, err);
    if (!repeats_dir_is(path)) {
        VEC_PUSH(out, xstrdup(path));
        return 0;
    }
    repeats_init(&all);
    rc = repeats_dir_read(path, &all, err);
    if (rc == 0 && all.runs.n == 0)
        rc = err_set(err, ERR_USAGE, "%s: none of its runs was measured to its end", path);
    if (rc == 0)
        side_by_side_paths(&all, path, out);
    repeats_release(&all);
    return rc;
}

void side_by_side_paths(const struct repeats *all, const char *dir, struct side_paths *out)
{
    for (size_t i = 0; i < all->runs.n; i++)
        VEC_PUSH(out, xasprintf("%s/%s", dir, all->runs.at[i].directory));
}

void side_paths_release(struct side_paths *p)
{
    for (size_t i = 0; i < p->n; i++)
        free(p->at[i]);
    VEC_RELEASE(p);
}

int side_by_side(const struct config *c, struct err *err)
{
    struct side_paths paths = {0};
    int rc = 0;

    for (size_t i = 0; i < c->args.n && rc == 0; i++)
        rc = add_paths(c->args.at[i], &paths, err);
    if (rc == 0)
        rc = side_by_side_of(c, (const char *const *)paths.at, paths.n, NULL, err);
    side_paths_release(&paths);
    return rc;
}
