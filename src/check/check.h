/*
 * Runs the conditions by ranges of warehouses, in parallel, and keeps offending rows. One statement
 * a condition and range. Each statement sees one snapshot, so a check beside a run is true as well.
 */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/stop.h"
#include "db/session.h"
#include "sql/dialect.h"
#include "tpcc/conditions.h"

#define CHECK_ROWS_KEPT 10
#define CHECK_ASK_NS (3600 * NS_PER_S) /* bound of one statement: a server may hang for good */

struct check_env {
    const struct db_ops *ops;
    struct db_config db;
    const struct dialect *dialect;
    const struct clock *clock;
    struct log *log;
    struct stop *stop;
    progress_fn on_progress;
    void *ctx;
    uint32_t sessions; /* in parallel */
    int32_t warehouses;
    bool quick; /* only the quick ones */
};

struct check_finding {
    int number; /* of the condition */
    bool run;
    bool holds;
    uint64_t offending;          /* rows */
    char *rows[CHECK_ROWS_KEPT]; /* "w_id=1 d_id=3 ...", the first few; NULL behind */
    double seconds;              /* of its statements together, which may have run side by side */
};

struct check_report {
    struct check_finding finding[CONDITIONS];
    double seconds;
    bool all_hold;
};

/* -1 where the check itself could not be run; a condition that fails is in the report. */
int check_run(const struct check_env *env, struct check_report *report, struct err *err) MUST_CHECK;
void check_report_release(struct check_report *report);

/* Sums for the order count (design 4.7): sum(D_NEXT_O_ID) and count of HISTORY rows. */
struct check_totals {
    int64_t next_o_id_sum;
    int64_t history_rows;
};
/* HISTORY is read whole, which may take long: at most CHECK_ASK_NS, or as `how` says of stop and
 * level (its deadline is not looked at). */
int check_totals_read(struct session *s, const struct dialect *d, const struct exec_opts *how,
                      struct check_totals *t, struct err *err) MUST_CHECK;

#endif
