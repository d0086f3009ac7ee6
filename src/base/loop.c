/*
 * The event loop. The heaps are 4-ary with the root at index 3, so that the four children of an
 * entry share one cache line: with a million timers a pop then misses the cache about as often as
 * the heap has levels, ten. The movable heap keeps where each of its timers stands; the plain one
 * does not, and so costs 16 bytes a timer.
 */
#include "base/loop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/check.h"
#include "base/xalloc.h"

#define ROOT 3u
#define NOWHERE 0u        /* no entry ever stands at index 0 */
#define TIMERS_A_TURN 256 /* fired before descriptors are looked at again */
#define EVENTS_A_TURN 128
/* How much before a timer the kernel is asked to wake the loop: what waking takes, by its median.
 */
#define LEAD_FIRST_NS (50 * NS_PER_US)
#define LEAD_MOST_NS (150 * NS_PER_US)
#define LEAD_STEP_NS NS_PER_US

struct heap_entry {
    uint64_t due_ns;
    uint32_t id;
    uint32_t order; /* of setting; wraps, so compared by difference */
};

_Static_assert(sizeof(struct heap_entry) == 16, "a timer costs 16 bytes");

/* Entries stand at ROOT .. ROOT + n - 1, none due before its parent. Where `where` is there,
 * where[id - first_id] is the index of a pending timer and NOWHERE for others. */
struct heap {
    struct heap_entry *at;
    uint32_t n;
    uint32_t cap;
    uint32_t first_id;
    uint32_t *where;
};

struct loop {
    const struct clock *clock;
    bool waits; /* on the machine's clock; false: moves the clock */
    int epoll_fd;
    uint32_t order;
    uint64_t lead_ns;
    struct heap plain;
    struct heap movable;
    void (*on_timer)(uint32_t id, uint64_t due_ns, void *ctx);
    void (*on_fd)(uint32_t id, unsigned events, void *ctx);
    void *ctx;
};

/* Aligned so that index 4, 8, 12 ... begin a cache line. Zero pages cost nothing until used. */
static void heap_init(struct heap *h, uint32_t first_id, uint32_t cap, bool movable)
{
    const size_t bytes = ((size_t)cap + ROOT) * sizeof(*h->at);

    h->first_id = first_id;
    h->cap = cap;
    h->n = 0;
    h->where = movable ? xcalloc((size_t)cap + 1, sizeof(*h->where)) : NULL;
    h->at = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK(h->at != NULL);
}

static void heap_release(struct heap *h)
{
    free(h->at);
    free(h->where);
}

static bool before(const struct heap_entry *a, const struct heap_entry *b)
{
    if (a->due_ns != b->due_ns)
        return a->due_ns < b->due_ns;
    return (int32_t)(a->order - b->order) < 0;
}

static void put(struct heap *h, uint32_t i, const struct heap_entry *e)
{
    h->at[i] = *e;
    if (h->where)
        h->where[e->id - h->first_id] = i;
}

/* Moves e, whose place i is free, towards the root as far as it belongs. */
static void sift_up(struct heap *h, uint32_t i, const struct heap_entry *e)
{
    while (i > ROOT) {
        const uint32_t parent = i / 4 + 2;

        if (!before(e, &h->at[parent]))
            break;
        put(h, i, &h->at[parent]);
        i = parent;
    }
    put(h, i, e);
}

/* Moves e, whose place i is free, away from the root as far as it belongs. */
static void sift_down(struct heap *h, uint32_t i, const struct heap_entry *e)
{
    const uint32_t end = ROOT + h->n;

    for (;;) {
        const uint32_t first = 4 * i - 8;
        const uint32_t last = first + 4 < end ? first + 4 : end;
        uint32_t least = first;

        if (first >= end)
            break;
        for (uint32_t child = first + 1; child < last; child++) {
            if (before(&h->at[child], &h->at[least]))
                least = child;
        }
        if (!before(&h->at[least], e))
            break;
        put(h, i, &h->at[least]);
        i = least;
    }
    put(h, i, e);
}

static void heap_push(struct heap *h, const struct heap_entry *e)
{
    CHECK(h->n < h->cap);
    h->n++;
    sift_up(h, ROOT + h->n - 1, e);
}

/* Takes out the entry at i: the last one fills its place. */
static void heap_remove(struct heap *h, uint32_t i)
{
    const struct heap_entry last = h->at[ROOT + h->n - 1];
    const struct heap_entry gone = h->at[i];

    h->n--;
    if (h->where)
        h->where[gone.id - h->first_id] = NOWHERE;
    if (i == ROOT + h->n)
        return;
    if (before(&last, &gone))
        sift_up(h, i, &last);
    else
        sift_down(h, i, &last);
}

static const struct heap_entry *heap_top(const struct heap *h)
{
    return h->n > 0 ? &h->at[ROOT] : NULL;
}

/* The heap whose top fires next, NULL where both are empty. */
static struct heap *next_heap(struct loop *loop)
{
    const struct heap_entry *p = heap_top(&loop->plain);
    const struct heap_entry *m = heap_top(&loop->movable);

    if (!p || !m)
        return p ? &loop->plain : m ? &loop->movable : NULL;
    return before(p, m) ? &loop->plain : &loop->movable;
}

struct loop *loop_new(const struct loop_opts *opts, struct err *err)
{
    struct loop *loop = xcalloc(1, sizeof(*loop));

    loop->clock = opts->clock;
    loop->waits = opts->clock == clock_system();
    loop->on_timer = opts->on_timer;
    loop->on_fd = opts->on_fd;
    loop->ctx = opts->ctx;
    loop->lead_ns = LEAD_FIRST_NS;
    heap_init(&loop->plain, 0, opts->plain_timers, false);
    heap_init(&loop->movable, opts->plain_timers, opts->movable_timers, true);
    loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (loop->epoll_fd < 0) {
        err_sys(err, errno, "can't make an epoll descriptor");
        loop_free(loop);
        return NULL;
    }
    return loop;
}

void loop_free(struct loop *loop)
{
    if (!loop)
        return;
    if (loop->epoll_fd >= 0)
        (void)close(loop->epoll_fd);
    heap_release(&loop->plain);
    heap_release(&loop->movable);
    free(loop);
}

static uint32_t movable_index(const struct loop *loop, uint32_t id)
{
    CHECK(id >= loop->movable.first_id);
    CHECK(id - loop->movable.first_id < loop->movable.cap);
    return loop->movable.where[id - loop->movable.first_id];
}

void loop_timer_set(struct loop *loop, uint32_t id, uint64_t due_ns)
{
    const struct heap_entry e = {.due_ns = due_ns, .id = id, .order = loop->order++};

    if (id < loop->movable.first_id) {
        heap_push(&loop->plain, &e);
        return;
    }
    loop_timer_cancel(loop, id);
    heap_push(&loop->movable, &e);
}

void loop_timer_cancel(struct loop *loop, uint32_t id)
{
    const uint32_t i = movable_index(loop, id);

    if (i != NOWHERE)
        heap_remove(&loop->movable, i);
}

bool loop_timer_pending(const struct loop *loop, uint32_t id)
{
    return movable_index(loop, id) != NOWHERE;
}

uint64_t loop_next_timer_ns(const struct loop *loop)
{
    const struct heap_entry *p = heap_top(&loop->plain);
    const struct heap_entry *m = heap_top(&loop->movable);
    const uint64_t plain_ns = p ? p->due_ns : UINT64_MAX;
    const uint64_t movable_ns = m ? m->due_ns : UINT64_MAX;

    return plain_ns < movable_ns ? plain_ns : movable_ns;
}

/* A descriptor that was closed and opened again under the same number has lost its watch without
 * our knowing: hence both ways. */
void loop_watch(struct loop *loop, int fd, uint32_t id, unsigned events)
{
    /* That the other end will send no more is not told by EPOLLHUP alone. */
    struct epoll_event ev = {.events = EPOLLRDHUP, .data = {.u32 = id}};

    if (events & LOOP_READ)
        ev.events |= EPOLLIN;
    if (events & LOOP_WRITE)
        ev.events |= EPOLLOUT;
    if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_MOD, fd, &ev) == 0)
        return;
    CHECK(errno == ENOENT);
    CHECK(epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &ev) == 0);
}

void loop_unwatch(struct loop *loop, int fd)
{
    if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, fd, NULL) < 0)
        CHECK(errno == ENOENT || errno == EBADF);
}

static unsigned told(uint32_t epoll_events)
{
    unsigned events = 0;

    if (epoll_events & EPOLLIN)
        events |= LOOP_READ;
    if (epoll_events & EPOLLOUT)
        events |= LOOP_WRITE;
    if (epoll_events & (EPOLLERR | EPOLLHUP | EPOLLRDHUP))
        events |= LOOP_HANGUP;
    return events;
}

/* Waits at most timeout_ns (0: only looks) and handles what is ready. False: nothing was. */
static bool handle_fds(struct loop *loop, uint64_t timeout_ns)
{
    struct epoll_event ready[EVENTS_A_TURN];
    const struct timespec timeout = {.tv_sec = (time_t)(timeout_ns / NS_PER_S),
                                     .tv_nsec = (long)(timeout_ns % NS_PER_S)};
    const int n = epoll_pwait2(loop->epoll_fd, ready, EVENTS_A_TURN, &timeout, NULL);

    CHECK(n >= 0 || errno == EINTR);
    for (int i = 0; i < n; i++)
        loop->on_fd(ready[i].data.u32, told(ready[i].events), loop->ctx);
    return n != 0;
}

/* A step towards each overshoot of a wait finds their median, which a rare stall does not move. */
static void learn_lead(struct loop *loop, uint64_t overshoot_ns)
{
    if (overshoot_ns > loop->lead_ns && loop->lead_ns < LEAD_MOST_NS)
        loop->lead_ns += LEAD_STEP_NS;
    else if (overshoot_ns < loop->lead_ns)
        loop->lead_ns -= LEAD_STEP_NS < loop->lead_ns ? LEAD_STEP_NS : loop->lead_ns;
}

/* An idle processor takes some 5 to 100 us to wake, which would be lateness. So the wait ends about
 * so much early, and the turns of the last microseconds only look. */
static void wait_fds(struct loop *loop, uint64_t now_ns, uint64_t wait_ns)
{
    const uint64_t sleep_ns = wait_ns > loop->lead_ns ? wait_ns - loop->lead_ns : 0;
    uint64_t woken_ns;

    if (handle_fds(loop, sleep_ns) || sleep_ns == 0)
        return;
    woken_ns = clock_now_ns(loop->clock);
    if (woken_ns > now_ns + sleep_ns)
        learn_lead(loop, woken_ns - now_ns - sleep_ns);
}

static void fire_due(struct loop *loop, uint64_t now_ns)
{
    for (int i = 0; i < TIMERS_A_TURN; i++) {
        struct heap *h = next_heap(loop);
        struct heap_entry e;

        if (!h || h->at[ROOT].due_ns > now_ns)
            return;
        e = h->at[ROOT];
        heap_remove(h, ROOT);
        loop->on_timer(e.id, e.due_ns, loop->ctx);
    }
}

void loop_turn(struct loop *loop, uint64_t until_ns)
{
    const uint64_t timer_ns = loop_next_timer_ns(loop);
    const uint64_t next_ns = timer_ns < until_ns ? timer_ns : until_ns;
    uint64_t now_ns = clock_now_ns(loop->clock);
    /* A longer wait than this is cut in two; nobody sees it. */
    const uint64_t longest_ns = 3600 * NS_PER_S;
    uint64_t wait_ns = next_ns > now_ns ? next_ns - now_ns : 0;

    if (wait_ns > longest_ns)
        wait_ns = longest_ns;
    if (loop->waits)
        wait_fds(loop, now_ns, wait_ns);
    else if (wait_ns > 0)
        clock_sleep_until_ns(loop->clock, now_ns + wait_ns);
    now_ns = clock_now_ns(loop->clock);
    fire_due(loop, now_ns);
}
