/*
 * Cutting a check into statements. The dearest conditions go first, so that none of them is left
 * alone at the end. Pure.
 */
#include "check/ranges.h"

#include <stdlib.h>

enum {
    SMALL_MOST = 16,  /* warehouses: 5 million order lines */
    LARGE_MOST = 250, /* where HISTORY is read whole for each range */
    SHARE = 4,        /* ranges a session at least, where there are warehouses enough */
};

static int32_t divide_up(int32_t n, uint32_t by)
{
    return (int32_t)(((uint32_t)n + by - 1) / by);
}

static int32_t range_size(const struct condition *c, int32_t warehouses, uint32_t sessions)
{
    const int32_t most = c->reads_history ? LARGE_MOST : SMALL_MOST;
    const int32_t size = divide_up(warehouses, c->reads_history ? sessions : sessions * SHARE);

    return size < most ? size : most;
}

static int dearest_first(const void *a, const void *b)
{
    const struct check_range *left = a;
    const struct check_range *right = b;

    if (left->condition->cost != right->condition->cost)
        return left->condition->cost > right->condition->cost ? -1 : 1;
    if (left->condition->number != right->condition->number)
        return left->condition->number < right->condition->number ? -1 : 1;
    return left->from < right->from ? -1 : 1;
}

/* Ranges of `size` warehouses. */
static void cut(struct check_ranges *r, const struct condition *c, int32_t warehouses, int32_t size)
{
    for (int32_t from = 1; from <= warehouses; from += size) {
        struct check_range range = {.condition = c, .from = from, .to = from + size - 1};

        if (range.to > warehouses)
            range.to = warehouses;
        range.cost = (uint64_t)(range.to - from + 1) * c->cost;
        r->cost += range.cost;
        VEC_PUSH(&r->at, range);
    }
}

void check_ranges_make(struct check_ranges *r, int32_t warehouses, uint32_t sessions, bool quick)
{
    CHECK(warehouses > 0);
    CHECK(sessions > 0);
    *r = (struct check_ranges){0};
    for (int i = 0; i < CONDITIONS; i++) {
        const struct condition *c = &conditions()[i];

        if (!quick || c->quick)
            cut(r, c, warehouses, range_size(c, warehouses, sessions));
    }
    qsort(r->at.at, r->at.n, sizeof(r->at.at[0]), dearest_first);
}

void check_ranges_release(struct check_ranges *r)
{
    VEC_RELEASE(&r->at);
}
