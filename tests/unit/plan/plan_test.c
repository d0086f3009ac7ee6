/*
 * Every derived number against the design's: ceilings, sessions, phases, buffer, intervals, and
 * that a plan.yaml gives the same plan again.
 */
#include "plan/plan.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "config/rules.h"
#include "harness/unit.h"
#include "plan/made_plan.h"

static void test_the_model_run(void)
{
    struct plan p;

    expect_built(&p, "oltp", NULL, &big_machine);
    UNIT_EQ_I64("", p.dataset.warehouses, 1500);
    UNIT_EQ_U64("", p.users, 15000);
    UNIT_NEAR("", p.mean_cycle_s, 4.744, 0.001);
    UNIT_NEAR("", p.ceiling_tps, 3162, 0.5);
    UNIT_EQ_U64("", p.sessions, 316);
    UNIT_EQ_U64("", p.delivery_sessions, 0);
    UNIT_EQ_U64("", p.precondition_ns, 9000 * NS_PER_S);
    UNIT_EQ_U64("", p.sample_ns, 1800 * NS_PER_S);
    UNIT_NEAR("", (double)p.ramp_ns, p.mean_cycle_s * 1e9, 2);
    UNIT_EQ_U64("", p.interval_ns, NS_PER_S);
    UNIT_EQ_U64("", p.checkpoint_timeout_s, 300);
    UNIT_EQ_U64("14.4 % in whole pages", p.buffer_bytes, UINT64_C(24280329600) / 8192 * 8192);
    UNIT_EQ_I64("", p.check_before, CHECK_QUICK);
    UNIT_EQ_I64("", p.check_after, CHECK_FULL);
    UNIT_TRUE("169 GB are below 4 x 64 GB", p.reach_warning);
    UNIT_EQ_U64("", p.rules.rollback_ppm, 10000);
    UNIT_EQ_U64("", p.rules.remote_line_ppm, 10000);
    UNIT_EQ_U64("", p.rules.remote_payment_ppm, 150000);
    UNIT_EQ_U64("", p.rules.by_name_ppm, 600000);
    UNIT_TRUE("", !p.home_drawn);
    UNIT_TRUE("", !p.unit_table);
    UNIT_EQ_U64("", p.loaders, 16);
}

static void test_the_standards_pace(void)
{
    struct plan p;

    expect_built(&p, "tpcc", NULL, &big_machine);
    UNIT_NEAR("", p.mean_cycle_s, 20.99, 0.002);
    UNIT_NEAR("", p.ceiling_tps, 714.6, 0.1);
    UNIT_EQ_U64("", p.sessions, 71);
    UNIT_TRUE("", p.delivery_deferred);
    UNIT_EQ_U64("", p.delivery_sessions, 7);
    expect_built(&p, "tpcc",
                 PAIRS("workload.mix.new_order=10", "workload.mix.payment=10",
                       "workload.mix.order_status=1", "workload.mix.delivery=1",
                       "workload.mix.stock_level=1"),
                 &big_machine);
    UNIT_NEAR("the standard's deck", p.ceiling_tps, 724.8, 0.1);
}

static void test_no_pace(void)
{
    struct plan p;

    expect_built(&p, "saturate", PAIRS("load.warehouses=20"), &big_machine);
    UNIT_EQ_U64("10 users a warehouse", p.users, 200);
    UNIT_TRUE("", isnan(p.ceiling_tps));
    UNIT_NEAR("", p.mean_cycle_s, 0, 0);
    UNIT_EQ_U64("8 a core", p.sessions, 128);
    UNIT_EQ_U64("", p.ramp_ns, 0);
    UNIT_NEAR("", p.space_tps, 16000, 0);
}

static void test_other_paces(void)
{
    struct plan p;

    expect_built(&p, "tpcc", PAIRS("workload.pace=cycle", "workload.interval=5s"), &big_machine);
    UNIT_NEAR("", p.ceiling_tps, 3000, 0.1);
    expect_built(&p, "tpcc", PAIRS("workload.pace=interarrival", "workload.interval=uniform 2s 4s"),
                 &big_machine);
    UNIT_NEAR("", p.ceiling_tps, 5000, 0.1);
    UNIT_EQ_U64("at most", p.sessions, 400);
}

static void test_sessions(void)
{
    struct plan_facts theirs = big_machine;
    struct plan p;
    struct err err = {0};

    expect_built(&p, "oltp", PAIRS("run.users=10"), &big_machine);
    UNIT_EQ_U64("at least", p.sessions, 16);
    expect_built(&p, "oltp", PAIRS("run.sessions=1"), &big_machine);
    UNIT_EQ_U64("as given", p.sessions, 1);
    theirs.private_server = false;
    theirs.free_connections = 97;
    expect_built(&p, "oltp", PAIRS("target.pg=host=/x"), &theirs);
    UNIT_EQ_U64("free less 5", p.sessions, 92);
    UNIT_EQ_U64("not our buffer", p.buffer_bytes, 0);
    UNIT_EQ_I64("", build(&p, "oltp", PAIRS("run.sessions=93"), &theirs, &err), -1);
    UNIT_EQ_STR("", err.text,
                "the server has 97 free connections, of which 5 are left to others: 93 sessions do "
                "not fit (try --sessions 92)");
    UNIT_EQ_I64("", err.kind, ERR_SURROUNDINGS);
    theirs.free_connections = 5;
    UNIT_EQ_I64("", build(&p, "oltp", NULL, &theirs, &err), -1);
    theirs.free_connections = -1;
    expect_built(&p, "oltp", NULL, &theirs);
    UNIT_EQ_U64("not known", p.sessions, 316);
    theirs.private_server = true;
    theirs.free_connections = 0;
    expect_built(&p, "oltp", NULL, &theirs);
    UNIT_EQ_U64("the private server takes what the plan says", p.sessions, 316);
}

static void test_phases(void)
{
    struct plan p;

    expect_built(&p, "tpcc", PAIRS("run.duration=6m", "run.sample=4m"), &big_machine);
    UNIT_EQ_U64("", p.precondition_ns, 120 * NS_PER_S);
    UNIT_NEAR("", (double)p.ramp_ns / 1e9, 20.99, 0.002);
    UNIT_EQ_U64("", p.checkpoint_timeout_s, 40);
    expect_built(&p, "tpcc", PAIRS("run.duration=30s", "run.sample=15s"), &big_machine);
    UNIT_EQ_U64("a cycle that does not fit", p.ramp_ns, 15 * NS_PER_S);
    UNIT_EQ_U64("at least", p.checkpoint_timeout_s, 30);
    expect_built(&p, "tpcc", PAIRS("run.ramp=1s", "run.check=none"), &big_machine);
    UNIT_EQ_U64("", p.ramp_ns, NS_PER_S);
    UNIT_EQ_I64("", p.check_before, CHECK_NONE);
    UNIT_EQ_I64("", p.check_after, CHECK_NONE);
    expect_built(&p, "tpcc", PAIRS("run.duration=1s", "run.sample=200ms"), &big_machine);
    UNIT_EQ_U64("no longer than the sample", p.interval_ns, 200 * NS_PER_MS);
}

/* Rounds hold a checkpoint where the run has room for them; the bound of --until-steady has. */
static void test_rounds(void)
{
    struct plan p;

    expect_built(&p, "oltp", NULL, &big_machine);
    UNIT_EQ_U64("a checkpoint of 5 min", p.round_ns, 300 * NS_PER_S);
    UNIT_TRUE("", !p.until_steady);
    expect_built(&p, "tpcc", PAIRS("run.duration=60s", "run.sample=20s", "run.ramp=4s"),
                 &big_machine);
    UNIT_EQ_U64("a sixth of what is behind the ramp", p.round_ns, 9 * NS_PER_S);
    expect_built(&p, "tpcc", PAIRS("run.duration=2s", "run.sample=1s"), &big_machine);
    UNIT_EQ_U64("an interval at least", p.round_ns, NS_PER_S);
    expect_built(&p, "oltp", PAIRS("run.until-steady=true"), &big_machine);
    UNIT_TRUE("", p.until_steady);
    UNIT_EQ_U64("planned", p.precondition_planned_ns, 9000 * NS_PER_S);
    UNIT_EQ_U64("twice that at most", p.precondition_ns, 18000 * NS_PER_S);
    UNIT_EQ_U64("one interval for all of it", p.interval_ns, 2 * NS_PER_S);
    expect_built(&p, "oltp", PAIRS("run.until-steady=true", "run.precondition-max=4h"),
                 &big_machine);
    UNIT_EQ_U64("as asked", p.precondition_ns, 4 * 3600 * NS_PER_S);
    expect_built(&p, "oltp", PAIRS("run.until-steady=true", "run.precondition-max=1s"),
                 &big_machine);
    UNIT_TRUE("room for six rounds", p.precondition_ns >= p.ramp_ns + 6 * p.round_ns);
}

static void test_intervals(void)
{
    static const struct {
        const char *duration;
        uint64_t seconds;
    } cases[] = {
        {"run.duration=30s", 1},  {"run.duration=3h", 1},   {"run.duration=10801s", 2},
        {"run.duration=6h", 2},   {"run.duration=7h", 5},   {"run.duration=15h", 5},
        {"run.duration=16h", 10}, {"run.duration=24h", 10}, {"run.duration=31h", 30},
        {"run.duration=90h", 30}, {"run.duration=91h", 60}, {"run.duration=168h", 60},
    };
    struct plan_facts endless = big_machine;

    endless.fs_size_bytes = 0;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct plan p;

        expect_built(&p, "oltp", PAIRS(cases[i].duration), &endless);
        UNIT_EQ_U64(cases[i].duration, p.interval_ns, cases[i].seconds * NS_PER_S);
    }
}

static void test_warehouses_and_users(void)
{
    static const struct {
        const char *pairs[3];
        uint64_t there;
        int32_t warehouses;
        uint64_t users;
        bool home_drawn;
    } cases[] = {
        {{"run.users=101"}, 0, 11, 101, false},
        {{"run.users=1"}, 0, 1, 1, false},
        {{"run.users=15000"}, 20, 20, 15000, false},
        {{"load.warehouses=20", "run.users=15000"}, 0, 20, 15000, false},
        {{"load.warehouses=20"}, 20, 20, 15000, false},
        {{"load.warehouses=30", "load.rebuild=true"}, 20, 30, 15000, false},
        {{"load.size=3GB", "run.users=20"}, 0, 26, 20, true},
        {{"load.warehouses=100", "run.users=99"}, 0, 100, 99, true},
        {{"load.warehouses=100", "run.users=100"}, 0, 100, 100, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct plan_facts f = big_machine;
        struct plan p;

        f.dataset_warehouses = cases[i].there;
        f.dataset_complete = cases[i].there != 0;
        expect_built(&p, "oltp", cases[i].pairs, &f);
        UNIT_EQ_I64(cases[i].pairs[0], p.dataset.warehouses, cases[i].warehouses);
        UNIT_EQ_I64(cases[i].pairs[0], p.rules.warehouses, cases[i].warehouses);
        UNIT_EQ_U64(cases[i].pairs[0], p.users, cases[i].users);
        UNIT_TRUE(cases[i].pairs[0], p.home_drawn == cases[i].home_drawn);
    }
}

static void test_a_dataset_of_another_size(void)
{
    struct plan_facts f = big_machine;
    struct plan p;
    struct err err = {0};

    f.dataset_warehouses = 20;
    f.dataset_complete = true;
    UNIT_EQ_I64("", build(&p, "oltp", PAIRS("load.warehouses=30"), &f, &err), -1);
    UNIT_EQ_I64("", err.kind, ERR_USAGE);
    UNIT_EQ_STR("", err.text,
                "the dataset that is there has 20 warehouses, not 30 (give --warehouses 20 to use "
                "it, or --rebuild to drop it and load anew)");
    UNIT_TRUE("", !p.printable);
    f.dataset_complete = false;
    UNIT_EQ_I64("", build(&p, "oltp", PAIRS("load.size=3GB"), &f, &err), -1);
    UNIT_TRUE(err.text, strstr(err.text, "cut off") != NULL);
}

static void test_the_buffer(void)
{
    struct plan_facts f = big_machine;
    struct plan p;
    struct err err = {0};

    f.memory_bytes = 16 * GB;
    expect_built(&p, "oltp", NULL, &f);
    UNIT_EQ_U64("40 % of RAM", p.buffer_bytes, UINT64_C(6400000000) / 8192 * 8192);
    expect_built(&p, "oltp", PAIRS("run.users=10"), &f);
    UNIT_NEAR("14.4 %", (double)p.buffer_bytes, 0.144 * (double)p.space.dataset, 8192);
    f.memory_bytes = 30000000;
    expect_built(&p, "oltp", PAIRS("run.users=10"), &f);
    UNIT_EQ_U64("at least", p.buffer_bytes, UINT64_C(16) << 20);
    f.memory_bytes = 16 * GB;
    expect_built(&p, "oltp", PAIRS("server.buffer=1GiB"), &f);
    UNIT_EQ_U64("as given", p.buffer_bytes, UINT64_C(1) << 30);
    UNIT_EQ_I64("", build(&p, "oltp", PAIRS("server.buffer=20GB"), &f, &err), -1);
    UNIT_EQ_I64("", err.kind, ERR_USAGE);
}

/* What the last load here took counts, not a guess by cores. */
static void test_load_time(void)
{
    struct plan_facts f = big_machine;
    struct plan guessed;
    struct plan known;

    f.warehouse_load_s = 2.5;
    expect_built(&guessed, "oltp", PAIRS("load.warehouses=100"), &big_machine);
    expect_built(&known, "oltp", PAIRS("load.warehouses=100"), &f);
    UNIT_TRUE("", !guessed.load_known && known.load_known);
    UNIT_NEAR("", known.load_seconds, 250, 10);
    UNIT_TRUE("", fabs(guessed.load_seconds - 250) > 50);
}

/* The resolved plan, read back as a config, gives the same plan. */
static void test_plan_yaml_repeats(void)
{
    static const char *const workloads[] = {"oltp", "tpcc", "saturate"};
    static const char *const resolved[] = {"warehouses: auto", "loaders: auto", "unit: auto",
                                           "sessions: auto",   "sample: auto",  "ramp: auto",
                                           "interval: auto",   "buffer: auto"};

    for (size_t i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++) {
        struct config first;
        struct config second;
        struct plan a;
        struct plan b;
        struct strbuf yaml;
        struct err err = {0};
        const struct origin origin = {.kind = ORIGIN_CONFIG, .file = "plan.yaml"};

        configure(&first, workloads[i], PAIRS("run.duration=17m", "load.size=7GB", "run.seed=9"));
        strbuf_init(&yaml);
        config_init(&second, PROGRAM_RUN);
        UNIT_EQ_I64("", plan_build(&a, &first.s, &big_machine, &err), 0);
        a.dataset.seed = 77; /* as the manifest of what was there says */
        a.dataset.load_time_us = INT64_C(1790000000000000);
        plan_yaml(&a, &first.s, &yaml);
        UNIT_EQ_I64("", config_read_text(&second, yaml.buf, yaml.len, &origin, &err), 0);
        UNIT_EQ_I64("", config_read_workload(&second, NULL, &err), 0);
        UNIT_EQ_I64(err.text, config_validate(&second, &err), 0);
        UNIT_EQ_I64("", plan_build(&b, &second.s, &big_machine, &err), 0);
        UNIT_TRUE(workloads[i], memcmp(&a.pace, &b.pace, sizeof(a.pace)) == 0);
        UNIT_TRUE(workloads[i], memcmp(&a.space, &b.space, sizeof(a.space)) == 0);
        UNIT_EQ_U64("the same rows", b.dataset.seed, a.dataset.seed);
        UNIT_EQ_I64("the same stamps", b.dataset.load_time_us, a.dataset.load_time_us);
        UNIT_EQ_U64("the same inputs", b.rules.seed, a.rules.seed);
        UNIT_EQ_I64("", b.check_before, a.check_before);
        UNIT_EQ_I64("", b.check_after, a.check_after);
        UNIT_EQ_U64("", b.sessions, a.sessions);
        UNIT_EQ_U64("", b.ramp_ns, a.ramp_ns);
        UNIT_EQ_U64("", b.interval_ns, a.interval_ns);
        UNIT_EQ_U64("", b.buffer_bytes, a.buffer_bytes);
        UNIT_EQ_U64("", b.users, a.users);
        UNIT_EQ_U64("", b.loaders, a.loaders);
        UNIT_EQ_STR("", second.s.workload.name, workloads[i]);
        for (size_t k = 0; k < sizeof(resolved) / sizeof(resolved[0]); k++)
            UNIT_TRUE(resolved[k], strstr(yaml.buf, resolved[k]) == NULL);
        strbuf_release(&yaml);
        config_release(&second);
        config_release(&first);
    }
}

/* No line wider than a terminal, every term of the space, and no secret. */
static void test_the_plan_in_words(void)
{
    struct plan_facts f = big_machine;
    struct config c;
    struct plan p;
    struct strbuf out;
    struct err err = {0};

    configure(&c, "tpcc",
              PAIRS("target.pg=host=/run/postgresql password=hunter2", "run.label=x",
                    "load.warehouses=100000", "run.users=50"));
    f.private_server = false;
    f.free_connections = 90;
    f.fs_size_bytes = 0;
    strbuf_init(&out);
    UNIT_EQ_I64(err.text, plan_build(&p, &c.s, &f, &err), 0);
    plan_print(&p, &c.s, &f, &out);
    for (const char *line = out.buf; *line;) {
        const size_t len = strcspn(line, "\n");

        UNIT_TRUE(line, len <= 80);
        line += len + (line[len] == '\n');
    }
    UNIT_TRUE("", strstr(out.buf, "hunter2") == NULL);
    UNIT_TRUE("", strstr(out.buf, "WAL held") != NULL);
    UNIT_TRUE("", strstr(out.buf, "draws its home anew") != NULL);
    strbuf_reset(&out);
    plan_print_origins(&p, &c, &out);
    UNIT_TRUE("", strstr(out.buf, "hunter2") == NULL);
    UNIT_TRUE("", strstr(out.buf, "  run.users                       50                   command "
                                  "line\n") != NULL);
    UNIT_TRUE("", strstr(out.buf, "  run.sessions                    16                   default, "
                                  "auto\n") != NULL);
    strbuf_release(&out);
    config_release(&c);
}

/* With comments that tell where each value came from: the same values. */
static void test_plan_yaml_origins(void)
{
    struct config c;
    struct config again;
    struct plan p;
    struct strbuf plain;
    struct strbuf yaml;
    struct err err = {0};
    const struct origin origin = {.kind = ORIGIN_CONFIG, .file = "plan.yaml"};
    const struct origin odd = {.kind = ORIGIN_CONFIG, .file = "a\nb: c.yaml", .line = 7};

    configure(&c, "oltp", PAIRS("run.seed=9"));
    UNIT_EQ_I64("", config_set(&c, "run.label", "it's \"  # mine\"", &odd, &err), 0);
    UNIT_EQ_I64("", plan_build(&p, &c.s, &big_machine, &err), 0);
    strbuf_init(&plain);
    strbuf_init(&yaml);
    plan_yaml(&p, &c.s, &plain);
    plan_yaml_origins(&p, &c, &yaml);
    UNIT_TRUE("", strstr(yaml.buf, "  seed: 9  # command line\n") != NULL);
    UNIT_TRUE("", strstr(yaml.buf, "  # default, auto\n") != NULL);
    UNIT_TRUE("no end of the comment", strstr(yaml.buf, "  # a?b: c.yaml:7\n") != NULL);
    config_init(&again, PROGRAM_RUN);
    UNIT_EQ_I64(err.text, config_read_text(&again, yaml.buf, yaml.len, &origin, &err), 0);
    strbuf_reset(&yaml);
    plan_yaml(&p, &again.s, &yaml);
    UNIT_EQ_STR("", yaml.buf, plain.buf);
    strbuf_release(&plain);
    strbuf_release(&yaml);
    config_release(&again);
    config_release(&c);
}

static const struct unit_test tests[] = {
    {"the model run", test_the_model_run},
    {"the standard's pace", test_the_standards_pace},
    {"no pace", test_no_pace},
    {"other paces", test_other_paces},
    {"sessions", test_sessions},
    {"phases", test_phases},
    {"rounds", test_rounds},
    {"intervals", test_intervals},
    {"warehouses and users", test_warehouses_and_users},
    {"a dataset of another size", test_a_dataset_of_another_size},
    {"the buffer", test_the_buffer},
    {"load_time", test_load_time},
    {"plan.yaml repeats the plan", test_plan_yaml_repeats},
    {"plan.yaml tells origins", test_plan_yaml_origins},
    {"the plan in words", test_the_plan_in_words},
};
const struct unit_suite plan_suite = UNIT_SUITE("plan", tests);
