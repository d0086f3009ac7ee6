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

/* verdict_drive.c: steadiness, health, gaps in the counters, who else used the drive, its link. */
bool unsteady_broken(const struct result *r, struct finding *f);
bool no_flush_broken(const struct result *r, struct finding *f); /* part of `durability` */
bool gaps_broken(const struct result *r, struct finding *f);
bool throttled_broken(const struct result *r, struct finding *f);
bool foreign_broken(const struct result *r, struct finding *f);
bool link_broken(const struct result *r, struct finding *f);
/* verdict_memory.c: RAM may have hidden the drive (no limit, a limit that the dataset fits into,
 * files that stayed cached, reads that the device never saw), or the limit was so small that the
 * kernel ended parts of the server. */
bool memory_broken(const struct result *r, struct finding *f);

#endif
