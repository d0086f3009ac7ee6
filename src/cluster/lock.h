/*
 * The flock on DIR/tpcc-run/lock. Held as long as the descriptor is open; the kernel lets it go
 * when we die, however that happens. The line in the file says who holds it.
 */
#ifndef CLUSTER_LOCK_H
#define CLUSTER_LOCK_H

#include "base/clock.h"
#include "base/err.h"
#include "cluster/layout.h"

/* The open descriptor; -1 and an error that names the holder where it is taken. Makes
 * DIR/tpcc-run/ ours first where it is not there. */
int lock_take(const struct layout *l, const struct clock *clk, struct err *err) MUST_CHECK;

#endif
