/*
 * base/clock: the fake one moves only when told; the machine's goes forward.
 */
#include "base/clock.h"

#include <pthread.h>

#include "base/check.h"
#include "harness/unit.h"

static void test_fake_stands_still(void)
{
    struct clock_fake fake;

    clock_fake_init(&fake, 1000, 5);
    UNIT_EQ_U64("", clock_now_ns(&fake.clk), 1000);
    UNIT_EQ_U64("", clock_now_ns(&fake.clk), 1000);
    UNIT_EQ_I64("", clock_real_us(&fake.clk), 5);
}

static void test_fake_advances_both(void)
{
    struct clock_fake fake;

    clock_fake_init(&fake, 0, 0);
    clock_fake_advance(&fake, NS_PER_S);
    UNIT_EQ_U64("", clock_now_ns(&fake.clk), NS_PER_S);
    UNIT_EQ_I64("", clock_real_us(&fake.clk), US_PER_S);
    for (int i = 0; i < 4000; i++)
        clock_fake_advance(&fake, 250);
    UNIT_EQ_I64("steps below 1 us add up", clock_real_us(&fake.clk), US_PER_S + 1000);
}

static void test_fake_sleep_moves_it(void)
{
    struct clock_fake fake;

    clock_fake_init(&fake, 100, 0);
    clock_sleep_until_ns(&fake.clk, 5000);
    UNIT_EQ_U64("", clock_now_ns(&fake.clk), 5000);
    clock_sleep_until_ns(&fake.clk, 3000);
    UNIT_EQ_U64("not back", clock_now_ns(&fake.clk), 5000);
}

struct sleepers {
    struct clock_fake fake;
    atomic_int next;
};

static void *sleep_in_steps(void *ctx)
{
    struct sleepers *all = ctx;
    const uint64_t by_ns = (uint64_t)atomic_fetch_add(&all->next, 1);

    for (uint64_t when_ns = 0; when_ns < 30000; when_ns += by_ns)
        clock_sleep_until_ns(&all->fake.clk, when_ns);
    clock_sleep_until_ns(&all->fake.clk, 30000 + by_ns);
    return NULL;
}

static void test_fake_of_many_threads(void)
{
    struct sleepers all = {.next = 1};
    pthread_t thread[4];

    clock_fake_init(&all.fake, 0, 7);
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[i], NULL, sleep_in_steps, &all), 0);
    for (int i = 0; i < 4; i++)
        (void)pthread_join(thread[i], NULL);
    UNIT_EQ_U64("to the last one's end", clock_now_ns(&all.fake.clk), 30004);
    UNIT_EQ_I64("", clock_real_us(&all.fake.clk), 37);
}

static void test_system_goes_forward(void)
{
    const struct clock *clk = clock_system();
    uint64_t last_ns = clock_now_ns(clk);

    for (int i = 0; i < 1000; i++) {
        const uint64_t now_ns = clock_now_ns(clk);

        UNIT_TRUE("", now_ns >= last_ns);
        last_ns = now_ns;
    }
    UNIT_TRUE("later than this line was written", clock_real_us(clk) > 1700000000 * US_PER_S);
}

static void test_system_suspended(void)
{
    const uint64_t once_ns = clock_suspended_ns(clock_system());
    const uint64_t again_ns = clock_suspended_ns(clock_system());

    UNIT_NEAR("nothing in between", (double)again_ns, (double)once_ns, (double)NS_PER_S / 10);
}

static void test_system_sleeps_until(void)
{
    const struct clock *clk = clock_system();
    const uint64_t when_ns = clock_now_ns(clk) + 3 * NS_PER_MS;

    clock_sleep_until_ns(clk, when_ns);
    UNIT_TRUE("never early", clock_now_ns(clk) >= when_ns);
    clock_sleep_until_ns(clk, 0); /* the past: returns at once */
}

static void test_format(void)
{
    static const struct {
        int64_t real_us;
        const char *want;
    } rows[] = {
        {0, "1970-01-01T00:00:00Z"},
        {999999, "1970-01-01T00:00:00Z"},
        {-1, "1969-12-31T23:59:59Z"},
        {-US_PER_S, "1969-12-31T23:59:59Z"},
        {951782400 * US_PER_S, "2000-02-29T00:00:00Z"},
        {1796046301 * US_PER_S + 5, "2026-11-30T13:45:01Z"},
        {INT64_MAX, ""}, /* a year that does not fit */
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char text[21];

        clock_format_utc(rows[i].real_us, text, sizeof(text));
        UNIT_EQ_STR("", text, rows[i].want);
    }
}

static void test_parse(void)
{
    static const char *const bad[] = {"",
                                      "2026-11-30",
                                      "2026-11-30T13:45:01",
                                      "2026-11-30T13:45:01Zz",
                                      "2026-13-30T13:45:01Z",
                                      "2026-11-30T13:45:60Z",
                                      "yesterday"};
    int64_t us = -7;

    UNIT_EQ_I64("", clock_parse_utc("2026-11-30T13:45:01Z", &us), 0);
    UNIT_EQ_I64("", us, INT64_C(1796046301) * US_PER_S);
    UNIT_EQ_I64("", clock_parse_utc("1970-01-01T00:00:00Z", &us), 0);
    UNIT_EQ_I64("", us, 0);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        UNIT_EQ_I64(bad[i], clock_parse_utc(bad[i], &us), -1);
    UNIT_EQ_I64("no text", clock_parse_utc(NULL, &us), -1);
}

static const struct unit_test tests[] = {
    {"fake stands still", test_fake_stands_still},
    {"fake advances both", test_fake_advances_both},
    {"fake sleep moves it", test_fake_sleep_moves_it},
    {"fake of many threads", test_fake_of_many_threads},
    {"system goes forward", test_system_goes_forward},
    {"system sleeps until", test_system_sleeps_until},
    {"system suspended", test_system_suspended},
    {"format", test_format},
    {"parse", test_parse},
};

const struct unit_suite clock_suite = UNIT_SUITE("clock", tests);
