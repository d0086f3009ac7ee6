/*
 * "Did you mean": the nearest of some words to one that is wrong, by the number of letters to
 * insert, delete, change or swap. Plain data, no release needed.
 */
#ifndef CONFIG_SUGGEST_H
#define CONFIG_SUGGEST_H

#include <stddef.h>

struct suggest {
    const char *word;   /* the wrong one */
    const char *answer; /* the best so far; NULL: nothing near enough */
    size_t distance;    /* of it; at first the greatest that is still near */
};

/* word must outlive the suggest. */
struct suggest suggest_for(const char *word);
/* Compares with `candidate`; where it is nearer than all before, the answer is `answer`. */
void suggest_offer(struct suggest *s, const char *candidate, const char *answer);

/* Letters apart, at most SUGGEST_FAR (also for words over 63 letters). */
#define SUGGEST_FAR 64
size_t suggest_distance(const char *a, const char *b);

#endif
