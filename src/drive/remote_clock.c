/*
 * Bounds of a clock's offset. An exchange says: sent - its time - tick <= offset <= received - its
 * time. Bounds of exchanges are cut with each other; between two they are widened by what clocks
 * that are steered may drift apart.
 */
#include "drive/remote_clock.h"

#include <stddef.h>

#define DRIFT_NS_PER_S (500 * 1000ULL)      /* what the kernel lets a steered clock run off */
#define JUMP_NS ((int64_t)20 * 1000 * 1000) /* contradictions below it are drift */
#define NS_PER_SECOND 1000000000ULL

static int64_t max_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t min_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t drift_ns(uint64_t passed_ns)
{
    return (int64_t)(passed_ns / NS_PER_SECOND * DRIFT_NS_PER_S +
                     passed_ns % NS_PER_SECOND * DRIFT_NS_PER_S / NS_PER_SECOND);
}

bool remote_clock_learn(struct remote_clock *c, const struct remote_exchange *x)
{
    const int64_t low = (int64_t)x->sent_ns - (int64_t)x->remote_ns - (int64_t)x->tick_ns;
    const int64_t high = (int64_t)x->received_ns - (int64_t)x->remote_ns;
    const uint64_t round_trip = x->received_ns - x->sent_ns;
    const int64_t drift = x->received_ns > c->at_ns ? drift_ns(x->received_ns - c->at_ns) : 0;
    const int64_t both_low = max_of(low, c->low_ns - drift);
    const int64_t both_high = min_of(high, c->high_ns + drift);
    const bool first = !c->known;
    const bool agree = !first && both_low <= both_high;

    CHECK(x->received_ns >= x->sent_ns);
    if (first || round_trip < c->round_trip_ns)
        c->round_trip_ns = round_trip;
    c->known = true;
    c->at_ns = x->received_ns;
    c->low_ns = agree ? both_low : low;
    c->high_ns = agree ? both_high : high;
    return first || both_low - both_high < JUMP_NS;
}

uint64_t remote_clock_read_at(const struct remote_clock *c, const struct remote_exchange *x,
                              uint64_t *error_ns)
{
    const int64_t its = (int64_t)x->remote_ns;
    const int64_t from = max_of((int64_t)x->sent_ns, its + c->low_ns);
    const int64_t to = min_of((int64_t)x->received_ns, its + (int64_t)x->tick_ns + c->high_ns);

    CHECK(c->known);
    CHECK(from <= to);
    if (error_ns != NULL)
        *error_ns = (uint64_t)(to - from) / 2;
    return (uint64_t)(from + (to - from) / 2);
}

void remote_wall_learn(struct remote_wall *w, const struct remote_exchange *x, int64_t ours_us)
{
    const uint64_t half = (x->received_ns - x->sent_ns + x->tick_ns) / 2;
    const int64_t ours = ours_us * 1000 - (int64_t)(x->received_ns - x->sent_ns) / 2;

    if (w->known && half >= w->error_ns)
        return;
    w->known = true;
    w->error_ns = half;
    w->ahead_ns = (int64_t)(x->remote_ns + x->tick_ns / 2) - ours;
}
