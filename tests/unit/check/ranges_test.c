/*
 * A check cut into statements: every warehouse is in exactly one range of each condition.
 */
#include "check/ranges.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/unit.h"

static void count_ranges(int32_t warehouses, uint32_t sessions, bool quick)
{
    struct check_ranges r;
    unsigned *seen = calloc((size_t)warehouses * CONDITIONS, sizeof(*seen));
    uint64_t cost = 0;
    char what[64];

    (void)snprintf(what, sizeof(what), "W=%d sessions=%u quick=%d", (int)warehouses, sessions,
                   quick);
    check_ranges_make(&r, warehouses, sessions, quick);
    for (size_t i = 0; i < r.at.n; i++) {
        const struct check_range *range = &r.at.at[i];

        UNIT_TRUE(what, range->from >= 1 && range->from <= range->to && range->to <= warehouses);
        for (int32_t w = range->from; w <= range->to; w++)
            seen[(range->condition->number - 1) * warehouses + w - 1]++;
        cost += range->cost;
    }
    for (int c = 0; c < CONDITIONS; c++)
        for (int32_t w = 0; w < warehouses; w++)
            if (seen[c * warehouses + w] != (quick && !conditions()[c].quick ? 0U : 1U))
                UNIT_EQ_U64(what, seen[c * warehouses + w], 1);
    UNIT_EQ_U64(what, r.cost, cost);
    check_ranges_release(&r);
    free(seen);
}

static void test_each_once(void)
{
    static const int32_t warehouses[] = {1, 2, 3, 15, 16, 17, 64, 251, 1500};
    static const uint32_t sessions[] = {1, 2, 3, 7, 64};

    for (size_t w = 0; w < ARRAY_LEN(warehouses); w++)
        for (size_t s = 0; s < ARRAY_LEN(sessions); s++)
            for (int quick = 0; quick < 2; quick++)
                count_ranges(warehouses[w], sessions[s], quick == 1);
}

/* HISTORY has no key: each range reads all of it. */
static void test_few_reads_of_history(void)
{
    struct check_ranges r;
    unsigned reads = 0;
    int32_t widest = 0;

    check_ranges_make(&r, 1500, 2, false);
    for (size_t i = 0; i < r.at.n; i++) {
        const struct check_range *range = &r.at.at[i];
        const int32_t width = range->to - range->from + 1;

        if (range->condition->reads_history)
            reads++;
        else if (width > widest)
            widest = width;
    }
    UNIT_EQ_U64("", reads, 3 * 6);
    UNIT_EQ_I64("", widest, 16);
    check_ranges_release(&r);
}

static void test_dearest_first(void)
{
    struct check_ranges r;

    check_ranges_make(&r, 40, 2, false);
    UNIT_EQ_I64("", r.at.at[0].condition->number, 10);
    for (size_t i = 1; i < r.at.n; i++) {
        const struct check_range *before = &r.at.at[i - 1];
        const struct check_range *range = &r.at.at[i];

        UNIT_TRUE("", before->condition->cost >= range->condition->cost);
        if (before->condition == range->condition)
            UNIT_EQ_I64("", range->from, before->to + 1);
    }
    check_ranges_release(&r);
}

static const struct unit_test tests[] = {
    {"each warehouse once", test_each_once},
    {"few reads of history", test_few_reads_of_history},
    {"dearest first", test_dearest_first},
};
const struct unit_suite ranges_suite = UNIT_SUITE("ranges", tests);
