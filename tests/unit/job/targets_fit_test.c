/*
 * Targets that would do alone but not beside each other.
 */
#include "job/targets_fit.h"

#include <string.h>
#include <sys/resource.h>

#include "harness/unit.h"

#define GB UINT64_C(1000000000)

/* Two private ones on file systems of their own, as far as anything of it is looked at. */
struct pair {
    struct settings settings[2];
    struct job_env env[2];
    struct work work[2];
};

static void make(struct pair *p)
{
    static char names[2][8] = {"left", "right"};
    static char dirs[2][8] = {"/proc", "/dev"};

    memset(p, 0, sizeof(*p));
    for (size_t i = 0; i < 2; i++) {
        struct work *w = &p->work[i];

        p->settings[i].run.label = names[i];
        p->env[i].settings = &p->settings[i];
        w->env = &p->env[i];
        w->target.is_private = true;
        w->target.drive_dir = dirs[i];
        w->target.facts.memory_bytes = 8 * GB;
        w->plan.sessions = 16;
        w->plan.memory.limit = 2 * GB;
        w->plan.space = (struct plan_space){.needed = 15 * GB, .reserve = 5 * GB, .free = 20 * GB};
    }
}

static void expect(const struct pair *p, const char *error)
{
    const struct work *work[] = {&p->work[0], &p->work[1]};
    struct err err = {0};

    UNIT_EQ_I64(error, targets_fit(work, 2, &err), *error ? -1 : 0);
    UNIT_EQ_STR(error, err.text, error);
}

static void test_places(void)
{
    static char same[] = "/proc";
    static char database[] = "host=/run dbname=tpcc";
    struct pair p;

    make(&p);
    expect(&p, "");
    p.work[1].target.drive_dir = same;
    expect(&p, "targets left and right are the same directory: each needs one of its own");
    for (size_t i = 0; i < 2; i++) {
        p.work[i].target.is_private = false;
        p.work[i].target.conninfo = database;
    }
    expect(&p, "targets left and right are the same database: each needs one of its own");
    p.work[0].target.is_private = true;
    expect(&p, "");
}

static void test_memory(void)
{
    struct pair p;

    make(&p);
    p.work[0].plan.memory.limit = 15 * GB;
    expect(&p, "the servers of all targets may take 17 GB of memory, the machine has 16 GB (a "
               "smaller buffer or memory-limit, or fewer targets)");
    p.work[0].plan.memory.limit = 14 * GB;
    expect(&p, "");
    p.work[1].plan.memory.limit = 0; /* none: it takes its buffer at least */
    p.work[1].plan.buffer_bytes = 3 * GB;
    expect(&p, "the servers of all targets may take 17 GB of memory, the machine has 16 GB (a "
               "smaller buffer or memory-limit, or fewer targets)");
}

/* The reserve is the file system's, and there once. */
static void test_room_of_one_file_system(void)
{
    static char beside[] = "/proc/self";
    struct pair p;

    make(&p);
    p.work[1].target.drive_dir = beside;
    expect(&p, "2 targets on the file system of /proc need 25 GB together, 20 GB are free (fewer "
               "warehouses, or a drive for each)");
    p.work[1].plan.space.needed = 10 * GB;
    expect(&p, "");
}

static void test_images(void)
{
    static char one[] = "/proc/1";
    static char other[] = "/proc/2";
    static char drive[] = "/proc";
    struct pair p;

    make(&p);
    for (size_t i = 0; i < 2; i++) {
        struct restore *r = &p.work[i].target.restore;

        r->wanted = true;
        r->home.dir = one;
        r->home.drive = drive;
    }
    expect(&p, "targets left and right keep their images in /proc/1: each needs a directory of its "
               "own");
    p.work[1].target.restore.home.dir = other;
    p.work[0].target.restore.same_fs = true; /* in the plan of its drive */
    p.work[1].plan.space.dataset = 8 * GB;
    p.work[1].target.restore.free_bytes = 20 * GB;
    expect(&p, "2 targets on the file system of /proc need 23.2 GB together, 20 GB are free (fewer "
               "warehouses, or a drive for each)");
    p.work[1].target.restore.fits = true;
    expect(&p, "");
}

static void test_files(void)
{
    struct rlimit was;
    struct rlimit few;
    struct pair p;

    CU_ASSERT_FATAL(getrlimit(RLIMIT_NOFILE, &was) == 0);
    few = was;
    few.rlim_cur = 300;
    CU_ASSERT_FATAL(setrlimit(RLIMIT_NOFILE, &few) == 0);
    make(&p);
    p.work[0].plan.sessions = 100; /* 228 files: alone it would do */
    expect(&p, "");
    CU_ASSERT_FATAL(getrlimit(RLIMIT_NOFILE, &few) == 0);
    UNIT_EQ_U64("raised for both", few.rlim_cur, 100 + 16 + 2 * 128);
    CU_ASSERT_FATAL(setrlimit(RLIMIT_NOFILE, &was) == 0);
}

static const struct unit_test tests[] = {
    {"places", test_places},
    {"memory", test_memory},
    {"room of one file system", test_room_of_one_file_system},
    {"images", test_images},
    {"files", test_files},
};
const struct unit_suite targets_fit_suite = UNIT_SUITE("targets_fit", tests);
