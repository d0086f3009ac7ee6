/*
 * A growing text (see the header for its invariant). The room doubles, so that n appends cost
 * O(n). Belongs to whoever initialised it; no locks.
 */
#include "base/strbuf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { FIRST_CAP = 64 };

/* What all strbufs without memory of their own point to. Never written. */
static char empty[1];

void strbuf_init(struct strbuf *sb)
{
    sb->buf = empty;
    sb->len = 0;
    sb->cap = 0;
}

void strbuf_release(struct strbuf *sb)
{
    if (sb->cap > 0)
        free(sb->buf);
    sb->buf = NULL;
    sb->len = 0;
    sb->cap = 0;
}

void strbuf_reset(struct strbuf *sb)
{
    CHECK(sb->buf);
    sb->len = 0;
    if (sb->cap > 0)
        sb->buf[0] = 0;
}

void strbuf_add(struct strbuf *sb, const void *bytes, size_t n)
{
    char *room = strbuf_reserve(sb, n);

    if (n)
        memcpy(room, bytes, n);
    strbuf_commit(sb, n);
}

void strbuf_adds(struct strbuf *sb, const char *text)
{
    strbuf_add(sb, text, strlen(text));
}

void strbuf_addc(struct strbuf *sb, char c)
{
    *strbuf_reserve(sb, 1) = c;
    strbuf_commit(sb, 1);
}

void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    strbuf_vaddf(sb, fmt, ap);
    va_end(ap);
}

void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap)
{
    va_list again;
    int n = 0;

    CHECK(sb->buf);
    va_copy(again, ap);
    n = vsnprintf(sb->buf + sb->len, sb->cap - sb->len, fmt, ap);
    CHECK(n >= 0);
    if ((size_t)n >= sb->cap - sb->len)
        n = vsnprintf(strbuf_reserve(sb, (size_t)n), (size_t)n + 1, fmt, again);
    va_end(again);
    strbuf_commit(sb, (size_t)n);
}

char *strbuf_reserve(struct strbuf *sb, size_t n)
{
    CHECK(sb->buf);
    CHECK(n < SIZE_MAX / 2 - sb->len);
    if (sb->len + n >= sb->cap) {
        size_t cap = sb->cap > 0 ? sb->cap * 2 : FIRST_CAP;

        if (cap < sb->len + n + 1)
            cap = sb->len + n + 1;
        sb->buf = xreallocarray(sb->cap > 0 ? sb->buf : NULL, cap, 1);
        sb->cap = cap;
        sb->buf[sb->len] = 0;
    }
    return sb->buf + sb->len;
}

void strbuf_commit(struct strbuf *sb, size_t n)
{
    if (n == 0)
        return;
    CHECK(n < sb->cap - sb->len);
    sb->len += n;
    sb->buf[sb->len] = 0;
}

char *strbuf_detach(struct strbuf *sb)
{
    char *text = NULL;

    (void)strbuf_reserve(sb, 0); /* so that it can be freed, though it may be empty */
    text = sb->buf;
    strbuf_init(sb);
    return text;
}
