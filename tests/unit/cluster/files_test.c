/*
 * Files of a data directory: listed, copied by several threads, compared; what is damaged, missing,
 * or not a file is told.
 */
#include "cluster/files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/xalloc.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

enum { MIB = 1 << 20, SMALL_FILES = 40 };

struct rig {
    char *dir, *from, *to;
    struct files files;
    struct files_copy how;
    struct files_work work;
    struct stop stop;
    uint64_t told, total; /* bytes, by the last progress */
    struct err err;
};

static void on_progress(const struct progress *p, void *ctx)
{
    struct rig *rig = ctx;

    UNIT_TRUE("not beyond", p->done <= p->total);
    rig->told = p->done;
    rig->total = p->total;
}

/* A file of `bytes`, of which the middle third is a hole where it is large. */
static void add_file(const struct rig *rig, const char *name, size_t bytes)
{
    char *path = xasprintf("%s%s", rig->from, name);
    char *data = xmalloc(bytes + 1);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);

    for (size_t i = 0; i < bytes; i++)
        data[i] = (char)(i * 2654435761U >> 13);
    UNIT_TRUE(path, fd >= 0);
    if (bytes < 9 * MIB) {
        UNIT_EQ_I64(path, pwrite(fd, data, bytes, 0), (int64_t)bytes);
    } else {
        UNIT_EQ_I64(path, pwrite(fd, data, bytes / 3, 0), (int64_t)(bytes / 3));
        UNIT_EQ_I64(path, pwrite(fd, data, bytes / 3, (off_t)(bytes - bytes / 3)),
                    (int64_t)(bytes / 3));
    }
    close_fd(&fd);
    free(data);
    free(path);
}

static void rig_init(struct rig *rig)
{
    *rig = (struct rig){.dir = tmpdir_new()};
    rig->from = xasprintf("%s/from", rig->dir);
    rig->to = xasprintf("%s/to", rig->dir);
    tmpdir_mkdir(rig->dir, "/from/base/empty");
    add_file(rig, "/base/large", 9 * MIB + 5);
    add_file(rig, "/base/other", 2 * MIB);
    add_file(rig, "/nothing", 0);
    for (int i = 0; i < SMALL_FILES; i++) {
        char name[32];

        (void)snprintf(name, sizeof(name), "/base/small.%d", i);
        add_file(rig, name, (size_t)(100 * i + 1));
    }
    rig->how = (struct files_copy){.from = rig->from, .to = rig->to};
    rig->work = (struct files_work){.clock = clock_system(),
                                    .stop = &rig->stop,
                                    .step = "copy",
                                    .on_progress = on_progress,
                                    .ctx = rig};
    UNIT_EQ_I64(rig->err.text, files_scan(rig->from, &rig->files, &rig->err), 0);
}

static void rig_release(struct rig *rig)
{
    files_release(&rig->files);
    free(rig->from);
    free(rig->to);
    tmpdir_free(rig->dir);
}

static void copied(struct rig *rig)
{
    UNIT_EQ_I64(rig->err.text, files_copy(&rig->files, &rig->how, &rig->work, &rig->err), 0);
}

/* Writes one other byte into a copied file. */
static void damage(const struct rig *rig, const char *dir, const char *name, off_t at)
{
    char *path = xasprintf("%s/%s", dir, name);
    int fd = open(path, O_WRONLY | O_CLOEXEC);

    (void)rig;
    UNIT_EQ_I64(path, pwrite(fd, "\xff\xfe", 2, at), 2);
    close_fd(&fd);
    free(path);
}

static void test_scan(void)
{
    struct rig rig;

    rig_init(&rig);
    UNIT_EQ_U64("", rig.files.list.n, SMALL_FILES + 3);
    UNIT_EQ_U64("", rig.files.folders.n, 2);
    UNIT_EQ_STR("parents first", rig.files.folders.at[0].path, "base");
    UNIT_EQ_STR("", rig.files.folders.at[1].path, "base/empty");
    UNIT_EQ_STR("the largest first", rig.files.list.at[0].path, "base/large");
    UNIT_EQ_STR("", rig.files.list.at[1].path, "base/other");
    UNIT_EQ_U64("", rig.files.list.at[0].bytes, 9 * MIB + 5);
    UNIT_EQ_I64("", rig.files.list.at[0].mode, 0640);
    rig_release(&rig);
}

static void test_scan_refuses(void)
{
    struct rig rig;

    rig_init(&rig);
    files_release(&rig.files);
    tmpdir_symlink(rig.dir, "/from/pg_wal", "../elsewhere");
    UNIT_EQ_I64("", files_scan(rig.from, &rig.files, &rig.err), -1);
    UNIT_TRUE(rig.err.text, strstr(rig.err.text, "/pg_wal is a link") != NULL);
    files_release(&rig.files);
    UNIT_EQ_I64("", files_scan("/nowhere/at/all", &rig.files, &rig.err), -1);
    rig_release(&rig);
}

static void test_copy(void)
{
    struct rig rig;
    struct stat st;
    char *large = NULL;
    uint64_t holes;

    rig_init(&rig);
    copied(&rig);
    UNIT_EQ_U64("", rig.told, rig.files.bytes);
    UNIT_EQ_U64("", rig.total, rig.files.bytes);
    holes = rig.files.bytes - rig.how.written;
    UNIT_TRUE("holes are not written", holes == 0 || (holes >= MIB && holes <= 3 * MIB));
    UNIT_EQ_I64(rig.err.text, files_check(&rig.files, rig.to, &rig.work, &rig.err), 0);
    UNIT_EQ_I64(rig.err.text, files_check(&rig.files, rig.from, &rig.work, &rig.err), 0);
    UNIT_EQ_I64(rig.err.text, files_look(&rig.files, rig.to, &rig.err), 0);
    large = xasprintf("%s/base/large", rig.to);
    UNIT_EQ_I64("", stat(large, &st), 0);
    UNIT_EQ_I64("", st.st_mode & 07777, 0640);
    UNIT_EQ_I64("only once", files_copy(&rig.files, &rig.how, &rig.work, &rig.err), -1);
    free(large);
    rig_release(&rig);
}

static void test_damaged(void)
{
    static const struct {
        const char *name;
        off_t at;
        const char *says;
    } cases[] = {
        {"base/large", 9 * MIB, "base/large has another checksum"},
        {"base/large", 4 * MIB, "base/large has another checksum"}, /* in the hole */
        {"base/small.7", 0, "base/small.7 has another checksum"},
        {"nothing", 0, "nothing has 2 bytes and not 0"},
        {"base/other", 2 * MIB, "base/other has"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct rig rig;
        char *back = NULL;

        rig_init(&rig);
        copied(&rig);
        damage(&rig, rig.to, cases[i].name, cases[i].at);
        UNIT_EQ_I64(cases[i].name, files_check(&rig.files, rig.to, &rig.work, &rig.err), -1);
        UNIT_TRUE(rig.err.text, strstr(rig.err.text, cases[i].says) != NULL);
        UNIT_EQ_I64("", rig.err.kind, ERR_CHECK_FAILED);
        back = xasprintf("%s/back", rig.dir);
        rig.how = (struct files_copy){.from = rig.to, .to = back, .sums_known = true};
        UNIT_EQ_I64("nor is it copied", files_copy(&rig.files, &rig.how, &rig.work, &rig.err), -1);
        UNIT_TRUE(rig.err.text, strstr(rig.err.text, cases[i].says) != NULL);
        free(back);
        rig_release(&rig);
    }
}

static void test_missing(void)
{
    struct rig rig;
    char *other = NULL;

    rig_init(&rig);
    copied(&rig);
    other = xasprintf("%s/base/other", rig.to);
    UNIT_EQ_I64("", unlink(other), 0);
    UNIT_EQ_I64("", files_look(&rig.files, rig.to, &rig.err), -1);
    UNIT_TRUE(rig.err.text, strstr(rig.err.text, "base/other is missing") != NULL);
    UNIT_EQ_I64("", files_check(&rig.files, rig.to, &rig.work, &rig.err), -1);
    free(other);
    rig_release(&rig);
}

static void test_stopped(void)
{
    struct rig rig;

    rig_init(&rig);
    stop_ask(&rig.stop);
    UNIT_EQ_I64("", files_copy(&rig.files, &rig.how, &rig.work, &rig.err), -1);
    UNIT_EQ_I64(rig.err.text, rig.err.kind, ERR_INTERRUPTED);
    UNIT_TRUE("not to its end", rig.told < rig.files.bytes);
    rig_release(&rig);
}

static const struct unit_test tests[] = {
    {"scan lists", test_scan},         {"scan refuses what can't be copied", test_scan_refuses},
    {"copy equals", test_copy},        {"damage is told", test_damaged},
    {"missing is told", test_missing}, {"a stop ends it", test_stopped},
};

const struct unit_suite files_suite = UNIT_SUITE("files", tests);
