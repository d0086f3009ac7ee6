/*
 * The nine tables, described once (1.3.1; tpcc columns in the order of the standard), and what a
 * load of W warehouses puts in them (1.2.1, 4.3.3.1).
 */
#ifndef TPCC_TABLES_H
#define TPCC_TABLES_H

#include "sql/table.h"
#include "tpcc/params.h"

enum tpcc_table {
    TABLE_ITEM,
    TABLE_WAREHOUSE,
    TABLE_STOCK,
    TABLE_DISTRICT,
    TABLE_CUSTOMER,
    TABLE_HISTORY,
    TABLE_ORDERS,
    TABLE_ORDER_LINE,
    TABLE_NEW_ORDER,
    TABLE_COUNT,
};

const struct table *tpcc_table(enum tpcc_table t);
/* The table of that name, or -1. */
int tpcc_table_find(const char *name);

#endif
