/*
 * Questions to a server about itself while a run goes on, over a session of its own. Which of them
 * a server can answer depends on its kind, its version and our rights: that is tried out on each
 * connection. One thread at a time.
 */
#ifndef RUN_SERVER_ASK_H
#define RUN_SERVER_ASK_H

#include "base/fsroot.h"
#include "base/stop.h"
#include "db/session.h"
#include "run/server_figures.h"
#include "run/server_process.h"
#include "sql/dialect.h"

#define SERVER_TABLES_MAX 16
#define SERVER_TABLE_NAME 64

struct server_vacuum {
    char table[SERVER_TABLE_NAME];
    int64_t ended; /* since its creation */
    bool runs;
};

/* Counters at one moment. */
struct server_counts {
    bool has[SERVER_COUNTERS];
    int64_t count[SERVER_COUNTERS];
    uint32_t n_vacuums;
    struct server_vacuum vacuum[SERVER_TABLES_MAX];
    struct server_use use;
};

struct server_ask_opts {
    const struct db_ops *ops;
    const struct db_config *db; /* of the run's sessions; its strings are copied or outlive it */
    const struct dialect *dialect;
    const struct fsroot *root; /* where processes are looked for */
    bool local;                /* the server runs on this machine, by its address */
};

struct server_ask;

/* Connects and finds out what can be asked. NULL and err where not even the sessions can be. */
struct server_ask *server_ask_new(const struct server_ask_opts *opts, struct err *err);
/* After a loss: another connection, and what can be asked is found out anew. server_ask_facts() are
 * then those of the server that answers now. -1: none within within_ns (0: 60 s). */
int server_ask_connect(struct server_ask *a, uint64_t within_ns, struct err *err) MUST_CHECK;
void server_ask_free(struct server_ask *a);
const struct server_facts *server_ask_facts(const struct server_ask *a);
/* What can't be asked, in words: "pg_control_checkpoint() (permission denied)"; NULL: all can. */
const char *server_ask_missing(const struct server_ask *a);

/* Both: -1 where there was no answer within 5 s; server_ask_alive() tells if another try makes
 * sense. Adds to the looks and to what was seen. */
int server_ask_sessions(struct server_ask *a, struct server_delta *seen,
                        struct err *err) MUST_CHECK;
int server_ask_counts(struct server_ask *a, struct server_counts *out, struct err *err) MUST_CHECK;
bool server_ask_alive(const struct server_ask *a);
/* CPU time that its session takes in a thread of its own (a blocking driver's), so far. */
uint64_t server_ask_thread_cpu_ns(const struct server_ask *a);

#endif
