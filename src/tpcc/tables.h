/*
 * The nine tables, described once (1.3.1). The columns are those of the standard, in the order in
 * which the database holds them: whole numbers first, texts last, so that those a run changes lie
 * at the front. Statements name their columns and never rely on this order.
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
