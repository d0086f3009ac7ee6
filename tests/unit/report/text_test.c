/*
 * report/text: the same to the letter from a live result and from its saved directory; what must be
 * said, and when. How it looks is in tests/golden/report-text.
 */
#include "report/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/unit.h"
#include "result/made_result.h"
#include "result/result_json.h"

static char *text_of(const struct result *r)
{
    struct strbuf out;
    char *text = NULL;

    strbuf_init(&out);
    report_text(r, "results/x", &out);
    text = strbuf_detach(&out);
    strbuf_release(&out);
    return text;
}

static bool says(const struct result *r, const char *part)
{
    char *text = text_of(r);
    const bool yes = strstr(text, part) != NULL;

    free(text);
    return yes;
}

/* Figures that no short decimal is: the report must not show what the file can't hold. */
static void spoil(struct result *r, uint64_t seed)
{
    double *figures[] = {
        &r->sample.tps,
        &r->sample.time[TIME_RESPONSE].p99,
        &r->sample.by_type[0].time[TIME_RESPONSE].avg,
        &r->sample.devices[0].read_await_ms,
        &r->sample.driver.lateness_max_ms,
        &r->sample.write_kib_per_txn,
        &r->drive.used_percent,
    };

    for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        /* Right beside where rounding turns: 17 digits tell it, 15 do not. */
        *figures[i] = nextafter((double)(seed >> 56) / 8.0, seed & (1 << 30) ? 1e9 : 0);
    }
}

static void test_same_to_the_letter(void)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct result r;
        struct result back;
        struct err err = {0};
        char *json = NULL;
        char *live = NULL;
        char *saved = NULL;

        made_result(&r);
        spoil(&r, seed);
        free(r.label);
        r.label = xstrdup("gr\xfc\xdf");
        json = result_json_write(&r);
        result_init(&back);
        UNIT_EQ_I64(err.text, result_json_read(json, &back, &err), 0);
        live = text_of(&r);
        saved = text_of(&back);
        UNIT_EQ_STR("", saved, live);
        free(json);
        free(live);
        free(saved);
        result_release(&back);
        result_release(&r);
    }
}

static void test_bound_by_the_pace(void)
{
    struct result r;

    made_result(&r);
    r.sample.tps_percent_of_ceiling = 98.0;
    UNIT_TRUE("98 %", says(&r, "TPS is bound by the pace: compare latency"));
    r.sample.tps_percent_of_ceiling = 97.9;
    UNIT_TRUE("97.9 %", !says(&r, "bound by the pace"));
    r.sample.tps_percent_of_ceiling = RESULT_NONE;
    UNIT_TRUE("no ceiling", !says(&r, "bound by the pace"));
    result_release(&r);
}

static void test_model(void)
{
    struct result r;

    made_result(&r);
    r.workload.users = 15000;
    r.workload.mean_cycle_s = 4.744;
    r.sample.time[TIME_RESPONSE].avg = 4.0;
    r.sample.tps = 3159.9;
    r.sample.transactions = 5687820; /* 30 min */
    UNIT_TRUE("15000 / 4.748 s, 4 x sqrt(0.462 / n)",
              says(&r, "\nclosed-loop model 3159.2, measured 3159.9, difference +0.02 % (4 sigma"
                       " 0.11 %)\n"));
    r.sample.transactions = 0;
    UNIT_TRUE("nothing measured", !says(&r, "closed-loop model"));
    r.sample.transactions = 100;
    free(r.workload.loop);
    r.workload.loop = xstrdup("interarrival");
    UNIT_TRUE("no closed loop", !says(&r, "closed-loop model"));
    result_release(&r);
}

static void test_others(void)
{
    struct result r;

    made_result(&r);
    UNIT_TRUE("all the server's", !says(&r, "others"));
    r.sample.devices[0].read_mib_per_s = r.sample.devices[1].read_mib_per_s = 40;
    UNIT_TRUE("", says(&r, "others' I/O at least 42 %"));
    result_release(&r);
}

static void test_fits_a_screen(void)
{
    struct result r;
    char *text = NULL;
    size_t lines = 0;

    made_result(&r);
    r.sample.by_type[0].count = 123456789;
    text = text_of(&r);
    UNIT_TRUE(text, strstr(text, " 123.5M ") != NULL);
    for (const char *at = text; *at; at = strchr(at, '\n') + 1) {
        UNIT_TRUE(at, strchr(at, '\n') - at <= 80);
        lines++;
    }
    UNIT_TRUE(text, lines <= 56);
    UNIT_TRUE("its path last", strstr(text, "\nresult: results/x\n") != NULL);
    UNIT_TRUE("the verdict first", strstr(text, "\nverdict    valid\n") < strstr(text, "\nTPS "));
    free(text);
    result_release(&r);
}

/* Whose requests a transaction's are, and what could not be found. */
static void test_which_devices(void)
{
    struct result r;

    made_result(&r);
    UNIT_TRUE("of one it goes without saying", !says(&r, "\n  of "));
    made_device(&r, "sd\033b", "filesystem");
    free(r.drive.devices.at[2].holds);
    r.drive.devices.at[2].holds = xstrdup("tablespace x");
    UNIT_TRUE("", says(&r, "\n  of       nvme0n1p1 (data, WAL) + sd?b (tablespace x)\n"));
    r.drive.unseen = xstrdup("WAL: /db/pg_wal can't be looked at");
    UNIT_TRUE("", says(&r, "\n  without  WAL: /db/pg_wal can't be looked at\n"));
    for (int i = 0; i < 3; i++)
        r.drive.devices.at[i].summed = false;
    UNIT_TRUE("an older result does not say", !says(&r, "\n  of "));
    result_release(&r);
}

static void test_of_nothing(void)
{
    struct result r;

    result_init(&r);
    UNIT_TRUE("", says(&r, "result: results/x"));
    verdict_judge(&r);
    UNIT_TRUE("", says(&r, "verdict    invalid"));
    r.partial = true;
    verdict_judge(&r);
    UNIT_TRUE("", says(&r, "partial: the run was killed"));
    UNIT_TRUE("", says(&r, "no interval had ended"));
    result_release(&r);
}

static const struct unit_test tests[] = {
    {"live and saved are the same to the letter", test_same_to_the_letter},
    {"bound by the pace from 98 % on", test_bound_by_the_pace},
    {"closed-loop model", test_model},
    {"others on the drive", test_others},
    {"fits a screen", test_fits_a_screen},
    {"which devices", test_which_devices},
    {"of an empty result", test_of_nothing},
};
const struct unit_suite text_suite = UNIT_SUITE("text", tests);
