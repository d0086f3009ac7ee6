/*
 * A recording of I/Os that fio plays again: its own iolog (versions 2 and 3, text), or a blktrace
 * (binary), which fio reads itself.
 */
#ifndef BLOCK_TRACE_H
#define BLOCK_TRACE_H

#include <stdbool.h>

#include "base/err.h"

struct trace_facts {
    double iops; /* as recorded, by an iolog of version 3; NaN: it does not say */
    bool writes; /* it does, or may do so: of a blktrace nobody looked */
};

/* -1 where it is not there, or neither of the two. */
int trace_look(const char *path, struct trace_facts *out, struct err *err) MUST_CHECK;

#endif
