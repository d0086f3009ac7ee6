/*
 * What fio says it did: its JSON, distrusted. There are figures, or an error that says what is
 * wrong; never a zero in their place.
 */
#ifndef BLOCK_FIO_JSON_H
#define BLOCK_FIO_JSON_H

#include <stdint.h>

#include "base/err.h"
#include "stats/summary.h"

struct fio_figures {
    char version[32]; /* "fio-3.33" */
    double seconds;
    double iops, read_iops, write_iops; /* NaN where it did none of the direction */
    double mib_per_s;
    struct summary latency_us; /* of all I/Os, from submission to completion */
    int64_t ended_real_us;     /* when it wrote this, since 1970 UTC; -1: it does not say */
};

/* Text before the first line that is "{" is skipped; of several documents the last counts. */
int fio_json_read(const char *text, struct fio_figures *out, struct err *err) MUST_CHECK;

/* The oldest fio whose output has all that is read here. */
#define FIO_OLDEST_MAJOR 3
#define FIO_OLDEST_MINOR 26
/* "fio-3.33", "fio-3.33-25-gabcd" as --version prints it: 0 where it is new enough. */
int fio_json_check_version(const char *version, struct err *err) MUST_CHECK;

#endif
