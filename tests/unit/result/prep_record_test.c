/*
 * result/prep_record: the record in a document of its own kind and in a later one, both ways, and
 * what a preparation is worth.
 */
#include "result/prep_record.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "harness/unit.h"
#include "result/result_json.h"
#include "result/verdict.h"

static struct prep_record record(void)
{
    struct prep_record p;

    prep_record_init(&p);
    p.id = xstrdup("c12a7328-0000-4000-8000-000000000001");
    p.started = xstrdup("2026-11-30T13:00:00Z");
    p.ended = xstrdup("2026-11-30T13:45:01Z");
    p.age_s = 3600.5;
    p.purpose = xstrdup("blocks");
    p.erase = xstrdup("discard");
    p.erase_note = xstrdup("no nvme format: it has no format command");
    p.erased_bytes = 2000;
    p.filled_bytes = INT64_C(9007199254740993);
    p.sampled_blocks = 1024;
    p.sampled_good = 1024;
    p.interruptions = 0;
    return p;
}

static void test_both_ways(void)
{
    static const char *const kinds[] = {"oltp", "prep", "sweep"};

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct result r;
        struct result back;
        struct err err = {0};
        char *text = NULL;
        char *again = NULL;

        result_init(&r);
        result_init(&back);
        r.kind = xstrdup(kinds[i]);
        r.drive.prep = record();
        text = result_json_write(&r);
        UNIT_EQ_I64(kinds[i], result_json_read(text, &back, &err), 0);
        UNIT_EQ_STR("", err.text, "");
        UNIT_EQ_STR("", back.drive.prep.id, r.drive.prep.id);
        UNIT_EQ_I64("", back.drive.prep.filled_bytes, r.drive.prep.filled_bytes);
        UNIT_NEAR("", back.drive.prep.age_s, 3600.5, 0);
        UNIT_EQ_I64("none", back.drive.prep.partition_bytes, -1);
        again = result_json_write(&back);
        UNIT_EQ_STR(kinds[i], again, text);
        free(again);
        free(text);
        result_release(&back);
        result_release(&r);
    }
}

static void test_copy(void)
{
    struct prep_record a = record();
    struct prep_record b;

    prep_record_copy(&b, &a);
    prep_record_release(&a);
    UNIT_EQ_STR("its own texts", b.erase_note, "no nvme format: it has no format command");
    UNIT_TRUE("", b.filesystem == NULL);
    prep_record_release(&b);
    prep_record_release(&b);
}

static void test_judged(void)
{
    static const struct {
        int64_t good;
        bool ended;
        enum verdict_status status;
        const char *code;
    } rows[] = {
        {1024, true, VERDICT_VALID, NULL},
        {1023, true, VERDICT_INVALID, "fill"},
        {1023, false, VERDICT_INVALID, "fill"},
        {1024, false, VERDICT_INVALID, "cut"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct result r;

        result_init(&r);
        r.kind = xstrdup("prep");
        r.drive.prep = record();
        r.drive.prep.sampled_good = rows[i].good;
        if (!rows[i].ended) {
            free(r.drive.prep.ended);
            r.drive.prep.ended = NULL;
        }
        verdict_judge(&r);
        UNIT_EQ_I64("", r.verdict.status, rows[i].status);
        UNIT_EQ_U64("", r.verdict.reasons.n, rows[i].code ? 1 : 0);
        if (rows[i].code && r.verdict.reasons.n == 1)
            UNIT_EQ_STR("", r.verdict.reasons.at[0].code, rows[i].code);
        result_release(&r);
    }
}

static const struct unit_test tests[] = {
    {"both_ways", test_both_ways},
    {"copy", test_copy},
    {"judged", test_judged},
};
const struct unit_suite prep_record_suite = UNIT_SUITE("prep_record", tests);
