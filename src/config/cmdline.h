/*
 * A program's command line, read with getopt_long from the option table.
 */
#ifndef CONFIG_CMDLINE_H
#define CONFIG_CMDLINE_H

#include "config/config.h"

/* What the command line asks for instead of, or as, the program's work. */
enum cmdline_asks { CMDLINE_WORK, CMDLINE_HELP, CMDLINE_VERSION, CMDLINE_MAN, CMDLINE_REFERENCE };

/* Fills the config_init'ed c from argv, reads each --config FILE, keeps words that are no option in
 * c->args, and fills c->command and c->command_base. At --help and its like it stops there. Secrets
 * in argv are overwritten, so that a list of processes does not show them from here on: argv must
 * be writable. Not reentrant (getopt). */
int cmdline_parse(struct config *c, int argc, char **argv, enum cmdline_asks *asks,
                  struct err *err) MUST_CHECK;

/* Appends a word as a shell takes it as one. */
void cmdline_quote(const char *word, struct strbuf *out);

#endif
