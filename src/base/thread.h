/*
 * Threads with a name (seen in top and gdb) and, where wanted, a small stack. Failing to start one
 * is an error of the world.
 */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct thread {
    pthread_t id;
    bool started;
};

int thread_start(struct thread *t, const char *name, void *(*fn)(void *), void *ctx,
                 struct err *err) MUST_CHECK;
/* Waits for its end; harmless where it was not started. */
void thread_join(struct thread *t);
/* Waits at most timeout_ns; false where it still runs (t stays started). */
bool thread_join_timed(struct thread *t, uint64_t timeout_ns) MUST_CHECK;
/* Asks the kernel to run the calling thread before all ordinary ones (SCHED_RR, least priority) and
 * to wake it at its time, not up to 50 us later: a loop that waits for the end of a server's time
 * slice is late by milliseconds. For threads that mostly sleep. False where this user may not; then
 * nothing has changed but the timers. */
bool thread_prefer(void);
/* CPU time of the calling thread and of the process, ns. */
uint64_t thread_cpu_ns(void);
uint64_t process_cpu_ns(void);
/* Of a thread that was started and not joined yet; 0: it has ended. */
uint64_t thread_cpu_ns_of(const struct thread *t);
/* Resident set of this process, bytes: its peak since the start (what ran in this process before
 * its program was loaded counts too), and now (0: not known). */
uint64_t process_rss_peak_bytes(void);
uint64_t process_rss_bytes(void);

#endif
