/*
 * The steps of a ladder from their text: lists, ranges, both, and each way to get it wrong.
 */
#include "config/steps.h"

#include <stdio.h>
#include <string.h>

#include "harness/unit.h"

static void test_lists_and_ranges(void)
{
    static const struct {
        const char *text, *users;
    } cases[] = {
        {"2000", "2000"},
        {"2000,5000,10000", "2000 5000 10000"},
        {"2000, 5000", "2000 5000"},
        {"1000..20000x1.5", "1000 1500 2250 3375 5063 7594 11391 17086 20000"},
        {"1..8x2", "1 2 4 8"},
        {"1..4x1.01", "1 2 3 4"},
        {"500,1000..4000x2,9000", "500 1000 2000 4000 9000"},
        {"1,1000000", "1 1000000"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct steps steps;
        struct err err = {0};
        char users[200] = "";

        UNIT_EQ_I64(cases[i].text, steps_parse(cases[i].text, STEPS_OF_USERS, &steps, &err), 0);
        for (size_t k = 0; k < steps.n; k++)
            (void)snprintf(users + strlen(users), sizeof(users) - strlen(users), "%s%llu",
                           k ? " " : "", (unsigned long long)steps.at[k]);
        UNIT_EQ_STR(cases[i].text, users, cases[i].users);
    }
}

static void test_errors(void)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "\"\" is neither a number of users nor a range of them (try 2000,5000,10000 or "
             "1000..20000x1.5)"},
        {"2000,", "\"\" is neither a number of users nor a range of them (try 2000,5000,10000 or "
                  "1000..20000x1.5)"},
        {"many", "\"many\" is neither a number of users nor a range of them (try 2000,5000,10000 "
                 "or 1000..20000x1.5)"},
        {"0", "0 users: a step has 1 to 1000000"},
        {"1000001", "1000001 users: a step has 1 to 1000000"},
        {"500,200", "200 users after 500: steps must rise"},
        {"500,500", "500 users after 500: steps must rise"},
        {"100..200", "\"100..200\" has no factor between its steps (try 2000,5000,10000 or "
                     "1000..20000x1.5)"},
        {"200..100x2", "200..100: a range must rise"},
        {"100..200x1", "a factor of 1 between steps: at least 1.01"},
        {"100..200xnan", "\"100..200xnan\" is neither a number of users nor a range of them (try "
                         "2000,5000,10000 or 1000..20000x1.5)"},
        {"a..200x2", "\"a..200x2\" is neither a number of users nor a range of them (try "
                     "2000,5000,10000 or 1000..20000x1.5)"},
        {"1..1000000x1.01", "more than 64 steps"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct steps steps;
        struct err err = {0};

        UNIT_EQ_I64(cases[i].text, steps_parse(cases[i].text, STEPS_OF_USERS, &steps, &err), -1);
        UNIT_EQ_STR(cases[i].text, err.text, cases[i].error);
    }
}

static void test_percents(void)
{
    struct steps steps;
    struct err err = {0};

    UNIT_EQ_I64(err.text, steps_parse("10,100,120", STEPS_OF_PERCENTS, &steps, &err), 0);
    UNIT_EQ_U64("", steps.n, 3);
    UNIT_EQ_U64("", steps.at[2], 120);
    UNIT_EQ_I64("", steps_parse("10,201", STEPS_OF_PERCENTS, &steps, &err), -1);
    UNIT_EQ_STR("", err.text, "201 %: a step has 1 to 200");
    UNIT_EQ_I64("", steps_parse("half", STEPS_OF_PERCENTS, &steps, &err), -1);
    UNIT_EQ_STR("", err.text,
                "\"half\" is neither a whole percentage nor a range of them (try "
                "10,50,90,100,120)");
}

static const struct unit_test tests[] = {
    {"lists and ranges", test_lists_and_ranges},
    {"errors", test_errors},
    {"percents", test_percents},
};
const struct unit_suite steps_suite = UNIT_SUITE("steps", tests);
