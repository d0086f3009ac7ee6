/*
 * What a check's report looks like, for people and for programs.
 */
#include "check/check_text.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/xalloc.h"
#include "harness/unit.h"

/* Conditions 1 to 3 were run; 2 is broken in 12 rows. */
static void make(struct check_report *r)
{
    *r = (struct check_report){.seconds = 1.26};
    for (int i = 0; i < CONDITIONS; i++)
        r->finding[i] = (struct check_finding){
            .number = i + 1, .run = i < 3, .holds = i < 3 && i != 1, .seconds = 0.5 * i};
    r->finding[1].offending = 12;
    r->finding[1].rows[0] = xstrdup("w_id=1 d_id=3 \"odd\"");
    r->finding[1].rows[1] = xstrdup("w_id=1 d_id=4");
}

static void test_text(void)
{
    static const char want[] = " 1 ok        0.00 s  W_YTD = sum(D_YTD)\n"
                               " 2 BROKEN    0.50 s  D_NEXT_O_ID - 1 = max(O_ID) = max(NO_O_ID)\n"
                               "      w_id=1 d_id=3 \"odd\"\n"
                               "      w_id=1 d_id=4\n"
                               "      ... and 10 more\n"
                               " 3 ok        1.00 s  max(NO_O_ID) - min(NO_O_ID) + 1 = rows of "
                               "NEW-ORDER\n"
                               "2 of 3 conditions hold (1.3 s)\n";
    struct check_report r;
    struct strbuf out;

    make(&r);
    strbuf_init(&out);
    check_report_text(&r, &out);
    UNIT_EQ_STR("", out.buf, want);
    strbuf_release(&out);
    check_report_release(&r);
}

/* Each condition's line on a terminal of 80 columns, also after a check of a thousand hours. */
static void test_width(void)
{
    struct check_report r = {0};
    struct strbuf out;
    size_t lines = 0;

    for (int i = 0; i < CONDITIONS; i++)
        r.finding[i] = (struct check_finding){.number = i + 1, .run = true, .seconds = 9999.99};
    strbuf_init(&out);
    check_report_text(&r, &out);
    for (const char *line = out.buf; *line; line += strcspn(line, "\n") + 1, lines++)
        UNIT_TRUE(line, strcspn(line, "\n") <= 80);
    UNIT_EQ_U64("", lines, CONDITIONS + 1);
    strbuf_release(&out);
}

static void test_json(void)
{
    struct check_report r;
    struct strbuf out;
    json_error_t error;
    json_t *doc = NULL;
    json_t *list = NULL;
    json_t *second = NULL;

    make(&r);
    strbuf_init(&out);
    check_report_json(&r, &out);
    doc = json_loads(out.buf, JSON_REJECT_DUPLICATES, &error);
    UNIT_TRUE(error.text, doc != NULL);
    list = json_object_get(doc, "conditions");
    second = json_array_get(list, 1);
    UNIT_EQ_STR("", json_string_value(json_object_get(doc, "format")), "tpcc-check/1");
    UNIT_TRUE("", json_is_false(json_object_get(doc, "all_hold")));
    UNIT_EQ_U64("what was run", json_array_size(list), 3);
    UNIT_EQ_I64("", json_integer_value(json_object_get(second, "number")), 2);
    UNIT_EQ_I64("", json_integer_value(json_object_get(second, "offending")), 12);
    UNIT_TRUE("", json_is_false(json_object_get(second, "holds")));
    UNIT_EQ_STR("", json_string_value(json_array_get(json_object_get(second, "rows"), 0)),
                "w_id=1 d_id=3 \"odd\"");
    json_decref(doc);
    strbuf_release(&out);
    check_report_release(&r);
}

static const struct unit_test tests[] = {
    {"text", test_text},
    {"width", test_width},
    {"json", test_json},
};
const struct unit_suite check_text_suite = UNIT_SUITE("check_text", tests);
