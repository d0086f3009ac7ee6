/*
 * 512 words of base/rng a block, under a key of the block's own.
 */
#include "prep/pattern.h"

#include "base/check.h"
#include "base/rng.h"

uint64_t pattern_key(const char *id)
{
    uint64_t key = UINT64_C(0x7072657061726564); /* this purpose's own */

    for (; *id; id++)
        key = rng_key(key, (uint64_t)(unsigned char)*id);
    return key;
}

static struct rng block_rng(uint64_t key, uint64_t block)
{
    return rng_at(rng_key(key, block));
}

void pattern_make(uint64_t key, uint64_t offset, void *buf, size_t n)
{
    uint64_t *word = buf;
    uint64_t block = offset / PATTERN_BLOCK;

    CHECK(offset % PATTERN_BLOCK == 0);
    CHECK(n % sizeof(*word) == 0);
    for (size_t done = 0; done < n; block++) {
        struct rng r = block_rng(key, block);

        for (size_t i = 0; i < PATTERN_BLOCK && done < n; i += sizeof(*word)) {
            *word++ = rng_next(&r);
            done += sizeof(*word);
        }
    }
}

bool pattern_is(uint64_t key, uint64_t offset, const void *buf, size_t n)
{
    const uint64_t *word = buf;
    uint64_t block = offset / PATTERN_BLOCK;
    uint64_t wrong = 0;

    CHECK(offset % PATTERN_BLOCK == 0);
    CHECK(n % sizeof(*word) == 0);
    for (size_t done = 0; done < n; block++) {
        struct rng r = block_rng(key, block);

        for (size_t i = 0; i < PATTERN_BLOCK && done < n; i += sizeof(*word)) {
            wrong |= *word++ ^ rng_next(&r);
            done += sizeof(*word);
        }
    }
    return wrong == 0;
}
