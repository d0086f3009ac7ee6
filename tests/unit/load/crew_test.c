/*
 * load/crew: every job once, the first failure told, lost connections tried again, stop obeyed.
 */
#include "load/crew.h"

#include <string.h>

#include "harness/unit.h"
#include "null_load.h"
#include "tpcc/nurand.h"

struct watch {
    atomic_int runs;
    atomic_int fail_at; /* the run that fails; 0: none */
    const char *sqlstate;
    struct stop *stop_at_fail; /* asked in that run instead of failing */
    int ticks;
};

static int watched_job(struct load_hand *hand, struct job *j, void *ctx, struct err *err)
{
    struct watch *w = ctx;
    const int n = atomic_fetch_add(&w->runs, 1) + 1;

    CU_ASSERT(hand->session != NULL);
    CU_ASSERT(!j->done);
    if (n != atomic_load(&w->fail_at))
        return 0;
    if (w->stop_at_fail) {
        stop_ask(w->stop_at_fail);
        return 0;
    }
    (void)err_set(err, ERR_DB, "made to fail");
    memcpy(err->sqlstate, w->sqlstate, 6);
    return -1;
}

static void count_tick(void *ctx)
{
    ((struct watch *)ctx)->ticks++;
}

static int run(uint32_t threads, struct watch *w, struct units *u, struct err *err)
{
    const struct tpcc_dataset ds = {.seed = 1, .warehouses = 6, .c_load = nurand_c_load(1)};
    struct null_load n;
    struct crew crew = {
        .units = u, .threads = threads, .job = watched_job, .tick = count_tick, .ctx = w};
    int rc = 0;

    null_load_init(&n, NULL, NULL);
    if (w->stop_at_fail)
        w->stop_at_fail = &n.stop;
    crew.env = &n.env;
    units_init(u);
    units_add_fills(u, &ds, false);
    rc = crew_run(&crew, err);
    null_load_release(&n);
    return rc;
}

#define JOBS (8 * 6 + 1 + 8) /* eight tables of warehouses, item, keys of all but history */

static void test_every_job(void)
{
    static const uint32_t threads[] = {1, 2, 7, 100};

    for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
        struct watch w = {.sqlstate = ""};
        struct err err = {0};
        struct units u;

        UNIT_EQ_I64(err.text, run(threads[i], &w, &u, &err), 0);
        UNIT_EQ_I64("", w.runs, JOBS);
        UNIT_TRUE("", w.ticks >= JOBS);
        UNIT_TRUE("", units_sum(&u, STEP_FILL).all_done && units_sum(&u, STEP_KEYS).all_done);
        units_release(&u);
    }
}

static void test_a_failure_ends_it(void)
{
    struct watch w = {.fail_at = 5, .sqlstate = "53100"};
    struct err err = {0};
    struct units u;

    UNIT_EQ_I64("", run(2, &w, &u, &err), -1);
    UNIT_EQ_STR("", err.text, "made to fail");
    UNIT_TRUE("nothing more is begun", w.runs <= 7);
    UNIT_TRUE("", !units_sum(&u, STEP_FILL).all_done);
    units_release(&u);
}

static void test_a_loss_is_tried_again(void)
{
    static const char *const states[] = {"57P01", "40P01", "08006", "57P03"};

    for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
        struct watch w = {.fail_at = 3, .sqlstate = states[i]};
        struct err err = {0};
        struct units u;

        UNIT_EQ_I64(states[i], run(2, &w, &u, &err), 0);
        UNIT_EQ_I64("one more", w.runs, JOBS + 1);
        UNIT_TRUE("", units_sum(&u, STEP_FILL).all_done);
        units_release(&u);
    }
}

static void test_stop(void)
{
    struct stop placeholder = {0};
    struct watch w = {.fail_at = 4, .sqlstate = "", .stop_at_fail = &placeholder};
    struct err err = {0};
    struct units u;

    UNIT_EQ_I64("", run(1, &w, &u, &err), -1);
    UNIT_EQ_I64("", err.kind, ERR_INTERRUPTED);
    UNIT_TRUE("soon", w.runs <= 5);
    units_release(&u);
}

static void test_no_server(void)
{
    const struct tpcc_dataset ds = {.seed = 1, .warehouses = 1, .c_load = nurand_c_load(1)};
    struct watch w = {.sqlstate = ""};
    struct null_load n;
    struct err err = {0};
    struct units u;
    struct crew crew = {.units = &u, .threads = 2, .job = watched_job, .ctx = &w};

    null_load_init(&n, NULL, NULL);
    n.script.refuse_connect = 1;
    crew.env = &n.env;
    units_init(&u);
    units_add_fills(&u, &ds, true);
    UNIT_EQ_I64("", crew_run(&crew, &err), -1);
    UNIT_TRUE("told", err.text[0] != '\0');
    UNIT_EQ_I64("", w.runs, 0);
    units_release(&u);
    null_load_release(&n);
}

static const struct unit_test tests[] = {
    {"every job", test_every_job},
    {"a failure ends it", test_a_failure_ends_it},
    {"a loss is tried again", test_a_loss_is_tried_again},
    {"stop", test_stop},
    {"no server", test_no_server},
};
const struct unit_suite crew_suite = UNIT_SUITE("crew", tests);
