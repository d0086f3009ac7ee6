/*
 * The block tests of a drive (kind "sweep"): curves of latency over IOPS, one a profile. Plain data
 * within struct result; a figure that does not exist is NaN, -1 or NULL, as there.
 */
#ifndef RESULT_SWEEP_H
#define RESULT_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "stats/summary.h"

struct result;
struct result_rates;

#define SWEEP_OFF_PERCENT 2.0         /* a rate further from what was asked is marked ... */
#define SWEEP_OFF_SIGMAS 4.0          /* ... unless its block sizes may be that far by chance */
#define SWEEP_OUTSTANDING_PERCENT 5.0 /* the same of the mean outstanding at the maximum */
#define SWEEP_KNEE_PERCENT 95.0       /* of the peak: the point that is shown for a drive */
#define SWEEP_FAST_US 1000.0          /* "IOPS below 1 ms" */

/* One rate, held for a while. */
struct sweep_point {
    double percent;       /* asked, of the maximum; NaN: the maximum itself, or a rate of its own */
    double asked_iops;    /* NaN: as many as go */
    double seconds;       /* measured */
    double after_pause_s; /* the sweep had been cut off for so long before it; NaN: it had not */
    double iops, mib_per_s, read_iops, write_iops;
    struct summary latency_us;    /* of reads and writes together, from submission to completion */
    double outstanding;           /* mean: iops x average latency */
    int saturated;                /* fewer than asked, since the drive gives no more: 1, 0 */
    int off;                      /* the rate is wrong for another reason than that: 1, 0 */
    double off_limit_percent;     /* from where on it is; NaN: nothing was asked */
    struct result_rates *devices; /* as drive.devices, in the same seconds; NULL: none */
    size_t n_devices;
};

struct sweep_profile {
    char *workload;      /* the file it is of: "four-corners" */
    char *name, *mix;    /* "4k-random-read", "100 % reads of 4 KiB, random" */
    bool modelled;       /* after published figures, not the workload itself */
    char *sources;       /* whose figures; NULL: none are named */
    int64_t outstanding; /* asked: at most so many I/Os under way */
    /* Of one block size: its standard deviation over its mean, as asked for; 0: all are the same */
    double read_spread, write_spread;
    double peak_iops, peak_mib_per_s;
    double iops_at_95_percent, latency_us_at_95_percent;
    double iops_below_1_ms;
    int steady; /* --until-steady: whether the maximum was; -1: not asked */
    int64_t rounds;
    VEC(struct sweep_point) points; /* the maximum first, then as asked */
};

struct result_sweep {
    char *target;     /* "block device" or "file" */
    char *fio;        /* its version, as it says it */
    char *taken_from; /* the database result that oltp-blocks was made of; NULL */
    char *target_id;  /* a hash of its disk's serial number, or of its path, and its place there */
    char *saved;      /* when the last point was; UTC. NULL: none was */
    int64_t area_bytes; /* of the target, from its start */
    double point_seconds, settle_seconds;
    int64_t points_planned, points_done;
    bool interrupted;
    VEC(struct sweep_profile) profiles;
};

void sweep_release(struct result_sweep *s);
/* Takes the last profile away. */
void sweep_drop_last(struct result_sweep *s);
/* All figures "none". */
struct sweep_point sweep_point_none(void);
/* Takes the point over: says whether it is saturated or off (struct sweep_point), and makes the
 * profile's figures anew. Rates are held in bytes a second, so where block sizes are mixed the
 * number of I/Os that these bytes are is left to chance. With n I/Os its relative standard
 * deviation is spread / sqrt(n) of each direction; four of them, where that is over 2 %, are no
 * fault of anybody. */
void sweep_add_point(struct sweep_profile *p, struct sweep_point point);
/* The profile's figures from its points: the peak is the highest rate of any; 95 % of it and 1 ms
 * are found on the lines between neighbours, which are straight on a logarithmic axis of latency.
 */
void sweep_figures(struct sweep_profile *p);
/* The point of the maximum, or NULL. */
const struct sweep_point *sweep_maximum(const struct sweep_profile *p);

/* Whether the document is of this kind; oltp also where it does not say. */
bool result_is_oltp(const struct result *r);
bool result_is_sweep(const struct result *r);
bool result_is_prep(const struct result *r);
/* Fills r->verdict; r is a sweep. */
void sweep_judge(struct result *r);

#endif
