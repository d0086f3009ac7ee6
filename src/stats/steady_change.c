/*
 * Finds the stretch that stands out most, asks whether it is a change of level, and looks again
 * into the pieces that it leaves. The number of pieces is bounded by their least length.
 */
#include "stats/steady_change.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define PIECES_MAX 64
#define EDGE_SHARE 0.25 /* of the difference of the levels, seen right at the edge */

struct search {
    const double *value;
    const double *logs;
    const double *sums; /* sums[i] of the first i logs */
    const struct change_rules *rules;
    unsigned char *edge; /* by index: 1 where a new level begins */
};

struct stretch { /* [from, to) within the piece [begin, end) */
    size_t begin, end, from, to;
    double score;
};

static double mean_of(const struct search *s, size_t from, size_t to)
{
    return (s->sums[to] - s->sums[from]) / (double)(to - from);
}

static double mean_outside(const struct search *s, const struct stretch *t)
{
    const double sum = s->sums[t->end] - s->sums[t->begin] - s->sums[t->to] + s->sums[t->from];

    return sum / (double)(t->end - t->begin - (t->to - t->from));
}

static double difference(const struct search *s, const struct stretch *t)
{
    return mean_of(s, t->from, t->to) - mean_outside(s, t);
}

/* The piece with the stretch that differs most from the rest, weighted by how long both are. */
static struct stretch best_stretch(const struct search *s, size_t begin, size_t end)
{
    const size_t least = s->rules->least;
    const size_t n = end - begin;
    struct stretch best = {.begin = begin, .end = end};

    for (size_t from = begin; from + least <= end; from++) {
        if (from > begin && from - begin < least)
            continue;
        for (size_t to = from + least; to <= end; to++) {
            struct stretch t = {.begin = begin, .end = end, .from = from, .to = to};
            const size_t in = to - from;
            double d;

            if (n - in < least || (to < end && end - to < least))
                continue;
            d = difference(s, &t);
            t.score = d * d * (double)in * (double)(n - in) / (double)n;
            if (t.score > best.score)
                best = t;
        }
    }
    return best;
}

/* The share of pairs (inside, outside) in which the inside one is greater; equal ones count half.
 */
static double area(const struct search *s, const struct stretch *t)
{
    double wins = 0;
    const size_t in = t->to - t->from;
    const size_t out = t->end - t->begin - in;

    for (size_t i = t->from; i < t->to; i++) {
        for (size_t k = t->begin; k < t->end; k++) {
            if (k >= t->from && k < t->to)
                continue;
            wins += s->logs[i] > s->logs[k] ? 1.0 : s->logs[i] < s->logs[k] ? 0.0 : 0.5;
        }
    }
    return wins / (double)in / (double)out;
}

/* Standard deviation of the values around the mean of their own side. */
static double deviation(const struct search *s, const struct stretch *t)
{
    const double inside = mean_of(s, t->from, t->to);
    const double outside = mean_outside(s, t);
    const size_t n = t->end - t->begin;
    double sum = 0;

    for (size_t i = t->begin; i < t->end; i++) {
        const double d = s->logs[i] - (i >= t->from && i < t->to ? inside : outside);

        sum += d * d;
    }
    return sqrt(sum / (double)n);
}

/* The step right at an edge, from `least` values before it to as many behind it. */
static double step_at(const struct search *s, size_t edge)
{
    const size_t least = s->rules->least;

    return mean_of(s, edge, edge + least) - mean_of(s, edge - least, edge);
}

static bool is_change(const struct search *s, const struct stretch *t)
{
    const double d = difference(s, t);
    const double clear = area(s, t);

    return fabs(d) >= log(s->rules->factor) && fmax(clear, 1.0 - clear) >= s->rules->clear &&
           fabs(d) >= s->rules->deviations * deviation(s, t);
}

/* Marks the edges at which it is sudden. False: at none. */
static bool mark_edges(const struct search *s, const struct stretch *t)
{
    const double d = difference(s, t);
    bool any = false;

    if (t->from > t->begin && step_at(s, t->from) / d >= EDGE_SHARE) {
        s->edge[t->from] = 1;
        any = true;
    }
    if (t->to < t->end && -step_at(s, t->to) / d >= EDGE_SHARE) {
        s->edge[t->to] = 1;
        any = true;
    }
    return any;
}

static void search_all(const struct search *s, size_t n)
{
    size_t piece[PIECES_MAX][2] = {{0, n}};
    size_t pieces = 1;

    for (size_t i = 0; i < pieces; i++) {
        struct stretch t;
        size_t cut[4];

        if (piece[i][1] - piece[i][0] < 2 * s->rules->least)
            continue;
        t = best_stretch(s, piece[i][0], piece[i][1]);
        if (t.to <= t.from || !is_change(s, &t) || !mark_edges(s, &t))
            continue;
        memcpy(cut, (size_t[4]){t.begin, t.from, t.to, t.end}, sizeof(cut));
        for (int k = 0; k < 3; k++) {
            if (cut[k + 1] > cut[k] && pieces < PIECES_MAX) {
                piece[pieces][0] = cut[k];
                piece[pieces++][1] = cut[k + 1];
            }
        }
    }
}

/* Of the figures themselves, so that a level of 0 is one. */
static double plain_mean(const struct search *s, size_t from, size_t to)
{
    double sum = 0;

    for (size_t i = from; i < to; i++)
        sum += s->value[i];
    return sum / (double)(to - from);
}

/* The edges with the levels between them. */
static size_t collect(const struct search *s, size_t n, struct change *out, size_t max)
{
    size_t found = 0;
    size_t last = 0;

    for (size_t i = 1; i < n && found < max; i++) {
        size_t next = i + 1;

        if (!s->edge[i])
            continue;
        while (next < n && !s->edge[next])
            next++;
        out[found++] = (struct change){
            .at = i,
            .before = plain_mean(s, last, i),
            .after = plain_mean(s, i, next),
        };
        last = i;
    }
    return found;
}

/* A figure of 0 has no logarithm: it counts as a thousandth of the mean. */
static double least_figure(const double *value, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        CHECK(isfinite(value[i]));
        CHECK(value[i] >= 0);
        sum += value[i];
    }
    return sum / (double)n / 1000.0;
}

size_t change_find(const double *value, size_t n, const struct change_rules *rules,
                   struct change *out, size_t max)
{
    double *logs = NULL;
    double *sums = NULL;
    struct search s;
    double least;
    size_t found = 0;

    CHECK(n <= CHANGE_VALUES_MAX);
    CHECK(rules->least > 0);
    if (n < 2 * rules->least)
        return 0;
    least = least_figure(value, n);
    if (!(least > 0))
        return 0;
    logs = xcalloc(n, sizeof(*logs));
    sums = xcalloc(n + 1, sizeof(*sums));
    s = (struct search){.value = value,
                        .logs = logs,
                        .sums = sums,
                        .rules = rules,
                        .edge = xcalloc(n, sizeof(*s.edge))};
    for (size_t i = 0; i < n; i++) {
        logs[i] = log(fmax(value[i], least));
        sums[i + 1] = sums[i] + logs[i];
    }
    search_all(&s, n);
    found = collect(&s, n, out, max);
    free(s.edge);
    free(sums);
    free(logs);
    return found;
}
