/*
 * What is said of a search, whatever came of it.
 */
#include "report/ladder_table.h"

#include "base/xalloc.h"
#include "harness/unit.h"

struct said_case {
    const char *end;
    int64_t holds, next, fails;
    const char *answer;
};

static void test_answers(void)
{
    static const struct said_case cases[] = {
        {LADDER_FOUND, 1000, 1050, 1050, "1,000 users hold p95<20ms; 1,050 do not"},
        {LADDER_FOUND, 1000, 1040, 1100,
         "1,000 users hold p95<20ms; with 1,040 it stays unsure, however often they were measured; "
         "1,100 do not"},
        {LADDER_FOUND, 1000, 1040, -1,
         "1,000 users hold p95<20ms; with 1,040 it stays unsure, however often they were measured"},
        {LADDER_CEILING, 15000, -1, -1,
         "all 15,000 users hold p95<20ms: that is the most that was to be tried (more with "
         "--users)"},
        {LADDER_FLOOR, -1, 234, 234,
         "not even 234 users hold p95<20ms, the fewest that were tried"},
        {LADDER_FLOOR, -1, 234, 936,
         "it can't be shown that even 234 users hold p95<20ms, the fewest that were tried"},
        {LADDER_FLOOR, -1, 1, 1, "not even 1 user holds p95<20ms, the fewest that were tried"},
        {NULL, 1, 4, 4, "so far 1 user holds p95<20ms; 4 do not"},
        {NULL, 1000, 4000, 4000, "so far 1,000 users hold p95<20ms; 4,000 do not"},
        {NULL, -1, 4000, 4000, "not found yet: no number of users is known to hold p95<20ms"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct ladder l;
        struct strbuf out;

        ladder_init(&l);
        strbuf_init(&out);
        l.is_search = true;
        l.asked = xstrdup("p95<20ms");
        l.answer.end = cases[i].end ? xstrdup(cases[i].end) : NULL;
        l.answer.holds = cases[i].holds;
        l.answer.next = cases[i].next;
        l.answer.fails = cases[i].fails;
        ladder_say_answer(&l, &out);
        UNIT_EQ_STR(cases[i].answer, out.buf, cases[i].answer);
        strbuf_release(&out);
        ladder_release(&l);
    }
}

/* The rates of three steps, and the maximum before them. */
static void make_rates(struct ladder *l)
{
    static const double offered[] = {RESULT_NONE, 500, 850.25, 1200};

    ladder_init(l);
    l->is_rates = true;
    l->maximum_tps = 1000;
    for (size_t i = 0; i < sizeof(offered) / sizeof(offered[0]); i++)
        VEC_PUSH(&l->steps, ((struct ladder_step){
                                .directory = xstrdup("x"),
                                .users = (int64_t)(i + 1),
                                .sessions = 16,
                                .ceiling_tps = offered[i],
                                .percent_of_maximum = offered[i] / 10,
                                .saturated = i == 3,
                                .due = 1200,
                                .transactions = 990,
                                .tps = i == 3 ? 990 : offered[i],
                                .limited = xstrdup("locks"),
                            }));
}

static void test_rates(void)
{
    struct ladder l;
    struct strbuf out;

    make_rates(&l);
    strbuf_init(&out);
    l.is_search = true;
    l.asked = xstrdup("p95<20ms");
    l.answer =
        (struct ladder_answer){.end = xstrdup(LADDER_FOUND), .holds = 2, .next = 3, .fails = 3};
    UNIT_EQ_STR("", ladder_load_cell(&l, &l.steps.at[0]).text, "maximum");
    UNIT_EQ_STR("", ladder_load_cell(&l, &l.steps.at[2]).text, "850.2/s 85%");
    UNIT_EQ_STR("", ladder_load_cell(&l, &l.steps.at[3]).text, "1200/s 120%*");
    UNIT_EQ_STR("", ladder_load_short(&l, &l.steps.at[3]).text, "1200/s*");
    ladder_say_answer(&l, &out);
    UNIT_EQ_STR("", out.buf, "500.0 TPS hold p95<20ms; 850.2 do not");
    strbuf_reset(&out);
    ladder_say_maximum(&l, &out);
    UNIT_EQ_STR("", out.buf,
                "1000 TPS without a pace, on 16 sessions; of the offered rates 1200 TPS brought "
                "the most, 990.0 TPS, 99.0 % of it");
    strbuf_reset(&out);
    ladder_say_state(&l, &out);
    UNIT_EQ_STR("", out.buf,
                "4 steps of response over offered rates, and the largest with p95<20ms: cut off, "
                "or still under way (--resume goes on)");
    strbuf_reset(&out);
    ladder_say_limit(&l.steps.at[3], &out);
    UNIT_EQ_STR("", out.buf,
                "saturated, of 1,200 that were due 990 got done in the sample; limited by locks: "
                "-; -");
    strbuf_release(&out);
    ladder_release(&l);
}

static void test_states(void)
{
    struct ladder l;
    struct strbuf out;

    ladder_init(&l);
    strbuf_init(&out);
    l.asked = xstrdup("5,10");
    l.planned_steps = 2;
    ladder_say_state(&l, &out);
    UNIT_EQ_STR("", out.buf,
                "0 of 2 steps of 5,10 users: cut off, or still under way (--resume goes on)");
    strbuf_reset(&out);
    l.ended_by = xstrdup("plan");
    ladder_say_state(&l, &out);
    UNIT_EQ_STR("", out.buf, "0 of 2 steps of 5,10 users");
    strbuf_release(&out);
    ladder_release(&l);
}

static const struct unit_test tests[] = {
    {"answers", test_answers},
    {"rates", test_rates},
    {"states", test_states},
};
const struct unit_suite ladder_suite = UNIT_SUITE("ladder", tests);
