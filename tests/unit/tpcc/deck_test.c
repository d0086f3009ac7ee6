#include "tpcc/deck.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "harness/unit.h"

static const uint8_t mix_100[TXN_TYPES] = {45, 43, 4, 4, 4};
static const uint8_t mix_23[TXN_TYPES] = {10, 10, 1, 1, 1};
static const uint8_t mix_one[TXN_TYPES] = {0, 1, 0, 0, 0};

/* 5.2.4.2: after each whole deck the shares are exact, to the card. */
static void check_whole_decks(const uint8_t mix[TXN_TYPES], int cards)
{
    struct deck d;
    struct rng r = rng_at(rng_key(31, (uint64_t)cards));

    deck_fill(&d, mix);
    for (int round = 0; round < 50; round++) {
        uint8_t dealt[TXN_TYPES] = {0};

        for (int i = 0; i < cards; i++)
            dealt[deck_draw(&d, mix, rng_next(&r))]++;
        UNIT_TRUE("exact", memcmp(dealt, mix, sizeof(dealt)) == 0);
        UNIT_TRUE("made anew", memcmp(d.left, mix, sizeof(dealt)) == 0);
    }
}

static void test_whole_decks(void)
{
    check_whole_decks(mix_100, 100);
    check_whole_decks(mix_23, 23);
    check_whole_decks(mix_one, 1);
}

/* Any card of a deck is a type with the same chance wherever it lies: chi-square of the types at
 * the first, a middle and the last place over 20,000 decks; 4 degrees, 18.5 with 99.9 %. */
static void test_places_are_alike(void)
{
    static const int places[] = {0, 57, 99};
    uint32_t seen[3][TXN_TYPES] = {{0}};
    const int decks = 20000;
    struct rng r = rng_at(32);
    struct deck d;

    deck_fill(&d, mix_100);
    for (int n = 0; n < decks; n++) {
        int p = 0;

        for (int i = 0; i < 100; i++) {
            const enum txn_type t = deck_draw(&d, mix_100, rng_next(&r));

            if (p < 3 && i == places[p])
                seen[p++][t]++;
        }
    }
    for (int p = 0; p < 3; p++) {
        double chi2 = 0;

        for (int t = 0; t < TXN_TYPES; t++) {
            const double want = decks * mix_100[t] / 100.0;

            chi2 += (seen[p][t] - want) * (seen[p][t] - want) / want;
        }
        UNIT_TRUE("chi-square", chi2 < 18.5);
    }
}

/* The extremes of the random number take the first and the last card. */
static void test_extremes(void)
{
    struct deck d;

    deck_fill(&d, mix_100);
    UNIT_EQ_I64("first", deck_draw(&d, mix_100, 0), TXN_NEW_ORDER);
    UNIT_EQ_I64("last", deck_draw(&d, mix_100, UINT64_MAX), TXN_STOCK_LEVEL);
    UNIT_EQ_U64("size", sizeof(struct deck), 5);
}

static const struct unit_test tests[] = {
    {"whole_decks", test_whole_decks},
    {"places_are_alike", test_places_are_alike},
    {"extremes", test_extremes},
};
const struct unit_suite deck_suite = UNIT_SUITE("deck", tests);
