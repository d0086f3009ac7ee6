/*
 * base/bqueue: order, bound, closing, and many threads on both sides. Threads are waited for by
 * the queue itself or by joining, never by time.
 */
#include "base/bqueue.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fsroot.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "harness/unit.h"

static void test_first_in_first_out(void)
{
    struct bqueue *q = bqueue_new(3, sizeof(int));

    /* More than its capacity in all, so that the ring wraps. */
    for (int i = 0; i < 100; i++) {
        const int two[] = {2 * i, 2 * i + 1};
        int got = -1;

        UNIT_TRUE("", bqueue_try_push(q, &two[0]));
        UNIT_TRUE("", bqueue_push(q, &two[1]));
        UNIT_EQ_U64("", bqueue_count(q), 2);
        UNIT_TRUE("", bqueue_pop(q, &got, 0));
        UNIT_EQ_I64("", got, two[0]);
        UNIT_TRUE("", bqueue_pop(q, &got, UINT64_MAX));
        UNIT_EQ_I64("", got, two[1]);
    }
    bqueue_free(q);
}

static void test_full_refuses(void)
{
    struct bqueue *q = bqueue_new(2, sizeof(int));
    int item = 1;

    UNIT_TRUE("", bqueue_try_push(q, &item));
    UNIT_TRUE("", bqueue_try_push(q, &item));
    UNIT_TRUE("", !bqueue_try_push(q, &item));
    UNIT_EQ_U64("", bqueue_count(q), 2);
    UNIT_TRUE("", bqueue_pop(q, &item, 0));
    UNIT_TRUE("", bqueue_try_push(q, &item));
    bqueue_free(q);
}

static void test_pop_waits_as_long_as_told(void)
{
    struct bqueue *q = bqueue_new(2, sizeof(int));
    const uint64_t start_ns = clock_now_ns(clock_system());
    int item = 5;

    UNIT_TRUE("", !bqueue_pop(q, &item, 0));
    UNIT_TRUE("", !bqueue_pop(q, &item, 20 * NS_PER_MS));
    UNIT_TRUE("", clock_now_ns(clock_system()) - start_ns >= 20 * NS_PER_MS);
    UNIT_EQ_I64("left alone", item, 5);
    bqueue_free(q);
}

static void test_closed_gives_what_is_inside(void)
{
    struct bqueue *q = bqueue_new(2, sizeof(int));
    int item = 7;

    UNIT_TRUE("", bqueue_push(q, &item));
    UNIT_TRUE("", !bqueue_closed(q));
    bqueue_close(q);
    bqueue_close(q);
    UNIT_TRUE("", bqueue_closed(q));
    UNIT_TRUE("", !bqueue_push(q, &item));
    UNIT_TRUE("", !bqueue_try_push(q, &item));
    item = 0;
    UNIT_TRUE("", bqueue_pop(q, &item, UINT64_MAX));
    UNIT_EQ_I64("", item, 7);
    UNIT_TRUE("does not wait", !bqueue_pop(q, &item, UINT64_MAX));
    bqueue_free(q);
    bqueue_free(NULL);
}

static void *pop_forever(void *ctx)
{
    int item = 0;

    return bqueue_pop(ctx, &item, UINT64_MAX) ? ctx : NULL;
}

static void *push_one(void *ctx)
{
    const int item = 9;

    return bqueue_push(ctx, &item) ? ctx : NULL;
}

/* How many threads of this name sleep in the kernel. */
static size_t count_sleeping(const char *name)
{
    struct fsroot machine;
    char **ids = NULL;
    size_t n = 0;

    fsroot_init(&machine, "");
    ids = fsroot_list(&machine, "/proc/self/task");
    for (char **id = ids; id && *id; id++) {
        char *path = xasprintf("/proc/self/task/%s/stat", *id);
        char *line = fsroot_read_line(&machine, path);
        char *want = xasprintf("(%s) S", name);

        n += line && strstr(line, want);
        free(want);
        free(line);
        free(path);
    }
    fsroot_list_free(ids);
    fsroot_release(&machine);
    return n;
}

static void test_close_wakes_those_who_wait(void)
{
    struct bqueue *empty = bqueue_new(1, sizeof(int));
    struct bqueue *full = bqueue_new(1, sizeof(int));
    struct thread threads[4];
    struct err err = {0};
    const int item = 1;

    UNIT_TRUE("", bqueue_push(full, &item));
    for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
        void *(*fn)(void *) = i % 2 == 0 ? pop_forever : push_one;

        UNIT_EQ_I64("", thread_start(&threads[i], "waits", fn, i % 2 == 0 ? empty : full, &err), 0);
    }
    for (int i = 0; i < 10000 && count_sleeping("waits") < ARRAY_LEN(threads); i++)
        clock_sleep_until_ns(clock_system(), clock_now_ns(clock_system()) + NS_PER_MS);
    bqueue_close(empty);
    bqueue_close(full);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        UNIT_TRUE("woken", thread_join_timed(&threads[i], 10 * NS_PER_S));
    bqueue_free(empty);
    bqueue_free(full);
}

enum { PER_THREAD = 20000, N_PUSHERS = 3, N_POPPERS = 3 };

struct item {
    uint32_t thread;
    uint32_t n;
};

struct shared {
    struct bqueue *q;
    atomic_uint next_thread;
    atomic_uint_fast64_t sum;
    atomic_uint_fast64_t count;
    atomic_bool disorder;
};

static void *pusher(void *ctx)
{
    struct shared *s = ctx;
    struct item item = {.thread = atomic_fetch_add(&s->next_thread, 1)};

    for (; item.n < PER_THREAD; item.n++) {
        if (item.n % 2 == 0 && bqueue_try_push(s->q, &item))
            continue;
        CHECK(bqueue_push(s->q, &item));
    }
    return NULL;
}

static void *popper(void *ctx)
{
    struct shared *s = ctx;
    int64_t last[N_PUSHERS] = {-1, -1, -1};
    struct item item;

    while (bqueue_pop(s->q, &item, UINT64_MAX)) {
        if (item.n <= last[item.thread])
            atomic_store(&s->disorder, true);
        last[item.thread] = item.n;
        atomic_fetch_add(&s->sum, item.n);
        atomic_fetch_add(&s->count, 1);
    }
    return NULL;
}

static void test_many_threads(void)
{
    struct shared s = {.q = bqueue_new(7, sizeof(struct item))};
    struct thread threads[N_PUSHERS + N_POPPERS];
    struct err err = {0};

    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        UNIT_EQ_I64("", thread_start(&threads[i], "t", i < N_PUSHERS ? pusher : popper, &s, &err),
                    0);
    for (size_t i = 0; i < N_PUSHERS; i++)
        thread_join(&threads[i]);
    bqueue_close(s.q);
    for (size_t i = N_PUSHERS; i < ARRAY_LEN(threads); i++)
        thread_join(&threads[i]);
    UNIT_EQ_U64("none lost, none twice", s.count, N_PUSHERS * PER_THREAD);
    UNIT_EQ_U64("", s.sum, UINT64_C(1) * N_PUSHERS * PER_THREAD * (PER_THREAD - 1) / 2);
    UNIT_TRUE("one pusher's items stay in order", !s.disorder);
    bqueue_free(s.q);
}

static const struct unit_test tests[] = {
    {"first in first out", test_first_in_first_out},
    {"full refuses", test_full_refuses},
    {"pop waits as long as told", test_pop_waits_as_long_as_told},
    {"closed gives what is inside", test_closed_gives_what_is_inside},
    {"close wakes those who wait", test_close_wakes_those_who_wait},
    {"many threads", test_many_threads},
};

const struct unit_suite bqueue_suite = UNIT_SUITE("bqueue", tests);
