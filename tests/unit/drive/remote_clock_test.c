/*
 * drive/remote_clock: what exchanges tell of another host's clock. Each series is made with a true
 * offset, a true time of reading and a clock there that is cut to ticks; what is said must hold.
 */
#include "drive/remote_clock.h"

#include "harness/unit.h"

#define MS INT64_C(1000000)
#define TICK_NS (10 * MS)

struct world {
    int64_t offset_ns; /* ours = its + offset */
    int64_t drift_ppm; /* how much faster ours runs */
    int64_t from_ns;   /* when the drift began, of ours */
    uint64_t tick_ns;
};

/* An exchange sent at `sent`, read there after `out` and answered after `back`. */
static struct remote_exchange exchange(const struct world *w, int64_t sent, int64_t out,
                                       int64_t back)
{
    const int64_t read = sent + out;
    const int64_t its = read - w->offset_ns - (read - w->from_ns) / 1000000 * w->drift_ppm;

    return (struct remote_exchange){
        .sent_ns = (uint64_t)sent,
        .received_ns = (uint64_t)(read + back),
        .remote_ns = (uint64_t)(its - its % (int64_t)w->tick_ns),
        .tick_ns = w->tick_ns,
    };
}

/* The time said is within what is said of it. */
static void expect_true(const struct remote_clock *c, const struct remote_exchange *x, int64_t read)
{
    uint64_t error = 0;
    const uint64_t at = remote_clock_read_at(c, x, &error);
    const int64_t off = (int64_t)at > read ? (int64_t)at - read : read - (int64_t)at;

    UNIT_TRUE("within its error", (uint64_t)off <= error + 1);
}

static void test_one_exchange(void)
{
    const struct world w = {.offset_ns = 5000 * MS, .tick_ns = TICK_NS};
    const struct remote_exchange x = exchange(&w, 9000 * MS, 3 * MS, 1 * MS);
    struct remote_clock c = {0};
    uint64_t error = 0;

    UNIT_TRUE("", remote_clock_learn(&c, &x));
    UNIT_EQ_U64("", c.round_trip_ns, 4 * MS);
    UNIT_TRUE("", c.low_ns <= w.offset_ns && w.offset_ns <= c.high_ns);
    UNIT_EQ_U64("in the middle", remote_clock_read_at(&c, &x, &error), 9002 * MS);
    UNIT_EQ_U64("half the round trip", error, 2 * MS);
}

/* Where the way is long and uneven the clock there tells more than the round trip. */
static void test_clock_beats_a_long_way(void)
{
    const struct world w = {.offset_ns = -70000 * MS, .tick_ns = TICK_NS};
    struct remote_clock c = {0};
    struct remote_exchange x;
    uint64_t error = 0;

    for (int64_t i = 0; i < 20; i++) {
        x = exchange(&w, 100000 * MS + i * 7 * MS, MS / 10, MS / 10);
        UNIT_TRUE("", remote_clock_learn(&c, &x));
        expect_true(&c, &x, 100000 * MS + i * 7 * MS + MS / 10);
    }
    UNIT_TRUE("known better than a tick", c.high_ns - c.low_ns < TICK_NS / 2);
    x = exchange(&w, 101000 * MS, 150 * MS, 20 * MS);
    UNIT_TRUE("", remote_clock_learn(&c, &x));
    expect_true(&c, &x, 101150 * MS);
    (void)remote_clock_read_at(&c, &x, &error);
    UNIT_TRUE("of 170 ms at most 9", error < (uint64_t)(9 * MS));
}

/* Three hours at what a steered clock may run off: no jump, and true all along. */
static void test_drift_is_no_jump(void)
{
    static const int64_t ppm[] = {-400, 0, 20, 400};

    for (size_t p = 0; p < ARRAY_LEN(ppm); p++) {
        const struct world w = {
            .offset_ns = 123456789, .drift_ppm = ppm[p], .from_ns = 50000 * MS, .tick_ns = TICK_NS};
        struct remote_clock c = {0};
        bool jumped = false;

        for (int64_t i = 0; i < 10800; i++) {
            const int64_t sent = (50000 + i * 1000) * MS;
            const int64_t out = (i * 37 % 11 + 1) * MS / 10;
            const struct remote_exchange x = exchange(&w, sent, out, MS / 5);

            jumped = jumped || !remote_clock_learn(&c, &x);
            expect_true(&c, &x, sent + out);
        }
        UNIT_TRUE("", !jumped);
    }
}

static void test_jumps(void)
{
    static const struct {
        const char *what;
        int64_t by_ns;
        bool jump;
    } rows[] = {
        {"a second ahead", -1000 * MS, true},
        {"a second back", 1000 * MS, true},
        {"started anew", 5000000 * MS, true},
        {"5 ms are drift", 5 * MS, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct world w = {.offset_ns = 1000 * MS, .tick_ns = TICK_NS};
        struct remote_clock c = {0};
        struct remote_exchange x;

        for (int64_t s = 0; s < 5; s++) {
            x = exchange(&w, (9000000 + s * 1000) * MS, MS, MS);
            UNIT_TRUE(rows[i].what, remote_clock_learn(&c, &x));
        }
        w.offset_ns += rows[i].by_ns;
        x = exchange(&w, 9005000 * MS, MS, MS);
        UNIT_EQ_I64(rows[i].what, remote_clock_learn(&c, &x), !rows[i].jump);
        expect_true(&c, &x, 9005001 * MS);
        x = exchange(&w, 9006000 * MS, MS, MS);
        UNIT_TRUE("the new one holds", remote_clock_learn(&c, &x));
        expect_true(&c, &x, 9006001 * MS);
    }
}

static void test_wall(void)
{
    struct remote_wall wall = {0};
    const uint64_t its = UINT64_C(1796072574000000000);
    struct remote_exchange x = {
        .sent_ns = 100, .received_ns = 100 + 8000000, .remote_ns = its, .tick_ns = 1};

    /* It was read in the middle of 8 ms, and ours is read at their end. */
    remote_wall_learn(&wall, &x, (int64_t)(its / 1000) + 4000 - 2500);
    UNIT_TRUE("", wall.known);
    UNIT_EQ_I64("", wall.ahead_ns, 2500000);
    UNIT_EQ_U64("", wall.error_ns, 4000000);
    x.received_ns = 100 + 9000000;
    remote_wall_learn(&wall, &x, 0);
    UNIT_EQ_I64("a longer one tells nothing", wall.ahead_ns, 2500000);
    x.received_ns = 100 + 2000000;
    remote_wall_learn(&wall, &x, (int64_t)(its / 1000) + 1000);
    UNIT_EQ_I64("a shorter one does", wall.ahead_ns, 0);
    UNIT_EQ_U64("", wall.error_ns, 1000000);
}

static const struct unit_test tests[] = {
    {"one exchange", test_one_exchange},
    {"clock beats a long way", test_clock_beats_a_long_way},
    {"drift is no jump", test_drift_is_no_jump},
    {"jumps", test_jumps},
    {"wall", test_wall},
};

const struct unit_suite remote_clock_suite = UNIT_SUITE("remote_clock", tests);
