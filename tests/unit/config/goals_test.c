/*
 * The conditions of a search from their text and back, and each way to get one wrong.
 */
#include "config/goals.h"

#include <stdio.h>
#include <string.h>

#include "harness/unit.h"

#define EXAMPLE "(try \"p95<20ms\" or \"p95<20ms, new_order.p99<100ms\")"

static void test_both_ways(void)
{
    static const struct {
        const char *text, *back;
    } cases[] = {
        {"p95<20ms", "p95<20ms"},
        {" p95 < 20ms ", "p95<20ms"},
        {"avg<5ms,max<1s", "avg<5ms max<1s"},
        {"p95<20ms, new_order.p99<100ms", "p95<20ms new_order.p99<100ms"},
        {"stock_level.p999<2500us", "stock_level.p999<2.5ms"},
        {"p50<1,p90<2", "p50<1s p90<2s"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct goals goals;
        struct err err = {0};
        char back[200] = "";

        UNIT_EQ_I64(cases[i].text, goals_parse(cases[i].text, &goals, &err), 0);
        for (size_t k = 0; k < goals.n; k++) {
            char one[60];

            goal_format(&goals.at[k], one, sizeof(one));
            (void)snprintf(back + strlen(back), sizeof(back) - strlen(back), "%s%s", k ? " " : "",
                           one);
        }
        UNIT_EQ_STR(cases[i].text, back, cases[i].back);
    }
    UNIT_NEAR("", goal_percent(GOAL_P999), 99.9, 1e-9);
}

static void test_errors(void)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "\"\" has no \"<\" before its limit " EXAMPLE},
        {"p95", "\"p95\" has no \"<\" before its limit " EXAMPLE},
        {"p95<20ms,", "\"\" has no \"<\" before its limit " EXAMPLE},
        {"p42<20ms", "\"p42\" is not one of avg, p50, p90, p95, p99, p999, max " EXAMPLE},
        {"order.p95<20ms", "\"order\" is not one of new_order, payment, order_status, delivery, "
                           "stock_level " EXAMPLE},
        {"p95<soon", "\"soon\" is not a time " EXAMPLE},
        {"p95<0", "\"0\" is not a time " EXAMPLE},
        {"p95<1,p95<1,p95<1,p95<1,p95<1,p95<1,p95<1,p95<1,p95<1", "more than 8 conditions"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct goals goals;
        struct err err = {0};

        UNIT_EQ_I64(cases[i].text, goals_parse(cases[i].text, &goals, &err), -1);
        UNIT_EQ_STR(cases[i].text, err.text, cases[i].error);
    }
}

static const struct unit_test tests[] = {
    {"both ways", test_both_ways},
    {"errors", test_errors},
};
const struct unit_suite goals_suite = UNIT_SUITE("goals", tests);
