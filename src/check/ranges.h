/*
 * How a check is cut into statements: (condition, range of warehouses). Pure.
 */
#ifndef CHECK_RANGES_H
#define CHECK_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "tpcc/conditions.h"

struct check_range {
    const struct condition *condition;
    int32_t from, to; /* warehouses, both included */
    uint64_t cost;    /* relative to the others */
};

struct check_ranges {
    VEC(struct check_range) at;
    uint64_t cost; /* of all */
};

/* Every warehouse 1..warehouses in one range of each condition (quick: of the quick ones). Ranges
 * are small, so that sessions end together and a sort fits in memory, but large where each
 * statement reads all of HISTORY. */
void check_ranges_make(struct check_ranges *r, int32_t warehouses, uint32_t sessions, bool quick);
void check_ranges_release(struct check_ranges *r);

#endif
