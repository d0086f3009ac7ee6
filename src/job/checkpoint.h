/*
 * Makes the server's timed checkpoints fall so that one starts with the sample: the server counts
 * checkpoint_timeout from the start of the last one, so one checkpoint asked for early in the
 * precondition, a whole number of time-outs before the sample, sets the beat. A thread of its own,
 * since CHECKPOINT takes as long as the drive needs.
 */
#ifndef JOB_CHECKPOINT_H
#define JOB_CHECKPOINT_H

#include "job/target.h"

struct checkpointer;

/* Connects; the checkpoint is asked for at its time after checkpointer_go(). */
struct checkpointer *checkpointer_new(const struct target *t, const struct plan *plan,
                                      struct err *err);
/* Main thread, once, as the run's clock starts: when that was, on the target's clock. The thread
 * then waits by itself: intervals may be of a minute. NULL is harmless. */
void checkpointer_go(struct checkpointer *c, uint64_t go_ns);
/* Waits for a checkpoint under way, at most 10 s after cancelling it. NULL is harmless. */
void checkpointer_free(struct checkpointer *c);

/* Where the beat is set: ns after GO, in 0 .. checkpoint_timeout. */
uint64_t checkpointer_offset_ns(uint64_t precondition_ns, uint64_t checkpoint_timeout_ns);
/* How long the thread is to wait until its next look, ns; 0: it is time. go_ns 0: not yet known. */
uint64_t checkpointer_wait_ns(uint64_t go_ns, uint64_t offset_ns, uint64_t now_ns);

#endif
