/*
 * Distances between words, and what is near enough.
 */
#include "config/suggest.h"

#include <string.h>

#include "harness/unit.h"

static void test_distances(void)
{
    static const struct {
        const char *a, *b;
        size_t distance;
    } cases[] = {
        {"", "", 0},
        {"", "abc", 3},
        {"abc", "abc", 0},
        {"users", "user", 1},
        {"users", "usres", 1},
        {"users", "uzers", 1},
        {"kitten", "sitting", 3},
        {"ca", "abc", 3},
        {"duration", "duraiton", 1},
    };
    char longer[100];

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        UNIT_EQ_U64(cases[i].a, suggest_distance(cases[i].a, cases[i].b), cases[i].distance);
        UNIT_EQ_U64(cases[i].b, suggest_distance(cases[i].b, cases[i].a), cases[i].distance);
    }
    memset(longer, 'x', sizeof(longer));
    longer[sizeof(longer) - 1] = 0;
    UNIT_EQ_U64("long words", suggest_distance(longer, longer), SUGGEST_FAR);
    longer[63] = 0;
    UNIT_EQ_U64("63 letters", suggest_distance(longer, longer), 0);
}

static void test_the_nearest(void)
{
    struct suggest s = suggest_for("opt");

    suggest_offer(&s, "oltp", "oltp");
    UNIT_EQ_STR("two of four letters", s.answer, NULL);
    s = suggest_for("oltpp");
    suggest_offer(&s, "saturate", "saturate");
    suggest_offer(&s, "oltp", "first");
    suggest_offer(&s, "oltp", "second");
    UNIT_EQ_STR("", s.answer, "first");
}

static const struct unit_test tests[] = {
    {"distances", test_distances},
    {"the nearest", test_the_nearest},
};
const struct unit_suite suggest_suite = UNIT_SUITE("suggest", tests);
