/*
 * What each of the five transactions gives to tpcc/txn.c, one file txn_<name>.c each: the arguments
 * of its call and the reading of its reply. Only these files include this header.
 */
#ifndef TPCC_TXN_KIND_H
#define TPCC_TXN_KIND_H

#include "tpcc/txn.h"

/* Fills t->args from t->input, as many as the statement has parameters. */
void txn_new_order_args(struct txn *t);
void txn_payment_args(struct txn *t);
void txn_order_status_args(struct txn *t);
void txn_delivery_args(struct txn *t);
void txn_stock_level_args(struct txn *t);

/* Reads t->facts from the reply; never answers TXN_SEND. */
enum txn_next txn_new_order_reply(struct txn *t, const struct rows_part *reply);
enum txn_next txn_payment_reply(struct txn *t, const struct rows_part *reply);
enum txn_next txn_order_status_reply(struct txn *t, const struct rows_part *reply);
enum txn_next txn_delivery_reply(struct txn *t, const struct rows_part *reply);
enum txn_next txn_stock_level_reply(struct txn *t, const struct rows_part *reply);

/* The statements way (txn_parts.c): as txn_step(). */
enum txn_next txn_parts_step(struct txn *t, const struct rows *replies, struct batch *next);
/* The block's name in a dialect, and how many parameters it must have. */
const char *txn_part_name(enum txn_part part);
uint8_t txn_part_params(enum txn_part part);

/* Helpers for them. The answer to a reply that can't be: */
enum txn_next txn_bad(struct txn *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* One row at least, with at least that many columns; false and t->bad filled otherwise. */
bool txn_reply_has(struct txn *t, const struct rows_part *reply, uint32_t rows, uint16_t columns);
int txn_i32(const struct cell *c, int32_t *out, struct err *err) MUST_CHECK;
bool txn_is_text(const struct cell *c, const char *text);

/* A reply in one text: its fields one after the other, the last one up to the end. */
struct txn_fields {
    const char *at; /* NULL: no field is left */
    const char *end;
};
struct txn_fields txn_fields_of(const struct cell *c);
/* The next field; one that is not there is a cell of SQL null. */
struct cell txn_field(struct txn_fields *f, char separator);

#endif
