/*
 * The inputs of one transaction, drawn by clauses 2.4.1, 2.5.1, 2.6.1, 2.7.1, 2.8.1. Inputs are a
 * pure function of (run seed, user, the user's transaction number): made when the transaction is
 * sent, made again for nothing else. A retry runs the same input.
 */
#ifndef TPCC_INPUT_H
#define TPCC_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "tpcc/params.h"

struct new_order_line {
    int32_t i_id; /* TPCC_ITEMS + 1 in the last line of an order that rolls back (2.4.1.5) */
    int32_t supply_w_id;
    int32_t quantity;
};

struct new_order_input {
    int32_t c_id;
    uint8_t n_lines;
    bool rolls_back;
    uint8_t remote_lines;
    int64_t entry_us; /* O_ENTRY_D: from the driver, unique in the run */
    struct new_order_line line[TPCC_LINES_MAX];
};

struct payment_input {
    int32_t c_w_id, c_d_id;
    int32_t c_id;    /* 0: by last name */
    char c_last[20]; /* "" where by id */
    int32_t amount_cents;
    int64_t date_us; /* H_DATE: from the driver, unique in the run */
    bool remote;
};

struct order_status_input {
    int32_t c_id; /* 0: by last name */
    char c_last[20];
};

struct delivery_input {
    int32_t carrier_id;
    int64_t date_us; /* OL_DELIVERY_D */
};

struct stock_level_input {
    int32_t threshold;
};

struct txn_input {
    enum txn_type type;
    int32_t w_id; /* home warehouse */
    int32_t d_id; /* the district; in Stock-Level the terminal's own; unused by Delivery */
    union {
        struct new_order_input new_order;
        struct payment_input payment;
        struct order_status_input order_status;
        struct delivery_input delivery;
        struct stock_level_input stock_level;
    };
};

/* What every draw of a run shares. */
struct input_rules {
    uint64_t seed;
    int32_t warehouses; /* active: remote ones are drawn from them */
    struct nurand_c c_run;
    uint32_t rollback_ppm;       /* 10,000 = 1 % (2.4.1.4) */
    uint32_t remote_line_ppm;    /* 10,000 (2.4.1.5) */
    uint32_t remote_payment_ppm; /* 150,000 (2.5.1.2) */
    uint32_t by_name_ppm;        /* 600,000 (2.5.1.2, 2.6.1.2) */
};

/* Whose input: home is given by the caller (drawn anew each time where users < warehouses). */
struct input_for {
    uint32_t user;
    uint64_t n; /* this user's transaction number, from 0 */
    int32_t w_id;
    int32_t d_id;     /* the terminal's district, for Stock-Level */
    int64_t stamp_us; /* unique in the run: becomes entry_us, date_us */
};
void input_draw(const struct input_rules *rules, const struct input_for *whose, enum txn_type type,
                struct txn_input *out);

#endif
