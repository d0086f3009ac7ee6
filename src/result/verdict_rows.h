/*
 * What a row of the verdict's table works with, and the rows that stand in files of their own.
 */
#ifndef RESULT_VERDICT_ROWS_H
#define RESULT_VERDICT_ROWS_H

#include "result/result.h"

/* What a row found; text is a sentence without its full stop. */
struct finding {
    enum verdict_status status; /* the row's, unless the row lowers it */
    double value;               /* RESULT_NONE: none */
    double limit;
    char text[320];
    char advice[320];
};

/* verdict_drive.c: steadiness and health. */
bool unsteady_broken(const struct result *r, struct finding *f);
bool no_flush_broken(const struct result *r, struct finding *f); /* part of `durability` */
bool throttled_broken(const struct result *r, struct finding *f);

#endif
