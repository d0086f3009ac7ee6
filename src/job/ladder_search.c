/*
 * Samples of the same users are taken together: their batches one after the other, as one longer
 * sample would have them.
 */
#include "job/ladder_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "config/steps.h"
#include "plan/ladder.h"
#include "result/result_dir.h"
#include "result/verdict.h"
#include "stats/signif_part.h"

#define SAMPLES_MAX 4 /* of the same users, before it is said that they can't decide */
#define PRECISION 0.05
#define FIRST_SHARE 4      /* of the most users: where the search begins */
#define FLOOR_SHARE 64     /* and where it gives up */
#define RATE_FLOOR_SHARE 8 /* the same, of the least rate of the curve */
#define NS_PER_MS_D 1e6

_Static_assert(SAMPLES_MAX *RESULT_BATCHES <= SIGNIF_BATCHES_MAX, "room for all batches");

/* All samples of one number of users. */
struct samples {
    struct result *at[SAMPLES_MAX];
    size_t n;
    struct signif_batch batch[SAMPLES_MAX * RESULT_BATCHES];
    size_t n_batches;
};

static uint64_t share_of(uint64_t most, uint64_t share)
{
    return most / share > 0 ? most / share : 1;
}

static enum search_says says_of(const char *word)
{
    for (int i = SEARCH_HOLDS; i <= SEARCH_UNSURE; i++) {
        if (word && strcmp(word, search_word((enum search_says)i)) == 0)
            return (enum search_says)i;
    }
    return SEARCH_UNSURE;
}

static struct search_rules rules_of_users(const struct settings *settings)
{
    const uint64_t most = settings->run.users;

    return (struct search_rules){
        .first = share_of(most, FIRST_SHARE),
        .floor = share_of(most, FLOOR_SHARE),
        .ceiling = most,
        .precision = PRECISION,
        .samples_max = SAMPLES_MAX,
    };
}

/* The curve goes before it: that is where it begins. */
static int rules_of_rates(const struct settings *settings, const struct ladder *l,
                          struct search_rules *rules, struct err *err)
{
    struct steps percents;
    uint64_t least = 0;

    if (steps_parse(settings->ladder.percents, STEPS_OF_PERCENTS, &percents, err) < 0)
        return -1;
    least = ladder_offered(l->maximum_tps, (double)percents.at[0]).users;
    *rules = (struct search_rules){
        .first = least,
        .floor = share_of(least, RATE_FLOOR_SHARE),
        .ceiling = ladder_offered(l->maximum_tps, (double)percents.at[percents.n - 1]).users,
        .precision = PRECISION,
        .samples_max = SAMPLES_MAX,
    };
    return 0;
}

int ladder_search_begin(struct ladder_search *s, const struct settings *settings,
                        const struct ladder *l, struct err *err)
{
    struct search_rules rules = rules_of_users(settings);

    if (goals_parse(l->is_rates ? settings->ladder.find_tps : settings->ladder.find_users,
                    &s->goals, err) < 0)
        return -1;
    if (l->is_rates && rules_of_rates(settings, l, &rules, err) < 0)
        return -1;
    search_init(&s->search, &rules);
    for (size_t i = 0; i < l->steps.n; i++) {
        const struct ladder_step *step = &l->steps.at[i];

        if (!ladder_step_is_maximum(step))
            search_tell(&s->search, (uint64_t)step->users, says_of(step->says));
    }
    return 0;
}

uint64_t ladder_search_next(const struct ladder_search *s)
{
    return search_next(&s->search);
}

/* ---- samples ---- */

static void samples_release(struct samples *all)
{
    for (size_t i = 0; i < all->n; i++) {
        result_release(all->at[i]);
        free(all->at[i]);
    }
}

static int add_sample(struct samples *all, const char *path, const char *directory, struct err *err)
{
    char *full = xasprintf("%s/%s", path, directory);
    struct result *r = xcalloc(1, sizeof(*r));
    int rc;

    result_init(r);
    all->at[all->n++] = r;
    rc = result_dir_read(full, r, err);
    for (size_t b = 0; rc == 0 && b < RESULT_BATCHES; b++)
        all->batch[all->n_batches++] = (struct signif_batch){
            r->batches[b].count, r->batches[b].sum_ns, r->batches[b].response};
    free(full);
    return rc;
}

/* The last ones where there are more than count, as after another search went on here. */
static int read_samples(struct samples *all, const char *path, const struct ladder *l,
                        struct err *err)
{
    const int64_t users = l->steps.at[l->steps.n - 1].users;

    for (size_t i = l->steps.n; i > 0 && all->n < SAMPLES_MAX; i--) {
        const struct ladder_step *step = &l->steps.at[i - 1];

        if (step->users == users && !ladder_step_is_maximum(step) &&
            add_sample(all, path, step->directory, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- one condition ---- */

static double greatest(const struct samples *all, int txn)
{
    double most = RESULT_NONE;

    for (size_t i = 0; i < all->n; i++) {
        const struct result_sample *s = &all->at[i]->sample;
        const struct summary *t =
            txn == GOAL_ALL ? &s->time[TIME_RESPONSE] : &s->by_type[txn].time[TIME_RESPONSE];

        most = fmax(most, t->max);
    }
    return most;
}

static struct hist *part_of(const struct samples *all, int txn)
{
    struct hist *part = hist_new();

    for (size_t i = 0; i < all->n; i++) {
        if (all->at[i]->latency[txn][TIME_RESPONSE])
            hist_add(part, all->at[i]->latency[txn][TIME_RESPONSE]);
    }
    return part;
}

static struct signif_interval of_part(const struct samples *all, const struct goal *g)
{
    const struct signif_whole whole = {all->batch, all->n_batches};
    struct hist *part = part_of(all, g->txn);
    const struct signif_interval at =
        g->measure == GOAL_AVG
            ? signif_part_mean_ms(whole, part, SIGNIF_LEVEL)
            : signif_part_percentile_ms(whole, part, goal_percent(g->measure), SIGNIF_LEVEL);

    hist_free(part);
    return at;
}

static struct signif_interval interval_of(const struct samples *all, const struct goal *g)
{
    if (g->measure == GOAL_MAX) { /* of what was seen: there is no other */
        const double most = greatest(all, g->txn);

        return (struct signif_interval){most, most, most};
    }
    if (g->txn != GOAL_ALL)
        return of_part(all, g);
    if (g->measure == GOAL_AVG)
        return signif_mean_ms(all->batch, all->n_batches, SIGNIF_LEVEL);
    return signif_percentile_ms(all->batch, all->n_batches, goal_percent(g->measure), SIGNIF_LEVEL);
}

static enum search_says by_value(const struct signif_interval *at, double limit_ms)
{
    if (at->high < limit_ms)
        return SEARCH_HOLDS;
    return at->low >= limit_ms ? SEARCH_FAILS : SEARCH_UNSURE;
}

/* A percentile keeps to its limit where at least so many of 100 transactions do: that can be
 * decided where the percentile itself is so far away that it has no interval. */
static enum search_says by_share(const struct samples *all, const struct goal *g)
{
    const struct signif_whole whole = {all->batch, all->n_batches};
    const struct signif_limit limit = {(double)g->limit_ns / NS_PER_MS_D, goal_percent(g->measure)};
    struct signif_interval at;

    if (g->txn == GOAL_ALL) {
        at = signif_share_below(all->batch, all->n_batches, limit, SIGNIF_LEVEL);
    } else {
        struct hist *part = part_of(all, g->txn);

        at = signif_part_share_below(whole, part, limit, SIGNIF_LEVEL);
        hist_free(part);
    }
    if (at.low > limit.percent)
        return SEARCH_HOLDS;
    return at.high < limit.percent ? SEARCH_FAILS : SEARCH_UNSURE;
}

static enum search_says judge_goal(const struct samples *all, const struct goal *g,
                                   struct ladder_step *step)
{
    const struct signif_interval at = interval_of(all, g);
    const double limit_ms = (double)g->limit_ns / NS_PER_MS_D;
    const enum search_says says =
        goal_percent(g->measure) > 0 ? by_share(all, g) : by_value(&at, limit_ms);
    char text[80];

    goal_format(g, text, sizeof(text));
    VEC_PUSH(&step->goals, ((struct ladder_goal){
                               .text = xstrdup(text),
                               .says = xstrdup(search_word(says)),
                               .value_ms = at.value,
                               .low_ms = at.low,
                               .high_ms = at.high,
                               .limit_ms = limit_ms,
                           }));
    return says;
}

/* ---- all of them ---- */

/* Users whose transactions are lost hold nothing, however fast the rest was; nor does a rate that
 * is not reached, however short the sample. */
static bool is_overloaded(const struct result *r)
{
    for (size_t i = 0; i < r->verdict.reasons.n; i++) {
        const char *code = r->verdict.reasons.at[i].code;

        if (strcmp(code, "errors") == 0 || strcmp(code, "unfinished") == 0)
            return true;
    }
    return false;
}

static enum search_says judge_all(const struct samples *all, const struct goals *goals,
                                  struct ladder_step *step)
{
    enum search_says says = SEARCH_HOLDS;

    for (size_t i = 0; i < goals->n; i++) {
        const enum search_says one = judge_goal(all, &goals->at[i], step);

        if (one == SEARCH_FAILS || says == SEARCH_FAILS)
            says = SEARCH_FAILS;
        else if (one == SEARCH_UNSURE)
            says = SEARCH_UNSURE;
    }
    return is_overloaded(all->at[0]) || step->saturated == 1 ? SEARCH_FAILS : says;
}

static const char *end_word(enum search_end end)
{
    switch (end) {
    case SEARCH_GOES_ON:
        return NULL;
    case SEARCH_FOUND:
        return LADDER_FOUND;
    case SEARCH_FLOOR:
        return LADDER_FLOOR;
    case SEARCH_CEILING:
        return LADDER_CEILING;
    }
    UNREACHABLE();
}

static int64_t or_none(uint64_t users)
{
    return users > 0 ? (int64_t)users : -1;
}

static void give_answer(const struct ladder_search *s, struct ladder *l)
{
    const struct search_answer a = search_answer(&s->search);
    const char *end = end_word(a.end);

    free(l->answer.end);
    l->answer.end = end ? xstrdup(end) : NULL;
    l->answer.holds = or_none(a.holds);
    l->answer.next = or_none(a.next);
    l->answer.fails = or_none(a.fails);
    ladder_cost(l);
}

int ladder_search_judge(struct ladder_search *s, const char *path, struct ladder *l,
                        struct err *err)
{
    struct ladder_step *step = &l->steps.at[l->steps.n - 1];
    struct samples *all = xcalloc(1, sizeof(*all));
    int rc = read_samples(all, path, l, err);

    if (rc == 0) {
        const enum search_says says = judge_all(all, &s->goals, step);

        free(step->says);
        step->says = xstrdup(search_word(says));
        search_tell(&s->search, (uint64_t)step->users, says);
        give_answer(s, l);
    }
    samples_release(all);
    free(all);
    return rc;
}
