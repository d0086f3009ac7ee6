/*
 * Where a broken assertion ends: one line on standard error, then abort(). Uses neither stdio
 * buffers nor the heap, since either may be what is broken. Any thread.
 */
#include "base/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void check_failed(const char *file, int line, const char *text)
{
    (void)dprintf(STDERR_FILENO, "%s:%d: check failed: %s\n", file, line, text);
    abort();
}
