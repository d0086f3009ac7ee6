/*
 * Where a PostgreSQL server's files lie besides its data directory: WAL and tablespaces may stand
 * on drives of their own, whose I/O is the transactions' as well. Main thread.
 */
#ifndef JOB_PLACES_H
#define JOB_PLACES_H

#include "job/target.h"

/* Joins the devices of pg_wal and of every tablespace into t->map, which holds those of the data
 * directory. s: asked for the tablespaces of a server that is not ours; NULL: links in data_dir
 * tell. What can't be seen is said in t->unseen. */
void places_add(struct target *t, const char *data_dir, struct session *s);

#endif
