/*
 * result/result_dir: written as .partial, renamed when complete, read back equal; names, rights and
 * foreign directories.
 */
#include "result/result_dir.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/strbuf.h"
#include "harness/unit.h"
#include "result/made_result.h"
#include "result/result_csv.h"
#include "result/result_json.h"

#define STARTED INT64_C(1796046301000000) /* 2026-11-30T13:45:01Z */

static char tmp[64];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

static void make_tmp(void)
{
    (void)snprintf(tmp, sizeof(tmp), "/tmp/tpcc-result-test-XXXXXX");
    CU_ASSERT_FATAL(mkdtemp(tmp) != NULL);
}

static void remove_tmp(void)
{
    (void)nftw(tmp, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static char *slurp(const char *dir, const char *name)
{
    struct fsroot root;
    struct err err = {0};
    char *text = NULL;
    char *path = xasprintf("/%s", name);

    fsroot_init(&root, dir);
    text = fsroot_read(&root, path, 64U << 20, &err);
    fsroot_release(&root);
    free(path);
    return text;
}

static void put_file(const char *dir, const char *name, const char *bytes, size_t n)
{
    char *path = xasprintf("%s/%s", dir, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT_FATAL(write(fd, bytes, n) == (ssize_t)n);
    close_fd(&fd);
    free(path);
}

/* Writes r into tmp; the path of the finished directory, to free(). */
static char *write_result(const struct result *r, const char *label)
{
    struct err err = {0};
    struct result_dir *d = result_dir_create(tmp, label, STARTED, &err);
    char *path = NULL;

    CU_ASSERT_FATAL(d != NULL);
    UNIT_EQ_I64(err.text, result_dir_write_text(d, "plan.yaml", "run:\n", &err), 0);
    UNIT_EQ_I64(err.text, result_dir_begin_series(d, r, &err), 0);
    for (size_t i = 0; i < r->series.n_rows; i++)
        UNIT_EQ_I64(err.text, result_dir_append(d, r, series_at(&r->series, i), &err), 0);
    (void)fprintf(result_dir_log(d), "done\n");
    UNIT_EQ_I64(err.text, result_dir_finish(d, r, &err), 0);
    path = xstrdup(result_dir_path(d));
    result_dir_free(d);
    return path;
}

static void test_whole(void)
{
    struct result r;
    struct result back;
    struct err err = {0};
    char *path = NULL;
    char *wrote = NULL;
    char *read = NULL;

    make_tmp();
    made_result(&r);
    path = write_result(&r, "drive A/2");
    UNIT_EQ_STR("label made plain", strrchr(path, '/'), "/2026-11-30T134501Z-drive-A-2");
    result_init(&back);
    UNIT_EQ_I64(err.text, result_dir_read(path, &back, &err), 0);
    wrote = result_json_write(&r);
    read = result_json_write(&back);
    UNIT_EQ_STR("", read, wrote);
    UNIT_EQ_U64("", back.series.n_rows, r.series.n_rows);
    UNIT_NEAR("", series_at(&back.series, 5)->device[1].writes_per_s, 6 * 2100.25, 0.05);
    UNIT_TRUE("a gap", isnan(series_at(&back.series, 2)->device[0].queue));
    UNIT_EQ_I64("", series_at(&back.series, 5)->phase, 3);
    UNIT_TRUE("", hist_equal(back.latency[2][1], r.latency[2][1]));
    UNIT_TRUE("", hist_equal(back.batches[0].response, r.batches[0].response));
    free(read);
    read = slurp(path, "log.txt");
    UNIT_EQ_STR("", read, "done\n");
    free(read);
    read = slurp(path, "plan.yaml");
    UNIT_EQ_STR("", read, "run:\n");
    free(read);
    free(wrote);
    free(path);
    result_release(&back);
    result_release(&r);
    remove_tmp();
}

static void test_names(void)
{
    static const char *const cases[][2] = {
        {NULL, "2026-11-30T134501Z"},
        {"", "2026-11-30T134501Z-2"},
        {"../../etc", "2026-11-30T134501Z-..-..-etc"},
        {"///", "2026-11-30T134501Z-3"},
        {".", "2026-11-30T134501Z-4"},
        {"gr\xc3\xbc\xc3\x9f e", "2026-11-30T134501Z-gr-e"},
        {"0123456789012345678901234567890123456789012345678901234567890123456789",
         "2026-11-30T134501Z-012345678901234567890123456789012345678901234567890123456789"},
    };
    struct result r;

    make_tmp();
    made_result(&r);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char *path = write_result(&r, cases[i][0]);

        UNIT_EQ_STR(cases[i][0] ? cases[i][0] : "NULL", strrchr(path, '/') + 1, cases[i][1]);
        free(path);
    }
    result_release(&r);
    remove_tmp();
}

/* Two at once, and a name that gets taken while a run goes on. */
static void test_collisions(void)
{
    struct err err = {0};
    struct result r;
    struct result_dir *a = NULL;
    struct result_dir *b = NULL;
    char *taken = NULL;

    make_tmp();
    made_result(&r);
    a = result_dir_create(tmp, "x", STARTED, &err);
    b = result_dir_create(tmp, "x", STARTED, &err);
    CU_ASSERT_FATAL(a && b);
    UNIT_TRUE("somebody works there", result_dir_reopen(result_dir_path(a), &err) == NULL);
    UNIT_TRUE(err.text, strstr(err.text, "another program is at work in ") != NULL);
    UNIT_EQ_STR("", strrchr(result_dir_path(a), '/'), "/2026-11-30T134501Z-x.partial");
    UNIT_EQ_STR("", strrchr(result_dir_path(b), '/'), "/2026-11-30T134501Z-x-2.partial");
    taken = xasprintf("%s/2026-11-30T134501Z-x", tmp);
    CU_ASSERT_FATAL(mkdir(taken, 0777) == 0);
    UNIT_EQ_I64(err.text, result_dir_finish(b, &r, &err), 0);
    UNIT_EQ_STR("", strrchr(result_dir_path(b), '/'), "/2026-11-30T134501Z-x-2");
    UNIT_EQ_I64(err.text, result_dir_finish(a, &r, &err), 0);
    UNIT_EQ_STR("", strrchr(result_dir_path(a), '/'), "/2026-11-30T134501Z-x-3");
    result_dir_free(b);
    b = result_dir_create(tmp, "x", STARTED, &err);
    CU_ASSERT_FATAL(b != NULL);
    UNIT_EQ_STR("free as whole and as .partial", strrchr(result_dir_path(b), '/'),
                "/2026-11-30T134501Z-x-4.partial");
    result_dir_free(a);
    result_dir_free(b);
    free(taken);
    result_release(&r);
    remove_tmp();
}

static void test_parents(void)
{
    struct err err = {0};
    struct result_dir *d = NULL;
    char *deep = NULL;

    make_tmp();
    deep = xasprintf("%s/a/b//c/", tmp);
    d = result_dir_create(deep, NULL, STARTED, &err);
    UNIT_TRUE(err.text, d != NULL);
    result_dir_free(d);
    free(deep);
    put_file(tmp, "file", "x", 1);
    deep = xasprintf("%s/file", tmp);
    UNIT_TRUE("", result_dir_create(deep, NULL, STARTED, &err) == NULL);
    UNIT_TRUE(err.text, strstr(err.text, "/file: Not a directory") != NULL);
    UNIT_EQ_I64("", err.kind, ERR_SURROUNDINGS);
    free(deep);
    remove_tmp();
    UNIT_TRUE("", result_dir_create("/proc/results", NULL, STARTED, &err) == NULL);
    UNIT_TRUE(err.text, strstr(err.text, "can't make the directory /proc/results: ") != NULL);
    UNIT_TRUE("", result_dir_create("/proc", NULL, STARTED, &err) == NULL);
    UNIT_TRUE(err.text, strstr(err.text, "can't make a result directory in /proc") != NULL);
}

static void test_possible(void)
{
    static const struct {
        const char *below;
        bool possible;
    } cases[] = {{"", true}, {"/a", true}, {"/a//b/", true}, {"/file", false}, {"/file/a", false}};
    struct err err = {0};

    make_tmp();
    put_file(tmp, "file", "x", 1);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *parent = xasprintf("%s%s", tmp, cases[i].below);

        err_reset(&err);
        UNIT_EQ_I64(parent, result_dir_possible(parent, &err), cases[i].possible ? 0 : -1);
        UNIT_TRUE(err.text, cases[i].possible || strstr(err.text, "Not a directory") != NULL);
        free(parent);
    }
    UNIT_EQ_I64("a name", result_dir_possible("none-such/x", &err), 0);
    remove_tmp();
}

/* A killed run: the directory as it was at that moment. */
static void test_killed(void)
{
    struct err err = {0};
    struct result r;
    struct result back;
    struct result_dir *d = NULL;
    char *path = NULL;

    make_tmp();
    made_result(&r);
    d = result_dir_create(tmp, NULL, STARTED, &err);
    CU_ASSERT_FATAL(d != NULL);
    path = xstrdup(result_dir_path(d));
    result_init(&back);
    UNIT_EQ_I64("before anything is there", result_dir_read(path, &back, &err), -1);
    UNIT_TRUE(err.text, strstr(err.text, "neither result.json nor series.csv in it") != NULL);
    result_release(&back);
    UNIT_EQ_I64(err.text, result_dir_begin_series(d, &r, &err), 0);
    UNIT_EQ_I64(err.text, result_dir_append(d, &r, series_at(&r.series, 0), &err), 0);
    result_init(&back);
    UNIT_EQ_I64(err.text, result_dir_read(path, &back, &err), 0);
    UNIT_TRUE("", back.partial);
    UNIT_EQ_U64("", back.series.n_rows, 1);
    UNIT_EQ_STR("", back.workload.name, "tpcc");
    UNIT_EQ_STR("", verdict_name(back.verdict.status), "invalid");
    UNIT_EQ_STR("", back.verdict.reasons.at[0].text, "partial: the run was killed");
    result_release(&back);
    result_dir_free(d);
    free(path);
    result_release(&r);
    remove_tmp();
}

/* Limits the size of files, as a full disk does: no more than `bytes`. */
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;

    CU_ASSERT_FATAL(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    limit.rlim_cur = bytes;
    CU_ASSERT_FATAL(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

/* Rows that could not be appended, the first by half, are there at the end. */
static void test_full_meanwhile(void)
{
    struct err err = {0};
    struct result r;
    struct result back;
    struct result_dir *d = NULL;
    void (*const usual)(int) = signal(SIGXFSZ, SIG_IGN);
    char *text = NULL;

    make_tmp();
    made_result(&r);
    d = result_dir_create(tmp, NULL, STARTED, &err);
    CU_ASSERT_FATAL(d != NULL);
    UNIT_EQ_I64(err.text, result_dir_begin_series(d, &r, &err), 0);
    UNIT_EQ_I64(err.text, result_dir_append(d, &r, series_at(&r.series, 0), &err), 0);
    text = slurp(result_dir_path(d), "series.csv");
    limit_files(strlen(text) + 10);
    UNIT_EQ_I64("half a row", result_dir_append(d, &r, series_at(&r.series, 1), &err), -1);
    UNIT_TRUE(err.text, strstr(err.text, "series.csv: File too large") != NULL);
    UNIT_EQ_I64("", result_dir_write_text(d, "report.html", text, &err), 0);
    UNIT_EQ_I64("full", result_dir_finish(d, &r, &err), -1);
    free(text);
    text = xasprintf("%s/series.csv.new", result_dir_path(d));
    UNIT_TRUE("what did not fit takes no room", access(text, F_OK) < 0);
    limit_files(RLIM_INFINITY);
    UNIT_EQ_I64(err.text, result_dir_finish(d, &r, &err), 0);
    result_init(&back);
    UNIT_EQ_I64(err.text, result_dir_read(result_dir_path(d), &back, &err), 0);
    UNIT_EQ_U64("", back.series.n_rows, r.series.n_rows);
    result_release(&back);
    result_dir_free(d);
    free(text);
    (void)signal(SIGXFSZ, usual);
    result_release(&r);
    remove_tmp();
}

/* Complete but for the rename: all is there, so it is whole. */
static void test_not_yet_renamed(void)
{
    struct err err = {0};
    struct result r;
    struct result back;
    char *path = NULL;
    char *partial = NULL;

    make_tmp();
    made_result(&r);
    path = write_result(&r, NULL);
    partial = xasprintf("%s.partial", path);
    CU_ASSERT_FATAL(rename(path, partial) == 0);
    result_init(&back);
    UNIT_EQ_I64(err.text, result_dir_read(partial, &back, &err), 0);
    UNIT_TRUE("", !back.partial);
    result_release(&back);
    free(path);
    free(partial);
    result_release(&r);
    remove_tmp();
}

static void refused(const char *what, const char *path, const char *part)
{
    struct err err = {0};
    struct result back;

    result_init(&back);
    UNIT_EQ_I64(what, result_dir_read(path, &back, &err), -1);
    UNIT_TRUE(err.text, strncmp(err.text, path, strlen(path)) == 0);
    UNIT_TRUE(err.text, strstr(err.text, part) != NULL);
    result_release(&back);
}

static void test_foreign(void)
{
    static const char *const files[] = {"series.csv", "latency.csv", "batches.csv", "result.json"};
    static const char junk[] = {'\x7f', 'E', 'L', 'F', 0, 1, 2, (char)0xff, '\n'};
    struct result r;
    char *path = NULL;

    make_tmp();
    refused("not there", "/nonexistent/x", "can't open the result directory: No such file");
    refused("empty", tmp, "result.json: not there");
    made_result(&r);
    path = write_result(&r, NULL);
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        char *file = xasprintf("%s/%s", path, files[i]);
        char *text = slurp(path, files[i]);
        char *want = xasprintf("%s: ", files[i]);

        put_file(path, files[i], junk, sizeof(junk));
        refused("binary", path, "binary data where text should be");
        put_file(path, files[i], text, strlen(text) / 2);
        refused("half of it", path, want);
        put_file(path, files[i], "", 0);
        refused("empty", path, want);
        CU_ASSERT_FATAL(unlink(file) == 0);
        refused("missing", path, want);
        CU_ASSERT_FATAL(mkdir(file, 0777) == 0);
        refused("a directory", path, "not a file that tpcc-run writes");
        CU_ASSERT_FATAL(rmdir(file) == 0);
        put_file(path, files[i], text, strlen(text));
        free(want);
        free(text);
        free(file);
    }
    free(path);
    result_release(&r);
    remove_tmp();
}

static const struct unit_test tests[] = {
    {"a whole one comes back", test_whole},
    {"names from labels", test_names},
    {"names that are taken", test_collisions},
    {"parents", test_parents},
    {"possible", test_possible},
    {"a killed run", test_killed},
    {"a full disk meanwhile", test_full_meanwhile},
    {"killed before the rename", test_not_yet_renamed},
    {"foreign and broken directories", test_foreign},
};
const struct unit_suite result_dir_suite = UNIT_SUITE("result_dir", tests);
