/*
 * The one place that turns a failed step into what it means for the run. SQLSTATE tells where it
 * can; where a database answers with one that says nothing ("HY000") its own code does, from the
 * tables here.
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

/* MariaDB and MySQL, by their lists of server errors. A lock time-out rolls back the statement
 * alone: what the transaction did stays until its ROLLBACK. */
static bool mariadb_code(int32_t native, enum fault *out)
{
    switch (native) {
    case 1205: /* lock wait time-out */
    case 1213: /* deadlock; the transaction is rolled back */
    case 1020: /* the row has changed since it was read (snapshot isolation) */
        *out = FAULT_RETRY;
        return true;
    case 1317: /* KILL QUERY */
    case 1969: /* max_statement_time of MariaDB */
    case 3024: /* max_execution_time of MySQL */
        *out = FAULT_TIMEOUT;
        return true;
    case 1053: /* shutdown in progress */
    case 1927: /* KILL CONNECTION */
    case 2006: /* gone away */
    case 2013: /* lost during a query */
    case 4031: /* MySQL: idle for too long */
        *out = FAULT_LOST;
        return true;
    default:
        return false;
    }
}

static bool sqlserver_code(int32_t native, enum fault *out)
{
    switch (native) {
    case 1205:  /* deadlock; the transaction is rolled back */
    case 1222:  /* lock_timeout; the transaction stands */
    case 3960:  /* update conflict under snapshot isolation */
    case 50001: /* schema/sqlserver's own: no lock for a Delivery; it was rolled back */
        *out = FAULT_RETRY;
        return true;
    case 596:   /* the session is in the kill state */
    case 6005:  /* shutdown in progress */
    case 20003: /* FreeTDS: time-out, after which the connection is of no use */
    case 20004: /* FreeTDS: read from the server failed */
    case 20006: /* FreeTDS: write to the server failed */
        *out = FAULT_LOST;
        return true;
    default:
        return false;
    }
}

static bool native_code(const struct err *err, enum fault *out)
{
    switch ((enum err_owner)err->owner) {
    case ERR_OWNER_NONE:
        return false;
    case ERR_OWNER_MARIADB:
        return mariadb_code(err->native, out);
    case ERR_OWNER_SQLSERVER:
        return sqlserver_code(err->native, out);
    }
    UNREACHABLE();
}

enum fault fault_classify(const struct err *err, bool alive, bool commits_sent)
{
    enum fault native = FAULT_FATAL;

    if (!alive || says_lost(err))
        return commits_sent ? FAULT_IN_DOUBT : FAULT_LOST;
    if (native_code(err, &native))
        return native == FAULT_LOST && commits_sent ? FAULT_IN_DOUBT : native;
    /* 55P03: PostgreSQL's lock_timeout, where the server has one. */
    if (has_state(err, "40001") || has_state(err, "40P01") || has_state(err, "55P03"))
        return FAULT_RETRY;
    /* HY008: cancelled; HYT00: the statement's time-out. */
    if (has_state(err, "57014") || has_state(err, "HY008") || has_state(err, "HYT00"))
        return FAULT_TIMEOUT;
    return FAULT_FATAL;
}

bool fault_may_be_committed(const struct err *err)
{
    return !has_state(err, "57014");
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
