/*
 * The one place that turns a failed step into what it means for the run. PostgreSQL's SQLSTATEs
 * tell all that is needed; a dialect whose codes do not tells by native code in a table here.
 */
#include "db/fault.h"

#include <string.h>

static bool has_state(const struct err *err, const char *state)
{
    return strcmp(err->sqlstate, state) == 0;
}

/* 08xxx: connection exceptions; 57P01 to 57P03: shutdown, crash of another, starting up. */
static bool says_lost(const struct err *err)
{
    return strncmp(err->sqlstate, "08", 2) == 0 || has_state(err, "57P01") ||
           has_state(err, "57P02") || has_state(err, "57P03");
}

enum fault fault_classify(const struct err *err, bool alive, bool commits_sent)
{
    if (!alive || says_lost(err))
        return commits_sent ? FAULT_IN_DOUBT : FAULT_LOST;
    if (has_state(err, "40001") || has_state(err, "40P01"))
        return FAULT_RETRY;
    if (has_state(err, "57014"))
        return FAULT_TIMEOUT;
    return FAULT_FATAL;
}

const char *fault_name(enum fault f)
{
    switch (f) {
    case FAULT_RETRY:
        return "retry";
    case FAULT_LOST:
        return "lost";
    case FAULT_IN_DOUBT:
        return "in_doubt";
    case FAULT_TIMEOUT:
        return "timeout";
    case FAULT_FATAL:
        return "fatal";
    }
    UNREACHABLE();
}
