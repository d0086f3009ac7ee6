/*
 * The twelve consistency conditions (3.3.2.1 to 3.3.2.12), each with the name of its statement in
 * the dialect; 11 in its form that holds at any time. A statement takes a range of warehouses
 * ($1..$2) and answers the first few offending rows, each as (how many there are in all, text such
 * as "w_id=1 d_id=3 ..."): none means that it holds.
 */
#ifndef TPCC_CONDITIONS_H
#define TPCC_CONDITIONS_H

#include <stdbool.h>
#include <stdint.h>

#define CONDITIONS 12

struct condition {
    int number;            /* 1..12 */
    const char *statement; /* "condition_1" ... */
    const char *text;      /* one line: what must hold */
    bool quick;            /* of the quick check, by index */
    uint8_t n_params;      /* 2: first and last warehouse of a range; 3: and how many there are */
    bool reads_history;    /* scans all of HISTORY, which has no key: wants large ranges */
    uint16_t cost;         /* of one warehouse, relative to the others: for the time left */
};

const struct condition *conditions(void); /* CONDITIONS of them */

#endif
