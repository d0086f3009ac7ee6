/*
 * Reads the conditions between the commas one by one.
 */
#include "config/goals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "config/settings.h"

#define EXAMPLE "(try \"p95<20ms\" or \"p95<20ms, new_order.p99<100ms\")"

static const struct {
    const char *word;
    double percent;
} measures[] = {
    [GOAL_AVG] = {"avg", 0},  [GOAL_P50] = {"p50", 50}, [GOAL_P90] = {"p90", 90},
    [GOAL_P95] = {"p95", 95}, [GOAL_P99] = {"p99", 99}, [GOAL_P999] = {"p999", 99.9},
    [GOAL_MAX] = {"max", 0},
};
_Static_assert(ARRAY_LEN(measures) == GOAL_MEASURES, "words of the measures");

static const char *const txns[SETTINGS_TXN] = {"new_order", "payment", "order_status", "delivery",
                                               "stock_level"};

double goal_percent(enum goal_measure m)
{
    CHECK(m < GOAL_MEASURES);
    return measures[m].percent;
}

void goal_format(const struct goal *g, char *buf, size_t size)
{
    char limit[40];

    units_format_duration(g->limit_ns, limit, sizeof(limit));
    (void)snprintf(buf, size, "%s%s%s<%s", g->txn == GOAL_ALL ? "" : txns[g->txn],
                   g->txn == GOAL_ALL ? "" : ".", measures[g->measure].word, limit);
}

/* Without blanks at both ends, in place. */
static char *trimmed(char *text)
{
    size_t n = 0;

    while (*text == ' ')
        text++;
    n = strlen(text);
    while (n > 0 && text[n - 1] == ' ')
        text[--n] = '\0';
    return text;
}

static int parse_measure(const char *word, struct goal *g, struct err *err)
{
    for (int m = 0; m < GOAL_MEASURES; m++) {
        if (strcmp(measures[m].word, word) == 0) {
            g->measure = (enum goal_measure)m;
            return 0;
        }
    }
    return err_set(err, ERR_USAGE,
                   "\"%.40s\" is not one of avg, p50, p90, p95, p99, p999, max " EXAMPLE, word);
}

static int parse_txn(const char *word, struct goal *g, struct err *err)
{
    for (int t = 0; t < SETTINGS_TXN; t++) {
        if (strcmp(txns[t], word) == 0) {
            g->txn = t;
            return 0;
        }
    }
    return err_set(err, ERR_USAGE,
                   "\"%.40s\" is not one of new_order, payment, order_status, delivery, "
                   "stock_level " EXAMPLE,
                   word);
}

static int parse_goal(char *item, struct goals *out, struct err *err)
{
    char *below = strchr(item, '<');
    char *dot = NULL;
    struct goal g = {.txn = GOAL_ALL};
    struct err part = {0};

    if (!below)
        return err_set(err, ERR_USAGE, "\"%.40s\" has no \"<\" before its limit " EXAMPLE,
                       trimmed(item));
    if (out->n == GOALS_MAX)
        return err_set(err, ERR_USAGE, "more than %d conditions", GOALS_MAX);
    *below = '\0';
    item = trimmed(item);
    dot = strchr(item, '.');
    if (dot)
        *dot = '\0';
    if (dot && parse_txn(item, &g, err) < 0)
        return -1;
    if (parse_measure(dot ? dot + 1 : item, &g, err) < 0)
        return -1;
    if (units_parse_duration_ns(trimmed(below + 1), &g.limit_ns, &part) < 0 || g.limit_ns == 0)
        return err_set(err, ERR_USAGE, "\"%.40s\" is not a time " EXAMPLE, trimmed(below + 1));
    out->at[out->n++] = g;
    return 0;
}

bool goals_is_curve(const char *text)
{
    return strcmp(text, GOALS_CURVE) == 0;
}

int goals_parse(const char *text, struct goals *out, struct err *err)
{
    char *copy = xstrdup(text);
    char *rest = copy;
    int rc = 0;

    *out = (struct goals){0};
    while (rc == 0 && rest)
        rc = parse_goal(strsep(&rest, ","), out, err);
    free(copy);
    return rc;
}
