/*
 * UTF-8 that may stand on a terminal, in a YAML file and in a directory's name.
 */
#ifndef CONFIG_UTF8_H
#define CONFIG_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* True where all of it is UTF-8 without control characters, line separators and byte order marks.
 */
bool utf8_is_printable(const char *text);

/* Columns that a printable text takes on a terminal, by the C library: two for a character of
 * Chinese and for most emoji, none for one that combines with the character before it. */
int utf8_width(const char *text);
/* The bytes of the longest part from its beginning that takes no more columns: whole characters,
 * each with all that combines with it. */
size_t utf8_fitting(const char *text, int columns);

#endif
