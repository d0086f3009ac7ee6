/*
 * A run on the null backend and, as a rule, on a fake clock: hours take a moment, and every figure
 * is exact and the same each time. A test sets up plan and script, runs, and looks at the result.
 */
#ifndef RIG_H
#define RIG_H

#include "base/clock.h"
#include "db/null.h"
#include "harness/unit.h"
#include "run/run.h"

#define RIG_START_NS (100 * NS_PER_S)

struct rig {
    struct clock_fake fake;
    const struct clock *clock;
    struct plan plan;
    struct null_script script;
    struct stmt stmt[TXN_TYPES];
    struct txn_statements statements;
    struct stop stop;
    struct log *log;
    struct result result;
    struct run_counts counts;
    struct err err;
    struct run_env env;
    /* Called in the run, with the interval; may change the script. */
    void (*on_interval)(struct rig *r, const struct run_interval *iv);
    /* Called as the sample starts. */
    void (*on_sample)(struct rig *r);
    void (*on_connecting)(struct rig *r, uint32_t done);
    uint64_t told_go_ns; /* by on_go, and when that was */
    uint64_t told_at_ns;
    const struct fsroot *root; /* of the devices' counters; what is summed is the result's */
    const char *devices[4];
    int n_devices;
    uint32_t log_warnings;
    char last_warning[256];
    uint32_t count; /* a test's own */
};

/* users on 10 warehouses at the standard's pace and mix, 16 sessions, service 5 ms; ramp 21 s,
 * precondition 60 s, sample 10 min, drain 60 s, intervals of 1 s. Accounting is strict. */
void rig_init(struct rig *r, uint32_t users);
void rig_release(struct rig *r);
/* Replaces the pace by a fixed cycle. */
void rig_cycle(struct rig *r, uint64_t cycle_ns);
/* Fills r->env, once, for a test that does without run_execute(). */
void rig_ready(struct rig *r);
/* Gives what run_execute() gives. */
int rig_try(struct rig *r);
/* Runs; fails the test where it can't begin. */
void rig_run(struct rig *r);

/* The batches' histograms add up to the sample's responses, and so do queue and service;
 * counters balance; the series' counts add up to the sample's. Every test that runs ends with it.
 */
void rig_check(const struct rig *r);

#endif
