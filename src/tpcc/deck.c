/*
 * A user's deck of cards, kept as what is left of each type. Drawing without replacement keeps the
 * shares exact: after each whole deck the mix is met to the card.
 */
#include "tpcc/deck.h"

#include <string.h>

#include "base/check.h"

void deck_fill(struct deck *d, const uint8_t mix[TXN_TYPES])
{
    memcpy(d->left, mix, sizeof(d->left));
}

static uint32_t cards_left(const struct deck *d)
{
    uint32_t n = 0;

    for (int t = 0; t < TXN_TYPES; t++)
        n += d->left[t];
    return n;
}

enum txn_type deck_draw(struct deck *d, const uint8_t mix[TXN_TYPES], uint64_t r)
{
    const uint32_t n = cards_left(d);
    uint32_t card = (uint32_t)(((r >> 32) * n) >> 32);
    int t = 0;

    CHECK(n > 0);
    while (card >= d->left[t]) {
        card -= d->left[t];
        t++;
    }
    CHECK(t < TXN_TYPES);
    d->left[t]--;
    if (n == 1)
        deck_fill(d, mix);
    return (enum txn_type)t;
}
