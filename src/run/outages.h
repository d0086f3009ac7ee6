/*
 * When no session of the run was alive: a restart or a crash of the server, or of the way to it.
 * Told from the sessions alone, since a server that crashes and recovers keeps the time of its
 * start, and not every database tells one. Bounded. One owner.
 *
 * Limit: a blocking driver finds out that an idle session is lost only when it uses it; until all
 * were used, it is no outage.
 */
#ifndef RUN_OUTAGES_H
#define RUN_OUTAGES_H

#include <stdint.h>

#include "result/result.h"

#define OUTAGES_MAX 100

struct outage {
    uint64_t from_ns;
    uint64_t to_ns; /* 0: not over */
};

struct outages {
    uint32_t n;
    bool down;                     /* the last one is not over */
    struct outage at[OUTAGES_MAX]; /* the first ones; n may be greater */
};

/* The last session alive was lost. */
void outages_begin(struct outages *o, uint64_t now_ns);
/* One is alive again; harmless where there was no outage. */
void outages_end(struct outages *o, uint64_t now_ns);
/* A mark "restart" in r for each, times from go_ns. */
void outages_report(const struct outages *o, uint64_t go_ns, struct result *r);

#endif
