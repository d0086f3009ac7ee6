/*
 * Memory that is there or the program ends: running out is not an error anybody handles.
 * All results are released with free().
 */
#ifndef BASE_XALLOC_H
#define BASE_XALLOC_H

#include <stdarg.h>
#include <stddef.h>

#include "base/check.h"

void *xmalloc(size_t size);
/* n objects of `size` bytes, zeroed; the product is checked. */
void *xcalloc(size_t n, size_t size);
/* n objects of `size` bytes; the product is checked. */
void *xreallocarray(void *old, size_t n, size_t size);
/* Zeroed pages of the kernel's, `size` bytes, of which only those count that are written to: for
 * big and sparse arrays. (calloc() may hand out used memory and clear it, which touches all.)
 * Released with xpages_free(), not with free(). */
void *xpages(size_t size);
void xpages_free(void *pages, size_t size);
char *xstrdup(const char *text);
char *xstrdup_or_null(const char *text); /* NULL stays NULL */
char *xstrndup(const char *text, size_t n);
/* *at is freed and becomes a copy of the text, which is not of *at itself; NULL stays NULL. */
void xset_text(char **at, const char *text);
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);
char *xvasprintf(const char *fmt, va_list ap) PRINTF_LIKE(1, 0);

#endif
