/*
 * After a run, with no session of it left: what became of its in-doubt transactions, and whether
 * the database holds what was counted (durability, design 4.7):
 *
 *   committed + found in doubt <= growth <= committed + found + unresolved,
 *
 * New-Orders against sum(D_NEXT_O_ID), Payments against the rows of HISTORY, over the whole run.
 */
#ifndef RUN_DOUBT_H
#define RUN_DOUBT_H

#include "run/run.h"
#include "sql/dialect.h"

struct doubt_found {
    uint64_t new_orders; /* had committed */
    uint64_t payments;
    uint64_t unresolved;           /* of both types: could not be looked up */
    uint64_t sample_not_committed; /* of the sample's, looked up and not there */
};

/* Looks all of them up. Where the database can't be asked, the rest is unresolved and err tells
 * (-1); `out` is filled in any case. */
int doubt_resolve(struct session *s, const struct dialect *d, const struct run_counts *counts,
                  struct doubt_found *out, struct err *err) MUST_CHECK;

struct doubt_growth {
    int64_t next_o_id_sum; /* after - before */
    int64_t history_rows;
};
/* Fills r->checks.orders_agree and its counts, and in_doubt_* of r->run and r->sample. */
void doubt_judge(const struct run_counts *counts, const struct doubt_found *found,
                 const struct doubt_growth *growth, struct result *r);

#endif
