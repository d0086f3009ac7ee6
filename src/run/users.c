/*
 * Users: dealing, waiting, homes, rounds and the queue. See the header; loop thread only.
 */
#include "run/users.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/rng.h"
#include "base/xalloc.h"
#include "tpcc/purpose.h"

#define USERS_A_WAREHOUSE 10u /* 4.2.2 */
#define BEGIN_TRIES 1000 /* for a remaining cycle; one in seven is taken at the standard's pace */

static uint64_t draw(const struct users *u, uint64_t purpose, uint32_t id, uint64_t n)
{
    return rng_key(rng_key(rng_key(u->plan->rules.seed, purpose), id), n);
}

/* users of the plan; without pace 10 for each warehouse. */
static uint32_t count(const struct plan *plan)
{
    if (plan->pace.kind == PACE_NONE)
        return (uint32_t)plan->dataset.warehouses * USERS_A_WAREHOUSE;
    return (uint32_t)plan->users;
}

void users_init(struct users *u, const struct plan *plan)
{
    *u = (struct users){.plan = plan, .n = count(plan)};
    CHECK(u->n > 0);
    u->at = xcalloc(u->n, sizeof(*u->at));
    for (uint32_t id = 0; id < u->n; id++)
        deck_fill(&u->at[id].deck, plan->mix);
    if (plan->pace.kind != PACE_NONE)
        return;
    u->round = xcalloc(u->n, sizeof(*u->round));
    for (uint32_t id = 0; id < u->n; id++)
        u->round[id] = id;
}

void users_release(struct users *u)
{
    free(u->at);
    free(u->round);
    u->at = NULL;
    u->round = NULL;
}

static void deal(struct users *u, uint32_t id)
{
    struct user *user = &u->at[id];

    user->type = (uint8_t)deck_draw(&user->deck, u->plan->mix, draw(u, PURPOSE_DEAL, id, user->n));
    user->n++;
}

uint64_t users_deal_ns(struct users *u, uint32_t id)
{
    struct user *user = &u->at[id];
    const enum txn_type last = (enum txn_type)user->type;

    deal(u, id);
    return pace_wait_ns(&u->plan->pace, last, (enum txn_type)user->type,
                        draw(u, PURPOSE_WAIT, id, user->n));
}

/* Tries one cycle that the user might be in: its last and next type and its length. */
static uint64_t try_cycle(struct users *u, struct rng *r, struct user *user)
{
    struct deck any;
    enum txn_type last;

    deck_fill(&any, u->plan->mix);
    last = deck_draw(&any, u->plan->mix, rng_next(r));
    deck_fill(&user->deck, u->plan->mix);
    user->type = (uint8_t)deck_draw(&user->deck, u->plan->mix, rng_next(r));
    return pace_wait_ns(&u->plan->pace, last, (enum txn_type)user->type, rng_next(r));
}

/* A moment drawn at random falls into a cycle with a chance in proportion to its length, and
 * anywhere in it: cycles are tried and taken with that chance. */
uint64_t users_begin_ns(struct users *u, uint32_t id)
{
    struct user *user = &u->at[id];
    struct rng r = rng_at(draw(u, PURPOSE_BEGIN, id, 0));
    const double longest_ns = (double)pace_longest_ns(&u->plan->pace);
    const double start_ns = rng_unit(&r) * (double)u->plan->ramp_ns;
    double cycle_ns = 0;

    CHECK(user->n == 0);
    for (int i = 0; i < BEGIN_TRIES; i++) {
        cycle_ns = (double)try_cycle(u, &r, user);
        if (cycle_ns >= rng_unit(&r) * longest_ns)
            break;
    }
    user->n = 1;
    return (uint64_t)(start_ns + cycle_ns * rng_unit(&r));
}

uint32_t users_started(const struct users *u, uint64_t since_go_ns)
{
    const uint64_t ramp_ns = u->plan->ramp_ns;

    if (since_go_ns >= ramp_ns)
        return u->n;
    return (uint32_t)((double)u->n * (double)since_go_ns / (double)ramp_ns);
}

struct home users_home(const struct users *u, uint32_t id, uint32_t n)
{
    const uint32_t warehouses = (uint32_t)u->plan->dataset.warehouses;
    struct rng r;

    if (!u->plan->home_drawn)
        return (struct home){
            .w_id = (int32_t)(id % warehouses) + 1,
            .d_id = (int32_t)(id / warehouses % TPCC_DISTRICTS) + 1,
        };
    r = rng_at(draw(u, PURPOSE_HOME, id, n));
    return (struct home){
        .w_id = (int32_t)rng_uniform(&r, 1, u->plan->dataset.warehouses),
        .d_id = (int32_t)rng_uniform(&r, 1, TPCC_DISTRICTS),
    };
}

/* Fisher and Yates, one step a call: the order of a round is drawn while it is used. */
uint32_t users_next_of_round(struct users *u)
{
    struct rng r = rng_at(draw(u, PURPOSE_ROUND, u->round_taken, u->rounds));
    const uint32_t i = (uint32_t)rng_uniform(&r, u->round_taken, (int64_t)u->n - 1);
    const uint32_t id = u->round[i];

    u->round[i] = u->round[u->round_taken];
    u->round[u->round_taken] = id;
    u->round_taken++;
    if (u->round_taken == u->n) {
        u->round_taken = 0;
        u->rounds++;
    }
    deal(u, id);
    return id;
}

void users_queue_push(struct users *u, uint32_t id)
{
    if (u->queued == 0)
        u->queue_first = id;
    else
        u->at[u->queue_last].next = id;
    u->queue_last = id;
    u->queued++;
}

uint32_t users_queue_pop(struct users *u)
{
    const uint32_t id = u->queue_first;

    CHECK(u->queued > 0);
    u->queue_first = u->at[id].next;
    u->queued--;
    return id;
}

uint64_t users_queue_oldest_ns(const struct users *u)
{
    return u->queued > 0 ? u->at[u->queue_first].due_ns : UINT64_MAX;
}
