/*
 * Threads take chunks in order under a mutex, so that what is done is all before the lowest chunk
 * that somebody still writes. The calling thread is one of them; between its chunks it tells how
 * far the work is and has it saved.
 */
#include "prep/surface.h"

#include <errno.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "prep/pattern.h"

#define WRITERS 4
#define ALIGNMENT 4096
#define DISCARD_FIRST_BYTES (UINT64_C(64) << 20)
#define DISCARD_MIN_BYTES (UINT64_C(4) << 20)
#define DISCARD_MAX_BYTES (UINT64_C(1) << 30)
#define DISCARD_LONG_NS (400 * NS_PER_MS)
#define DISCARD_SHORT_NS (100 * NS_PER_MS)

struct work {
    const struct surface *s;
    const struct surface_write *w;
    pthread_mutex_t mutex;
    uint64_t next;             /* by mutex: the first byte that nobody took */
    uint64_t writing[WRITERS]; /* by mutex: what each writes; UINT64_MAX: nothing */
    bool failed;               /* by mutex */
    struct err err;            /* by mutex */
};

struct writer {
    struct work *work;
    int index;
    struct thread thread;
};

/* Of one chunk, zeroed. */
static void *aligned_buffer(void)
{
    void *buf = NULL;

    CHECK(posix_memalign(&buf, ALIGNMENT, SURFACE_CHUNK) == 0);
    memset(buf, 0, SURFACE_CHUNK);
    return buf;
}

static size_t chunk_at(const struct surface *s, uint64_t offset)
{
    const uint64_t left = s->size_bytes - offset;

    return (size_t)(left < SURFACE_CHUNK ? left : SURFACE_CHUNK);
}

static int write_all(const struct surface *s, const char *buf, size_t n, uint64_t offset,
                     struct err *err)
{
    while (n > 0) {
        const ssize_t done = pwrite(s->fd, buf, n, (off_t)offset);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return err_sys(err, done < 0 ? errno : EIO, "writing at byte %llu",
                           (unsigned long long)offset);
        buf += done;
        n -= (size_t)done;
        offset += (uint64_t)done;
    }
    return 0;
}

static int read_all(const struct surface *s, char *buf, size_t n, uint64_t offset, struct err *err)
{
    while (n > 0) {
        const ssize_t done = pread(s->fd, buf, n, (off_t)offset);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return err_sys(err, done < 0 ? errno : EIO, "reading at byte %llu",
                           (unsigned long long)offset);
        buf += done;
        n -= (size_t)done;
        offset += (uint64_t)done;
    }
    return 0;
}

/* False where nothing is left to do, or the work is to end. */
static bool take(struct work *work, int index, uint64_t *offset)
{
    bool taken = false;

    pthread_mutex_lock(&work->mutex);
    work->writing[index] = UINT64_MAX;
    if (!work->failed && work->next < work->s->size_bytes && stop_level(work->s->stop) == 0) {
        *offset = work->next;
        work->next += chunk_at(work->s, work->next);
        work->writing[index] = *offset;
        taken = true;
    }
    pthread_mutex_unlock(&work->mutex);
    return taken;
}

static uint64_t done_of(struct work *work)
{
    uint64_t done;

    pthread_mutex_lock(&work->mutex);
    done = work->next;
    for (int i = 0; i < WRITERS; i++)
        done = work->writing[i] < done ? work->writing[i] : done;
    pthread_mutex_unlock(&work->mutex);
    return done;
}

/* What was taken and failed stays "being written": done never goes beyond it. */
static void fail(struct work *work, const struct err *err)
{
    pthread_mutex_lock(&work->mutex);
    if (!work->failed)
        work->err = *err;
    work->failed = true;
    pthread_mutex_unlock(&work->mutex);
}

/* One chunk; false ends the writer. */
static bool write_one(struct work *work, int index, char *buf)
{
    const struct surface_data *data = &work->w->data;
    struct err err = {0};
    uint64_t offset = 0;
    size_t n;

    if (!take(work, index, &offset))
        return false;
    n = chunk_at(work->s, offset);
    if (!data->zeroes)
        pattern_make(data->key, offset, buf, n);
    if (write_all(work->s, buf, n, offset, &err) == 0)
        return true;
    fail(work, &err);
    return false;
}

static void *writer_main(void *ctx)
{
    struct writer *me = ctx;
    char *buf = aligned_buffer();

    while (write_one(me->work, me->index, buf))
        continue;
    free(buf);
    return NULL;
}

/* What an earlier start did is not counted in: it would spoil rate and time left. */
static void tell(const struct surface *s, const char *step, uint64_t from, uint64_t done,
                 uint64_t since_ns)
{
    const struct progress p = {
        .step = step,
        .unit = "bytes",
        .done = done - from,
        .total = s->size_bytes - from,
        .elapsed_ns = clock_now_ns(s->clock) - since_ns,
    };

    if (s->progress)
        s->progress(&p, s->progress_ctx);
}

static int save(struct work *work, uint64_t done, struct err *err)
{
    if (fdatasync(work->s->fd) < 0)
        return err_sys(err, errno, "making what is written durable");
    return work->w->save ? work->w->save(done, work->w->save_ctx, err) : 0;
}

/* The calling thread's part. */
static void write_and_tell(struct work *work)
{
    const uint64_t start_ns = clock_now_ns(work->s->clock);
    uint64_t saved_ns = start_ns;
    char *buf = aligned_buffer();
    struct err err = {0};

    while (write_one(work, WRITERS - 1, buf)) {
        const uint64_t done = done_of(work);

        tell(work->s, work->w->step, work->w->from, done, start_ns);
        if (clock_now_ns(work->s->clock) - saved_ns < work->w->save_every_ns)
            continue;
        saved_ns = clock_now_ns(work->s->clock);
        if (save(work, done, &err) < 0) {
            fail(work, &err);
            break;
        }
    }
    free(buf);
}

/* What all writers left: saved, told, and what came of it. */
static int close_work(struct work *work, uint64_t start_ns, struct err *err)
{
    const uint64_t done = done_of(work);
    int rc = 0;

    if (!work->failed) {
        if (save(work, done, err) < 0)
            return -1;
    } else {
        *err = work->err;
        rc = -1;
    }
    tell(work->s, work->w->step, work->w->from, done, start_ns);
    if (rc == 0 && done < work->s->size_bytes)
        rc = err_set(err, ERR_INTERRUPTED, "interrupted");
    return rc;
}

int surface_write(const struct surface *s, const struct surface_write *w, struct err *err)
{
    struct work work = {.s = s, .w = w, .next = w->from};
    struct writer writers[WRITERS - 1];
    const uint64_t start_ns = clock_now_ns(s->clock);
    struct err ignored = {0};
    int started = 0;
    int rc = 0;

    CHECK(w->from % SURFACE_CHUNK == 0 || w->from == s->size_bytes);
    pthread_mutex_init(&work.mutex, NULL);
    for (int i = 0; i < WRITERS; i++)
        work.writing[i] = UINT64_MAX;
    for (; started < WRITERS - 1 && rc == 0; started += rc == 0) {
        writers[started] = (struct writer){.work = &work, .index = started};
        rc = thread_start(&writers[started].thread, "writer", writer_main, &writers[started], err);
    }
    if (rc < 0)
        fail(&work, err ? err : &ignored);
    else
        write_and_tell(&work);
    for (int i = 0; i < started; i++)
        thread_join(&writers[i].thread);
    rc = close_work(&work, start_ns, err ? err : &ignored);
    pthread_mutex_destroy(&work.mutex);
    return rc;
}

static bool is_good(const struct surface_data *data, uint64_t offset, const char *buf, size_t n)
{
    if (!data->zeroes)
        return pattern_is(data->key, offset, buf, n);
    for (size_t i = 0; i < n; i++) {
        if (buf[i] != 0)
            return false;
    }
    return true;
}

/* Block i of n looked at, of `all` that there are: one in each part of equal size. */
static uint64_t sampled_block(uint64_t key, uint64_t i, uint64_t n, uint64_t all)
{
    const uint64_t low = (uint64_t)((rng_u128)all * i / n);
    const uint64_t high = (uint64_t)((rng_u128)all * (i + 1) / n) - 1;
    struct rng r = rng_at(rng_key(key, i));

    if (i == 0)
        return 0;
    if (i == n - 1)
        return all - 1;
    return (uint64_t)rng_uniform(&r, (int64_t)low, (int64_t)high);
}

/* One block, looked at. */
static int look_at(const struct surface *s, const struct surface_data *data, uint64_t offset,
                   struct surface_sampled *out, struct err *err)
{
    const uint64_t left = s->size_bytes - offset;
    const size_t n = (size_t)(left < PATTERN_BLOCK ? left : PATTERN_BLOCK);
    void *buf = NULL;
    int rc;

    CHECK(posix_memalign(&buf, ALIGNMENT, PATTERN_BLOCK) == 0);
    rc = read_all(s, buf, n, offset, err);
    if (rc == 0) {
        out->blocks++;
        if (is_good(data, offset, buf, n))
            out->good++;
        else if (out->first_bad == UINT64_MAX)
            out->first_bad = offset;
    }
    free(buf);
    return rc;
}

int surface_sample(const struct surface *s, const struct surface_data *data,
                   struct surface_range range, struct surface_sampled *out, struct err *err)
{
    const uint64_t first = range.from / PATTERN_BLOCK;
    const uint64_t all = (range.end + PATTERN_BLOCK - 1) / PATTERN_BLOCK - first;
    const uint64_t n = out->blocks < all ? out->blocks : all;
    const uint64_t key = clock_now_ns(s->clock);

    CHECK(range.from % PATTERN_BLOCK == 0);
    CHECK(range.end > range.from);
    *out = (struct surface_sampled){.first_bad = UINT64_MAX};
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t offset = PATTERN_BLOCK * (first + sampled_block(key, i, n, all));

        if (stop_level(s->stop) > 0)
            return err_set(err, ERR_INTERRUPTED, "interrupted");
        if (look_at(s, data, offset, out, err) < 0)
            return -1;
    }
    return 0;
}

uint64_t surface_discard_piece(uint64_t bytes, uint64_t took_ns)
{
    if (took_ns > DISCARD_LONG_NS && bytes > DISCARD_MIN_BYTES)
        return bytes / 2;
    return took_ns < DISCARD_SHORT_NS && bytes < DISCARD_MAX_BYTES ? 2 * bytes : bytes;
}

int surface_discard(const struct surface *s, struct err *err)
{
    const uint64_t start_ns = clock_now_ns(s->clock);
    uint64_t before_ns = start_ns;
    uint64_t piece = DISCARD_FIRST_BYTES;

    for (uint64_t offset = 0; offset < s->size_bytes;) {
        const uint64_t left = s->size_bytes - offset;
        uint64_t range[2] = {offset, left < piece ? left : piece};
        uint64_t now_ns = 0;

        if (stop_level(s->stop) > 0)
            return err_set(err, ERR_INTERRUPTED, "interrupted");
        if (ioctl(s->fd, BLKDISCARD, range) < 0)
            return err_sys(err, errno, "discarding at byte %llu", (unsigned long long)offset);
        offset += range[1];
        tell(s, "discard", 0, offset, start_ns);
        now_ns = clock_now_ns(s->clock);
        piece = surface_discard_piece(piece, now_ns - before_ns);
        before_ns = now_ns;
    }
    return 0;
}
