/*
 * block/profile: every wrong thing with its place; what is written reads back the same; the
 * workloads of the installation.
 */
#include "block/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "block/trace.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

#define GOOD "{name: a, read: 100, random: 100, outstanding: 8, size: 4KiB}"

static void test_what_is_wrong(void)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"run: {}", "f:1:1: a block workload is a map \"block:\" and nothing beside it"},
        {"block: {name: x}", "f:1:8: block: profiles are missing"},
        {"block: {profiles: [" GOOD "]}", "f:1:8: block: a name is missing (name: ...)"},
        {"block: {name: a/b, profiles: [" GOOD "]}",
         "f:1:8: block: the name \"a/b\" may have letters, digits, \"-\", \"_\", \".\" only, 40 at "
         "most"},
        {"block: {nam: x}", "f:1:9: \"nam\" is not known here (try name)"},
        {"block: {name: x, modelled: maybe}", "f:1:28: modelled: true or false is wanted"},
        {"block: {name: x, modelled: true, profiles: [" GOOD "]}",
         "f:1:8: block: what is modelled names its sources (sources: [...])"},
        {"block: {name: x, points: [50, 50]}", "f:1:31: the points must rise"},
        {"block: {name: x, points: [0]}", "f:1:27: \"0\" is not within 1 and 200"},
        {"block: {name: x, profiles: []}",
         "f:1:28: profiles: a list of 1 to 64 profiles is wanted"},
        {"block: {name: x, profiles: [3]}", "f:1:29: a profile is a map (name: ..., read: ...)"},
        {"block: {name: x, profiles: [{name: a}]}",
         "f:1:29: a: outstanding is missing (how many I/Os may be under way)"},
        {"block: {name: x, profiles: [{name: a, outstanding: 0}]}",
         "f:1:52: outstanding: \"0\" is not within 1 and 1024"},
        {"block: {name: x, profiles: [{name: a, outstanding: 8, random: 1}]}",
         "f:1:29: a: read is missing (percent of the I/Os)"},
        {"block: {name: x, profiles: [{name: a, outstanding: 8, read: 100, random: 1}]}",
         "f:1:29: a: size or read_sizes is missing"},
        {"block: {name: x, profiles: [{name: a, outstanding: 8, read: 50, random: 1, read_sizes: "
         "{4KiB: 100}}]}",
         "f:1:29: a: size or write_sizes is missing"},
        {"block: {name: x, profiles: [{name: a, outstanding: 8, read: 50, random: 0, size: 4KiB}]}",
         "f:1:29: a: a sequential stream either reads or writes"},
        {"block: {name: x, profiles: [{read_sizes: {4KiB: 60, 8KiB: 39}}]}",
         "f:1:42: read_sizes: the percents sum to 99, not to 100"},
        {"block: {name: x, profiles: [{size: 4000}]}",
         "f:1:36: size: \"4000\" is no block size (512 to 16MiB, in steps of 512)"},
        {"block: {name: x, profiles: [{size: 4KiX}]}",
         "f:1:36: size: \"4KiX\" is not a size (try 48GB or 512MiB)"},
        {"block: {name: x, profiles: [{rates: [0.5]}]}",
         "f:1:38: a number of I/Os a second is wanted, 1 or more"},
        {"block: {name: x, profiles: [" GOOD ", " GOOD "]}", "f:1:92: the name \"a\" stands twice"},
        {"block: {name: x, profiles: [{name: a, outstanding: 8, trace: /nope/t, read: 3}]}",
         "f:1:29: a: a trace has its own mix, sizes and rates"},
        {"block: {name: x, profiles: [{name: a, outstanding: 8, trace: /nope/t}]}",
         "f:1:29: a: can't read the trace /nope/t: No such file or directory"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct profile_set set;
        struct err err = {0};

        UNIT_EQ_I64(cases[i].text,
                    profile_parse(cases[i].text, strlen(cases[i].text), "f", &set, &err), -1);
        UNIT_EQ_STR(cases[i].text, err.text, cases[i].error);
        UNIT_EQ_I64(cases[i].text, err.kind, ERR_USAGE);
        profile_set_release(&set);
    }
}

static void write_again(const char *what, const struct profile_set *set)
{
    struct profile_set back;
    struct strbuf first;
    struct strbuf second;
    struct err err = {0};

    strbuf_init(&first);
    strbuf_init(&second);
    profile_write(set, &first);
    UNIT_EQ_I64(what, profile_parse(first.buf, first.len, what, &back, &err), 0);
    UNIT_EQ_STR(what, err.text, "");
    profile_write(&back, &second);
    UNIT_EQ_STR(what, second.buf, first.buf);
    profile_set_release(&back);
    strbuf_release(&first);
    strbuf_release(&second);
}

/* Modelled ones say so and name their sources; the curve is 10 to 120 %. */
static void test_workloads_of_the_installation(void)
{
    static const struct {
        const char *name;
        size_t profiles;
        bool modelled;
        int64_t outstanding; /* of the first */
    } cases[] = {
        {"four-corners", 4, false, 128},   {"four-corners-observed", 4, false, 128},
        {"vdi-boot", 1, true, 32},         {"vdi-initial-login", 1, true, 32},
        {"vdi-monday-login", 1, true, 16},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct profile_set set;
        struct err err = {0};

        UNIT_EQ_I64(cases[i].name, profile_read(cases[i].name, ".", &set, &err), 0);
        UNIT_EQ_STR(cases[i].name, err.text, "");
        UNIT_EQ_STR(cases[i].name, set.name, cases[i].name);
        UNIT_EQ_U64(cases[i].name, set.profiles.n, cases[i].profiles);
        UNIT_EQ_I64(cases[i].name, set.modelled, cases[i].modelled);
        UNIT_EQ_I64(cases[i].name, set.sources.n > 0, cases[i].modelled);
        UNIT_EQ_U64(cases[i].name, set.points.n, 12);
        UNIT_EQ_I64(cases[i].name, set.points.at[11], 120);
        UNIT_EQ_I64(cases[i].name, set.profiles.at[0].outstanding, cases[i].outstanding);
        write_again(cases[i].name, &set);
        profile_set_release(&set);
    }
}

/* A login storm's reads were 36 KB on average, its writes 10 KB. */
static void test_spread_of_sizes(void)
{
    const struct profile_sizes none = {.n = 0};
    const struct profile_sizes one = {.n = 1, .at = {{4096, 100}}};
    const struct profile_sizes two = {.n = 2, .at = {{8192, 50}, {12288, 50}}};
    const struct profile_sizes far = {.n = 2, .at = {{4096, 90}, {1048576, 10}}};

    UNIT_NEAR("", profile_sizes_spread(&none), 0, 0);
    UNIT_NEAR("", profile_sizes_spread(&one), 0, 0);
    UNIT_NEAR("", profile_sizes_spread(&two), 0.2, 1e-12);
    /* Of 4 and 1,024 KiB: mean 106, deviation 306. */
    UNIT_NEAR("", profile_sizes_spread(&far), 306 / 106.0, 1e-12);
}

static void test_mean_sizes(void)
{
    struct profile_set set;
    struct err err = {0};
    struct strbuf text;

    strbuf_init(&text);
    UNIT_EQ_I64(err.text, profile_read("vdi-initial-login", ".", &set, &err), 0);
    UNIT_NEAR("", profile_sizes_mean(&set.profiles.at[0].read), 36 * 1024, 1e-6);
    UNIT_NEAR("", profile_sizes_mean(&set.profiles.at[0].write), 10 * 1024, 1e-6);
    UNIT_NEAR("", profile_mean_bytes(&set.profiles.at[0]), 23 * 1024, 1e-6);
    profile_say(&set.profiles.at[0], &text);
    UNIT_EQ_STR("", text.buf, "50 % reads of 36 KiB (mean), writes of 10 KiB (mean), 80 % random");
    UNIT_TRUE("", profile_set_writes(&set));
    profile_set_release(&set);
    strbuf_release(&text);
}

static void test_names_that_are_none(void)
{
    struct profile_set set;
    struct err err = {0};

    UNIT_EQ_I64("", profile_read("nope", "/d", &set, &err), -1);
    UNIT_EQ_STR("", err.text,
                "\"nope\" is no block workload (the ones there are: /d/workloads/block; a file of "
                "your own: ./NAME.yaml)");
    profile_set_release(&set);
    UNIT_EQ_I64("", profile_read("/nope/x.yaml", "/d", &set, &err), -1);
    UNIT_EQ_STR("", err.text, "can't read /nope/x.yaml: No such file or directory");
    profile_set_release(&set);
}

static void test_traces(void)
{
    static const struct {
        const char *text;
        int rc;
        double iops;
        bool writes;
    } cases[] = {
        {"fio version 2 iolog\n/d add\n/d open\n/d read 0 4096\n/d wait 500000\n/d read 8192 4096\n"
         "/d close\n",
         0, (double)NAN, false},
        {"fio version 3 iolog\n0 /d add\n0 /d read 0 4096\n2000000 /d write 8192 4096\n", 0, 1,
         true},
        {"fio version 2 iolog\n/d read 0 4096\n", 0, (double)NAN, false},
        {"fio version 2 iolog\n/d open\n", -1, (double)NAN, true},
        {"fio version 1 iolog\n", -1, (double)NAN, true},
        {"\x07tae", 0, (double)NAN, true},
        {"", -1, (double)NAN, true},
    };
    char *dir = tmpdir_new();

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char *path = xasprintf("%s/trace", dir);
        FILE *file = fopen(path, "we");
        struct trace_facts facts;
        struct err err = {0};

        UNIT_TRUE("", file && fputs(cases[i].text, file) >= 0 && fclose(file) == 0);
        UNIT_EQ_I64(cases[i].text, trace_look(path, &facts, &err), cases[i].rc);
        UNIT_EQ_I64(cases[i].text, facts.writes, cases[i].writes);
        if (isnan(cases[i].iops))
            UNIT_TRUE(cases[i].text, isnan(facts.iops));
        else
            UNIT_NEAR(cases[i].text, facts.iops, cases[i].iops, 1e-9);
        free(path);
    }
    tmpdir_free(dir);
}

static const struct unit_test tests[] = {
    {"what is wrong", test_what_is_wrong},
    {"workloads of the installation", test_workloads_of_the_installation},
    {"mean sizes", test_mean_sizes},
    {"spread of sizes", test_spread_of_sizes},
    {"names that are none", test_names_that_are_none},
    {"traces", test_traces},
};
const struct unit_suite profile_suite = UNIT_SUITE("profile", tests);
