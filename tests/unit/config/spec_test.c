/*
 * The option table: each row's default, limits and words fit its type and its field; what is
 * formatted parses back; what is wrong is refused and changes nothing.
 */
#include "config/spec.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "config/spec_value.h"
#include "harness/unit.h"

static void format(const struct spec *row, const struct settings *s, char *text, size_t size)
{
    struct strbuf out;

    strbuf_init(&out);
    spec_value_format(row, s, &out);
    CU_ASSERT_FATAL(out.len < size);
    memcpy(text, out.buf, out.len + 1);
    strbuf_release(&out);
}

static void test_paths_are_unique(void)
{
    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        const struct spec *row = &config_spec[i];

        UNIT_TRUE(row->path, spec_find(row->path) == row);
        UNIT_TRUE(row->path, strchr(row->path, '.') != NULL);
        UNIT_TRUE(row->path, row->help && row->help[strlen(row->help) - 1] != '.');
        UNIT_TRUE(row->path, row->unit || (row->type == SPEC_BOOL && !row->choices));
        for (unsigned bit = 1; bit <= PROGRAM_REVIEW; bit <<= 1) {
            if (row->option && (row->programs & bit))
                UNIT_TRUE(row->option,
                          spec_find_option(row->option, (enum spec_program)bit) == row);
        }
    }
}

static void test_a_dash_may_be_an_underscore(void)
{
    const struct spec *row = spec_find("sweep.point-duration");

    UNIT_TRUE("", row && spec_find("sweep.point_duration") == row);
    UNIT_TRUE("", !spec_find("sweep.point+duration") && !spec_find("sweep.point_duration_"));
    UNIT_TRUE("", !spec_find("sweep.point"));
}

static void test_fields_do_not_overlap(void)
{
    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        for (size_t j = 0; j < i; j++)
            UNIT_TRUE(config_spec[i].path, config_spec[i].offset != config_spec[j].offset);
    }
}

/* The words on the command line are those of the path, but where another group has the word. */
static void test_options_are_the_words_of_the_paths(void)
{
    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        const struct spec *row = &config_spec[i];

        if (row->option && strcmp(row->path, "server.user") != 0)
            UNIT_EQ_STR(row->path, row->option, row->path + spec_group_len(row) + 1);
    }
}

static void test_defaults_come_back_as_written(void)
{
    struct settings s = {0};
    char text[200];

    spec_defaults(&s);
    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        const struct spec *row = &config_spec[i];

        UNIT_TRUE(row->path, spec_value_is_unset(row, &s) == !row->def);
        format(row, &s, text, sizeof(text));
        if (strcmp(row->path, "run.timeout") == 0 || strcmp(row->path, "run.drain") == 0)
            UNIT_EQ_STR(row->path, text, "1m"); /* written as 60s */
        else
            UNIT_EQ_STR(row->path, text, row->def ? row->def : "");
    }
    UNIT_EQ_U64("", s.run.users, 15000);
    UNIT_EQ_U64("", s.run.ramp_ns, UINT64_MAX);
    UNIT_EQ_I64("", s.run.check, -1);
    UNIT_EQ_U64("", s.load.warehouses, 0);
    spec_release(&s);
}

static void test_limits_are_inside(void)
{
    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        const struct spec *row = &config_spec[i];
        struct settings *s = calloc(1, sizeof(*s));
        struct err err = {0};

        if (row->min)
            UNIT_EQ_I64(row->path, spec_value_parse(row, row->min, s, &err), 0);
        if (row->max)
            UNIT_EQ_I64(row->path, spec_value_parse(row, row->max, s, &err), 0);
        spec_value_clear(row, s);
        free(s);
    }
}

static void test_values(void)
{
    static const struct {
        const char *path, *text, *back;
    } cases[] = {
        {"run.users", "1000000", "1000000"},
        {"run.duration", "90", "1m30s"},
        {"run.duration", "90s", "1m30s"},
        {"run.duration", "1h30m", "1h30m"},
        {"run.sample", "auto", "auto"},
        {"run.ramp", "0", "0s"},
        {"run.ramp", "auto", "auto"},
        {"run.check", "auto", "auto"},
        {"run.check", "none", "none"},
        {"load.size", "333GB", "333GB"},
        {"load.size", "2GiB", "2GiB"},
        {"load.unit", "auto", "auto"},
        {"load.unit", "table", "table"},
        {"load.time", "2026-11-30T13:45:01Z", "2026-11-30T13:45:01Z"},
        {"load.time", "auto", "auto"},
        {"output.json", "yes", "true"},
        {"output.json", "off", "false"},
        {"workload.delivery", "deferred", "deferred"},
        {"workload.pace", "none", "none"},
        {"workload.factor", "0.226", "0.226"},
        {"workload.factor", "1e-3", "0.001"},
        {"workload.think.payment", "4s", "fixed 4s"},
        {"workload.think.payment", "uniform 1s  3s", "uniform 1s 3s"},
        {"workload.think.payment", "negexp 250ms", "negexp 250ms"},
        {"workload.think.payment", "normal 5s 1s", "normal 5s 1s"},
        {"run.label", "a \"b\" \\ \xc3\xa9", "a \"b\" \\ \xc3\xa9"},
        {"target.pg", "host=a password=b", "host=a"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct spec *row = spec_find(cases[i].path);
        struct settings s = {0};
        struct err err = {0};
        char text[200];

        CU_ASSERT_PTR_NOT_NULL_FATAL(row);
        UNIT_EQ_I64(cases[i].text, spec_value_parse(row, cases[i].text, &s, &err), 0);
        format(row, &s, text, sizeof(text));
        UNIT_EQ_STR(cases[i].path, text, cases[i].back);
        spec_value_clear(row, &s);
    }
}

static void test_wrong_values(void)
{
    static const struct {
        const char *path, *text, *error;
    } cases[] = {
        {"run.users", "", "the value is empty"},
        {"run.users", "0", "\"0\" is below 1 (try 1)"},
        {"run.users", "1000001", "\"1000001\" is above 1000000 (try 1000000)"},
        {"run.users", "-1", "\"-1\" is not a whole number (try 100)"},
        {"run.users", "10k", "\"10k\" is not a whole number (try 100)"},
        {"run.users", "auto", "\"auto\" is not a whole number (try 100)"},
        {"run.users", "99999999999999999999",
         "\"99999999999999999999\" is too big (at most 18446744073709551615)"},
        {"run.duration", "5 fortnights", "\"5 fortnights\" is not a duration (try 5m)"},
        {"run.duration", "10GB", "\"10GB\" is not a duration (try 5m)"},
        {"run.duration", "1h junk", "\"1h junk\" is not a duration (try 5m)"},
        {"run.duration", "1ms", "\"1ms\" is below 1s (try 1s)"},
        {"server.buffer", "10s", "\"10s\" is not a size (try 48GB or 512MiB)"},
        {"server.buffer", "1", "\"1\" is below 16MiB (try 16MiB)"},
        {"run.check", "quik", "\"quik\" is not one of none, quick, full (try quick)"},
        {"load.unit", "x", "\"x\" is not one of auto, warehouse, table (try auto)"},
        {"output.json", "ja", "\"ja\" is neither true nor false (try true)"},
        {"workload.factor", "1,5", "\"1,5\" is not a number (try 0.5)"},
        {"workload.factor", "nan", "\"nan\" is not a number (try 0.5)"},
        {"workload.rollback-percent", "101", "\"101\" is above 100 (try 100)"},
        {"workload.think.payment", "negexp", NULL},
        {"workload.think.payment", "negexp 1s 2s", NULL},
        {"workload.think.payment", "uniform 1s", NULL},
        {"workload.think.payment", "uniform 1s 2s 3s", NULL},
        {"workload.think.payment", "poisson 1s", NULL},
        {"workload.think.payment", " ", NULL},
        {"workload.think.payment", "uniform 3s 1s",
         "\"uniform 3s 1s\" ends before it begins (try \"uniform 1s 3s\")"},
        {"workload.think.payment", "25h", "\"25h\" is above 24h (try 24h)"},
        {"workload.think.payment", "uniform 1s 25h", "\"uniform 1s 25h\" is above 24h (try 24h)"},
        {"load.time", "yesterday", "\"yesterday\" is not a time (try 2026-11-30T13:45:01Z)"},
        {"load.time", "2026-11-30T13:45:01Z ", NULL},
        {"load.time", "2026-13-30T13:45:01Z", NULL},
        {"run.label", "two\nlines", "the value has control characters or is not UTF-8"},
        {"run.label", "\xff", "the value has control characters or is not UTF-8"},
        {"run.label", "\xed\xa0\x80", "the value has control characters or is not UTF-8"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct spec *row = spec_find(cases[i].path);
        struct settings s;
        struct settings before;
        struct err err = {0};

        memset(&s, 0, sizeof(s));
        memcpy(&before, &s, sizeof(s));
        CU_ASSERT_PTR_NOT_NULL_FATAL(row);
        UNIT_EQ_I64(cases[i].text, spec_value_parse(row, cases[i].text, &s, &err), -1);
        UNIT_EQ_I64(cases[i].text, err.kind, ERR_USAGE);
        if (cases[i].error)
            UNIT_EQ_STR(cases[i].path, err.text, cases[i].error);
        UNIT_TRUE(cases[i].text, memcmp(&s, &before, sizeof(s)) == 0);
    }
}

static void test_lists_are_bounded(void)
{
    const struct spec *row = spec_find("target.device");
    struct settings s = {0};
    struct err err = {0};

    for (int i = 0; i < SETTINGS_DEVICES_MAX; i++)
        UNIT_EQ_I64("", spec_value_parse(row, "sda", &s, &err), 0);
    UNIT_EQ_I64("", spec_value_parse(row, "sda", &s, &err), -1);
    UNIT_EQ_I64("", s.target.n_devices, SETTINGS_DEVICES_MAX);
    spec_value_clear(row, &s);
    UNIT_EQ_I64("", s.target.n_devices, 0);
}

static void test_suggestions(void)
{
    static const struct {
        const char *word, *path;
    } cases[] = {
        {"run.user", "run.users"},
        {"users", "run.users"},
        {"run.durration", "run.duration"},
        {"duraiton", "run.duration"},
        {"server.buffre", "server.buffer"},
        {"workload.mix.new-order", "workload.mix.new_order"},
        {"xyzzy", NULL},
        {"a", NULL},
        {"", NULL},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        UNIT_EQ_STR(cases[i].word, spec_suggest_path(cases[i].word), cases[i].path);
    UNIT_EQ_STR("", spec_suggest_option("user", PROGRAM_RUN), "users");
    UNIT_EQ_STR("", spec_suggest_option("user", PROGRAM_CHECK), NULL);
    UNIT_EQ_STR("", spec_suggest_option("hlep", PROGRAM_CHECK), "help");
    UNIT_EQ_STR("", spec_suggest_option("sysfs-rot", PROGRAM_RUN), NULL);
}

static const struct unit_test tests[] = {
    {"paths and options are unique", test_paths_are_unique},
    {"a dash may be an underscore", test_a_dash_may_be_an_underscore},
    {"fields do not overlap", test_fields_do_not_overlap},
    {"options are the words of the paths", test_options_are_the_words_of_the_paths},
    {"defaults come back as written", test_defaults_come_back_as_written},
    {"limits are inside", test_limits_are_inside},
    {"values parse and come back", test_values},
    {"wrong values are refused and change nothing", test_wrong_values},
    {"lists are bounded", test_lists_are_bounded},
    {"suggestions", test_suggestions},
};
const struct unit_suite spec_suite = UNIT_SUITE("spec", tests);
