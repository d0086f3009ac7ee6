/*
 * The input audit (5.5.1.5, 9.2.2.5): shares of what the database did, not of what was asked of it,
 * against the standard's bands. A band is widened to 4 sigma of the sample's size, so that a short
 * run does not miss it by chance. Where a workload asks for other shares the bands move with them.
 */
#ifndef RUN_AUDIT_H
#define RUN_AUDIT_H

#include <stdint.h>

#include "result/result.h"
#include "tpcc/txn.h"

/* Counted over transactions that committed or rolled back as planned. */
struct audit_sums {
    uint64_t transactions[TXN_TYPES];
    uint64_t rollbacks; /* New-Orders rolled back */
    uint64_t lines;     /* of New-Orders */
    uint64_t remote_lines;
    uint64_t remote_payments;
    uint64_t payments_by_name; /* a row was found by name */
    uint64_t statuses_by_name;
    uint64_t skipped_deliveries; /* with a district that had no order to deliver */
};

void audit_sums_add(struct audit_sums *to, const struct audit_sums *from);
void audit_count(struct audit_sums *sums, enum txn_type type, const struct txn_facts *facts,
                 bool rolled_back);

/* Fills r->audit anew. */
void audit_judge(const struct audit_sums *sums, const struct input_rules *rules,
                 const uint8_t mix[TXN_TYPES], struct result *r);

#endif
