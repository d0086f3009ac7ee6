/*
 * Merging: who wins, what origin is kept, what errors say and where, the workload file's special
 * place, and that written settings read back to the same.
 */
#include "config/config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "config/rules.h"
#include "config/spec_value.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

static const struct origin from_file = {.kind = ORIGIN_CONFIG, .file = "c.yaml"};
static const struct origin from_command = {.kind = ORIGIN_COMMAND, .option = "--users"};

static int read_as(struct config *c, enum origin_kind kind, const char *yaml, struct err *err)
{
    const struct origin origin = {.kind = kind, .file = "c.yaml"};

    return config_read_text(c, yaml, strlen(yaml), &origin, err);
}

static const struct origin *origin_of(const struct config *c, const char *path)
{
    return &c->origin[spec_index(spec_find(path))];
}

static void test_later_wins_in_any_order(void)
{
    struct config c;
    struct err err = {0};

    config_init(&c, PROGRAM_RUN);
    UNIT_TRUE("", !config_is_set(&c, "run.users"));
    UNIT_EQ_I64("", config_set(&c, "run.users", "7", &from_command, &err), 0);
    UNIT_EQ_I64("", read_as(&c, ORIGIN_ETC, "run: {users: 1, seed: 11}", &err), 0);
    UNIT_EQ_I64("", read_as(&c, ORIGIN_CONFIG, "run:\n  users: 3\n  label: x", &err), 0);
    UNIT_EQ_I64("", read_as(&c, ORIGIN_CWD, "run: {users: 2, seed: 12, label: y}", &err), 0);
    UNIT_EQ_U64("", c.s.run.users, 7);
    UNIT_EQ_U64("", c.s.run.seed, 12);
    UNIT_EQ_STR("", c.s.run.label, "x");
    UNIT_EQ_I64("", origin_of(&c, "run.users")->kind, ORIGIN_COMMAND);
    UNIT_EQ_I64("", origin_of(&c, "run.label")->kind, ORIGIN_CONFIG);
    UNIT_EQ_U64("", origin_of(&c, "run.label")->line, 3);
    UNIT_EQ_U64("", origin_of(&c, "run.label")->column, 10);
    UNIT_TRUE("", config_is_set(&c, "run.users"));
    config_release(&c);
}

static void test_lists_begin_anew_at_a_higher_rank(void)
{
    struct config c;
    struct err err = {0};

    config_init(&c, PROGRAM_RUN);
    UNIT_EQ_I64("", read_as(&c, ORIGIN_CWD, "target: {device: [sda, sdb]}", &err), 0);
    UNIT_EQ_I64("", c.s.target.n_devices, 2);
    UNIT_EQ_I64("", config_set(&c, "target.device", "sdc", &from_command, &err), 0);
    UNIT_EQ_I64("", config_set(&c, "target.device", "sdd", &from_command, &err), 0);
    UNIT_EQ_I64("", c.s.target.n_devices, 2);
    UNIT_EQ_STR("", c.s.target.device[0], "sdc");
    UNIT_EQ_STR("", c.s.target.device[1], "sdd");
    UNIT_EQ_I64("", read_as(&c, ORIGIN_CONFIG, "target: {device: sde}", &err), 0);
    UNIT_EQ_STR("", c.s.target.device[0], "sdc");
    config_release(&c);
}

static void test_errors_say_where(void)
{
    static const struct {
        const char *yaml, *error;
    } cases[] = {
        {"run:\n  duration: 5 fortnights",
         "c.yaml:2:13: run.duration: \"5 fortnights\" is not a duration (try 5m)"},
        {"run:\n  durration: 5m",
         "c.yaml:2:3: \"run.durration\" is not a setting (try run.duration)"},
        {"runn:\n  users: 5", "c.yaml:1:1: \"runn\" is not a setting (try run)"},
        {"users: 5", "c.yaml:1:1: \"users\" is not a setting (try run.users)"},
        {"run: {users: 5, users: 6}", "c.yaml:1:17: \"users\" stands here again, after line 1"},
        {"run: {users: 5}\nrun.users: 6", "c.yaml:2:1: run.users stands here again"},
        {"run: {users: 5}\nrun: {seed: 6}", "c.yaml:2:1: \"run\" stands here again, after line 1"},
        {"run: {users: }", "c.yaml:1:14: run.users: the value is empty"},
        {"run: {users: [1]}", "c.yaml:1:7: run.users takes one value, not a list"},
        {"run: {users: {a: 1}}", "c.yaml:1:7: run.users takes one value, not a group"},
        {"run: 5", "c.yaml:1:1: run is a group of settings, not a value"},
        {"workload: {mix: 5}", "c.yaml:1:12: workload.mix is a group of settings, not a value"},
        {"target: {device: [a, [b]]}", "c.yaml:1:10: target.device takes a list of texts"},
        {"- a\n- b", "c.yaml:1:1: not a map of settings (try \"run: {users: 100}\")"},
        {"just text", "c.yaml:1:1: not a map of settings (try \"run: {users: 100}\")"},
        {"run: {users: 1} junk", NULL},
        {"run: {users: 1", NULL},
        {"run:\n\tusers: 1", NULL},
        {"run: {users: 15 000}",
         "c.yaml:1:14: run.users: \"15 000\" is not a whole number (try 100)"},
        {"target: {pg: \"secret\\u0007\"}",
         "c.yaml:1:14: target.pg: the value has control characters or is not UTF-8"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct config c;
        struct err err = {0};

        config_init(&c, PROGRAM_RUN);
        UNIT_EQ_I64(cases[i].yaml, read_as(&c, ORIGIN_CONFIG, cases[i].yaml, &err), -1);
        UNIT_EQ_I64(cases[i].yaml, err.kind, ERR_USAGE);
        if (cases[i].error)
            UNIT_EQ_STR(cases[i].yaml, err.text, cases[i].error);
        else
            UNIT_TRUE(err.text, strncmp(err.text, "c.yaml:", 7) == 0);
        config_release(&c);
    }
}

/* A wrong value is an error also where the command line overrides it. */
static void test_overridden_values_are_checked(void)
{
    struct config c;
    struct err err = {0};

    config_init(&c, PROGRAM_RUN);
    UNIT_EQ_I64("", config_set(&c, "run.users", "7", &from_command, &err), 0);
    UNIT_EQ_I64("", read_as(&c, ORIGIN_ETC, "run: {users: 0}", &err), -1);
    UNIT_EQ_STR("", err.text, "c.yaml:1:14: run.users: \"0\" is below 1 (try 1)");
    UNIT_EQ_U64("", c.s.run.users, 7);
    config_release(&c);
}

static void test_set_pairs(void)
{
    static const struct {
        const char *pair, *error;
    } cases[] = {
        {"run.users=5", NULL},
        {"run.label=a=b", NULL},
        {"run.users", "--set: \"run.users\" is not PATH=VALUE (try run.duration=30s)"},
        {"=5", "--set: \"=...\" is not PATH=VALUE (try run.duration=30s)"},
        {"run.users=", "--set run.users: the value is empty"},
        {"run.user=5", "--set run.user: \"run.user\" is not a setting (try run.users)"},
        {"run.users=x", "--set run.users: \"x\" is not a whole number (try 100)"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct config c;
        struct err err = {0};

        config_init(&c, PROGRAM_RUN);
        UNIT_EQ_I64(cases[i].pair, config_set_pair(&c, cases[i].pair, &err),
                    cases[i].error ? -1 : 0);
        UNIT_EQ_STR(cases[i].pair, err.text, cases[i].error ? cases[i].error : "");
        config_release(&c);
    }
}

static void test_set_knows_its_program(void)
{
    struct config c;
    struct err err = {0};

    config_init(&c, PROGRAM_CHECK);
    UNIT_EQ_I64("", config_set_pair(&c, "run.users=5", &err), -1);
    UNIT_EQ_STR("", err.text, "--set run.users: tpcc-check has no such setting");
    UNIT_EQ_I64("a file may have it", read_as(&c, ORIGIN_CWD, "run: {users: 5}", &err), 0);
    config_release(&c);
}

static void test_files(void)
{
    char *dir = tmpdir_new();
    char *path = xasprintf("%s/c.yaml", dir);
    struct config c;
    struct err err = {0};

    config_init(&c, PROGRAM_RUN);
    UNIT_EQ_I64("", config_read_file(&c, path, ORIGIN_CWD, true, &err), 0);
    UNIT_EQ_I64("", config_read_file(&c, path, ORIGIN_CONFIG, false, &err), -1);
    UNIT_TRUE(err.text, strstr(err.text, "/c.yaml: no such file") != NULL);
    UNIT_EQ_I64("a directory", config_read_file(&c, dir, ORIGIN_CWD, true, &err), -1);
    UNIT_EQ_I64("", err.kind, ERR_USAGE);
    tmpdir_write(dir, "/c.yaml", "# nothing but a comment\n");
    UNIT_EQ_I64("", config_read_file(&c, path, ORIGIN_CONFIG, false, &err), 0);
    tmpdir_write(dir, "/c.yaml", "run:\n");
    UNIT_EQ_I64("", config_read_file(&c, path, ORIGIN_CONFIG, false, &err), 0);
    tmpdir_write(dir, "/c.yaml", "---\nrun: {users: 5}\n...\n");
    UNIT_EQ_I64("", config_read_file(&c, path, ORIGIN_CONFIG, false, &err), 0);
    UNIT_EQ_U64("", c.s.run.users, 5);
    config_release(&c);
    free(path);
    tmpdir_free(dir);
}

/* The workload file. */

static char *data_dir_new(void)
{
    char *dir = tmpdir_new();

    tmpdir_write(dir, "/workloads/oltp.yaml", "workload: {name: oltp, factor: 0.226}\n");
    tmpdir_write(dir, "/workloads/tpcc.yaml", "workload: {delivery: deferred}\n");
    tmpdir_write(dir, "/workloads/bad.yaml", "run: {users: 5}\n");
    return dir;
}

static void test_the_default_workload(void)
{
    char *dir = data_dir_new();
    struct config c;
    struct err err = {0};

    config_init(&c, PROGRAM_RUN);
    UNIT_EQ_I64("", config_set_pair(&c, "workload.rollback-percent=5", &err), 0);
    UNIT_EQ_I64(err.text, config_read_workload(&c, dir, &err), 0);
    UNIT_EQ_STR("", c.s.workload.name, "oltp");
    UNIT_NEAR("", c.s.workload.factor, 0.226, 0);
    UNIT_NEAR("", c.s.workload.rollback_percent, 5, 0);
    UNIT_EQ_I64("", origin_of(&c, "workload.factor")->kind, ORIGIN_WORKLOAD);
    UNIT_TRUE("", c.workload_file && strstr(c.workload_file, "/workloads/oltp.yaml"));
    config_release(&c);
    tmpdir_free(dir);
}

static void test_a_workload_replaces_the_group(void)
{
    char *dir = data_dir_new();
    struct config c;
    struct err err = {0};

    config_init(&c, PROGRAM_RUN);
    UNIT_EQ_I64("",
                read_as(&c, ORIGIN_CONFIG,
                        "run: {workload: inline}\nworkload: {factor: 3, name: mine}", &err),
                0);
    UNIT_EQ_I64("", config_set_pair(&c, "run.workload=tpcc", &err), 0);
    UNIT_EQ_I64(err.text, config_read_workload(&c, dir, &err), 0);
    UNIT_EQ_STR("", c.s.workload.name, "tpcc");
    UNIT_NEAR("", c.s.workload.factor, 1, 0);
    UNIT_TRUE("", c.s.workload.delivery_deferred);
    config_release(&c);
    tmpdir_free(dir);
}

static void test_inline_takes_the_group(void)
{
    struct config c;
    struct err err = {0};

    config_init(&c, PROGRAM_RUN);
    UNIT_EQ_I64(
        "", read_as(&c, ORIGIN_CONFIG, "run: {workload: inline}\nworkload: {factor: 3}", &err), 0);
    UNIT_EQ_I64(err.text, config_read_workload(&c, NULL, &err), 0);
    UNIT_EQ_STR("", c.s.workload.name, "inline");
    UNIT_NEAR("", c.s.workload.factor, 3, 0);
    UNIT_TRUE("", c.workload_file == NULL);
    config_release(&c);
}

static void test_a_group_that_would_be_lost(void)
{
    char *dir = data_dir_new();
    struct config c;
    struct err err = {0};

    config_init(&c, PROGRAM_RUN);
    UNIT_EQ_I64("", read_as(&c, ORIGIN_CONFIG, "workload: {factor: 3}", &err), 0);
    UNIT_EQ_I64("", config_read_workload(&c, dir, &err), -1);
    UNIT_EQ_STR("", err.text,
                "c.yaml:1:20: workload.factor: would be replaced by the workload \"oltp\" (add "
                "\"run: {workload: inline}\", or make it a workload file)");
    config_release(&c);
    tmpdir_free(dir);
}

static void test_wrong_workloads(void)
{
    static const struct {
        const char *name, *error;
    } cases[] = {
        {"oltpp", "--workload: \"oltpp\" is not a workload (try oltp)"},
        {"elephant",
         "--workload: \"elephant\" is neither a workload (bad, oltp, tpcc) nor a file with a \"/\" "
         "in its name"},
        {"nothere.yaml", "--workload: nothere.yaml: no such file"},
        {"../workloads/oltp", "--workload: ../workloads/oltp: no such file"},
    };
    const struct origin option = {.kind = ORIGIN_COMMAND, .option = "--workload"};
    char *dir = data_dir_new();

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct config c;
        struct err err = {0};

        config_init(&c, PROGRAM_RUN);
        UNIT_EQ_I64("", config_set(&c, "run.workload", cases[i].name, &option, &err), 0);
        UNIT_EQ_I64("", config_read_workload(&c, dir, &err), -1);
        UNIT_EQ_STR("", err.text, cases[i].error);
        config_release(&c);
    }
    tmpdir_free(dir);
}

static void test_a_workload_file_has_one_group(void)
{
    char *dir = data_dir_new();
    struct config c;
    struct err err = {0};

    config_init(&c, PROGRAM_RUN);
    UNIT_EQ_I64("", config_set_pair(&c, "run.workload=bad", &err), 0);
    UNIT_EQ_I64("", config_read_workload(&c, dir, &err), -1);
    UNIT_TRUE(err.text, strstr(err.text, "bad.yaml:1:1: \"run\" in a workload file") != NULL);
    config_release(&c);
    tmpdir_free(dir);
}

static void test_a_workload_named_in_a_file_lies_beside_it(void)
{
    char *dir = data_dir_new();
    char *path = xasprintf("%s/conf/c.yaml", dir);
    struct config c;
    struct err err = {0};

    tmpdir_write(dir, "/conf/c.yaml", "run: {workload: mine.yaml}\n");
    tmpdir_write(dir, "/conf/mine.yaml", "workload: {factor: 4}\n");
    config_init(&c, PROGRAM_RUN);
    UNIT_EQ_I64("", config_read_file(&c, path, ORIGIN_CONFIG, false, &err), 0);
    UNIT_EQ_I64(err.text, config_read_workload(&c, dir, &err), 0);
    UNIT_NEAR("", c.s.workload.factor, 4, 0);
    UNIT_EQ_STR("", c.s.workload.name, "mine.yaml");
    config_release(&c);
    free(path);
    tmpdir_free(dir);
}

/* Round trip. */

/* A random right value, as text, for a row. */
static char *random_value(const struct spec *row, struct rng *rng)
{
    const uint64_t n = rng_next(rng);
    uint64_t most = 100;

    if (row->type == SPEC_COUNT && row->max && units_parse_u64(row->max, &most, NULL) == 0)
        most = most < 100 ? most : 100;
    switch (row->type) {
    case SPEC_BOOL:
        return xstrdup(row->choices ? row->choices[n % 2] : n % 2 ? "true" : "false");
    case SPEC_COUNT:
    case SPEC_INTEGER:
        return xasprintf("%u", (unsigned)(n % most + 1));
    case SPEC_DECIMAL:
        return xasprintf("%.17g", rng_unit(rng) * 99 + 0.001);
    case SPEC_DURATION:
        return xasprintf("%lluns", 1000000000 + (unsigned long long)(n % 599000000001));
    case SPEC_BYTES:
        return xasprintf("%llu", 120000000 + (unsigned long long)(n % 9000000000000));
    case SPEC_CHOICE: {
        uint64_t words = 0;

        while (row->choices[words])
            words++;
        return xstrdup(row->choices[n % words]);
    }
    case SPEC_TIME:
        return xasprintf("20%02u-0%u-1%uT2%u:5%u:0%uZ", (unsigned)(n % 90 + 10),
                         (unsigned)(n >> 8) % 9 + 1, (unsigned)(n >> 16) % 10,
                         (unsigned)(n >> 24) % 4, (unsigned)(n >> 32) % 10,
                         (unsigned)(n >> 40) % 10);
    case SPEC_DIST:
        return xasprintf("%s %uus %uus", n % 2 ? "uniform" : "normal", (unsigned)(n >> 8) % 1000,
                         1000 + (unsigned)(n >> 24) % 1000);
    case SPEC_TEXT:
    case SPEC_LIST:
        return xasprintf("a\"%c\\'%c: #%u \xc3\xa9", (char)(' ' + n % 95),
                         (char)(' ' + (n >> 8) % 95), (unsigned)(n >> 16));
    case SPEC_PATH:
        return xasprintf("/x/%u \"y\"", (unsigned)(n % 1000));
    }
    return NULL;
}

static void set_randomly(struct config *c, struct rng *rng)
{
    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        const struct spec *row = &config_spec[i];
        char *text = NULL;
        struct err err = {0};

        if (rng_next(rng) % 3 == 0 || (row->flags & SPEC_ACTION))
            continue;
        if (row->flags & SPEC_SECRET)
            text = xstrdup("host=/run/postgresql dbname='a b'");
        else if (strcmp(row->path, "run.workload") == 0)
            text = xstrdup("inline");
        else
            text = random_value(row, rng);
        for (int k = 0; k < (row->type == SPEC_LIST ? 3 : 1); k++) {
            if (!UNIT_EQ_I64(text, config_set(c, row->path, text, &from_file, &err), 0))
                UNIT_EQ_STR(row->path, err.text, "");
        }
        free(text);
    }
}

static void expect_same_settings(const struct settings *a, const struct settings *b)
{
    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        struct strbuf x;
        struct strbuf y;

        strbuf_init(&x);
        strbuf_init(&y);
        spec_value_format(&config_spec[i], a, &x);
        spec_value_format(&config_spec[i], b, &y);
        UNIT_EQ_STR(config_spec[i].path, x.buf, y.buf);
        strbuf_release(&x);
        strbuf_release(&y);
    }
}

static void test_written_settings_read_back(void)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct rng rng = rng_at(seed);
        struct config c;
        struct config again;
        struct strbuf yaml;
        struct err err = {0};

        config_init(&c, PROGRAM_RUN);
        config_init(&again, PROGRAM_RUN);
        strbuf_init(&yaml);
        CU_ASSERT_EQUAL(config_set(&c, "output.results", "/x", &from_file, &err), 0);
        set_randomly(&c, &rng);
        CU_ASSERT_EQUAL(config_set(&c, "run.workload", "inline", &from_file, &err), 0);
        CU_ASSERT_EQUAL(config_read_workload(&c, NULL, &err), 0);
        config_write_yaml(&c.s, &yaml);
        if (!UNIT_EQ_I64("", read_as(&again, ORIGIN_CONFIG, yaml.buf, &err), 0)) {
            UNIT_EQ_STR("", err.text, "");
            UNIT_EQ_U64("seed", seed, 0);
        }
        CU_ASSERT_EQUAL(config_read_workload(&again, NULL, &err), 0);
        expect_same_settings(&c.s, &again.s);
        strbuf_release(&yaml);
        config_release(&again);
        config_release(&c);
    }
}

static void test_written_settings_hold_no_secret_and_no_request(void)
{
    struct config c;
    struct strbuf yaml;
    struct err err = {0};

    config_init(&c, PROGRAM_RUN);
    strbuf_init(&yaml);
    UNIT_EQ_I64("", config_set_pair(&c, "target.pg=host=db password=hunter2 user=u", &err), 0);
    UNIT_EQ_I64("", config_set_pair(&c, "load.rebuild=true", &err), 0);
    UNIT_EQ_I64("", config_set_pair(&c, "output.yes=true", &err), 0);
    UNIT_EQ_I64("", config_set_pair(&c, "output.results=out", &err), 0);
    config_write_yaml(&c.s, &yaml);
    UNIT_TRUE("", strstr(yaml.buf, "hunter2") == NULL);
    UNIT_TRUE("", strstr(yaml.buf, "  pg: \"host=db user=u\"\n") != NULL);
    UNIT_TRUE("", strstr(yaml.buf, "rebuild") == NULL);
    UNIT_TRUE("", strstr(yaml.buf, "yes") == NULL);
    UNIT_TRUE("relative paths are made absolute", strstr(yaml.buf, "results: \"/") != NULL);
    UNIT_TRUE("", strstr(yaml.buf, "  workload: inline\n") != NULL);
    config_release(&c);

    config_init(&c, PROGRAM_RUN);
    strbuf_reset(&yaml);
    UNIT_EQ_I64("", config_set_pair(&c, "target.pg=password=hunter2", &err), 0);
    config_write_yaml(&c.s, &yaml);
    UNIT_TRUE("still a server", strstr(yaml.buf, "  pg: \"host=''\"\n") != NULL);
    strbuf_reset(&yaml);
    UNIT_EQ_I64("", config_set_pair(&c, "target.pg=hunter2", &err), 0);
    config_write_yaml(&c.s, &yaml);
    UNIT_TRUE("what can't be read is not written", strstr(yaml.buf, "hunter2") == NULL);
    config_release(&c);
    strbuf_release(&yaml);
}

static const struct unit_test tests[] = {
    {"later wins in any order", test_later_wins_in_any_order},
    {"lists begin anew at a higher rank", test_lists_begin_anew_at_a_higher_rank},
    {"errors say where", test_errors_say_where},
    {"overridden values are checked", test_overridden_values_are_checked},
    {"--set pairs", test_set_pairs},
    {"--set knows its program", test_set_knows_its_program},
    {"files", test_files},
    {"the default workload", test_the_default_workload},
    {"a workload replaces the group", test_a_workload_replaces_the_group},
    {"inline takes the group", test_inline_takes_the_group},
    {"a group that would be lost", test_a_group_that_would_be_lost},
    {"wrong workloads", test_wrong_workloads},
    {"a workload file has one group", test_a_workload_file_has_one_group},
    {"a workload named in a file lies beside it", test_a_workload_named_in_a_file_lies_beside_it},
    {"written settings read back", test_written_settings_read_back},
    {"no secret and no request is written", test_written_settings_hold_no_secret_and_no_request},
};
const struct unit_suite config_suite = UNIT_SUITE("config", tests);
