/*
 * The run itself: opens the sessions at a bounded rate, starts the users, drives ramp,
 * precondition, sample and drain by the clock, and fills the result's phases, sample, run, audit,
 * errors, series, histograms and batches. Knows nothing of private servers, directories or reports.
 *
 * What counts where: throughput, outcomes and the audit are of what was done inside the sample;
 * latency, batches, lateness and waiting are of all that was due inside it, followed to its end
 * through the drain. A transaction belongs to the batch in which it was done, after the sample's
 * end to the last one: so the batches add up to the sample's histograms exactly. With deferred
 * Delivery row `delivery` holds the queueing (not counted as a transaction), and
 * `delivery_deferred` the execution.
 *
 * On a clock other than the machine's all of it happens in the calling thread and as fast as it
 * goes, with device counters only where they are of a made root.
 */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "base/clock.h"
#include "base/fsroot.h"
#include "base/log.h"
#include "base/stop.h"
#include "db/session.h"
#include "drive/blockdev.h"
#include "drive/remote.h"
#include "plan/plan.h"
#include "result/result.h"
#include "run/together.h"
#include "sql/dialect.h"
#include "tpcc/txn.h"

enum run_state { RUN_CONNECTING, RUN_RAMP, RUN_PRECONDITION, RUN_SAMPLE, RUN_DRAIN, RUN_ENDED };

/* What the live view and the result's files get at every interval. */
struct run_interval {
    enum run_state state;
    uint64_t state_left_ns; /* until this phase's planned end, or its bound */
    uint64_t run_left_ns;   /* until the sample's planned end */
    const struct series_row *row;
    const struct result *result;
};

/* How the server is watched (run/server_watch.h). */
struct run_watch {
    const struct dialect *dialect;
    bool local; /* the server runs on this machine */
};

struct run_env {
    const struct plan *plan;
    const struct clock *clock;
    struct log *log;
    struct stop *stop;
    const struct db_ops *ops;
    struct db_config db; /* its prepare list is filled by the run */
    const struct txn_statements *statements;
    const char *const *devices; /* names under /sys/block or "HOST:NAME", as
                                   result->drive.devices; the result's series is made for so many */
    int n_devices;
    struct remote *const *remotes; /* the hosts of the latter, connected (drive/remote.h) */
    size_t n_remotes;
    const struct run_watch *watch; /* NULL: not at all */
    const struct fsroot *root;     /* of their /sys; NULL: the machine's */
    struct together *together;     /* with whom it begins, ready or not; NULL: alone */
    void (*on_interval)(const struct run_interval *iv, void *ctx);   /* main thread; may be NULL */
    void (*on_connecting)(uint32_t done, uint32_t total, void *ctx); /* main thread; may be NULL */
    /* Of the hottest drive, for the series; main thread; NaN: not known; may be NULL. */
    double (*temperature_c)(void *ctx);
    void (*on_go)(uint64_t go_ns, void *ctx); /* the clock started; main thread; may be NULL */
    /* Called once as the sample starts (a checkpoint where the server is ours), on a thread of its
     * own, since it may take long; may be NULL. It should look at stop. */
    void (*before_sample)(void *ctx);
    void *ctx;
};

/* In-doubt transactions for the after-check (run/doubt.h) and the counts it needs. */
struct run_doubt {
    enum txn_type type;       /* New-Order or Payment (others change no count) */
    int32_t w_id, d_id, c_id; /* New-Order: by (w, d, c, entry); Payment: by its stamp in HISTORY */
    int64_t stamp_us;
    bool in_sample; /* counted among the sample's outcomes */
};

struct run_counts {
    uint64_t new_orders_committed; /* whole run, planned rollbacks not in it */
    uint64_t payments_committed;
    struct run_doubt *doubts; /* all in doubt of these two types; free() */
    size_t n_doubts;
    uint64_t doubts_lost; /* more than found room: can't be resolved */
};

/* 0 when the run took place, whatever its figures are, also when interrupted (result->run tells);
 * -1 when it could not begin (no connection, no device). */
int run_execute(const struct run_env *env, struct result *result, struct run_counts *counts,
                struct err *err) MUST_CHECK;

#endif
