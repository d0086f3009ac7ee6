/*
 * One connection to a database, behind one table of functions per backend (db/registry.c lists
 * them all). An asynchronous backend (libpq) is pumped from an event loop and never blocks after
 * session_new; a blocking one just answers READY. A session belongs to one thread; only cancel may
 * come from another.
 */
#ifndef DB_SESSION_H
#define DB_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/stop.h"
#include "sql/batch.h"
#include "sql/dialect.h"
#include "sql/rows.h"
#include "sql/table.h"

enum db_step { /* bits */
               DB_READY = 1,
               DB_WANT_READ = 2,
               DB_WANT_WRITE = 4, /* may stand together with WANT_READ while output is pending */
               DB_FAILED = 8,     /* session_error() tells; db/fault.h classifies */
};

enum db_cap {
    DB_CAP_ASYNC = 1,
    DB_CAP_PIPELINE = 2,
    DB_CAP_COPY = 4,
};

/* What a connection needs; the strings live as long as the sessions. */
struct db_config {
    const char *conninfo;         /* the backend's own string; may hold a secret */
    const char *application_name; /* shown by the server: "tpcc-run", "tpcc-load" ... */
    const char *options;          /* settings on connecting: "-c statement_timeout=0", or NULL */
    const struct stmt *const *prepare; /* statements to prepare on opening */
    uint16_t n_prepare;
    const struct clock *clock;     /* NULL: the machine's */
    struct stop *stop;             /* ends the blocking calls; NULL: nothing does */
    int stop_at;                   /* ... once it has this level; 0: 1 */
    void *null_script;             /* the null backend's programme (db/null.h), else NULL */
    const struct dialect *dialect; /* what ODBC does otherwise (db/odbc.h); NULL: nothing */
};

/* Its clock. */
const struct clock *db_clock(const struct db_config *cfg);

/* What stands behind a session, as it calls itself. */
struct db_about {
    char dbms[64]; /* "PostgreSQL", "MariaDB" ... */
    char version[64];
    char driver[384]; /* with its version and, of ODBC, the driver manager's */
    char bulk[320];   /* how it loads rows, once it has begun to; "": in its only way */
};

/* How rows of a table are given to bulk_begin. */
struct bulk_opts {
    bool binary;        /* COPY BINARY where the backend can */
    bool freeze;        /* COPY FREEZE: the table was created or truncated in this transaction */
    const char *schema; /* where the table lies; NULL: the connection's search path tells */
};

struct session; /* opaque; begins with `const struct db_ops *ops` inside the backends */

struct db_ops {
    const char *name; /* "pq", "null" */
    unsigned caps;    /* enum db_cap */
    struct session *(*create)(const struct db_config *cfg, struct err *err);
    /* Called again whenever wait_fd is ready; READY = connected, settings set, prepared. */
    unsigned (*open)(struct session *s);
    /* FAILED: the batch was not sent and has not run. Else advance tells how it ended. */
    unsigned (*submit)(struct session *s, const struct batch *b);
    /* Called whenever wait_fd is ready. FAILED: a part failed, or the connection is lost (alive
     * tells); a session that is alive takes the next batch. replies live until submit. */
    unsigned (*advance)(struct session *s, struct rows *replies);
    int (*wait_fd)(const struct session *s); /* may change between calls while connecting */
    /* Optional, for a backend on a clock instead of a descriptor: when open or advance is to be
     * called again, ns on cfg->clock's axis. NULL: wait_fd tells. */
    uint64_t (*ready_at_ns)(const struct session *s);
    /* From any thread; asks only. May block: then it must not touch the session any more, which its
     * owner may free. */
    void (*cancel)(struct session *s);
    /* Optional: gives up what is under way, so that the next advance fails, whatever the driver is
     * at. NULL: the socket that wait_fd tells is shut down. */
    void (*cut)(struct session *s);
    /* Optional: CPU time of the session's own thread, which makes its calls. NULL: the caller's
     * does. */
    uint64_t (*thread_cpu_ns)(const struct session *s);
    /* Blocking, loader threads only. After a failure of any of the three the bulk is over; where
     * it was stopped (db_config) the kind is ERR_INTERRUPTED, and the connection may be lost. */
    int (*bulk_begin)(struct session *s, const struct table *t, const struct bulk_opts *opts,
                      struct err *err);
    int (*bulk_put)(struct session *s, const struct value *row, struct err *err);
    int (*bulk_end)(struct session *s, int64_t *rows, struct err *err);
    const struct err *(*error)(const struct session *s);
    bool (*alive)(const struct session *s);
    const struct db_about *(*about)(const struct session *s); /* optional; once it is open */
    /* As it was created; its strings may be gone. */
    const struct db_config *(*config)(const struct session *s);
    /* Optional: begins the goodbye that close would wait for; nothing but close comes after it. */
    void (*leave)(struct session *s);
    void (*close)(struct session *s); /* frees */
};

/* NULL where there is none of that name. */
const struct db_ops *db_find(const char *name);
/* Every entry has what its caps promise; called once at start-up, aborts on a bug. */
void db_registry_check(void);

/* Thin callers of the table. */
struct session *session_new(const struct db_ops *ops, const struct db_config *cfg, struct err *err);
void session_free(struct session *s); /* NULL is harmless */
/* Where many are freed, before the first of them: their goodbyes are waited for together. */
void session_leave(struct session *s);
unsigned session_open(struct session *s);
unsigned session_submit(struct session *s, const struct batch *b);
unsigned session_advance(struct session *s, struct rows *replies);
int session_wait_fd(const struct session *s);
/* Whether an event loop waits for session_ready_at_ns() instead of a descriptor. */
bool session_has_ready_at(const struct session *s);
uint64_t session_ready_at_ns(const struct session *s);
void session_cancel(struct session *s);
/* CPU time that the session's calls took outside the thread of the caller; 0: they are made in it.
 */
uint64_t session_thread_cpu_ns(const struct session *s);
const struct err *session_error(const struct session *s);
bool session_alive(const struct session *s);
unsigned session_caps(const struct session *s);
/* The clock that the session was given: what its answers and waits are measured on. */
const struct clock *session_clock(const struct session *s);
/* Of an open session; NULL where the backend does not tell. */
const struct db_about *session_about(const struct session *s);

/* The blocking calls that load, check, job and cluster use. Time is the session's own clock's; on a
 * fake one a backend that has ready_at_ns sleeps on it, so that it goes on at once. */

/* Creates a session and pumps its opening until it is READY, or within_ns (0: 60 s) have passed, or
 * cfg->stop asks for an end. NULL and err otherwise. */
struct session *session_connect(const struct db_ops *ops, const struct db_config *cfg,
                                uint64_t within_ns, struct err *err);
/* Pumps one batch to its end. `replies` and `opts` may be NULL. When within_ns have passed, or stop
 * reaches its level, the statement is cancelled and an error returned (sqlstate 57014, or kind
 * ERR_INTERRUPTED). Where the server does not answer the cancellation within 5 s the connection is
 * cut: session_alive() is false then. */
struct exec_opts {
    uint64_t within_ns; /* from the call on; 0: however long it takes */
    struct stop *stop;  /* NULL: that of the session's db_config */
    int stop_at;        /* the level that ends it; 0: 1 */
};
int session_exec(struct session *s, const struct batch *b, struct rows *replies,
                 const struct exec_opts *opts, struct err *err) MUST_CHECK;
/* What a backend has under way already, `step` being what its last call answered; as session_exec
 * with the session's own stop. */
int session_await(struct session *s, unsigned step, struct rows *replies,
                  struct err *err) MUST_CHECK;
/* SQL given as text without parameters (not prepared): DDL, SHOW, checks. Of several statements in
 * one text the replies are the last one's. */
int session_exec_text(struct session *s, const char *sql, struct rows *replies,
                      const struct exec_opts *opts, struct err *err) MUST_CHECK;

#endif
