/*
 * block/fio_args, block/fio_json, block/schedule, block/from_result: what fio is asked, what it
 * answers, and what is not believed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "block/fio_args.h"
#include "block/fio_json.h"
#include "block/from_result.h"
#include "block/schedule.h"
#include "block/sweep.h"
#include "harness/unit.h"

#define COMMON                                                                                     \
    "fio --output=/o --output-format=json --eta=never --readonly --direct=1 --thread=1 "           \
    "--group_reporting=1 --unified_rw_reporting=both --lat_percentiles=1 --clat_percentiles=0 "    \
    "--percentile_list=50:90:95:99:99.9 --allow_file_create=0 --fallocate=none --runtime=2000ms "

static char *command_of(const struct profile *p, double asked)
{
    const struct fio_point point = {.profile = p,
                                    .fio = "fio",
                                    .path = "/dev/a:b",
                                    .output = "/o",
                                    .area_bytes = 1 << 20,
                                    .asked_iops = asked,
                                    .settle_ns = NS_PER_S,
                                    .duration_ns = 2 * NS_PER_S};
    struct fio_args args;
    struct strbuf text;

    strbuf_init(&text);
    fio_args_make(&point, &args);
    UNIT_TRUE("ends", args.at.at[args.at.n - 1] == NULL);
    fio_args_say(&args, 100000, &text);
    fio_args_release(&args);
    return strbuf_detach(&text);
}

static void test_maximum(void)
{
    const struct profile random = {.read_percent = 100,
                                   .random_percent = 100,
                                   .outstanding = 8,
                                   .read = {.n = 1, .at = {{4096, 100}}}};
    const struct profile stream = {
        .read_percent = 100, .outstanding = 16, .read = {.n = 1, .at = {{65536, 100}}}};
    char *command = command_of(&random, (double)NAN);

    UNIT_EQ_STR("threads with one I/O each", command,
                COMMON "'--filename=/dev/a\\:b' --size=1048576 --time_based=1 --ramp_time=1000ms "
                       "--rw=randread --norandommap=1 --randrepeat=0 --bs=4096,4096 "
                       "--ioengine=psync --iodepth=1 --name=point --numjobs=8");
    free(command);
    command = command_of(&stream, (double)NAN);
    UNIT_EQ_STR("one stream", command,
                COMMON "'--filename=/dev/a\\:b' --size=1048576 --time_based=1 --ramp_time=1000ms "
                       "--rw=read --norandommap=1 --randrepeat=0 --bs=65536,65536 "
                       "--ioengine=libaio --iodepth=16 --name=point --numjobs=1");
    free(command);
}

/* The sum of what stands behind every "--rate=" (read or write). */
static double sum_of_rates(const char *command, bool write, size_t *threads)
{
    double sum = 0;

    *threads = 0;
    for (const char *at = strstr(command, "--rate="); at; at = strstr(at + 1, "--rate=")) {
        const char *value = at + strlen("--rate=");
        const char *comma = strchr(value, ',');

        (*threads)++;
        sum += write ? strtod(comma ? comma + 1 : value, NULL) : strtod(value, NULL);
    }
    return sum;
}

/* Threads have different rates, whose sum is what was asked for, in bytes. */
static void test_rates(void)
{
    const struct profile mixed = {.read_percent = 60,
                                  .random_percent = 80,
                                  .outstanding = 16,
                                  .read = {.n = 2, .at = {{4096, 50}, {8192, 50}}},
                                  .write = {.n = 1, .at = {{4096, 100}}}};
    size_t threads = 0;
    char *command = command_of(&mixed, 1000);

    UNIT_NEAR("reads", sum_of_rates(command, false, &threads), 600 * 6144, 16);
    UNIT_EQ_U64("", threads, 16);
    UNIT_NEAR("writes", sum_of_rates(command, true, &threads), 400 * 4096, 16);
    UNIT_TRUE("", strstr(command, "--rw=randrw") && strstr(command, "--percentage_random=80"));
    UNIT_TRUE("", strstr(command, "--rwmixread=60") && strstr(command, "--refill_buffers=1"));
    UNIT_TRUE("", strstr(command, "--bssplit=4096/50:8192/50,4096/100 --bs_unaligned=1"));
    UNIT_TRUE("it writes", !strstr(command, "--readonly"));
    UNIT_TRUE("not alike", strstr(command, "--name=thread0 --rate=219") &&
                               strstr(command, "--name=thread15 --rate=241"));
    free(command);
    command = command_of(&mixed, 35);
    (void)sum_of_rates(command, false, &threads);
    UNIT_EQ_U64("few threads for few I/Os", threads, 3);
    free(command);
}

static void test_trace(void)
{
    const struct profile trace = {.trace = xstrdup("/t"), .outstanding = 4};
    char *command = command_of(&trace, (double)NAN);

    UNIT_EQ_STR("", command,
                COMMON "--ioengine=libaio --iodepth=4 --read_iolog=/t "
                       "'--replay_redirect=/dev/a\\:b' --replay_no_stall=1 --name=point");
    free(command);
    command = command_of(&trace, 100);
    UNIT_TRUE("as recorded", strstr(command, "--replay_no_stall=0"));
    free(command);
    free(trace.trace);
}

/* ---- the answer ---- */

#define LAT                                                                                        \
    "\"lat_ns\":{\"mean\":250000,\"max\":900000,\"percentile\":{\"50.000000\":200000,"             \
    "\"90.000000\":300000,\"95.000000\":400000,\"99.000000\":500000,\"99.900000\":600000}}"
#define SIDE(ios, more)                                                                            \
    "{\"total_ios\":" ios ",\"short_ios\":0,\"drop_ios\":0,\"runtime\":2000,\"iops\":1500.5,"      \
    "\"bw_bytes\":6291456" more "," LAT "}"
#define JOB "{\"error\":0,\"read\":" SIDE("3001", "") ",\"write\":" SIDE("0", "") ",\"mixed\":"
#define DOCUMENT(jobs)                                                                             \
    "{\n\"fio version\":\"fio-3.33\",\"timestamp_ms\":1700000000123,\"jobs\":[" jobs "]}\n"
#define GOOD DOCUMENT(JOB SIDE("3001", "") "}")

static void test_answers(void)
{
    static const struct {
        const char *what, *text, *error; /* error NULL: it is good */
    } cases[] = {
        {"as it should be", GOOD, NULL},
        {"junk before", "note: both iodepth >= 1 and synchronous\nfio: {\n" GOOD, NULL},
        {"two documents", DOCUMENT("") GOOD, NULL},
        {"nothing", "", "fio wrote no JSON"},
        {"only junk", "fio: job killed\n", "fio wrote no JSON"},
        {"cut off", "{\n\"jobs\":[",
         "fio's JSON is broken or cut off: line 2: "
         "']' expected near end of file"},
        {"the second cut off", GOOD "{\n\"jobs\":[",
         "fio's JSON is broken or cut off: line 2: ']' expected near end of file"},
        {"no job", DOCUMENT(""), "fio's JSON has 0 reports of jobs, not one"},
        {"an error, though the exit code was 0", DOCUMENT("{\"error\":5,\"mixed\":{}}"),
         "fio's job ended with error 5: Input/output error"},
        {"no I/O", DOCUMENT(JOB SIDE("0", "") "}"), "fio did no I/O within the time (see its log)"},
        {"old", DOCUMENT("{\"error\":0}"),
         "fio's JSON has no figures of reads and writes together (\"mixed\")"},
        {"dropped", DOCUMENT(JOB "{\"total_ios\":3,\"short_ios\":1,\"drop_ios\":2}}"),
         "1 I/Os were cut short and 2 dropped"},
        {"no percentiles",
         DOCUMENT(JOB "{\"total_ios\":3,\"short_ios\":0,\"drop_ios\":0,\"runtime\":2000,"
                      "\"iops\":1,\"bw_bytes\":1,\"lat_ns\":{\"mean\":1,\"max\":1}}}"),
         "fio's JSON has no number \"50.000000\""},
        {"a text for a number", DOCUMENT(JOB "{\"total_ios\":\"3\"}}"),
         "fio's JSON has no number \"total_ios\""},
        {"no time",
         DOCUMENT(JOB "{\"total_ios\":3,\"short_ios\":0,\"drop_ios\":0,\"runtime\":0,\"iops\":1,"
                      "\"bw_bytes\":1," LAT "}}"),
         "fio says that it took no time, or did nothing"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct fio_figures f;
        struct err err = {0};
        const int rc = fio_json_read(cases[i].text, &f, &err);

        UNIT_EQ_I64(cases[i].what, rc, cases[i].error ? -1 : 0);
        UNIT_EQ_STR(cases[i].what, err.text, cases[i].error ? cases[i].error : "");
        if (rc < 0)
            continue;
        UNIT_EQ_STR("", f.version, "fio-3.33");
        UNIT_NEAR("", f.iops, 1500.5, 0);
        UNIT_NEAR("", f.read_iops, 1500.5, 0);
        UNIT_TRUE("it wrote nothing", isnan(f.write_iops));
        UNIT_NEAR("", f.mib_per_s, 6, 0);
        UNIT_NEAR("", f.seconds, 2, 0);
        UNIT_NEAR("", f.latency_us.avg, 250, 0);
        UNIT_NEAR("", f.latency_us.p999, 600, 0);
        UNIT_NEAR("", f.latency_us.max, 900, 0);
        UNIT_EQ_I64("", f.ended_real_us, 1700000000123000);
    }
}

static void test_versions(void)
{
    static const struct {
        const char *text;
        int rc;
    } cases[] = {{"fio-3.33", 0}, {"fio-3.26", 0},  {"fio-3.33-25-gabcd", 0},
                 {"fio-4.0", 0},  {"fio-3.25", -1}, {"fio-2.99", -1},
                 {"fio-3", -1},   {"", -1},         {"bash: fio", -1}};

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err err = {0};

        UNIT_EQ_I64(cases[i].text, fio_json_check_version(cases[i].text, &err), cases[i].rc);
    }
}

/* ---- schedule ---- */

static void test_schedule(void)
{
    struct profile_set set = {.name = NULL};
    struct schedule s;
    struct err err = {0};

    UNIT_EQ_I64(err.text, profile_read("four-corners", ".", &set, &err), 0);
    const struct schedule_opts opts = {
        .sets = &set, .n_sets = 1, .settle_ns = 10 * NS_PER_S, .duration_ns = 60 * NS_PER_S};
    struct schedule_opts steady = opts;

    steady.until_steady = true;
    schedule_make(&opts, &s);
    UNIT_EQ_U64("a maximum and twelve points each", s.steps.n, 4 * 13);
    UNIT_EQ_I64("", s.steps.at[13].kind, SCHEDULE_MAXIMUM);
    UNIT_NEAR("", s.steps.at[14].value, 10, 0);
    UNIT_EQ_U64("", schedule_least_ns(&s), 52 * 71 * NS_PER_S);
    UNIT_EQ_U64("", schedule_most_ns(&s), 52 * 71 * NS_PER_S);
    schedule_release(&s);
    schedule_make(&steady, &s);
    UNIT_EQ_U64("five rounds", schedule_least_ns(&s), (52 + 4 * 4) * 71 * NS_PER_S);
    UNIT_EQ_U64("25 rounds", schedule_most_ns(&s), (52 + 4 * 24) * 71 * NS_PER_S);
    schedule_release(&s);
    profile_set_release(&set);
}

static void add_point(struct result *r, const char *name, struct sweep_point point)
{
    const struct sweep_profile fresh = {.name = xstrdup(name)};

    if (isnan(point.asked_iops))
        VEC_PUSH(&r->sweep.profiles, fresh);
    else
        free(fresh.name);
    VEC_PUSH(&r->sweep.profiles.at[r->sweep.profiles.n - 1].points, point);
    r->sweep.points_done++;
}

/* What goes on after points that are not those of its plan would be two curves in one. */
static void test_goes_on(void)
{
    struct profile_set set = {.name = NULL};
    struct sweep_point point = sweep_point_none();
    struct schedule s;
    struct result r;
    struct err err = {0};

    UNIT_EQ_I64(err.text, profile_read("four-corners", ".", &set, &err), 0);
    const struct schedule_opts opts = {.sets = &set, .n_sets = 1, .duration_ns = 60 * NS_PER_S};

    schedule_make(&opts, &s);
    result_init(&r);
    UNIT_TRUE("nothing yet", sweep_fits(&s, &r));
    add_point(&r, "4k-random-read", point);
    UNIT_TRUE("its maximum", sweep_fits(&s, &r));
    point.asked_iops = 100;
    for (int percent = 10; percent <= 120; percent += 10) {
        point.percent = percent;
        add_point(&r, "4k-random-read", point);
        UNIT_TRUE("a point", sweep_fits(&s, &r));
    }
    point = sweep_point_none();
    add_point(&r, "4k-random-write", point);
    UNIT_TRUE("the next maximum", sweep_fits(&s, &r));
    r.sweep.points_done--;
    UNIT_TRUE("more points than it says", !sweep_fits(&s, &r));
    r.sweep.points_done += 2;
    UNIT_TRUE("fewer", !sweep_fits(&s, &r));
    r.sweep.points_done--;
    r.sweep.profiles.at[0].points.at[3].percent = 35;
    UNIT_TRUE("another rate", !sweep_fits(&s, &r));
    r.sweep.profiles.at[0].points.at[3].percent = 30;
    UNIT_TRUE("as it was", sweep_fits(&s, &r));
    r.sweep.profiles.at[1].name[0] = '8';
    UNIT_TRUE("another profile", !sweep_fits(&s, &r));
    r.sweep.points_done = 53;
    UNIT_TRUE("longer than the plan", !sweep_fits(&s, &r));
    result_release(&r);
    schedule_release(&s);
    profile_set_release(&set);
}

/* ---- oltp-blocks ---- */

static void make_run(struct result *r)
{
    const struct result_device device = {.name = xstrdup("sda"),
                                         .role = xstrdup("filesystem,leaf"),
                                         .summed = true,
                                         .size_bytes = -1,
                                         .rotational = -1};

    result_init(r);
    r->kind = xstrdup("oltp");
    VEC_PUSH(&r->drive.devices, device);
    r->sample.devices[0] = result_rates_none();
    r->sample.devices[0].reads_per_s = 300;
    r->sample.devices[0].writes_per_s = 700;
    r->sample.devices[0].read_mib_per_s = 300 * 8.0 / 1024;
    r->sample.devices[0].write_mib_per_s = 700 * 11.0 / 1024;
    r->sample.devices[0].queue = 20;
}

static void test_from_result(void)
{
    struct profile_set set;
    struct strbuf text;
    struct err err = {0};
    struct result r;

    strbuf_init(&text);
    make_run(&r);
    UNIT_EQ_I64(err.text, profile_from_result(&r, "results/x", &set, &err), 0);
    profile_write(&set, &text);
    UNIT_EQ_STR("", text.buf,
                "block:\n  name: oltp-blocks\n  modelled: false\n  taken_from: \"results/x\"\n"
                "  points: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120]\n  profiles:\n"
                "    - name: oltp-blocks\n      read: 30\n      random: 100\n"
                "      outstanding: 32\n      read_sizes: {8KiB: 100}\n"
                "      write_sizes: {8KiB: 25, 12KiB: 75}\n      rates: [1000]\n");
    profile_set_release(&set);
    r.sample.devices[0] = result_rates_none();
    UNIT_EQ_I64("no counters", profile_from_result(&r, "x", &set, &err), -1);
    profile_set_release(&set);
    free(r.kind);
    r.kind = xstrdup("sweep");
    UNIT_EQ_I64("no run", profile_from_result(&r, "x", &set, &err), -1);
    UNIT_EQ_STR("", err.text, "x is no whole result of tpcc-run");
    profile_set_release(&set);
    result_release(&r);
    strbuf_release(&text);
}

static const struct unit_test tests[] = {
    {"maximum", test_maximum},   {"rates", test_rates},
    {"trace", test_trace},       {"answers", test_answers},
    {"versions", test_versions}, {"schedule", test_schedule},
    {"goes on", test_goes_on},   {"from result", test_from_result},
};
const struct unit_suite fio_suite = UNIT_SUITE("fio", tests);
