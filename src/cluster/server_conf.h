/*
 * The server's settings as text: those of config/postgresql.conf, then what the plan decided; and
 * the unsafe ones of a load, which only ever stand on a command line.
 */
#ifndef CLUSTER_SERVER_CONF_H
#define CLUSTER_SERVER_CONF_H

#include "cluster/cluster.h"

/* The text of DATA/tpcc-run.conf; free() it. NULL and err where config_file can't be read. */
char *server_conf(const char *config_file, const struct cluster_settings *s, struct err *err);

/* "name=value" of each unsafe setting, NULL-terminated; server_conf_free() it. memory_bytes is
 * that of the machine. */
char **server_conf_unsafe(uint64_t memory_bytes);
void server_conf_free(char **list);

#endif
