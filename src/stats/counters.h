/*
 * How transactions ended. The equation that must hold at every look:
 *   started == committed + rolled_back + failed + in_doubt + in_flight.
 * Only committed and rolled_back (as planned) are throughput. retries counts attempts after the
 * first, retried the transactions that needed one.
 */
#ifndef STATS_COUNTERS_H
#define STATS_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

struct counters {
    uint64_t started;
    uint64_t committed;
    uint64_t rolled_back;
    uint64_t failed;
    uint64_t in_doubt;
    uint64_t retried;
    uint64_t retries;
};

void counters_add(struct counters *to, const struct counters *from);
/* committed + rolled_back. */
uint64_t counters_transactions(const struct counters *c);
bool counters_balance(const struct counters *c, uint64_t in_flight);

#endif
