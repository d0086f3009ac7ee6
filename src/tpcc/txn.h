/*
 * Transactions without I/O: a resumable step machine that is given the rows of its last batch and
 * answers with the next batch or with its outcome. One struct txn per session. In procedure mode
 * each of the five is one batch of one part that commits. A planned rollback (2.4.1.4) answers
 * TXN_ROLLED_BACK with its outputs read.
 */
#ifndef TPCC_TXN_H
#define TPCC_TXN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "sql/batch.h"
#include "sql/dialect.h"
#include "sql/rows.h"
#include "tpcc/input.h"

enum txn_next {
    TXN_SEND,
    TXN_COMMITTED,
    TXN_ROLLED_BACK,
    TXN_BAD_REPLY, /* the database answered something the transaction can't have: failed */
};

/* What the database did, for the input audit (5.5.1.5) and the order counts: read from replies. */
struct txn_facts {
    int32_t o_id;         /* New-Order: the order's number, also of a rolled-back one */
    int32_t lines;        /* New-Order: lines processed, also of a rolled-back one */
    int32_t remote_lines; /* New-Order: stock rows of another warehouse touched */
    int64_t total_cents;  /* New-Order: total-amount (2.4.2.2), rounded */
    bool by_name_found;   /* Payment, Order-Status: looked up by name, a row of it was found */
    bool by_name;         /* ... looked up by name at all */
    bool remote_customer; /* Payment: the customer row changed is of another warehouse */
    int32_t delivered;    /* Delivery: districts delivered */
    int32_t skipped;      /* Delivery: districts without an order */
    int32_t low_stock;    /* Stock-Level: the count */
};

/* The two ways of running them: one call of a procedure, or statements sent by us, several in a
 * batch where no reply is needed before the next one. Both leave the same database. */
enum txn_way { TXN_PROCEDURES, TXN_STATEMENTS };

/* What the statements way sends, blocks of the dialect; see schema/postgresql/statements.sql. */
enum txn_part {
    PART_BEGIN,
    PART_COMMIT,
    PART_ROLLBACK,
    PART_NAMES,
    PART_NO_HEAD,
    PART_NO_DISTRICT,
    PART_NO_NEXT,
    PART_NO_ORDER,
    PART_NO_NEW_ORDER,
    PART_NO_LINES,
    PART_NO_STOCK,
    PART_NO_ORDER_LINES,
    PART_PAY_CUSTOMER,
    PART_PAY_TOLD,
    PART_PAY_DISTRICT,
    PART_PAY_WAREHOUSE,
    PART_PAY_HISTORY,
    PART_PAY_PLACES,
    PART_OS_LINES,
    PART_DL_LOCK,
    PART_DL_OLDEST,
    PART_DL_NEW_ORDERS,
    PART_DL_ORDERS,
    PART_DL_LINES,
    PART_DL_CUSTOMERS,
    PART_SL_COUNT,
    TXN_PARTS
};

/* The statements of the five, found in a dialect; immutable, shared by all sessions. A session
 * prepares all of `prepare` on opening and is opened with `options` (db_config). */
struct txn_statements {
    enum txn_way way;
    const struct stmt *call[TXN_TYPES]; /* TXN_PROCEDURES */
    const struct stmt *part[TXN_PARTS]; /* TXN_STATEMENTS */
    const struct stmt *prepare[TXN_PARTS];
    uint16_t n_prepare;
    const char *options; /* block "session_options": "-c name=value ..."; NULL: there is none */
};
int txn_statements_find(struct txn_statements *st, const struct dialect *d, enum txn_way way,
                        struct err *err) MUST_CHECK;
const char *txn_way_name(enum txn_way way); /* "procedures", "statements" */
/* Batches sent for one transaction of that type, or the statements in them: what it costs in round
 * trips through a backend that can put several into one, and through one that can't. By name, as
 * most are. */
int txn_round_trips(enum txn_way way, enum txn_type type, bool pipelined);

#define TXN_ARGS_MAX 40 /* of all statements of a batch */
#define TXN_TOLD_MAX 1536

/* How many rows a statement changes; most 0: none, or that is of no interest. */
struct txn_changes {
    uint8_t least, most;
};

struct txn {
    const struct txn_statements *statements;
    struct txn_input input;
    struct txn_facts facts;
    uint8_t step; /* 0: nothing sent yet */
    struct value args[TXN_ARGS_MAX];
    /* New-Order's lines in the order in which stock is locked, and their numbers from 1. */
    int32_t numbers[TPCC_LINES_MAX], i_ids[TPCC_LINES_MAX];
    int32_t supply_w_ids[TPCC_LINES_MAX], quantities[TPCC_LINES_MAX];
    /* The statements way. */
    uint8_t n_args;                        /* of the batch being made */
    struct txn_changes changes[BATCH_MAX]; /* of its parts */
    bool open;       /* a transaction was begun and its end not yet heard of: rolled back first */
    int32_t c_id;    /* Payment, Order-Status: whom it is about */
    uint8_t n_stock; /* New-Order: distinct stock rows, and what becomes of each */
    int32_t stock[6][TPCC_LINES_MAX];
    int32_t districts[TPCC_DISTRICTS], orders[TPCC_DISTRICTS]; /* Delivery */
    char told[TXN_TOLD_MAX]; /* a reply put together as a procedure gives it */
    struct err bad;          /* why TXN_BAD_REPLY */
};

void txn_init(struct txn *t, const struct txn_statements *statements);
/* Takes a copy of the input. */
void txn_start(struct txn *t, const struct txn_input *in);
/* The first call after txn_start or txn_restart has replies == NULL. */
enum txn_next txn_step(struct txn *t, const struct rows *replies, struct batch *next);
/* The same input again, from the beginning. */
void txn_restart(struct txn *t);

#endif
