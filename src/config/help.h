/*
 * The texts that are made from the option table: --help (80 columns), the manual pages (roff) and
 * config/README.md (Markdown).
 */
#ifndef CONFIG_HELP_H
#define CONFIG_HELP_H

#include "base/strbuf.h"
#include "config/spec.h"

void help_text(enum spec_program program, struct strbuf *out);
void help_man(enum spec_program program, struct strbuf *out);
void help_reference(struct strbuf *out);

#endif
