/*
 * NURand of 2.1.6 and the last names of 4.3.2.3. Pure; both the row makers and the inputs of the
 * run draw from here, so that the formula is written once.
 */
#include "tpcc/nurand.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

struct nurand_range {
    int32_t a;
    int32_t x;
    int32_t y;
};

static int32_t nurand(struct rng *r, const struct nurand_range *range, int32_t c)
{
    const int64_t low = rng_uniform(r, 0, range->a);
    const int64_t high = rng_uniform(r, range->x, range->y);

    return (int32_t)(((low | high) + c) % (range->y - range->x + 1)) + range->x;
}

int32_t nurand_last_name(struct rng *r, const struct nurand_c *c)
{
    static const struct nurand_range range = {NURAND_A_CUSTOMER_LAST, 0, LAST_NAMES - 1};

    return nurand(r, &range, c->customer_last);
}

int32_t nurand_customer_id(struct rng *r, const struct nurand_c *c)
{
    static const struct nurand_range range = {NURAND_A_CUSTOMER_ID, 1, TPCC_CUSTOMERS};

    return nurand(r, &range, c->customer_id);
}

int32_t nurand_item_id(struct rng *r, const struct nurand_c *c)
{
    static const struct nurand_range range = {NURAND_A_ITEM_ID, 1, TPCC_ITEMS};

    return nurand(r, &range, c->item_id);
}

bool nurand_c_delta_valid(int32_t c_load, int32_t c_run)
{
    const int32_t delta = abs(c_run - c_load);

    return delta >= 65 && delta <= 119 && delta != 96 && delta != 112;
}

size_t last_name(int32_t number, char *buf)
{
    static const char syllable[10][6] = {"BAR", "OUGHT", "ABLE",  "PRI",   "PRES",
                                         "ESE", "ANTI",  "CALLY", "ATION", "EING"};
    const int32_t digit[3] = {number / 100, number / 10 % 10, number % 10};
    size_t len = 0;

    CHECK(number >= 0);
    CHECK(number < LAST_NAMES);
    for (int i = 0; i < 3; i++) {
        const size_t n = strlen(syllable[digit[i]]);

        memcpy(buf + len, syllable[digit[i]], n);
        len += n;
    }
    buf[len] = '\0';
    return len;
}
