/*
 * UTF-8 that may stand on a terminal, in a YAML file and in a directory's name.
 */
#ifndef CONFIG_UTF8_H
#define CONFIG_UTF8_H

#include <stdbool.h>

/* True where all of it is UTF-8 without control characters, line separators and byte order marks.
 */
bool utf8_is_printable(const char *text);

#endif
