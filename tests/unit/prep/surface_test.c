/*
 * prep/surface on a file: written whole and from the middle, stopped, sampled.
 */
#include "prep/surface.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "harness/unit.h"
#include "prep/pattern.h"

#define MIB (UINT64_C(1) << 20)
#define SIZE (5 * MIB + 512) /* the last block is cut */

struct saved {
    uint64_t done;
    int calls;
    int fail_at;       /* the call that fails; 0: none */
    struct stop *stop; /* asked at the second call; NULL: not */
};

static int save(uint64_t done, void *ctx, struct err *err)
{
    struct saved *s = ctx;

    UNIT_TRUE("never back", done >= s->done);
    s->done = done;
    if (++s->calls == s->fail_at)
        return err_set(err, ERR_SURROUNDINGS, "no room for the record");
    if (s->stop && s->calls == 2)
        stop_ask(s->stop);
    return 0;
}

static struct surface on_file(struct stop *stop)
{
    char path[] = "/tmp/surface_test.XXXXXX";
    struct surface s = {
        .fd = mkstemp(path), .size_bytes = SIZE, .clock = clock_system(), .stop = stop};

    UNIT_TRUE("", s.fd >= 0);
    UNIT_EQ_I64("", unlink(path), 0);
    UNIT_EQ_I64("", ftruncate(s.fd, (off_t)SIZE), 0);
    return s;
}

static uint64_t good_of(const struct surface *s, const struct surface_data *data,
                        struct surface_range range, uint64_t *blocks)
{
    struct surface_sampled sampled = {.blocks = 100000};
    struct err err = {0};

    UNIT_EQ_I64(err.text, surface_sample(s, data, range, &sampled, &err), 0);
    if (blocks)
        *blocks = sampled.blocks;
    UNIT_TRUE("", (sampled.first_bad == UINT64_MAX) == (sampled.good == sampled.blocks));
    return sampled.good;
}

static void test_whole_and_sampled(void)
{
    struct stop stop = {0};
    struct surface s = on_file(&stop);
    struct saved saved = {.done = 0};
    const struct surface_data data = {.key = 7};
    const struct surface_data zeroes = {.zeroes = true};
    const struct surface_write w = {.data = data, .step = "fill", .save = save, .save_ctx = &saved};
    struct surface_sampled sampled = {.blocks = 10};
    struct err err = {0};
    uint64_t blocks = 0;

    UNIT_EQ_U64("all blank", good_of(&s, &zeroes, (struct surface_range){0, SIZE}, NULL), 1281);
    UNIT_EQ_I64(err.text, surface_write(&s, &w, &err), 0);
    UNIT_EQ_U64("", saved.done, SIZE);
    UNIT_TRUE("", saved.calls > 0);
    UNIT_EQ_U64("", good_of(&s, &data, (struct surface_range){0, SIZE}, &blocks), 1281);
    UNIT_EQ_U64("", blocks, 1281);
    UNIT_EQ_U64("", good_of(&s, &zeroes, (struct surface_range){0, SIZE}, NULL), 0);
    UNIT_EQ_U64("a part", good_of(&s, &data, (struct surface_range){MIB, 2 * MIB}, NULL), 256);

    UNIT_EQ_I64("", pwrite(s.fd, "x", 1, 3 * MIB), 1);
    UNIT_EQ_U64("", good_of(&s, &data, (struct surface_range){0, SIZE}, NULL), 1280);
    UNIT_EQ_I64("", pwrite(s.fd, "x", 1, (off_t)SIZE - 1), 1);
    UNIT_EQ_I64("", surface_sample(&s, &data, (struct surface_range){0, SIZE}, &sampled, &err), 0);
    UNIT_EQ_U64("", sampled.blocks, 10);
    UNIT_TRUE("the last is always among them", sampled.good < 10);
    close_fd(&s.fd);
}

static void test_from_the_middle(void)
{
    struct stop stop = {0};
    struct surface s = on_file(&stop);
    struct saved saved = {.done = 2 * MIB};
    const struct surface_data data = {.key = 7};
    const struct surface_write w = {
        .data = data, .from = 2 * MIB, .step = "fill", .save = save, .save_ctx = &saved};
    const struct surface_data zeroes = {.zeroes = true};
    struct err err = {0};

    UNIT_EQ_I64(err.text, surface_write(&s, &w, &err), 0);
    UNIT_EQ_U64("not before", good_of(&s, &zeroes, (struct surface_range){0, 2 * MIB}, NULL), 512);
    UNIT_EQ_U64("", good_of(&s, &data, (struct surface_range){2 * MIB, SIZE}, NULL), 769);
    close_fd(&s.fd);
}

static void test_stopped(void)
{
    struct stop stop = {0};
    struct surface s = on_file(&stop);
    struct saved saved = {.stop = &stop};
    const struct surface_data data = {.key = 7};
    const struct surface_write w = {.data = data, .step = "fill", .save = save, .save_ctx = &saved};
    struct err err = {0};
    const int rc = surface_write(&s, &w, &err);

    /* Others may have taken all chunks before it was asked. */
    UNIT_TRUE("", rc == 0 || err.kind == ERR_INTERRUPTED);
    UNIT_TRUE("", (rc == 0) == (saved.done == SIZE));
    atomic_store(&stop.level, 0);
    if (saved.done > 0)
        UNIT_EQ_U64("what is said to be done is there",
                    good_of(&s, &data, (struct surface_range){0, saved.done}, NULL),
                    (saved.done + 4095) / 4096);
    stop_ask(&stop);
    saved = (struct saved){.done = 0};
    UNIT_EQ_I64("before it began", surface_write(&s, &w, &err), -1);
    UNIT_EQ_I64("", err.kind, ERR_INTERRUPTED);
    UNIT_EQ_U64("", saved.done, 0);
    close_fd(&s.fd);
}

static void test_failures(void)
{
    struct stop stop = {0};
    struct surface s = on_file(&stop);
    struct saved saved = {.fail_at = 1};
    const struct surface_write w = {
        .data = {.key = 7}, .step = "fill", .save = save, .save_ctx = &saved};
    struct err err = {0};
    int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

    UNIT_EQ_I64("", surface_write(&s, &w, &err), -1);
    UNIT_EQ_STR("", err.text, "no room for the record");
    close_fd(&s.fd);
    s.fd = fd;
    saved = (struct saved){.done = 0};
    UNIT_EQ_I64("", surface_write(&s, &w, &err), -1);
    UNIT_TRUE(err.text, strstr(err.text, "writing at byte ") != NULL);
    UNIT_EQ_I64("", err.kind, ERR_SURROUNDINGS);
    close_fd(&s.fd);
}

/* So large that few are needed, and so small that none takes long. */
static void test_discard_pieces(void)
{
    static const struct {
        const char *what;
        uint64_t ns_per_mib, want_mib; /* in the end */
    } rows[] = {
        {"1 TiB in 10 s", 10 * 1000, 1024},
        {"1 GiB in 4 s", 4 * 1000 * 1000, 64},
        {"1 GiB in 400 s", 400 * 1000 * 1000, 4},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        uint64_t piece = 64 * MIB;

        for (int k = 0; k < 20; k++)
            piece = surface_discard_piece(piece, piece / MIB * rows[i].ns_per_mib);
        UNIT_EQ_U64(rows[i].what, piece / MIB, rows[i].want_mib);
    }
}

static const struct unit_test tests[] = {
    {"whole_and_sampled", test_whole_and_sampled},
    {"from_the_middle", test_from_the_middle},
    {"stopped", test_stopped},
    {"failures", test_failures},
    {"discard_pieces", test_discard_pieces},
};
const struct unit_suite surface_suite = UNIT_SUITE("surface", tests);
