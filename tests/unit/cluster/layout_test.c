/*
 * DIR/tpcc-run/ as files: whose it is, what is written, what is removed and what is not.
 */
#include "cluster/layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/xalloc.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

struct rig {
    char *drive;
    struct layout l;
    struct err err;
};

static void rig_init(struct rig *rig)
{
    *rig = (struct rig){.drive = tmpdir_new()};
    UNIT_EQ_I64("", layout_init(&rig->l, rig->drive, &rig->err), 0);
}

static void rig_release(struct rig *rig)
{
    layout_release(&rig->l);
    tmpdir_free(rig->drive);
}

static void test_init(void)
{
    struct rig rig;
    struct layout l;
    char *canonical = NULL;
    char *roundabout = NULL;

    rig_init(&rig);
    canonical = realpath(rig.drive, NULL);
    tmpdir_symlink(rig.drive, "/link", ".");
    tmpdir_write(rig.drive, "/file", "");
    roundabout = xasprintf("%s/link/./link/", rig.drive);
    UNIT_EQ_I64("", layout_init(&l, roundabout, &rig.err), 0);
    UNIT_EQ_STR("canonical", l.drive, canonical);
    UNIT_TRUE(l.data, strstr(l.data, "/tpcc-run/data") != NULL);
    layout_release(&l);
    UNIT_EQ_I64("", layout_init(&l, "/", &rig.err), 0);
    UNIT_EQ_STR("no double slash", l.dir, "/tpcc-run");
    layout_release(&l);
    free(roundabout);
    roundabout = xasprintf("%s/file", rig.drive);
    UNIT_EQ_I64("", layout_init(&l, roundabout, &rig.err), -1);
    UNIT_TRUE(rig.err.text, strstr(rig.err.text, "not a directory") != NULL);
    layout_release(&l);
    UNIT_EQ_I64("", layout_init(&l, "/nowhere/at/all", &rig.err), -1);
    UNIT_EQ_I64("", rig.err.sys_errno, ENOENT);
    layout_release(&l);
    free(roundabout);
    free(canonical);
    rig_release(&rig);
}

static void test_look(void)
{
    static const struct {
        const char *what;
        const char *file; /* NULL: only the directory */
        const char *text;
        int want;
    } cases[] = {
        {"an empty one is anybody's", NULL, NULL, 0},
        {"only the lock of a removal cut off", "/tpcc-run/lock", "host", 0},
        {"something else", "/tpcc-run/thesis", "text", -1},
        {"OWNER of somebody else", "/tpcc-run/OWNER", "somebody", -1},
        {"OWNER cut off while it was made", "/tpcc-run/OWNER", "", 1},
        {"OWNER", "/tpcc-run/OWNER", "tpcc-run private server, format 1\nmore", 1},
        {"OWNER of a later format", "/tpcc-run/OWNER", "tpcc-run private server, format 2\n", -1},
        {"a hidden file counts", "/tpcc-run/.thesis", "text", -1},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct rig rig;

        rig_init(&rig);
        UNIT_EQ_I64(cases[i].what, layout_look(&rig.l, &rig.err), 0);
        tmpdir_mkdir(rig.drive, "/tpcc-run");
        if (cases[i].file)
            tmpdir_write(rig.drive, cases[i].file, cases[i].text);
        UNIT_EQ_I64(cases[i].what, layout_look(&rig.l, &rig.err), cases[i].want);
        UNIT_TRUE(cases[i].what, (cases[i].want < 0) == (rig.err.kind != ERR_NONE));
        rig_release(&rig);
    }
}

static void test_look_link(void)
{
    struct rig rig;

    rig_init(&rig);
    tmpdir_mkdir(rig.drive, "/elsewhere");
    tmpdir_write(rig.drive, "/elsewhere/OWNER", "");
    tmpdir_symlink(rig.drive, "/tpcc-run", "elsewhere");
    UNIT_EQ_I64("", layout_look(&rig.l, &rig.err), -1);
    UNIT_TRUE(rig.err.text, strstr(rig.err.text, "is a link") != NULL);
    UNIT_EQ_I64("", layout_make(&rig.l, &rig.err), -1);
    rig_release(&rig);
}

/* A link as OWNER would let somebody else's file speak for the directory. */
static void test_owner_link(void)
{
    struct rig rig;

    rig_init(&rig);
    tmpdir_write(rig.drive, "/empty", "");
    tmpdir_symlink(rig.drive, "/tpcc-run/OWNER", "../empty");
    UNIT_EQ_I64("", layout_look(&rig.l, &rig.err), -1);
    rig_release(&rig);
}

static void test_make(void)
{
    struct rig rig;
    struct stat st;
    const mode_t before = umask(0077);

    rig_init(&rig);
    UNIT_EQ_I64("", layout_make(&rig.l, &rig.err), 0);
    UNIT_EQ_I64("", layout_make(&rig.l, &rig.err), 0);
    UNIT_EQ_I64("", layout_look(&rig.l, &rig.err), 1);
    UNIT_EQ_I64("", stat(rig.l.dir, &st), 0);
    UNIT_EQ_I64("whatever the umask", st.st_mode & 07777, 0755);
    (void)umask(before);
    rig_release(&rig);
}

static void test_write(void)
{
    struct rig rig;
    char *text = NULL;

    rig_init(&rig);
    UNIT_EQ_I64("", layout_make(&rig.l, &rig.err), 0);
    UNIT_EQ_STR("", layout_read(&rig.l, "dataset"), NULL);
    tmpdir_write(rig.drive, "/tpcc-run/dataset.new", "of a write cut off");
    UNIT_EQ_I64("", layout_write(&rig.l, "dataset", "one\n", &rig.err), 0);
    UNIT_EQ_I64("", layout_write(&rig.l, "dataset", "two\n", &rig.err), 0);
    text = layout_read(&rig.l, "dataset");
    UNIT_EQ_STR("", text, "two\n");
    UNIT_TRUE("", layout_exists(&rig.l, "dataset"));
    UNIT_TRUE("", !layout_exists(&rig.l, "dataset.new"));
    UNIT_EQ_I64("", layout_unlink(&rig.l, "dataset", &rig.err), 0);
    UNIT_EQ_I64("again", layout_unlink(&rig.l, "dataset", &rig.err), 0);
    UNIT_TRUE("", !layout_exists(&rig.l, "dataset"));
    free(text);
    rig_release(&rig);
}

/* A link that the server's user could put into data/ must not be written through. */
static void test_write_link(void)
{
    struct rig rig;
    struct fsroot root;
    char *victim = NULL;

    rig_init(&rig);
    tmpdir_write(rig.drive, "/victim", "precious");
    tmpdir_symlink(rig.drive, "/tpcc-run/KEEP", "../victim");
    tmpdir_symlink(rig.drive, "/tpcc-run/KEEP.new", "../victim");
    UNIT_EQ_I64("", layout_write(&rig.l, "KEEP", "text\n", &rig.err), 0);
    fsroot_init(&root, rig.drive);
    victim = fsroot_read_line(&root, "/victim");
    UNIT_EQ_STR("", victim, "precious");
    free(victim);
    fsroot_release(&root);
    rig_release(&rig);
}

static void test_remove(void)
{
    struct rig rig;
    struct fsroot root;

    rig_init(&rig);
    fsroot_init(&root, rig.drive);
    UNIT_EQ_I64("", layout_make(&rig.l, &rig.err), 0);
    tmpdir_write(rig.drive, "/outside/thesis", "precious");
    tmpdir_write(rig.drive, "/tpcc-run/data/base/1/2", "");
    tmpdir_write(rig.drive, "/tpcc-run/data/PG_VERSION", "15\n");
    tmpdir_symlink(rig.drive, "/tpcc-run/data/pg_wal", "../../outside");
    tmpdir_write(rig.drive, "/tpcc-run/lock", "host");
    UNIT_EQ_I64("", layout_remove(&rig.l, "nothing", &rig.err), 0);
    UNIT_EQ_I64("", layout_remove(&rig.l, "data", &rig.err), 0);
    UNIT_TRUE("", !layout_exists(&rig.l, "data"));
    UNIT_TRUE("", layout_exists(&rig.l, "lock"));
    UNIT_TRUE("a link is not followed", fsroot_exists(&root, "/outside/thesis"));
    tmpdir_write(rig.drive, "/tpcc-run/data.old/x", "");
    UNIT_EQ_I64("", layout_remove_all(&rig.l, &rig.err), 0);
    UNIT_TRUE("", !fsroot_exists(&root, "/tpcc-run"));
    UNIT_TRUE("", fsroot_exists(&root, "/outside/thesis"));
    UNIT_EQ_I64("again", layout_remove_all(&rig.l, &rig.err), 0);
    UNIT_EQ_STR("", rig.err.text, "");
    fsroot_release(&root);
    rig_release(&rig);
}

static void test_remove_foreign(void)
{
    struct rig rig;
    struct fsroot root;

    rig_init(&rig);
    fsroot_init(&root, rig.drive);
    tmpdir_write(rig.drive, "/tpcc-run/thesis", "precious");
    UNIT_EQ_I64("", layout_remove_all(&rig.l, &rig.err), -1);
    UNIT_TRUE("", fsroot_exists(&root, "/tpcc-run/thesis"));
    fsroot_release(&root);
    rig_release(&rig);
}

static void test_note(void)
{
    static const struct {
        const char *text;
        struct dataset_note want;
    } cases[] = {
        {"warehouses=20\ncomplete=1\nbytes=2120000000\nloaded_at_us=1796085360391736\n",
         {20, true, 2120000000, INT64_C(1796085360391736)}},
        {"warehouses=20\ncomplete=1\nbytes=2\n", {20, true, 2, 0}}, /* of an earlier program */
        {"warehouses=20\ncomplete=0\nbytes=2\nloaded_at_us=7\n", {20, false, 2, 0}},
        {"bytes=5\nother=1\ncomplete=0\nwarehouses=3", {3, false, 5, 0}},
        {"", {0, false, 0, 0}},
        {"warehouses=20\ncomplete=1\n", {0, false, 0, 0}},
        {"warehouses=20\ncomplete=2\nbytes=1\n", {0, false, 0, 0}},
        {"warehouses=-1\ncomplete=1\nbytes=1\n", {0, false, 0, 0}},
        {"warehouses=20x\ncomplete=1\nbytes=1\n", {0, false, 0, 0}},
        {"\n\n\n", {0, false, 0, 0}},
    };
    struct dataset_note n;
    char *text = NULL;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        dataset_note_parse(cases[i].text, &n);
        UNIT_EQ_U64(cases[i].text, n.warehouses, cases[i].want.warehouses);
        UNIT_EQ_U64(cases[i].text, n.bytes, cases[i].want.bytes);
        UNIT_EQ_I64(cases[i].text, n.loaded_at_us, cases[i].want.loaded_at_us);
        UNIT_TRUE(cases[i].text, n.complete == cases[i].want.complete);
    }
    dataset_note_parse(NULL, &n);
    UNIT_EQ_U64("no file", n.warehouses, 0);
    text = dataset_note_format(&cases[0].want);
    UNIT_EQ_STR("", text, cases[0].text);
    free(text);
}

/* An image's home is no server's, and the other way round. */
static void test_image_home(void)
{
    struct rig rig;
    struct layout image;

    rig_init(&rig);
    UNIT_EQ_I64("", layout_init_image(&image, rig.drive, &rig.err), 0);
    UNIT_TRUE(image.dir, strstr(image.dir, "/tpcc-run-image") != NULL);
    UNIT_EQ_I64("", layout_make(&image, &rig.err), 0);
    UNIT_EQ_I64("", layout_look(&image, &rig.err), 1);
    UNIT_EQ_I64("", layout_make(&rig.l, &rig.err), 0);
    tmpdir_write(rig.drive, "/tpcc-run-image/OWNER", "tpcc-run private server, format 1\n");
    UNIT_EQ_I64("", layout_look(&image, &rig.err), -1);
    UNIT_TRUE(rig.err.text, strstr(rig.err.text, "name another --image") != NULL);
    tmpdir_write(rig.drive, "/tpcc-run-image/OWNER", "tpcc-run image of a dataset, format 1\n");
    UNIT_EQ_I64("", layout_remove_all(&image, &rig.err), 0);
    UNIT_EQ_I64("the server's stays", layout_look(&rig.l, &rig.err), 1);
    layout_release(&image);
    UNIT_EQ_I64("", layout_init_image(&image, "/nowhere/at/all", &rig.err), -1);
    UNIT_TRUE(rig.err.text, strstr(rig.err.text, "image directory") != NULL);
    layout_release(&image);
    rig_release(&rig);
}

static const struct unit_test tests[] = {
    {"init", test_init},
    {"look", test_look},
    {"look at a link", test_look_link},
    {"owner as a link", test_owner_link},
    {"make", test_make},
    {"write", test_write},
    {"write over a link", test_write_link},
    {"remove", test_remove},
    {"remove what is not ours", test_remove_foreign},
    {"dataset note", test_note},
    {"home of an image", test_image_home},
};
const struct unit_suite layout_suite = UNIT_SUITE("layout", tests);
