/*
 * result/sweep and result/sweep_json: what the points of a curve say together, and the document
 * both ways.
 */
#include "result/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/unit.h"
#include "result/result.h"
#include "result/result_json.h"
#include "result/verdict.h"

struct made_point {
    double asked, iops, us;
};

static void add(struct sweep_profile *p, struct made_point at)
{
    struct sweep_point point = sweep_point_none();

    point.asked_iops = at.asked;
    point.iops = at.iops;
    point.mib_per_s = at.iops / 256;
    point.latency_us.avg = at.us;
    point.outstanding = at.iops * at.us / 1e6;
    sweep_add_point(p, point);
}

static void test_figures_of_a_curve(void)
{
    static const struct made_point made[] = {
        {(double)NAN, 10000, 3200}, {2000, 2000, 200},   {4000, 4000, 400},   {6000, 6000, 800},
        {8000, 8000, 1600},         {10000, 9900, 3100}, {12000, 9950, 3200},
    };
    struct sweep_profile p = {.outstanding = 32};

    for (size_t i = 0; i < ARRAY_LEN(made); i++)
        add(&p, made[i]);
    UNIT_NEAR("", p.peak_iops, 10000, 1e-9);
    UNIT_NEAR("", p.peak_mib_per_s, 10000 / 256.0, 1e-9);
    UNIT_NEAR("", p.iops_at_95_percent, 9500, 1e-9);
    /* 9,500 lies at 1500 / 1900 of the way from 8,000 to 9,900. */
    UNIT_NEAR("", p.latency_us_at_95_percent, 1600 * pow(3100 / 1600.0, 1500 / 1900.0), 1e-6);
    /* 800 us times 1.25, of the way times 2 to 1,600 us. */
    UNIT_NEAR("", p.iops_below_1_ms, 6000 + 2000 * log2(1.25), 1e-6);
    UNIT_TRUE("the maximum", sweep_maximum(&p) == &p.points.at[0]);
    for (size_t i = 0; i < p.points.n; i++) {
        UNIT_EQ_I64("saturated", p.points.at[i].saturated, i == 0 || i == 6);
        UNIT_EQ_I64("off", p.points.at[i].off, 0);
    }
    VEC_RELEASE(&p.points);
}

static void test_figures_that_do_not_exist(void)
{
    struct sweep_profile p = {.outstanding = 4};

    sweep_figures(&p);
    UNIT_TRUE("no points", isnan(p.peak_iops) && isnan(p.iops_below_1_ms));
    UNIT_TRUE("no points", isnan(p.latency_us_at_95_percent) && !sweep_maximum(&p));
    add(&p, (struct made_point){(double)NAN, 100, 40000});
    UNIT_TRUE("never below 1 ms", isnan(p.iops_below_1_ms));
    UNIT_NEAR("only the maximum", p.latency_us_at_95_percent, 40000, 1e-9);
    VEC_RELEASE(&p.points);
}

/* A rate that is wrong while the drive had room is the rig's fault, not saturation. */
static void test_off_or_saturated(void)
{
    static const struct {
        const char *what;
        struct made_point at;
        int saturated, off;
    } cases[] = {
        {"as asked", {1000, 1000, 1000}, 0, 0},
        {"2 % less", {1000, 980, 1000}, 0, 0},
        {"2 % more", {1000, 1020, 1000}, 0, 0},
        {"an eighth, idle", {1000, 125, 1000}, 0, 1},
        {"too much", {1000, 1200, 1000}, 0, 1},
        {"less, and all under way", {1000, 900, 8000}, 1, 0},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct sweep_profile p = {.outstanding = 8};

        add(&p, cases[i].at);
        UNIT_EQ_I64(cases[i].what, p.points.at[0].saturated, cases[i].saturated);
        UNIT_EQ_I64(cases[i].what, p.points.at[0].off, cases[i].off);
        VEC_RELEASE(&p.points);
    }
}

/* Mixed block sizes: what their chance may do to a rate is no fault, whatever the 2 % say. */
static void test_off_by_chance(void)
{
    static const struct {
        const char *what;
        double read_spread, write_spread, read_iops, write_iops, seconds, limit;
        int off; /* of a rate 5 % too high */
    } cases[] = {
        {"one size", 0, 0, 525, 525, 4, 2, 1},
        {"not told", (double)NAN, (double)NAN, 525, 525, 4, 2, 1},
        {"many I/Os", 1, 1, 52500, 52500, 60, 2, 1},
        /* 4 sigma = 4 sqrt(1050 x 2.25 / 4) / 1000 */
        {"few of them", 1.5, 1.5, 525, 525, 4, 9.7211, 0},
        /* 4 sigma = 4 sqrt(105 x 4 / 4) / 1000 */
        {"a tenth is mixed", 0, 2, 945, 105, 4, 4.0988, 1},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct sweep_profile p = {.outstanding = 8,
                                  .read_spread = cases[i].read_spread,
                                  .write_spread = cases[i].write_spread};
        struct sweep_point point = sweep_point_none();

        point.read_iops = cases[i].read_iops;
        point.write_iops = cases[i].write_iops;
        point.iops = point.read_iops + point.write_iops;
        point.asked_iops = point.iops / 1.05;
        point.seconds = cases[i].seconds;
        point.outstanding = 1;
        sweep_add_point(&p, point);
        UNIT_NEAR(cases[i].what, p.points.at[0].off_limit_percent, cases[i].limit, 0.001);
        UNIT_EQ_I64(cases[i].what, p.points.at[0].off, cases[i].off);
        VEC_RELEASE(&p.points);
    }
}

/* A stream that drains its queue between has few under way, and yet does what goes at most. */
static void test_saturated_by_the_maximum(void)
{
    struct sweep_profile p = {.outstanding = 8};

    add(&p, (struct made_point){(double)NAN, 1000, 8000});
    add(&p, (struct made_point){1100, 960, 4000});
    add(&p, (struct made_point){1100, 940, 4000});
    UNIT_EQ_I64("96 % of the maximum", p.points.at[1].saturated, 1);
    UNIT_EQ_I64("94 % of it, and room", p.points.at[2].off, 1);
    VEC_RELEASE(&p.points);
}

static void add_device(struct result *r, const char *name)
{
    const struct result_device device = {
        .name = xstrdup(name), .role = xstrdup("leaf"), .size_bytes = 1 << 20, .rotational = 0};

    VEC_PUSH(&r->drive.devices, device);
}

static void make(struct result *r)
{
    struct sweep_profile profile = {.workload = xstrdup("four-corners"),
                                    .name = xstrdup("4k-random-read"),
                                    .mix = xstrdup("4 KiB random read"),
                                    .outstanding = 32,
                                    .steady = -1,
                                    .rounds = 1};

    result_init(r);
    r->kind = xstrdup("sweep");
    r->version = xstrdup("0.1.0");
    r->started = xstrdup("2026-11-30T13:45:01Z");
    r->ended = xstrdup("2026-11-30T14:45:01Z");
    add_device(r, "loop0");
    add_device(r, "nvme0n1");
    r->sweep.target = xstrdup("block device");
    r->sweep.fio = xstrdup("fio-3.33");
    r->sweep.area_bytes = 1 << 20;
    r->sweep.point_seconds = 60;
    r->sweep.settle_seconds = 10;
    r->sweep.points_planned = 2;
    r->sweep.points_done = 2;
    add(&profile, (struct made_point){(double)NAN, 10000, 3200});
    add(&profile, (struct made_point){2000, 2000, 200});
    r->sweep.target_id = xstrdup("00112233445566ff");
    r->sweep.saved = xstrdup("2026-11-30T14:45:00Z");
    profile.points.at[1].percent = 20;
    profile.points.at[1].after_pause_s = 90.5;
    profile.points.at[1].n_devices = 2;
    profile.points.at[1].devices = xcalloc(2, sizeof(struct result_rates));
    profile.points.at[1].devices[0] = result_rates_none();
    profile.points.at[1].devices[1] = result_rates_none();
    profile.points.at[1].devices[1].reads_per_s = 2000.5;
    VEC_PUSH(&r->sweep.profiles, profile);
}

static void test_write_read_write(void)
{
    struct result r;
    struct result back;
    struct err err = {0};
    char *text = NULL;
    char *second = NULL;

    make(&r);
    verdict_judge(&r);
    UNIT_EQ_I64("", r.verdict.status, VERDICT_VALID);
    text = result_json_write(&r);
    result_init(&back);
    UNIT_EQ_I64(err.text, result_json_read(text, &back, &err), 0);
    second = result_json_write(&back);
    UNIT_EQ_STR("", second, text);
    UNIT_TRUE("a sweep has no sample", !strstr(text, "\"sample\""));
    if (UNIT_EQ_U64("", back.sweep.profiles.n, 1)) {
        UNIT_NEAR("", back.sweep.profiles.at[0].points.at[1].devices[1].reads_per_s, 2000.5, 0);
        UNIT_NEAR("", back.sweep.profiles.at[0].points.at[1].after_pause_s, 90.5, 0);
        UNIT_TRUE("", isnan(back.sweep.profiles.at[0].points.at[0].after_pause_s));
        UNIT_EQ_STR("", back.sweep.target_id, "00112233445566ff");
        UNIT_EQ_STR("", back.sweep.saved, "2026-11-30T14:45:00Z");
        UNIT_NEAR("made anew", back.sweep.profiles.at[0].peak_iops, 10000, 0);
    }
    free(text);
    free(second);
    result_release(&r);
    result_release(&back);
}

/* The drive's own word goes into the verdict, as in a run of the database test. */
static void test_throttled(void)
{
    struct result_drive_health d = {
        .device = xstrdup("nvme0n1"), .before = health_log_none(), .after = health_log_none()};
    struct result r;

    make(&r);
    d.used = health_used_of(&d.before, &d.after, 60);
    VEC_PUSH(&r.health.drives, d);
    verdict_judge(&r);
    UNIT_EQ_I64("nothing told", r.verdict.status, VERDICT_VALID);
    r.health.drives.at[0].used.throttled_seconds = 7;
    r.health.drives.at[0].used.throttled_count = 2;
    verdict_judge(&r);
    UNIT_EQ_I64("", r.verdict.status, VERDICT_QUESTIONABLE);
    if (UNIT_EQ_U64("", r.verdict.reasons.n, 1)) {
        UNIT_EQ_STR("", r.verdict.reasons.at[0].code, "throttled");
        UNIT_EQ_STR("", r.verdict.reasons.at[0].text,
                    "nvme0n1 slowed itself down or was too hot: 7 s, 2 times");
    }
    r.health.drives.at[0].used.throttled_seconds = r.health.drives.at[0].used.throttled_count = 0;
    r.health.critical_warning = 2;
    r.health.warned_at_s = 30;
    verdict_judge(&r);
    if (UNIT_EQ_U64("a warning", r.verdict.reasons.n, 1))
        UNIT_EQ_STR("", r.verdict.reasons.at[0].code, "throttled");
    result_release(&r);
}

static void test_what_is_wrong(void)
{
    static const struct {
        const char *sweep, *error;
    } cases[] = {
        {"[]", "sweep: an object was expected, not a list"},
        {"{\"profiles\":3}", "sweep.profiles: a list was expected, not a whole number"},
        {"{\"profiles\":[3]}", "sweep.profiles[0]: an object was expected, not a whole number"},
        {"{\"profiles\":[{}]}", "sweep.profiles[0]: a profile without a name"},
        {"{\"profiles\":[{\"name\":\"a\",\"points\":[{\"iops\":\"x\"}]}]}",
         "sweep.profiles[0].points[0].iops: a number was expected, not a text"},
        {"{\"profiles\":[{\"name\":\"a\",\"points\":[{\"devices\":[]}]}]}",
         "sweep.profiles[0].points[0].devices: an object was expected, not a list"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char *text = xasprintf("{\"format\":\"tpcc-run/1\",\"kind\":\"sweep\",\"sweep\":%s}",
                               cases[i].sweep);
        struct err err = {0};
        struct result r;

        result_init(&r);
        UNIT_EQ_I64(cases[i].sweep, result_json_read(text, &r, &err), -1);
        UNIT_EQ_STR(cases[i].sweep, err.text, cases[i].error);
        result_release(&r);
        free(text);
    }
}

static bool has_reason(const struct result *r, const char *code)
{
    for (size_t i = 0; i < r->verdict.reasons.n; i++) {
        if (strcmp(r->verdict.reasons.at[i].code, code) == 0)
            return true;
    }
    return false;
}

static void test_verdict(void)
{
    static const char *const codes[] = {"cut", "short", "rate", "outstanding", "unsteady"};

    for (size_t wrong = 0; wrong < ARRAY_LEN(codes); wrong++) {
        struct result r;
        struct sweep_profile *p = NULL;

        make(&r);
        p = &r.sweep.profiles.at[0];
        if (wrong == 0)
            r.sweep.points_done = 1;
        else if (wrong == 1)
            r.sweep.point_seconds = 9;
        else if (wrong == 2)
            p->points.at[1].off = 1;
        else if (wrong == 3)
            p->points.at[0].outstanding = 30;
        else
            p->steady = 0;
        verdict_judge(&r);
        UNIT_EQ_I64(codes[wrong], r.verdict.status, VERDICT_QUESTIONABLE);
        for (size_t i = 0; i < ARRAY_LEN(codes); i++)
            UNIT_EQ_I64(codes[i], has_reason(&r, codes[i]), i == wrong);
        result_release(&r);
    }
}

static const struct unit_test tests[] = {
    {"figures of a curve", test_figures_of_a_curve},
    {"figures that do not exist", test_figures_that_do_not_exist},
    {"off or saturated", test_off_or_saturated},
    {"off by chance", test_off_by_chance},
    {"throttled", test_throttled},
    {"saturated by the maximum", test_saturated_by_the_maximum},
    {"write read write", test_write_read_write},
    {"what is wrong", test_what_is_wrong},
    {"verdict", test_verdict},
};
const struct unit_suite sweep_suite = UNIT_SUITE("sweep", tests);
