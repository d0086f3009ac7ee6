/*
 * The machine's clock and one that tests move. All that reads a clock or sleeps goes through here,
 * so that timing can be tested without waiting. The system clock has no state: any thread.
 */
#include "base/clock.h"

#include <errno.h>
#include <time.h>

#include "base/check.h"

#define SUSPENDED_PAIRS 5

static uint64_t read_clock_ns(clockid_t id)
{
    struct timespec ts;

    CHECK(clock_gettime(id, &ts) == 0);
    return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

static uint64_t system_now_ns(const struct clock *clk)
{
    (void)clk;
    return read_clock_ns(CLOCK_MONOTONIC);
}

static int64_t system_real_us(const struct clock *clk)
{
    (void)clk;
    return (int64_t)(read_clock_ns(CLOCK_REALTIME) / NS_PER_US);
}

static void system_sleep_until_ns(const struct clock *clk, uint64_t when_ns)
{
    const struct timespec when = {.tv_sec = (time_t)(when_ns / NS_PER_S),
                                  .tv_nsec = (long)(when_ns % NS_PER_S)};
    int rc = 0;

    (void)clk;
    do
        rc = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL);
    while (rc == EINTR);
    CHECK(rc == 0);
}

/* Between the two readings time passes that is none of it: the least of some pairs counts. */
static uint64_t system_suspended_ns(const struct clock *clk)
{
    uint64_t least_ns = UINT64_MAX;

    (void)clk;
    for (int i = 0; i < SUSPENDED_PAIRS; i++) {
        const uint64_t awake_ns = read_clock_ns(CLOCK_MONOTONIC);
        const uint64_t ns = read_clock_ns(CLOCK_BOOTTIME) - awake_ns;

        least_ns = ns < least_ns ? ns : least_ns;
    }
    return least_ns;
}

const struct clock *clock_system(void)
{
    static const struct clock machine = {
        .now_ns = system_now_ns,
        .real_us = system_real_us,
        .sleep_until_ns = system_sleep_until_ns,
        .suspended_ns = system_suspended_ns,
    };

    return &machine;
}

static uint64_t fake_now_ns(const struct clock *clk)
{
    return ((const struct clock_fake *)clk)->now_ns;
}

static int64_t fake_real_us(const struct clock *clk)
{
    const struct clock_fake *fake = (const struct clock_fake *)clk;

    return fake->zero_real_us + (int64_t)(fake->now_ns / NS_PER_US);
}

static void fake_sleep_until_ns(const struct clock *clk, uint64_t when_ns)
{
    /* A fake clock is never const: its owner gave us the address of its first member. */
    struct clock_fake *fake = (struct clock_fake *)(uintptr_t)clk;
    uint_fast64_t now_ns = fake->now_ns;

    while (now_ns < when_ns && !atomic_compare_exchange_weak(&fake->now_ns, &now_ns, when_ns))
        ; /* another thread moved it meanwhile */
}

static uint64_t fake_suspended_ns(const struct clock *clk)
{
    return ((const struct clock_fake *)clk)->suspended_ns;
}

void clock_fake_init(struct clock_fake *fake, uint64_t now_ns, int64_t real_us)
{
    *fake = (struct clock_fake){
        .clk = {.now_ns = fake_now_ns,
                .real_us = fake_real_us,
                .sleep_until_ns = fake_sleep_until_ns,
                .suspended_ns = fake_suspended_ns},
        .now_ns = now_ns,
        .zero_real_us = real_us - (int64_t)(now_ns / NS_PER_US),
    };
}

void clock_fake_advance(struct clock_fake *fake, uint64_t by_ns)
{
    atomic_fetch_add(&fake->now_ns, by_ns);
}

void clock_format_utc(int64_t real_us, char *buf, size_t size)
{
    const int64_t below_s = real_us % US_PER_S;
    const time_t s = (time_t)(real_us / US_PER_S - (below_s < 0 ? 1 : 0));
    struct tm tm;

    CHECK(size >= sizeof("2026-11-30T13:45:01Z"));
    if (!gmtime_r(&s, &tm) || strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
        buf[0] = 0;
}

int clock_parse_utc(const char *text, int64_t *real_us)
{
    struct tm tm = {0};
    const char *end = text ? strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm) : NULL;

    if (!end || *end || tm.tm_sec > 59 || tm.tm_year > 8099)
        return -1;
    *real_us = (int64_t)timegm(&tm) * US_PER_S;
    return 0;
}
