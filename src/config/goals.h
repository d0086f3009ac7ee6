/*
 * What a search asks for, as it is written: "p95<20ms, new_order.p99<100ms". Pure.
 */
#ifndef CONFIG_GOALS_H
#define CONFIG_GOALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define GOALS_MAX 8
#define GOALS_CURVE "curve" /* --find-tps without a condition */
#define GOAL_ALL (-1)       /* all transactions */

enum goal_measure {
    GOAL_AVG,
    GOAL_P50,
    GOAL_P90,
    GOAL_P95,
    GOAL_P99,
    GOAL_P999,
    GOAL_MAX,
    GOAL_MEASURES
};

/* A bound of the response. */
struct goal {
    int txn; /* GOAL_ALL, or the transaction in the settings' order */
    enum goal_measure measure;
    uint64_t limit_ns;
};

/* All of them must hold. */
struct goals {
    size_t n;
    struct goal at[GOALS_MAX];
};

/* Whether that is what --find-tps asks for, and nothing is searched. */
bool goals_is_curve(const char *text);
/* Errors say what is wrong and give an example. */
int goals_parse(const char *text, struct goals *out, struct err *err) MUST_CHECK;
/* 95 of GOAL_P95; 0 of GOAL_AVG and GOAL_MAX. */
double goal_percent(enum goal_measure m);
/* "new_order.p99<100ms", into buf. */
void goal_format(const struct goal *g, char *buf, size_t size);

#endif
