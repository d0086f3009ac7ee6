/*
 * What is found in DIR/tpcc-run/ when it is opened and what becomes of it: a server that still
 * runs, a load that was cut off, half a cluster, none. A part of struct cluster; cluster.c decides
 * when.
 */
#ifndef CLUSTER_FOUND_H
#define CLUSTER_FOUND_H

#include "cluster/server.h"

#define CLUSTER_SUPERUSER "tpcc"
#define CLUSTER_CONF "tpcc-run.conf" /* in the data directory */

/* The major of the cluster in data/, or of the one that is being put back there; 0 where there is
 * none. */
int found_major(const struct layout *l);
/* For the cluster that is there, or the newest for one to be made (major 0). */
int found_programs(const struct cluster *c, int major, struct programs *out,
                   struct err *err) MUST_CHECK;
/* PostgreSQL takes a data directory of its own user only; a link could lead anywhere. */
int found_check_owner(const struct cluster *c, struct err *err) MUST_CHECK;
/* Whether the marker of an unsafe load is of this boot and this device. */
bool found_marker_is_now(const struct cluster *c);
/* All that is to be done behind the lock before the cluster can be used: afterwards there is one,
 * unless it is opened for removal. */
int found_settle(struct cluster *c, struct err *err) MUST_CHECK;

#endif
