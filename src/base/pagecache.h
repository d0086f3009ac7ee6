/*
 * The kernel's page cache of the files in a directory: written out, dropped, and looked at. What a
 * file has in it answers reads from memory, and is charged to whoever touched it first.
 */
#ifndef BASE_PAGECACHE_H
#define BASE_PAGECACHE_H

#include <stdint.h>

#include "base/err.h"
#include "base/stop.h"

struct pagecache {
    uint64_t files, bytes;
    uint64_t cached_bytes; /* of them, in memory */
};

/* Looks at every file below `dir`; links are not followed. The files must be ours, or we root: of
 * others the kernel does not tell. */
int pagecache_look(const char *dir, struct pagecache *out, struct err *err) MUST_CHECK;
/* Writes every file below `dir` out and drops it from the cache; `left` (may be NULL) gets what is
 * there afterwards: what somebody has mapped, or a file system in memory, stays. ERR_INTERRUPTED
 * where the stop flag was raised in between. */
int pagecache_drop(const char *dir, struct stop *stop, struct pagecache *left,
                   struct err *err) MUST_CHECK;

#endif
