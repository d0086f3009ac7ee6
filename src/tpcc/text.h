/*
 * Random strings of 4.3.2.2: a-strings from 62 characters (a-z, A-Z, 0-9), n-strings from digits.
 * Eight characters come from one 64-bit hash, two a step by a table of pairs, so that filling the
 * dataset costs about a cycle a byte and compresses no better than random letters do.
 */
#ifndef TPCC_TEXT_H
#define TPCC_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"

#define TEXT_LETTERS 62
#define TEXT_PAIRS (TEXT_LETTERS * TEXT_LETTERS)
/* Filling may write so many bytes beyond the end that was asked for. */
#define TEXT_SLACK 8

/* Immutable after text_pairs_init(). */
struct text_pairs {
    char at[TEXT_PAIRS][2];
};

void text_pairs_init(struct text_pairs *pairs);

/* n random characters, no 0 behind them; out has room for n + TEXT_SLACK. */
void text_fill(const struct text_pairs *pairs, struct rng *r, char *out, size_t n);
/* n random digits. */
void text_digits(struct rng *r, char *out, size_t n);

#endif
