/*
 * prep/pattern: the same bytes whoever makes them and in whatever pieces, none of them twice.
 */
#include "prep/pattern.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/xalloc.h"
#include "harness/unit.h"

#define MIB (1U << 20)

static void test_in_pieces(void)
{
    const uint64_t key = pattern_key("c12a7328-0000-4000-8000-000000000001");
    unsigned char *whole = xmalloc(MIB);
    unsigned char *part = xmalloc(MIB);

    pattern_make(key, 0, whole, MIB);
    for (uint64_t at = 0; at < MIB; at += 3 * PATTERN_BLOCK) {
        const size_t n = MIB - at < 3 * PATTERN_BLOCK ? MIB - at : 3 * PATTERN_BLOCK;

        pattern_make(key, at, part, n);
        UNIT_TRUE("", memcmp(part, whole + at, n) == 0);
        UNIT_TRUE("", pattern_is(key, at, part, n));
    }
    pattern_make(key, PATTERN_BLOCK, part, 512);
    UNIT_TRUE("a block cut short", memcmp(part, whole + PATTERN_BLOCK, 512) == 0);
    free(part);
    free(whole);
}

static void test_any_bit_tells(void)
{
    const uint64_t key = pattern_key("a");
    unsigned char block[PATTERN_BLOCK];

    pattern_make(key, 40960, block, sizeof(block));
    for (size_t bit = 0; bit < 8 * sizeof(block); bit += 997) {
        block[bit / 8] ^= (unsigned char)(1U << bit % 8);
        UNIT_TRUE("", !pattern_is(key, 40960, block, sizeof(block)));
        block[bit / 8] ^= (unsigned char)(1U << bit % 8);
    }
    UNIT_TRUE("", pattern_is(key, 40960, block, sizeof(block)));
    UNIT_TRUE("another place", !pattern_is(key, 45056, block, sizeof(block)));
    UNIT_TRUE("another preparation", !pattern_is(pattern_key("b"), 40960, block, sizeof(block)));
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *left = a;
    const uint64_t *right = b;

    return (*left > *right) - (*left < *right);
}

static void test_incompressible(void)
{
    const uint64_t key = pattern_key("x");
    unsigned char *bytes = xmalloc(MIB);
    uLongf packed_bytes = compressBound(MIB);
    unsigned char *packed = xmalloc(packed_bytes);
    uint64_t firsts[MIB / PATTERN_BLOCK];

    pattern_make(key, 0, bytes, MIB);
    UNIT_EQ_I64("", compress2(packed, &packed_bytes, bytes, MIB, 9), Z_OK);
    UNIT_TRUE("", packed_bytes >= MIB);
    for (size_t i = 0; i < ARRAY_LEN(firsts); i++)
        memcpy(&firsts[i], bytes + i * PATTERN_BLOCK, sizeof(firsts[i]));
    qsort(firsts, ARRAY_LEN(firsts), sizeof(firsts[0]), by_value);
    for (size_t i = 1; i < ARRAY_LEN(firsts); i++)
        UNIT_TRUE("no block twice", firsts[i] != firsts[i - 1]);
    free(packed);
    free(bytes);
}

static const struct unit_test tests[] = {
    {"in_pieces", test_in_pieces},
    {"any_bit_tells", test_any_bit_tells},
    {"incompressible", test_incompressible},
};
const struct unit_suite pattern_suite = UNIT_SUITE("pattern", tests);
