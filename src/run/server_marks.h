/*
 * From counters at moments to marks on the time line: checkpoints, and vacuums of which table. Main
 * thread.
 */
#ifndef RUN_SERVER_MARKS_H
#define RUN_SERVER_MARKS_H

#include "base/log.h"
#include "base/vec.h"
#include "result/result.h"
#include "run/server_ask.h"
#include "run/windows.h"

struct server_mark_span {
    double start_s, end_s;
};

struct server_marks {
    struct log *log;
    struct result *result;
    uint64_t go_ns;
    bool has_last;
    struct server_counts last;
    uint64_t last_ns;
    uint64_t vacuum_since_ns[SERVER_TABLES_MAX]; /* as in last.vacuum; 0: does not run */
    int64_t timed, requested;                    /* when the last checkpoint ended */
    double begun_s;                              /* one that has not ended; NaN: none */
    VEC(struct server_mark_span) checkpoints;    /* that ended */
};

/* log may be NULL. */
void server_marks_init(struct server_marks *m, uint64_t go_ns, struct log *log, struct result *r);
void server_marks_release(struct server_marks *m);
/* The next moment, in order; what ended since is marked and logged. */
void server_marks_look(struct server_marks *m, const struct server_counts *now, uint64_t at_ns);
/* Marks what has not ended. Harmless on a zeroed one, of a run that never began. */
void server_marks_end(struct server_marks *m);
/* Checkpoints that began and ended in the sample; times are known to an interval and a second. */
int64_t server_marks_whole(const struct server_marks *m, const struct windows *w,
                           uint64_t interval_ns);

#endif
