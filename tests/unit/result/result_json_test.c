/*
 * result/result_json: both ways, stable; every wrong thing named with its place.
 */
#include "result/result_json.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "harness/unit.h"
#include "result/made_result.h"

/* Reads text, writes it again. NULL and *err on failure. */
static char *again(const char *text, struct err *err)
{
    struct result r;
    char *out = NULL;

    result_init(&r);
    if (result_json_read(text, &r, err) == 0)
        out = result_json_write(&r);
    result_release(&r);
    return out;
}

static void same_again(const char *what, const char *text)
{
    struct err err = {0};
    char *second = again(text, &err);

    UNIT_EQ_STR(what, second, text);
    UNIT_EQ_STR(what, err.text, "");
    free(second);
}

/* The later one first. */
static void add_marks(struct result *r)
{
    result_add_mark(r, (struct result_mark){.kind = xstrdup("checkpoint"),
                                            .text = xstrdup("timed"),
                                            .start_s = 30.5,
                                            .end_s = 57.25,
                                            .bytes_written = -1});
    result_add_mark(r, (struct result_mark){.kind = xstrdup("change"),
                                            .text = xstrdup("response 3 -> 9 ms"),
                                            .start_s = 12,
                                            .end_s = RESULT_NONE,
                                            .bytes_written = INT64_C(34000000000)});
    UNIT_EQ_STR("in order of time", r->marks.at[0].kind, "change");
}

static void test_write_read_write(void)
{
    struct result r;
    char *text = NULL;
    const struct result_error error = {.class = xstrdup("lost"),
                                       .sqlstate = xstrdup("57P01"),
                                       .text = xstrdup("terminating \"connection\"\n\x01"),
                                       .native = -1,
                                       .count = 3,
                                       .first_at_s = 12.5};

    made_result(&r);
    VEC_PUSH(&r.errors, error);
    add_marks(&r);
    r.sample.tps = 1.0 / 3.0;
    r.database.memory_limit_bytes = -1;
    r.run.outcomes.failed = 3;
    verdict_judge(&r);
    text = result_json_write(&r);
    same_again("full", text);
    free(text);
    result_release(&r);

    result_init(&r);
    text = result_json_write(&r);
    same_again("empty", text);
    free(text);
    result_release(&r);
}

static void test_figures_come_back(void)
{
    struct result r;
    struct result back;
    struct err err = {0};
    char *text = NULL;

    made_result(&r);
    r.run.outcomes.committed = (UINT64_C(1) << 53) + 1;
    r.run.outcomes.started = r.run.outcomes.committed + r.run.outcomes.rolled_back;
    r.run.bytes_written = INT64_MAX;
    r.dataset.seed = UINT64_MAX;
    r.sample.tps = 712.123456789012;
    r.dataset.restore = (struct result_restore){.method = xstrdup("copy"),
                                                .image = xstrdup("/image/tpcc-run-image"),
                                                .bytes = 190488354,
                                                .bytes_written = 190488000,
                                                .seconds = 2.5,
                                                .rest_s = 60,
                                                .same_device = 0};
    text = result_json_write(&r);
    result_init(&back);
    UNIT_EQ_I64(err.text, result_json_read(text, &back, &err), 0);
    UNIT_EQ_U64("above 2^53", back.run.outcomes.committed, (UINT64_C(1) << 53) + 1);
    UNIT_EQ_I64("", back.run.bytes_written, INT64_MAX);
    UNIT_EQ_U64("", back.dataset.seed, UINT64_MAX);
    UNIT_EQ_STR("", back.dataset.restore.method, "copy");
    UNIT_EQ_STR("", back.dataset.restore.image, "/image/tpcc-run-image");
    UNIT_EQ_I64("", back.dataset.restore.bytes_written, 190488000);
    UNIT_NEAR("", back.dataset.restore.rest_s, 60, 0);
    UNIT_EQ_I64("", back.dataset.restore.same_device, 0);
    UNIT_NEAR("", back.sample.tps, 712.123456789012, 1e-12);
    UNIT_EQ_STR("", back.drive.devices.at[1].name, "nvme0n1");
    UNIT_NEAR("", back.sample.devices[1].reads_per_s, 1250.5, 0);
    UNIT_TRUE("deferred: none", isnan(back.sample.by_type[5].tps));
    UNIT_EQ_I64("", back.sample.by_type[0].within_limit, 1);
    UNIT_EQ_I64("", back.checks.after.at[11].number, 12);
    UNIT_EQ_STR("", back.audit.at[0].name, "rollback_percent");
    UNIT_EQ_I64("", back.partial, 0);
    free(text);
    result_release(&back);
    result_release(&r);
}

static void test_none_is_null(void)
{
    struct result r;
    char *text = NULL;

    result_init(&r);
    text = result_json_write(&r);
    UNIT_TRUE("", strstr(text, "\"tps\": null") != NULL);
    UNIT_TRUE("", strstr(text, "\"server\": null") != NULL);
    UNIT_TRUE("", strstr(text, "\"health\": null") != NULL);
    UNIT_TRUE("", strstr(text, "\"transactions\": null") != NULL);
    UNIT_TRUE("", strstr(text, "nan") == NULL);
    UNIT_TRUE("of a run that was restored only", strstr(text, "restore") == NULL);
    free(text);
    result_release(&r);
}

static void test_text_that_is_not_utf8(void)
{
    struct result r;
    char *text = NULL;

    made_result(&r);
    free(r.label);
    r.label = xstrdup("gr\xfc\xdf");
    made_setting(&r, "k\xe4se", "\xff");
    text = result_json_write(&r);
    UNIT_TRUE("", strstr(text, "\"label\": \"gr??\"") != NULL);
    UNIT_TRUE("", strstr(text, "\"k?se\": \"?\"") != NULL);
    same_again("", text);
    free(text);
    result_release(&r);
}

/* What a broken document says; `part` of the message. */
struct broken_case {
    const char *text;
    const char *part;
};

static const struct broken_case broken[] = {
    {"", "line 1 column 0"},
    {"{\"format\": ", "line 1"},
    {"[]", "no \"format\""},
    {"{}", "no \"format\""},
    {"{\"format\": 1}", "no \"format\""},
    {"{\"format\": \"tpcc-run/2\"}", "\"tpcc-run/2\" is not known here, only \"tpcc-run/1\": use"},
    {"{\"format\": \"tpcc-run/1\", \"kind\": 5}", "kind: a text was expected, not a whole number"},
    {"{\"format\": \"tpcc-run/1\", \"verdict\": {\"status\": \"fine\"}}", "verdict: its status"},
    {"{\"format\": \"tpcc-run/1\", \"verdict\": []}",
     "verdict: an object was expected, not a list"},
    {"{\"format\": \"tpcc-run/1\", \"format\": \"tpcc-run/1\"}", "duplicate"},
    {"{\"format\": \"tpcc-run/1\", \"host\": {\"cpus\": -2}}", "host.cpus: -2 is negative"},
    {"{\"format\": \"tpcc-run/1\", \"host\": {\"cpus\": 1.5}}",
     "host.cpus: a whole number was expected, not a number with decimals"},
    {"{\"format\": \"tpcc-run/1\", \"sample\": {\"tps\": -3158.2}}",
     "sample.tps: -3158.2 is negative"},
    {"{\"format\": \"tpcc-run/1\", \"sample\": {\"response_ms\": {\"p99\": -0.5}}}",
     "sample.response_ms.p99: -0.5 is negative"},
    {"{\"format\": \"tpcc-run/1\", \"sample\": {\"tps\": \"x\"}}",
     "sample.tps: a number was expected, not a text"},
    {"{\"format\": \"tpcc-run/1\", \"sample\": {\"response_ms\": {\"p99\": true}}}",
     "sample.response_ms.p99: a number was expected, not true or false"},
    {"{\"format\": \"tpcc-run/1\", \"sample\": {\"transactions_by_type\": {\"payment\": {\"count\":"
     " []}}}}",
     "sample.transactions_by_type.payment.count: a whole number"},
    {"{\"format\": \"tpcc-run/1\", \"drive\": {\"devices\": [{\"name\": \"a\"}, {}]}}",
     "drive.devices[1]: a device without a name"},
    {"{\"format\": \"tpcc-run/1\", \"drive\": {\"devices\": [{\"name\": \"a\"}, 5]}}",
     "drive.devices[1]: an object was expected, not a whole number"},
    {"{\"format\": \"tpcc-run/1\", \"errors\": [{\"text\": \"a\", \"native\": \"b\"}]}",
     "errors[0].native: a whole number was expected"},
    {"{\"format\": \"tpcc-run/1\", \"marks\": [{\"kind\": \"change\"}]}",
     "marks[0]: a mark without a time"},
    {"{\"format\": \"tpcc-run/1\", \"checks\": {\"after\": {\"condition_1\": 5}}}",
     "checks.after.condition_1: a text was expected"},
    {"{\"format\": \"tpcc-run/1\", \"verdict\": {\"status\": \"valid\"}, \"run\": {\"outcomes\":"
     " {\"started\": 5, \"committed\": 4}}}",
     "run: outcomes do not add up"},
    {"{\"format\": \"tpcc-run/1\", \"dataset\": {\"seed\": \"1x\"}}",
     "dataset.seed: a whole number"},
    {"{\"format\": \"tpcc-run/1\", \"sample\": {\"tps\": 1e999}}", "real number overflow"},
    {"{\"format\": \"tpcc-run/1\", \"sample\": {\"tps\": -1e301}}", "sample.tps: too big"},
};

static void test_broken(void)
{
    for (size_t i = 0; i < ARRAY_LEN(broken); i++) {
        struct err err = {0};
        char *out = again(broken[i].text, &err);

        UNIT_EQ_STR(broken[i].part, out, NULL);
        UNIT_TRUE(err.text, strstr(err.text, broken[i].part) != NULL);
        UNIT_EQ_I64(broken[i].part, err.kind, ERR_SURROUNDINGS);
        free(out);
    }
}

static void test_accounting_that_is_admitted(void)
{
    struct result r;
    char *text = NULL;

    made_result(&r);
    r.run.outcomes.started++;
    verdict_judge(&r);
    text = result_json_write(&r);
    same_again("it says so itself", text);
    free(text);
    result_release(&r);
}

static void test_unknown_keys(void)
{
    static const char text[] =
        "{\"format\": \"tpcc-run/1\", \"kind\": \"oltp\", \"new\": {\"a\": [1]}, \"sample\": "
        "{\"x\": 1,"
        " \"devices\": {\"gone\": {}}, \"transactions_by_type\": {\"other\": 7}}}";
    struct err err = {0};
    char *out = again(text, &err);

    UNIT_TRUE(err.text, out != NULL);
    free(out);
}

/* Whatever byte is lost or changed: an error or a result, never a crash. */
static void test_damaged_anywhere(void)
{
    struct result r;
    char *text = NULL;
    size_t n = 0;

    made_result(&r);
    text = result_json_write(&r);
    n = strlen(text) - 1; /* without the last line end, which may be lost */
    for (size_t i = 0; i < n; i += 7) {
        struct err err = {0};
        char *copy = xstrdup(text);

        copy[i] = (char)(copy[i] ^ 0x15);
        free(again(copy, &err));
        copy[i] = 0;
        UNIT_EQ_STR("cut off", again(copy, &err), NULL);
        free(copy);
    }
    free(text);
    result_release(&r);
}

static const struct unit_test tests[] = {
    {"write, read, write gives the same bytes", test_write_read_write},
    {"figures come back", test_figures_come_back},
    {"none is null", test_none_is_null},
    {"text that is not UTF-8", test_text_that_is_not_utf8},
    {"broken documents", test_broken},
    {"accounting that is admitted", test_accounting_that_is_admitted},
    {"unknown keys", test_unknown_keys},
    {"damaged anywhere", test_damaged_anywhere},
};
const struct unit_suite result_json_suite = UNIT_SUITE("result_json", tests);
