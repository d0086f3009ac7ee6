/*
 * What limited a run: a pure function of its document, by a table of rules of which the first that
 * applies tells. No clock, no files.
 */
#ifndef RESULT_LIMIT_H
#define RESULT_LIMIT_H

#include "result/result.h"

enum limit {
    LIMIT_UNKNOWN, /* there is no sample to look at */
    LIMIT_DRIVER,
    LIMIT_PACE,
    LIMIT_SESSIONS,
    LIMIT_CPU,
    LIMIT_LOCKS,
    LIMIT_READS,
    LIMIT_WRITES, /* of data or WAL */
    LIMIT_NOTHING,
    LIMITS
};

struct limit_finding {
    enum limit limit;
    char evidence[320]; /* a sentence without a full stop */
};

/* "pace", "drive reads", "drive writes or flushes" ...; as in result.json and in reports. */
const char *limit_name(enum limit l);
struct limit_finding limit_find(const struct result *r);

#endif
