/*
 * base/thread and base/stop.
 */
#include "base/thread.h"

#include <stdlib.h>

#include "base/bqueue.h"
#include "base/clock.h"
#include "base/stop.h"
#include "base/xalloc.h"
#include "harness/unit.h"

/* Ends when something is put into its queue; answers with its own name. */
struct guest {
    struct bqueue *go;
    char name[16];
    uint64_t cpu_ns;
};

static void *wait_then_tell(void *ctx)
{
    struct guest *g = ctx;
    int item = 0;

    if (bqueue_pop(g->go, &item, UINT64_MAX))
        (void)pthread_getname_np(pthread_self(), g->name, sizeof(g->name));
    return NULL;
}

static void test_name_and_join(void)
{
    struct guest g = {.go = bqueue_new(1, sizeof(int))};
    struct thread t;
    struct err err = {0};
    const int item = 1;

    UNIT_EQ_I64("", thread_start(&t, "a-name-that-is-too-long", wait_then_tell, &g, &err), 0);
    UNIT_TRUE("", t.started);
    UNIT_TRUE("", bqueue_push(g.go, &item));
    thread_join(&t);
    UNIT_TRUE("", !t.started);
    UNIT_EQ_STR("", g.name, "a-name-that-is-");
    thread_join(&t); /* harmless */
    UNIT_TRUE("", thread_join_timed(&t, 0));
    bqueue_free(g.go);
}

static void test_timed_join(void)
{
    struct guest g = {.go = bqueue_new(1, sizeof(int))};
    struct thread t;
    struct err err = {0};
    const int item = 1;
    const uint64_t start_ns = clock_now_ns(clock_system());

    UNIT_EQ_I64("", thread_start(&t, "t", wait_then_tell, &g, &err), 0);
    UNIT_TRUE("still runs", !thread_join_timed(&t, 10 * NS_PER_MS));
    UNIT_TRUE("", clock_now_ns(clock_system()) - start_ns >= 10 * NS_PER_MS);
    UNIT_TRUE("", t.started);
    UNIT_TRUE("", bqueue_push(g.go, &item));
    UNIT_TRUE("", thread_join_timed(&t, 10 * NS_PER_S));
    UNIT_TRUE("", !t.started);
    bqueue_free(g.go);
}

static void *burn(void *ctx)
{
    struct guest *g = ctx;

    while (thread_cpu_ns() < 20 * NS_PER_MS)
        g->name[0]++;
    g->cpu_ns = thread_cpu_ns();
    return NULL;
}

static void test_cpu_time(void)
{
    const uint64_t own_ns = thread_cpu_ns();
    const uint64_t process_ns = process_cpu_ns();
    struct guest g = {0};
    struct thread t;
    struct err err = {0};

    UNIT_EQ_I64("", thread_start(&t, "burns", burn, &g, &err), 0);
    thread_join(&t);
    UNIT_TRUE("a thread counts its own", g.cpu_ns >= 20 * NS_PER_MS);
    UNIT_TRUE("not ours", thread_cpu_ns() - own_ns < g.cpu_ns);
    UNIT_TRUE("the process counts all", process_cpu_ns() - process_ns >= 20 * NS_PER_MS);
}

static void test_memory(void)
{
    const size_t size = (size_t)64 << 20;
    const uint64_t before = process_rss_peak_bytes();
    const uint64_t small = process_rss_bytes();
    volatile char *block = xpages(size);

    for (size_t i = 0; i < size; i += 4096)
        block[i] = 1;
    UNIT_TRUE("", before > 100000);
    UNIT_TRUE("", process_rss_peak_bytes() >= size);
    UNIT_TRUE("now", process_rss_bytes() >= small + size * 9 / 10);
    xpages_free((void *)(uintptr_t)block, size);
    UNIT_TRUE("no more", process_rss_bytes() < small + size / 2);
    UNIT_TRUE("but it was", process_rss_peak_bytes() >= size);
}

static void test_stop(void)
{
    struct stop stop = {0};

    UNIT_EQ_I64("", stop_level(&stop), 0);
    stop_ask(&stop);
    UNIT_EQ_I64("", stop_level(&stop), 1);
    stop_ask(&stop);
    UNIT_EQ_I64("", stop_level(&stop), 2);
    UNIT_EQ_I64("nobody can ask", stop_level(NULL), 0);
}

static const struct unit_test tests[] = {
    {"name and join", test_name_and_join},
    {"timed join", test_timed_join},
    {"cpu time", test_cpu_time},
    {"memory", test_memory},
    {"stop", test_stop},
};

const struct unit_suite thread_suite = UNIT_SUITE("thread", tests);
