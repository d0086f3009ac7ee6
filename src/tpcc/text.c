/*
 * Random strings, fast. A 64-bit hash has four lanes of 16 bits; each, scaled to 62 * 62, is the
 * number of a pair of characters. Of 65,536 values 17 or 18 fall on a pair, so a single character's
 * share is even within 0.1 %.
 */
#include "tpcc/text.h"

#include <string.h>

void text_pairs_init(struct text_pairs *pairs)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

    _Static_assert(sizeof(letters) == TEXT_LETTERS + 1, "26 lower, 26 upper, 10 digits");
    for (int i = 0; i < TEXT_PAIRS; i++) {
        pairs->at[i][0] = letters[i / TEXT_LETTERS];
        pairs->at[i][1] = letters[i % TEXT_LETTERS];
    }
}

static inline void put_pair(const struct text_pairs *pairs, uint64_t lane, char *out)
{
    memcpy(out, pairs->at[((lane & 0xffff) * TEXT_PAIRS) >> 16], 2);
}

void text_fill(const struct text_pairs *pairs, struct rng *r, char *out, size_t n)
{
    for (size_t at = 0; at < n; at += 8) {
        const uint64_t word = rng_next(r);

        put_pair(pairs, word, out + at);
        put_pair(pairs, word >> 16, out + at + 2);
        put_pair(pairs, word >> 32, out + at + 4);
        put_pair(pairs, word >> 48, out + at + 6);
    }
}

void text_digits(struct rng *r, char *out, size_t n)
{
    for (size_t at = 0; at < n; at += 8) {
        uint32_t eight = (uint32_t)rng_uniform(r, 0, 99999999);

        for (size_t i = at; i < at + 8 && i < n; i++) {
            out[i] = (char)('0' + eight % 10);
            eight /= 10;
        }
    }
}
