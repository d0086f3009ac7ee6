/*
 * A growing text. Invariant: buf is never NULL after init, buf[len] == 0; len < cap, or both are 0
 * and nothing is allocated. Life cycle: strbuf_init, verbs, strbuf_release (or strbuf_detach, which
 * hands buf over and after which there is nothing to release).
 */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

#include "base/check.h"

struct strbuf {
    char *buf;
    size_t len;
    size_t cap;
};

void strbuf_init(struct strbuf *sb);
void strbuf_release(struct strbuf *sb);
/* Empties for reuse; keeps the memory. */
void strbuf_reset(struct strbuf *sb);
void strbuf_add(struct strbuf *sb, const void *bytes, size_t n);
void strbuf_adds(struct strbuf *sb, const char *text);
void strbuf_addc(struct strbuf *sb, char c);
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) PRINTF_LIKE(2, 3);
void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);
/* Room for n more bytes plus the terminating 0; returns where they go. The caller writes them and
 * calls strbuf_commit(sb, written). */
char *strbuf_reserve(struct strbuf *sb, size_t n);
void strbuf_commit(struct strbuf *sb, size_t n);
/* Hands the text over (free() it) and leaves an empty strbuf that owns no memory. */
char *strbuf_detach(struct strbuf *sb);

#endif
