/*
 * The twelve consistency conditions (3.3.2.1 to 3.3.2.12), each with the name of its statement in
 * the dialect; 11 in its form that holds at any time. A statement takes a range of warehouses
 * ($1..$2) and answers the offending rows: none means that it holds.
 */
#ifndef TPCC_CONDITIONS_H
#define TPCC_CONDITIONS_H

#include <stdbool.h>

#define CONDITIONS 12

struct condition {
    int number;             /* 1..12 */
    const char *statement;  /* "condition_1" ... */
    const char *text;       /* one line: what must hold */
    bool quick;             /* of the quick check, by index */
};

const struct condition *conditions(void); /* CONDITIONS of them */

#endif
