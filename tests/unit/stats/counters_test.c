#include "stats/counters.h"

#include "harness/unit.h"

static void test_equation(void)
{
    struct counters c = {
        .started = 10, .committed = 4, .rolled_back = 1, .failed = 2, .in_doubt = 1};

    UNIT_TRUE("", counters_balance(&c, 2));
    UNIT_TRUE("", !counters_balance(&c, 1));
    UNIT_TRUE("", !counters_balance(&c, 3));
    c.retries = 5; /* attempts are not transactions */
    c.retried = 3;
    UNIT_TRUE("", counters_balance(&c, 2));
    UNIT_EQ_U64("only these are throughput", counters_transactions(&c), 5);
}

static void test_add(void)
{
    struct counters to = {1, 2, 3, 4, 5, 6, 7};
    const struct counters from = {10, 20, 30, 40, 50, 60, 70};

    counters_add(&to, &from);
    UNIT_EQ_U64("", to.started, 11);
    UNIT_EQ_U64("", to.committed, 22);
    UNIT_EQ_U64("", to.rolled_back, 33);
    UNIT_EQ_U64("", to.failed, 44);
    UNIT_EQ_U64("", to.in_doubt, 55);
    UNIT_EQ_U64("", to.retried, 66);
    UNIT_EQ_U64("", to.retries, 77);
}

static const struct unit_test tests[] = {{"equation", test_equation}, {"add", test_add}};
const struct unit_suite counters_suite = UNIT_SUITE("counters", tests);
