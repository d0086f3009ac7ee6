/*
 * The null backend: a real backend without a database, programmable in latency, stalls, faults and
 * rows. It tests the tool itself and measures the tool's own overhead. Its script is shared by all
 * sessions of a run (db_config.null_script) and may be changed while they run, by their thread.
 *
 * Time is cfg->clock's. It has no descriptor to wait for unless one is asked for with wait_fd
 * (machine's clock only); an event loop arms a timer for session_ready_at_ns() instead, which works
 * on a fake clock as well.
 */
#ifndef DB_NULL_H
#define DB_NULL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "db/session.h"
#include "sql/batch.h"
#include "sql/rows.h"

#define NULL_CELLS_MAX 64
#define NULL_TEXT_MAX 1024

/* The replies to one batch: begin every part with null_answer_part(), then its cells, row by row.
 */
struct null_answer {
    struct rows rows;
    uint32_t n_cells;
    uint32_t text_len;
    struct cell cell[NULL_CELLS_MAX];
    char text[NULL_TEXT_MAX];
};
void null_answer_part(struct null_answer *a, uint32_t n_rows, uint16_t n_columns);
void null_answer_int(struct null_answer *a, int64_t value);
void null_answer_text(struct null_answer *a, const char *text); /* NULL: SQL null */

struct null_script {
    uint64_t connect_ns;                           /* how long a connection takes */
    uint64_t service_ns;                           /* every batch's latency */
    uint64_t (*service_of)(uint64_t n, void *ctx); /* ... or this, of batch n (from 1) */
    uint64_t stall_at_ns;   /* on the clock's axis; 0: none. Batches under way or sent in ... */
    uint64_t stall_ns;      /* ... [stall_at, stall_at + stall) end no sooner than its end */
    uint64_t gone_at_ns;    /* 0: never. From here to gone_until the server is gone: ... */
    uint64_t gone_until_ns; /* ... connections are lost and refused */
    uint32_t fault_every;   /* every n-th batch fails with fault_sqlstate; 0: none */
    char fault_sqlstate[6];
    uint32_t lose_every;        /* every n-th batch loses its connection ... */
    uint32_t lose_before_send;  /* ... before it was sent (1) or after (0) */
    uint32_t fail_commit_every; /* every n-th batch that commits fails in its commit (53100) */
    uint32_t refuse_connect;    /* the n-th connection and later ones are refused; 0: none */
    uint64_t cancel_ns;         /* how long a cancellation takes, and blocks its caller */
    char cancel_sqlstate[6];    /* of a cancelled batch; "": 57014, as PostgreSQL has it */
    bool ignore_cancel;         /* a batch goes on however often it is cancelled */
    bool calm;                  /* no faults while this stands: for warming up */
    /* Replies; NULL: one empty part a statement. Called when a batch is sent. */
    void (*answer)(const struct batch *b, struct null_answer *a, void *ctx);
    void *ctx;

    /* Counted over all sessions. */
    atomic_uint_fast64_t connections, batches, commits, cancels, bulk_rows;
};

extern const struct db_ops null_ops;

#endif
