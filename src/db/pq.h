/*
 * The PostgreSQL backend (libpq): connection in pq.c, batches in pq_batch.c, COPY in pq_copy.c.
 * Only these files and the registry include this header.
 */
#ifndef DB_PQ_H
#define DB_PQ_H

#include <libpq-fe.h>
#include <pthread.h>
#include <stdatomic.h>

#include "db/session.h"

extern const struct db_ops pq_ops;

enum pq_state {
    PQ_NEW,        /* made; no connection asked for yet */
    PQ_CONNECTING, /* PQconnectStart done; waits for PQconnectPoll's socket */
    PQ_PREPARING,  /* connected; the prepares are sent as one pipeline; waits for their replies */
    PQ_IDLE,       /* takes a batch or a COPY */
    PQ_BUSY,       /* a batch is sent; waits for its replies */
    PQ_COPYING,    /* between bulk_begin and bulk_end */
    PQ_DEAD,       /* the connection is of no more use; only close */
};

/* Shared with whoever cancels just now: a cancellation may outlast the session. */
struct pq_canceller {
    PGcancel *handle;
    atomic_int users; /* freed by the last one */
};

/* A COPY under way; the buffer stays for the next one. */
struct pq_copy {
    bool binary;
    uint8_t n_columns;
    size_t row_max; /* bytes a row needs at most: checked once, not per value */
    const struct table *table;
    char *buf;
    size_t len;
    size_t cap;
};

/*
 * Invariant: the connection is non-blocking once it is up; result[0..n_parts) are ours until the
 * next submit; `canceller` is touched only under cancel_lock.
 */
struct session {
    const struct db_ops *ops; /* first */
    PGconn *conn;
    enum pq_state state;
    bool pipeline; /* the batch under way has more than one part */
    bool failed;   /* a part has failed: err is filled */
    uint16_t n_parts;
    uint16_t part;          /* the one whose replies come now */
    uint64_t idle_since_ns; /* when the last batch ended */
    struct db_config cfg;
    const struct stmt **prepared; /* by stmt->id; NULL: not prepared here */
    uint32_t n_prepared;
    PGresult *result[BATCH_MAX];
    struct cell *cells; /* of all results, in order */
    size_t cells_cap;
    char *args; /* encoded parameters of the part being sent */
    size_t args_cap;
    pthread_mutex_t cancel_lock;
    struct pq_canceller *canceller; /* NULL until connected */
    struct pq_copy copy;
    struct err err;
};

/* Fills s->err from a failed result (may be NULL), PQstatus first; marks a lost one PQ_DEAD. */
void pq_fail(struct session *s, const PGresult *res, const char *doing);

/* The same without a result, and the connection is of no more use; DB_FAILED. */
unsigned pq_fail_dead(struct session *s, const char *doing);

/* pq_batch.c. What the owner is to wait for: bytes that are pending want the socket writable too.
 */
unsigned pq_flush_wants(struct session *s);
void pq_stmt_types(const struct stmt *stmt, Oid types[STMT_PARAMS_MAX]);
void pq_clear_results(struct session *s);
/* Flushes, reads, collects. DB_READY or DB_FAILED at the end of the batch, or of the prepares. */
unsigned pq_pump(struct session *s);
unsigned pq_submit(struct session *s, const struct batch *b);
unsigned pq_advance(struct session *s, struct rows *replies);

/* pq_copy.c */
int pq_bulk_begin(struct session *s, const struct table *t, const struct bulk_opts *opts,
                  struct err *err);
int pq_bulk_put(struct session *s, const struct value *row, struct err *err);
int pq_bulk_end(struct session *s, int64_t *rows, struct err *err);

#endif
