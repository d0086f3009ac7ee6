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

/* The statements of the five, found in a dialect; immutable, shared by all sessions. A session
 * prepares all of call[] on opening and is opened with `options` (db_config). */
struct txn_statements {
    const struct stmt *call[TXN_TYPES];
    const char *options; /* block "session_options": "-c name=value ..."; NULL: there is none */
};
int txn_statements_find(struct txn_statements *st, const struct dialect *d,
                        struct err *err) MUST_CHECK;

#define TXN_ARGS_MAX 12

struct txn {
    const struct txn_statements *statements;
    struct txn_input input;
    struct txn_facts facts;
    uint8_t step; /* 0: nothing sent yet */
    struct value args[TXN_ARGS_MAX];
    /* New-Order's lines in the order in which stock is locked, and their numbers from 1. */
    int32_t numbers[TPCC_LINES_MAX], i_ids[TPCC_LINES_MAX];
    int32_t supply_w_ids[TPCC_LINES_MAX], quantities[TPCC_LINES_MAX];
    struct err bad; /* why TXN_BAD_REPLY */
};

void txn_init(struct txn *t, const struct txn_statements *statements);
/* Takes a copy of the input. */
void txn_start(struct txn *t, const struct txn_input *in);
/* The first call after txn_start or txn_restart has replies == NULL. */
enum txn_next txn_step(struct txn *t, const struct rows *replies, struct batch *next);
/* The same input again, from the beginning. */
void txn_restart(struct txn *t);

#endif
