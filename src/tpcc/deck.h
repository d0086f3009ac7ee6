/*
 * The mix (5.2.3, 5.2.4.2): each user deals from a deck of cards made from the workload's mix, kept
 * as the remaining counts, drawn without replacement; an empty deck is made anew. The decks of our
 * workloads have 100 cards; the standard's of 10, 10, 1, 1, 1 works as well.
 */
#ifndef TPCC_DECK_H
#define TPCC_DECK_H

#include <stdint.h>

#include "tpcc/params.h"

struct deck { /* 5 bytes of a user */
    uint8_t left[TXN_TYPES];
};

/* mix: cards per type, at least one in all. */
void deck_fill(struct deck *d, const uint8_t mix[TXN_TYPES]);
/* Draws one card with the random number r (its upper half); refills where it was the last. */
enum txn_type deck_draw(struct deck *d, const uint8_t mix[TXN_TYPES], uint64_t r);

#endif
