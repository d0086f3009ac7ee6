/*
 * Finding PostgreSQL's programs on made trees: the newest known, an existing cluster's, PATH, and
 * what the messages name.
 */
#include "cluster/programs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/xalloc.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

struct rig {
    char *dir;
    struct fsroot root;
    struct programs p;
    struct err err;
};

static void rig_init(struct rig *rig)
{
    *rig = (struct rig){.dir = tmpdir_new()};
    fsroot_init(&rig->root, rig->dir);
}

static void rig_release(struct rig *rig)
{
    programs_release(&rig->p);
    fsroot_release(&rig->root);
    tmpdir_free(rig->dir);
}

static void add_program(const struct rig *rig, const char *bin, const char *name, const char *says)
{
    char *path = xasprintf("%s/%s", bin, name);
    char *full = xasprintf("%s%s", rig->dir, path);
    char *text = xasprintf("#!/bin/sh\necho '%s'\n", says);

    tmpdir_write(rig->dir, path, text);
    UNIT_EQ_I64(path, chmod(full, 0755), 0);
    free(text);
    free(full);
    free(path);
}

static void install(const struct rig *rig, const char *bin, const char *version)
{
    char *says = xasprintf("postgres (PostgreSQL) %s (Debian %s-1)", version, version);

    add_program(rig, bin, "postgres", says);
    add_program(rig, bin, "initdb", "initdb");
    free(says);
}

/* The bin_dir found without the tree's prefix. */
static const char *found(const struct rig *rig)
{
    return rig->p.bin_dir ? rig->p.bin_dir + strlen(rig->dir) : NULL;
}

static int find(struct rig *rig, const char *path_env, int want)
{
    const struct programs_where where = {.root = &rig->root, .path_env = path_env};

    programs_release(&rig->p);
    err_reset(&rig->err);
    return programs_find(&where, want, &rig->p, &rig->err);
}

static void test_version(void)
{
    static const struct {
        const char *line;
        int rc, major;
        const char *version;
    } cases[] = {
        {"postgres (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)\n", 0, 15, "15.20"},
        {"postgres (PostgreSQL) 18.1\n", 0, 18, "18.1"},
        {"postgres (PostgreSQL) 19beta1", 0, 19, "19beta1"},
        {"postgres (PostgreSQL) 9.6.24", 0, 9, "9.6.24"},
        {"postgres (PostgreSQL) ", -1, 0, ""},
        {"postgres (EnterpriseDB) 15.2", -1, 0, ""},
        {"initdb (PostgreSQL) 15.2", -1, 0, ""},
        {"", -1, 0, ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int major = 0;
        char version[32] = "";

        UNIT_EQ_I64(cases[i].line,
                    programs_parse_version(cases[i].line, &major, version, sizeof(version)),
                    cases[i].rc);
        UNIT_EQ_I64(cases[i].line, major, cases[i].major);
        UNIT_EQ_STR(cases[i].line, version, cases[i].version);
    }
}

static void test_newest(void)
{
    struct rig rig;

    rig_init(&rig);
    install(&rig, "/usr/lib/postgresql/9.6/bin", "9.6.24");
    install(&rig, "/usr/lib/postgresql/13/bin", "13.9");
    UNIT_EQ_I64("too old", find(&rig, NULL, 0), -1);
    UNIT_TRUE(rig.err.text, strstr(rig.err.text, "no PostgreSQL 14 to 18 found (found: 13.9 in ") &&
                                strstr(rig.err.text, "install the package postgresql"));
    install(&rig, "/usr/lib/postgresql/15/bin", "15.20");
    install(&rig, "/usr/pgsql-16/bin", "16.3");
    install(&rig, "/usr/lib/postgresql/14/bin", "14.1");
    UNIT_EQ_I64(rig.err.text, find(&rig, NULL, 0), 0);
    UNIT_EQ_STR("", found(&rig), "/usr/pgsql-16/bin");
    UNIT_EQ_STR("", rig.p.version, "16.3");
    install(&rig, "/usr/lib/postgresql/19/bin", "19beta1");
    UNIT_EQ_I64(rig.err.text, find(&rig, NULL, 0), 0);
    UNIT_EQ_I64("newest of the known", rig.p.major, 16);
    rig_release(&rig);
}

static void test_only_newer(void)
{
    struct rig rig;

    rig_init(&rig);
    install(&rig, "/usr/lib/postgresql/19/bin", "19.1");
    install(&rig, "/usr/lib/postgresql/13/bin", "13.1");
    UNIT_EQ_I64(rig.err.text, find(&rig, NULL, 0), 0);
    UNIT_EQ_I64("better than none", rig.p.major, 19);
    rig_release(&rig);
}

static void test_path(void)
{
    struct rig rig;

    rig_init(&rig);
    add_program(&rig, "/usr/bin", "postgres", "postgres (PostgreSQL) 17.1");
    UNIT_EQ_I64("without initdb", find(&rig, "/usr/bin", 0), -1);
    UNIT_TRUE(rig.err.text, strstr(rig.err.text, "(found: none)") != NULL);
    install(&rig, "/opt/pg/bin", "15.3");
    UNIT_EQ_I64("", find(&rig, "relative:/usr/bin::/opt/pg/bin:", 0), 0);
    UNIT_EQ_STR("", found(&rig), "/opt/pg/bin");
    rig_release(&rig);
}

static void test_existing(void)
{
    struct rig rig;

    rig_init(&rig);
    install(&rig, "/usr/lib/postgresql/14/bin", "14.1");
    install(&rig, "/usr/lib/postgresql/16/bin", "16.1");
    UNIT_EQ_I64("", find(&rig, NULL, 14), 0);
    UNIT_EQ_I64("not the newest", rig.p.major, 14);
    UNIT_EQ_I64("", find(&rig, NULL, 15), -1);
    UNIT_TRUE(rig.err.text,
              strstr(rig.err.text, "made by PostgreSQL 15, which is not installed any more") &&
                  strstr(rig.err.text, "14.1 in ") && strstr(rig.err.text, "16.1 in ") &&
                  strstr(rig.err.text, "package postgresql-15") &&
                  strstr(rig.err.text, "--rebuild"));
    rig_release(&rig);
}

static void test_bin_dir(void)
{
    struct rig rig;
    struct programs_where where;
    char *bin = NULL;

    rig_init(&rig);
    install(&rig, "/usr/lib/postgresql/16/bin", "16.1");
    install(&rig, "/opt/pg/bin", "15.3");
    add_program(&rig, "/opt/odd", "postgres", "something else");
    add_program(&rig, "/opt/odd", "initdb", "initdb");
    bin = xasprintf("%s/opt/pg/bin", rig.dir);
    where = (struct programs_where){.root = &rig.root, .bin_dir = bin};
    UNIT_EQ_I64("", programs_find(&where, 0, &rig.p, &rig.err), 0);
    UNIT_EQ_STR("only this one", found(&rig), "/opt/pg/bin");
    programs_release(&rig.p);
    UNIT_EQ_I64("", programs_find(&where, 16, &rig.p, &rig.err), -1);
    UNIT_TRUE(rig.err.text, strstr(rig.err.text, "which is not in server.bin-dir (found: 15.3"));
    free(bin);
    bin = xasprintf("%s/opt/odd", rig.dir);
    where.bin_dir = bin;
    UNIT_EQ_I64("", programs_find(&where, 0, &rig.p, &rig.err), -1);
    UNIT_TRUE(rig.err.text, strstr(rig.err.text, "does not say which PostgreSQL it is") != NULL);
    free(bin);
    rig_release(&rig);
}

static const struct unit_test tests[] = {
    {"version", test_version}, {"newest", test_newest},     {"only newer", test_only_newer},
    {"path", test_path},       {"existing", test_existing}, {"bin_dir", test_bin_dir},
};
const struct unit_suite programs_suite = UNIT_SUITE("programs", tests);
