/*
 * The distance is the one of Damerau and Levenshtein with swaps of neighbours only, over three
 * rows of a table. Words are short; longer ones than 63 letters are near to nothing.
 */
#include "config/suggest.h"

#include <string.h>

static size_t min3(size_t a, size_t b, size_t c)
{
    const size_t ab = a < b ? a : b;

    return ab < c ? ab : c;
}

size_t suggest_distance(const char *a, const char *b)
{
    size_t rows[3][SUGGEST_FAR];
    size_t *before = rows[0];
    size_t *last = rows[1];
    size_t *now = rows[2];
    const size_t na = strlen(a);
    const size_t nb = strlen(b);

    if (na >= SUGGEST_FAR || nb >= SUGGEST_FAR)
        return SUGGEST_FAR;
    for (size_t j = 0; j <= nb; j++) {
        before[j] = j;
        last[j] = j;
    }
    for (size_t i = 1; i <= na; i++) {
        size_t *spare = before;

        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            const size_t change = last[j - 1] + (a[i - 1] != b[j - 1]);

            now[j] = min3(last[j] + 1, now[j - 1] + 1, change);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < now[j])
                now[j] = before[j - 2] + 1;
        }
        before = last;
        last = now;
        now = spare;
    }
    return last[nb];
}

struct suggest suggest_for(const char *word)
{
    const size_t near = 1 + strlen(word) / 4;

    return (struct suggest){.word = word, .distance = (near > 4 ? 4 : near) + 1};
}

void suggest_offer(struct suggest *s, const char *candidate, const char *answer)
{
    const size_t distance = suggest_distance(s->word, candidate);

    /* Half of a word wrong is another word. */
    if (distance < s->distance && distance * 2 <= strlen(candidate)) {
        s->distance = distance;
        s->answer = answer;
    }
}
