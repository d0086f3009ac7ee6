/*
 * Everything the workload's pure parts need to know. No I/O, no clock: what is here decides every
 * row of the dataset and every input of the run.
 */
#ifndef TPCC_PARAMS_H
#define TPCC_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#define TPCC_DISTRICTS 10   /* per warehouse, 1.2.1 */
#define TPCC_CUSTOMERS 3000 /* per district */
#define TPCC_ITEMS 100000
#define TPCC_ORDERS 3000            /* per district at load */
#define TPCC_FIRST_UNDELIVERED 2101 /* O_ID from which NEW-ORDER rows exist, 4.3.3.1 */
#define TPCC_LINES_MAX 15

enum txn_type {
    TXN_NEW_ORDER,
    TXN_PAYMENT,
    TXN_ORDER_STATUS,
    TXN_DELIVERY,
    TXN_STOCK_LEVEL,
    TXN_TYPES,
    TXN_DELIVERY_DEFERRED = TXN_TYPES, /* a row of its own in results: the queued execution */
    TXN_ROWS,
};

/* "new_order", "payment", "order_status", "delivery", "stock_level", "delivery_deferred". */
const char *txn_type_name(enum txn_type t);

/* The constants C of NURand, one each (2.1.6); customer_last is C_load or C_run. */
struct nurand_c {
    int32_t customer_last; /* A = 255 */
    int32_t customer_id;   /* A = 1023 */
    int32_t item_id;       /* A = 8191 */
};

/* The dataset: fixed in the manifest at the first start of a load. */
struct tpcc_dataset {
    uint64_t seed;
    int64_t load_time_us;
    int32_t warehouses;
    struct nurand_c c_load;
};

/* C_load from the dataset's seed; C_run from the run's seed, so that |C_run - C_load| for the last
 * name lies in 65..119 and is not 96 or 112 (2.1.6.1); the other two are drawn in 0..A. */
struct nurand_c nurand_c_load(uint64_t seed);
struct nurand_c nurand_c_run(uint64_t seed, struct nurand_c load);

#endif
