/*
 * What a failed step means for the run, from PQstatus-like liveness, SQLSTATE and native code,
 * never from a message's text.
 */
#ifndef DB_FAULT_H
#define DB_FAULT_H

#include <stdbool.h>

#include "base/err.h"

enum fault {
    FAULT_RETRY,    /* deadlock, serialization, lock time-out: run the same input again */
    FAULT_LOST,     /* connection gone, nothing that commits was under way */
    FAULT_IN_DOUBT, /* connection gone after a batch with `commits` was sent */
    FAULT_TIMEOUT,  /* a statement's time-out, and our own cancellations */
    FAULT_FATAL,    /* everything else */
};

/* alive: the connection still stands; commits_sent: the batch under way ends its transaction. */
enum fault fault_classify(const struct err *err, bool alive, bool commits_sent);
/* Of a cancelled batch with `commits`, whatever else its error says: whether it may be committed
 * all the same, the cancellation having come between its commit and its reply. PostgreSQL's says
 * that it is not. */
bool fault_may_be_committed(const struct err *err);
/* "retry", "lost", "in_doubt", "timeout", "fatal". */
const char *fault_name(enum fault f);

#endif
