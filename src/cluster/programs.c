/*
 * Finding PostgreSQL's programs. All that is installed is looked at before one is chosen, so that
 * the message for a missing version can say which ones are there.
 */
#include "cluster/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "base/vec.h"
#include "base/xalloc.h"

static const uint64_t version_timeout_ns = 10 * NS_PER_S;

struct found {
    VEC(struct programs) at;
};

int programs_parse_version(const char *line, int *major, char *version, size_t size)
{
    static const char head[] = "postgres (PostgreSQL) ";
    int64_t n = 0;
    char *digits = NULL;
    int rc = -1;

    if (strncmp(line, head, strlen(head)) != 0)
        return -1;
    line += strlen(head);
    digits = xstrndup(line, strspn(line, "0123456789"));
    if (units_parse_i64(digits, &n, NULL) == 0 && n > 0 && n < 1000) {
        *major = (int)n;
        (void)snprintf(version, size, "%.*s", (int)strcspn(line, " \n"), line);
        rc = 0;
    }
    free(digits);
    return rc;
}

static bool can_run(const char *dir, const char *program)
{
    char *path = xasprintf("%s/%s", dir, program);
    const bool can = access(path, X_OK) == 0;

    free(path);
    return can;
}

/* Asks the postgres in dir for its version; where it answers, it is one of `all`. */
static int try_dir(const char *dir, struct found *all, struct err *err)
{
    char *postgres = xasprintf("%s/postgres", dir);
    const char *const argv[] = {postgres, "--version", NULL};
    const char *const env[] = {"LC_ALL=C", NULL};
    const struct proc_opts opts = {.argv = argv, .env = env, .timeout_ns = version_timeout_ns};
    struct programs p = {0};
    struct strbuf said;
    int status = 0;
    int rc = -1;

    strbuf_init(&said);
    if (!can_run(dir, "postgres") || !can_run(dir, "initdb")) {
        (void)err_set(err, ERR_SURROUNDINGS, "%s: no postgres and initdb in it", dir);
        goto out;
    }
    if (proc_run(&opts, &status, &said, err) < 0)
        goto out;
    if (status != 0 ||
        programs_parse_version(said.buf, &p.major, p.version, sizeof(p.version)) < 0) {
        (void)err_set(err, ERR_SURROUNDINGS, "%s --version does not say which PostgreSQL it is",
                      postgres);
        goto out;
    }
    p.bin_dir = xstrdup(dir);
    VEC_PUSH(&all->at, p);
    rc = 0;
out:
    strbuf_release(&said);
    free(postgres);
    return rc;
}

/* "<parent>/<prefix>N/bin" for every number N. */
static void try_versions(const struct fsroot *root, const char *parent, const char *prefix,
                         struct found *all)
{
    char **names = fsroot_list(root, parent);
    const size_t skip = strlen(prefix);

    for (char **name = names; name && *name; name++) {
        int64_t n = 0;
        char *inside = NULL;
        char *dir = NULL;

        if (strncmp(*name, prefix, skip) != 0 || units_parse_i64(*name + skip, &n, NULL) < 0)
            continue;
        inside = xasprintf("%s/%s/bin", parent, *name);
        dir = fsroot_path(root, inside);
        (void)try_dir(dir, all, NULL); /* what does not answer is not installed */
        free(dir);
        free(inside);
    }
    fsroot_list_free(names);
}

static void try_path(const struct programs_where *where, struct found *all)
{
    const char *path = where->path_env;

    while (path && *path) {
        const size_t n = strcspn(path, ":");
        char *entry = xstrndup(path, n);

        if (entry[0] == '/') {
            char *dir = fsroot_path(where->root, entry);

            (void)try_dir(dir, all, NULL);
            free(dir);
        }
        free(entry);
        path += n;
        path += *path == ':';
    }
}

/* The one wanted, or the newest of those we know, or the newest. NULL: none. */
static const struct programs *choose(const struct found *all, int want_major)
{
    const struct programs *best = NULL;

    for (size_t i = 0; i < all->at.n; i++) {
        const struct programs *p = &all->at.at[i];
        const bool known = p->major <= PROGRAMS_NEWEST;
        const bool best_known = best && best->major <= PROGRAMS_NEWEST;

        if (want_major != 0) {
            if (p->major == want_major)
                return p;
            continue;
        }
        if (p->major < PROGRAMS_OLDEST)
            continue;
        if (!best || (known && !best_known) || (known == best_known && p->major > best->major))
            best = p;
    }
    return best;
}

static int none_fits(const struct programs_where *where, const struct found *all, int want_major,
                     struct err *err)
{
    struct strbuf list;

    strbuf_init(&list);
    for (size_t i = 0; i < all->at.n; i++)
        strbuf_addf(&list, "%s%s in %s", i ? ", " : "", all->at.at[i].version,
                    all->at.at[i].bin_dir);
    if (all->at.n == 0)
        strbuf_adds(&list, "none");
    if (want_major == 0)
        (void)err_set(err, ERR_SURROUNDINGS,
                      "no PostgreSQL %d to %d found (found: %s): install the package postgresql, "
                      "or name its programs with server.bin-dir",
                      PROGRAMS_OLDEST, PROGRAMS_NEWEST, list.buf);
    else
        (void)err_set(err, ERR_SURROUNDINGS,
                      "the dataset was made by PostgreSQL %d, which is not %s (found: %s): install "
                      "the package postgresql-%d, or build the dataset anew with --rebuild",
                      want_major, where->bin_dir ? "in server.bin-dir" : "installed any more",
                      list.buf, want_major);
    strbuf_release(&list);
    return -1;
}

int programs_find(const struct programs_where *where, int want_major, struct programs *out,
                  struct err *err)
{
    struct found all = {0};
    const struct programs *best = NULL;
    int rc = -1;

    *out = (struct programs){0};
    if (where->bin_dir) {
        if (try_dir(where->bin_dir, &all, err) < 0) {
            (void)err_wrap(err, "server.bin-dir");
            goto out;
        }
    } else {
        try_versions(where->root, "/usr/lib/postgresql", "", &all);
        try_versions(where->root, "/usr", "pgsql-", &all);
        try_path(where, &all);
    }
    best = choose(&all, want_major);
    if (!best) {
        (void)none_fits(where, &all, want_major, err);
        goto out;
    }
    *out = *best;
    out->bin_dir = xstrdup(best->bin_dir);
    rc = 0;
out:
    for (size_t i = 0; i < all.at.n; i++)
        programs_release(&all.at.at[i]);
    VEC_RELEASE(&all.at);
    return rc;
}

void programs_release(struct programs *p)
{
    free(p->bin_dir);
    *p = (struct programs){0};
}
