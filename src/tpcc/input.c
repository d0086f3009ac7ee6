/*
 * Draws the inputs of a transaction. Each is a stream of random numbers of its own, keyed by (seed,
 * user, transaction number), so that the order in which users run changes nothing. The stamp is
 * the only part that comes from outside.
 */
#include "tpcc/input.h"

#include <string.h>

#include "base/check.h"
#include "base/rng.h"
#include "tpcc/nurand.h"
#include "tpcc/purpose.h"

#define PPM 1000000

static bool happens(struct rng *r, uint32_t ppm)
{
    return rng_uniform(r, 0, PPM - 1) < (int64_t)ppm;
}

/* The one place of the rule "another warehouse, uniformly over the active ones; home where there is
 * no other" (2.4.1.5, 2.5.1.2). */
static int32_t other_warehouse(struct rng *r, int32_t warehouses, int32_t home)
{
    int32_t w = 0;

    if (warehouses == 1)
        return home;
    w = (int32_t)rng_uniform(r, 1, warehouses - 1);
    return w < home ? w : w + 1;
}

static int32_t any_district(struct rng *r)
{
    return (int32_t)rng_uniform(r, 1, TPCC_DISTRICTS);
}

/* 2.4.1.3 to 2.4.1.5. */
static void draw_new_order(const struct input_rules *rules, struct rng *r, struct txn_input *out)
{
    struct new_order_input *no = &out->new_order;

    out->d_id = any_district(r);
    no->c_id = nurand_customer_id(r, &rules->c_run);
    no->n_lines = (uint8_t)rng_uniform(r, 5, TPCC_LINES_MAX);
    no->rolls_back = happens(r, rules->rollback_ppm);
    for (int i = 0; i < no->n_lines; i++) {
        struct new_order_line *line = &no->line[i];

        line->i_id = nurand_item_id(r, &rules->c_run);
        line->supply_w_id = out->w_id;
        if (happens(r, rules->remote_line_ppm))
            line->supply_w_id = other_warehouse(r, rules->warehouses, out->w_id);
        line->quantity = (int32_t)rng_uniform(r, 1, 10);
        if (line->supply_w_id != out->w_id)
            no->remote_lines++;
    }
    if (no->rolls_back)
        no->line[no->n_lines - 1].i_id = TPCC_ITEMS + 1;
}

/* The customer of 2.5.1.2 and 2.6.1.2: by last name or by number. */
static void draw_customer(const struct input_rules *rules, struct rng *r, int32_t *c_id,
                          char c_last[20])
{
    if (happens(r, rules->by_name_ppm))
        (void)last_name(nurand_last_name(r, &rules->c_run), c_last);
    else
        *c_id = nurand_customer_id(r, &rules->c_run);
}

/* 2.5.1.1 to 2.5.1.3. */
static void draw_payment(const struct input_rules *rules, struct rng *r, struct txn_input *out)
{
    struct payment_input *p = &out->payment;

    out->d_id = any_district(r);
    p->c_w_id = out->w_id;
    p->c_d_id = out->d_id;
    if (happens(r, rules->remote_payment_ppm)) {
        p->c_w_id = other_warehouse(r, rules->warehouses, out->w_id);
        p->c_d_id = any_district(r);
    }
    p->remote = p->c_w_id != out->w_id;
    draw_customer(rules, r, &p->c_id, p->c_last);
    p->amount_cents = (int32_t)rng_uniform(r, 100, 500000);
}

void input_draw(const struct input_rules *rules, const struct input_for *whose, enum txn_type type,
                struct txn_input *out)
{
    const uint64_t key = rng_key(rng_key(rules->seed, PURPOSE_INPUT), whose->user);
    struct rng r = rng_at(rng_key(key, whose->n));

    CHECK(whose->w_id >= 1);
    CHECK(whose->w_id <= rules->warehouses);
    memset(out, 0, sizeof(*out));
    out->type = type;
    out->w_id = whose->w_id;
    out->d_id = whose->d_id;
    switch (type) {
    case TXN_NEW_ORDER:
        draw_new_order(rules, &r, out);
        out->new_order.entry_us = whose->stamp_us;
        return;
    case TXN_PAYMENT:
        draw_payment(rules, &r, out);
        out->payment.date_us = whose->stamp_us;
        return;
    case TXN_ORDER_STATUS:
        out->d_id = any_district(&r);
        draw_customer(rules, &r, &out->order_status.c_id, out->order_status.c_last);
        return;
    case TXN_DELIVERY:
        out->delivery.carrier_id = (int32_t)rng_uniform(&r, 1, 10);
        out->delivery.date_us = whose->stamp_us;
        return;
    case TXN_STOCK_LEVEL:
        out->stock_level.threshold = (int32_t)rng_uniform(&r, 10, 20);
        return;
    case TXN_DELIVERY_DEFERRED:
    case TXN_ROWS:
        break;
    }
    UNREACHABLE();
}
