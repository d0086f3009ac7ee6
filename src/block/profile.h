/*
 * What a block test does to a drive: a set of profiles, as a file of workloads/block/ describes it.
 * Open data, made from YAML or from a database result, and written as YAML again.
 *
 *   block:
 *     name: four-corners            # what reports call it
 *     modelled: false               # true: after published figures, and then with `sources`
 *     sources: ["..."]
 *     points: [10, 20, 120]         # percent of the maximum; optional
 *     profiles:
 *       - name: 4k-random-read
 *         read: 100                 # percent of the I/Os
 *         random: 100               # percent; 0: one sequential stream
 *         outstanding: 128          # at most so many I/Os under way
 *         size: 4KiB                # or read_sizes, write_sizes: {4KiB: 60, 64KiB: 40}
 *         rates: [3000]             # I/Os a second, asked for beside the points; optional
 *       - name: my-trace
 *         trace: desktop.log        # an iolog of fio or a blktrace, beside this file
 *         outstanding: 32
 */
#ifndef BLOCK_PROFILE_H
#define BLOCK_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"

#define PROFILE_SIZES_MAX 16
#define PROFILE_OUTSTANDING_MAX 1024
#define PROFILE_POINT_MAX 200 /* percent of the maximum */

struct profile_size {
    uint64_t bytes;
    int percent;
};

/* Block sizes of one direction; their percents sum to 100. n == 0: there is none of it. */
struct profile_sizes {
    size_t n;
    struct profile_size at[PROFILE_SIZES_MAX];
};

struct profile {
    char *name;
    int read_percent, random_percent;
    int64_t outstanding;
    struct profile_sizes read, write;
    VEC(double) rates; /* I/Os a second */
    char *trace;       /* a path; NULL: by the figures above */
    double trace_iops; /* as recorded; NaN: the recording does not say */
    bool trace_writes; /* it does, or may do so */
};

struct profile_set {
    char *name;
    bool modelled;
    VEC(char *) sources;
    VEC(int) points; /* percent of the maximum, rising */
    VEC(struct profile) profiles;
    char *taken_from; /* of a database result: its directory; NULL */
};

/* 10, 20 ... 120. */
void profile_default_points(struct profile_set *set);

/* Parses a file's text; `name` is the file's in errors: "FILE:LINE:COLUMN: ...". Traces are looked
 * at, relative to that file. profile_set_release() it, also after errors. */
int profile_parse(const char *bytes, size_t len, const char *name, struct profile_set *out,
                  struct err *err) MUST_CHECK;
/* The file NAME of data_dir/workloads/block, or a path (with a "/" or ".yaml" in it). */
int profile_read(const char *name, const char *data_dir, struct profile_set *out,
                 struct err *err) MUST_CHECK;
void profile_set_release(struct profile_set *set);

/* As YAML that profile_parse() reads back to the same. */
void profile_write(const struct profile_set *set, struct strbuf *out);

bool profile_writes(const struct profile *p);
bool profile_set_writes(const struct profile_set *set);
/* Bytes of an I/O on average, of both directions (true for reads, for writes: of one). */
double profile_mean_bytes(const struct profile *p);
double profile_sizes_mean(const struct profile_sizes *s);
/* How far one I/O's size is from the mean, over it: standard deviation / mean. 0: one size, none.
 */
double profile_sizes_spread(const struct profile_sizes *s);
/* Appends "4 KiB random read", "60 % read, 80 % random, 16 under way" ... */
void profile_say(const struct profile *p, struct strbuf *out);

#endif
