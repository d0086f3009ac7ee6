/*
 * The event loop of one thread: descriptors by epoll with time-outs in ns, and timers by two heaps.
 * One handler for all timers and one for all descriptors; which it was is told by a number, so that
 * a timer costs 16 bytes and nothing else.
 *
 * Timers 0 .. plain_timers - 1 are for the many: set when not pending, never moved. Timers from
 * there on are for the few: they may be set again (which moves them) and cancelled. Both fire in
 * the order of their due times, equals in the order of setting. No memory is allocated after
 * loop_new().
 *
 * On a clock other than the machine's there are timers only: the loop looks at no descriptor and
 * moves the clock to the next timer with clock_sleep_until_ns(), so that hours take as long as
 * their work.
 */
#ifndef BASE_LOOP_H
#define BASE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"

enum loop_events { /* bits */
                   LOOP_READ = 1,
                   LOOP_WRITE = 2,
                   LOOP_HANGUP = 4, /* only told, never asked for: error or the other end is gone */
};

struct loop;

struct loop_opts {
    const struct clock *clock;
    uint32_t plain_timers;
    uint32_t movable_timers;
    void (*on_timer)(uint32_t id, uint64_t due_ns, void *ctx);
    void (*on_fd)(uint32_t id, unsigned events, void *ctx); /* may be NULL */
    void *ctx;
};

/* NULL where the kernel refuses a descriptor. loop_free() it. */
struct loop *loop_new(const struct loop_opts *opts, struct err *err);
void loop_free(struct loop *loop);

/* Arms timer id. A plain one must not be pending; a movable one that is moves. */
void loop_timer_set(struct loop *loop, uint32_t id, uint64_t due_ns);
/* Movable timers only; harmless where it is not pending. */
void loop_timer_cancel(struct loop *loop, uint32_t id);
/* Movable timers only. */
bool loop_timer_pending(const struct loop *loop, uint32_t id);
/* UINT64_MAX: none. */
uint64_t loop_next_timer_ns(const struct loop *loop);

/* Watches a descriptor for events (0: only a hang-up) under a number, or changes what for. Closing
 * it ends the watch; loop_unwatch() does so without closing. */
void loop_watch(struct loop *loop, int fd, uint32_t id, unsigned events);
void loop_unwatch(struct loop *loop, int fd);

/* One turn: waits for the first timer or descriptor, at most until until_ns, and handles what is
 * ready: a bounded number, so that neither timers nor descriptors starve the other. Nothing may be:
 * shortly before a timer a turn ends early and the next ones only look, since the kernel wakes a
 * sleeper late. */
void loop_turn(struct loop *loop, uint64_t until_ns);

#endif
