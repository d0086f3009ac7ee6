/*
 * One value of the option table: from text into its field of struct settings, and back. The same
 * parser serves defaults, limits, YAML, the command line and --set.
 */
#ifndef CONFIG_SPEC_VALUE_H
#define CONFIG_SPEC_VALUE_H

#include "base/err.h"
#include "base/strbuf.h"
#include "config/spec.h"

/* The longest text that any setting may have. */
#define SPEC_TEXT_MAX 4096

/* Parses the whole text and stores it; a list gets one more item. On failure nothing is changed
 * and the error says what is wrong, without naming the setting (the caller wraps). The text of a
 * SECRET is not repeated in it. */
int spec_value_parse(const struct spec *row, const char *text, struct settings *s,
                     struct err *err) MUST_CHECK;
/* Empties a list, frees a text. Harmless for the other types. */
void spec_value_clear(const struct spec *row, struct settings *s);

/* Appends the value as a user would write it (parses back to the same); a list has its items
 * separated by ", ", a SECRET is redacted. Appends nothing where the value is unset. */
void spec_value_format(const struct spec *row, const struct settings *s, struct strbuf *out);
/* A text or list without a value. */
bool spec_value_is_unset(const struct spec *row, const struct settings *s);
/* "auto" was given, or nothing that the plan would not have to decide. */
bool spec_value_is_auto(const struct spec *row, const struct settings *s);
/* Items of a list, 1 of the others, 0 where unset; and the text of one of them, not redacted:
 * for TEXT, PATH and LIST only. */
size_t spec_value_items(const struct spec *row, const struct settings *s);
const char *spec_value_item(const struct spec *row, const struct settings *s, size_t i);

/* All defaults into zeroed settings; all texts freed. */
void spec_defaults(struct settings *s);
void spec_release(struct settings *s);

/* "a whole number", "a duration" ...: the type in words, for help and reference. */
const char *spec_type_words(const struct spec *row);

#endif
