/*
 * Looks upward from the program: build/<variant>/tpcc-run and build/<variant>/x/y stand below the
 * source tree; PREFIX/bin/tpcc-run beside PREFIX/share/tpcc-run, also where an installation was
 * moved as a whole. Then the compiled-in place. No state: any thread.
 */
#include "config/datadir.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"

#define LEVELS_MAX 5

static bool is_data_dir(const char *dir)
{
    char *workload = xasprintf("%s/workloads/oltp.yaml", dir);
    char *schema = xasprintf("%s/schema", dir);
    const bool found = access(workload, R_OK) == 0 && access(schema, X_OK) == 0;

    free(schema);
    free(workload);
    return found;
}

/* Cuts the last part off: "/a/b" to "/a", "/a" to "". False at the root. */
static bool go_up(char *path)
{
    char *slash = strrchr(path, '/');

    if (!slash)
        return false;
    *slash = 0;
    return true;
}

char *datadir_find_for(const char *program, const char *installed, struct err *err)
{
    char *dir = xstrdup(program);
    char *found = NULL;

    for (int level = 0; level < LEVELS_MAX && !found && go_up(dir); level++) {
        char *share = xasprintf("%s/share/tpcc-run", dir);

        if (is_data_dir(dir))
            found = xstrdup(dir);
        else if (level > 0 && is_data_dir(share))
            found = xstrdup(share);
        free(share);
    }
    if (!found && is_data_dir(installed))
        found = xstrdup(installed);
    if (!found)
        err_set(err, ERR_SURROUNDINGS,
                "schema and workloads found neither beside %s nor in %s (run make install)",
                program, installed);
    free(dir);
    return found;
}

char *datadir_find(struct err *err)
{
    char program[PATH_MAX] = "";
    const ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);

    return datadir_find_for(n > 0 ? program : "", TPCC_DATA_DIR, err);
}
