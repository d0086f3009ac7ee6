/*
 * Several targets in one file, each with what it has of its own beside the settings of all:
 *
 *   run: {duration: 3h, users: 5000}
 *   targets:
 *     - {label: left, drive: /mnt/left}
 *     - {label: right, pg: "host=db1 dbname=tpcc", device: ["db1:nvme0n1"], sessions: 64}
 */
#ifndef CONFIG_TARGETS_H
#define CONFIG_TARGETS_H

#include "config/config.h"
#include "config/yamltree.h"

#define CONFIG_TARGETS "targets"
#define CONFIG_TARGETS_LEAST 2
#define CONFIG_TARGETS_MOST 64

/* Adds those of a file; from a source of higher rank they begin anew. A target without a label is
 * called "target-N". `origin` must live as long as the targets. */
int config_targets_read(struct config_targets *t, const struct yamlnode *list,
                        const struct origin *origin, struct err *err) MUST_CHECK;
void config_targets_release(struct config_targets *t);
/* What a setting is called in a target; NULL where it is of all targets. */
const char *config_target_key(const struct spec *row);

/* The configuration of a single run on target i, with inputs of its own where the file gives it no
 * seed. It lives as long as c and is not to be released. */
void config_of_target(const struct config *c, size_t i, struct config *out);

/* What only several targets can have wrong, and for each the rules of a single run. */
int config_targets_validate(const struct config *c, struct err *err) MUST_CHECK;

#endif
