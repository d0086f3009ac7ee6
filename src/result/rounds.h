/*
 * The series in pieces of time: what each measure of steadiness was from one moment to another.
 * Means weighted by what they are means of: response by transactions, awaits by requests.
 */
#ifndef RESULT_ROUNDS_H
#define RESULT_ROUNDS_H

#include "result/result.h"

struct piece {
    double value[STEADY_MEASURES];  /* NaN: nothing of it */
    double events[STEADY_MEASURES]; /* what stands behind it: transactions, requests */
    double weight[STEADY_MEASURES]; /* of the value, by which pieces are added up */
    double covered_s;               /* of the rows that lie in it wholly */
};

/* Rows whose end is in (start_s, end_s]. */
struct piece rounds_piece(const struct result *r, double start_s, double end_s);
/* When row i began: where the one before it ended. */
double rounds_row_start_s(const struct result *r, size_t i);
/* Written to the drive (result/drive_set) up to then; -1: not known. */
int64_t rounds_bytes_written(const struct result *r, double until_s);
/* Where the ramp ends, and the sample begins and ends, by the rows' phases; equal where there is
 * no sample yet. */
double rounds_ramp_end_s(const struct result *r);
void rounds_sample_s(const struct result *r, double *start_s, double *end_s);

#endif
