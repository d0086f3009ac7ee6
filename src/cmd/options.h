/*
 * The command line and the configuration files of a program, read into its config: the first thing
 * that each main does. Prints --help, --version, --man and --reference itself, errors never.
 */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include "config/config.h"

#define OPTIONS_DONE 1

/* 0: `out` is filled and valid: go on. OPTIONS_DONE: what was asked for is printed, exit with 0.
 * -1: err says what is wrong, exit with err_exit_code(err). In all cases the caller calls
 * config_release(out). argv must be writable (secrets are overwritten). */
int options_parse(enum spec_program program, int argc, char **argv, struct config *out,
                  struct err *err) MUST_CHECK;

#endif
