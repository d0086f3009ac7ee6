/*
 * report/prep: the words, and that a later result tells them in each of its reports.
 */
#include "report/prep.h"

#include <string.h>

#include "base/xalloc.h"
#include "harness/unit.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/text.h"

static void fill(struct result *r)
{
    struct prep_record *p = &r->drive.prep;

    result_init(r);
    r->kind = xstrdup("oltp");
    p->id = xstrdup("c12a7328-0000-4000-8000-000000000001");
    p->purpose = xstrdup("database");
    p->erase = xstrdup("nvme format");
    p->filled_bytes = INT64_C(2000000000000);
    p->sampled_blocks = 1024;
    p->sampled_good = 1024;
    p->age_s = 11100;
}

#define WORDS                                                                                      \
    "for database: erased by nvme format, filled with 2 TB, 1,024 of 1,024 samples there, 3h 05m " \
    "before"

static void test_words(void)
{
    struct result r;
    struct strbuf out;

    fill(&r);
    strbuf_init(&out);
    prep_words(&r.drive.prep, &out);
    UNIT_EQ_STR("", out.buf, WORDS);
    strbuf_reset(&out);
    prep_paragraph(&r, &out);
    UNIT_TRUE(out.buf, strncmp(out.buf, "prepared   for database: ", 25) == 0);
    strbuf_reset(&out);
    free(r.drive.prep.erase);
    r.drive.prep.erase = xstrdup("none");
    r.drive.prep.filled_bytes = -1;
    r.drive.prep.age_s = RESULT_NONE;
    prep_words(&r.drive.prep, &out);
    UNIT_EQ_STR("", out.buf, "for database: not erased, not filled");
    strbuf_reset(&out);
    free(r.drive.prep.id);
    r.drive.prep.id = NULL;
    prep_paragraph(&r, &out);
    UNIT_EQ_U64("no record", out.len, 0);
    strbuf_release(&out);
    result_release(&r);
}

static void test_in_reports(void)
{
    struct result r;
    struct strbuf out;

    fill(&r);
    strbuf_init(&out);
    report_html(&r, NULL, &out);
    UNIT_TRUE("page", strstr(out.buf, WORDS) != NULL);
    strbuf_reset(&out);
    report_markdown(&r, "results/x", &out);
    UNIT_TRUE("Markdown", strstr(out.buf, "prepared for database: erased by nvme format") != NULL);
    strbuf_reset(&out);
    report_text(&r, "results/x", &out);
    UNIT_TRUE("text", strstr(out.buf, "\nprepared   for database: erased by") != NULL);
    strbuf_release(&out);
    result_release(&r);
}

static const struct unit_test tests[] = {
    {"words", test_words},
    {"in_reports", test_in_reports},
};
const struct unit_suite prep_suite = UNIT_SUITE("prep", tests);
