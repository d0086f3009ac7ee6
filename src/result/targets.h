/*
 * The document of several targets that were loaded at once: a row a target, taken from the judged
 * result of its run (which has a directory of its own below this one), their sum, and what the one
 * driver process cost. What result.json of the whole holds, which is enough for its reports. "None"
 * as in result.h.
 *
 * The sum is of those whose run went on to its planned end, over the one window that all samples
 * share: counts and rates add up, the response is of their histograms added, and a device that
 * several lie on counts once. A run whose server went and did not come back is in the rows only.
 */
#ifndef RESULT_TARGETS_H
#define RESULT_TARGETS_H

#include "base/err.h"
#include "result/ladder.h"
#include "result/result.h"

#define TARGETS_KIND "targets"
#define TARGETS_MOST 64

/* The sample in RESULT_BATCHES equal parts. */
struct targets_line {
    double tps[RESULT_BATCHES], avg_ms[RESULT_BATCHES], p99_ms[RESULT_BATCHES];
};

struct target_row {
    char *name;
    char *ended_by; /* "plan", "the loss of its server" ...; NULL: it did not begin */
    char *database, *drive;
    bool summed;
    double lateness_p99_ms;
    struct ladder_step run; /* as a ladder has its steps */
    struct targets_line line;
};

struct targets_driver { /* the process, in the sample */
    double cpu_percent, cpu_us_per_transaction, rss_mib;
    double lateness_p99_ms; /* of the target that has the most */
};

struct targets {
    char *version, *started, *ended, *label, *command;
    char *host, *workload;
    char *ended_by; /* "plan", "interrupt", or what went wrong; NULL: under way, or killed */
    char *verdict;  /* the worst one of all; NULL: none yet */
    char *shared;   /* devices that several lie on: "sda by a and b, ..."; NULL: none */
    int64_t planned, summed;
    double mean_cycle_s;
    struct ladder_step sum; /* directory NULL: there is none */
    struct targets_line line;
    struct targets_driver driver;
    VEC(struct target_row) rows; /* in the order of the file */
    struct result merged;        /* histograms and batches of the sum; not read back */
};

/* All figures "none". targets_release() it. */
void targets_init(struct targets *t);
void targets_release(struct targets *t);

/* How a target's run came about. */
struct targets_run {
    const char *name;
    const char *directory;              /* below this one's */
    const struct result_driver *driver; /* what the process cost in its sample */
};
/* Its sample went on to the planned end, and its server with it: it is in the sum. */
bool targets_has_whole_sample(const struct result *r);
/* A row at the end, of a judged result. */
void targets_add(struct targets *t, const struct targets_run *run, const struct result *r);
/* When all are there, or again: sum, verdict, cost. */
void targets_close(struct targets *t);
/* Whether a program that asked for it should fail: one is invalid or missing; with `strict` also
 * where one is questionable. */
bool targets_failed(const struct targets *t, bool strict);

/* result.json; free() it. */
char *targets_json_write(const struct targets *t);
/* Into a targets_init()ed one. A result of another kind is an error. */
int targets_json_read(const char *text, struct targets *t, struct err *err) MUST_CHECK;

/* Whether the directory's result is of several targets. */
bool targets_dir_is(const char *path);
int targets_dir_read(const char *path, struct targets *t, struct err *err) MUST_CHECK;

#endif
