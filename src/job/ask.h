/*
 * One question to a server, named in the dialect, with one answer.
 */
#ifndef JOB_ASK_H
#define JOB_ASK_H

#include <stdint.h>

#include "base/err.h"
#include "db/session.h"
#include "sql/dialect.h"

/* The first cell of the first row. */
int ask_i64(struct session *s, const struct dialect *d, const char *name, int64_t *out,
            struct err *err) MUST_CHECK;
/* As text (free() it); NULL where it failed or is null. */
char *ask_text(struct session *s, const struct dialect *d, const char *name, struct err *err);
/* The cell in another column of the first row. */
char *ask_text_at(struct session *s, const struct dialect *d, const char *name, uint16_t column,
                  struct err *err);
/* Runs a statement, an hour at most, and hands the rows over; they live until the session's next
 * one. */
int ask_rows(struct session *s, const struct dialect *d, const char *name, struct rows *rows,
             struct err *err) MUST_CHECK;

/* Runs every statement of the dialect whose name begins with `prefix`, in order. */
int ask_all(struct session *s, const struct dialect *d, const char *prefix,
            struct err *err) MUST_CHECK;

#endif
