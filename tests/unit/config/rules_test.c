/*
 * Each rule between settings: the pairs that break it with the message, and neighbours that do not.
 */
#include "config/rules.h"

#include <stdlib.h>
#include <string.h>

#include "harness/unit.h"

struct rule_case {
    const char *pairs[4]; /* "PATH=VALUE", NULL-terminated */
    const char *error;    /* NULL: valid */
};

#define WHAT(word) ((word) ? (word) : "")

static void expect(const struct rule_case *cases, size_t n)
{
    unsetenv("PGHOST");
    unsetenv("PGHOSTADDR");
    for (size_t i = 0; i < n; i++) {
        struct config c;
        struct err err = {0};

        config_init(&c, PROGRAM_RUN);
        for (size_t k = 0; cases[i].pairs[k]; k++)
            UNIT_EQ_I64(cases[i].pairs[k], config_set_pair(&c, cases[i].pairs[k], &err), 0);
        UNIT_EQ_I64(WHAT(cases[i].pairs[0]), config_validate(&c, &err), cases[i].error ? -1 : 0);
        UNIT_EQ_STR(WHAT(cases[i].pairs[0]), err.text, cases[i].error ? cases[i].error : "");
        if (cases[i].error)
            UNIT_EQ_I64(cases[i].pairs[0], err.kind, ERR_USAGE);
        config_release(&c);
    }
}

#define EXPECT(cases) expect(cases, sizeof(cases) / sizeof((cases)[0]))

static void test_targets(void)
{
    static const struct rule_case cases[] = {
        {{NULL}, NULL},
        {{"target.drive=/x"}, NULL},
        {{"target.pg=host=/x"}, NULL},
        {{"target.drive=/x", "target.pg=host=/x"},
         "--set target.pg: a server that already runs has its data where it is; give --drive DIR "
         "(a private server there) or --pg CONNINFO, not both"},
        {{"target.odbc=DSN=x"}, NULL},
        {{"target.odbc=DSN=x", "target.pg=host=/x"},
         "--set target.odbc: one server at a time: give --pg or --odbc, not both"},
        {{"target.drive=/x", "target.odbc=DSN=x"},
         "--set target.odbc: a server that already runs has its data where it is; give --drive DIR "
         "(a private server there) or --odbc CONNSTR, not both"},
        {{"target.odbc=hunter2;"},
         "--set target.odbc: not a connection string of ODBC (try \"DSN=tpcc\")"},
    };

    EXPECT(cases);
}

static void test_conninfo(void)
{
    static const struct rule_case cases[] = {
        {{"target.pg=postgresql://u:p@db/x"}, NULL},
        {{"target.pg=hunter2"},
         "--set target.pg: not a connection string (try \"host=/run/postgresql dbname=tpcc\")"},
    };

    EXPECT(cases);
}

static void test_not_our_server(void)
{
    static const struct rule_case cases[] = {
        {{"server.buffer=1GB"}, NULL},
        {{"target.pg=host=/x", "server.buffer=1GB"},
         "--set server.buffer: is for the private server, but --pg names one that already runs "
         "(leave one of the two out)"},
        {{"target.odbc=DSN=x", "server.buffer=1GB"},
         "--set server.buffer: is for the private server, but --odbc names one that already runs "
         "(leave one of the two out)"},
        {{"target.pg=host=/x", "server.keep-running=true"},
         "--set server.keep-running: is for the private server, but --pg names one that already "
         "runs (leave one of the two out)"},
    };

    EXPECT(cases);
}

static void test_restore(void)
{
    static const struct rule_case cases[] = {
        {{"load.restore=true"}, NULL},
        {{"load.restore=true", "load.restore-rest=0s", "load.restore-method=reflink"}, NULL},
        {{"load.remove=true", "load.image=/x"}, NULL},
        {{"load.image=/x"}, "--set load.image: is of a restore (see --restore)"},
        {{"load.restore-rest=5s"}, "--set load.restore-rest: is of a restore (see --restore)"},
        {{"load.remove=true", "load.restore-method=copy"},
         "--set load.restore-method: is of a restore (see --restore)"},
        {{"target.pg=host=/x", "load.restore=true"},
         "--set load.restore: only the private server's files can be put back: before each "
         "run let --rebuild load the dataset anew, or put the server's volume back yourself"},
        {{"target.odbc=DSN=x", "load.restore=true"},
         "--set load.restore: only the private server's files can be put back: before each "
         "run let --rebuild load the dataset anew, or put the server's volume back yourself"},
    };

    EXPECT(cases);
}

static void test_devices(void)
{
    static const struct rule_case cases[] = {
        {{"target.device=nvme0n1"}, NULL},
        {{"target.device=nvme0n1", "target.pg=host=/run/postgresql"}, NULL},
        {{"target.device=nvme0n1", "target.pg=dbname=x"}, NULL},
        {{"target.device=nvme0n1", "target.device=sda"}, NULL},
        {{"target.device=localhost:nvme0n1", "target.pg=host=db1"}, NULL},
        {{"target.device=nvme0n1", "target.pg=host=db1"},
         "--set target.device: the server is on host db1, \"nvme0n1\" would be a device of this "
         "machine (there: HOST:nvme0n1, read by ssh; here: localhost:nvme0n1)"},
        {{"target.device=sda", "target.device=sda"}, "--set target.device: \"sda\" is given twice"},
        {{"target.device=/dev/sda"},
         "--set target.device: \"/dev/sda\" is not a device under /sys/block (try nvme0n1)"},
        {{"target.device=localhost:"},
         "--set target.device: \"localhost:\" is not a device under /sys/block (try nvme0n1)"},
        {{"target.device=.."},
         "--set target.device: \"..\" is not a device under /sys/block (try nvme0n1)"},
        {{"target.device=db1:sda"}, NULL},
        {{"target.device=db1:sda", "target.device=sda"}, NULL},
        {{"target.device=me@db1:sda", "target.pg=host=db1"}, NULL},
        {{"target.device=db1:sda", "target.device=db1:sda"},
         "--set target.device: \"db1:sda\" is given twice"},
        {{"target.device=db1:/dev/sda"},
         "--set target.device: \"db1:/dev/sda\" is not a device under /sys/block (try nvme0n1)"},
        {{"target.device=-oProxyCommand=x:sda"},
         "--set target.device: \"-oProxyCommand=x:sda\": the host is to be a name that ssh knows "
         "(try db1:sda)"},
    };

    EXPECT(cases);
}

static void test_size_or_warehouses(void)
{
    static const struct rule_case cases[] = {
        {{"load.size=2GB"}, NULL},
        {{"load.size=2GB", "load.warehouses=auto"}, NULL},
        {{"load.size=2GB", "load.warehouses=2"},
         "--set load.size: --size and --warehouses both say how big the dataset is; give one (or "
         "--set load.warehouses=auto)"},
    };

    EXPECT(cases);
}

static void test_rebuild_or_remove(void)
{
    static const struct rule_case cases[] = {
        {{"load.rebuild=true"}, NULL},
        {{"load.remove=true"}, NULL},
        {{"load.rebuild=true", "load.remove=true"},
         "--set load.remove: give --rebuild or --remove, not both"},
    };

    EXPECT(cases);
}

static void test_sample(void)
{
    static const struct rule_case cases[] = {
        {{"run.duration=60s", "run.sample=59s"}, NULL},
        {{"run.duration=1s"}, NULL},
        {{"run.duration=60s", "run.sample=60s"},
         "--set run.sample: a sample of 1m leaves no time before it in a run of 1m (give a shorter "
         "--sample or a longer --duration)"},
    };

    EXPECT(cases);
}

static void test_ramp(void)
{
    static const struct rule_case cases[] = {
        {{"run.duration=60s", "run.ramp=50s"}, NULL},
        {{"run.duration=60s", "run.sample=20s", "run.ramp=40s"}, NULL},
        {{"run.duration=60s", "run.sample=20s", "run.ramp=41s"},
         "--set run.ramp: a ramp of 41s does not fit in the 40s before the sample (give a shorter "
         "--ramp or a longer --duration)"},
        {{"run.duration=60s", "run.ramp=51s"},
         "--set run.ramp: a ramp of 51s does not fit in the 50s before the sample (give a shorter "
         "--ramp or a longer --duration)"},
    };

    EXPECT(cases);
}

static void test_interval(void)
{
    static const struct rule_case cases[] = {
        {{"run.interval=10m"}, NULL},
        {{"run.duration=60s", "run.interval=10s"}, NULL},
        {{"run.duration=60s", "run.interval=11s"},
         "--set run.interval: an interval of 11s is longer than the sample"},
        {{"run.duration=10000s", "run.interval=100ms"}, NULL},
        {{"run.duration=10001s", "run.interval=100ms"},
         "--set run.interval: an interval of 100ms makes more than 100000 rows of this duration"},
    };

    EXPECT(cases);
}

static void test_label(void)
{
    static const struct rule_case cases[] = {
        {{"run.label=Optane 900P (fresh)"}, NULL},
        {{"run.label=a/b"},
         "--set run.label: \"a/b\" can't be part of a directory's name (no \"/\", no \".\" in "
         "front, at most 100 bytes)"},
        {{"run.label=..."},
         "--set run.label: \"...\" can't be part of a directory's name (no \"/\", no \".\" in "
         "front, at most 100 bytes)"},
    };

    EXPECT(cases);
}

static void test_mix(void)
{
    static const struct rule_case cases[] = {
        {{"workload.mix.new_order=44", "workload.mix.payment=44"}, NULL},
        {{"workload.mix.new_order=44"},
         "--set workload.mix.new_order: the mix has 99 cards, not 100"},
        {{"workload.mix.stock_level=5"}, "workload.mix.new_order: the mix has 101 cards, not 100"},
    };

    EXPECT(cases);
}

/* The standard's deck, once or more, is no hundred cards. */
static void test_the_standards_deck(void)
{
    for (uint64_t sets = 1; sets <= 6; sets++) {
        struct config c;
        struct err err = {0};

        config_init(&c, PROGRAM_RUN);
        for (int i = 0; i < SETTINGS_TXN; i++)
            c.s.workload.mix[i] = i < 2 ? 10 * sets : sets;
        UNIT_EQ_I64("", config_validate(&c, &err), 0);
        c.s.workload.mix[4]++;
        UNIT_EQ_I64("", config_validate(&c, &err), -1);
        config_release(&c);
    }
}

static void test_pace(void)
{
    static const struct rule_case cases[] = {
        {{"workload.pace=none"}, NULL},
        {{"workload.pace=cycle", "workload.interval=5s"}, NULL},
        {{"workload.pace=interarrival", "workload.interval=uniform 0s 2s"}, NULL},
        {{"workload.pace=cycle"},
         "workload.interval: the paces cycle and interarrival need a wait (try \"fixed 5s\")"},
    };

    EXPECT(cases);
}

static void test_waits_that_are_all_zero(void)
{
    struct config c;
    struct err err = {0};

    config_init(&c, PROGRAM_RUN);
    for (int i = 0; i < SETTINGS_TXN; i++) {
        c.s.workload.keying[i] = (struct settings_dist_of){0};
        c.s.workload.think[i] = (struct settings_dist_of){0};
    }
    UNIT_EQ_I64("", config_validate(&c, &err), -1);
    UNIT_EQ_STR("", err.text,
                "workload.pace: all waits are zero (for no waits: pace none, as in "
                "the workload saturate)");
    c.s.workload.keying[4].mean_ns = 1;
    UNIT_EQ_I64("", config_validate(&c, &err), 0);
    config_release(&c);
}

static void test_steps(void)
{
    static const struct rule_case cases[] = {
        {{"ladder.steps=100,200"}, NULL},
        {{"ladder.steps=100,200", "ladder.step-sample=1m", "ladder.step-settle=30s"}, NULL},
        {{"ladder.steps=100,x"},
         "--set ladder.steps: \"x\" is neither a number of users nor a range of them (try "
         "2000,5000,10000 or 1000..20000x1.5)"},
        {{"ladder.step-sample=1m"},
         "--set ladder.step-sample: is of a ladder's steps (see --steps)"},
        {{"ladder.steps=100", "run.users=100"},
         "--set run.users: is each step's own in a ladder (see --steps, --step-sample, "
         "--step-settle)"},
        {{"ladder.steps=100", "run.duration=1h"},
         "--set run.duration: is each step's own in a ladder (see --steps, --step-sample, "
         "--step-settle)"},
        {{"ladder.steps=100", "workload.pace=none"},
         "--set ladder.steps: without a pace there are no users to step through (--workload "
         "oltp)"},
        {{"run.repeat=3"}, NULL},
        {{"run.repeat=3", "ladder.resume=/x"}, NULL},
        {{"run.repeat=3", "ladder.steps=100"},
         "--set run.repeat: a ladder is not repeated (leave one of the two out)"},
        {{"ladder.resume=/x"},
         "--set ladder.resume: neither ladder nor repeats: its plan.yaml has one run"},
        {{"ladder.resume=/x", "ladder.steps=100"}, NULL},
        {{"ladder.find-users=p95<20ms", "run.users=100"}, NULL},
        {{"ladder.find-users=p95"},
         "--set ladder.find-users: \"p95\" has no \"<\" before its limit (try \"p95<20ms\" or "
         "\"p95<20ms, new_order.p99<100ms\")"},
        {{"ladder.find-users=p95<20ms", "ladder.steps=100"},
         "--set ladder.find-users: one ladder at a time: --steps, --find-users or --find-tps"},
        {{"ladder.find-tps=curve", "ladder.step-percent=50,110"}, NULL},
        {{"ladder.find-tps=curve", "workload.pace=none"}, NULL},
        {{"ladder.find-tps=p95<20ms"}, NULL},
        {{"ladder.find-tps=all"},
         "--set ladder.find-tps: neither \"curve\" nor conditions: \"all\" has no \"<\" before its "
         "limit (try \"p95<20ms\" or \"p95<20ms, new_order.p99<100ms\")"},
        {{"ladder.find-tps=curve", "ladder.step-percent=50,300"},
         "--set ladder.step-percent: 300 %: a step has 1 to 200"},
        {{"ladder.find-tps=curve", "run.users=100"},
         "--set run.users: has no part in an offered rate (--warehouses says how large the dataset "
         "is)"},
        {{"ladder.steps=100", "ladder.step-percent=50"},
         "--set ladder.step-percent: is of the rates of --find-tps"},
        {{"ladder.find-users=p95<20ms", "ladder.find-tps=curve"},
         "--set ladder.find-tps: one ladder at a time: --steps, --find-users or --find-tps"},
        {{"ladder.find-users=p95<20ms", "run.sample=1m"},
         "--set run.sample: is each step's own in a ladder (see --steps, --step-sample, "
         "--step-settle)"},
    };

    EXPECT(cases);
}

static const struct unit_test tests[] = {
    {"targets", test_targets},
    {"conninfo", test_conninfo},
    {"not our server", test_not_our_server},
    {"restore", test_restore},
    {"devices", test_devices},
    {"size or warehouses", test_size_or_warehouses},
    {"rebuild or remove", test_rebuild_or_remove},
    {"sample", test_sample},
    {"ramp", test_ramp},
    {"interval", test_interval},
    {"label", test_label},
    {"mix", test_mix},
    {"the standard's deck", test_the_standards_deck},
    {"pace", test_pace},
    {"waits that are all zero", test_waits_that_are_all_zero},
    {"steps", test_steps},
};
const struct unit_suite rules_suite = UNIT_SUITE("rules", tests);
