/*
 * result/steadiness and result/rounds: series made second by second, judged by range and slope, and
 * searched for changes of level; what of it is a reason of the verdict.
 */
#include "result/steadiness.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "harness/unit.h"
#include "result/rounds.h"
#include "result/verdict.h"

enum { RAMP_S = 5, SAMPLE_START_S = 1200, SAMPLE_S = 900, ROUND_S = 100 };

/* Response and write await of a second, in ms; t: from GO. */
typedef double (*level_fn)(int t);

static void make_rows(struct result *r, level_fn level, level_fn await)
{
    struct result_device device = {.name = xstrdup("vda"), .role = xstrdup("filesystem,leaf")};

    VEC_PUSH(&r->drive.devices, device);
    series_release(&r->series);
    series_init(&r->series, 1);
    for (int t = 1; t <= SAMPLE_START_S + SAMPLE_S + 2; t++) {
        struct series_row *row = series_push(&r->series);

        row->time_s = t;
        row->phase = (uint8_t)(t <= RAMP_S                      ? 0
                               : t <= SAMPLE_START_S            ? 1
                               : t <= SAMPLE_START_S + SAMPLE_S ? 2
                                                                : 3);
        row->tps_all = 500;
        row->avg_ms = level(t);
        row->device[0].writes_per_s = 800;
        row->device[0].write_mib_per_s = 10;
        row->device[0].write_await_ms = await(t);
        row->device[0].reads_per_s = 0.5; /* too few to judge */
        row->device[0].read_await_ms = t % 7;
    }
}

static double flat(int t)
{
    return 3 + 0 * t;
}

static void judged(struct result *r, level_fn level, level_fn await, double round_s)
{
    result_init(r);
    r->steadiness.round_s = round_s;
    make_rows(r, level, await);
    VEC_PUSH(&r->phases, ((struct result_phase){.name = xstrdup("sample"),
                                                .start_s = SAMPLE_START_S,
                                                .end_s = SAMPLE_START_S + SAMPLE_S}));
    steadiness_judge(r);
    verdict_judge(r);
}

static const struct verdict_reason *reason(const struct result *r, const char *code)
{
    for (size_t i = 0; i < r->verdict.reasons.n; i++) {
        if (strcmp(r->verdict.reasons.at[i].code, code) == 0)
            return &r->verdict.reasons.at[i];
    }
    return NULL;
}

static void test_flat(void)
{
    struct result r;
    const struct result_steadiness *s = &r.steadiness;

    judged(&r, flat, flat, ROUND_S);
    UNIT_EQ_I64("steady", s->steady, 1);
    UNIT_EQ_I64("rounds", s->rounds, 20);
    UNIT_NEAR("window", s->window_end_s, SAMPLE_START_S + SAMPLE_S, 1e-9);
    UNIT_NEAR("since the first that is behind the ramp", s->steady_from_s, 100, 1e-9);
    UNIT_NEAR("mean", s->measure[STEADY_RESPONSE].mean, 3, 1e-9);
    UNIT_NEAR("write rate", s->measure[STEADY_WRITE_MIB].mean, 10, 1e-9);
    UNIT_EQ_I64("too few reads", s->measure[STEADY_READ_AWAIT].steady, -1);
    UNIT_EQ_U64("no mark", r.marks.n, 0);
    UNIT_TRUE("no reason", !reason(&r, "unsteady"));
    UNIT_EQ_I64("bytes", rounds_bytes_written(&r, 50), 500 << 20);
    result_release(&r);
}

/* Of the mean, between the first and the last of five rounds at the sample's end. */
static double drift_9(int t)
{
    return 100 + 9.0 * (t - SAMPLE_START_S - 650) / 400;
}

static double drift_11(int t)
{
    return 100 + 11.0 * (t - SAMPLE_START_S - 650) / 400;
}

static double range_19(int t)
{
    const int round = (t - 1) / ROUND_S;

    return round == 18 ? 109.5 : round == 17 ? 90.5 : 100;
}

static double range_21(int t)
{
    const int round = (t - 1) / ROUND_S;

    return round == 18 ? 110.5 : round == 17 ? 89.5 : 100;
}

static void test_limits(void)
{
    static const struct {
        const char *what;
        level_fn level;
        int steady;
        const char *text;
    } rows[] = {
        {"drift of 9 %", drift_9, 1, NULL},
        {"drift of 11 %", drift_11, 0, "rose by 12 %"} /* of the lower mean at the beginning */,
        {"range of 19 %", range_19, 1, NULL},
        {"range of 21 %", range_21, 0, "ranged by 21 %"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct result r;
        const struct verdict_reason *why = NULL;

        judged(&r, rows[i].level, flat, ROUND_S);
        why = reason(&r, "unsteady");
        UNIT_EQ_I64(rows[i].what, r.steadiness.steady, rows[i].steady);
        UNIT_TRUE(rows[i].what, (why != NULL) == (rows[i].steady == 0));
        if (why && !UNIT_TRUE(rows[i].what, strstr(why->text, rows[i].text) != NULL))
            CU_FAIL(why->text);
        UNIT_EQ_U64(rows[i].what, r.marks.n, 0);
        result_release(&r);
    }
}

static double saw(int t)
{
    return 1.0 + 2.0 * (t % ROUND_S) / (ROUND_S - 1);
}

/* With rounds shorter than its period a saw-tooth looks unsteady, with whole ones it is steady;
 * neither way it is a change of level. */
static void test_saw_tooth(void)
{
    static const double rounds[] = {30, 60, ROUND_S, 2 * ROUND_S};

    for (size_t i = 0; i < ARRAY_LEN(rounds); i++) {
        struct result r;

        judged(&r, saw, flat, rounds[i]);
        UNIT_EQ_I64("", r.steadiness.steady, rounds[i] >= ROUND_S);
        UNIT_EQ_U64("", r.marks.n, 0);
        result_release(&r);
    }
}

/* A server that is not ours has longer checkpoints than the plan's rounds. */
static void test_checkpoints_of_the_server(void)
{
    struct result r;
    const struct result_setting setting = {.name = xstrdup("checkpoint_timeout"),
                                           .value = xstrdup("2min")};

    result_init(&r);
    r.steadiness.round_s = 30;
    make_rows(&r, flat, flat);
    VEC_PUSH(&r.database.settings, setting);
    steadiness_judge(&r);
    UNIT_NEAR("", r.steadiness.round_s, 120, 1e-9);
    UNIT_EQ_I64("", r.steadiness.steady, 1);
    result_release(&r);
}

static double noisy_saw(int t)
{
    struct rng rng = rng_at((uint64_t)t);

    return saw(t) * (0.8 + 0.4 * rng_unit(&rng));
}

static double throttled(int t)
{
    return noisy_saw(t) * (t > 1500 ? 4 : 1);
}

static double slow_writes(int t)
{
    return t > 1500 ? 2.5 : 0.25;
}

static double stretch(int t)
{
    return noisy_saw(t) * (t > 600 && t <= 800 ? 5 : 1);
}

static void test_changes(void)
{
    struct result r;
    const struct verdict_reason *why = NULL;

    judged(&r, throttled, slow_writes, ROUND_S);
    if (UNIT_EQ_U64("one mark for both", r.marks.n, 1)) {
        UNIT_EQ_STR("", r.marks.at[0].kind, "change");
        UNIT_NEAR("within a round", r.marks.at[0].start_s, 1500, ROUND_S);
        UNIT_TRUE("", strstr(r.marks.at[0].text, "response ") != NULL);
        UNIT_TRUE("", strstr(r.marks.at[0].text, "write await 0.25 -> 2.5 ms") != NULL);
        UNIT_NEAR("bytes", (double)r.marks.at[0].bytes_written,
                  r.marks.at[0].start_s * 10 * 1048576, 1);
    }
    why = reason(&r, "unsteady");
    UNIT_TRUE("and unsteady", why != NULL);
    result_release(&r);

    judged(&r, stretch, flat, ROUND_S);
    if (UNIT_EQ_U64("there and back", r.marks.n, 2)) {
        UNIT_NEAR("", r.marks.at[0].start_s, 600, ROUND_S);
        UNIT_NEAR("", r.marks.at[1].start_s, 800, ROUND_S);
    }
    UNIT_EQ_I64("in the precondition: the sample is steady", r.steadiness.steady, 1);
    UNIT_TRUE("", !reason(&r, "unsteady"));
    UNIT_TRUE("since then", r.steadiness.steady_from_s >= 800);
    result_release(&r);
}

static double step_half(int t)
{
    return saw(t) * (t > 900 ? 1.5 : 1);
}

/* A change that is smaller than the saw-tooth is seen in whole rounds. */
static void test_small_change(void)
{
    struct result r;

    judged(&r, step_half, flat, ROUND_S);
    if (UNIT_EQ_U64("", r.marks.n, 1))
        UNIT_NEAR("", r.marks.at[0].start_s, 900, 2 * ROUND_S);
    result_release(&r);
}

/* Nothing is done from 1500 s on: there is no response any more, but a rate. */
static void test_standstill(void)
{
    struct result r;

    result_init(&r);
    r.steadiness.round_s = ROUND_S;
    make_rows(&r, flat, flat);
    for (size_t i = 1500; i < r.series.n_rows; i++) {
        series_at(&r.series, i)->tps_all = 0;
        series_at(&r.series, i)->avg_ms = RESULT_NONE;
    }
    steadiness_judge(&r);
    if (UNIT_EQ_U64("", r.marks.n, 1)) {
        UNIT_NEAR("", r.marks.at[0].start_s, 1500, ROUND_S);
        UNIT_TRUE("", strstr(r.marks.at[0].text, "TPS 500 -> 0") != NULL);
    }
    result_release(&r);
}

/* Noise as that of a quiet server: half to one and a half times the level, each second alone. */
static double noise(int t)
{
    struct rng rng = rng_at((uint64_t)t * 17);

    return 0.5 + rng_unit(&rng);
}

/* One second in which all waited, in the last round but one. */
static double one_stall(int t)
{
    return t == SAMPLE_START_S + SAMPLE_S - 150 ? 40 : noise(t);
}

/* The same in each second of that round. */
static double slow_round(int t)
{
    const int left = SAMPLE_START_S + SAMPLE_S - t;

    return left >= 100 && left < 200 ? 1.4 * noise(t) : noise(t);
}

static double rises(int t)
{
    return noise(t) * fmax(1 + 0.3 * (t - SAMPLE_START_S - 650) / 400, 0.5);
}

/* A range beyond the limit is a reason where chance does not explain it. */
static void test_chance(void)
{
    static const struct {
        const char *what;
        level_fn level;
        int steady;
    } rows[] = {{"one stall of a second", one_stall, 1},
                {"a slow round", slow_round, 0},
                {"30 % up", rises, 0}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct result r;
        const struct result_steady_measure *of = &r.steadiness.measure[STEADY_RESPONSE];

        judged(&r, rows[i].level, flat, ROUND_S);
        UNIT_TRUE(rows[i].what, of->range_percent > 25);
        UNIT_EQ_I64(rows[i].what, of->steady, rows[i].steady);
        UNIT_EQ_I64(rows[i].what, r.steadiness.steady, rows[i].steady);
        UNIT_TRUE(rows[i].what, (reason(&r, "unsteady") == NULL) == rows[i].steady);
        result_release(&r);
    }
}

/* Few reads, in seconds of their own, of 1 ms or of 9 ms (a vacuum's are larger): the await of a
 * round goes by which of them fell into it. `late_ms` more in the last two rounds. */
static void judge_few_reads(struct result *r, double late_ms)
{
    struct rng rng = rng_at(5);

    result_init(r);
    r->steadiness.round_s = ROUND_S;
    make_rows(r, flat, flat);
    for (size_t i = 0; i < r->series.n_rows; i++) {
        struct result_rates *d = series_at(&r->series, i)->device;
        const bool late = i >= (size_t)(SAMPLE_START_S + SAMPLE_S - 2 * ROUND_S);

        d->reads_per_s = rng_unit(&rng) < 0.08 ? 25 : 0;
        d->read_await_ms = d->reads_per_s > 0 ? (rng_unit(&rng) < 0.25 ? 9 : 1) : RESULT_NONE;
        d->read_await_ms += late ? late_ms : 0;
    }
    steadiness_judge(r);
}

static void test_few_reads(void)
{
    struct result r;
    const struct result_steady_measure *of = &r.steadiness.measure[STEADY_READ_AWAIT];

    judge_few_reads(&r, 0);
    UNIT_TRUE("judged", of->steady >= 0);
    UNIT_TRUE("beyond the industry's limit", of->range_percent > STEADY_RANGE_PERCENT);
    UNIT_EQ_I64("by chance", r.steadiness.steady, 1);
    result_release(&r);

    judge_few_reads(&r, 20);
    UNIT_EQ_I64("20 ms more are no chance", of->steady, 0);
    UNIT_EQ_I64("", r.steadiness.steady, 0);
    result_release(&r);
}

static double tiny(int t)
{
    return t % 200 < 100 ? 0.01 : 0.04;
}

static void test_too_little(void)
{
    struct result r;

    judged(&r, flat, tiny, ROUND_S);
    UNIT_EQ_I64("hundredths of a ms are nothing", r.steadiness.measure[STEADY_WRITE_AWAIT].steady,
                1);
    UNIT_EQ_I64("", r.steadiness.steady, 1);
    result_release(&r);

    judged(&r, flat, flat, 500);
    UNIT_EQ_I64("four rounds", r.steadiness.steady, -1);
    UNIT_TRUE("says why", r.steadiness.why_none && strstr(r.steadiness.why_none, "are needed"));
    result_release(&r);

    result_init(&r);
    r.steadiness.round_s = ROUND_S;
    steadiness_judge(&r);
    UNIT_EQ_I64("no series", r.steadiness.steady, -1);
    result_release(&r);
}

/* Live: a window that ends now; a round in which samples are missing is not judged. */
static void test_one_window(void)
{
    struct result r;
    struct result_steadiness s = {.steady = 5};

    result_init(&r);
    r.steadiness.round_s = ROUND_S;
    make_rows(&r, drift_11, flat);
    steadiness_at(&r, 300, &s);
    UNIT_EQ_I64("not five rounds yet", s.steady, -1);
    steadiness_at(&r, 505, &s);
    UNIT_EQ_I64("five", s.steady, 0);
    UNIT_NEAR("", s.window_start_s, 5, 1e-9);
    for (int i = 300; i < 360; i++)
        series_at(&r.series, (size_t)i)->avg_ms = RESULT_NONE;
    for (int i = 300; i < 390; i++)
        series_at(&r.series, (size_t)i)->tps_all = RESULT_NONE;
    steadiness_at(&r, 505, &s);
    UNIT_EQ_I64("fewer transactions", s.steady, 0);
    result_release(&r);
}

static const struct unit_test tests[] = {
    {"flat", test_flat},
    {"limits", test_limits},
    {"saw-tooth", test_saw_tooth},
    {"checkpoints of the server", test_checkpoints_of_the_server},
    {"changes", test_changes},
    {"small change", test_small_change},
    {"standstill", test_standstill},
    {"chance", test_chance},
    {"few reads", test_few_reads},
    {"too little", test_too_little},
    {"one window", test_one_window},
};
const struct unit_suite steadiness_suite = UNIT_SUITE("steadiness", tests);
