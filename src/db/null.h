/*
 * The null backend: a real backend without a database, programmable in latency, stalls, faults and
 * rows. It tests the tool itself and measures the tool's own overhead.
 */
#ifndef DB_NULL_H
#define DB_NULL_H

#include <stdint.h>

struct null_script {
    uint64_t service_ns;       /* every batch's latency */
    uint64_t stall_at_ns;      /* on the clock's axis; 0: none. Batches under way or sent in ... */
    uint64_t stall_ns;         /* ... [stall_at, stall_at + stall) end no sooner than its end */
    uint32_t fault_every;      /* every n-th batch fails with fault_sqlstate; 0: none */
    char fault_sqlstate[6];
    uint32_t lose_every;       /* every n-th batch loses its connection */
    uint32_t lose_before_send; /* ... before it was sent (1) or after (0) */
    uint32_t fail_commit_every;
    uint32_t refuse_connect;   /* the n-th connection and later ones are refused; 0: none */
};

#endif
