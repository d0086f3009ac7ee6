/*
 * The document of repeats: runs of one plan under one label, each with a result directory of its
 * own below the set's. What result.json of the set holds; reports are made of the runs themselves,
 * as any comparison. "None" as in result.h.
 */
#ifndef RESULT_REPEATS_H
#define RESULT_REPEATS_H

#include "base/err.h"
#include "result/result.h"

#define REPEATS_KIND "repeats"
#define REPEATS_MAX 20

struct repeats_run {
    char *directory; /* below the set's: "runs/2026-11-30T134501Z-nvme" */
    char *started, *verdict;
    char *restored; /* "copy", "reflink"; NULL: the dataset was not put back before it */
    int64_t runs_since_load;
    double tps, avg_ms, p95_ms, p99_ms;
};

enum repeats_figure { REPEATS_TPS, REPEATS_AVG, REPEATS_P95, REPEATS_P99, REPEATS_FIGURES };

/* Of all runs: the geometric mean, with three or more its 95 % interval, with two or more their
 * standard deviation. */
struct repeats_spread {
    double mean, low, high, percent;
};

struct repeats {
    char *version, *started, *ended, *label, *command;
    char *ended_by;  /* "plan", "interrupt", or what went wrong; NULL: it goes on, or was killed */
    int64_t planned; /* runs */
    bool restored;   /* --restore: before each */
    VEC(struct repeats_run) runs;
};

/* repeats_release() it. */
void repeats_init(struct repeats *all);
void repeats_release(struct repeats *all);
void repeats_add(struct repeats *all, const struct result *r, const char *directory);
struct repeats_spread repeats_spread(const struct repeats *all, enum repeats_figure f);

/* result.json; free() it. */
char *repeats_json_write(const struct repeats *all);
/* Into a repeats_init()ed one. A result of another kind is an error. */
int repeats_json_read(const char *text, struct repeats *all, struct err *err) MUST_CHECK;

/* Whether the directory's result is a set of repeats. */
bool repeats_dir_is(const char *path);
int repeats_dir_read(const char *path, struct repeats *all, struct err *err) MUST_CHECK;

#endif
