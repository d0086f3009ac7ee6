/*
 * A ladder's document: what of a run becomes a step, JSON both ways, the order of its steps, and
 * when it has failed.
 */
#include "result/ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/unit.h"
#include "result/made_result.h"
#include "result/result_json.h"

static void make(struct result *r, int64_t users, enum verdict_status status)
{
    result_init(r);
    made_identity(r);
    made_drive(r);
    made_sample(r);
    made_phase(r, "precondition", 0, 60);
    made_phase(r, "sample", 60, 300);
    r->workload.users = users;
    r->verdict.status = status;
}

static void add(struct ladder *l, int64_t users, enum verdict_status status)
{
    struct result r;

    make(&r, users, status);
    ladder_add_step(l, &r, "steps/x");
    result_release(&r);
}

static void test_step_of_a_run(void)
{
    struct ladder l;
    const struct ladder_step *s = NULL;

    ladder_init(&l);
    add(&l, 300, VERDICT_QUESTIONABLE);
    s = &l.steps.at[0];
    UNIT_EQ_I64("", s->users, 300);
    UNIT_NEAR("20 warehouses", s->users_per_warehouse, 15, 1e-9);
    UNIT_TRUE("more than 10", ladder_step_is_beyond(s));
    UNIT_EQ_STR("", s->verdict, "questionable");
    UNIT_EQ_STR("the file system's", s->device, "nvme0n1p1");
    UNIT_NEAR("", s->rates.writes_per_s, 2100.25, 1e-9);
    UNIT_NEAR("before the sample", s->settle_s, 60, 1e-9);
    UNIT_NEAR("", s->response.p95, 6.75, 1e-9);
    UNIT_NEAR("", s->flushes_per_txn, 0.435, 1e-9);
    UNIT_EQ_STR("", s->limited, "pace");
    UNIT_EQ_I64("of the ladder", l.warehouses, 20);
    UNIT_EQ_STR("of the ladder", l.database, "postgresql 15.14");
    ladder_release(&l);
}

static void test_ten_a_warehouse_are_standard(void)
{
    struct ladder l;

    ladder_init(&l);
    add(&l, 200, VERDICT_VALID);
    add(&l, 201, VERDICT_VALID);
    UNIT_TRUE("200 of 20", !ladder_step_is_beyond(&l.steps.at[0]));
    UNIT_TRUE("201 of 20", ladder_step_is_beyond(&l.steps.at[1]));
    ladder_release(&l);
}

/* As if both steps were of a search that has found its answer. */
static void add_search(struct ladder *l)
{
    l->is_search = true;
    l->answer.end = xstrdup(LADDER_FOUND);
    l->answer.holds = 200;
    l->answer.next = 400;
    for (size_t i = 0; i < l->steps.n; i++) {
        struct ladder_step *s = &l->steps.at[i];

        s->says = xstrdup(i ? "unsure" : "holds");
        VEC_PUSH(&s->goals, ((struct ladder_goal){.text = xstrdup("p95<20ms"),
                                                  .says = xstrdup(s->says),
                                                  .value_ms = 18.5,
                                                  .low_ms = 17.25,
                                                  .high_ms = i ? RESULT_NONE : 19.75,
                                                  .limit_ms = 20}));
    }
    ladder_cost(l);
}

static void test_cost_of_a_user(void)
{
    struct ladder l;

    ladder_init(&l);
    add(&l, 200, VERDICT_VALID);
    add(&l, 400, VERDICT_VALID);
    add_search(&l);
    UNIT_NEAR("2,100.25 by 200", l.answer.a_user.writes, 10.50125, 1e-9);
    UNIT_NEAR("31.5 MiB by 200", l.answer.a_user.write_kib, 161.28, 1e-9);
    UNIT_NEAR("", l.answer.a_user.flushes, 1.55, 1e-9);
    UNIT_TRUE("the last of these users", ladder_step_of(&l, 400) == &l.steps.at[1]);
    UNIT_TRUE("none", ladder_step_of(&l, 300) == NULL);
    ladder_release(&l);
}

#define SESSIONS 20

/* A step of so many sources at the offered rate; 1,000 were due. */
static void add_rate(struct ladder *l, int64_t users, double offered_tps, int64_t done)
{
    struct result r;

    make(&r, users, VERDICT_INVALID);
    r.workload.ceiling_tps = offered_tps;
    r.workload.sessions = SESSIONS;
    r.batches[0].count = 600;
    r.batches[119].count = 400;
    r.sample.transactions = done;
    r.sample.tps = (double)done;
    ladder_add_step(l, &r, "steps/x");
    result_release(&r);
}

static void make_rates(struct ladder *l)
{
    ladder_init(l);
    l->is_rates = true;
    add_rate(l, 1000, RESULT_NONE, 1000);
    add_rate(l, 12000, 1200, 979);
    add_rate(l, 1000, 100, 980);
}

static void test_offered_rates(void)
{
    struct ladder l;
    size_t at[LADDER_STEPS_MAX];

    make_rates(&l);
    UNIT_NEAR("", l.maximum_tps, 1000, 0);
    UNIT_TRUE("", ladder_step_is_maximum(&l.steps.at[0]));
    UNIT_EQ_I64("the maximum is offered nothing", l.steps.at[0].saturated, -1);
    UNIT_NEAR("", l.steps.at[1].percent_of_maximum, 120, 1e-9);
    UNIT_EQ_I64("979 of 1,000", l.steps.at[1].saturated, 1);
    UNIT_EQ_I64("980 of 1,000", l.steps.at[2].saturated, 0);
    UNIT_TRUE("sources are no users", !ladder_step_is_beyond(&l.steps.at[1]));
    UNIT_TRUE("not the maximum", ladder_step_of(&l, 1000) == &l.steps.at[2]);
    UNIT_TRUE("", ladder_peak(&l) == &l.steps.at[2]);
    ladder_order(&l, at);
    UNIT_EQ_U64("the maximum first", at[0], 0);
    UNIT_EQ_U64("", at[1], 2);
    l.answer.holds = 1000;
    l.answer.next = 12000;
    ladder_cost(&l);
    UNIT_NEAR("", l.answer.holds_tps, 100, 0);
    UNIT_NEAR("", l.answer.next_tps, 1200, 0);
    UNIT_TRUE("no users", isnan(l.answer.a_user.writes));
    ladder_release(&l);
}

/* As many as there are sessions may be under way where a short sample ends. */
static void test_under_way_is_not_saturated(void)
{
    struct ladder l;
    struct result r;

    make_rates(&l);
    make(&r, 500, VERDICT_VALID);
    r.workload.ceiling_tps = 50;
    r.workload.sessions = SESSIONS;
    r.batches[0].count = 100;
    r.sample.transactions = 100 - SESSIONS;
    ladder_add_step(&l, &r, "steps/x");
    UNIT_EQ_I64("20 of 100 under way", l.steps.at[3].saturated, 0);
    r.sample.transactions--;
    ladder_add_step(&l, &r, "steps/x");
    UNIT_EQ_I64("one more", l.steps.at[4].saturated, 1);
    result_release(&r);
    ladder_release(&l);
}

static void test_saturated_is_no_failure(void)
{
    struct ladder l;

    ladder_init(&l);
    l.is_rates = true;
    add(&l, 10, VERDICT_VALID);
    add_rate(&l, 12000, 1200, 979);
    UNIT_TRUE("strict", !ladder_failed(&l, true));
    add_rate(&l, 100, 10, 1000);
    UNIT_TRUE("one that was reached", ladder_failed(&l, true));
    ladder_release(&l);
}

/* Its text, free() it; read into `back`, it gives the same again. */
static char *write_and_read(const struct ladder *l, struct ladder *back)
{
    char *text = ladder_json_write(l);
    char *again = NULL;
    struct err err = {0};

    ladder_init(back);
    UNIT_EQ_I64(err.text, ladder_json_read(text, back, &err), 0);
    again = ladder_json_write(back);
    UNIT_EQ_STR("", again, text);
    free(again);
    return text;
}

static void test_json_of_rates(void)
{
    struct ladder l;
    struct ladder back;
    char *text = NULL;

    make_rates(&l);
    l.is_search = true;
    l.answer.holds = 1000;
    ladder_cost(&l);
    text = write_and_read(&l, &back);
    UNIT_TRUE(text, strstr(text, "\"percent_of_maximum\": 120") != NULL);
    UNIT_TRUE(text, strstr(text, "\"saturated\": true") != NULL);
    UNIT_TRUE("", ladder_step_is_maximum(&back.steps.at[0]));
    UNIT_TRUE("", back.is_rates);
    free(text);
    ladder_release(&l);
    ladder_release(&back);
}

static void test_json_both_ways(void)
{
    struct ladder l;
    struct ladder back;

    ladder_init(&l);
    l.asked = xstrdup("200,400");
    l.ended_by = xstrdup("plan");
    l.planned_steps = 2;
    l.check = (struct ladder_check){.conditions = 12, .failed = 0, .seconds = 1.5};
    add(&l, 200, VERDICT_VALID);
    add(&l, 400, VERDICT_INVALID);
    add_search(&l);
    free(write_and_read(&l, &back));
    UNIT_TRUE("", ladder_ended_as_planned(&back));
    ladder_release(&l);
    ladder_release(&back);
}

static void test_broken_json(void)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"[", "line 1 column 1: ']' expected near end of file"},
        {"{\"format\": \"tpcc-run/9\"}", "format \"tpcc-run/9\" is not known here, only "
                                         "\"tpcc-run/1\""},
        {"{\"format\": \"tpcc-run/1\", \"kind\": \"oltp\"}",
         "a single run, no ladder (of --steps)"},
        {"{\"format\": \"tpcc-run/1\", \"kind\": \"ladder\", \"steps\": {}}",
         "steps: a list was expected, not an object"},
        {"{\"format\": \"tpcc-run/1\", \"kind\": \"ladder\", \"steps\": [1]}",
         "steps[0]: an object was expected, not a whole number"},
        {"{\"format\": \"tpcc-run/1\", \"kind\": \"ladder\", \"steps\": [{\"users\": 5}]}",
         "steps[0]: a step without directory, verdict or users"},
        {"{\"format\": \"tpcc-run/1\", \"kind\": \"ladder\", \"steps\": [{\"tps\": -5}]}",
         "steps[0].tps: -5 is negative"},
        {"{\"format\": \"tpcc-run/1\", \"kind\": \"ladder\", \"steps\": [{\"users\": \"5\"}]}",
         "steps[0].users: a whole number was expected, not a text"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct ladder l;
        struct err err = {0};

        ladder_init(&l);
        UNIT_EQ_I64(cases[i].text, ladder_json_read(cases[i].text, &l, &err), -1);
        UNIT_EQ_STR(cases[i].text, err.text, cases[i].error);
        ladder_release(&l);
    }
}

/* A program that takes a ladder for a run is told what it is. */
static void test_no_run(void)
{
    struct ladder l;
    struct result r;
    struct err err = {0};
    char *text = NULL;

    ladder_init(&l);
    result_init(&r);
    text = ladder_json_write(&l);
    UNIT_EQ_I64("", result_json_read(text, &r, &err), -1);
    UNIT_TRUE(err.text, strstr(err.text, "a ladder of runs") != NULL);
    free(text);
    result_release(&r);
    ladder_release(&l);
}

static void test_order(void)
{
    struct ladder l;
    size_t at[LADDER_STEPS_MAX];

    ladder_init(&l);
    add(&l, 400, VERDICT_VALID);
    add(&l, 100, VERDICT_VALID);
    add(&l, 400, VERDICT_INVALID);
    add(&l, 200, VERDICT_VALID);
    ladder_order(&l, at);
    UNIT_EQ_U64("100", at[0], 1);
    UNIT_EQ_U64("200", at[1], 3);
    UNIT_EQ_U64("400", at[2], 0);
    UNIT_EQ_U64("400, later", at[3], 2);
    ladder_release(&l);
}

static void test_failed(void)
{
    struct ladder l;

    ladder_init(&l);
    add(&l, 100, VERDICT_VALID);
    UNIT_TRUE("valid", !ladder_failed(&l, true));
    add(&l, 200, VERDICT_INVALID);
    UNIT_TRUE("one of two", !ladder_failed(&l, false));
    UNIT_TRUE("strict", ladder_failed(&l, true));
    l.check.failed = 1;
    UNIT_TRUE("a condition", ladder_failed(&l, false));
    ladder_release(&l);
    ladder_init(&l);
    add(&l, 100, VERDICT_INVALID);
    UNIT_TRUE("all", ladder_failed(&l, false));
    ladder_release(&l);
}

static const struct unit_test tests[] = {
    {"step of a run", test_step_of_a_run},
    {"ten a warehouse are standard", test_ten_a_warehouse_are_standard},
    {"cost of a user", test_cost_of_a_user},
    {"offered rates", test_offered_rates},
    {"under way is not saturated", test_under_way_is_not_saturated},
    {"saturated is no failure", test_saturated_is_no_failure},
    {"JSON of rates", test_json_of_rates},
    {"JSON both ways", test_json_both_ways},
    {"broken JSON", test_broken_json},
    {"no run", test_no_run},
    {"order", test_order},
    {"failed", test_failed},
};
const struct unit_suite ladder_suite = UNIT_SUITE("ladder", tests);
