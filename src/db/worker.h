/*
 * A connection of a blocking driver behind the asynchronous face of db/session.h: one thread per
 * connection makes its calls, and nobody else but cancel ever enters the driver for it. The owner
 * gives one order at a time and waits for a descriptor, so an event loop treats such a session as
 * it treats libpq's: who is due first gets the next free connection, and due, sent and done mean
 * the same.
 *
 * A driver may hang for ever. Then the owner cuts the worker off: it is told that the connection is
 * dead and goes on, and the thread, should it ever come back, closes what it holds and frees it. So
 * an order is copied, and nothing of the owner's is looked at from the thread.
 */
#ifndef DB_WORKER_H
#define DB_WORKER_H

#include "db/session.h"

/* One statement of an order, all of it the worker's own copy. */
struct worker_part {
    int prepared; /* its index in db_config.prepare, -1: run from the text */
    struct stmt stmt;
    struct value args[STMT_PARAMS_MAX];
};

struct worker_order {
    uint8_t n;
    struct worker_part part[BATCH_MAX];
};

/* What a driver does, on the worker's thread but for cancel. */
struct worker_ops {
    int (*open)(void *conn, struct err *err);
    /* Runs the parts one after the other up to the first that fails. */
    int (*run)(void *conn, const struct worker_order *order, struct rows *replies, struct err *err);
    /* Does what the owner has put into the connection while no order was under way; or NULL. */
    int (*bulk)(void *conn, struct rows *replies, struct err *err);
    bool (*alive)(void *conn); /* asked after a failure */
    /* From any thread, while an order is under way; asks only. It may not come back for long. */
    void (*cancel)(void *conn);
    void (*close)(void *conn); /* disconnects and frees, when nobody is inside any more */
};

struct worker;

/* Starts the thread; takes conn over in any case. cfg is read during the call only. */
struct worker *worker_new(const struct worker_ops *ops, void *conn, const struct db_config *cfg,
                          struct err *err);

/* The calls of struct db_ops. */
unsigned worker_open(struct worker *w);
unsigned worker_submit(struct worker *w, const struct batch *b);
/* Orders ops->bulk, and is answered as a batch is. */
unsigned worker_bulk(struct worker *w);
unsigned worker_advance(struct worker *w, struct rows *replies);
int worker_wait_fd(const struct worker *w);
void worker_cancel(struct worker *w);
/* What is under way is given up: the next advance fails, and the connection is dead. */
void worker_cut(struct worker *w);
/* CPU time of the thread so far: what the driver's calls cost. */
uint64_t worker_cpu_ns(const struct worker *w);
const struct err *worker_error(const struct worker *w);
bool worker_alive(const struct worker *w);
/* Has the thread say goodbye to the driver; only free comes after it. */
void worker_leave(struct worker *w);
/* Leaves, and waits for the goodbye until a second after it was begun, of a lost connection 20 ms;
 * a thread that is inside the driver is left there. */
void worker_free(struct worker *w);

#endif
