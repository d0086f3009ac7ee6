/*
 * The only place that reads a clock or sleeps. Durations come from CLOCK_MONOTONIC in ns; one
 * reading of CLOCK_REALTIME at the start of a run labels its axis. Tests pass a fake clock.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define NS_PER_US UINT64_C(1000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S UINT64_C(1000000000)
#define US_PER_S INT64_C(1000000)

struct clock {
    uint64_t (*now_ns)(const struct clock *clk);
    int64_t (*real_us)(const struct clock *clk); /* since 1970-01-01 UTC */
    void (*sleep_until_ns)(const struct clock *clk, uint64_t when_ns);
    uint64_t (*suspended_ns)(const struct clock *clk);
};

/* The machine's clock; lives for ever. Any thread. */
const struct clock *clock_system(void);

/* A clock that stands still until it is moved. Sleeping moves it, for all threads that look at it.
 */
struct clock_fake {
    struct clock clk; /* first: pass &fake->clk */
    atomic_uint_fast64_t now_ns;
    int64_t zero_real_us;  /* the real time at now_ns = 0 */
    uint64_t suspended_ns; /* what clock_suspended_ns() tells */
};
void clock_fake_init(struct clock_fake *fake, uint64_t now_ns, int64_t real_us);
void clock_fake_advance(struct clock_fake *fake, uint64_t by_ns);

static inline uint64_t clock_now_ns(const struct clock *clk)
{
    return clk->now_ns(clk);
}

static inline int64_t clock_real_us(const struct clock *clk)
{
    return clk->real_us(clk);
}

static inline void clock_sleep_until_ns(const struct clock *clk, uint64_t when_ns)
{
    clk->sleep_until_ns(clk, when_ns);
}

/* How long the machine has been suspended since it started: time that its clock does not count, and
 * in which nothing was measured. */
static inline uint64_t clock_suspended_ns(const struct clock *clk)
{
    return clk->suspended_ns(clk);
}

/* "2026-11-30T13:45:01Z"; buf holds at least 21 bytes. */
void clock_format_utc(int64_t real_us, char *buf, size_t size);
/* The other way; -1: the text is no such time. NULL is none either. */
int clock_parse_utc(const char *text, int64_t *real_us) MUST_CHECK;

#endif
