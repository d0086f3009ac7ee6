/*
 * What the files of the loop share: exec_async.c (phases, hand-over), exec_sessions.c (opening,
 * warming, losing and closing sessions), exec_txn.c (a transaction from due to done) and
 * exec_record.c (what is written down of it). Nobody else includes it. All of it belongs to the
 * loop thread.
 */
#ifndef RUN_EXEC_H
#define RUN_EXEC_H

#include <stdatomic.h>

#include "base/loop.h"
#include "base/thread.h"
#include "run/canceller.h"
#include "run/exec_async.h"
#include "run/users.h"

#define OPEN_GAP_NS (5 * NS_PER_MS)       /* 200 connections a second at most ... */
#define OPEN_AT_ONCE 8                    /* ... and so many under way */
#define OPEN_TIMEOUT_NS (30 * NS_PER_S)   /* for one, with its warming */
#define REOPEN_FIRST_NS (100 * NS_PER_MS) /* after a failure; doubles up to ... */
#define REOPEN_MOST_NS (5 * NS_PER_S)
#define CANCEL_GRACE_NS (5 * NS_PER_S) /* from a cancellation until a session is given up */
#define GONE_NS (60 * NS_PER_S)        /* without a session alive the run ends */
#define TICK_NS (100 * NS_PER_MS)      /* how often bounds and requests to stop are looked at */
#define DOUBTS_MAX 65536u
#define RECORDERS 16u
#define WARM_TRANSACTIONS 3

enum slot_state {
    SLOT_EMPTY,      /* no session; its timer opens one */
    SLOT_OPENING,    /* session_open() under way; READY leads to warming or to FREE */
    SLOT_WARMING,    /* connected; runs the warm-up transactions, before GO only */
    SLOT_FREE,       /* on the stack of free slots */
    SLOT_BUSY,       /* a batch of its transaction is under way; bounded by deadline_ns */
    SLOT_PAUSING,    /* holds a transaction between two attempts; its timer goes on */
    SLOT_CANCELLING, /* as BUSY, but was cancelled; given up at deadline_ns */
    SLOT_RESTING,    /* without pace, after a failure, lest a broken database is hammered; timer */
    SLOT_LEAVING,    /* given up, but the canceller still holds it; closed when that is over */
};

/* A place for a session, with the transaction that it carries. */
struct slot {
    struct session *session; /* NULL in EMPTY */
    enum slot_state state;
    uint8_t row;     /* enum txn_type, or TXN_DELIVERY_DEFERRED */
    uint8_t attempt; /* 1: the first */
    uint8_t warm_step;
    bool commits_sent; /* since then a lost session leaves doubt */
    bool recorded;     /* the drain cut it: its time is in the histograms already */
    bool ends_session; /* its session is of no use any more */
    bool alive;        /* counted in n_alive */
    uint32_t failures; /* to open, in a row */
    uint32_t user;
    uint32_t number; /* the user's transaction number */
    uint64_t due_ns;
    uint64_t sent_ns;
    uint64_t deadline_ns;
    int fd;             /* watched, -1 where none */
    unsigned events;    /* watched for */
    atomic_int cancels; /* under way in the canceller */
    struct txn txn;
};

/* A Delivery queued for its deferred execution (2.7.2). */
struct queued_delivery {
    uint64_t queued_ns;
    uint32_t user;
    uint32_t number;
};

struct delivery_queue {
    struct queued_delivery *at; /* a ring */
    uint32_t cap;
    uint32_t first;
    uint32_t n;
    uint32_t running; /* sessions that execute one */
};

/* What the loop reads is its own: where it hangs in a driver it outlives its caller. */
struct exec_kept {
    struct run_env env;
    struct plan plan;
    struct txn_statements statements;
};

struct exec {
    struct exec_kept kept;
    const struct run_env *env; /* kept.env */
    const struct plan *plan;   /* kept.plan */
    const struct clock *clock;
    struct loop *loop;
    struct thread thread;
    struct canceller *canceller;
    struct bqueue *messages;
    struct bqueue *empty; /* recorders on their way back from main */
    struct db_config db;

    struct users users;
    struct slot *slot;
    uint32_t n_slots;
    uint32_t *free_slots; /* a stack: the last one used is taken first */
    uint32_t n_free;
    uint32_t n_opening;
    uint32_t n_alive;
    uint32_t n_carrying; /* slots with a transaction */
    uint32_t n_overdue;  /* users due in the past whose timers are about to fire */
    uint64_t next_open_ns;
    struct delivery_queue deliveries;

    atomic_bool leave;             /* set by main: end at once */
    _Atomic uint64_t sample_at_ns; /* set by main: the sample begins then; 0: as planned */
    bool ready;                    /* those that it begins with were told */
    bool going;                    /* GO was given */
    bool ended;                    /* END was sent */
    enum exec_end end;             /* why the run ends, once it does */
    struct windows windows;
    uint64_t drain_end_ns;
    uint64_t cut_ns;        /* after the drain's bound: when sessions are abandoned; 0: not yet */
    uint64_t gone_since_ns; /* no session alive since; 0: there is one */
    uint64_t next_edge_ns;
    uint64_t slice_start_ns;
    uint64_t slices_merged;
    struct recorder *rec;
    struct recorder *spare[RECORDERS]; /* a stack, so that few are ever touched */
    uint32_t n_spare;
    struct counters totals; /* up to the slice under way */

    uint64_t mono_base_ns; /* the two readings that label the axis */
    int64_t real_base_us;
    int64_t last_stamp_us;

    struct errtable errors;
    struct outages outages;
    struct err setup_err;
    struct run_doubt *doubts;
    uint32_t n_doubts;
    uint64_t doubts_lost;
    uint32_t abandoned;
};

/* exec_async.c */
static inline uint64_t exec_now_ns(const struct exec *e)
{
    return clock_now_ns(e->clock);
}
/* Hands over every slice that ends at or before now. Call it before writing anything down. */
void exec_cut(struct exec *e, uint64_t now_ns);
/* The run can't begin. */
void exec_fail_setup(struct exec *e, const struct err *err);
int64_t exec_stamp_us(struct exec *e, uint64_t now_ns);

static inline bool exec_paced(const struct exec *e)
{
    return e->plan->pace.kind != PACE_NONE;
}
static inline bool exec_in_sample(const struct exec *e, uint64_t due_ns)
{
    return windows_in_sample(&e->windows, due_ns);
}

/* exec_record.c. Call exec_cut() before any of them. */
struct txn_times {
    uint8_t row;
    uint64_t due_ns;
    uint64_t sent_ns; /* 0: never */
    uint64_t done_ns;
};
/* It became due; from here to its end it counts as in flight. */
void record_seen(struct exec *e, uint64_t due_ns, uint64_t late_ns);
/* Into the series' interval, and into the sample's set where it was due in the sample. */
void record_times(struct exec *e, const struct txn_times *t);
/* At its age; unfinished where it was due in the sample. */
void record_unfinished(struct exec *e, const struct txn_times *t);
void record_good(struct exec *e, const struct slot *s, uint64_t done_ns, bool rolled_back);
void record_doubt(struct exec *e, const struct slot *s, uint64_t done_ns);

/* exec_sessions.c */
void sessions_begin(struct exec *e);
/* How many are open and warm, to main. */
void sessions_tell(struct exec *e);
/* The slot's timer fired, or its descriptor is ready, while it opens or warms. */
void sessions_step(struct exec *e, struct slot *s, uint64_t now_ns);
/* Waits for what a step wants. */
void sessions_wait(struct exec *e, struct slot *s, unsigned step);
/* Something came for a session that has nothing under way. */
void sessions_idle_event(struct exec *e, struct slot *s, unsigned events);
void sessions_free_push(struct exec *e, struct slot *s);
struct slot *sessions_free_pop(struct exec *e);
/* Sets the slot's timer. */
void sessions_timer(struct exec *e, const struct slot *s, uint64_t due_ns);
/* Closes the session; where the run goes on another one is opened later. */
void sessions_lose(struct exec *e, struct slot *s);
/* Bounds of opening, and what the canceller has let go. */
void sessions_tick(struct exec *e, uint64_t now_ns);
void sessions_close_all(struct exec *e);

/* exec_txn.c */
enum pump { PUMP_WAITS, PUMP_COMMITTED, PUMP_ROLLED_BACK, PUMP_BAD_REPLY, PUMP_FAILED };
/* Runs the slot's transaction from its beginning until it waits for the database or ends. */
enum pump txn_pump_begin(struct exec *e, struct slot *s);
/* Goes on with it: its descriptor is ready. */
enum pump txn_pump_advance(struct exec *e, struct slot *s);
/* A user's timer fired. */
void txn_user_due(struct exec *e, uint32_t user, uint64_t due_ns);
/* The slot's timer fired, or its descriptor is ready, while it carries a transaction. */
void txn_slot_ready(struct exec *e, struct slot *s);
/* Gives work to free sessions. */
void txn_dispatch(struct exec *e);
/* Cancels what is over its bound, gives up what does not come back. */
void txn_tick(struct exec *e, uint64_t now_ns);
/* The drain's bound: everything that is still open enters at its age; what waits has failed, what
 * runs is cancelled. */
void txn_cut_drain(struct exec *e, uint64_t now_ns);
/* Leaves what still runs: in doubt where it might commit. */
void txn_abandon_all(struct exec *e, uint64_t now_ns);
uint64_t txn_in_flight(const struct exec *e);

#endif
