/*
 * Cancels batches for the loop, since asking a server to cancel may block: a thread that takes
 * sessions from a queue. A session that was given to it must not be closed before its counter is
 * back at 0. On a fake clock there is no thread and the call is made at once.
 */
#ifndef RUN_CANCELLER_H
#define RUN_CANCELLER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "db/session.h"

struct canceller;

struct canceller *canceller_new(uint32_t capacity, bool threaded, struct err *err);
/* Asks for session's batch to be cancelled; *open counts up now and down when it is done. False
 * where too much waits already: ask again later. */
bool canceller_ask(struct canceller *c, struct session *session, atomic_int *open);
/* Lets what it is doing end, at most timeout_ns. False where it hangs in a driver: then it and all
 * that it holds are left behind. */
bool canceller_free(struct canceller *c, uint64_t timeout_ns);

#endif
