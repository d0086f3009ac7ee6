/*
 * The canceller thread. It owns nothing: sessions belong to the loop, which waits for the counter.
 */
#include "run/canceller.h"

#include <stdlib.h>

#include "base/bqueue.h"
#include "base/clock.h"
#include "base/thread.h"
#include "base/xalloc.h"

struct cancel_request {
    struct session *session;
    atomic_int *open;
};

struct canceller {
    struct bqueue *requests; /* NULL where there is no thread */
    struct thread thread;
};

static void *cancel_all(void *ctx)
{
    struct canceller *c = ctx;
    struct cancel_request r;

    while (!bqueue_closed(c->requests) || bqueue_count(c->requests) > 0) {
        if (!bqueue_pop(c->requests, &r, NS_PER_S))
            continue;
        session_cancel(r.session);
        atomic_fetch_sub(r.open, 1);
    }
    return NULL;
}

struct canceller *canceller_new(uint32_t capacity, bool threaded, struct err *err)
{
    struct canceller *c = xcalloc(1, sizeof(*c));

    if (!threaded)
        return c;
    c->requests = bqueue_new(capacity, sizeof(struct cancel_request));
    if (thread_start(&c->thread, "canceller", cancel_all, c, err) < 0) {
        bqueue_free(c->requests);
        free(c);
        return NULL;
    }
    return c;
}

bool canceller_ask(struct canceller *c, struct session *session, atomic_int *open)
{
    const struct cancel_request r = {.session = session, .open = open};

    if (!c->requests) {
        session_cancel(session);
        return true;
    }
    atomic_fetch_add(open, 1);
    if (bqueue_try_push(c->requests, &r))
        return true;
    atomic_fetch_sub(open, 1);
    return false;
}

bool canceller_free(struct canceller *c, uint64_t timeout_ns)
{
    if (!c)
        return true;
    if (c->requests) {
        bqueue_close(c->requests);
        if (!thread_join_timed(&c->thread, timeout_ns))
            return false;
        bqueue_free(c->requests);
    }
    free(c);
    return true;
}
