/*
 * What the loop writes down between two edges of the clock: a slice. The loop owns the recorder it
 * writes to; at an edge it hands it to the main thread and takes an empty one, so that nothing is
 * locked or allocated for a transaction. Slices are cut at every interval's, batch's and sample's
 * edge; two figures of one slice never straddle one.
 *
 * What is done in a slice: outcomes, done, audit, `all`. What was due in the sample, whenever it
 * ended: time, late, seen, waited, unfinished. Hence throughput is what the window saw done, and
 * latency is of all that was due in it.
 */
#ifndef RUN_RECORDER_H
#define RUN_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"
#include "result/result.h"
#include "run/audit.h"
#include "stats/counters.h"
#include "stats/hist.h"

_Static_assert(RESULT_TXN_ROWS == TXN_ROWS, "results have a row for each transaction");

struct record_sums {
    struct counters outcomes;
    uint64_t done[TXN_ROWS];   /* committed + rolled back; deferred Deliveries: row DELIVERY when
                                  queued, row DELIVERY_DEFERRED (and outcomes) when executed */
    uint64_t orders_committed; /* New-Orders, without planned rollbacks */
    uint64_t payments_committed;
    uint64_t seen;       /* due in the sample */
    uint64_t waited;     /* of them, those that found no free session */
    uint64_t unfinished; /* due in the sample, not ended at the end of the drain */
    uint64_t late_ns;    /* seen - due of all started, sum and the most */
    uint64_t late_max_ns;
    struct audit_sums audit;
};
void record_sums_add(struct record_sums *to, const struct record_sums *from);

struct recorder {
    struct record_sums sums;
    uint64_t first_commit_ns; /* in the slice; 0: none */
    uint64_t last_commit_ns;
    uint64_t silence_ns;                     /* the longest between two commits of the slice */
    struct hist *all;                        /* response of all done in the slice */
    struct hist *late;                       /* seen - due, of those due in the sample */
    struct hist *time[TXN_ROWS][TIME_KINDS]; /* due in the sample */
};

struct recorder *recorder_new(void);
void recorder_free(struct recorder *r);
void recorder_clear(struct recorder *r);

/* A recorder on its way to the main thread, with what stood at the slice's end. */
struct slice {
    struct recorder *rec;
    uint64_t start_ns;
    uint64_t end_ns;
    enum plan_phase phase; /* in which it begins */
    bool in_sample;
    bool ends_interval;
    bool last;          /* of the run */
    int batch;          /* of the sample: where what was due in it and recorded here belongs */
    bool balanced;      /* the counters' equation held */
    uint32_t users;     /* started */
    uint64_t queue;     /* due, without a session */
    uint32_t busy;      /* sessions with a transaction */
    uint32_t alive;     /* sessions connected */
    uint64_t oldest_ns; /* age of the oldest transaction on a session; 0: none */
    uint64_t cpu_ns;    /* of the process, so far */
};

#endif
