/*
 * The settings of one program run with the origin of each: defaults, /etc/tpcc-run.yaml,
 * ./tpcc-run.yaml, --config files, the workload file, the command line; later wins. Plain data
 * once loaded. One thread.
 *
 * A file is a map of groups: `run: {users: 100}`. A workload file has the group `workload` only,
 * and replaces that whole group; `run.workload: inline` reads none and takes the group as the
 * config files set it. Every value must be right where it stands, also one that is overridden.
 */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "config/conninfo.h"
#include "config/settings.h"
#include "config/spec.h"

#define CONFIG_INLINE "inline"

enum origin_kind { /* in rising rank */
                   ORIGIN_DEFAULT,
                   ORIGIN_ETC,      /* /etc/tpcc-run.yaml */
                   ORIGIN_CWD,      /* ./tpcc-run.yaml */
                   ORIGIN_CONFIG,   /* --config */
                   ORIGIN_WORKLOAD, /* the workload file */
                   ORIGIN_COMMAND,  /* the command line */
};

struct origin {
    enum origin_kind kind;
    const char *file; /* ORIGIN_ETC to ORIGIN_WORKLOAD; lives as long as the config */
    size_t line, column;
    const char *option; /* ORIGIN_COMMAND: "--users", "--set run.users" */
};

/* One of several targets: what it has of its own, the rest is as for all. */
struct config_target {
    struct settings own;
    struct origin origin[CONFIG_SPEC_ROWS]; /* by spec_index(); ORIGIN_DEFAULT: not its own */
};

struct config_targets {
    struct origin origin; /* where the list begins */
    VEC(struct config_target *) all;
};

struct config {
    enum spec_program program;
    struct settings s;
    struct origin origin[CONFIG_SPEC_ROWS]; /* by spec_index() */
    char *command;       /* the command line as a shell would take it again, without secrets */
    char *command_base;  /* ... without what a refused size is to be replaced with: --users,
                            --warehouses, --size */
    char *workload_file; /* the file that was read; NULL: inline */
    struct config_targets targets; /* config/targets.h; none: one target, as in s */
    VEC(char *) args;              /* what is no option: tpcc-report's results */
    VEC(char *) names;             /* holds the origins' texts */
};

/* All defaults. config_release() it, also after errors. */
void config_init(struct config *c, enum spec_program program);
void config_release(struct config *c);

/* One value as text from `origin` (copied). It is parsed in any case, and kept unless the setting
 * has a value of higher rank. Lists: from one origin kind values add up, a higher kind begins anew.
 */
int config_set(struct config *c, const char *path, const char *text, const struct origin *origin,
               struct err *err) MUST_CHECK;
/* "PATH=VALUE" of --set, from the command line. */
int config_set_pair(struct config *c, const char *pair, struct err *err) MUST_CHECK;

/* All values of a YAML text or file. A workload file (kind ORIGIN_WORKLOAD) may have its own group
 * only. config_read_file: a file that is not there is an error unless `optional`. */
int config_read_text(struct config *c, const char *bytes, size_t len, const struct origin *origin,
                     struct err *err) MUST_CHECK;
int config_read_file(struct config *c, const char *path, enum origin_kind kind, bool optional,
                     struct err *err) MUST_CHECK;

/* Reads the workload file that run.workload names, a path or a name under data_dir/workloads
 * (data_dir may be NULL: then paths only). Call after all files and the command line. */
int config_read_workload(struct config *c, const char *data_dir, struct err *err) MUST_CHECK;

/* The list of targets as it stands in a file, secrets without their passwords. */
void config_write_targets(const struct config *c, struct strbuf *out);

/* Somebody set it: its origin is not the default. */
bool config_is_set(const struct config *c, const char *path);
/* Appends "default", "FILE:LINE", "command line". */
void config_origin_text(const struct origin *o, struct strbuf *out);
/* Puts in front of err where the setting got its value and its path: "FILE:LINE:COLUMN: run.users:
 * ",
 * "--users: ". Returns -1. */
int config_err_at(const struct config *c, const char *path, struct err *err);

/* The settings as YAML that, read with --config, gives the same again: all values, but not those
 * that are unset, secret parts and requests to do one thing once (--rebuild, --yes ...). The
 * workload is written out in full, with run.workload: inline. `s` may be c->s or a copy of it in
 * which the plan's numbers have replaced "auto". */
void config_write_yaml(const struct settings *s, struct strbuf *out);
/* The settings of one group that are set and that this program takes, also those that
 * config_write_yaml() leaves out: for a program whose plan is that group. group NULL: all that
 * config_write_yaml() would write of what the program takes. */
void config_write_group(const struct settings *s, const char *group, enum spec_program program,
                        struct strbuf *out);
/* As config_write_yaml(), with where each value comes from as a comment behind it; "auto" is added
 * where c left it to the plan. */
void config_write_yaml_origins(const struct config *c, const struct settings *s,
                               struct strbuf *out);

#endif
