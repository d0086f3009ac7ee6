/*
 * Assertions and compiler attributes that every other file uses.
 * CHECK() is for bugs in this program only and is on in every build; what a user, a server or a
 * kernel can cause is an error with a message (base/err.h).
 */
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

#include <stddef.h>

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt_index, first_arg) __attribute__((format(printf, fmt_index, first_arg)))
#define NORETURN _Noreturn
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* Prints "file:line: check failed: text" to standard error and aborts. */
NORETURN void check_failed(const char *file, int line, const char *text);

#define CHECK(cond) ((cond) ? (void)0 : check_failed(__FILE__, __LINE__, #cond))

#ifdef DEBUG
#define DCHECK(cond) CHECK(cond)
#else
#define DCHECK(cond) ((void)sizeof(cond))
#endif

#define UNREACHABLE() check_failed(__FILE__, __LINE__, "unreachable")

#endif
