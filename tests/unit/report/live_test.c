/*
 * report/live: what a terminal and what a file gets, on a memory stream. A small terminal with
 * just the sequences that the view may use replays the bytes, so that what stands on the screen is
 * compared and not how it got there.
 */
#include "report/live.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "harness/unit.h"
#include "report/cell.h"
#include "report/live_text.h"
#include "result/made_result.h"

enum { SCREEN_ROWS = 60, SCREEN_COLUMNS = 80 };

struct screen {
    char cell[SCREEN_ROWS][SCREEN_COLUMNS + 1];
    int row, column, used;
};

static void erase_line(struct screen *s, int row, int from)
{
    memset(s->cell[row] + from, 0, sizeof(s->cell[row]) - (size_t)from);
}

/* "\033[" number letter; returns what stands behind. */
static const char *control(struct screen *s, const char *at)
{
    char digits[8] = "";
    size_t n = strspn(at, "0123456789");
    uint64_t number = 1;

    CU_ASSERT_FATAL(n < sizeof(digits));
    memcpy(digits, at, n);
    if (n > 0)
        CU_ASSERT_FATAL(units_parse_u64(digits, &number, NULL) == 0);
    at += n;
    if (*at == 'A') {
        UNIT_TRUE("never above the top", (int)number <= s->row);
        s->row -= (int)number;
    } else if (*at == 'K') {
        erase_line(s, s->row, s->column);
    } else if (*at == 'J') {
        erase_line(s, s->row, s->column);
        for (int row = s->row + 1; row < SCREEN_ROWS; row++)
            erase_line(s, row, 0);
    } else {
        UNIT_TRUE(at, false);
    }
    return at + 1;
}

static void show(struct screen *s, const char *bytes)
{
    memset(s, 0, sizeof(*s));
    for (const char *at = bytes; *at;) {
        if (at[0] == '\033' && at[1] == '[') {
            at = control(s, at + 2);
            continue;
        }
        if (*at == '\n') {
            s->row++;
            s->column = 0;
        } else {
            CU_ASSERT_FATAL(s->column < SCREEN_COLUMNS - 1); /* the last column would wrap */
            s->cell[s->row][s->column++] = *at;
        }
        CU_ASSERT_FATAL(s->row < SCREEN_ROWS);
        at++;
    }
    s->used = s->row;
    while (s->used > 0 && !s->cell[s->used - 1][0])
        s->used--;
}

/* A stream into memory with a view on it. */
struct rig {
    char *bytes;
    size_t size;
    FILE *out;
    struct live *live;
    struct result r;
};

static void rig_init(struct rig *rig, int columns)
{
    rig->bytes = NULL;
    rig->out = open_memstream(&rig->bytes, &rig->size);
    CU_ASSERT_FATAL(rig->out != NULL);
    rig->live = columns ? live_new_terminal(rig->out, columns) : live_new(rig->out, false, false);
    made_result(&rig->r);
}

static void rig_release(struct rig *rig)
{
    live_free(rig->live);
    (void)fclose(rig->out);
    free(rig->bytes);
    result_release(&rig->r);
}

static void interval(struct rig *rig, const char *phase, size_t i)
{
    const struct live_moment m = {
        .phase = phase, .phase_left_ns = 250 * NS_PER_S, .run_left_ns = 310 * NS_PER_S};

    live_interval(rig->live, &m, &rig->r, series_at(&rig->r.series, i));
}

static void progress(struct rig *rig, const char *step, uint64_t done, uint64_t now_ns)
{
    const struct progress p = {
        .step = step, .unit = "rows", .done = done, .total = 1000000, .elapsed_ns = now_ns};

    live_progress(rig->live, &p, now_ns);
}

static void test_block_redraws(void)
{
    struct rig rig;
    struct screen s;

    rig_init(&rig, 80);
    live_say(rig.live, "starting");
    interval(&rig, "sample", 3);
    live_say(rig.live, "a checkpoint");
    interval(&rig, "sample", 4);
    show(&s, rig.bytes);
    UNIT_EQ_STR("", s.cell[0], "starting");
    UNIT_EQ_STR("", s.cell[1], "a checkpoint");
    UNIT_EQ_STR("", s.cell[2], "sample: 4m 10s left, run: 5m 10s left; 15,000 of 15,000 users");
    UNIT_EQ_STR("", s.cell[3], "TPS 510.0, 71.4 % of the ceiling 714.6");
    UNIT_EQ_STR("", s.cell[4],
                "response, ms: avg 3.25  p95 6.50  p99 11.2  max 40.8; queue 0, busy 3 of 72");
    UNIT_EQ_I64("", s.used, 10);
    UNIT_EQ_STR("", s.cell[6],
                "nvme0n1p1         6252  10501   1550   48.8  157.5  0.125  0.062  0.500   1.88");
    rig_release(&rig);
}

static void test_narrow_terminal(void)
{
    struct rig rig;
    struct screen s;

    rig_init(&rig, 30);
    interval(&rig, "sample", 3);
    interval(&rig, "sample", 4);
    show(&s, rig.bytes);
    UNIT_EQ_I64("", s.used, 8);
    UNIT_EQ_STR("", s.cell[1], "TPS 510.0, 71.4 % of the c...");
    rig_release(&rig);
}

static void test_end_leaves_the_block(void)
{
    struct rig rig;
    struct screen s;

    rig_init(&rig, 80);
    interval(&rig, "drain", 5);
    live_end(rig.live);
    live_say(rig.live, "report follows");
    show(&s, rig.bytes);
    UNIT_EQ_STR("", s.cell[8], "report follows");
    UNIT_TRUE("", strstr(s.cell[0], "drain: ") == s.cell[0]);
    rig_release(&rig);
}

static void test_rows_elsewhere(void)
{
    struct rig rig;

    rig_init(&rig, 0);
    interval(&rig, "precondition", 1);
    interval(&rig, "sample", 2);
    interval(&rig, "sample", 3);
    live_say(rig.live, "odd\033[2J");
    UNIT_EQ_STR("", rig.bytes,
                "precondition, 4m 10s left\n"
                "    s    TPS ceil% avg ms p95 ms p99 ms queue   r/s   w/s MiB/s  r-ms  w-ms   qd\n"
                "    2  510.0  71.4   3.25   6.50   11.2     0  2501  4200  82.5 0.125 0.062  0.8\n"
                "sample, 4m 10s left\n"
                "    s    TPS ceil% avg ms p95 ms p99 ms queue   r/s   w/s MiB/s  r-ms  w-ms   qd\n"
                "    3  510.0  71.4   3.25   6.50   11.2     0     -     -     -     -     -    -\n"
                "    4  510.0  71.4   3.25   6.50   11.2     0  5002  8401 165.0 0.125 0.062  1.5\n"
                "odd?[2J\n");
    rig_release(&rig);
}

/* The interval at whose end the sample begins is the last one of the precondition. */
static void test_rows_stand_under_their_own_phase(void)
{
    struct rig rig;

    rig_init(&rig, 0);
    series_at(&rig.r.series, 0)->phase = 1;
    series_at(&rig.r.series, 1)->phase = 1;
    series_at(&rig.r.series, 2)->phase = 2;
    interval(&rig, "precondition", 0);
    interval(&rig, "sample", 1);
    interval(&rig, "sample", 2);
    UNIT_EQ_STR(
        "", rig.bytes,
        "precondition, 4m 10s left\n"
        "    s    TPS ceil% avg ms p95 ms p99 ms queue   r/s   w/s MiB/s  r-ms  w-ms   qd\n"
        "    1  510.0  71.4   3.25   6.50   11.2     0  1250  2100  41.2 0.125 0.062  0.4\n"
        "    2  510.0  71.4   3.25   6.50   11.2     0  2501  4200  82.5 0.125 0.062  0.8\n"
        "sample, 4m 10s left\n"
        "    s    TPS ceil% avg ms p95 ms p99 ms queue   r/s   w/s MiB/s  r-ms  w-ms   qd\n"
        "    3  510.0  71.4   3.25   6.50   11.2     0     -     -     -     -     -    -\n");
    rig_release(&rig);
}

static void remove_devices(struct rig *rig)
{
    series_release(&rig->r.series);
    series_init(&rig->r.series, 0);
    rig->r.workload.ceiling_tps = RESULT_NONE;
    result_drop_devices(&rig->r, 0);
}

static void test_without_drive_and_ceiling(void)
{
    struct rig rig;
    struct series_row *row = NULL;

    rig_init(&rig, 0);
    remove_devices(&rig);
    row = series_push(&rig.r.series);
    row->time_s = 86400;
    row->phase = 2;
    row->tps_all = 0;
    interval(&rig, "sample", 0);
    UNIT_EQ_STR("none but the rate", rig.bytes,
                "sample, 4m 10s left\n"
                "    s    TPS ceil% avg ms p95 ms p99 ms queue\n"
                "86400    0.0     -      -      -      -     -\n");
    rig_release(&rig);
}

static void test_block_without_drive(void)
{
    struct rig rig;
    struct screen s;

    rig_init(&rig, 80);
    remove_devices(&rig);
    series_push(&rig.r.series)->tps_all = 1;
    interval(&rig, "sample", 0);
    show(&s, rig.bytes);
    UNIT_EQ_I64("", s.used, 6);
    UNIT_EQ_STR("", s.cell[3], "drive: no counters: no device");
    UNIT_EQ_STR("", s.cell[4], "TPS up to 1.00     @");
    UNIT_TRUE("none yet", strstr(s.cell[5], "p99 up to - ms ") == s.cell[5]);
    rig_release(&rig);
}

/* A row too short for rates: what stands there stays. */
static void test_a_sliver_is_not_shown(void)
{
    static const int columns[] = {0, 80};

    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        struct rig rig;
        size_t before = 0;

        rig_init(&rig, columns[i]);
        interval(&rig, "sample", 3);
        before = rig.size;
        series_at(&rig.r.series, 4)->tps_all = RESULT_NONE;
        interval(&rig, "drain", 4);
        UNIT_EQ_U64("nothing new", rig.size, before);
        rig_release(&rig);
    }
}

static void test_steps_on_a_terminal(void)
{
    struct rig rig;
    struct screen s;
    size_t before = 0;

    rig_init(&rig, 80);
    progress(&rig, "load", 0, 0);
    before = rig.size;
    progress(&rig, "load", 100000, NS_PER_S / 10);
    UNIT_EQ_U64("thinned out", rig.size, before);
    progress(&rig, "load", 250000, 5 * NS_PER_S);
    show(&s, rig.bytes);
    UNIT_EQ_STR("", s.cell[0],
                "load      [###.........]  25 %, 15 s left, 250,000 of 1,000,000 rows, 50,000/s");
    progress(&rig, "load", 1000000, 20 * NS_PER_S);
    progress(&rig, "load", 1000000, 30 * NS_PER_S);
    progress(&rig, "keys", 500000, 31 * NS_PER_S);
    interval(&rig, "ramp", 0);
    show(&s, rig.bytes);
    UNIT_EQ_STR("", s.cell[0], "load      [############] 100 %, in 20 s, 1,000,000 rows, 50,000/s");
    UNIT_EQ_STR("over, with what follows", s.cell[1], "keys      over after 31 s");
    UNIT_TRUE(s.cell[2], strstr(s.cell[2], "ramp: ") != NULL);
    rig_release(&rig);
}

static void test_steps_elsewhere(void)
{
    struct rig rig;
    const struct progress recovery = {
        .step = "recovery", .unit = "bytes", .done = 1500000000, .elapsed_ns = 15 * NS_PER_S};
    const struct progress connected = {
        .step = "connect", .unit = "sessions", .done = 16, .total = 16};

    rig_init(&rig, 0);
    for (uint64_t s = 0; s <= 25; s++)
        progress(&rig, "load", s * 40000, s * NS_PER_S);
    live_progress(rig.live, &recovery, 100 * NS_PER_S);
    live_progress(rig.live, &recovery, 111 * NS_PER_S);
    live_progress(rig.live, &connected, 112 * NS_PER_S);
    UNIT_EQ_STR("each 10 s and the end", rig.bytes,
                "load       40 %, 15 s left, 400,000 of 1,000,000 rows, 40,000/s\n"
                "load       80 %, 5 s left, 800,000 of 1,000,000 rows, 40,000/s\n"
                "load      100 %, in 25 s, 1,000,000 rows, 40,000/s\n"
                "recovery  15 s, 1.5 GB, 100 MB/s\n"
                "connect   100 %, 16 sessions\n");
    rig_release(&rig);
}

static void test_quiet(void)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);
    const struct progress p = {.step = "load", .unit = "rows", .done = 1, .total = 1};
    const struct live_moment m = {.phase = "sample"};
    struct live *live = live_new(out, false, true);
    struct result r;

    made_result(&r);
    live_progress(live, &p, 1);
    live_interval(live, &m, &r, series_at(&r.series, 0));
    live_say(live, "an error");
    live_end(live);
    live_free(live);
    (void)fclose(out);
    UNIT_EQ_STR("", bytes, "an error\n");
    free(bytes);
    result_release(&r);
}

static void test_sparks(void)
{
    const struct live_screen wide = {false, 79};
    const struct live_screen narrow = {false, 39};
    const struct live_screen none = {false, 10};
    const struct live_screen utf8 = {true, 79};
    struct live_sparks s = {.n = 0};
    struct series_row row = {.tps_all = 0, .p99_ms = 8};
    struct strbuf out;

    strbuf_init(&out);
    for (int i = 0; i <= 8; i++) {
        row.tps_all = i == 4 ? RESULT_NONE : i;
        live_sparks_add(&s, &row);
    }
    live_text_sparks(&s, &wide, &out);
    UNIT_EQ_STR("", out.buf, "TPS up to 8.00     ..:- +*#@\np99 up to 8.00 ms  @@@@@@@@@\n");
    for (int i = 0; i < 100; i++) {
        row.tps_all = i < 85 ? 100 : 50;
        live_sparks_add(&s, &row);
    }
    strbuf_reset(&out);
    live_text_sparks(&s, &narrow, &out);
    UNIT_EQ_STR(
        "the newest", out.buf,
        "TPS up to 100.0    @@@@@===============\np99 up to 8.00 ms  @@@@@@@@@@@@@@@@@@@@\n");
    strbuf_reset(&out);
    live_text_sparks(&s, &none, &out);
    UNIT_EQ_STR("no room", out.buf, "TPS up to -        \np99 up to - ms     \n");
    strbuf_reset(&out);
    live_text_sparks(&s, &wide, &out);
    UNIT_TRUE(out.buf, strstr(out.buf, "@@==") != NULL);
    UNIT_EQ_I64("in 80 columns", cell_width(out.buf), 2 * 80);
    strbuf_reset(&out);
    live_text_sparks(&s, &utf8, &out);
    UNIT_TRUE(out.buf, strstr(out.buf, "\u2588\u2584\u2584") != NULL);
    UNIT_EQ_I64("a column each", cell_width(out.buf), 2 * 80);
    strbuf_release(&out);
}

/* What was drawn wraps on a terminal that became narrower: it is drawn over nevertheless. */
static void test_resize(void)
{
    struct rig rig;
    size_t before = 0;

    rig_init(&rig, 80);
    interval(&rig, "sample", 3);
    before = rig.size;
    live_resize(rig.live, 40);
    interval(&rig, "sample", 4);
    /* 62, 38, 75, 78, 78, 78, 20 and 20 columns, of 40 */
    UNIT_TRUE(rig.bytes + before, strstr(rig.bytes + before, "\033[13A") == rig.bytes + before);
    before = rig.size;
    live_resize(rig.live, 80);
    interval(&rig, "sample", 3);
    UNIT_TRUE("eight clipped ones", strstr(rig.bytes + before, "\033[8A") == rig.bytes + before);
    rig_release(&rig);
}

static void test_colours(void)
{
    struct rig rig;

    rig_init(&rig, 80);
    series_at(&rig.r.series, 4)->errors = 2;
    live_look(rig.live, true, true);
    interval(&rig, "sample", 3);
    UNIT_TRUE("the phase", strstr(rig.bytes, "\033[1msample: 4m 10s left") == rig.bytes);
    UNIT_TRUE("no error", strstr(rig.bytes, "\033[31m") == NULL);
    interval(&rig, "sample", 4);
    UNIT_TRUE("errors", strstr(rig.bytes, "\033[31mTPS 510.0") != NULL);
    rig_release(&rig);
}

static void test_most_lines(void)
{
    struct rig rig;
    struct screen s;

    rig_init(&rig, 80);
    while (rig.r.drive.devices.n < 9)
        made_device(&rig.r, "sdx", "leaf");
    series_release(&rig.r.series);
    series_init(&rig.r.series, 9);
    series_push(&rig.r.series)->tps_all = 1;
    interval(&rig, "sample", 0);
    show(&s, rig.bytes);
    UNIT_EQ_I64("", s.used, LIVE_LINES_MAX);
    rig_release(&rig);
}

static const struct unit_test tests[] = {
    {"bars of the last intervals", test_sparks},
    {"a terminal that becomes narrower", test_resize},
    {"colours", test_colours},
    {"as many lines as there can be", test_most_lines},
    {"a block redraws, the log stands above", test_block_redraws},
    {"a narrow terminal", test_narrow_terminal},
    {"the end leaves the block", test_end_leaves_the_block},
    {"rows elsewhere", test_rows_elsewhere},
    {"rows stand under their own phase", test_rows_stand_under_their_own_phase},
    {"without drive and ceiling", test_without_drive_and_ceiling},
    {"a block without drive", test_block_without_drive},
    {"a sliver is not shown", test_a_sliver_is_not_shown},
    {"long steps on a terminal", test_steps_on_a_terminal},
    {"long steps elsewhere", test_steps_elsewhere},
    {"quiet", test_quiet},
};
const struct unit_suite live_suite = UNIT_SUITE("live", tests);
