/*
 * The users of a run: what each is about to do, where it is at home, when it is due next, and the
 * queue of those that are due and have no session. A user is 24 bytes and its timer 16, so that a
 * million of them fit. All random decisions are hashes of (seed, purpose, user, n): users share
 * nothing, and neither their order nor the sessions change what they do. Owned by the loop thread.
 */
#ifndef RUN_USERS_H
#define RUN_USERS_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"
#include "tpcc/deck.h"

struct user {
    uint64_t due_ns; /* of the transaction that waits or runs */
    uint32_t n;      /* transactions dealt so far; the one under way has number n - 1 */
    uint32_t next;   /* behind this one in the queue */
    struct deck deck;
    uint8_t type; /* enum txn_type of the transaction under way or to come */
};

_Static_assert(sizeof(struct user) <= 32, "a million users and their timers within 64 bytes each");

struct home {
    int32_t w_id;
    int32_t d_id;
};

struct users {
    const struct plan *plan;
    struct user *at;
    uint32_t n;
    uint32_t *round;      /* without pace: a round's order; NULL otherwise */
    uint32_t round_taken; /* of this round */
    uint64_t rounds;
    uint32_t queue_first; /* oldest due first; not looked at where queued == 0 */
    uint32_t queue_last;
    uint32_t queued;
};

/* All memory of the run's users; none is taken later. Each has a full deck and nothing dealt. */
void users_init(struct users *u, const struct plan *plan);
void users_release(struct users *u);

/* Deals the user's first transaction and says when it is due, ns after GO: the user's start, even
 * over the ramp, and from there what remains of a cycle that it would be in by chance (the residual
 * life of a renewal process). So the rate grows evenly over the ramp and stays: no wave forms. */
uint64_t users_begin_ns(struct users *u, uint32_t id);
/* Deals the next transaction; returns the wait from the end of the last one to its due time (or,
 * paced by inter-arrival, from due time to due time). */
uint64_t users_deal_ns(struct users *u, uint32_t id);
/* Users started so far, `since_go_ns` after GO. */
uint32_t users_started(const struct users *u, uint64_t since_go_ns);
/* Where transaction number n of the user happens. Users are spread over the warehouses evenly, and
 * over the districts of each (4.2.2 where there are 10 a warehouse); where there are fewer users
 * than warehouses the home is drawn anew each time. */
struct home users_home(const struct users *u, uint32_t id, uint32_t n);

/* Without pace: the next user of a shuffled round, with its transaction dealt. */
uint32_t users_next_of_round(struct users *u);

void users_queue_push(struct users *u, uint32_t id);
/* The queue must not be empty. */
uint32_t users_queue_pop(struct users *u);
/* UINT64_MAX where the queue is empty. */
uint64_t users_queue_oldest_ns(const struct users *u);

#endif
