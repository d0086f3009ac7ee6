/*
 * What a drive is filled with: blocks that no controller can compress or find twice, each a pure
 * function of a key and its number. So any block can be checked later without having kept it.
 * Pure; any thread.
 */
#ifndef PREP_PATTERN_H
#define PREP_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATTERN_BLOCK 4096

/* The key of a preparation, from its id. */
uint64_t pattern_key(const char *id);
/* Bytes of the surface from `offset` (of whole blocks) on; n: of 8 bytes, the last block may be
 * cut. buf is aligned to 8 bytes. */
void pattern_make(uint64_t key, uint64_t offset, void *buf, size_t n);
bool pattern_is(uint64_t key, uint64_t offset, const void *buf, size_t n);

#endif
