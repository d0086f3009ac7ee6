/*
 * Sums of outcomes and the equation that they must obey. Plain data of whoever holds it.
 */
#include "stats/counters.h"

void counters_add(struct counters *to, const struct counters *from)
{
    to->started += from->started;
    to->committed += from->committed;
    to->rolled_back += from->rolled_back;
    to->failed += from->failed;
    to->in_doubt += from->in_doubt;
    to->retried += from->retried;
    to->retries += from->retries;
}

uint64_t counters_transactions(const struct counters *c)
{
    return c->committed + c->rolled_back;
}

bool counters_balance(const struct counters *c, uint64_t in_flight)
{
    return c->started == c->committed + c->rolled_back + c->failed + c->in_doubt + in_flight;
}
