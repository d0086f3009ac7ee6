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
    {"states", test_states},
};
const struct unit_suite ladder_suite = UNIT_SUITE("ladder", tests);
