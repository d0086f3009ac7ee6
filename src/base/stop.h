/*
 * A request to stop, set by main from its signalfd and looked at by everything long. Level 1 asks
 * for a polite end, level 2 to leave at once.
 */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include <stdatomic.h>

struct stop {
    atomic_int level;
};

static inline int stop_level(struct stop *s)
{
    return s ? atomic_load_explicit(&s->level, memory_order_relaxed) : 0;
}

static inline void stop_ask(struct stop *s)
{
    atomic_fetch_add_explicit(&s->level, 1, memory_order_relaxed);
}

#endif
