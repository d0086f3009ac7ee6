/*
 * result/drive_set: which devices the drive is, and their figures together; that rounds, the
 * limit's evidence and the verdict's sums go by it.
 */
#include "result/drive_set.h"

#include <math.h>
#include <string.h>

#include "harness/unit.h"
#include "result/limit.h"
#include "result/made_result.h"
#include "result/rounds.h"

/* Data on nvme0n1p1 and sdb, WAL on sdc; leaves beneath. */
static void make(struct result *r)
{
    static const char *const names[] = {"nvme0n1p1", "nvme0n1", "sdb", "sdc"};

    result_init(r);
    for (int i = 0; i < 4; i++)
        made_device(r, names[i], i == 1 ? "leaf" : "filesystem");
    series_release(&r->series);
    series_init(&r->series, 4);
    r->sample.devices[0] = made_rates(1);
    r->sample.devices[1] = made_rates(1);
    r->sample.devices[2] = made_rates(2);
    r->sample.devices[3] = made_rates(1);
    r->sample.devices[3].reads_per_s = 0;
    r->sample.devices[3].read_mib_per_s = 0;
    r->sample.devices[3].read_await_ms = RESULT_NONE;
    r->sample.devices[2].write_await_ms = 0.625;
}

static void test_which(void)
{
    struct result r;
    struct drive_set s;

    make(&r);
    s = drive_set_of(&r, 4);
    UNIT_TRUE("", s.known && s.n == 3 && s.at[0] == 0 && s.at[1] == 2 && s.at[2] == 3);
    UNIT_EQ_I64("no further than there are figures", drive_set_of(&r, 3).n, 2);
    for (int i = 0; i < 4; i++)
        r.drive.devices.at[i].summed = false;
    s = drive_set_of(&r, 4);
    UNIT_TRUE("a result that does not say", s.known && s.n == 1 && s.at[0] == 0);
    for (int i = 0; i < 4; i++)
        memcpy(r.drive.devices.at[i].role, "leaf", sizeof("leaf"));
    s = drive_set_of(&r, 4);
    UNIT_TRUE("leaves only", !s.known && s.n == 1 && s.at[0] == 0);
    UNIT_EQ_I64("none", drive_set_of(&r, 0).n, 0);
    result_release(&r);
}

static void test_together(void)
{
    struct result r;
    struct drive_set s;
    struct result_rates sum;

    make(&r);
    s = drive_set_of(&r, 4);
    sum = drive_set_rates(&s, r.sample.devices);
    UNIT_NEAR("", sum.reads_per_s, 3 * 1250.5, 1e-9);
    UNIT_NEAR("", sum.writes_per_s, 4 * 2100.25, 1e-9);
    UNIT_NEAR("", sum.write_mib_per_s, 4 * 31.5, 1e-9);
    UNIT_NEAR("", sum.queue, 4 * 0.375, 1e-12);
    UNIT_NEAR("without requests there is no await", sum.read_await_ms, 0.125, 1e-12);
    UNIT_NEAR("half of all writes", sum.write_await_ms, (0.0625 + 0.625) / 2, 1e-12);
    UNIT_NEAR("the busiest", sum.busy_percent, 45, 0);
    r.sample.devices[2].flushes_per_s = RESULT_NONE;
    r.sample.devices[0].busy_percent = RESULT_NONE;
    sum = drive_set_rates(&s, r.sample.devices);
    UNIT_TRUE("a figure that one lacks", isnan(sum.flushes_per_s) && isnan(sum.flush_await_ms));
    UNIT_TRUE("", isnan(sum.busy_percent) && sum.reads_per_s > 0);
    s.n = 0;
    UNIT_TRUE("no device", isnan(drive_set_rates(&s, r.sample.devices).queue));
    result_release(&r);
}

static void add_row(struct result *r, double time_s)
{
    struct series_row *row = series_push(&r->series);

    row->time_s = time_s;
    for (int i = 0; i < 4; i++) {
        row->device[i] = made_rates(i + 1);
        row->device[i].write_await_ms = i + 1;
    }
}

static void test_those_who_go_by_it(void)
{
    struct result r;
    struct result_moved moved;
    struct piece piece;
    struct limit_finding f;

    make(&r);
    add_row(&r, 1);
    add_row(&r, 2);
    UNIT_TRUE("", result_devices_moved(&r, &moved));
    UNIT_NEAR("", moved.write, 4 * 31.5, 1e-9);
    piece = rounds_piece(&r, 0, 2);
    UNIT_NEAR("", piece.value[STEADY_WRITE_MIB], 8 * 31.5, 1e-9);
    UNIT_NEAR("", piece.value[STEADY_WRITE_AWAIT], (1.0 + 9 + 16) / 8, 1e-9);
    UNIT_EQ_I64("", rounds_bytes_written(&r, 2), 2 * 8 * 63 * 1048576 / 2);
    r.sample.seconds = 240;
    r.sample.transactions = 1000;
    for (int c = 0; c < WAIT_CLASSES; c++)
        r.sample.server.wait_percent[c] = 0;
    r.sample.server.wait_percent[WAIT_WRITE] = 80;
    f = limit_find(&r);
    UNIT_TRUE(f.evidence, strstr(f.evidence, "the drive: 8401 writes a second, 0.34 ms each"));
    result_release(&r);
}

static const struct unit_test tests[] = {
    {"which devices", test_which},
    {"their figures together", test_together},
    {"rounds, limit and verdict go by it", test_those_who_go_by_it},
};
const struct unit_suite drive_set_suite = UNIT_SUITE("drive_set", tests);
