/*
 * What the programs that work have in common: signals, options, console, and the environment of a
 * job made of them.
 */
#ifndef CMD_PROGRAM_H
#define CMD_PROGRAM_H

#include "cmd/console.h"
#include "config/config.h"
#include "job/job.h"

struct program {
    struct config config;
    struct console *console;
    struct stop stop;
    char *data_dir, *schema_dir, *server_conf;
    char *schema_root;
    struct job_ui ui;
    struct job_env env;
    const struct config *of_target; /* of several, whose plan is shown; NULL: there is one */
    struct live_targets *targets;   /* of several; NULL: there is one */
    struct live_steps *steps;       /* likewise */
};

#define PROGRAM_GO (-1)

/* PROGRAM_GO, or the exit code at once (help was printed, or an error, which is printed here). The
 * caller fills ui's callbacks it wants beside those set here: confirm, progress, plan. In any case
 * program_end() it. */
int program_begin(struct program *p, enum spec_program which, int argc, char **argv) MUST_CHECK;
/* The exit code, which is another where all was well but for what standard output did not take. */
int program_end(struct program *p, int rc) MUST_CHECK;
/* The report of a result, whose last line names its directory; or with --json result.json, and the
 * directory on standard error. */
void program_print(const struct program *p, const struct result *r, const char *path);
/* Prints "tpcc-run: <text>" on standard error and answers the exit code. */
int program_fail(struct program *p, const struct err *err);

#endif
