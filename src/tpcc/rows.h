/*
 * Row makers: every row is a pure function of (seed, load time, table, warehouse, district, id).
 * A maker walks the rows of one table for a range of warehouses in key order; values borrow from
 * the maker and live until the next row. One thread per maker; makers share nothing.
 */
#ifndef TPCC_ROWS_H
#define TPCC_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "tpcc/tables.h"

struct row_maker;

/* Warehouses first_w..last_w, both included; ITEM ignores the range. row_maker_free() it. */
struct row_maker *row_maker_new(const struct tpcc_dataset *ds, enum tpcc_table t, int32_t first_w,
                                int32_t last_w);
void row_maker_free(struct row_maker *m);
/* The next row's values (tpcc_table(t)->n_columns of them), or NULL after the last. */
const struct value *row_maker_next(struct row_maker *m);
/* Rows of a range: exact for all but ORDER-LINE, which is counted by the same draws. */
uint64_t rows_expected(const struct tpcc_dataset *ds, enum tpcc_table t, int32_t first_w,
                       int32_t last_w);

/* Order-free checksum: add row_checksum() of every row modulo 2^64. The same value comes from the
 * database's own rows read back. */
uint64_t row_checksum(enum tpcc_table t, const struct value *row);

#endif
