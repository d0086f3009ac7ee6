/*
 * review/steps, review/plan: what a review decides for each step, its times, and its plan.yaml,
 * which read again gives the same.
 */
#include "review/steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "config/config.h"
#include "config/rules.h"
#include "harness/unit.h"
#include "review/plan.h"

/* Of settings made by hand, which nobody releases. */
#define LIT(text) ((char *)(uintptr_t)(text))

static struct config made(const char *yaml)
{
    const struct origin origin = {.kind = ORIGIN_CONFIG, .file = "t.yaml"};
    struct err err = {0};
    struct config c;

    config_init(&c, PROGRAM_REVIEW);
    UNIT_EQ_I64(yaml, config_read_text(&c, yaml, strlen(yaml), &origin, &err), 0);
    UNIT_EQ_STR(yaml, err.text, "");
    c.s.review.drive = xstrdup("/dev/sdb");
    return c;
}

static void test_settings(void)
{
    struct config c = made("prep: {mount: /mnt/x, size: 1GB, restart: true}\n"
                           "run: {label: mine}\n");
    const struct review_decides d = {.results = LIT("r/sweep"),
                                     .label = LIT("mine"),
                                     .i_will_lose = LIT("S1"),
                                     .mount_point = LIT("/mnt/x")};
    struct settings s;

    c.s.target.pg = xstrdup("dbname=x"); /* of the machine's file, for tpcc-run */
    c.s.ladder.steps = xstrdup("1,2");
    c.s.load.rebuild = true;
    for (int step = 0; step < REVIEW_STEPS; step++) {
        review_step_settings(&c.s, step, &d, &s);
        UNIT_EQ_STR("", s.output.results, "r/sweep");
        UNIT_EQ_STR("", s.run.label, "mine");
        UNIT_EQ_STR("", s.drive.i_will_lose, "S1");
        UNIT_EQ_STR("", s.target.drive, "/mnt/x");
        UNIT_TRUE("", !s.target.pg && !s.ladder.steps && !s.load.rebuild);
    }
    review_step_settings(&c.s, REVIEW_PREPARE, &d, &s);
    UNIT_EQ_I64("", s.prep.purpose, PREP_BLOCKS);
    UNIT_TRUE("", s.prep.size_bytes == 0 && !s.prep.mount && s.prep.restart);
    review_step_settings(&c.s, REVIEW_FILESYSTEM, &d, &s);
    UNIT_EQ_I64("", s.prep.purpose, PREP_DATABASE);
    UNIT_EQ_U64("", s.prep.size_bytes, 1000000000);
    UNIT_EQ_STR("", s.prep.mount, "/mnt/x");
    config_release(&c);
}

/* What QLC drives are spared before the block tests they are spared before the database test. */
static void test_qlc(void)
{
    const struct review_decides d = {.label = NULL};
    struct config c = made("prep: {qlc: true}");
    struct settings s;

    review_step_settings(&c.s, REVIEW_PREPARE, &d, &s);
    UNIT_TRUE("", s.prep.qlc);
    UNIT_EQ_I64("", s.prep.fill, PREP_FILL_AUTO);
    review_step_settings(&c.s, REVIEW_FILESYSTEM, &d, &s);
    UNIT_TRUE("", !s.prep.qlc);
    UNIT_EQ_I64("", s.prep.fill, PREP_FILL_NONE);
    c.s.prep.fill = PREP_FILL_FULL;
    review_step_settings(&c.s, REVIEW_FILESYSTEM, &d, &s);
    UNIT_EQ_I64("as it is said", s.prep.fill, PREP_FILL_FULL);
    config_release(&c);
}

static void test_rule(void)
{
    static const struct {
        const char *yaml, *text;
    } rows[] = {
        {"prep: {for: blocks}",
         "t.yaml:1:13: prep.for: is no setting of a review, which decides it (leave it out)"},
        {"ladder: {steps: '1,2'}",
         "t.yaml:1:17: ladder.steps: is no setting of a review, which decides it (leave it out)"},
        {"run: {users: 10}", ""},
        {"sweep: {until_steady: true, workload: [vdi-boot]}", ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct config c = made(rows[i].yaml);
        struct err err = {0};

        UNIT_EQ_I64(rows[i].yaml, config_validate(&c, &err), *rows[i].text ? -1 : 0);
        UNIT_EQ_STR(rows[i].yaml, err.text, rows[i].text);
        config_release(&c);
    }
}

static void test_yaml_comes_back(void)
{
    struct config c = made("prep: {qlc: true, restart: true, die_at: fill}\n"
                           "sweep: {workload: [a, b], settle: 3s}\n"
                           "run: {users: 77}\n"
                           "output: {results: elsewhere, plain: true}\n");
    struct config again;
    struct strbuf first;
    struct strbuf second;
    struct err err = {0};

    strbuf_init(&first);
    strbuf_init(&second);
    free(c.s.review.plan);
    c.s.review.plan = xstrdup("my.yaml");
    review_plan_yaml(&c.s, &first);
    UNIT_TRUE("", strstr(first.buf, "users: 77\n") && strstr(first.buf, "qlc: true\n"));
    UNIT_TRUE("", strstr(first.buf, "workload: [\"a\", \"b\"]\n") != NULL);
    UNIT_TRUE("", strstr(first.buf, "restart: false\n") && !strstr(first.buf, "die"));
    UNIT_TRUE("", !strstr(first.buf, "elsewhere") && !strstr(first.buf, "/dev/sdb"));
    UNIT_TRUE("", !strstr(first.buf, "plan:") && !strstr(first.buf, "steps:"));
    again = made(first.buf);
    UNIT_EQ_I64("", config_validate(&again, &err), 0);
    UNIT_EQ_STR("", err.text, "");
    review_plan_yaml(&again.s, &second);
    UNIT_EQ_STR("", second.buf, first.buf);
    strbuf_release(&first);
    strbuf_release(&second);
    config_release(&again);
    config_release(&c);
}

static void test_times(void)
{
    struct review_plan p = {.seconds = {10, 7200, 20, 3600}, .why = {LIT("fill assumed")}};
    struct strbuf out;

    UNIT_NEAR("", review_plan_left(&p, REVIEW_PREPARE), 10830, 0);
    UNIT_NEAR("", review_plan_left(&p, REVIEW_DATABASE), 3600, 0);
    UNIT_NEAR("", review_plan_left(&p, REVIEW_STEPS), 0, 0);
    strbuf_init(&out);
    review_plan_print(&p, 0, &out);
    UNIT_TRUE(out.buf,
              strstr(out.buf, "  1 preparation for block tests  about 10 s: fill assumed\n") !=
                  NULL);
    UNIT_TRUE(out.buf, strstr(out.buf, "  all: about 3h 01m\n") != NULL);
    strbuf_reset(&out);
    review_plan_print(&p, 2, &out);
    UNIT_TRUE(out.buf, strstr(out.buf, "  2 block tests                  done\n") != NULL);
    UNIT_TRUE(out.buf, strstr(out.buf, "  all that is left: about 1h 00m\n") != NULL);
    strbuf_release(&out);
}

static const struct unit_test tests[] = {
    {"settings", test_settings}, {"qlc", test_qlc},
    {"rule", test_rule},         {"yaml_comes_back", test_yaml_comes_back},
    {"times", test_times},
};
const struct unit_suite steps_suite = UNIT_SUITE("steps", tests);
