/*
 * Names of the transactions and the constants C of NURand. C_load comes from the dataset's seed,
 * C_run from the run's, within the bounds of 2.1.6.1 to it.
 */
#include "tpcc/params.h"

#include "base/check.h"
#include "base/rng.h"
#include "tpcc/nurand.h"
#include "tpcc/purpose.h"

static const char *const txn_names[TXN_ROWS] = {
    [TXN_NEW_ORDER] = "new_order",       [TXN_PAYMENT] = "payment",
    [TXN_ORDER_STATUS] = "order_status", [TXN_DELIVERY] = "delivery",
    [TXN_STOCK_LEVEL] = "stock_level",   [TXN_DELIVERY_DEFERRED] = "delivery_deferred",
};

const char *txn_type_name(enum txn_type t)
{
    CHECK((int)t >= 0);
    CHECK((int)t < TXN_ROWS);
    return txn_names[t];
}

struct nurand_c nurand_c_load(uint64_t seed)
{
    struct rng r = rng_at(rng_key(seed, PURPOSE_C_LOAD));
    struct nurand_c c;

    c.customer_last = (int32_t)rng_uniform(&r, 0, NURAND_A_CUSTOMER_LAST);
    c.customer_id = (int32_t)rng_uniform(&r, 0, NURAND_A_CUSTOMER_ID);
    c.item_id = (int32_t)rng_uniform(&r, 0, NURAND_A_ITEM_ID);
    return c;
}

struct nurand_c nurand_c_run(uint64_t seed, struct nurand_c load)
{
    struct rng r = rng_at(rng_key(seed, PURPOSE_C_RUN));
    int32_t valid[NURAND_A_CUSTOMER_LAST + 1];
    int32_t n = 0;
    struct nurand_c c;

    for (int32_t x = 0; x <= NURAND_A_CUSTOMER_LAST; x++)
        if (nurand_c_delta_valid(load.customer_last, x))
            valid[n++] = x;
    CHECK(n > 0);

    c.customer_last = valid[rng_uniform(&r, 0, n - 1)];
    c.customer_id = (int32_t)rng_uniform(&r, 0, NURAND_A_CUSTOMER_ID);
    c.item_id = (int32_t)rng_uniform(&r, 0, NURAND_A_ITEM_ID);
    return c;
}
