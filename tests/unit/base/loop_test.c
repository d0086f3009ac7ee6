#include "base/loop.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "harness/unit.h"

#define PLAIN 4000u
#define MOVABLE 64u

/* What fired, in order. */
struct seen {
    struct loop *loop;
    uint32_t n;
    uint32_t id[3 * (PLAIN + MOVABLE)];
    uint64_t due_ns[3 * (PLAIN + MOVABLE)];
    unsigned events;
    int fd;
    uint64_t again_ns; /* a timer that fires arms itself again so much later; 0: not */
};

static void on_timer(uint32_t id, uint64_t due_ns, void *ctx)
{
    struct seen *s = ctx;

    if (s->n < sizeof(s->id) / sizeof(s->id[0])) {
        s->id[s->n] = id;
        s->due_ns[s->n] = due_ns;
    }
    s->n++;
    if (s->again_ns)
        loop_timer_set(s->loop, id, due_ns + s->again_ns);
}

static void on_fd(uint32_t id, unsigned events, void *ctx)
{
    struct seen *s = ctx;

    UNIT_EQ_U64("", id, 5);
    s->events |= events;
}

static struct seen *seen_new(const struct clock *clk)
{
    struct seen *s = xcalloc(1, sizeof(*s));
    const struct loop_opts opts = {
        .clock = clk,
        .plain_timers = PLAIN,
        .movable_timers = MOVABLE,
        .on_timer = on_timer,
        .on_fd = on_fd,
        .ctx = s,
    };
    struct err err = {0};

    s->loop = loop_new(&opts, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s->loop);
    return s;
}

static void seen_free(struct seen *s)
{
    loop_free(s->loop);
    free(s);
}

/* All timers, some many times moved or cancelled, fire once, at their time, in order. */
static void test_order_of_many(void)
{
    struct clock_fake clk;
    struct seen *s;
    struct rng r = rng_at(51);
    uint32_t want = PLAIN;

    clock_fake_init(&clk, 1000, 0);
    s = seen_new(&clk.clk);
    for (uint32_t id = 0; id < PLAIN; id++)
        loop_timer_set(s->loop, id, 1000 + (uint64_t)rng_uniform(&r, 0, 900) * 7);
    for (int i = 0; i < 3000; i++) {
        const uint32_t id = PLAIN + (uint32_t)rng_uniform(&r, 0, MOVABLE - 1);

        if (rng_uniform(&r, 0, 2) == 0)
            loop_timer_cancel(s->loop, id);
        else
            loop_timer_set(s->loop, id, 1000 + (uint64_t)rng_uniform(&r, 0, 5000));
    }
    for (uint32_t id = PLAIN; id < PLAIN + MOVABLE; id++)
        want += loop_timer_pending(s->loop, id);
    while (loop_next_timer_ns(s->loop) != UINT64_MAX)
        loop_turn(s->loop, UINT64_MAX);
    UNIT_EQ_U64("each once", s->n, want);
    for (uint32_t i = 1; i < s->n; i++) {
        if (s->due_ns[i] < s->due_ns[i - 1])
            UNIT_TRUE("by time", false);
        /* Plain ones were set in the order of their numbers. */
        if (s->due_ns[i] == s->due_ns[i - 1] && s->id[i] < PLAIN && s->id[i] < s->id[i - 1])
            UNIT_TRUE("equals by setting", false);
    }
    seen_free(s);
}

static void test_moves_and_cancels(void)
{
    struct clock_fake clk;
    struct seen *s;

    clock_fake_init(&clk, 0, 0);
    s = seen_new(&clk.clk);
    loop_timer_set(s->loop, PLAIN, 100);
    loop_timer_set(s->loop, PLAIN + 1, 50);
    loop_timer_set(s->loop, PLAIN, 20);     /* sooner */
    loop_timer_set(s->loop, PLAIN + 1, 70); /* later */
    loop_timer_set(s->loop, 0, 30);
    loop_timer_set(s->loop, PLAIN + 2, 10);
    loop_timer_cancel(s->loop, PLAIN + 2);
    loop_timer_cancel(s->loop, PLAIN + 3); /* was never set */
    while (loop_next_timer_ns(s->loop) != UINT64_MAX)
        loop_turn(s->loop, UINT64_MAX);
    UNIT_EQ_U64("", s->n, 3);
    UNIT_EQ_U64("", s->id[0], PLAIN);
    UNIT_EQ_U64("", s->id[1], 0);
    UNIT_EQ_U64("", s->id[2], PLAIN + 1);
    UNIT_EQ_U64("the clock came along", clk.now_ns, 70);
    seen_free(s);
}

/* Until: the turn ends there although no timer is due; a fake hour costs nothing. */
static void test_until(void)
{
    struct clock_fake clk;
    struct seen *s;

    clock_fake_init(&clk, 0, 0);
    s = seen_new(&clk.clk);
    loop_timer_set(s->loop, 1, 3600 * NS_PER_S);
    loop_turn(s->loop, 500);
    UNIT_EQ_U64("", s->n, 0);
    UNIT_EQ_U64("", clk.now_ns, 500);
    loop_turn(s->loop, UINT64_MAX);
    UNIT_EQ_U64("", s->n, 1);
    UNIT_EQ_U64("", clk.now_ns, 3600 * NS_PER_S);
    seen_free(s);
}

/* A timer that is always due again does not keep a turn from ending. */
static void test_no_starvation(void)
{
    struct seen *s = seen_new(clock_system());
    int pipe_fd[2];

    CU_ASSERT_EQUAL_FATAL(pipe(pipe_fd), 0);
    s->again_ns = 1;
    loop_timer_set(s->loop, PLAIN, 1);
    loop_watch(s->loop, pipe_fd[0], 5, LOOP_READ);
    UNIT_EQ_I64("", write(pipe_fd[1], "x", 1), 1);
    loop_turn(s->loop, UINT64_MAX);
    loop_turn(s->loop, UINT64_MAX);
    UNIT_TRUE("timers", s->n >= 2);
    UNIT_EQ_U64("descriptor", s->events, LOOP_READ);
    (void)close(pipe_fd[0]);
    (void)close(pipe_fd[1]);
    seen_free(s);
}

/* Over TCP a server that goes closes its side only: that is a hang-up too, not just something to
 * read. */
static void test_other_side_closed(void)
{
    struct seen *s = seen_new(clock_system());
    int pair[2];

    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    loop_watch(s->loop, pair[0], 5, LOOP_READ);
    UNIT_EQ_I64("", write(pair[1], "x", 1), 1);
    loop_turn(s->loop, 0);
    UNIT_EQ_U64("something to read", s->events, LOOP_READ);
    CU_ASSERT_EQUAL_FATAL(shutdown(pair[1], SHUT_WR), 0);
    loop_turn(s->loop, 0);
    UNIT_EQ_U64("... and the last of it", s->events, LOOP_READ | LOOP_HANGUP);
    (void)close(pair[0]);
    (void)close(pair[1]);
    seen_free(s);
}

static void test_descriptors(void)
{
    struct seen *s = seen_new(clock_system());
    int pipe_fd[2];
    int same = -1;

    CU_ASSERT_EQUAL_FATAL(pipe(pipe_fd), 0);
    loop_watch(s->loop, pipe_fd[1], 5, LOOP_WRITE);
    loop_turn(s->loop, 0);
    UNIT_EQ_U64("writable", s->events, LOOP_WRITE);
    s->events = 0;
    loop_watch(s->loop, pipe_fd[1], 5, 0);
    loop_turn(s->loop, 0);
    UNIT_EQ_U64("not asked for", s->events, 0);
    (void)close(pipe_fd[0]);
    loop_turn(s->loop, 0);
    UNIT_EQ_U64("gone", s->events, LOOP_HANGUP);
    /* Closed behind the loop's back, another under the same number. */
    (void)close(pipe_fd[1]);
    same = pipe_fd[1];
    CU_ASSERT_EQUAL_FATAL(pipe(pipe_fd), 0);
    UNIT_TRUE("same number", pipe_fd[0] == same || pipe_fd[1] == same);
    s->events = 0;
    loop_watch(s->loop, pipe_fd[1], 5, LOOP_WRITE);
    loop_turn(s->loop, 0);
    UNIT_EQ_U64("watched anew", s->events, LOOP_WRITE);
    loop_unwatch(s->loop, pipe_fd[1]);
    loop_unwatch(s->loop, pipe_fd[1]);
    s->events = 0;
    loop_turn(s->loop, 0);
    UNIT_EQ_U64("no more", s->events, 0);
    (void)close(pipe_fd[0]);
    (void)close(pipe_fd[1]);
    seen_free(s);
}

/* By how much the loop, and a plain wait of the kernel for the same length, are late where nothing
 * else wants the processor: by the tenth percentile of many turns. */
#define WAITS 201
#define UNDISTURBED (WAITS / 10)
#define WAIT_NS (2 * NS_PER_MS)

static uint64_t loop_late_ns(struct seen *s)
{
    const struct clock *clk = clock_system();
    const uint64_t due_ns = clock_now_ns(clk) + WAIT_NS;
    const uint32_t fired = s->n;

    loop_timer_set(s->loop, 0, due_ns);
    while (s->n == fired)
        loop_turn(s->loop, UINT64_MAX);
    return clock_now_ns(clk) - due_ns;
}

static uint64_t plain_late_ns(void)
{
    const struct clock *clk = clock_system();
    const uint64_t due_ns = clock_now_ns(clk) + WAIT_NS;

    clock_sleep_until_ns(clk, due_ns);
    return clock_now_ns(clk) - due_ns;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void test_wakes_in_time(void)
{
    struct seen *s = seen_new(clock_system());
    uint64_t loop_ns[WAITS];
    uint64_t plain_ns[WAITS];

    for (int i = 0; i < WAITS; i++) {
        loop_ns[i] = loop_late_ns(s);
        plain_ns[i] = plain_late_ns();
    }
    qsort(loop_ns, WAITS, sizeof(loop_ns[0]), by_size);
    qsort(plain_ns, WAITS, sizeof(plain_ns[0]), by_size);
    UNIT_TRUE("later than without", loop_ns[UNDISTURBED] < plain_ns[UNDISTURBED]);
    seen_free(s);
}

static void set_twice(void *ctx)
{
    struct seen *s = ctx;

    for (uint32_t i = 0; i <= PLAIN; i++)
        loop_timer_set(s->loop, 0, i);
}

static void test_more_than_planned_is_a_bug(void)
{
    struct seen *s = seen_new(clock_system());

    UNIT_TRUE("", unit_aborts(set_twice, s));
    seen_free(s);
}

static const struct unit_test tests[] = {
    {"order_of_many", test_order_of_many},
    {"moves_and_cancels", test_moves_and_cancels},
    {"until", test_until},
    {"no_starvation", test_no_starvation},
    {"descriptors", test_descriptors},
    {"other_side_closed", test_other_side_closed},
    {"wakes_in_time", test_wakes_in_time},
    {"more_than_planned_is_a_bug", test_more_than_planned_is_a_bug},
};
const struct unit_suite loop_suite = UNIT_SUITE("loop", tests);
