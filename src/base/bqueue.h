/*
 * A bounded queue of equal-sized items between threads: the only place with condition variables.
 * Items are copied in and out. Any number of threads on each side.
 */
#ifndef BASE_BQUEUE_H
#define BASE_BQUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"

struct bqueue;

struct bqueue *bqueue_new(size_t capacity, size_t item_size);
void bqueue_free(struct bqueue *q);
/* False where it is full or closed. Never waits. */
bool bqueue_try_push(struct bqueue *q, const void *item) MUST_CHECK;
/* Waits for room; false where it was closed. */
bool bqueue_push(struct bqueue *q, const void *item) MUST_CHECK;
/* Waits at most timeout_ns; false where nothing came, or it is closed and empty. */
bool bqueue_pop(struct bqueue *q, void *item, uint64_t timeout_ns) MUST_CHECK;
size_t bqueue_count(struct bqueue *q);
/* Nothing more goes in; those waiting are woken; what is inside can still be taken. */
void bqueue_close(struct bqueue *q);
bool bqueue_closed(struct bqueue *q);

#endif
