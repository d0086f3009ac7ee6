/*
 * What differs between runs beside the drive: settings from result.json and plan.yaml, each with
 * its value in every run, and whether the difference makes the comparison unfair. Left out is what
 * names the thing under test (path, devices), what every run has its own (label, times), and what
 * only says how a program talks.
 */
#ifndef REPORT_COMPARE_SETTINGS_H
#define REPORT_COMPARE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "result/result.h"

#define COMPARE_RUNS_MAX 20

enum compare_setting_flag {                     /* bits */
                            COMPARE_UNFAIR = 1, /* it changes the figures */
                            COMPARE_REPEATS =
                                2, /* it may differ between repeats that do so alike on both sides:
                                      a seed, the runs since the load */
                            COMPARE_VERDICT =
                                4, /* speaks against a run by itself, unless it is "valid" */
};

struct compare_setting {
    char *name;
    unsigned flags;                /* enum compare_setting_flag */
    char *value[COMPARE_RUNS_MAX]; /* of each run; NULL: not known */
    double number[COMPARE_RUNS_MAX];
    double tolerance; /* above 0: numbers that differ by less count as equal; else the values */
};

struct compare_settings {
    VEC(struct compare_setting) differ; /* those that make it unfair first */
    size_t n_unfair;
    VEC(char *) notes; /* what could not be looked at */
};

/* The runs, and for each its group. */
struct compare_settings_of {
    const struct result *r[COMPARE_RUNS_MAX];
    const char *plan_yaml[COMPARE_RUNS_MAX]; /* NULL: none */
    const char *name[COMPARE_RUNS_MAX];      /* for notes */
    size_t group[COMPARE_RUNS_MAX];
    size_t n;
};

/* Into a zeroed one. compare_settings_release() it. */
void compare_settings_find(struct compare_settings *s, const struct compare_settings_of *of);
void compare_settings_release(struct compare_settings *s);

/* Whether it speaks against comparing group a with group b; a may be b: then against taking its
 * runs for repeats. */
bool compare_setting_is_against(const struct compare_setting *s,
                                const struct compare_settings_of *of, size_t a, size_t b);

#endif
