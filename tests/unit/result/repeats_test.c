/*
 * The document of repeats: what is written is what is read; the spread; what is broken is an error.
 */
#include "result/repeats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "harness/unit.h"
#include "result/made_result.h"

/* Runs of these TPS. */
static void made_set(struct repeats *all, const double *tps, size_t n)
{
    repeats_init(all);
    all->label = xstrdup("drive A");
    all->planned = 3;
    all->restored = true;
    for (size_t i = 0; i < n; i++) {
        struct result r;
        char *directory = xasprintf("runs/2026-11-30T13450%zuZ-drive-A", i);

        made_result(&r);
        r.sample.tps = tps[i];
        r.dataset.restore.method = xstrdup("copy");
        repeats_add(all, &r, directory);
        free(directory);
        result_release(&r);
    }
}

static void test_both_ways(void)
{
    static const double tps[] = {100, 110, 121};
    struct repeats all;
    struct repeats back;
    struct err err = {0};
    char *text = NULL;
    char *again = NULL;

    made_set(&all, tps, 3);
    text = repeats_json_write(&all);
    repeats_init(&back);
    UNIT_EQ_I64(err.text, repeats_json_read(text, &back, &err), 0);
    UNIT_EQ_U64("", back.runs.n, 3);
    UNIT_EQ_STR("", back.runs.at[2].directory, "runs/2026-11-30T134502Z-drive-A");
    UNIT_EQ_STR("", back.runs.at[2].restored, "copy");
    UNIT_EQ_I64("", back.runs.at[2].runs_since_load, 1);
    UNIT_NEAR("", back.runs.at[2].tps, 121, 0);
    UNIT_EQ_I64("", back.planned, 3);
    UNIT_TRUE("", back.restored);
    again = repeats_json_write(&back);
    UNIT_EQ_STR("stable", again, text);
    free(again);
    free(text);
    repeats_release(&back);
    repeats_release(&all);
}

/* Three figures with a constant ratio: their geometric mean is the middle one. */
static void test_spread(void)
{
    static const double tps[] = {100, 110, 121};
    struct repeats all;
    struct repeats_spread s;

    made_set(&all, tps, 3);
    s = repeats_spread(&all, REPEATS_TPS);
    UNIT_NEAR("", s.mean, 110, 1e-9);
    UNIT_TRUE("", s.low < 100 && s.high > 121);
    UNIT_NEAR("sinh-like, of log 1.1", s.percent, 9.5, 0.6);
    repeats_release(&all);
    made_set(&all, tps, 2);
    s = repeats_spread(&all, REPEATS_TPS);
    UNIT_TRUE("two give no interval", isnan(s.low) && isfinite(s.percent));
    repeats_release(&all);
    made_set(&all, tps, 0);
    UNIT_TRUE("none", isnan(repeats_spread(&all, REPEATS_AVG).mean));
    repeats_release(&all);
}

static void test_broken(void)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"{\"format\": \"tpcc-run/2\", \"kind\": \"repeats\"}", "not known here"},
        {"{\"format\": \"tpcc-run/1\", \"kind\": \"oltp\"}", "no repeats"},
        {"{\"format\": \"tpcc-run/1\", \"kind\": \"repeats\", \"runs\": 3}", "runs"},
        {"{\"format\": \"tpcc-run/1\", \"kind\": \"repeats\", \"runs\": [{}]}",
         "without a directory in runs/"},
        {"{\"format\": \"tpcc-run/1\", \"kind\": \"repeats\", \"runs\": [{\"directory\": "
         "\"runs/../../x\"}]}",
         "without a directory in runs/"},
        {"{\"format\": \"tpcc-run/1\", \"kind\": \"repeats\", \"runs\": [{\"directory\": "
         "\"runs/x\", \"tps\": \"9\"}]}",
         "tps"},
        {"{", "line"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct repeats all;
        struct err err = {0};

        repeats_init(&all);
        UNIT_EQ_I64(cases[i].text, repeats_json_read(cases[i].text, &all, &err), -1);
        UNIT_TRUE(err.text, strstr(err.text, cases[i].says) != NULL);
        repeats_release(&all);
    }
}

static const struct unit_test tests[] = {
    {"both ways", test_both_ways},
    {"the spread", test_spread},
    {"broken ones", test_broken},
};

const struct unit_suite repeats_suite = UNIT_SUITE("repeats", tests);
