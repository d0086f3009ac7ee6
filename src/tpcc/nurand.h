/*
 * The non-uniform random numbers of 2.1.6: NURand(A, x, y) = (((random(0, A) | random(x, y)) + C)
 * mod (y - x + 1)) + x, for the three A of the standard. Also the last names they choose (4.3.2.3).
 */
#ifndef TPCC_NURAND_H
#define TPCC_NURAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "tpcc/params.h"

#define NURAND_A_CUSTOMER_LAST 255
#define NURAND_A_CUSTOMER_ID 1023
#define NURAND_A_ITEM_ID 8191

#define LAST_NAMES 1000
#define LAST_NAME_MAX 15 /* "CALLYCALLYCALLY", "ATIONATIONATION" */

/* NURand(255, 0, 999): the number of a last name. */
int32_t nurand_last_name(struct rng *r, const struct nurand_c *c);
/* NURand(1023, 1, 3000). */
int32_t nurand_customer_id(struct rng *r, const struct nurand_c *c);
/* NURand(8191, 1, 100000). */
int32_t nurand_item_id(struct rng *r, const struct nurand_c *c);

/* Whether a run may use c_run against a dataset of c_load for the last names (2.1.6.1). */
bool nurand_c_delta_valid(int32_t c_load, int32_t c_run);

/* Writes last name number 0..999, three syllables, and a 0 behind it; buf holds LAST_NAME_MAX + 1
 * bytes. Returns the length. */
size_t last_name(int32_t number, char *buf);

#endif
