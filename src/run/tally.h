/*
 * Main's side of the measuring: takes slices one after another and makes the result of them: a row
 * of the series at each interval's end, the sample's histograms, figures and batches, and the sums
 * over the whole run. Its memory does not grow but by a series row an interval.
 */
#ifndef RUN_TALLY_H
#define RUN_TALLY_H

#include "run/devices.h"
#include "run/recorder.h"
#include "run/server_watch.h"
#include "run/windows.h"

struct tally {
    const struct plan *plan;
    struct result *result;
    struct record_sums run;
    struct record_sums sample; /* done in it; seen, waited, unfinished: due in it */
    struct record_sums row;    /* since the last row */
    struct hist *row_response;
    struct hist *late;
    uint64_t row_start_ns;
    enum plan_phase row_phase;
    bool row_begun;
    uint64_t sample_start_ns; /* 0: not yet */
    uint64_t sample_end_ns;
    uint64_t sample_start_cpu_ns;
    uint64_t sample_end_cpu_ns;
    uint64_t last_cpu_ns;
    uint64_t last_commit_ns; /* GO where there was none yet */
    uint64_t row_silence_ns; /* the longest time without a commit so far */
    uint64_t sample_silence_ns;
};

/* What else fills a row; the first two may be NULL. */
struct watchers {
    struct devices *devices;
    struct server_watch *server;
    double temperature_c;
};

/* From here the result's series and histograms are the tally's to fill. */
void tally_init(struct tally *t, const struct plan *plan, struct result *r);
void tally_release(struct tally *t);
/* At GO. */
void tally_go(struct tally *t, const struct windows *w);
/* Adds a slice; gives the new row of the series where it ends one, else NULL. */
const struct series_row *tally_slice(struct tally *t, const struct slice *s,
                                     const struct windows *w, const struct watchers *watchers);
/* Transactions done so far, good or bad. */
uint64_t tally_ended(const struct tally *t);
/* After the last slice: the figures. */
void tally_finish(struct tally *t, const struct windows *w);

#endif
