/*
 * A search for the greatest load under which something holds, where looking is slow and noisy: what
 * to measure next, and what can be said in the end. Pure: who measures tells what was seen; the
 * same sightings in the same order give the same next load, so that a search that was cut off goes
 * on.
 *
 * The first load is `first`. Where it holds the next one is twice as much, up to the ceiling; where
 * it does not a quarter, down to the floor. Once one holds and a greater one fails, the geometric
 * middle between the two is next, until they are nearer than the precision.
 *
 * A look that decides nothing is repeated, up to samples_max times; who measures takes them
 * together. What stays unsure lies between what holds and what fails: then both edges of it are
 * looked for.
 */
#ifndef STATS_SEARCH_H
#define STATS_SEARCH_H

#include <stddef.h>
#include <stdint.h>

#define SEARCH_POINTS_MAX 64

enum search_says { SEARCH_HOLDS, SEARCH_FAILS, SEARCH_UNSURE };

struct search_rules {
    uint64_t first, floor, ceiling; /* 1 <= floor <= first <= ceiling */
    double precision;               /* 0.05: the answer's bounds differ by 5 % at most */
    unsigned samples_max;           /* of one load, at least 1 */
};

struct search_point {
    uint64_t load;
    enum search_says says; /* of all its samples together */
    unsigned samples;
};

struct search {
    struct search_rules rules;
    struct search_point point[SEARCH_POINTS_MAX]; /* as they were looked at */
    size_t n;
};

enum search_end {
    SEARCH_GOES_ON,
    SEARCH_FOUND,   /* one holds, a greater one fails or stays unsure */
    SEARCH_FLOOR,   /* not even the floor is known to hold */
    SEARCH_CEILING, /* the ceiling holds */
};

struct search_answer {
    enum search_end end;
    uint64_t holds; /* the greatest load that is known to hold; 0: none */
    uint64_t next;  /* the least above it that is not known to hold; 0: none */
    uint64_t fails; /* the least above it that is known to fail; 0: none */
};

void search_init(struct search *s, const struct search_rules *rules);
/* What was seen at this load, with its earlier samples taken together. */
void search_tell(struct search *s, uint64_t load, enum search_says says);
/* The load to measure next; 0: the search has ended. */
uint64_t search_next(const struct search *s);
struct search_answer search_answer(const struct search *s);

const char *search_word(enum search_says says); /* "holds", "fails", "unsure" */

#endif
