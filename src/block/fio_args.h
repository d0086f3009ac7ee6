/*
 * One point of a curve as a command line of fio. Pure: no files, no clock.
 *
 * The maximum: random I/O by so many threads, each with one I/O (psync); sequential I/O by one
 * stream with so many under way (libaio), since several threads would read the same blocks each.
 * A rate: the same, paced by bytes a second, which is right for mixed block sizes where fio's
 * rate_iops is wrong by their ratio (fio before 3.42). Each thread gets a slightly different rate,
 * their sum exact, so that threads that start together do not fire together for ever. What is
 * behind is made up for; at most so many I/Os as at the maximum are under way, so that beyond
 * saturation latency is their number by the rate, as in the reviews' tool.
 */
#ifndef BLOCK_FIO_ARGS_H
#define BLOCK_FIO_ARGS_H

#include "base/vec.h"
#include "block/profile.h"

struct fio_point {
    const struct profile *profile;
    const char *fio;     /* the program */
    const char *path;    /* of the target */
    const char *output;  /* where the JSON goes */
    uint64_t area_bytes; /* from the target's start */
    double asked_iops;   /* NaN: as many as go */
    uint64_t settle_ns, duration_ns;
};

struct fio_args {
    VEC(char *) at; /* NULL-terminated */
};

void fio_args_make(const struct fio_point *point, struct fio_args *out);
void fio_args_release(struct fio_args *args);
/* The words as a shell would take them, cut after `most` bytes. */
void fio_args_say(const struct fio_args *args, size_t most, struct strbuf *out);

#endif
