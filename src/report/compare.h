/*
 * Several results side by side: runs, grouped to repeats by their label; their figures with
 * intervals; what differs in their settings; and what can be said of each pair of groups. Plain
 * data, made once from results that outlive it; text, CSV, JSON, Markdown and HTML are made of it.
 *
 * What is said of a pair depends on how many repeats there are, and on nothing that would need a
 * second look at the data:
 *   three or more a side  an interval over repeats, and from it "faster" or "no difference shown";
 *   fewer on a side       the difference in just these runs with the interval within them: how much
 *                         it would vary from run to run is not known, so no rank;
 *   an invalid run, figures of different meaning, or none    nothing.
 * Where several pairs are judged, their intervals hold all together at 95 % (Bonferroni).
 */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/vec.h"
#include "report/compare_settings.h"
#include "result/result.h"
#include "stats/signif.h"

/* What groups are ordered and compared by, in the order of the choices of `output.by`. */
enum compare_measure {
    COMPARE_AVG,
    COMPARE_P50,
    COMPARE_P90,
    COMPARE_P95,
    COMPARE_P99,
    COMPARE_P999,
    COMPARE_TPS,
    COMPARE_MEASURES
};

struct compare_run {
    const struct result *r;
    const char *path; /* of its directory */
    const char *name; /* the last part of path */
    size_t group;     /* in compare.group */
    struct signif_interval
        figure[COMPARE_MEASURES]; /* as in result.json, interval within the run */
};

struct compare_group {
    char *name; /* the runs' label, or of a run that has none its directory's name */
    size_t run[COMPARE_RUNS_MAX]; /* in compare.run */
    size_t n;
    /* The geometric mean of the runs, with the interval over repeats; of one run: its own figure
     * and the interval within it; of two there is no interval. */
    struct signif_interval figure[COMPARE_MEASURES];
    double between_percent[COMPARE_MEASURES]; /* standard deviation of the runs; NaN: one run */
    double within_percent[COMPARE_MEASURES];  /* half the 95 % interval within a run, mean of the
                                                 runs */
};

enum compare_says {
    COMPARE_FASTER,  /* a is faster than b */
    COMPARE_SAME,    /* no difference that these runs can show */
    COMPARE_UNKNOWN, /* the difference of these runs; the spread between runs is not known */
    COMPARE_NOT,     /* not compared: see why */
};

struct compare_pair {
    size_t a, b; /* groups, a before b in the order */
    enum compare_says says;
    struct signif_interval percent; /* by how much a is better than b; NaN: not known */
    double most_percent;            /* COMPARE_SAME: the difference is less than this */
    const char *why;                /* COMPARE_NOT */
    bool unfair;                    /* settings are not alike between a and b, or within one */
};

struct compare {
    enum compare_measure by;
    struct compare_run run[COMPARE_RUNS_MAX]; /* as they were named */
    size_t n_runs;
    struct compare_group group[COMPARE_RUNS_MAX]; /* in order: the better figure first */
    size_t n_groups;
    VEC(struct compare_pair) pairs; /* of all groups */
    size_t n_judged;                /* of the pairs, by repeats */
    double level;                   /* of each one's interval */
    struct compare_settings settings;
};

struct compare_input {
    const struct result *r;
    const char *path;      /* without slashes at its end */
    const char *plan_yaml; /* the text of plan.yaml; NULL: there is none */
};

/* 1 <= n <= COMPARE_RUNS_MAX; what `in` points to must outlive c. -1 and err where one run was
 * named twice, which would be taken for a repeat. compare_release() it in both cases. */
int compare_build(struct compare *c, const struct compare_input *in, size_t n,
                  enum compare_measure by, struct err *err) MUST_CHECK;
void compare_release(struct compare *c);

/* A run is invalid; with `strict` also: questionable, or the comparison unfair. Exit code 1. */
bool compare_failed(const struct compare *c, bool strict);

#endif
