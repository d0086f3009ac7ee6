/*
 * The whole surface of a device: written with zeroes or with the pattern by a few threads, and
 * looked at by samples. Direct I/O: no page cache lies in between. The progress and save callbacks
 * are called from the calling thread only, which works too.
 */
#ifndef PREP_SURFACE_H
#define PREP_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/progress.h"
#include "base/stop.h"

#define SURFACE_CHUNK (UINT64_C(1) << 20) /* of one request */

struct surface {
    int fd; /* O_RDWR | O_DIRECT */
    uint64_t size_bytes;
    const struct clock *clock;
    struct stop *stop;
    progress_fn progress; /* may be NULL */
    void *progress_ctx;
};

/* What goes on it. */
struct surface_data {
    bool zeroes;
    uint64_t key; /* of the pattern, where not zeroes */
};

/* All before `done` is on the device, now and after a loss of power. -1 ends the work. */
typedef int (*surface_save_fn)(uint64_t done, void *ctx, struct err *err);

struct surface_write {
    struct surface_data data;
    uint64_t from;    /* of whole chunks */
    const char *step; /* "overwrite", "fill" */
    uint64_t save_every_ns;
    surface_save_fn save;
    void *save_ctx;
};

/* Writes from `from` to the end; save is called as often as that, at the end, and where it is
 * interrupted (ERR_INTERRUPTED). */
int surface_write(const struct surface *s, const struct surface_write *w,
                  struct err *err) MUST_CHECK;

struct surface_sampled {
    uint64_t blocks; /* wished for; then looked at */
    uint64_t good;
    uint64_t first_bad; /* its place; UINT64_MAX: none */
};
struct surface_range { /* of bytes; from: of whole blocks of 4 KiB */
    uint64_t from, end;
};
/* Reads out->blocks blocks of 4 KiB spread over the range, each at a random place of its own part,
 * the first and the last one among them, and compares. All of them where there are no more. */
int surface_sample(const struct surface *s, const struct surface_data *data,
                   struct surface_range range, struct surface_sampled *out,
                   struct err *err) MUST_CHECK;
/* The next piece to discard, after one that took so long: the kernel can't be stopped in it, so it
 * is to take some tenths of a second, and no more requests than that needs. */
uint64_t surface_discard_piece(uint64_t bytes, uint64_t took_ns);
/* Discards all of it, in pieces. Not an error of the world alone: a device that can't says so with
 * EOPNOTSUPP in err->sys_errno. */
int surface_discard(const struct surface *s, struct err *err) MUST_CHECK;

#endif
