/*
 * sql/dialect: blocks, parameters, order of the files, and errors with file:line.
 */
#include "sql/dialect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "harness/unit.h"
#include "sql/value.h"

static char *folder_new(void)
{
    char *dir = xstrdup("/tmp/dialect-test-XXXXXX");

    UNIT_TRUE("", mkdtemp(dir) != NULL);
    return dir;
}

static void folder_put(const char *dir, const char *name, const char *text)
{
    char *path = xasprintf("%s/%s", dir, name);
    FILE *f = fopen(path, "w");

    UNIT_TRUE(path, f != NULL);
    if (f) {
        fputs(text, f);
        fclose(f);
    }
    free(path);
}

static void folder_free(char *dir, const char *const *names)
{
    for (; *names; names++) {
        char *path = xasprintf("%s/%s", dir, *names);

        unlink(path);
        free(path);
    }
    rmdir(dir);
    free(dir);
}

static const char *const two_files[] = {"b.sql", "a.sql", "c.txt", NULL};

static void test_reads_blocks(void)
{
    char *dir = folder_new();
    struct err err = {0};
    struct dialect *d = NULL;
    const struct stmt *st = NULL;

    folder_put(dir, "b.sql",
               "-- A word to people.\n-- name: three\nselect 3\n\n;\n\n"
               "-- name: four  \n-- params: i32 i64 cents rate text time i32[]\n"
               "select $2, $1, $3,\n  $4 + $1, $5, $6, $7;\n");
    folder_put(dir, "a.sql", "-- name: one\nselect 1 -- $9 is a comment\n-- name: two\nselect 2");
    folder_put(dir, "c.txt", "-- name: never\nselect 0\n");
    d = dialect_read(dir, &err);
    UNIT_TRUE(err.text, d != NULL);
    if (d) {
        UNIT_EQ_U64("", dialect_count(d), 4);
        UNIT_EQ_STR("files in order of names", dialect_at(d, 0)->name, "one");
        UNIT_EQ_STR("", dialect_at(d, 0)->text, "select 1 -- $9 is a comment");
        UNIT_EQ_STR("", dialect_at(d, 2)->text, "select 3");
        for (size_t i = 0; i < dialect_count(d); i++)
            UNIT_EQ_U64("dense", dialect_at(d, i)->id, i);
        st = dialect_find(d, "four");
        UNIT_TRUE("", st != NULL);
    }
    if (st) {
        static const uint8_t kinds[] = {VALUE_I32,  VALUE_I64,     VALUE_CENTS,    VALUE_RATE,
                                        VALUE_TEXT, VALUE_TIME_US, VALUE_I32_ARRAY};

        UNIT_EQ_STR("", st->text, "select $2, $1, $3,\n  $4 + $1, $5, $6, $7");
        UNIT_EQ_U64("", st->n_params, 7);
        for (size_t i = 0; i < sizeof(kinds); i++)
            UNIT_EQ_U64("", st->param_kind[i], kinds[i]);
        UNIT_TRUE("", dialect_find(d, "never") == NULL);
        UNIT_EQ_STR("", dialect_dir(d), dir);
        UNIT_TRUE("", dialect_need(d, "never", &err) == NULL);
        UNIT_TRUE(err.text, strstr(err.text, dir) != NULL && strstr(err.text, "\"never\"") != NULL);
    }
    dialect_free(d);
    folder_free(dir, two_files);
}

static void test_bodies_hide_parameters(void)
{
    char *dir = folder_new();
    struct err err = {0};
    struct dialect *d = NULL;

    folder_put(dir, "a.sql",
               "-- name: proc\ncreate function f() as $$ select $1; $$ language sql;\n"
               "-- name: tagged\ncreate function f() as $body$ select $1, '$$'; $body$;\n"
               "-- name: quoted\nselect '$1', \"$2\"\n");
    d = dialect_read(dir, &err);
    UNIT_TRUE(err.text, d != NULL);
    if (d)
        UNIT_EQ_STR("", dialect_find(d, "proc")->text,
                    "create function f() as $$ select $1; $$ language sql");
    dialect_free(d);
    folder_free(dir, two_files);
}

static void test_errors(void)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"-- name: a\nselect 1\n-- name: a\nselect 2\n", "a.sql:3: block \"a\" is there already"},
        {"\n-- name: a\n-- params: i32 int\nselect $1\n", "a.sql:3: \"int\" is not a kind"},
        {"-- name: a\n-- params: i32\nselect 1\n", "a.sql:1: block \"a\" uses $0"},
        {"-- name: a\nselect $1\n", "a.sql:1: block \"a\" uses $1"},
        {"-- name: a\n-- name: b\nselect 1\n", "a.sql:1: block \"a\" is empty"},
        {"-- name: a\n ;\n", "a.sql:1: block \"a\" is empty"},
        {"-- name:\nselect 1\n", "a.sql:1: a block without a name"},
        {"select 1\n", "no *.sql file with a block"},
        {"-- name: a\n-- params: i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 "
         "i32\nselect 1\n",
         "a.sql:2: more than 16 parameters"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *dir = folder_new();
        struct err err = {0};
        struct dialect *d = NULL;

        folder_put(dir, "a.sql", cases[i].text);
        d = dialect_read(dir, &err);
        UNIT_TRUE(cases[i].says, d == NULL);
        UNIT_TRUE(err.text, strstr(err.text, cases[i].says) != NULL);
        UNIT_EQ_I64("", err.kind, ERR_USAGE);
        dialect_free(d);
        folder_free(dir, two_files);
    }
}

static void test_no_folder(void)
{
    struct err err = {0};

    UNIT_TRUE("", dialect_read("there is no such folder", &err) == NULL);
    UNIT_TRUE("", dialect_read("/tmp/there is no such folder", &err) == NULL);
    UNIT_TRUE(err.text, strstr(err.text, "/tmp/there is no such folder") != NULL);
    dialect_free(NULL);
}

static const struct unit_test tests[] = {
    {"reads blocks", test_reads_blocks},
    {"bodies hide parameters", test_bodies_hide_parameters},
    {"errors name file and line", test_errors},
    {"no folder", test_no_folder},
};
const struct unit_suite dialect_suite = UNIT_SUITE("dialect", tests);
