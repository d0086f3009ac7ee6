/*
 * A dialect is a folder schema/<name>/ of *.sql files whose blocks begin with a line
 * "-- name: NAME" (what follows up to the next such line is one statement's text). A block may say
 * its parameters with "-- params: KIND..." on the next line: i32, i64, cents, rate, text, time,
 * i32[], one a parameter ($1, $2, ...); a block with parameters must. A ";" at the very end is left
 * out. Read once, immutable after.
 */
#ifndef SQL_DIALECT_H
#define SQL_DIALECT_H

#include <stddef.h>

#include "base/err.h"
#include "sql/stmt.h"

struct dialect;

/* Reads every *.sql in `dir`, in order of their names. Errors carry file:line. dialect_free() it.
 */
struct dialect *dialect_read(const char *dir, struct err *err);
void dialect_free(struct dialect *d);
/* NULL where there is no block of that name. */
const struct stmt *dialect_find(const struct dialect *d, const char *name);
/* As above; a missing one is an error that names the dialect's folder. */
const struct stmt *dialect_need(const struct dialect *d, const char *name, struct err *err);
/* For readers of a statement's text: behind a text in quotes, a $tag$ body or a comment that begins
 * at s; s itself where none does. One that does not end runs to the end of the text. */
const char *dialect_skip_quoted(const char *s);
size_t dialect_count(const struct dialect *d);
const struct stmt *dialect_at(const struct dialect *d, size_t i);
const char *dialect_dir(const struct dialect *d);

#endif
