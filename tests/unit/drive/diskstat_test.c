/*
 * drive/diskstat: lines of every kernel's length, wraps, replaced devices, sums, iostat's formulas.
 */
#include "drive/diskstat.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsroot.h"
#include "base/rng.h"
#include "harness/unit.h"

#define LINE11 "  11 12 13 14 15 16 17 18 19 20 21"
#define LINE15 LINE11 " 22 23 24 25"
#define LINE17 LINE15 " 26 27"

static struct diskstat parsed(const char *line)
{
    struct diskstat s;
    struct err err = {0};

    if (!UNIT_EQ_I64(line, diskstat_parse(line, &s, &err), 0))
        memset(&s, 0, sizeof(s));
    return s;
}

static void test_fields(void)
{
    const struct diskstat s = parsed(LINE17 "\n");
    const uint64_t want[] = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27};
    const uint64_t got[] = {
        s.reads,         s.reads_merged,  s.read_sectors,    s.read_ms,         s.writes,
        s.writes_merged, s.write_sectors, s.write_ms,        s.in_flight,       s.busy_ms,
        s.queue_ms,      s.discards,      s.discards_merged, s.discard_sectors, s.discard_ms,
        s.flushes,       s.flush_ms,
    };

    for (size_t i = 0; i < ARRAY_LEN(want); i++)
        UNIT_EQ_U64("in the kernel's order", got[i], want[i]);
}

static void test_lengths(void)
{
    static const struct {
        const char *line;
        bool ok, has_discard, has_flush;
    } rows[] = {
        {LINE11, true, false, false},
        {LINE15, true, true, false},
        {LINE17, true, true, true},
        {LINE17 " 28", true, true, true},
        {LINE17 " 28 29 30 31", true, true, true},
        {"1 2 3 4", false, false, false},
        {"1 2 3 4 5 6 7 8 9 10", false, false, false},
        {LINE11 " 1", false, false, false},
        {LINE11 " 1 2 3", false, false, false},
        {LINE15 " 1", false, false, false},
        {"", false, false, false},
        {"\n", false, false, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct diskstat s;
        struct err err = {0};
        const int rc = diskstat_parse(rows[i].line, &s, &err);

        UNIT_EQ_I64(rows[i].line, rc, rows[i].ok ? 0 : -1);
        if (rc == 0) {
            UNIT_EQ_I64(rows[i].line, s.has_discard, rows[i].has_discard);
            UNIT_EQ_I64(rows[i].line, s.has_flush, rows[i].has_flush);
        } else {
            UNIT_TRUE(rows[i].line, err.kind == ERR_SURROUNDINGS && strlen(err.text) > 10);
        }
    }
}

static void test_garbage(void)
{
    static const char *const rows[] = {
        "x 2 3 4 5 6 7 8 9 10 11",
        "-1 2 3 4 5 6 7 8 9 10 11",
        "1 2 3 4 5 6 7 8 9 10 11x",
        "1 2 3 4 5 6 7 8 9 10 1.5",
        "1 2 3 4 5 6 7 8 9 10 0x11",
        "1 2 3 4 5 6 7 8 9 10 11\n1",
        "1 2 3 4 5 6 7 8 9 10 18446744073709551616",
        "1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11",
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct diskstat s;

        UNIT_EQ_I64(rows[i], diskstat_parse(rows[i], &s, NULL), -1);
    }
    UNIT_EQ_U64("the largest number", parsed("18446744073709551615 2 3 4 5 6 7 8 9 10 11").reads,
                UINT64_MAX);
}

static void test_delta(void)
{
    const struct diskstat a = parsed("10 1 80 5 20 2 160 7 3 9 12 1 0 8 1 4 2");
    const struct diskstat b = parsed("15 1 88 9 29 4 260 8 1 11 17 3 1 16 2 9 4");
    struct disk_delta d;

    UNIT_TRUE("", disk_delta_between(&a, &b, NS_PER_S, &d));
    UNIT_EQ_U64("", d.ns, NS_PER_S);
    UNIT_EQ_U64("", d.by.reads, 5);
    UNIT_EQ_U64("", d.by.read_sectors, 8);
    UNIT_EQ_U64("", d.by.read_ms, 4);
    UNIT_EQ_U64("", d.by.writes_merged, 2);
    UNIT_EQ_U64("the gauge is the later one", d.by.in_flight, 1);
    UNIT_EQ_U64("", d.by.queue_ms, 5);
    UNIT_EQ_U64("", d.by.discard_sectors, 8);
    UNIT_EQ_U64("", d.by.flushes, 5);
}

/* The fields printed as 32 bits: 4, 8, 10, 11, 15, 17. All others must not go back. */
static void test_wraps_and_replaced(void)
{
    static const bool wraps[17] = {
        [3] = true, [7] = true, [9] = true, [10] = true, [14] = true, [16] = true};

    for (int field = 0; field < 17; field++) {
        char before[512] = "";
        char after[512] = "";
        char what[32];
        struct diskstat a, b;
        struct disk_delta d;
        bool same;

        snprintf(what, sizeof(what), "field %d", field + 1);
        for (int i = 0; i < 17; i++) {
            const size_t n = strlen(before), m = strlen(after);

            snprintf(before + n, sizeof(before) - n, "%s ", i == field ? "4294967290" : "100");
            snprintf(after + m, sizeof(after) - m, "%s ", i == field ? "4" : "100");
        }
        a = parsed(before);
        b = parsed(after);
        same = disk_delta_between(&a, &b, NS_PER_S, &d);
        if (field == 8) /* the gauge goes where it likes */
            UNIT_TRUE(what, same && d.by.in_flight == 4);
        else
            UNIT_EQ_I64(what, same, wraps[field]);
        if (wraps[field]) {
            const uint64_t sum = d.by.read_ms + d.by.write_ms + d.by.busy_ms + d.by.queue_ms +
                                 d.by.discard_ms + d.by.flush_ms;

            UNIT_EQ_U64(what, sum, 10);
        }
    }
}

static void test_fields_that_come_or_go(void)
{
    const struct diskstat a = parsed(LINE15);
    const struct diskstat b = parsed(LINE17);
    struct disk_delta d;

    UNIT_TRUE("", !disk_delta_between(&a, &b, NS_PER_S, &d));
    UNIT_TRUE("", !disk_delta_between(&b, &a, NS_PER_S, &d));
}

/* Property: the deltas of any cut of a span add up to the delta of the whole, also over wraps. */
static void test_deltas_add_up(void)
{
    const uint64_t seed = 20261130;
    struct rng r = rng_at(rng_key(seed, 1));

    for (int round = 0; round < 200; round++) {
        struct diskstat first, last, now;
        struct disk_delta sum = {0}, d, whole;
        const int steps = (int)rng_uniform(&r, 1, 20);
        uint64_t queue_ms = 4294967000u;
        char what[64];

        snprintf(what, sizeof(what), "seed %" PRIu64 " round %d", seed, round);
        first = parsed("0 0 0 4294967000 0 0 0 0 0 0 4294967000 0 0 0 0 0 0");
        last = first;
        now = first;
        for (int i = 0; i < steps; i++) {
            const uint64_t by = (uint64_t)rng_uniform(&r, 0, 1000);

            now.reads += by;
            now.write_sectors += 8 * by;
            queue_ms += by;
            now.queue_ms = (uint32_t)queue_ms;
            now.in_flight = by;
            UNIT_TRUE(what, disk_delta_between(&last, &now, NS_PER_S + by, &d));
            disk_delta_add(&sum, &d);
            last = now;
        }
        UNIT_TRUE(what, disk_delta_between(&first, &last, sum.ns, &whole));
        UNIT_TRUE(what, memcmp(&sum, &whole, sizeof(sum)) == 0);
    }
}

static void test_sum_lacks_what_a_part_lacks(void)
{
    struct disk_delta sum = {.ns = 1, .by = {.flushes = 1, .has_flush = true}};
    const struct disk_delta d = {.ns = 1, .by = {.has_discard = true}};

    disk_delta_add(&sum, &d);
    UNIT_TRUE("", !sum.by.has_flush);
    UNIT_TRUE("", !sum.by.has_discard);
}

/* Formulas of iostat (sysstat 12.7.9), with numbers that were worked out by hand. */
static void test_rates(void)
{
    const struct diskstat a = parsed("0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0");
    const struct diskstat b = parsed("100 50 8192 400 200 0 4096 100 7 1500 3000 4 4 2048 6 10 30");
    struct disk_delta d;
    struct disk_rates r;
    struct disk_merge_rates m;

    UNIT_TRUE("", disk_delta_between(&a, &b, 2 * NS_PER_S, &d));
    disk_rates_of(&d, &r);
    UNIT_NEAR("r/s", r.reads_per_s, 50, 1e-9);
    UNIT_NEAR("w/s", r.writes_per_s, 100, 1e-9);
    UNIT_NEAR("d/s", r.discards_per_s, 2, 1e-9);
    UNIT_NEAR("f/s", r.flushes_per_s, 5, 1e-9);
    UNIT_NEAR("8192 sectors are 4 MiB", r.read_mib_per_s, 2, 1e-9);
    UNIT_NEAR("", r.write_mib_per_s, 1, 1e-9);
    UNIT_NEAR("", r.discard_mib_per_s, 0.5, 1e-9);
    UNIT_NEAR("r_await", r.read_await_ms, 4, 1e-9);
    UNIT_NEAR("w_await", r.write_await_ms, 0.5, 1e-9);
    UNIT_NEAR("d_await", r.discard_await_ms, 1.5, 1e-9);
    UNIT_NEAR("f_await", r.flush_await_ms, 3, 1e-9);
    UNIT_NEAR("aqu-sz", r.queue, 1.5, 1e-9);
    UNIT_NEAR("%util", r.busy_percent, 75, 1e-9);
    UNIT_NEAR("rareq-sz", r.read_kib_avg, 40.96, 1e-9);
    UNIT_NEAR("wareq-sz", r.write_kib_avg, 10.24, 1e-9);
    UNIT_NEAR("dareq-sz", r.discard_kib_avg, 256, 1e-9);
    disk_merge_rates_of(&d, &m);
    UNIT_NEAR("rrqm/s", m.reads_per_s, 25, 1e-9);
    UNIT_NEAR("%rrqm", m.read_percent, 100.0 / 3, 1e-9);
    UNIT_NEAR("wrqm/s", m.writes_per_s, 0, 1e-9);
    UNIT_NEAR("%wrqm", m.write_percent, 0, 1e-9);
    UNIT_NEAR("drqm/s", m.discards_per_s, 2, 1e-9);
    UNIT_NEAR("%drqm", m.discard_percent, 50, 1e-9);
}

static void test_what_does_not_exist(void)
{
    struct disk_delta d = {.ns = NS_PER_S};
    struct disk_rates r;
    struct disk_merge_rates m;

    disk_rates_of(&d, &r);
    disk_merge_rates_of(&d, &m);
    UNIT_NEAR("idle is 0", r.reads_per_s, 0, 0);
    UNIT_NEAR("idle is 0", r.busy_percent, 0, 0);
    UNIT_TRUE("no read, no await", isnan(r.read_await_ms));
    UNIT_TRUE("no write, no size", isnan(r.write_kib_avg));
    UNIT_TRUE("no read, no share of merged ones", isnan(m.read_percent));
    UNIT_TRUE("no field", isnan(r.flushes_per_s));
    UNIT_TRUE("no field", isnan(r.discards_per_s));
    UNIT_TRUE("no field", isnan(r.discard_mib_per_s));
    UNIT_TRUE("no field", isnan(m.discards_per_s));

    d.by.has_flush = true;
    d.by.has_discard = true;
    disk_rates_of(&d, &r);
    UNIT_NEAR("a field of 0", r.flushes_per_s, 0, 0);
    UNIT_TRUE("no flush", isnan(r.flush_await_ms));

    d.ns = 0;
    disk_rates_of(&d, &r);
    UNIT_TRUE("no time", isnan(r.reads_per_s));
    UNIT_TRUE("no time", isnan(r.busy_percent));
    UNIT_TRUE("no time", isnan(r.queue));
}

static void test_busy_is_capped(void)
{
    const struct disk_delta d = {.ns = NS_PER_S, .by = {.busy_ms = 1004}};
    struct disk_rates r;

    disk_rates_of(&d, &r);
    UNIT_NEAR("", r.busy_percent, 100, 0);
}

static void test_plausible(void)
{
    static const struct {
        const char *what;
        struct disk_delta d;
        bool plausible;
    } rows[] = {
        {"idle", {.ns = NS_PER_S}, true},
        {"no time", {.ns = 0, .by = {.reads = 5}}, true},
        {"a fast array: 100 GiB/s, 40 M/s",
         {.ns = NS_PER_S,
          .by = {.reads = 40000000, .read_sectors = 209715200, .read_ms = 40000000}},
         true},
        {"a whole drive discarded at once",
         {.ns = NS_PER_S,
          .by = {.discards = 1, .discard_sectors = UINT64_C(1) << 40, .has_discard = true}},
         true},
        {"requests", {.ns = NS_PER_S, .by = {.writes = UINT64_C(1) << 40}}, false},
        {"bytes", {.ns = NS_PER_S, .by = {.reads = 1, .read_sectors = UINT64_C(1) << 40}}, false},
        {"bytes", {.ns = NS_PER_S, .by = {.writes = 1, .write_sectors = UINT64_MAX}}, false},
        {"await of 49 days", {.ns = NS_PER_S, .by = {.reads = 1, .read_ms = UINT32_MAX}}, false},
        {"await of 49 days", {.ns = NS_PER_S, .by = {.writes = 1, .write_ms = UINT32_MAX}}, false},
        {"flushes",
         {.ns = NS_PER_S, .by = {.flushes = UINT64_C(1) << 33, .has_flush = true}},
         false},
        {"queue", {.ns = NS_PER_MS, .by = {.queue_ms = UINT32_MAX}}, false},
        {"merged", {.ns = NS_PER_S, .by = {.reads_merged = UINT64_C(1) << 40}}, false},
        {"await of 49 days",
         {.ns = NS_PER_S, .by = {.flushes = 1, .flush_ms = UINT32_MAX, .has_flush = true}},
         false},
        {"queue time back by 1 ms in a second",
         {.ns = NS_PER_S, .by = {.queue_ms = UINT32_MAX}},
         false},
        {"busy time back by 10 s in a minute",
         {.ns = 60 * NS_PER_S, .by = {.busy_ms = UINT32_MAX - 9999}},
         false},
        {"read time back, many reads",
         {.ns = NS_PER_S, .by = {.reads = 40000000, .read_ms = UINT32_MAX}},
         false},
        {"a queue of 300 for three hours",
         {.ns = 10800 * NS_PER_S, .by = {.queue_ms = 3240000000}},
         true},
        {"1,024 requests end that were stuck for a quarter of an hour",
         {.ns = NS_PER_S, .by = {.writes = 1024, .write_ms = 921600000, .queue_ms = 921600000}},
         true},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        UNIT_EQ_I64(rows[i].what, disk_delta_plausible(&rows[i].d), rows[i].plausible);
}

static void test_read(void)
{
    char path[] = "/tmp/diskstat_test.XXXXXX";
    int fd = mkstemp(path);
    struct diskstat s;
    struct err err = {0};
    char big[600];

    UNIT_TRUE("", fd >= 0);
    UNIT_TRUE("", pwrite(fd, LINE17 "\n", strlen(LINE17 "\n"), 0) > 0);
    UNIT_EQ_I64("", diskstat_read(fd, &s, &err), 0);
    UNIT_EQ_U64("", s.reads, 11);
    UNIT_EQ_I64("again from the start", diskstat_read(fd, &s, &err), 0);
    UNIT_TRUE("", ftruncate(fd, 0) == 0);
    UNIT_EQ_I64("empty", diskstat_read(fd, &s, &err), -1);
    memset(big, ' ', sizeof(big));
    UNIT_TRUE("", pwrite(fd, big, sizeof(big), 0) > 0);
    UNIT_EQ_I64("too long", diskstat_read(fd, &s, &err), -1);
    UNIT_TRUE("", ftruncate(fd, 0) == 0 && pwrite(fd, LINE17 "\0x", strlen(LINE17) + 2, 0) > 0);
    UNIT_EQ_I64("zero byte", diskstat_read(fd, &s, &err), -1);
    close_fd(&fd);
    UNIT_EQ_I64("closed", diskstat_read(fd, &s, &err), -1);
    UNIT_EQ_I64("", err.sys_errno, EBADF);
    unlink(path);
}

static const struct unit_test tests[] = {
    {"fields", test_fields},
    {"lengths", test_lengths},
    {"garbage", test_garbage},
    {"delta", test_delta},
    {"wraps and replaced", test_wraps_and_replaced},
    {"fields that come or go", test_fields_that_come_or_go},
    {"deltas add up", test_deltas_add_up},
    {"sum lacks what a part lacks", test_sum_lacks_what_a_part_lacks},
    {"rates", test_rates},
    {"what does not exist", test_what_does_not_exist},
    {"busy is capped", test_busy_is_capped},
    {"plausible", test_plausible},
    {"read", test_read},
};

const struct unit_suite diskstat_suite = UNIT_SUITE("diskstat", tests);
