/*
 * Reads the counters of a few devices at fixed times and hands the samples on. Opens each stat file
 * once; one pread is one consistent snapshot. Deadlines are absolute: start + k * interval. A
 * deadline that passed unused is counted as missed and never made up for; a device that vanishes or
 * is replaced leaves a gap, never a zero.
 *
 * A device of another host ("HOST:NAME") is read over that host's connection (drive/remote): asked
 * at the deadline, before the devices of this machine are read, and waited for a quarter of a
 * second behind them. An answer that has not come by then is a gap as well; when it was read goes
 * by that host's clock.
 *
 * A reading that does not follow from the last good one (a counter went back, or no drive can have
 * done as much) is odd: it is no figure. If the next one follows from the last good one, the odd
 * one was garbage, and that was all. If it follows from the odd one, the counters are another
 * device's now.
 *
 * Two ways to use it: sampler_start() runs a thread of its own that pushes every sample into a
 * bqueue of struct drive_sample; or the caller waits until sampler_due_ns() and calls
 * sampler_take(). Not both.
 */
#ifndef DRIVE_SAMPLER_H
#define DRIVE_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bqueue.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/fsroot.h"
#include "drive/diskstat.h"
#include "drive/remote.h"

#define SAMPLER_DEVICES_MAX 128
#define SAMPLER_HOSTS_MAX 16

struct drive_sample_device {
    uint64_t at_ns; /* CLOCK_MONOTONIC right after the read */
    struct diskstat stat;
    bool valid;      /* false: not there, not readable, odd, or switched off; stat is nothing */
    bool odd;        /* it is there, and what it says is not believed */
    bool unanswered; /* its host did not answer: nothing is known of it */
    uint32_t epoch;  /* another number: another device has the name since, or it came back */
};

struct drive_sample {
    uint64_t at_ns;  /* when it was taken */
    uint64_t due_ns; /* when it should have been */
    uint32_t missed; /* samples skipped or dropped since the one before */
    uint32_t n;
    struct drive_sample_device device[SAMPLER_DEVICES_MAX]; /* in the order of the names */
};

struct sampler_opts {
    const struct fsroot *root;
    const struct clock *clock;
    const char *const *names; /* as in /sys/class/block, or "HOST:NAME"; copied */
    size_t n_names;           /* 1..SAMPLER_DEVICES_MAX */
    /* Of the hosts that names tell, with all these devices watched (remote_watch). Theirs alone to
     * use from sampler_new() to sampler_free(); they outlive the sampler. */
    struct remote *const *remotes;
    uint64_t answer_ns;   /* what they may take to answer; 0: a quarter of a second */
    size_t n_remotes;     /* 0..SAMPLER_HOSTS_MAX */
    uint64_t start_ns;    /* first deadline; 0: now */
    uint64_t interval_ns; /* 0: one second */
    struct bqueue *out;   /* for sampler_start(); must outlive the sampler */
};

struct sampler_totals {
    uint64_t taken;
    uint64_t missed;     /* deadlines that passed unused */
    uint64_t late;       /* taken over a tenth of the interval after the deadline */
    uint64_t dropped;    /* taken, but `out` was full */
    uint64_t lost;       /* devices that vanished or were replaced, each time */
    uint64_t odd;        /* readings left out: garbage, or the first of another device's */
    uint64_t unanswered; /* samples in which a host did not answer, of each host */
};

struct sampler;

/* Opens all devices; an error names the one that is not there. NULL on failure. Those of other
 * hosts are not asked for yet. */
struct sampler *sampler_new(const struct sampler_opts *opts, struct err *err) MUST_CHECK;
/* Stops the thread if there is one. */
void sampler_free(struct sampler *s);

uint64_t sampler_due_ns(const struct sampler *s);
/* Takes one sample now, whenever that is. */
void sampler_take(struct sampler *s, struct drive_sample *out);

int sampler_start(struct sampler *s, struct err *err) MUST_CHECK;
/* Asks the thread to end and waits for it (at most one sample). `out` stays open. */
void sampler_stop(struct sampler *s);

/* Whole once the thread has stopped; before that call it from the sampling thread only. */
struct sampler_totals sampler_totals(const struct sampler *s);

/* What a device did between two readings. False where there is a gap: not valid in one of them, or
 * another device since. Any two of one sampler, not only neighbours. */
bool drive_reading_delta(const struct drive_sample_device *before,
                         const struct drive_sample_device *after,
                         struct disk_delta *out) MUST_CHECK;
/* The same of device i in two samples. */
bool drive_sample_delta(const struct drive_sample *before, const struct drive_sample *after,
                        size_t i, struct disk_delta *out) MUST_CHECK;

#endif
