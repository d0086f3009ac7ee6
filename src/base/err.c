/*
 * Errors of the world on their way up to `cmd`, which prints them. Texts are made one line here:
 * a line feed becomes a space and any other control character a "?", since they may hold what a
 * server or a device says of itself. Each struct err belongs to its caller; no shared state.
 */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/plain.h"

enum { TEXT_SIZE = sizeof(((struct err *)0)->text), LONG_SIZE = 2 * TEXT_SIZE + 8 };

/* Copies; a text that does not fit ends in "..." and is not cut within a UTF-8 character. */
static void store(struct err *err, char *text)
{
    size_t n = strlen(text);

    if (n >= TEXT_SIZE) {
        n = TEXT_SIZE - 4;
        while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
            n--;
        memcpy(text + n, "...", 4);
        n += 3;
    }
    memcpy(err->text, text, n + 1);
    plain_line(err->text);
}

int err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
{
    char text[LONG_SIZE];
    va_list ap;

    CHECK(kind != ERR_NONE);
    if (!err)
        return -1;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    err_reset(err);
    err->kind = kind;
    store(err, text);
    return -1;
}

int err_sys(struct err *err, int sys_errno, const char *fmt, ...)
{
    char context[TEXT_SIZE];
    char reason[128];
    char text[LONG_SIZE];
    va_list ap;

    if (!err)
        return -1;
    va_start(ap, fmt);
    (void)vsnprintf(context, sizeof(context), fmt, ap);
    va_end(ap);
    (void)snprintf(text, sizeof(text), "%s: %s", context,
                   strerror_r(sys_errno, reason, sizeof(reason)));
    err_reset(err);
    err->kind = ERR_SURROUNDINGS;
    err->sys_errno = sys_errno;
    store(err, text);
    return -1;
}

int err_wrap(struct err *err, const char *fmt, ...)
{
    char context[TEXT_SIZE];
    char text[LONG_SIZE];
    va_list ap;

    if (!err)
        return -1;
    CHECK(err->kind != ERR_NONE);
    va_start(ap, fmt);
    (void)vsnprintf(context, sizeof(context), fmt, ap);
    va_end(ap);
    (void)snprintf(text, sizeof(text), "%s: %s", context, err->text);
    store(err, text);
    return -1;
}

void err_reset(struct err *err)
{
    if (!err)
        return;
    err->kind = ERR_NONE;
    err->sqlstate[0] = 0;
    err->native = 0;
    err->sys_errno = 0;
    err->text[0] = 0;
}

int err_exit_code(const struct err *err)
{
    switch (err->kind) {
    case ERR_NONE:
        return 0;
    case ERR_CHECK_FAILED:
        return 1;
    case ERR_USAGE:
        return 2;
    case ERR_SURROUNDINGS:
    case ERR_DB:
        return 3;
    case ERR_INTERRUPTED:
        return 130;
    }
    UNREACHABLE();
}
