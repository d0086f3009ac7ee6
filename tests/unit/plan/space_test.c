/*
 * The space that a dataset and a run take: against loads and runs that were measured, term by term,
 * and the command that a refusal names.
 */
#include "plan/space.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "harness/unit.h"
#include "plan/made_plan.h"

/* Loads of 1, 5 and 20 warehouses were measured at 125.8, 575.6 and 2,261.9 MB. */
static void test_datasets(void)
{
    UNIT_NEAR("", (double)space_of_dataset(1), 125.8e6, 0.1e6);
    UNIT_NEAR("", (double)space_of_dataset(5), 575.6e6, 0.5e6);
    UNIT_NEAR("", (double)space_of_dataset(20), 2261.9e6, 1e6);
    for (uint64_t w = 1; w < 100000; w = w * 3 / 2 + 1) {
        UNIT_EQ_U64("", space_warehouses(space_of_dataset(w) + 10), w);
        UNIT_TRUE("", space_warehouses(space_of_dataset(w) - 10) <= (w > 1 ? w - 1 : 1));
    }
}

/* The runs that space.c tells of, held against what was measured. */
static void test_measured_runs(void)
{
    static const struct {
        uint64_t seconds, checkpoint_s;
        double wal, held, versions;
    } runs[] = {{240, 30, 374e6, 772e6, 19e6}, {720, 60, 565e6, 1158e6, 37e6}};

    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        const uint8_t mix[TXN_TYPES] = {45, 43, 4, 4, 4};
        const struct space_run run = {.warehouses = 20,
                                      .mix = mix,
                                      .tps = 310,
                                      .duration_ns = runs[i].seconds * NS_PER_S,
                                      .checkpoint_timeout_s = runs[i].checkpoint_s};
        struct plan_space space;

        space_build(&space, &run, &big_machine);
        UNIT_NEAR("WAL", (double)space.wal_interval, runs[i].wal, 0.15 * runs[i].wal);
        UNIT_NEAR("WAL held", (double)space.wal, runs[i].held, 0.25 * runs[i].held);
        UNIT_NEAR("versions", (double)space.versions, runs[i].versions, 0.25 * runs[i].versions);
    }
}

static void test_terms(void)
{
    struct plan p;

    expect_built(&p, "oltp", NULL, &big_machine);
    UNIT_EQ_U64("", p.space.dataset, UINT64_C(168613400000));
    UNIT_EQ_U64("", p.space.dataset_missing, p.space.dataset);
    UNIT_NEAR("", (double)p.space.inserts, 25.9e9, 0.3e9);
    UNIT_NEAR("", (double)p.space.versions, 3.9e9, 0.1e9);
    UNIT_NEAR("", (double)p.space.wal, 2.2 * (double)p.space.wal_interval, 2);
    UNIT_EQ_U64("", p.space.reserve, 400 * GB);
    UNIT_EQ_U64("", p.space.needed,
                p.space.dataset_missing + p.space.inserts + p.space.versions + p.space.wal +
                    p.space.reserve);
    UNIT_EQ_U64("", p.space.free, 3900 * GB);
    UNIT_TRUE("", p.space.fits);
    UNIT_EQ_U64("", p.max_wal_bytes, p.space.wal);
    expect_built(&p, "oltp", PAIRS("run.users=10"), &big_machine);
    UNIT_EQ_U64("at least", p.max_wal_bytes, GB);
    UNIT_TRUE("five segments", p.space.wal >= 80000000);
}

static void test_what_is_there(void)
{
    struct plan_facts f = big_machine;
    struct plan p;

    f.dataset_warehouses = 20;
    f.dataset_complete = true;
    f.dataset_bytes = 2 * GB;
    expect_built(&p, "oltp", NULL, &f);
    UNIT_EQ_U64("complete", p.space.dataset_missing, 0);
    UNIT_NEAR("", p.load_seconds, 0, 0);
    expect_built(&p, "oltp", PAIRS("load.rebuild=true"), &f);
    UNIT_EQ_U64("what is dropped makes room", p.space.dataset_missing, 261400000);
    f.dataset_complete = false;
    f.dataset_bytes = GB;
    expect_built(&p, "oltp", NULL, &f);
    UNIT_EQ_U64("the rest of a load", p.space.dataset_missing, 1261400000);
    UNIT_TRUE("", p.load_seconds > 0);
    f.load_only = true;
    expect_built(&p, "oltp", NULL, &f);
    UNIT_EQ_U64("a load keeps the reserve", p.space.reserve, f.fs_size_bytes / 10);
    f.dataset_complete = true;
    f.fs_free_bytes = 1;
    expect_built(&p, "oltp", NULL, &f);
    UNIT_EQ_U64("what is only read needs none", p.space.needed, 0);
    f.fs_free_bytes = f.fs_size_bytes;
    expect_built(&p, "oltp", PAIRS("load.rebuild=true"), &f);
    UNIT_EQ_U64("a rebuild keeps it", p.space.reserve, f.fs_size_bytes / 10);
}

static void test_an_image(void)
{
    struct plan_facts f = big_machine;
    struct plan p;
    uint64_t without;

    expect_built(&p, "oltp", NULL, &f);
    UNIT_EQ_U64("not asked for", p.space.image, 0);
    without = p.space.needed;
    f.restore = true;
    f.image_dir = "/mnt/tpcc-run";
    f.image_on_drive = true;
    expect_built(&p, "oltp", NULL, &f);
    UNIT_EQ_U64("with what lies beside the dataset", p.space.image, p.space.dataset + 200000000);
    UNIT_EQ_U64("", p.space.needed, without + p.space.image);
    f.image_there = true;
    expect_built(&p, "oltp", NULL, &f);
    UNIT_EQ_U64("already there", p.space.image, 0);
    f.image_there = false;
    f.image_on_drive = false;
    expect_built(&p, "oltp", NULL, &f);
    UNIT_EQ_U64("elsewhere", p.space.image, 0);
}

/* More of anything never takes less space; the search for a smaller run relies on it. */
static void test_grows(void)
{
    uint64_t before = 0;

    for (uint64_t w = 1; w < 3000; w = w * 3 / 2 + 1) {
        const uint8_t mix[TXN_TYPES] = {45, 43, 4, 4, 4};
        const struct space_run run = {.warehouses = w,
                                      .mix = mix,
                                      .tps = (double)w * 2,
                                      .duration_ns = 3600 * NS_PER_S,
                                      .checkpoint_timeout_s = 100};
        struct plan_space space;

        space_build(&space, &run, &big_machine);
        UNIT_TRUE("", space.needed > before);
        before = space.needed;
    }
}

/* The command that a refusal names fits, and one warehouse more does not. */
static void expect_fitting(const struct plan_facts *f, const char *const *pairs, const char *text)
{
    const char *w = strstr(text, "--warehouses ");
    const char *u = strstr(text, "--users ");
    char *more = NULL;
    char *fewer = NULL;
    struct plan p;
    struct err err = {0};

    CU_ASSERT_PTR_NOT_NULL_FATAL(w);
    CU_ASSERT_PTR_NOT_NULL_FATAL(u);
    const uint64_t warehouses = strtoull(w + strlen("--warehouses "), NULL, 10);
    const uint64_t users = strtoull(u + strlen("--users "), NULL, 10);

    fewer = xasprintf("load.warehouses=%llu", (unsigned long long)warehouses);
    more = xasprintf("run.users=%llu", (unsigned long long)users);
    UNIT_EQ_I64(text, build(&p, "oltp", PAIRS(pairs[0], fewer, more), f, &err), 0);
    free(fewer);
    free(more);
    if (f->dataset_warehouses)
        fewer = xasprintf("load.warehouses=%llu", (unsigned long long)warehouses);
    else
        fewer = xasprintf("load.warehouses=%llu", (unsigned long long)warehouses + 1);
    more = xasprintf("run.users=%llu", (unsigned long long)users + users / warehouses);
    UNIT_EQ_I64(text, build(&p, "oltp", PAIRS(pairs[0], fewer, more), f, &err), -1);
    free(fewer);
    free(more);
}

static void test_refusals_name_what_fits(void)
{
    struct plan_facts f = big_machine;
    struct plan p;
    struct err err = {0};

    f.command = "tpcc-run --drive /mnt/x --duration 1h";
    f.fs_size_bytes = 100 * GB;
    f.fs_free_bytes = 50 * GB;
    UNIT_EQ_I64("", build(&p, "oltp", PAIRS("run.duration=1h"), &f, &err), -1);
    UNIT_EQ_I64("", err.kind, ERR_SURROUNDINGS);
    UNIT_TRUE("", p.printable);
    UNIT_TRUE("", !p.space.fits);
    UNIT_TRUE(err.text, strstr(err.text, "50 GB free; this fits: tpcc-run --drive /mnt/x "
                                         "--duration 1h --warehouses ") != NULL);
    expect_fitting(&f, PAIRS("run.duration=1h"), err.text);

    f.dataset_warehouses = 20;
    f.dataset_complete = true;
    f.dataset_bytes = 2 * GB;
    f.fs_free_bytes = 15 * GB;
    UNIT_EQ_I64("", build(&p, "oltp", PAIRS("run.duration=3h"), &f, &err), -1);
    UNIT_TRUE(err.text, strstr(err.text, "--warehouses 20 --users ") != NULL);
    expect_fitting(&f, PAIRS("run.duration=3h"), err.text);

    f.fs_free_bytes = 0;
    UNIT_EQ_I64("", build(&p, "oltp", NULL, &f, &err), -1);
    UNIT_TRUE(err.text, strstr(err.text, "no smaller run of this duration fits") != NULL);
}

static void test_that_is_not_known(void)
{
    struct plan_facts f = big_machine;
    struct plan p;

    f.fs_size_bytes = 0;
    f.fs_free_bytes = 0;
    expect_built(&p, "oltp", NULL, &f);
    UNIT_TRUE("", p.space.fits);
    UNIT_TRUE("memory is another machine's", !p.reach_warning);
}

static const struct unit_test tests[] = {
    {"datasets", test_datasets},
    {"measured runs", test_measured_runs},
    {"terms", test_terms},
    {"what is there", test_what_is_there},
    {"an image", test_an_image},
    {"grows", test_grows},
    {"refusals name what fits", test_refusals_name_what_fits},
    {"that is not known", test_that_is_not_known},
};
const struct unit_suite space_suite = UNIT_SUITE("space", tests);
