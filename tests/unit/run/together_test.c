/*
 * Runs that begin together: when they go, what one that can't begin means for the others, and the
 * wait at the end.
 */
#include "run/together.h"

#include "base/thread.h"
#include "harness/unit.h"

#define NOW_NS (100 * NS_PER_S)

static struct together *of(size_t runs, struct clock_fake *clock)
{
    clock_fake_init(clock, NOW_NS, 0);
    return together_new(runs, &clock->clk);
}

static void test_go_when_all_are_ready(void)
{
    struct clock_fake clock;
    struct together *t = of(3, &clock);

    together_ready(t, 5 * NS_PER_S);
    UNIT_EQ_U64("one", together_go_ns(t), 0);
    clock_fake_advance(&clock, NS_PER_S);
    together_ready(t, NS_PER_S);
    UNIT_EQ_U64("two", together_go_ns(t), 0);
    clock_fake_advance(&clock, NS_PER_S);
    together_ready(t, 2 * NS_PER_S);
    UNIT_EQ_U64("the last one's moment, and the most that any needs", together_go_ns(t),
                NOW_NS + 7 * NS_PER_S);
    together_leave(t, 1);
    UNIT_TRUE("after GO one is for itself", !together_failed(t));
    UNIT_EQ_I64("", together_first_to_leave(t), 1);
    together_free(t);
}

static void test_one_that_cannot_begin(void)
{
    struct clock_fake clock;
    struct together *t = of(2, &clock);

    together_ready(t, NS_PER_S);
    UNIT_TRUE("", !together_failed(t));
    together_leave(t, 1);
    UNIT_TRUE("none begins", together_failed(t));
    together_leave(t, 0);
    UNIT_EQ_I64("whose fault it is", together_first_to_leave(t), 1);
    UNIT_EQ_U64("", together_go_ns(t), 0);
    together_free(t);
}

static void *wait_for_all(void *ctx)
{
    together_wait(ctx);
    return NULL;
}

static void test_wait_for_all(void)
{
    struct clock_fake clock;
    struct together *t = of(2, &clock);
    struct thread waiting = {0};

    UNIT_EQ_I64("", thread_start(&waiting, "waits", wait_for_all, t, NULL), 0);
    together_leave(t, 0);
    together_leave(t, 0);
    UNIT_TRUE("twice the same is one", !thread_join_timed(&waiting, 50 * NS_PER_MS));
    together_leave(t, 1);
    UNIT_TRUE("all", thread_join_timed(&waiting, 30 * NS_PER_S));
    together_free(t);
}

static void test_the_last_keeper_frees(void)
{
    struct clock_fake clock;
    struct together *t = of(1, &clock);

    UNIT_TRUE("", together_keep(t) == t);
    together_free(t);
    together_ready(t, 0);
    UNIT_EQ_U64("still there", together_go_ns(t), NOW_NS);
    together_free(t);
    together_free(together_keep(NULL));
}

static const struct unit_test tests[] = {
    {"go when all are ready", test_go_when_all_are_ready},
    {"one that cannot begin", test_one_that_cannot_begin},
    {"wait for all", test_wait_for_all},
    {"the last keeper frees", test_the_last_keeper_frees},
};
const struct unit_suite together_suite = UNIT_SUITE("together", tests);
