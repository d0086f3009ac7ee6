/*
 * Where on the clock a run's phases, intervals and batches begin and end: fixed by the plan and GO,
 * cut short only when the run ends before its time. Pure; plain data.
 *
 * Intervals lie on a grid that the sample's start is on; the first one may be shorter. Where the
 * sample's end is not on the grid it cuts an interval in two, so that no row of the series is of
 * both sample and drain. The sample has RESULT_BATCHES batches of equal length.
 */
#ifndef RUN_WINDOWS_H
#define RUN_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"

struct windows {
    uint64_t go_ns;
    uint64_t ramp_end_ns;
    uint64_t sample_start_ns;
    uint64_t
        sample_end_ns; /* sooner than planned where the run was ended; may be before its start */
    uint64_t planned_end_ns;
    uint64_t interval_ns;
};

void windows_init(struct windows *w, const struct plan *plan, uint64_t go_ns);
/* The sample begins at at_ns, before it was due: a multiple of an interval before its start. */
void windows_start_sample(struct windows *w, uint64_t at_ns);
/* The run ends now: there is no sample after this. No effect after its end. */
void windows_end(struct windows *w, uint64_t now_ns);
/* The first edge of the intervals' grid: at GO, or less than an interval after it. */
uint64_t windows_grid_start_ns(const struct windows *w);
enum plan_phase windows_phase(const struct windows *w, uint64_t at_ns);
bool windows_in_sample(const struct windows *w, uint64_t at_ns);
/* The first edge of anything after at_ns: there is always one. */
uint64_t windows_next_edge_ns(const struct windows *w, uint64_t at_ns);
bool windows_ends_interval(const struct windows *w, uint64_t at_ns);
bool windows_is_sample_edge(const struct windows *w, uint64_t at_ns);
/* How many of the sample's two edges lie after at_ns. */
int windows_sample_edges_after(const struct windows *w, uint64_t at_ns);
/* The batch in which at_ns falls; before the sample the first, after it the last one begun. */
int windows_batch(const struct windows *w, uint64_t at_ns);

#endif
