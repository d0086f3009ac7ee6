/*
 * A counter of those that are ready, one of those that have left, and a queue that is closed with
 * the last one, since only a queue can be waited for.
 */
#include "run/together.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/bqueue.h"
#include "base/check.h"
#include "base/xalloc.h"

struct together {
    const struct clock *clock;
    size_t runs;
    atomic_size_t keepers;
    atomic_size_t ready, left;
    _Atomic uint64_t ahead_ns; /* the most that any needs */
    _Atomic uint64_t go_ns;
    _Atomic int64_t first_to_leave;
    atomic_bool failed;
    struct bqueue *over; /* closed when all have left */
    atomic_bool *has_left;
};

struct together *together_new(size_t runs, const struct clock *clock)
{
    struct together *t = xcalloc(1, sizeof(*t));

    CHECK(runs > 0);
    t->clock = clock;
    t->runs = runs;
    atomic_init(&t->keepers, 1);
    atomic_init(&t->first_to_leave, -1);
    t->over = bqueue_new(1, sizeof(int));
    t->has_left = xcalloc(runs, sizeof(*t->has_left));
    return t;
}

struct together *together_keep(struct together *t)
{
    if (t)
        (void)atomic_fetch_add(&t->keepers, 1);
    return t;
}

void together_free(struct together *t)
{
    if (!t || atomic_fetch_sub(&t->keepers, 1) > 1)
        return;
    bqueue_free(t->over);
    free(t->has_left);
    free(t);
}

void together_ready(struct together *t, uint64_t ahead_ns)
{
    uint64_t most = atomic_load(&t->ahead_ns);

    while (ahead_ns > most && !atomic_compare_exchange_weak(&t->ahead_ns, &most, ahead_ns))
        ;
    if (atomic_fetch_add(&t->ready, 1) + 1 == t->runs)
        atomic_store(&t->go_ns, clock_now_ns(t->clock) + atomic_load(&t->ahead_ns));
}

uint64_t together_go_ns(const struct together *t)
{
    return atomic_load(&t->go_ns);
}

bool together_failed(const struct together *t)
{
    return atomic_load(&t->failed);
}

void together_leave(struct together *t, size_t i)
{
    int64_t nobody = -1;

    CHECK(i < t->runs);
    if (atomic_exchange(&t->has_left[i], true))
        return;
    (void)atomic_compare_exchange_strong(&t->first_to_leave, &nobody, (int64_t)i);
    if (together_go_ns(t) == 0)
        atomic_store(&t->failed, true);
    if (atomic_fetch_add(&t->left, 1) + 1 == t->runs)
        bqueue_close(t->over);
}

void together_wait(struct together *t)
{
    int nothing = 0;

    while (!bqueue_closed(t->over))
        (void)!bqueue_pop(t->over, &nothing, NS_PER_S);
}

int64_t together_first_to_leave(const struct together *t)
{
    return atomic_load(&t->first_to_leave);
}
