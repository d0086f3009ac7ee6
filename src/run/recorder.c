/*
 * Recorders and their sums. Used by the loop thread until handed over, by main until handed back.
 */
#include "run/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void record_sums_add(struct record_sums *to, const struct record_sums *from)
{
    counters_add(&to->outcomes, &from->outcomes);
    for (int row = 0; row < TXN_ROWS; row++)
        to->done[row] += from->done[row];
    to->orders_committed += from->orders_committed;
    to->payments_committed += from->payments_committed;
    to->seen += from->seen;
    to->waited += from->waited;
    to->unfinished += from->unfinished;
    to->late_ns += from->late_ns;
    if (from->late_max_ns > to->late_max_ns)
        to->late_max_ns = from->late_max_ns;
    audit_sums_add(&to->audit, &from->audit);
}

struct recorder *recorder_new(void)
{
    struct recorder *r = xcalloc(1, sizeof(*r));

    r->all = hist_new();
    r->late = hist_new();
    for (int row = 0; row < TXN_ROWS; row++)
        for (int k = 0; k < TIME_KINDS; k++)
            r->time[row][k] = hist_new();
    return r;
}

void recorder_free(struct recorder *r)
{
    if (!r)
        return;
    hist_free(r->all);
    hist_free(r->late);
    for (int row = 0; row < TXN_ROWS; row++)
        for (int k = 0; k < TIME_KINDS; k++)
            hist_free(r->time[row][k]);
    free(r);
}

void recorder_clear(struct recorder *r)
{
    memset(&r->sums, 0, sizeof(r->sums));
    r->first_commit_ns = 0;
    r->last_commit_ns = 0;
    r->silence_ns = 0;
    hist_clear(r->all);
    hist_clear(r->late);
    for (int row = 0; row < TXN_ROWS; row++)
        for (int k = 0; k < TIME_KINDS; k++)
            hist_clear(r->time[row][k]);
}
