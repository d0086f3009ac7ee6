/*
 * How long work tells how far it is. Called often (the receiver thins it out), from one thread.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdint.h>

struct progress {
    const char *step; /* "load", "keys", "vacuum", "check", "recovery" */
    const char *unit; /* "rows", "bytes", "warehouses" */
    uint64_t done;
    uint64_t total;       /* 0: not known */
    uint64_t elapsed_ns;  /* of this step */
    uint64_t all_left_ns; /* of the job that the step is a part of; 0: not told */
};

typedef void (*progress_fn)(const struct progress *p, void *ctx);

#endif
