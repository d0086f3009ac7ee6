/*
 * See tmpdir.h. What fails here is the machine's fault and ends the test program.
 */
#include "harness/tmpdir.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void must(int ok, const char *what, const char *path)
{
    if (ok)
        return;
    (void)fprintf(stderr, "test directory: %s %s: %s\n", what, path, strerror(errno));
    abort();
}

static char *join(const char *dir, const char *path)
{
    char *full = NULL;

    must(asprintf(&full, "%s%s", dir, path) >= 0, "naming", path);
    return full;
}

/* All directories above `full`, which is changed and put back on the way. */
static void make_parents(char *full)
{
    for (char *slash = strchr(full + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        must(mkdir(full, 0755) == 0 || errno == EEXIST, "making", full);
        *slash = '/';
    }
}

char *tmpdir_new(void)
{
    char *dir = strdup("/tmp/tpcc-unit.XXXXXX");

    must(dir && mkdtemp(dir), "making", "a directory in /tmp");
    return dir;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

void tmpdir_free(char *dir)
{
    if (!dir)
        return;
    must(nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0, "removing", dir);
    free(dir);
}

void tmpdir_write(const char *dir, const char *path, const char *text)
{
    char *full = join(dir, path);
    FILE *file = NULL;

    make_parents(full);
    file = fopen(full, "we");
    must(file != NULL, "opening", full);
    must(fputs(text, file) >= 0, "writing", full);
    must(fclose(file) == 0, "writing", full);
    free(full);
}

void tmpdir_mkdir(const char *dir, const char *path)
{
    char *full = join(dir, path);

    make_parents(full);
    must(mkdir(full, 0755) == 0 || errno == EEXIST, "making", full);
    free(full);
}

void tmpdir_symlink(const char *dir, const char *path, const char *target)
{
    char *full = join(dir, path);

    make_parents(full);
    must(symlink(target, full) == 0, "linking", full);
    free(full);
}
