/*
 * Command lines: values, files, commands, errors, and the line as it is noted for the result.
 */
#include "config/cmdline.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

enum { WORDS_MAX = 12 };

struct line {
    struct config c;
    enum cmdline_asks asks;
    struct err err;
    char *argv[WORDS_MAX + 2]; /* copies: parsing writes into them */
};

/* Parses the words behind the program's name. */
static int parse(struct line *l, enum spec_program program, const char *const *words)
{
    int argc = 1;

    *l = (struct line){.asks = CMDLINE_WORK};
    config_init(&l->c, program);
    l->argv[0] = xstrdup("program");
    for (; words[argc - 1]; argc++) {
        CU_ASSERT_FATAL(argc <= WORDS_MAX);
        l->argv[argc] = xstrdup(words[argc - 1]);
    }
    return cmdline_parse(&l->c, argc, l->argv, &l->asks, &l->err);
}

static void release(struct line *l)
{
    config_release(&l->c);
    for (int i = 0; i < WORDS_MAX; i++)
        free(l->argv[i]);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_values(void)
{
    struct line l;

    UNIT_EQ_I64("",
                parse(&l, PROGRAM_RUN,
                      WORDS("--drive", "/x", "--users=50", "--dur", "30s", "--device", "sda",
                            "--device", "sdb", "--json")),
                0);
    UNIT_EQ_STR("", l.err.text, "");
    UNIT_EQ_STR("", l.c.s.target.drive, "/x");
    UNIT_EQ_U64("", l.c.s.run.users, 50);
    UNIT_EQ_U64("", l.c.s.run.duration_ns, UINT64_C(30000000000));
    UNIT_EQ_I64("", l.c.s.target.n_devices, 2);
    UNIT_TRUE("", l.c.s.output.json);
    UNIT_TRUE("", config_is_set(&l.c, "run.users"));
    UNIT_TRUE("", !config_is_set(&l.c, "run.seed"));
    UNIT_EQ_STR("", l.c.command,
                "tpcc-run --drive /x --users 50 --duration 30s --device sda --device sdb --json");
    UNIT_EQ_STR("", l.c.command_base,
                "tpcc-run --drive /x --duration 30s --device sda --device sdb --json");
    release(&l);
}

/* The last of two wins; --set stands on the same rank as the options. */
static void test_the_last_wins(void)
{
    struct line l;

    UNIT_EQ_I64("",
                parse(&l, PROGRAM_RUN,
                      WORDS("--users", "1", "--set", "run.users=2", "--set", "load.size=1GB",
                            "--label", "it's")),
                0);
    UNIT_EQ_U64("", l.c.s.run.users, 2);
    UNIT_EQ_STR("", l.c.command,
                "tpcc-run --users 1 --set run.users=2 --set load.size=1GB --label 'it'\\''s'");
    UNIT_EQ_STR("", l.c.command_base, "tpcc-run --label 'it'\\''s'");
    release(&l);
}

static void test_config_files_rank_below_options(void)
{
    char *dir = tmpdir_new();
    char *a = xasprintf("%s/a.yaml", dir);
    char *b = xasprintf("%s/b.yaml", dir);
    struct line l;

    tmpdir_write(dir, "/a.yaml", "run: {users: 1, seed: 1, label: a}\n");
    tmpdir_write(dir, "/b.yaml", "run: {seed: 2}\n");
    UNIT_EQ_I64("", parse(&l, PROGRAM_RUN, WORDS("--users", "9", "--config", a, "--config", b)), 0);
    UNIT_EQ_STR("", l.err.text, "");
    UNIT_EQ_U64("", l.c.s.run.users, 9);
    UNIT_EQ_U64("", l.c.s.run.seed, 2);
    UNIT_EQ_STR("", l.c.s.run.label, "a");
    release(&l);
    free(b);
    free(a);
    tmpdir_free(dir);
}

static void test_commands(void)
{
    static const struct {
        const char *word;
        enum cmdline_asks asks;
    } cases[] = {
        {"--help", CMDLINE_HELP},           {"-h", CMDLINE_HELP},
        {"--version", CMDLINE_VERSION},     {"--man", CMDLINE_MAN},
        {"--reference", CMDLINE_REFERENCE},
    };
    static const enum spec_program programs[] = {PROGRAM_RUN, PROGRAM_LOAD, PROGRAM_CHECK,
                                                 PROGRAM_REPORT};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (size_t k = 0; k < sizeof(programs) / sizeof(programs[0]); k++) {
            struct line l;

            UNIT_EQ_I64(cases[i].word, parse(&l, programs[k], WORDS(cases[i].word, "--nonsense")),
                        0);
            UNIT_EQ_I64(cases[i].word, l.asks, cases[i].asks);
            release(&l);
        }
    }
}

static void test_errors(void)
{
    static const struct {
        const char *words[3];
        enum spec_program program;
        const char *error;
    } cases[] = {
        {{"--userss", "5"}, PROGRAM_RUN, "\"--userss\" is not an option (try --users)"},
        {{"--userss=secret"}, PROGRAM_RUN, "\"--userss\" is not an option (try --users)"},
        {{"--xyzzy"}, PROGRAM_RUN, "\"--xyzzy\" is not an option (tpcc-run --help lists them)"},
        {{"--users", "5"},
         PROGRAM_CHECK,
         "--users is not an option of tpcc-check (tpcc-check --help lists them)"},
        {{"--users"}, PROGRAM_RUN, "--users needs a value"},
        {{"--users", "x"}, PROGRAM_RUN, "--users: \"x\" is not a whole number (try 100)"},
        {{"--users", ""}, PROGRAM_RUN, "--users: the value is empty"},
        {{"--json=1"}, PROGRAM_RUN, "--json takes no value (for a false one: --set)"},
        {{"--help=1"}, PROGRAM_RUN, "--help takes no value (for a false one: --set)"},
        {{"-x"}, PROGRAM_RUN, "\"-x\" is not an option (tpcc-run --help lists them)"},
        {{"--set", "run.user=1"},
         PROGRAM_RUN,
         "--set run.user: \"run.user\" is not a setting (try run.users)"},
        {{"--set", "x"}, PROGRAM_RUN, "--set: \"x\" is not PATH=VALUE (try run.duration=30s)"},
        {{"--config", "/nowhere/x.yaml"}, PROGRAM_RUN, "/nowhere/x.yaml: no such file"},
        {{"host=db password=hunter2"},
         PROGRAM_RUN,
         "\"host\": tpcc-run takes options only (tpcc-run --help lists them)"},
        {{"--", "--users"},
         PROGRAM_RUN,
         "\"--users\": tpcc-run takes options only (tpcc-run --help lists them)"},
        {{NULL}, PROGRAM_REPORT, "name a result directory (tpcc-report --help)"},
        {{"--config", "x"},
         PROGRAM_REPORT,
         "\"--config\" is not an option (tpcc-report --help lists them)"},
        {{NULL}, PROGRAM_PREP, "name one device (drive-prep --help)"},
        {{"a", "b"}, PROGRAM_PREP, "name one device (drive-prep --help)"},
        {{"--for", "fun"},
         PROGRAM_PREP,
         "--for: \"fun\" is not one of blocks, database (try blocks)"},
        {{"--pg", "x\ny"}, PROGRAM_RUN, "--pg: the value has control characters or is not UTF-8"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct line l;

        UNIT_EQ_I64(cases[i].error, parse(&l, cases[i].program, cases[i].words), -1);
        UNIT_EQ_STR(cases[i].error, l.err.text, cases[i].error);
        UNIT_EQ_I64(cases[i].error, l.err.kind, ERR_USAGE);
        release(&l);
    }
}

static void test_words_of_the_report(void)
{
    struct line l;

    UNIT_EQ_I64("", parse(&l, PROGRAM_REPORT, WORDS("a", "--json", "b c", "--", "--d")), 0);
    UNIT_EQ_U64("", l.c.args.n, 3);
    UNIT_EQ_STR("", l.c.args.at[1], "b c");
    UNIT_EQ_STR("", l.c.args.at[2], "--d");
    UNIT_EQ_STR("", l.c.command, "tpcc-report --json a 'b c' --d");
    release(&l);
}

/* Nor in the noted command, nor in argv, from where a list of processes has it. */
static void test_secrets_are_overwritten(void)
{
    static const char *const lines[][3] = {
        {"--pg", "host=db password=hunter2 user=u"},
        {"--pg=host=db password=hunter2 user=u"},
        {"--set", "target.pg=host=db password=hunter2 user=u"},
        {"--set=target.pg=host=db password=hunter2 user=u"},
        {"--pg", "hunter2"},
        {"--pg", "postgresql://u:hunter2@db"},
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct line l;

        UNIT_EQ_I64(lines[i][0], parse(&l, PROGRAM_RUN, lines[i]), 0);
        UNIT_TRUE("kept for connecting", strstr(l.c.s.target.pg, "hunter2") != NULL);
        UNIT_TRUE(l.c.command, strstr(l.c.command, "hunter2") == NULL);
        for (int k = 0; l.argv[k]; k++)
            UNIT_TRUE(l.argv[k], strstr(l.argv[k], "hunter2") == NULL);
        if (i == 0)
            UNIT_EQ_STR("", l.c.command, "tpcc-run --pg 'host=db user=u'");
        release(&l);
    }
}

static const struct unit_test tests[] = {
    {"values", test_values},
    {"the last wins", test_the_last_wins},
    {"config files rank below options", test_config_files_rank_below_options},
    {"commands", test_commands},
    {"errors", test_errors},
    {"words of the report", test_words_of_the_report},
    {"secrets are overwritten", test_secrets_are_overwritten},
};
const struct unit_suite cmdline_suite = UNIT_SUITE("cmdline", tests);
