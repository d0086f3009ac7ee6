/*
 * report/sweep_compare: beside which curves a database run's own I/O may stand.
 */
#include "report/sweep_compare.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "harness/unit.h"

/* 40 % reads, 10 KiB on average. */
static void make_run(struct result *r)
{
    const struct result_device d = {
        .name = xstrdup("sda"), .role = xstrdup("filesystem, leaf"), .summed = true};

    result_init(r);
    VEC_PUSH(&r->drive.devices, d);
    r->sample.devices[0] = result_rates_none();
    r->sample.devices[0].reads_per_s = 400;
    r->sample.devices[0].writes_per_s = 600;
    r->sample.devices[0].read_mib_per_s = 4000 / 1024.0;
    r->sample.devices[0].write_mib_per_s = 6000 / 1024.0;
    r->sample.devices[0].read_await_ms = r->sample.devices[0].write_await_ms = 1;
}

static void test_run_fits(void)
{
    static const struct {
        const char *workload, *mix;
        double read_percent, kib;
        bool fits;
    } rows[] = {
        {"oltp-blocks", "anything", 100, 4, true},
        {"mine", "reads and writes", 40, 10, true},
        {"mine", "reads and writes", 49, 12, true},
        {"mine", "reads and writes", 51, 10, false},
        {"mine", "reads and writes", 29, 10, false},
        {"mine", "reads and writes", 40, 7.9, false}, /* the run's are over a quarter larger */
        {"mine", "reads and writes", 40, 13.5, false},
        {"mine", "10 KiB sequential write", 40, 10, false},
    };
    struct result run;

    make_run(&run);
    UNIT_NEAR("", sweep_run_io(&run).kib, 10, 1e-9);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char *workload = xstrdup(rows[i].workload);
        char *mix = xstrdup(rows[i].mix);
        struct sweep_profile p = {.workload = workload, .mix = mix, .outstanding = 8};
        struct sweep_point most = sweep_point_none();

        most.iops = 1000;
        most.read_iops = 10 * rows[i].read_percent;
        most.mib_per_s = rows[i].kib * 1000 / 1024;
        most.latency_us.avg = 100;
        sweep_add_point(&p, most);
        UNIT_EQ_I64(rows[i].mix, sweep_run_fits(&run, &p), rows[i].fits);
        VEC_RELEASE(&p.points);
        free(workload);
        free(mix);
    }
    result_release(&run);
    result_init(&run);
    UNIT_TRUE("a run without counters",
              !sweep_run_fits(&run, &(struct sweep_profile){.workload = NULL}));
    result_release(&run);
}

static const struct unit_test tests[] = {
    {"run_fits", test_run_fits},
};
const struct unit_suite sweep_compare_suite = UNIT_SUITE("sweep_compare", tests);
