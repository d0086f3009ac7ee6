/*
 * Where the data is found: below a source tree, beside an installation, at the compiled-in place.
 */
#include "config/datadir.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

static void make_data(const char *dir, const char *where)
{
    char *workload = xasprintf("%s/workloads/oltp.yaml", where);
    char *schema = xasprintf("%s/schema", where);

    tmpdir_write(dir, workload, "workload: {}\n");
    tmpdir_mkdir(dir, schema);
    free(schema);
    free(workload);
}

static void expect(const char *dir, const char *program, const char *found)
{
    struct err err = {0};
    char *path = xasprintf("%s%s", dir, program);
    char *installed = xasprintf("%s/opt/share", dir);
    char *want = xasprintf("%s%s", dir, found ? found : "");
    char *got = datadir_find_for(path, installed, &err);

    UNIT_EQ_STR(program, got, found ? want : NULL);
    if (!found)
        UNIT_EQ_I64(program, err.kind, ERR_SURROUNDINGS);
    free(got);
    free(want);
    free(installed);
    free(path);
}

static void test_places(void)
{
    char *dir = tmpdir_new();

    make_data(dir, "/src");
    make_data(dir, "/usr/share/tpcc-run");
    expect(dir, "/src/build/release/tpcc-run", "/src");
    expect(dir, "/src/build/asan/tests/unit/x", "/src");
    expect(dir, "/usr/bin/tpcc-run", "/usr/share/tpcc-run");
    expect(dir, "/elsewhere/bin/tpcc-run", NULL);
    make_data(dir, "/opt/share");
    expect(dir, "/elsewhere/bin/tpcc-run", "/opt/share");
    expect(dir, "/src/build/release/tpcc-run", "/src");
    tmpdir_free(dir);
}

static const struct unit_test tests[] = {
    {"places", test_places},
};
const struct unit_suite datadir_suite = UNIT_SUITE("datadir", tests);
