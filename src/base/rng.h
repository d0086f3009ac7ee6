/*
 * Random numbers by counter: a value is a hash of (key, n) and nothing is kept that threads or
 * restarts could change. rng_key() makes a key from what the value belongs to (seed, purpose,
 * table or user, warehouse, district, id); a struct rng walks n = 0, 1, 2, ... under one key.
 * The mixer is the splitmix64 finaliser (Steele, Lea, Flood 2014) applied to key + n * golden.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

__extension__ typedef unsigned __int128 rng_u128;

struct rng {
    uint64_t key;
    uint64_t n;
};

static inline uint64_t rng_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* One more part of a key: order matters, rng_key(rng_key(s, a), b) != rng_key(rng_key(s, b), a). */
static inline uint64_t rng_key(uint64_t key, uint64_t part)
{
    return rng_mix(key + UINT64_C(0x9e3779b97f4a7c15) * (part + 1));
}

static inline struct rng rng_at(uint64_t key)
{
    return (struct rng){.key = key, .n = 0};
}

static inline uint64_t rng_next(struct rng *r)
{
    return rng_mix(r->key + UINT64_C(0x9e3779b97f4a7c15) * ++r->n);
}

/* Uniform over lo..hi, both included; lo <= hi. Bias below 2^-32 for ranges below 2^32. */
static inline int64_t rng_uniform(struct rng *r, int64_t lo, int64_t hi)
{
    const uint64_t span = (uint64_t)(hi - lo) + 1;

    return lo + (int64_t)((uint64_t)(((rng_u128)rng_next(r) * span) >> 64));
}

/* Uniform over (0,1): never 0, never 1. */
static inline double rng_unit(struct rng *r)
{
    return ((double)(rng_next(r) >> 11) + 0.5) * 0x1.0p-53;
}

#endif
