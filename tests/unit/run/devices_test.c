/*
 * run/devices: counters of a made /sys joined with a run on a fake clock. A sample is taken at each
 * row's end, before the test is told of the row: so what it writes then is what the next one sees,
 * and of the first row both samples see the same.
 */
#include "run/devices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/tmpdir.h"
#include "rig.h"

#define ROWS_BEFORE 5 /* of the precondition */
#define SAMPLE_ROWS 20
#define GARBAGE_AT 12 /* what the sample at the end of this row reads */

/* What each does a second: reads of 8 KiB, writes of 4 KiB, flushes. */
struct load {
    const char *name;
    bool summed;
    unsigned reads, writes, flushes;
};

struct bench {
    struct rig rig;
    struct fsroot root;
    char *dir;
    struct load load[3];
    const char *garbage; /* what load[1] says at GARBAGE_AT */
    int samples;         /* written so far */
};

static struct bench *bench; /* the rig's callbacks know only the rig */

static void write_stat(const struct load *l, int seconds)
{
    const unsigned n = (unsigned)seconds;
    char path[64], line[160];

    snprintf(path, sizeof(path), "/sys/devices/%s/stat", l->name);
    snprintf(line, sizeof(line), "%u 0 %u %u %u 0 %u %u 0 %u %u 0 0 0 0 %u %u\n",
             1000 + n * l->reads, 5000 + 16 * n * l->reads, n * l->reads, 2000 + n * l->writes,
             9000 + 8 * n * l->writes, n * l->writes, n, n, 3000 + n * l->flushes, n);
    tmpdir_write(bench->dir, path, line);
}

static void write_stats(void)
{
    for (int i = 0; i < 3; i++)
        write_stat(&bench->load[i], bench->samples);
    if (bench->garbage && bench->samples == GARBAGE_AT) {
        char path[64];

        snprintf(path, sizeof(path), "/sys/devices/%s/stat", bench->load[1].name);
        tmpdir_write(bench->dir, path, bench->garbage);
    }
    bench->samples++;
}

static void on_interval(struct rig *r, const struct run_interval *iv)
{
    (void)r;
    (void)iv;
    write_stats();
}

static void make_device(struct bench *b, int i)
{
    const struct load *l = &b->load[i];
    const struct result_device d = {.name = xstrdup(l->name), .summed = l->summed};
    char path[64], target[64];

    VEC_PUSH(&b->rig.result.drive.devices, d);
    b->rig.devices[i] = l->name;
    snprintf(path, sizeof(path), "/sys/class/block/%s", l->name);
    snprintf(target, sizeof(target), "../../devices/%s", l->name);
    tmpdir_symlink(b->dir, path, target);
    snprintf(path, sizeof(path), "/sys/devices/%s/queue/iostats", l->name);
    tmpdir_write(b->dir, path, "1\n");
    if (l->flushes == 0)
        return;
    snprintf(path, sizeof(path), "/sys/devices/%s/mq", l->name);
    tmpdir_mkdir(b->dir, path);
}

static void bench_init(struct bench *b, const struct load *load)
{
    struct rig *r = &b->rig;

    memset(b, 0, sizeof(*b));
    bench = b;
    rig_init(r, 100);
    rig_cycle(r, NS_PER_S);
    r->plan.ramp_ns = NS_PER_S;
    r->plan.precondition_ns = ROWS_BEFORE * NS_PER_S;
    r->plan.sample_ns = SAMPLE_ROWS * NS_PER_S;
    r->plan.drain_ns = NS_PER_S;
    r->on_interval = on_interval;
    b->dir = tmpdir_new();
    fsroot_init(&b->root, b->dir);
    r->root = &b->root;
    memcpy(b->load, load, sizeof(b->load));
    for (int i = 0; i < 3; i++)
        make_device(b, i);
    r->n_devices = 3;
    write_stats();
}

static void bench_release(struct bench *b)
{
    rig_check(&b->rig);
    rig_release(&b->rig);
    fsroot_release(&b->root);
    tmpdir_free(b->dir);
}

/* Data on a partition, WAL on a drive of its own. */
static const struct load apart[3] = {
    {"sda", false, 100, 300, 40},
    {"sdb", true, 20, 200, 30},
    {"sda1", true, 90, 250, 0},
};

static struct result_rates rates_at(const struct result *r, size_t row, int device)
{
    return series_at(&r->series, row)->device[device];
}

/* The sample is 20 s of 100 users a second, less what they wait for; the devices' rates are even.
 */
static double per_txn(const struct result *r, double per_second)
{
    return per_second * SAMPLE_ROWS / (double)r->sample.transactions;
}

static void test_sum_of_two(void)
{
    struct bench b;
    const struct result *r = &b.rig.result;
    int64_t seconds;

    bench_init(&b, apart);
    rig_run(&b.rig);
    UNIT_NEAR("each for itself", r->sample.devices[0].writes_per_s, 300, 1e-9);
    UNIT_NEAR("", r->sample.devices[1].writes_per_s, 200, 1e-9);
    UNIT_NEAR("", r->sample.devices[2].read_mib_per_s, 90.0 / 128, 1e-9);
    UNIT_NEAR("not the disk again", r->sample.reads_per_txn, per_txn(r, 110), 1e-9);
    UNIT_NEAR("", r->sample.writes_per_txn, per_txn(r, 450), 1e-9);
    UNIT_NEAR("", r->sample.read_kib_per_txn, per_txn(r, 110 * 8), 1e-9);
    UNIT_NEAR("", r->sample.write_kib_per_txn, per_txn(r, 450 * 4), 1e-9);
    UNIT_TRUE("a partition counts none", isnan(r->sample.flushes_per_txn));
    seconds = r->run.bytes_written / (INT64_C(450) * 4096);
    UNIT_EQ_I64("whole seconds", r->run.bytes_written, seconds * 450 * 4096);
    UNIT_TRUE("of the whole run", seconds >= ROWS_BEFORE + SAMPLE_ROWS - 1);
    UNIT_NEAR("", r->sample.devices_missing_percent, 0, 0);
    UNIT_EQ_I64("", r->run.device_gaps, 0);
    UNIT_EQ_I64("", r->run.device_lost, 0);
    UNIT_EQ_U64("", b.rig.log_warnings, 0);
    bench_release(&b);
}

static void test_flushes(void)
{
    static const struct load drives[3] = {
        {"sda", true, 100, 300, 40},
        {"sdb", true, 20, 200, 30},
        {"sdc", false, 1, 1, 1},
    };
    struct bench b;

    bench_init(&b, drives);
    rig_run(&b.rig);
    UNIT_NEAR("", b.rig.result.sample.flushes_per_txn, per_txn(&b.rig.result, 70), 1e-9);
    bench_release(&b);
}

/* A result that does not say: the first. */
static void test_nothing_summed(void)
{
    struct load first[3];
    struct bench b;
    const struct result *r = &b.rig.result;

    memcpy(first, apart, sizeof(first));
    first[1].summed = first[2].summed = false;
    bench_init(&b, first);
    rig_run(&b.rig);
    UNIT_NEAR("", r->sample.writes_per_txn, per_txn(r, 300), 1e-9);
    UNIT_NEAR("", r->sample.flushes_per_txn, per_txn(r, 40), 1e-9);
    bench_release(&b);
}

/* A device whose counters say nonsense for a moment: two intervals without a figure, and no figure
 * of the whole is touched by it. */
static void test_garbage(void)
{
    static const char *const garbage[] = {
        "1 0 1 1 1 0 1 1 0 1 1 0 0 0 0 1 1\n",
        "9223372036854775807 0 9 9 9 0 9 9 0 9 9 0 0 0 0 9 9\n",
        "99999 0 999999999999 9 99999 0 999999999999 99999 0 99 99 0 0 0 0 99999 99\n",
    };

    for (size_t i = 0; i < ARRAY_LEN(garbage); i++) {
        struct bench b;
        const struct result *r = &b.rig.result;
        int64_t seconds;

        bench_init(&b, apart);
        b.garbage = garbage[i];
        rig_run(&b.rig);
        for (int row = 1; row < ROWS_BEFORE + SAMPLE_ROWS; row++) {
            const struct result_rates d = rates_at(r, (size_t)row, 1);
            const bool gap = row == GARBAGE_AT || row == GARBAGE_AT + 1;

            if (gap)
                UNIT_TRUE("a gap", isnan(d.writes_per_s) && isnan(d.queue));
            else
                UNIT_NEAR("a figure", d.writes_per_s, 200, 1e-9);
            UNIT_NEAR("the other", rates_at(r, (size_t)row, 0).writes_per_s, 300, 1e-9);
        }
        UNIT_NEAR("", r->sample.devices[1].writes_per_s, 200, 1e-9);
        UNIT_NEAR("without the transactions of the gap", r->sample.writes_per_txn, 4.5, 0.3);
        seconds = r->run.bytes_written / (INT64_C(450) * 4096);
        UNIT_EQ_I64("across the gap", r->run.bytes_written, seconds * 450 * 4096);
        UNIT_TRUE("of the whole run", seconds >= ROWS_BEFORE + SAMPLE_ROWS - 1);
        UNIT_NEAR("two of twenty", r->sample.devices_missing_percent, 10, 1e-9);
        UNIT_EQ_I64("", r->run.device_gaps, 1);
        UNIT_EQ_I64("", r->run.device_lost, 0);
        UNIT_TRUE("said", b.rig.log_warnings >= 1);
        bench_release(&b);
    }
}

/* Half an interval that is left at the sample's end has no sample, and misses none. */
static void test_off_the_grid(void)
{
    struct bench b;

    bench_init(&b, apart);
    b.rig.plan.sample_ns += NS_PER_S / 2;
    b.rig.plan.precondition_ns += NS_PER_S / 4;
    rig_run(&b.rig);
    UNIT_NEAR("", b.rig.result.sample.devices_missing_percent, 0, 0);
    UNIT_NEAR("", b.rig.result.sample.devices[1].writes_per_s, 200, 1e-9);
    bench_release(&b);
}

/* Counters that are switched off are no figures; that matters where they are to be summed. */
static void test_switched_off(void)
{
    for (int i = 0; i < 2; i++) {
        struct bench b;
        const struct result *r = &b.rig.result;

        bench_init(&b, apart);
        tmpdir_write(b.dir, i ? "/sys/devices/sdb/queue/iostats" : "/sys/devices/sda/queue/iostats",
                     "0\n");
        rig_run(&b.rig);
        UNIT_TRUE("", isnan(r->sample.devices[i].writes_per_s));
        UNIT_NEAR("", r->sample.devices_missing_percent, i ? 100 : 0, 1e-9);
        UNIT_TRUE("", isnan(r->sample.writes_per_txn) == (i == 1));
        bench_release(&b);
    }
}

static void test_not_there(void)
{
    struct bench b;

    bench_init(&b, apart);
    b.rig.devices[2] = "sdx";
    UNIT_EQ_I64("", rig_try(&b.rig), -1);
    UNIT_EQ_STR("", b.rig.err.text, "no block device \"sdx\" in /sys/class/block");
    rig_release(&b.rig);
    fsroot_release(&b.root);
    tmpdir_free(b.dir);
}

static const struct unit_test tests[] = {
    {"sum of two", test_sum_of_two},         {"flushes", test_flushes},
    {"nothing summed", test_nothing_summed}, {"garbage", test_garbage},
    {"off the grid", test_off_the_grid},     {"switched off", test_switched_off},
    {"not there", test_not_there},
};

const struct unit_suite devices_suite = UNIT_SUITE("devices", tests);
