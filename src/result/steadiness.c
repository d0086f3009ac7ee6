/*
 * Rounds, windows, and changes of level of a series. All on main, live (one window at a time) and
 * after the run (all of them).
 */
#include "result/steadiness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "result/rounds.h"
#include "stats/steady_change.h"

#define NS_A_SECOND 1e9
#define COVERED 0.9  /* of a round by rows, else something is missing */
#define PARTS_MAX 60 /* of a round, between which chance is looked for */

/* Changes: blocks of an eighth of a round, each change with a round on both sides of it. */
#define BLOCKS_A_ROUND 8
#define BLOCKS_MAX 1200
#define BLOCK_EVENTS 5.0 /* least number in a block */
#define BLOCKS_KNOWN 0.5 /* of all, else the measure is not looked at */
#define CHANGES_MAX 16
#define CHANGE_LEAST_MIB 0.5
#define CHANGE_LEAST_TPS 1.0

static const struct change_rules fine_rules = {
    .least = BLOCKS_A_ROUND, .factor = 1.2, .clear = 0.97, .deviations = 2.5};
/* Whole rounds, where a saw-tooth in them hides a change that is smaller than it. */
static const struct change_rules round_rules = {
    .least = 3, .factor = 1.2, .clear = 1.0, .deviations = 4.0};

static const struct measure {
    const char *words, *unit;
    bool is_ms;
    double least; /* smaller changes are nothing */
} measures[STEADY_MEASURES] = {
    [STEADY_RESPONSE] = {"response", "ms", true, STEADY_LEAST_MS},
    [STEADY_TPS] = {"TPS", "", false, CHANGE_LEAST_TPS},
    [STEADY_WRITE_MIB] = {"write rate", "MiB/s", false, CHANGE_LEAST_MIB},
    [STEADY_READ_AWAIT] = {"read await", "ms", true, STEADY_LEAST_MS},
    [STEADY_WRITE_AWAIT] = {"write await", "ms", true, STEADY_LEAST_MS},
    [STEADY_FLUSH_AWAIT] = {"flush await", "ms", true, STEADY_LEAST_MS},
};

const char *steadiness_words(int measure)
{
    CHECK(measure >= 0);
    CHECK(measure < STEADY_MEASURES);
    return measures[measure].words;
}

const char *steadiness_unit(int measure)
{
    CHECK(measure >= 0);
    CHECK(measure < STEADY_MEASURES);
    return measures[measure].unit;
}

/* ---- one window ---- */

struct steady_window steadiness_window(const struct result_steady_measure *of)
{
    return (struct steady_window){
        .mean = of->mean,
        .range_percent = of->range_percent,
        .slope_percent = of->slope_percent,
        .chance_range_percent = of->chance_range_percent,
        .chance_slope_percent = of->chance_slope_percent,
        .steady = of->steady == 1,
    };
}

static void judge_measure(int m, struct result_steady_measure *of, const struct steady_error *error)
{
    const struct steady_window w = steady_judge(of->round, error);

    of->mean = w.mean;
    of->range_percent = w.range_percent;
    of->slope_percent = w.slope_percent;
    of->chance_range_percent = w.chance_range_percent;
    of->chance_slope_percent = w.chance_slope_percent;
    of->steady = isnan(w.mean) ? -1 : w.steady;
    if (measures[m].is_ms && w.range_percent * w.mean / 100.0 < STEADY_LEAST_MS)
        of->steady = 1;
}

static void no_window(struct result_steadiness *s)
{
    s->steady = -1;
    s->window_start_s = RESULT_NONE;
    s->window_end_s = RESULT_NONE;
    for (int m = 0; m < STEADY_MEASURES; m++)
        s->measure[m] = result_steady_none();
}

/* Of the series' rows: most are as long as the one in its middle. 0: there are none. */
static double interval_s(const struct result *r)
{
    const size_t middle = r->series.n_rows / 2;

    if (r->series.n_rows == 0)
        return 0;
    return series_at(&r->series, middle)->time_s - rounds_row_start_s(r, middle);
}

/* In how many a round is cut: each holds as many rows as the others. */
static size_t parts_of_round(const struct result *r)
{
    const double row_s = interval_s(r);
    const double rows = row_s > 0 ? floor(r->steadiness.round_s / row_s + 1e-6) : 0;

    return (size_t)floor(rows / fmax(ceil(rows / PARTS_MAX), 1));
}

/* What each part of each round adds to the round's figure beyond the round's mean, of all measures:
 * deviation[measure][round][part]. */
static void fill_deviations(const struct result *r, double start_s,
                            const struct piece round[STEADY_WINDOW], size_t parts,
                            double *deviation)
{
    const double round_s = r->steadiness.round_s;

    for (size_t i = 0; i < STEADY_WINDOW; i++) {
        for (size_t p = 0; p < parts; p++) {
            const double from_s = start_s + ((double)i + (double)p / (double)parts) * round_s;
            const struct piece part = rounds_piece(r, from_s, from_s + round_s / (double)parts);

            for (size_t m = 0; m < STEADY_MEASURES; m++) {
                double *d = &deviation[(m * STEADY_WINDOW + i) * parts + p];

                *d = 0; /* nothing happened: the round's figure is not of this part */
                if (isfinite(part.value[m]))
                    *d = part.weight[m] * (part.value[m] - round[i].value[m]) / round[i].weight[m];
            }
        }
    }
}

static void find_errors(const struct result *r, double start_s,
                        const struct piece round[STEADY_WINDOW],
                        struct steady_error error[STEADY_MEASURES])
{
    const size_t parts = parts_of_round(r);
    double *deviation = xcalloc(STEADY_MEASURES * STEADY_WINDOW * (parts + 1), sizeof(*deviation));

    fill_deviations(r, start_s, round, parts, deviation);
    for (size_t m = 0; m < STEADY_MEASURES; m++)
        error[m] = steady_error_of(deviation + m * STEADY_WINDOW * parts, parts);
    free(deviation);
}

void steadiness_at(const struct result *r, double end_s, struct result_steadiness *s)
{
    const double round_s = r->steadiness.round_s;
    const double start_s = end_s - STEADY_WINDOW * round_s;
    struct piece round[STEADY_WINDOW];
    struct steady_error error[STEADY_MEASURES];

    no_window(s);
    if (!(round_s > 0) || start_s < rounds_ramp_end_s(r) - 1e-6)
        return;
    for (int i = 0; i < STEADY_WINDOW; i++) {
        const double from_s = start_s + i * round_s;

        round[i] = rounds_piece(r, from_s, from_s + round_s);
        for (int m = 0; m < STEADY_MEASURES; m++) {
            const bool enough =
                round[i].events[m] >= STEADY_EVENTS && round[i].covered_s >= COVERED * round_s;

            s->measure[m].round[i] = enough ? round[i].value[m] : RESULT_NONE;
        }
    }
    find_errors(r, start_s, round, error);
    s->window_start_s = start_s;
    s->window_end_s = end_s;
    for (int m = 0; m < STEADY_MEASURES; m++)
        judge_measure(m, &s->measure[m], &error[m]);
    s->steady = s->measure[STEADY_RESPONSE].steady;
    for (int m = 0; m < STEADY_MEASURES && s->steady >= 0; m++)
        s->steady = s->measure[m].steady == 0 ? 0 : s->steady;
}

/* ---- all windows of a run ---- */

/* How far the worst measure is beyond its limits. */
static double excess(const struct result_steadiness *s)
{
    double worst = 0;

    for (int m = 0; m < STEADY_MEASURES; m++) {
        const struct steady_window w = steadiness_window(&s->measure[m]);

        if (s->measure[m].steady == 0)
            worst = fmax(worst, steady_excess(&w));
    }
    return worst;
}

/* The server's checkpoint_timeout as it prints it ("5min", "30s"); 0: not known. */
static double checkpoint_s(const struct result *r)
{
    char text[32] = "";
    uint64_t ns = 0;
    char *min = NULL;

    for (size_t i = 0; i < r->database.settings.n; i++) {
        const struct result_setting *s = &r->database.settings.at[i];

        if (strcmp(s->name, "checkpoint_timeout") == 0)
            (void)snprintf(text, sizeof(text), "%s", s->value);
    }
    min = strstr(text, "min");
    if (min)
        min[1] = 0; /* "5m" */
    return units_parse_duration_ns(text, &ns, NULL) == 0 ? (double)ns / NS_A_SECOND : 0;
}

/* Of a server that is not ours: its checkpoints may be longer than the plan's rounds. A run too
 * short for five of them keeps its rounds, and is called short. */
static void fit_round(struct result *r, double span_s)
{
    struct result_steadiness *s = &r->steadiness;
    const double timeout_s = checkpoint_s(r);

    if (timeout_s > s->round_s && timeout_s * STEADY_WINDOW <= span_s)
        s->round_s = timeout_s;
}

struct span_s {
    double ramp_end, sample_start, sample_end;
};

static void say_why_none(struct result_steadiness *s)
{
    free(s->why_none);
    if (s->rounds < STEADY_WINDOW)
        s->why_none = xasprintf("%lld rounds of %g s between the ramp and the sample's end, %d are "
                                "needed",
                                (long long)s->rounds, s->round_s, STEADY_WINDOW);
    else
        s->why_none = xasprintf("fewer than %g transactions in a round", STEADY_EVENTS);
}

/* The last edge of the rounds' grid not after the sample's end. */
static double last_edge_s(const struct result_steadiness *s, const struct span_s *at)
{
    return at->sample_start +
           floor((at->sample_end - at->sample_start) / s->round_s + 1e-6) * s->round_s;
}

/* From the last window back: those wholly in the sample are judged, or the last where there is
 * none; all the others tell since when it was steady. */
static void judge_windows(struct result *r, const struct span_s *at)
{
    struct result_steadiness *s = &r->steadiness;
    const double window_s = STEADY_WINDOW * s->round_s;
    double end_s = last_edge_s(s, at);
    struct result_steadiness w = {.steady = -1};
    bool since = true;

    s->rounds = (int64_t)floor((end_s - at->ramp_end) / s->round_s + 1e-6);
    s->rounds = s->rounds < 0 ? 0 : s->rounds;
    for (bool last = true; end_s - window_s >= at->ramp_end - 1e-6; last = false) {
        const bool judged = last || end_s - window_s >= at->sample_start - 1e-6;

        if (!judged && !since)
            break;
        steadiness_at(r, end_s, &w);
        if (last || (judged && w.steady >= 0 && excess(&w) > excess(s))) {
            s->steady = w.steady;
            s->window_start_s = w.window_start_s;
            s->window_end_s = w.window_end_s;
            memcpy(s->measure, w.measure, sizeof(s->measure));
        }
        since = since && w.steady == 1;
        if (since)
            s->steady_from_s = w.window_start_s;
        end_s -= s->round_s;
    }
    if (s->steady != 1)
        s->steady_from_s = RESULT_NONE;
    if (s->steady < 0)
        say_why_none(s);
}

/* ---- changes of level ---- */

struct found {
    int measure;
    double at_s, before, after;
};

struct blocks { /* one measure, those without figure left out */
    double value[BLOCKS_MAX];
    double start_s[BLOCKS_MAX];
    size_t n, all;
};

static void fill_blocks(const struct result *r, const struct span_s *at, double block_s, int m,
                        struct blocks *b)
{
    const double span_s = at->sample_end - at->ramp_end;

    b->n = 0;
    b->all = (size_t)floor(span_s / block_s + 1e-6);
    for (size_t i = 0; i < b->all && b->n < BLOCKS_MAX; i++) {
        const double from_s = at->ramp_end + (double)i * block_s;
        const struct piece piece = rounds_piece(r, from_s, from_s + block_s);

        /* A rate of 0 is a figure, a mean of nothing is none. */
        if (!isfinite(piece.value[m]) || (measures[m].is_ms && piece.events[m] < BLOCK_EVENTS))
            continue;
        b->value[b->n] = piece.value[m];
        b->start_s[b->n++] = from_s;
    }
}

static bool big_enough(int m, const struct change *c)
{
    return fabs(c->after - c->before) >= measures[m].least;
}

static size_t find_with(const struct blocks *b, const struct change_rules *rules, int m,
                        struct found *out, size_t max)
{
    struct change changes[CHANGES_MAX];
    size_t n = 0;
    size_t kept = 0;

    if ((double)b->n < BLOCKS_KNOWN * (double)b->all)
        return 0;
    n = change_find(b->value, b->n, rules, changes, CHANGES_MAX);
    for (size_t i = 0; i < n && kept < max; i++) {
        if (big_enough(m, &changes[i]))
            out[kept++] = (struct found){.measure = m,
                                         .at_s = b->start_s[changes[i].at],
                                         .before = changes[i].before,
                                         .after = changes[i].after};
    }
    return kept;
}

static int by_time(const void *a, const void *b)
{
    const struct found *x = a;
    const struct found *y = b;

    if (x->at_s < y->at_s)
        return -1;
    return x->at_s > y->at_s ? 1 : x->measure - y->measure;
}

static void add_change(struct result *r, const struct found *at, size_t n)
{
    struct result_mark mark = {
        .kind = xstrdup("change"), .start_s = at[0].at_s, .end_s = RESULT_NONE};
    struct strbuf text;

    strbuf_init(&text);
    for (size_t i = 0; i < n; i++) {
        const struct measure *m = &measures[at[i].measure];

        if (at[i].measure == STEADY_RESPONSE)
            mark.start_s = at[i].at_s; /* the one that is seen */
        strbuf_addf(&text, "%s%s %.3g -> %.3g%s%s", i ? ", " : "", m->words, at[i].before,
                    at[i].after, *m->unit ? " " : "", m->unit);
    }
    mark.text = strbuf_detach(&text);
    mark.bytes_written = rounds_bytes_written(r, mark.start_s);
    result_add_mark(r, mark);
}

/* What changed within one round is one change. */
static void add_changes(struct result *r, struct found *found, size_t n)
{
    size_t first = 0;

    qsort(found, n, sizeof(*found), by_time);
    while (first < n) {
        size_t next = first + 1;

        while (next < n && found[next].at_s - found[first].at_s <= r->steadiness.round_s)
            next++;
        add_change(r, found + first, next - first);
        first = next;
    }
}

/* Blocks are whole intervals: the smallest length from an eighth of a round on that is, and that
 * gives no more blocks than are looked at. */
static double block_length_s(const struct result *r, const struct span_s *at)
{
    const double row_s = interval_s(r);
    const double wanted_s =
        fmax(r->steadiness.round_s / BLOCKS_A_ROUND, (at->sample_end - at->ramp_end) / BLOCKS_MAX);

    return row_s > 0 ? fmax(ceil(wanted_s / row_s - 1e-6), 1) * row_s : 0;
}

static void find_changes(struct result *r, const struct span_s *at)
{
    const double block_s = block_length_s(r, at);
    struct blocks *b = NULL;
    struct found found[STEADY_MEASURES * CHANGES_MAX];
    size_t n = 0;

    if (!(block_s > 0))
        return;
    b = xmalloc(sizeof(*b));
    for (int m = 0; m < STEADY_MEASURES; m++) {
        size_t more;

        fill_blocks(r, at, block_s, m, b);
        more = find_with(b, &fine_rules, m, found + n, CHANGES_MAX);
        if (more == 0) {
            fill_blocks(r, at, r->steadiness.round_s, m, b);
            more = find_with(b, &round_rules, m, found + n, CHANGES_MAX);
        }
        n += more;
    }
    add_changes(r, found, n);
    free(b);
}

void steadiness_judge(struct result *r)
{
    struct span_s at = {.ramp_end = rounds_ramp_end_s(r)};

    rounds_sample_s(r, &at.sample_start, &at.sample_end);
    if (!(r->steadiness.round_s > 0) || !(at.sample_end > at.ramp_end))
        return;
    fit_round(r, at.sample_end - at.ramp_end);
    judge_windows(r, &at);
    find_changes(r, &at);
}
