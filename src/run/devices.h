/*
 * The device counters of a run: a sampler on the grid of the intervals, its samples joined with the
 * rows of the series, and what the devices did in the sample. A figure is of whole intervals with a
 * sample at both ends; what is missing is a gap, and figures per transaction leave out the
 * transactions of a gap as well. They and the bytes written are of all the devices that the result
 * calls summed, together. Main thread.
 */
#ifndef RUN_DEVICES_H
#define RUN_DEVICES_H

#include "result/result.h"
#include "run/run.h"
#include "run/windows.h"

struct devices;

/* An error names the device that is not there. */
int devices_check(const struct run_env *env, struct err *err) MUST_CHECK;
/* Starts sampling. r->drive.devices, where it is filled, tells which are summed; else it is the
 * first. NULL where there are no devices, or with err. */
struct devices *devices_start(const struct run_env *env, const struct windows *w,
                              const struct result *r, struct err *err);
/* An interval of the series. */
struct devices_interval {
    uint64_t start_ns, end_ns;
    bool in_sample;        /* wholly */
    uint64_t transactions; /* done in it */
};
/* Fills row->device. d may be NULL. Waits a moment for a sample that is on its way. */
void devices_row(struct devices *d, const struct devices_interval *iv, struct series_row *row);
/* Stops sampling and fills the result's figures. NULL is harmless. */
void devices_finish(struct devices *d, struct result *r);

#endif
