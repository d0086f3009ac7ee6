/*
 * malloc and its kin, for which running out of memory ends the program with a message. A size of 0
 * gives a pointer that may be freed, never NULL. Any thread.
 */
#include "base/xalloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

NORETURN static void out_of_memory(size_t n, size_t size)
{
    (void)dprintf(STDERR_FILENO, "out of memory: %zu objects of %zu bytes wanted\n", n, size);
    abort();
}

void *xmalloc(size_t size)
{
    void *p = malloc(size ? size : 1);

    if (!p)
        out_of_memory(1, size);
    return p;
}

void *xcalloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size ? size : 1);

    if (!p)
        out_of_memory(n, size);
    return p;
}

void *xreallocarray(void *old, size_t n, size_t size)
{
    void *p = reallocarray(old, n ? n : 1, size ? size : 1);

    if (!p)
        out_of_memory(n, size);
    return p;
}

/* Without huge pages, where one byte would count for 2 MiB. That advice may be unknown to a kernel.
 */
void *xpages(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED)
        out_of_memory(1, size);
    (void)madvise(p, size, MADV_NOHUGEPAGE);
    return p;
}

void xpages_free(void *pages, size_t size)
{
    if (pages)
        CHECK(munmap(pages, size) == 0);
}

char *xstrdup(const char *text)
{
    return xstrndup(text, SIZE_MAX);
}

char *xstrdup_or_null(const char *text)
{
    return text ? xstrdup(text) : NULL;
}

char *xstrndup(const char *text, size_t n)
{
    const size_t len = strnlen(text, n);
    char *copy = xmalloc(len + 1);

    memcpy(copy, text, len);
    copy[len] = 0;
    return copy;
}

void xset_text(char **at, const char *text)
{
    free(*at);
    *at = xstrdup_or_null(text);
}

char *xasprintf(const char *fmt, ...)
{
    va_list ap;
    char *text = NULL;

    va_start(ap, fmt);
    text = xvasprintf(fmt, ap);
    va_end(ap);
    return text;
}

char *xvasprintf(const char *fmt, va_list ap)
{
    char *text = NULL;

    if (vasprintf(&text, fmt, ap) < 0)
        out_of_memory(1, strlen(fmt));
    return text;
}
