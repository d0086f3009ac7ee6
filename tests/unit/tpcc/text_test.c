/*
 * tpcc/text: random strings of 4.3.2.2.
 */
#include "tpcc/text.h"

#include <ctype.h>
#include <string.h>

#include "chi_square.h"
#include "harness/unit.h"

enum { LETTERS = 1000000 };

static void test_letters_are_even(void)
{
    static struct text_pairs pairs;
    static char text[LETTERS + TEXT_SLACK];
    uint32_t seen[256] = {0};
    uint32_t follow[TEXT_LETTERS] = {0};
    uint32_t packed[TEXT_LETTERS] = {0};
    size_t n = 0;
    struct rng r = rng_at(42);

    text_pairs_init(&pairs);
    text_fill(&pairs, &r, text, LETTERS);
    for (int i = 0; i < LETTERS; i++)
        seen[(unsigned char)text[i]]++;
    for (int c = 0; c < 256; c++) {
        UNIT_TRUE("letters and digits only", seen[c] == 0 || (c < 128 && isalnum(c)));
        if (seen[c])
            packed[n++ % TEXT_LETTERS] = seen[c];
    }
    UNIT_EQ_U64("26 lower, 26 upper, 10 digits", n, 62);
    UNIT_NEAR("chi-square, sigma", chi_square_sigma(packed, NULL, TEXT_LETTERS), 0, 5);

    /* What follows an 'a', within a pair and over its edge. */
    n = 0;
    memset(seen, 0, sizeof(seen));
    for (int i = 0; i + 1 < LETTERS; i++)
        if (text[i] == 'a')
            seen[(unsigned char)text[i + 1]]++;
    for (int c = 0; c < 256; c++)
        if (seen[c])
            follow[n++ % TEXT_LETTERS] = seen[c];
    UNIT_EQ_U64("all follow", n, 62);
    UNIT_NEAR("chi-square, sigma", chi_square_sigma(follow, NULL, TEXT_LETTERS), 0, 5);
}

static void test_length_is_kept(void)
{
    static struct text_pairs pairs;
    char out[64 + TEXT_SLACK + 1];

    text_pairs_init(&pairs);
    for (size_t n = 0; n <= 64; n++) {
        struct rng r = rng_at(n);

        memset(out, '#', sizeof(out));
        text_fill(&pairs, &r, out, n);
        UNIT_TRUE("filled", memchr(out, '#', n) == NULL);
        UNIT_EQ_I64("beyond the slack", out[n + TEXT_SLACK], '#');
    }
}

static void test_digits(void)
{
    uint32_t seen[16][10] = {{0}};
    struct rng r = rng_at(3);
    char out[17] = {0};

    for (int i = 0; i < 20000; i++) {
        out[16] = '#';
        text_digits(&r, out, 16);
        CU_ASSERT_EQUAL(out[16], '#');
        for (int k = 0; k < 16; k++) {
            CU_ASSERT_FATAL(out[k] >= '0' && out[k] <= '9');
            seen[k][out[k] - '0']++;
        }
    }
    for (int k = 0; k < 16; k++)
        UNIT_NEAR("chi-square, sigma", chi_square_sigma(seen[k], NULL, 10), 0, 5);
    memset(out, '#', sizeof(out));
    text_digits(&r, out, 4);
    UNIT_EQ_I64("only four", out[4], '#');
}

static const struct unit_test tests[] = {
    {"letters are even", test_letters_are_even},
    {"length is kept", test_length_is_kept},
    {"digits", test_digits},
};
const struct unit_suite text_suite = UNIT_SUITE("text", tests);
