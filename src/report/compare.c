/*
 * From results to groups and pairs (see the header). One thread.
 */
#include "report/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* ---- runs ---- */

/* NaN: none. */
static double figure_of(const struct result *r, enum compare_measure by)
{
    const struct summary *t = &r->sample.time[TIME_RESPONSE];

    switch (by) {
    case COMPARE_AVG:
        return t->avg;
    case COMPARE_P50:
        return t->p50;
    case COMPARE_P90:
        return t->p90;
    case COMPARE_P95:
        return t->p95;
    case COMPARE_P99:
        return t->p99;
    case COMPARE_P999:
        return t->p999;
    case COMPARE_TPS:
        return r->sample.tps;
    case COMPARE_MEASURES:
        break;
    }
    UNREACHABLE();
}

/* Response times are. */
static bool is_better_lower(enum compare_measure by)
{
    return by != COMPARE_TPS;
}

static struct signif_interval of_batches(const struct signif_batch *batch, enum compare_measure by)
{
    static const double percentile[COMPARE_MEASURES] = {
        [COMPARE_P50] = 50, [COMPARE_P90] = 90,    [COMPARE_P95] = 95,
        [COMPARE_P99] = 99, [COMPARE_P999] = 99.9,
    };

    if (by == COMPARE_AVG)
        return signif_mean_ms(batch, RESULT_BATCHES, SIGNIF_LEVEL);
    if (by == COMPARE_TPS)
        return signif_count(batch, RESULT_BATCHES, SIGNIF_LEVEL);
    return signif_percentile_ms(batch, RESULT_BATCHES, percentile[by], SIGNIF_LEVEL);
}

/* The figure is that of result.json; the batches give how far around it the interval reaches. */
static void fill_figures(struct compare_run *run)
{
    struct signif_batch batch[RESULT_BATCHES];

    for (size_t i = 0; i < RESULT_BATCHES; i++) {
        const struct result_batch *b = &run->r->batches[i];

        batch[i] = (struct signif_batch){b->count, b->sum_ns, b->response};
    }
    for (int by = 0; by < COMPARE_MEASURES; by++) {
        const struct signif_interval i = of_batches(batch, (enum compare_measure)by);
        const double value = figure_of(run->r, (enum compare_measure)by);

        run->figure[by] = (struct signif_interval){
            .value = value, .low = value * (i.low / i.value), .high = value * (i.high / i.value)};
    }
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Two copies of one run, wherever they lie. */
static bool same_run(const struct result *a, const struct result *b)
{
    return a->started && same_text(a->started, b->started) &&
           same_text(a->host.name, b->host.name) && same_text(a->drive.path, b->drive.path) &&
           a->run.outcomes.started == b->run.outcomes.started &&
           a->sample.transactions == b->sample.transactions;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

static int add_runs(struct compare *c, const struct compare_input *in, size_t n, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        c->run[i] =
            (struct compare_run){.r = in[i].r, .path = in[i].path, .name = last_part(in[i].path)};
        for (size_t k = 0; k < i; k++) {
            if (same_run(in[i].r, in[k].r))
                return err_set(err, ERR_USAGE, "%s and %s are the same run: name each once",
                               in[k].path, in[i].path);
        }
        fill_figures(&c->run[i]);
        c->n_runs++;
    }
    return 0;
}

/* ---- groups ---- */

static bool has_label(const struct result *r)
{
    return r->label && *r->label;
}

/* The group of the runs with this one's label; a new one where there is none. */
static struct compare_group *group_of(struct compare *c, const struct compare_run *run)
{
    struct compare_group *g = NULL;

    for (size_t i = 0; has_label(run->r) && i < c->n_groups; i++) {
        const struct result *other = c->run[c->group[i].run[0]].r;

        if (has_label(other) && strcmp(other->label, run->r->label) == 0)
            return &c->group[i];
    }
    g = &c->group[c->n_groups++];
    g->name = xstrdup(has_label(run->r) ? run->r->label : run->name);
    return g;
}

static bool name_is_taken(const struct compare *c, size_t group)
{
    for (size_t i = 0; i < c->n_groups; i++) {
        if (i != group && strcmp(c->group[i].name, c->group[group].name) == 0)
            return true;
    }
    return false;
}

/* Runs without a label whose directories have one name, in different places. */
static void tell_names_apart(struct compare *c)
{
    bool taken[COMPARE_RUNS_MAX];

    for (size_t i = 0; i < c->n_groups; i++)
        taken[i] = name_is_taken(c, i);
    for (size_t i = 0; i < c->n_groups; i++) {
        const struct compare_run *run = &c->run[c->group[i].run[0]];

        if (!has_label(run->r) && taken[i]) {
            free(c->group[i].name);
            c->group[i].name = xstrdup(run->path);
        }
    }
}

static double half_width_percent(const struct signif_interval *i)
{
    return 100 * log(i->high / i->low) / 2;
}

static void fill_group(const struct compare *c, struct compare_group *g)
{
    for (int by = 0; by < COMPARE_MEASURES; by++) {
        double value[COMPARE_RUNS_MAX];
        double within = 0;
        struct signif_group repeats;

        for (size_t i = 0; i < g->n; i++) {
            const struct signif_interval *figure = &c->run[g->run[i]].figure[by];

            value[i] = figure->value;
            within += half_width_percent(figure) / (double)g->n;
        }
        repeats = signif_group_of(value, g->n);
        g->figure[by] = signif_group_interval(&repeats, SIGNIF_LEVEL);
        g->between_percent[by] = signif_group_spread_percent(&repeats);
        g->within_percent[by] = within;
        if (g->n == 1)
            g->figure[by] = c->run[g->run[0]].figure[by];
    }
}

/* Whether x stands before y; figures that do not exist stand last. */
static bool is_before(const struct compare *c, const struct compare_group *x,
                      const struct compare_group *y)
{
    const double a = x->figure[c->by].value;
    const double b = y->figure[c->by].value;

    if (isnan(a) || isnan(b))
        return !isnan(a);
    return is_better_lower(c->by) ? a < b : a > b;
}

/* By insertion: few, and equal ones keep their order. */
static void order_groups(struct compare *c)
{
    for (size_t i = 1; i < c->n_groups; i++) {
        const struct compare_group g = c->group[i];
        size_t at = i;

        for (; at > 0 && is_before(c, &g, &c->group[at - 1]); at--)
            c->group[at] = c->group[at - 1];
        c->group[at] = g;
    }
    for (size_t i = 0; i < c->n_groups; i++) {
        for (size_t k = 0; k < c->group[i].n; k++)
            c->run[c->group[i].run[k]].group = i;
    }
}

static void make_groups(struct compare *c)
{
    for (size_t i = 0; i < c->n_runs; i++) {
        struct compare_group *g = group_of(c, &c->run[i]);

        g->run[g->n++] = i;
    }
    tell_names_apart(c);
    for (size_t i = 0; i < c->n_groups; i++)
        fill_group(c, &c->group[i]);
    order_groups(c);
}

/* ---- pairs ---- */

static const struct result *first_of(const struct compare *c, size_t group)
{
    return c->run[c->group[group].run[0]].r;
}

static bool has_invalid(const struct compare *c, const struct compare_group *g)
{
    for (size_t i = 0; i < g->n; i++) {
        if (c->run[g->run[i]].r->verdict.status == VERDICT_INVALID)
            return true;
    }
    return false;
}

/* All runs of both groups wait in the same way: response times of a closed loop, of fixed arrivals
 * and of no pace at all are three different things. */
static bool same_loop(const struct compare *c, const struct compare_pair *p)
{
    const char *loop = first_of(c, p->a)->workload.loop;

    for (size_t i = 0; i < c->n_runs; i++) {
        const struct compare_run *run = &c->run[i];

        if ((run->group == p->a || run->group == p->b) && !same_text(run->r->workload.loop, loop))
            return false;
    }
    return true;
}

/* Why nothing can be said of the pair; NULL: something can. */
static const char *why_not(const struct compare *c, const struct compare_pair *p)
{
    const struct compare_group *a = &c->group[p->a];
    const struct compare_group *b = &c->group[p->b];

    if (!isfinite(a->figure[c->by].value) || !isfinite(b->figure[c->by].value))
        return "there is no such figure";
    if (has_invalid(c, a) || has_invalid(c, b))
        return "a run is invalid, so its figures do not count";
    if (!same_loop(c, p))
        return "the users do not wait in the same way, so the figures do not mean the same";
    return NULL;
}

static bool has_repeats(const struct compare_group *g)
{
    return g->n >= SIGNIF_REPEATS;
}

/* From the ratio a / b to by how much a is better, in percent: a response is lower, a rate higher.
 */
static struct signif_interval percent_of(const struct compare *c, struct signif_interval ratio)
{
    if (is_better_lower(c->by))
        return (struct signif_interval){100 * (1 - ratio.value), 100 * (1 - ratio.high),
                                        100 * (1 - ratio.low)};
    return (struct signif_interval){100 * (ratio.value - 1), 100 * (ratio.low - 1),
                                    100 * (ratio.high - 1)};
}

static struct signif_group repeats_of(const struct compare *c, size_t group)
{
    const struct compare_group *g = &c->group[group];
    double value[COMPARE_RUNS_MAX];

    for (size_t i = 0; i < g->n; i++)
        value[i] = c->run[g->run[i]].figure[c->by].value;
    return signif_group_of(value, g->n);
}

static void judge_by_repeats(const struct compare *c, struct compare_pair *p)
{
    const struct signif_group a = repeats_of(c, p->a);
    const struct signif_group b = repeats_of(c, p->b);

    p->percent = percent_of(c, signif_ratio_between(&a, &b, c->level));
    if (p->percent.low > 0) {
        p->says = COMPARE_FASTER;
    } else {
        p->says = COMPARE_SAME;
        p->most_percent = fmax(fabs(p->percent.low), fabs(p->percent.high));
    }
}

static struct signif_interval within_of(const struct compare *c, const struct compare_pair *p)
{
    struct signif_interval figure[2][COMPARE_RUNS_MAX];
    const size_t group[2] = {p->a, p->b};

    for (size_t side = 0; side < 2; side++) {
        const struct compare_group *g = &c->group[group[side]];

        for (size_t i = 0; i < g->n; i++)
            figure[side][i] = c->run[g->run[i]].figure[c->by];
    }
    return signif_ratio_within((struct signif_side){figure[0], c->group[p->a].n},
                               (struct signif_side){figure[1], c->group[p->b].n});
}

static void settings_of(const struct compare *c, const struct compare_input *in,
                        struct compare_settings_of *of)
{
    of->n = c->n_runs;
    for (size_t i = 0; i < c->n_runs; i++) {
        of->r[i] = in[i].r;
        of->plan_yaml[i] = in[i].plan_yaml;
        of->name[i] = c->run[i].name;
        of->group[i] = c->run[i].group;
    }
}

static bool is_unfair(const struct compare *c, const struct compare_settings_of *of,
                      const struct compare_pair *p)
{
    for (size_t i = 0; i < c->settings.n_unfair; i++) {
        const struct compare_setting *s = &c->settings.differ.at[i];

        if (compare_setting_is_against(s, of, p->a, p->b) ||
            compare_setting_is_against(s, of, p->a, p->a) ||
            compare_setting_is_against(s, of, p->b, p->b))
            return true;
    }
    return false;
}

static bool is_judged(const struct compare *c, const struct compare_pair *p)
{
    return p->says != COMPARE_NOT && has_repeats(&c->group[p->a]) && has_repeats(&c->group[p->b]);
}

static void add_pair(struct compare *c, const struct compare_settings_of *of, size_t a, size_t b)
{
    const double nan = (double)NAN;
    struct compare_pair p = {.a = a, .b = b, .percent = {nan, nan, nan}, .most_percent = nan};

    p.why = why_not(c, &p);
    p.says = p.why ? COMPARE_NOT : COMPARE_UNKNOWN;
    p.unfair = is_unfair(c, of, &p);
    c->n_judged += is_judged(c, &p);
    VEC_PUSH(&c->pairs, p);
}

static void make_pairs(struct compare *c, const struct compare_settings_of *of)
{
    for (size_t b = 1; b < c->n_groups; b++) {
        for (size_t a = 0; a < b; a++)
            add_pair(c, of, a, b);
    }
    c->level = 1 - (1 - SIGNIF_LEVEL) / fmax((double)c->n_judged, 1);
    for (size_t i = 0; i < c->pairs.n; i++) {
        struct compare_pair *p = &c->pairs.at[i];

        if (is_judged(c, p))
            judge_by_repeats(c, p);
        else if (p->says != COMPARE_NOT)
            p->percent = percent_of(c, within_of(c, p));
    }
}

int compare_build(struct compare *c, const struct compare_input *in, size_t n,
                  enum compare_measure by, struct err *err)
{
    struct compare_settings_of of = {.n = 0};

    CHECK(n > 0);
    CHECK(n <= COMPARE_RUNS_MAX);
    memset(c, 0, sizeof(*c));
    c->by = by;
    if (add_runs(c, in, n, err) < 0)
        return -1;
    make_groups(c);
    settings_of(c, in, &of);
    compare_settings_find(&c->settings, &of);
    make_pairs(c, &of);
    return 0;
}

void compare_release(struct compare *c)
{
    for (size_t i = 0; i < c->n_groups; i++)
        free(c->group[i].name);
    VEC_RELEASE(&c->pairs);
    compare_settings_release(&c->settings);
    c->n_groups = 0;
}

bool compare_failed(const struct compare *c, bool strict)
{
    for (size_t i = 0; i < c->n_runs; i++) {
        if (c->run[i].r->verdict.status == VERDICT_INVALID)
            return true;
    }
    return strict && c->settings.n_unfair > 0;
}
