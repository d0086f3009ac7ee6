/*
 * A ring of items under one mutex with two conditions: the only condition waits of the program.
 * Waits with a bound use CLOCK_MONOTONIC, so that setting the machine's time does not move them.
 */
#include "base/bqueue.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/xalloc.h"

/* `lock` protects ring, first, count and closed. Items lie at first .. first + count - 1, modulo
 * capacity; count <= capacity. */
struct bqueue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    pthread_cond_t not_full;
    unsigned char *ring;
    size_t first;
    size_t count;
    bool closed;
    size_t capacity;
    size_t item_size;
};

static void cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t attr;

    CHECK(pthread_condattr_init(&attr) == 0);
    CHECK(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
    CHECK(pthread_cond_init(cond, &attr) == 0);
    CHECK(pthread_condattr_destroy(&attr) == 0);
}

struct bqueue *bqueue_new(size_t capacity, size_t item_size)
{
    struct bqueue *q = xcalloc(1, sizeof(*q));

    CHECK(capacity > 0);
    CHECK(item_size > 0);
    q->ring = xcalloc(capacity, item_size);
    q->capacity = capacity;
    q->item_size = item_size;
    CHECK(pthread_mutex_init(&q->lock, NULL) == 0);
    cond_init(&q->not_empty);
    cond_init(&q->not_full);
    return q;
}

void bqueue_free(struct bqueue *q)
{
    if (!q)
        return;
    CHECK(pthread_cond_destroy(&q->not_full) == 0);
    CHECK(pthread_cond_destroy(&q->not_empty) == 0);
    CHECK(pthread_mutex_destroy(&q->lock) == 0);
    free(q->ring);
    free(q);
}

static void lock(struct bqueue *q)
{
    CHECK(pthread_mutex_lock(&q->lock) == 0);
}

static void unlock(struct bqueue *q)
{
    CHECK(pthread_mutex_unlock(&q->lock) == 0);
}

/* With the lock held and room in the ring. */
static void put(struct bqueue *q, const void *item)
{
    const size_t at = (q->first + q->count) % q->capacity;

    CHECK(q->count < q->capacity);
    memcpy(q->ring + at * q->item_size, item, q->item_size);
    q->count++;
    CHECK(pthread_cond_signal(&q->not_empty) == 0);
}

bool bqueue_try_push(struct bqueue *q, const void *item)
{
    bool room = false;

    lock(q);
    room = !q->closed && q->count < q->capacity;
    if (room)
        put(q, item);
    unlock(q);
    return room;
}

bool bqueue_push(struct bqueue *q, const void *item)
{
    bool open = false;

    lock(q);
    while (!q->closed && q->count == q->capacity)
        CHECK(pthread_cond_wait(&q->not_full, &q->lock) == 0);
    open = !q->closed;
    if (open)
        put(q, item);
    unlock(q);
    return open;
}

/* With the lock held: waits until there is an item, the queue is closed or the time is over. */
static void wait_for_item(struct bqueue *q, uint64_t timeout_ns)
{
    const uint64_t now_ns = clock_now_ns(clock_system());
    /* A bound too far to be told in a timespec is as good as this one: 136 years. */
    const uint64_t longest_ns = UINT64_C(1) << 62;
    const uint64_t until_ns = now_ns + (timeout_ns < longest_ns ? timeout_ns : longest_ns);
    const struct timespec until = {.tv_sec = (time_t)(until_ns / NS_PER_S),
                                   .tv_nsec = (long)(until_ns % NS_PER_S)};
    int rc = 0;

    while (rc == 0 && q->count == 0 && !q->closed)
        rc = pthread_cond_timedwait(&q->not_empty, &q->lock, &until);
    CHECK(rc == 0 || rc == ETIMEDOUT);
}

bool bqueue_pop(struct bqueue *q, void *item, uint64_t timeout_ns)
{
    bool got = false;

    lock(q);
    if (q->count == 0 && timeout_ns > 0)
        wait_for_item(q, timeout_ns);
    got = q->count > 0;
    if (got) {
        memcpy(item, q->ring + q->first * q->item_size, q->item_size);
        q->first = (q->first + 1) % q->capacity;
        q->count--;
        CHECK(pthread_cond_signal(&q->not_full) == 0);
    }
    unlock(q);
    return got;
}

size_t bqueue_count(struct bqueue *q)
{
    size_t count = 0;

    lock(q);
    count = q->count;
    unlock(q);
    return count;
}

void bqueue_close(struct bqueue *q)
{
    lock(q);
    q->closed = true;
    CHECK(pthread_cond_broadcast(&q->not_empty) == 0);
    CHECK(pthread_cond_broadcast(&q->not_full) == 0);
    unlock(q);
}

bool bqueue_closed(struct bqueue *q)
{
    bool closed = false;

    lock(q);
    closed = q->closed;
    unlock(q);
    return closed;
}
