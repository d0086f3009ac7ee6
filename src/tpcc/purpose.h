/*
 * What a stream of random numbers is for: the part of its key (base/rng.h) behind the seed, so that
 * no two purposes share numbers, though dataset and run may have the same seed. All stand here and
 * in ascending order, lest one is given twice. Those of the dataset decide rows, those of a run its
 * inputs: never renumber.
 */
#ifndef TPCC_PURPOSE_H
#define TPCC_PURPOSE_H

#include "tpcc/tables.h"

enum purpose {
    PURPOSE_C_LOAD = 101,
    PURPOSE_C_RUN = 102,
    PURPOSE_ROWS = 200, /* + enum tpcc_table */
    PURPOSE_ROWS_LAST = PURPOSE_ROWS + TABLE_COUNT - 1,
    PURPOSE_LINES = 220,
    PURPOSE_PERMUTATION = 221,
    PURPOSE_INPUT = 230, /* 201 until it was seen to be a table's */
    PURPOSE_DEAL = 301,  /* this and the following: of users */
    PURPOSE_WAIT = 302,
    PURPOSE_BEGIN = 303,
    PURPOSE_HOME = 304,
    PURPOSE_ROUND = 305,
};
_Static_assert(PURPOSE_ROWS_LAST < (int)PURPOSE_LINES, "the tables' numbers are theirs alone");

#endif
