/*
 * Everything is decided anew from the points: there is no other state.
 */
#include "stats/search.h"

#include <math.h>

#include "base/check.h"

#define UP 2
#define DOWN 4

const char *search_word(enum search_says says)
{
    static const char *const words[] = {
        [SEARCH_HOLDS] = "holds", [SEARCH_FAILS] = "fails", [SEARCH_UNSURE] = "unsure"};

    CHECK(says < ARRAY_LEN(words));
    return words[says];
}

void search_init(struct search *s, const struct search_rules *rules)
{
    CHECK(rules->floor >= 1);
    CHECK(rules->floor <= rules->first);
    CHECK(rules->first <= rules->ceiling);
    CHECK(rules->precision > 0);
    CHECK(rules->samples_max >= 1);
    *s = (struct search){.rules = *rules};
}

void search_tell(struct search *s, uint64_t load, enum search_says says)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->point[i].load == load) {
            s->point[i].says = says;
            s->point[i].samples++;
            return;
        }
    }
    CHECK(s->n < SEARCH_POINTS_MAX);
    s->point[s->n++] = (struct search_point){.load = load, .says = says, .samples = 1};
}

/* Where the answer lies: 0 for each that there is none of. */
struct bounds {
    uint64_t least, most;               /* that were looked at */
    uint64_t holds, fails;              /* the least that fails, the greatest below it that holds */
    uint64_t unsure_least, unsure_most; /* between them */
};

static struct bounds bounds_of(const struct search *s)
{
    struct bounds b = {0};

    for (size_t i = 0; i < s->n; i++) {
        const struct search_point *p = &s->point[i];

        if (b.least == 0 || p->load < b.least)
            b.least = p->load;
        if (p->load > b.most)
            b.most = p->load;
        if (p->says == SEARCH_FAILS && (b.fails == 0 || p->load < b.fails))
            b.fails = p->load;
    }
    for (size_t i = 0; i < s->n; i++) {
        const struct search_point *p = &s->point[i];

        if (p->says == SEARCH_HOLDS && p->load > b.holds && (b.fails == 0 || p->load < b.fails))
            b.holds = p->load;
    }
    for (size_t i = 0; i < s->n; i++) {
        const struct search_point *p = &s->point[i];

        if (p->says != SEARCH_UNSURE || p->load < b.holds || (b.fails > 0 && p->load > b.fails))
            continue;
        if (b.unsure_least == 0 || p->load < b.unsure_least)
            b.unsure_least = p->load;
        if (p->load > b.unsure_most)
            b.unsure_most = p->load;
    }
    return b;
}

/* The geometric middle, 0 where the two are near enough. */
static uint64_t between(const struct search *s, uint64_t low, uint64_t high)
{
    uint64_t middle;

    CHECK(low < high);
    if (high - low < 2 || (double)high <= (double)low * (1 + s->rules.precision))
        return 0;
    middle = (uint64_t)llround(sqrt((double)low * (double)high));
    if (middle <= low)
        return low + 1;
    return middle >= high ? high - 1 : middle;
}

static uint64_t unsure_again(const struct search *s)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->point[i].says == SEARCH_UNSURE && s->point[i].samples < s->rules.samples_max)
            return s->point[i].load;
    }
    return 0;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t search_next(const struct search *s)
{
    const struct bounds b = bounds_of(s);
    const uint64_t again = unsure_again(s);
    uint64_t next = 0;

    if (s->n == 0)
        return s->rules.first;
    if (again)
        return again;
    if (s->n == SEARCH_POINTS_MAX)
        return 0;
    if (b.holds == 0)
        return b.least <= s->rules.floor ? 0 : larger(b.least / DOWN, s->rules.floor);
    if (b.fails == 0 && b.most < s->rules.ceiling)
        return b.most > s->rules.ceiling / UP ? s->rules.ceiling : b.most * UP;
    if (b.unsure_least > 0)
        next = between(s, b.holds, b.unsure_least);
    else if (b.fails > 0)
        next = between(s, b.holds, b.fails);
    if (next == 0 && b.unsure_most > 0 && b.fails > 0)
        next = between(s, b.unsure_most, b.fails);
    return next;
}

struct search_answer search_answer(const struct search *s)
{
    const struct bounds b = bounds_of(s);
    struct search_answer a = {
        .holds = b.holds,
        .next = b.unsure_least ? b.unsure_least : b.fails,
        .fails = b.fails,
    };

    if (search_next(s) != 0)
        a.end = SEARCH_GOES_ON;
    else if (b.holds == 0)
        a.end = SEARCH_FLOOR;
    else
        a.end = b.holds == s->rules.ceiling ? SEARCH_CEILING : SEARCH_FOUND;
    return a;
}
